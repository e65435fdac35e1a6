// Files: a path's name inside its repository, the same for each checkout and worktree, and the paths a text mentions.

const TOP_FOLDERS =
  'cmd|src|lib|app|apps|packages|frontend|backend|docs|tests?|internal|pkg|scripts|hooks|policies|\\.github|\\.planning'
/** A worktree's own folder and what leads to it. */
const WORKTREE = /^(?:.*?\/)?(?:\.claude\/|\.git\/)?\.?worktrees?\/[^/]+\//
const WORKTREE_INSIDE = /^(?:\.claude\/|\.git\/)?\.?worktrees?\/[^/]+\//
let checkoutOfAnother: RegExp | undefined

/** Endings that make a bare name a file's; with a folder before it any ending does. */
const BARE =
  /^go\.(?:mod|sum)$|\.(?:[cm]?[jt]sx?|json[cl5]?|go|pyi?|ipynb|rb|rs|java|kts?|swift|php|cs|cc?|cpp|cxx|hh?|hpp|scala|exs?|lua|dart|zig|nim|vue|svelte|astro|css|s[ac]ss|less|html?|xml|svg|mdx?|rst|txt|tex|csv|tsv|ya?ml|toml|ini|cfg|sql|sh|bash|zsh|ps1|bat|proto|graphql|tf|tfvars|nix|gradle|plist|pdf|png|jpe?g|gif|webp|wasm|sqlite)$/
//              what stands before is no part of a path; an @ mentions   folders, `[id]` and `(group)` too
const MENTION =
  /(?<![\w@./~\\-])@?((?:~\/|[A-Za-z]:\/|\.{0,2}\/)?(?:(?:[\w@.+-]+|\[[\w.]+\]|\([\w-]+\))\/)*(?:[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9}|\[[\w.]+\]\.[a-z]+|(?:Make|Docker|Jenkins|Gem|Rake|Proc|Just)file|LICENSE|\.(?:env|gitignore|gitattributes|editorconfig|npmrc|nvmrc|prettierrc|eslintrc|dockerignore)(?:\.[a-z]+)?))(?![\w/]|\((?!\d))/g
//                                       a name with an ending, or known without one; a call is no file

/**
 * The path inside the repository, with forward slashes; undefined outside it. `roots` are known places of the repository;
 * worktrees below one, or anywhere, are the same files. An absolute path of another machine is recognised by a worktree's
 * folder or by a well-known top folder below somebody's home.
 */
export function toRepoPath(file: string, roots: readonly string[]): string | undefined {
  const path = resolved(file)
  let inside: string | undefined
  for (const root of roots) {
    const base = resolved(root)
    // Of roots inside one another the innermost counts.
    if (base !== '' && path.startsWith(base === '/' ? base : `${base}/`)) {
      const rest = path.slice(base === '/' ? 1 : base.length + 1)
      if (inside === undefined || rest.length < inside.length) inside = rest
    }
  }
  if (inside !== undefined) return named(inside.replace(WORKTREE_INSIDE, ''))
  if (!path.startsWith('/') && !/^[A-Z]:\//.test(path)) return named(path.replace(WORKTREE_INSIDE, ''))
  const inWorktree = path.replace(WORKTREE, '')
  if (inWorktree !== path) return named(inWorktree)
  checkoutOfAnother ??= new RegExp(
    `^(?:[A-Z]:)?/(?:(?:Users|home)/[^/]+|root|workspaces?)/(?:[^/]+/)*?(?=(?:${TOP_FOLDERS})/)`,
  )
  const inCheckout = path.replace(checkoutOfAnother, '')
  return inCheckout === path ? undefined : named(inCheckout)
}

/** Path-like mentions in free text or a command, in order, once each, without line numbers. Addresses are no files. */
export function findFilePaths(text: string): string[] {
  const found = new Set<string>()
  for (const match of text.matchAll(MENTION)) {
    const name = match[1]!.replace(/^\.\//, '')
    // `node.js` the program, `e.g.`, `v1.x`: a bare name needs an ending of files; a host or a repository's address is no file.
    if (
      !name.includes('/') &&
      name.lastIndexOf('.') > 0 &&
      !name.startsWith('.') &&
      (!BARE.test(name) || /^(?:node|next|vue|nuxt|three|d3|express)\.js$/i.test(name))
    )
      continue
    if (/\.git$/.test(name) || /^(?:www\.|[\w-]+\.(?:com|org|net|io|dev)\/)/.test(name)) continue
    found.add(name)
  }
  return [...found]
}

/** Forward slashes, `.` and `..` gone where they can be, the drive's letter upper case, no slash at the end. */
function resolved(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^[a-z]:(?=\/)/, (drive) => drive.toUpperCase())
  if (!/\/\/|\/$|(?:^|\/)\.\.?(?:\/|$)/.test(slashed)) return slashed
  const kept: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  return (slashed.startsWith('/') ? '/' : '') + kept.join('/')
}

const named = (path: string): string | undefined =>
  path === '' || path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path
