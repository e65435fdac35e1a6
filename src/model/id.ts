// Ids are branded strings: an event's id cannot be given where a memory's is asked.

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** 16 hex digits. The same payload seen twice (plugin and settings both wired) has the same id, and counts once. */
export type EventId = Branded<'EventId'>

/** A UUID. Derived memories have one made from what they are about, so that organising twice gives the same memory. */
export type MemoryId = Branded<'MemoryId'>

/** Claude Code's session_id, as it came. */
export type SessionId = Branded<'SessionId'>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether a text a person typed can be a memory's id. */
export const isMemoryId = (text: string): text is MemoryId => UUID.test(text)

/** A UUID (version 8, RFC 9562: free form) made of 128 given bits, as four unsigned 32-bit numbers. */
export function memoryIdFromBits(bits: readonly [number, number, number, number]): MemoryId {
  const hex = bits.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  return text as MemoryId
}
