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

/** What a name in a path consists of, and what is before a path. */
const NAME = '[^\\s\\\\/"\'`<>|*?:;,=(){}$&]{1,100}'
const START = '(?<![^\\s"\'`<>|*?:;,=(){}$&])'
let paths: RegExp | undefined
let inside: RegExp | undefined
let names: RegExp | undefined

/**
 * The text with forward slashes in its paths: those on a drive or a server, and relative ones whose last name has an
 * extension.
 */
export function slashMentions(text: string): string {
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
  const drive = folder.charAt(0)
  const bashFolder = `/${drive.toLowerCase()}${folder.slice(2)}`
  let slashed = folder.charAt(1) === ':' && text.includes(bashFolder) ? text.replaceAll(bashFolder, folder) : text
  if (!slashed.includes('\\')) return slashed
  const backslashed = folder.replaceAll('/', '\\')
  for (const form of [backslashed, backslashed.replaceAll('\\', '\\\\')]) {
    for (const own of [form, drive.toLowerCase() + form.slice(1)]) slashed = slashed.replaceAll(own, folder)
  }
  inside ??= new RegExp(`^(?:\\\\{1,2}${NAME})+`)
  const [before = '', ...after] = slashed.split(folder)
  slashed = [before, ...after.map((part) => part.replace(inside ?? '', (path) => path.replace(/\\+/g, '/')))].join(
    folder,
  )
  slashed = slashMentions(slashed)
  if (!isPowerShell) return slashed
  names ??= /(?<=[^\s\\"'`|*?;,=({$&])\\(?=[^\s\\"'`<>|*?:;,=(){}$&]{2})/g
  return slashed.replace(names, '/')
}
