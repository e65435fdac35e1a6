// The content of hot.json. Apart from the code that builds it, which hooks do not need in their bundles.
import { type Conversation, conversationKey, type MemoryId, type SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'

export interface SessionStartSnapshot {
  readonly generation: number
  /** The memories that a session start may show: the best of each kind, best first within a kind. */
  readonly standing: readonly Memory[]
  /** The memories that each conversation of recent sessions was shown, by its key. */
  readonly told: Readonly<Record<string, readonly MemoryId[]>>
  /** How often the person's rules were kept, as a phrase; absent while nothing has met one, and in old stores. */
  readonly obedience?: string
  /** Sessions with events that are not organized yet. */
  readonly open: readonly { readonly id: SessionId; readonly lastAt: string; readonly ended: boolean }[]
}

export const EMPTY_SESSION_START: SessionStartSnapshot = { generation: 0, standing: [], told: {}, open: [] }

/**
 * The memories that a conversation was shown, found in the bytes of hot.json: parsing all of it costs a cold hook 2 ms
 * and most of its young heap. A key in quotes comes before a list only in `told`: inside a text its quotes are escaped.
 */
export function shownIdsFromBytes(bytes: Buffer, conversation: Conversation): readonly MemoryId[] {
  const key = `${JSON.stringify(conversationKey(conversation))}:[`
  const at = bytes.lastIndexOf(key)
  if (at === -1) return []
  const start = at + Buffer.byteLength(key) - 1
  return JSON.parse(bytes.toString('utf8', start, bytes.indexOf(']', start) + 1)) as MemoryId[]
}
