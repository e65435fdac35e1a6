// Paths inside a repository, the same in every checkout and worktree, and the paths that a text mentions.

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

/** The last name of a path with `/`. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The folder of a path with `/`; empty for a name alone. */
export const folderName = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const isTestName = (name: string): boolean =>
  /(?:^|[._-])(?:test|spec)s?(?:[._-]|$)|(?<=[a-z])(?:Test|Spec)s?\./.test(name)

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

/** Whether a folder's path is one of Windows: on a drive or a server. */
export const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path)

/** A path as Windows or Git Bash writes it, with forward slashes and an upper-case drive letter. */
export const slashPath = (path: string): string =>
  slash(path).replace(/^\/?([A-Za-z]):?(?=\/)/, (start, drive: string) =>
    start.length === 2 ? `${drive.toUpperCase()}:` : start,
  )

/** A separator may be doubled, as in JSON; at the beginning two are a server. */
const slash = (path: string): string => path.replace(/^\\{2,}/, '//').replace(/\\+/g, '/')

/** A character of a name in a path, and a name. */
const LETTER = '[^\\s\\\\/"\'`<>|*?:;,=(){}$&]'
const NAME = `${LETTER}{1,100}`
const SEPARATOR = '[\\\\/]{1,2}'
let paths: RegExp | undefined
let own: { readonly folder: string; readonly pattern: RegExp } | undefined

/**
 * The text with forward slashes in its paths: those on a drive or a server, and relative ones whose last name has an
 * extension.
 */
export function slashMentions(text: string): string {
  const START = `(?<!${LETTER}|[\\\\/])`
  paths ??= new RegExp(
    `(?:(?<!\\w)[A-Za-z]:|${START}\\\\{2,4}${NAME})(?:\\\\{1,2}${NAME})+|` +
      `${START}(?:${NAME}\\\\{1,2})+${NAME}\\.[A-Za-z]\\w{0,9}\\b`,
    'g',
  )
  return text.replace(paths, slash)
}

/**
 * The text with forward slashes in its paths. `folder` is the folder of the session, as `slashPath` returns it. In a
 * command of PowerShell every backslash between names counts, because there it escapes nothing.
 */
export function slashPaths(text: string, folder: string, isPowerShell = false): string {
  if (own?.folder !== folder) own = { folder, pattern: folderPattern(folder) }
  const slashed = slashMentions(text.replace(own.pattern, (_, rest: string) => folder + rest.replace(/\\+/g, '/')))
  return isPowerShell ? slashed.replace(new RegExp(`(?<=${LETTER})\\\\(?=${LETTER}{2})`, 'g'), '/') : slashed
}

/** The folder and what follows it, with either separator, in any case; its drive also as Git Bash writes it. */
function folderPattern(folder: string): RegExp {
  const names = folder.split('/').map((name) => name.replace(/\W/g, '\\$&'))
  if (folder[1] === ':') names[0] = `(?:${folder[0]}:|/${folder[0]})`
  return new RegExp(`${names.join(SEPARATOR)}(?!${LETTER})((?:${SEPARATOR}${NAME})*)`, 'gi')
}
