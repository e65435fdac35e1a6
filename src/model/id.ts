// Ids are branded strings: an event's id cannot be passed where a memory's is expected.

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** 16 hex digits. A payload that arrives twice (hooks in plugin and settings) has the same id, and counts once. */
export type EventId = Branded<'EventId'>

/** A UUID. That of a derived memory is a hash of what it is about, so that organizing twice gives the same memory. */
export type MemoryId = Branded<'MemoryId'>

/** Claude Code's session_id, unchanged. */
export type SessionId = Branded<'SessionId'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text can be a memory's id. */
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
