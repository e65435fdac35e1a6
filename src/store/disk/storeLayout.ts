// Where a project's store keeps what. Everything but `events/` and `members/` is derived; beside it lie lock and faults.jsonl.
//   projects/<name>-<id>/
//     events/000001.jsonl        the log
//     manifest.json              which files make the current view, and the log position it covers
//     hot.json  worked.json      what a session start needs at once; what each session worked on, for a prompt
//     policy.json                the policy that serves, and what of it was learned
//     work.<n>.json              what organising and improving carry from session to session
//     segments/<name>.txt .idx   memories and their index, written once
//     segments/<name>.<n>.row    what changes of them, replaced whole
//     vectors/…                  vectors by tier
//     members/<id>               whom a person has let in by a claim: see project.ts
//     entries.json               when each entry's file was last taken up

export const storeLayout = (folder: string) => ({
  folder,
  events: `${folder}/events`,
  manifest: `${folder}/manifest.json`,
  hot: `${folder}/hot.json`,
  worked: `${folder}/worked.json`,
  policy: `${folder}/policy.json`,
  /** Of one generation of the view, so that it is never read beside another's. */
  work: (generation: number) => `${folder}/work.${generation}.json`,
  segments: `${folder}/segments`,
  vectors: `${folder}/vectors`,
  entries: `${folder}/entries.json`,
  lock: `${folder}/lock`,
  faults: `${folder}/faults.jsonl`,
})

export type StoreLayout = ReturnType<typeof storeLayout>
