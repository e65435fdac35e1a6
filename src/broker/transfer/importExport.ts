// Imports an export of memctl: its memories with all their fields, so that an empty store has the same memory after it.
//
// A memory that is known stays, unless the export has a later version of it. An entry is a file of the project: if the
// file is not here, its text becomes a memory without a file.
import { type ImportMark, importOrigin, type Memory } from '../../model/memory.ts'
import { buildManualPolicyChange, isSameLearned } from '../commands/policyCommands.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import type { ExportedMemories } from './exportFile.ts'
import { commitMemories, newImportId } from './planImport.ts'

export interface ExportPlan {
  readonly added: readonly Memory[]
  /** Known ones of which the export has a later version. */
  readonly changed: readonly Memory[]
  readonly unchanged: number
  /** What becomes of the learned numbers. */
  readonly policy: 'none' | 'same' | 'taken' | 'kept' | 'other-base'
}

/** What an import of these memories would store. */
export function planExportImport(store: Store, exported: ExportedMemories): ExportPlan {
  const liveStore = openLiveStore(store)
  const known = liveStore.memories()
  const added: Memory[] = []
  const changed: Memory[] = []
  for (const memory of exported.list) {
    const before = known.get(memory.id)
    if (!before) added.push(withoutFile(memory))
    else if (memory.updated > before.updated && !before.entrySource) changed.push(withoutFile(memory))
  }
  const unchanged = exported.list.length - added.length - changed.length
  return { added, changed, unchanged, policy: placePolicy(liveStore, exported, known.size === 0) }
}

const withoutFile = ({ entrySource: _, ...memory }: Memory): Memory => memory

/** Only an empty project takes over learned numbers: elsewhere its own evidence counts. */
function placePolicy({ loaded }: LiveStore, { policy }: ExportedMemories, isEmpty: boolean): ExportPlan['policy'] {
  const { base, learned } = loaded.projection
  if (policy === undefined) return 'none'
  if (isSameLearned(policy, learned)) return 'same'
  if (!isEmpty || learned.version > 0) return 'kept'
  return policy.base === base.name ? 'taken' : 'other-base'
}

/** Stores what a plan found. Returns the id of the import; undefined if there was nothing to store. */
export function commitExportImport(
  store: Store,
  plan: ExportPlan,
  exported: ExportedMemories,
  now: number,
): string | undefined {
  const { added, changed, policy } = plan
  if (policy === 'taken' && exported.policy) {
    const { values, exclusions } = exported.policy
    const learned = { values, ...(exclusions && { exclusions }) }
    const change = { learned, reason: `imported from an export of ${exported.project.name}`, evidence: {} }
    commitEvents(store, [buildManualPolicyChange(openLiveStore(store).loaded.projection, change, now)])
  }
  if (added.length + changed.length === 0) return undefined
  const origin = importOrigin('memctl')
  const location = `${exported.project.name}, ${exported.at}`
  const mark: ImportMark = { id: newImportId(origin, location, now), origin, location }
  commitMemories(store, { added, changed }, mark, now)
  return mark.id
}
