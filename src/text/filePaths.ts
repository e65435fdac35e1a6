// Paths inside a repository, the same in every checkout and worktree, and the paths that a text mentions.
import { slashMentions } from './windowsPaths.ts'

const TOP_FOLDERS =
  'cmd|src|lib|app|apps|packages|frontend|backend|docs|tests?|internal|pkg|scripts|hooks|policies|\\.github|\\.planning'
/** The folder of a worktree, with everything before it. */
const WORKTREE = /^(?:.*?\/)?(?:\.claude\/|\.git\/)?\.?worktrees?\/[^/]+\//
const WORKTREE_INSIDE = /^(?:\.claude\/|\.git\/)?\.?worktrees?\/[^/]+\//
let otherCheckout: RegExp | undefined

/** Extensions that make a name without a folder a file; after a folder any extension does. */
const FILE_NAME =
  /^go\.(?:mod|sum)$|\.(?:[cm]?[jt]sx?|json[cl5]?|go|pyi?|ipynb|rb|rs|java|kts?|swift|php|cs|cc?|cpp|cxx|hh?|hpp|scala|exs?|lua|dart|zig|nim|vue|svelte|astro|css|s[ac]ss|less|html?|xml|svg|mdx?|rst|txt|tex|csv|tsv|ya?ml|toml|ini|cfg|sql|sh|bash|zsh|ps1|bat|proto|graphql|tf|tfvars|nix|gradle|plist|pdf|png|jpe?g|gif|webp|wasm|sqlite)$/
//              not inside a longer path; @ marks a mention    folders, also `[id]` and `(group)`
const MENTION =
  /(?<![\w@./~+\\-])@?((?:~\/|[A-Za-z]:\/|\.{0,2}\/)?(?:(?:[\w@.+-]+|\[[\w.]+\]|\([\w-]+\))\/)*(?:[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,9}|\[[\w.]+\]\.[a-z]+|(?:Make|Docker|Jenkins|Gem|Rake|Proc|Just)file|LICENSE|\.(?:env|gitignore|gitattributes|editorconfig|npmrc|nvmrc|prettierrc|eslintrc|dockerignore)(?:\.[a-z]+)?))(?![\w/]|\((?!\d))/g
//                              a name with an extension, or a known name without one; not a function call

/**
 * The path inside the repository, with forward slashes; undefined outside it. `roots` are known folders of the
 * repository; a worktree has the same files. An absolute path of another machine is recognized by a worktree's folder
 * or by a well-known top folder below a home folder.
 */
export function toRepoPath(file: string, roots: readonly string[]): string | undefined {
  const bases = roots.map(normalizePath)
  const path = toDrivePath(normalizePath(file), bases)
  let inside: string | undefined
  for (const base of bases) {
    const start = base === '/' ? base : `${base}/`
    // The innermost of nested roots counts.
    if (base !== '' && (path.startsWith(start) || (IGNORES_CASE.test(base) && startsWithFolded(path, start)))) {
      const rest = path.slice(start.length)
      if (inside === undefined || rest.length < inside.length) inside = rest
    }
  }
  if (inside !== undefined) return insideOrUndefined(inside.replace(WORKTREE_INSIDE, ''))
  if (!path.startsWith('/') && !/^[A-Z]:\//.test(path)) return insideOrUndefined(path.replace(WORKTREE_INSIDE, ''))
  const inWorktree = path.replace(WORKTREE, '')
  if (inWorktree !== path) return insideOrUndefined(inWorktree)
  otherCheckout ??= new RegExp(
    `^(?:[A-Z]:)?/(?:(?:Users|home)/[^/]+|root|workspaces?)/(?:[^/]+/)*?(?=(?:${TOP_FOLDERS})/)`,
  )
  const inCheckout = path.replace(otherCheckout, '')
  return inCheckout === path ? undefined : insideOrUndefined(inCheckout)
}

/** The paths that a text or a command mentions, in order, once each, without line numbers and URLs. */
export function findFilePaths(text: string): string[] {
  const found = new Set<string>()
  for (const match of (text.includes('\\') ? slashMentions(text) : text).matchAll(MENTION)) {
    const name = (match[1] ?? '').replace(/^\.\//, '')
    // `node.js` the program, `e.g.` and `v1.x` are no files; neither are hosts and the URLs of repositories.
    if (
      !name.includes('/') &&
      name.lastIndexOf('.') > 0 &&
      !name.startsWith('.') &&
      (!FILE_NAME.test(name) || /^(?:node|next|vue|nuxt|three|d3|express)\.js$/i.test(name))
    )
      continue
    if (/\.git$/.test(name) || /^(?:www\.|[\w-]+\.(?:com|org|net|io|dev)\/)/.test(name)) continue
    found.add(name)
  }
  return [...found]
}

/** Folders of systems whose file systems usually ignore case: drives and shares of Windows, macOS. */
const IGNORES_CASE = /^(?:[A-Z]:|\/\/|\/(?:Users|Volumes)\/)/

const startsWithFolded = (path: string, start: string): boolean =>
  path.slice(0, start.length).toLowerCase() === start.toLowerCase()

/** Git Bash, Cygwin and WSL write /c/, /cygdrive/c/ and /mnt/c/ for the drive of a repository on Windows. */
function toDrivePath(path: string, bases: readonly string[]): string {
  if (!bases.some((base) => base.charAt(1) === ':')) return path
  return path.replace(/^\/(?:cygdrive\/|mnt\/)?([A-Za-z])(?=\/)/, (_, drive: string) => `${drive.toUpperCase()}:`)
}

/** Marks that macOS may store apart from their letter: accents, dakuten, handakuten, parts of Hangul. */
const DECOMPOSED = /[\u0300-\u036f\u1100-\u11ff\u3099\u309a]/

/**
 * The path with forward slashes, an upper-case drive letter, no slash at the end, and `.` and `..` resolved. On macOS
 * /tmp and /var are links into /private, and a name may come back decomposed.
 */
function normalizePath(path: string): string {
  const composed = DECOMPOSED.test(path) ? path.normalize('NFC') : path
  const slashed = composed
    .replaceAll('\\', '/')
    .replace(/^[a-z]:(?=\/)/, (drive) => drive.toUpperCase())
    .replace(/^\/private(?=\/(?:tmp|var|etc)\/)/, '')
  if (!/\/\/|\/$|(?:^|\/)\.\.?(?:\/|$)/.test(slashed)) return slashed
  const kept: string[] = []
  for (const part of slashed.split('/')) {
    if (part === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(part)
  }
  return (slashed.startsWith('/') ? '/' : '') + kept.join('/')
}

const insideOrUndefined = (path: string): string | undefined =>
  path === '' || path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path
