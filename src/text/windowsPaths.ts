// Paths of Windows in the texts of a call, with forward slashes: so that a session on Windows leaves the same memories
// as the same session elsewhere. Node, PowerShell, Git Bash and most programs accept them.
//
//   src\cart.js                       src/cart.js
//   C:\Users\me\my shop\src\cart.js   C:/Users/me/my shop/src/cart.js
//   /c/Users/me/my shop/src/cart.js   C:/Users/me/my shop/src/cart.js       Git Bash, in the folder of the session

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
