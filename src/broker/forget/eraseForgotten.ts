// Erases what a team has forgotten from this store: its log, and everything derived. Other projects of the person, and
// entry files, stay as they are: a teammate's word must not change them.
import type { MemoryId } from '../../model/id.ts'
import type { Store } from '../open/openStore.ts'
import { eraseInStore } from './eraseEverywhere.ts'
import { eraseOtherFiles, eraseReports } from './eraseOtherFiles.ts'
import { planTeamErasure } from './teamErasure.ts'

/** Throws STORE_INVALID for a log with missing files, and STORE_BUSY: the next run continues. */
export function eraseForgotten(store: Store, ids: readonly MemoryId[], now: number): void {
  const plan = planTeamErasure(store, ids)
  eraseInStore(store, plan, now)
  eraseReports([store], false)
  const { home: _, ...withoutHome } = store
  eraseOtherFiles(withoutHome, [{ store, plan }], { finder: plan.finder, dryRun: false })
}
