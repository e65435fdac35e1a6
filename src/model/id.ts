// Ids are branded strings: an event's id cannot be passed where a memory's is expected.
import { MemoryError } from './memoryError.ts'

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** 16 hex digits. A payload that arrives twice (hooks in plugin and settings) has the same id, and counts once. */
export type EventId = Branded<'EventId'>

/** A UUID. That of a derived memory is a hash of what it is about, so that organizing twice gives the same memory. */
export type MemoryId = Branded<'MemoryId'>

/** Claude Code's session_id, unchanged. */
export type SessionId = Branded<'SessionId'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isMemoryId = (text: string): text is MemoryId => UUID.test(text)

/** A UUID of version 8 (RFC 9562: custom bits) from 128 bits, four 32-bit numbers. */
export function memoryIdFromBits(bits: readonly [number, number, number, number]): MemoryId {
  const hex = bits.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20),
  ]
  return groups.join('-') as MemoryId
}

// Beginnings of ids: which id a person means by one, and how short one may be printed.

/** What the ids are of, for messages: `memory`, and where to find ids. */
export type IdKind = Readonly<{ noun: string; hint: string }>

type Identified = Readonly<{ id: string }>

/** Characters of a printed id, at least. */
const ID_CHARS_MIN = 8

/** Ids that an error lists, at most. */
const CANDIDATES_MAX = 6

/** The beginning of an id, for a text that names few: in a list, `Terminal.shortId` keeps ids apart. */
export const shortId = (id: string): string => id.slice(0, ID_CHARS_MIN)

/** The items whose id begins with `prefix`, in any case; a whole id is only itself. An empty prefix matches nothing. */
export function listByPrefix<T extends Identified>(items: Iterable<T>, prefix: string): readonly T[] {
  const start = prefix.toLowerCase()
  if (start === '') return []
  const found = [...items].filter((item) => item.id.toLowerCase().startsWith(start))
  const exact = found.find((item) => item.id.toLowerCase() === start)
  return exact ? [exact] : found
}

/** The item whose id begins with `prefix`. Throws NOT_FOUND if there is none; the error names the ids of several. */
export function selectByPrefix<T extends Identified>(items: Iterable<T>, prefix: string, { noun, hint }: IdKind): T {
  const found = listByPrefix(items, prefix)
  const [first] = found
  if (first && found.length === 1) return first
  if (!first) throw new MemoryError('NOT_FOUND', `No ${noun} has an id that begins with "${prefix}"`, { hint })
  throw ambiguousIdError(prefix, found)
}

/** The error for a beginning that several ids have: one line with these ids. */
export function ambiguousIdError(prefix: string, found: readonly Identified[]): MemoryError {
  const ids = found.map(({ id }) => id)
  const chars = Math.max(shortIdChars(ids), prefix.length + 1)
  const some = ids.slice(0, CANDIDATES_MAX).map((id) => id.slice(0, chars))
  const more = ids.length > some.length ? ` and ${ids.length - some.length} more` : ''
  return new MemoryError('NOT_FOUND', `${ids.length} ids begin with "${prefix}": ${some.join(', ')}${more}`, {
    hint: 'Give more of the id.',
  })
}

/** How many characters tell all these ids apart: 8 at least. */
export function shortIdChars(ids: Iterable<string>): number {
  const sorted = [...new Set(ids)].sort()
  let chars = ID_CHARS_MIN
  for (let i = 1; i < sorted.length; i += 1) {
    chars = Math.max(chars, 1 + sharedStart(sorted[i - 1] ?? '', sorted[i] ?? ''))
  }
  return chars
}

/** How many characters two texts have in common at their beginning. */
export function sharedStart(text: string, other: string): number {
  let same = 0
  while (same < text.length && text[same] === other[same]) same++
  return same
}

// A conversation: the main thread of a session, or one of its subagents. What one contains, the others do not know.

export interface Conversation {
  readonly session: SessionId
  /** Absent for the main thread. */
  readonly agentId?: string | undefined
}

export const isSameConversation = (a: Conversation, b: Conversation): boolean =>
  a.session === b.session && a.agentId === b.agentId

/** Its name in a file: the session id of a main thread, as in earlier versions, which had one list for a session. */
export const conversationKey = ({ session, agentId }: Conversation): string =>
  agentId === undefined ? session : `${session}/${agentId}`
