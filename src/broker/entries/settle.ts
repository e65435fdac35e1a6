// Settling entries: what a session's end does for them. Taken up, the uses of global ones told where all projects tell them, cleaned up.
import { placesOf } from '../../entries/places.ts'
import type { MemoryId } from '../../model/id.ts'
import { sweep } from '../../store/sweep.ts'
import { type Desk, openDesk } from '../desk.ts'
import type { Store } from '../store.ts'
import { upkeep } from '../upkeep.ts'
import { archiveOf } from './entryPath.ts'
import { globalStoreOf, type Scribe, scribeOf } from './scribe.ts'
import { takeUp } from './takeUp.ts'
import { limitsIn, tidyEntries } from './tidy.ts'

/** At a session's end or start, before the view is made; `env` has the document's limits. Throws CONFIG_INVALID for wrong ones. */
export function settleEntries(store: Store, env: Readonly<Record<string, string | undefined>>, now: number): void {
  const limits = limitsIn(env)
  const project = writer(openDesk(store), now)
  const global = writer(openDesk(globalStoreOf(store)), now)
  for (const scribe of [project, global]) takeUp(scribe)
  // What a killed writer has left aside is no file of a person's repository.
  for (const { own, folder } of placesOf(store)) {
    if (own) for (const at of [folder, archiveOf(folder)]) sweep(store.files, at)
  }
  tellUses(project.desk, global)
  tidyEntries(project, limits)
  // What is archived there leaves the project's recall as well.
  if (tidyEntries(global, limits).length > 0) takeUp(project)
  global.desk.settle(now)
}

/** For a command that waits: what entries' files say now is in the view. */
export function takeUpNow(store: Store, now: number): void {
  if (takeUp(writer(openDesk(store), now))) upkeep(store, { now, sessions: [] })
}

/** Global entries that this project has used since anybody last told so. */
function tellUses({ memories }: Desk, global: Scribe): void {
  const there = global.desk.memories()
  const used: MemoryId[] = []
  for (const [id, { lastUsed }] of memories()) {
    const one = there.get(id)
    if (lastUsed !== undefined && one?.entrySource && lastUsed > (one.lastUsed ?? '')) used.push(id)
  }
  if (used.length > 0) global.tell({ kind: 'memory.accessed', memories: used })
}

/** In memctl's own name. Its events are told apart by their order. */
function writer(desk: Desk, now: number): Scribe {
  let told = 0
  return scribeOf(desk, { now, nonce: () => `${desk.store.layout.folder} ${told++}` })
}
