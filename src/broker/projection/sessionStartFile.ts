// What hot.json holds. Apart from its maker, so that a hook's bundle holds only what it reads.
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'

export interface SessionStartSnapshot {
  readonly generation: number
  /** Standing memories: what the person said, lessons, and the latest sessions; best first within each kind. */
  readonly standing: readonly Memory[]
  /** What each session still remembered has been told. */
  readonly told: Readonly<Record<SessionId, readonly MemoryId[]>>
  /** Sessions with events that are not organised, and who runs them. */
  readonly open: readonly { readonly id: SessionId; readonly lastAt: string; readonly ended: boolean }[]
}

export const EMPTY_SESSION_START: SessionStartSnapshot = { generation: 0, standing: [], told: {}, open: [] }

/**
 * What a session has been told, sought in the file's bytes: parsing them all costs a cold hook 2 ms and most of its young heap.
 * A session's name stands before a list nowhere but in `told`: in a text its quotes would be escaped.
 */
export function shownIdsFromBytes(bytes: Buffer, session: SessionId): readonly MemoryId[] {
  const name = `${JSON.stringify(session)}:[`
  const at = bytes.lastIndexOf(name)
  if (at === -1) return []
  const start = at + Buffer.byteLength(name) - 1
  return JSON.parse(bytes.toString('utf8', start, bytes.indexOf(']', start) + 1)) as MemoryId[]
}
