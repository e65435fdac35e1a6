// Paths of a project's store: docs/architecture.md (On disk) says what each file has. And paths of this system.
import { sep } from 'node:path'

export const storeLayout = (folder: string) => ({
  folder,
  events: `${folder}/events`,
  manifest: `${folder}/manifest.json`,
  hot: `${folder}/hot.json`,
  worked: `${folder}/worked.json`,
  knowledge: `${folder}/knowledge.json`,
  policy: `${folder}/policy.json`,
  /** One file per snapshot generation, so that it is never read with another snapshot. */
  work: (generation: number) => `${folder}/work.${generation}.json`,
  /** What is known of each row of a hub. */
  team: (generation: number) => `${folder}/team.${generation}.txt`,
  segments: `${folder}/segments`,
  vectors: `${folder}/vectors`,
  entries: `${folder}/entries.json`,
  lock: `${folder}/lock`,
  /** Held by the one process that maintains entries. */
  entriesLock: `${folder}/entries.lock`,
  /** Held by the one process that waits for `lock` to refresh the recent segment. */
  refreshLock: `${folder}/refresh.lock`,
  faults: `${folder}/faults.jsonl`,
  /** The steps in which workers had to be ended. */
  worker: `${folder}/worker.json`,
})

export type StoreLayout = ReturnType<typeof storeLayout>

/**
 * The file of `memctl report` in a store: beside the log, with its access rights, so that it is not committed by
 * accident, and so that `memctl forget` can remove it.
 */
export const REPORT_FILE = 'report.html'

export const defaultReportFile = ({ layout }: { readonly layout: StoreLayout }): string =>
  `${layout.folder}/${REPORT_FILE}`

// Paths of this system in the form that memctl uses: with forward slashes, which Windows accepts too. So a path of a
// store, a project or an entry can be compared and extended in the same way everywhere.

/** Windows has no mode bits, and refuses for a moment to replace or remove a file that a program has open. */
export const IS_WINDOWS = sep === '\\'

/** The path with forward slashes and an upper-case drive letter on Windows; elsewhere as it is. */
export const toSystemPath = (path: string): string => (IS_WINDOWS ? slashWindowsPath(path) : path)

/** Without a pattern: one that ran before V8's compilers are switched off (runHook.ts) must not run again. */
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
