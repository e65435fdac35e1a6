// Paths of a project's store. All but `events/`, files of ../project, locks and `faults.jsonl` derives from the log.
//   projects/<name>-<id>/
//     events/000001.jsonl        the log
//     manifest.json              which files make the current snapshot, and the log position it covers
//     hot.json  worked.json  knowledge.json  for hooks: starts; files that sessions edited; knowledge
//     policy.json                the active policy, and what of it was learned
//     work.<n>.json              state of organize and improve between sessions, of snapshot generation n
//     segments/<name>.txt .idx   memories and their index, written once
//     segments/<name>.<n>.row    their changing fields, replaced
//     vectors/…                  vectors by tier
//     members/ trust/ identity.json link earlier.json    what a user confirmed and trusts; folders; links (../project)
//     entries.json worker.json   when each entry's file was last synced; steps in which workers had to be ended

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

/** The path of the report if the person names none. */
export const defaultReportFile = ({ layout }: { readonly layout: StoreLayout }): string =>
  `${layout.folder}/${REPORT_FILE}`
