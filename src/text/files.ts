// Files: a path's name inside its repository, the same for each checkout and worktree, and the paths a text mentions.

const TOP_FOLDERS =
  'cmd|src|lib|app|apps|packages|frontend|backend|docs|test|tests|internal|pkg|scripts|hooks|policies|\\.github|\\.claude'
const WORKTREE = /^.*?\/(?:\.claude\/)?worktrees?\/[^/]+\//
const HOME_CHECKOUT = new RegExp(`^/(?:Users|home)/[^/]+/(?:[^/]+/)*?(?=(?:${TOP_FOLDERS})/)`)
const MENTION = /(?:^|[\s"'`(=,:])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[a-z][a-z0-9]{0,5})(?![\w/])/gi

/**
 * The path inside the repository, with forward slashes; undefined outside it. `roots` are known places of the repository. An
 * absolute path of another machine is recognised by a worktree folder or by a well-known top folder below a home.
 */
export function repoPath(file: string, roots: readonly string[]): string | undefined {
  const path = file.replaceAll('\\', '/')
  for (const root of roots) {
    const base = root.replaceAll('\\', '/').replace(/\/+$/, '')
    if (base && path.startsWith(`${base}/`))
      return clean(path.slice(base.length + 1).replace(/^\.claude\/worktrees\/[^/]+\//, ''))
  }
  if (!path.startsWith('/') && !/^[A-Za-z]:\//.test(path)) return clean(path.replace(/^\.\//, ''))
  const inWorktree = path.replace(WORKTREE, '')
  if (inWorktree !== path) return clean(inWorktree)
  const inCheckout = path.replace(HOME_CHECKOUT, '')
  return inCheckout === path ? undefined : clean(inCheckout)
}

/** Path-like mentions in free text or a command, in order, once each, without line numbers. */
export function filesIn(text: string): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(MENTION)) {
    const name = match[1]!.replace(/^\.\//, '')
    if (/^\d|^(e\.g|i\.e|etc|vs)\.?$/i.test(name) || /^v?\d+(\.\d+)*$/.test(name)) continue
    found.add(name)
  }
  return [...found]
}

function clean(path: string): string | undefined {
  return path === '' || path.startsWith('../') || path.startsWith('/') ? undefined : path
}
