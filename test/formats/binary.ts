// Binary files of a store, decoded from the layout alone: no code of memctl takes part, so a changed layout is seen.

/** What a row says of a memory, by the names that memories have in answers of commands. */
export type RowFields = Readonly<Record<string, number | string | undefined>>

export const ROW_BYTES = 160

/** Values of a row's first eight bytes: a byte is a place in its list. The order of these lists is on disk. */
const LISTS: readonly (readonly [name: string, values: readonly string[] | undefined])[] = [
  ['status', ['active', 'archived']],
  ['kind', ['experience', 'lesson', 'summary', 'entry', 'preference', 'decision', 'consolidated', 'fact']],
  ['privacy', ['private', 'agent-only', 'public']],
  ['tier', ['hot', 'warm', 'cold']],
  ['retention', ['long_term', 'short_term', 'working']],
  ['consolidationLevel', undefined],
  ['outcome', ['unknown', 'success', 'failure']],
  ['trust', ['user', 'tools', 'outside']],
]

const FLOATS = ['importance', 'strength', 'impactScore', 'help.contribution']
const TIMES = ['updated', 'lastUsed', 'lastDecayed', 'expires']
const COUNTS = ['accessCount', 'candidateCount', 'help.shown', 'help.used']

/**
 * A row, big endian:
 *
 *   0 lists, a byte each   8 session  12 role  16 agent (hashes)   20 text at, f64   28 text bytes, u32
 *   32 floats, f64   64 times, f64 ms or NaN   96 counts, u32   112 id, 128 bits
 *   128 meetings, u32   132 branch  136 task (hashes)   140 rank, u32   144 created, f64 ms   152 facts, u16
 */
export function decodeRow(rows: Buffer, row: number): RowFields {
  const at = row * ROW_BYTES
  const fields: Record<string, number | string | undefined> = {}
  LISTS.forEach(([name, values], i) => {
    const byte = rows.readUInt8(at + i)
    fields[name] = values ? values[byte] : byte
  })
  FLOATS.forEach((name, i) => {
    fields[name] = rows.readDoubleBE(at + 32 + 8 * i)
  })
  TIMES.forEach((name, i) => {
    fields[name] = isoTime(rows.readDoubleBE(at + 64 + 8 * i))
  })
  COUNTS.forEach((name, i) => {
    fields[name] = rows.readUInt32BE(at + 96 + 4 * i)
  })
  const id = rows.toString('hex', at + 112, at + 128)
  fields['id'] = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  fields['meetings'] = rows.readUInt32BE(at + 128)
  fields['created'] = isoTime(rows.readDoubleBE(at + 144))
  return fields
}

/** Offset of the memory's line in the segment's text, in bytes. */
export const textOfRow = (rows: Buffer, row: number): { readonly at: number; readonly bytes: number } => ({
  at: rows.readDoubleBE(row * ROW_BYTES + 20),
  bytes: rows.readUInt32BE(row * ROW_BYTES + 28),
})

/** The hashes of a row by the name of the hashed field: `hashName` of it, 0 for a memory without that field. */
export const hashesOfRow = (rows: Buffer, row: number): Readonly<Record<string, number>> => ({
  session: rows.readUInt32BE(row * ROW_BYTES + 8),
  role: rows.readUInt32BE(row * ROW_BYTES + 12),
  agentId: rows.readUInt32BE(row * ROW_BYTES + 16),
  branch: rows.readUInt32BE(row * ROW_BYTES + 132),
  taskId: rows.readUInt32BE(row * ROW_BYTES + 136),
})

/** A name as rows hold it: FNV-1a over its UTF-16 units, low byte first; 1 where that would be 0, which means none. */
export const nameHash = (name: string): number =>
  fnv(Array.from({ length: 2 * name.length }, (_, i) => (name.charCodeAt(i >> 1) >> (8 * (i & 1))) & 0xff)) || 1

const isoTime = (ms: number): string | undefined => (Number.isNaN(ms) ? undefined : new Date(ms).toISOString())

export interface IndexFile {
  readonly magic: string
  readonly version: number
  readonly documents: number
  readonly terms: number
  /** As computed from the header's counts; it must be the size of the file. */
  readonly size: number
  readonly headerChecksum: 'right' | 'wrong'
  readonly bodyChecksum: 'right' | 'wrong'
  /** Sum of the terms' document frequencies; it must be the number of postings. */
  readonly frequencies: number
  readonly postings: number
  /** The largest document number in a posting. */
  readonly lastDocument: number
}

/** An index file, little endian: header of 16 words, a norm (one byte) a document, slots of 16 bytes, postings of 4. */
export function decodeIndex(bytes: Buffer): IndexFile {
  const word = (i: number): number => bytes.readUInt32LE(4 * i)
  const [documents, terms, slots, postings] = [word(2), word(5), word(7), word(9)]
  const table = 64 + Math.ceil(documents / 16) * 16
  const size = table + 16 * slots + 4 * postings
  const words = Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => word(i))
  const frequencies = Array.from({ length: slots }, (_, slot) => bytes.readUInt32LE(table + 16 * slot + 8))
  const listed = words.slice((table + 16 * slots) / 4)
  return {
    magic: bytes.toString('latin1', 0, 4),
    version: word(1),
    documents,
    terms,
    size,
    headerChecksum: fnv(words.slice(0, 15)) === word(15) ? 'right' : 'wrong',
    bodyChecksum: fnv(words.slice(16)) === word(10) ? 'right' : 'wrong',
    frequencies: frequencies.reduce((sum, count) => sum + count, 0),
    postings,
    lastDocument: Math.max(...listed.map((posting) => posting % 2 ** 24)),
  }
}

/** FNV-1a, 32 bits, each word or byte being one step. */
function fnv(words: readonly number[]): number {
  return words.reduce((hash, word) => Math.imul(hash ^ word, 0x01000193), 0x811c9dc5) >>> 0
}
