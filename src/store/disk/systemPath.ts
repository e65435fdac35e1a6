// Paths of this system in the form that memctl uses: with forward slashes, which Windows accepts too. So a path of a
// store, a project or an entry can be compared and extended in the same way everywhere.
import { sep } from 'node:path'

/** Windows has no mode bits, and refuses for a moment to replace or remove a file that a program has open. */
export const IS_WINDOWS = sep === '\\'

/** The path with forward slashes and an upper-case drive letter on Windows; elsewhere as it is. */
export const toSystemPath = (path: string): string => (IS_WINDOWS ? slashWindowsPath(path) : path)

/** Without a pattern: one that ran before V8's compilers are switched off (disableJit.ts) must not run again. */
function slashWindowsPath(path: string): string {
  const slashed = path.replaceAll('\\', '/')
  const isGitBash = slashed[0] === '/' && slashed[1] !== '/' && slashed[2] === '/' // /c/Users
  if (!isGitBash && slashed[1] !== ':') return slashed
  return `${slashed.charAt(isGitBash ? 1 : 0).toUpperCase()}:${slashed.slice(2)}`
}

/**
 * The user's home folder; undefined if no variable names it. On Windows USERPROFILE, as for other programs: there HOME
 * is what a Unix shell has set.
 */
export function findUserHome(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!IS_WINDOWS) return env['HOME'] || env['USERPROFILE']
  const { USERPROFILE, HOMEDRIVE, HOMEPATH, HOME } = env
  const home = USERPROFILE || (HOMEDRIVE && HOMEPATH && HOMEDRIVE + HOMEPATH) || HOME
  return home ? toSystemPath(home) : undefined
}
