// What hot.json holds. Apart from its maker, so that a hook's bundle holds only what it reads.
import type { MemoryId, SessionId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'

export interface Hot {
  readonly generation: number
  /** Standing memories: what the person said, lessons, and the latest sessions; best first within each kind. */
  readonly standing: readonly Memory[]
  /** What each session still remembered has been told. */
  readonly told: Readonly<Record<SessionId, readonly MemoryId[]>>
  /** Sessions with events that are not organised, and who runs them. */
  readonly open: readonly { readonly id: SessionId; readonly lastAt: string; readonly ended: boolean }[]
}

export const NO_HOT: Hot = { generation: 0, standing: [], told: {}, open: [] }
