// Row: what of a memory changes without its words changing, and what ranking asks of it: 160 bytes each, one file a segment.
//   0 status  1 kind  2 privacy  3 tier  4 retention  5 level  6 outcome  7 trust   (one byte each: place in its list)
//   8 session   12 role   16 agent (in lower case)   hashes, 32 bits: enough to leave a memory out, never to let one in
//   20 text at  28 text bytes             where its JSON line stands in the segment's text file
//   32 importance  40 strength  48 impact  56 contribution                     64-bit floats
//   64 updated  72 last used  80 last decayed  88 expires                      ms since 1970, NaN for none
//   96 accesses  100 candidates  104 shown  108 used                           counts
//   112 id                                                                    128 bits
//   128 meetings  132 branch  136 task  140 rank     a count, two hashes, its place among all in the order they were made
//   144 created  152 facts                                                    ms since 1970, bits of text/facts.ts
// The text file is written once; a row overrides what the text says. Store version 1 had no last line, and rows of 144 bytes.
import type { MemoryId } from '../../model/id.ts'
import { MEMORY_KINDS, MEMORY_STATUSES, type Memory, OUTCOMES, RETENTIONS, TRUST_LEVELS } from '../../model/memory.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import { TIERS } from '../../model/tier.ts'
import { hash32 } from '../../text/hash.ts'
import { isoTime } from '../../text/isoTime.ts'

export const ROW_BYTES = 160

/** Rows of store version 1 as rows of today, with no time and no facts in what they did not have; today's as they are. */
export function upgradeRows(rows: Buffer, rowBytes: number): Buffer {
  if (rowBytes !== ROW_BYTES_BEFORE) return rows
  const count = Math.floor(rows.length / ROW_BYTES_BEFORE)
  const wide = Buffer.alloc(count * ROW_BYTES)
  for (let row = 0; row < count; row++) {
    rows.copy(wide, row * ROW_BYTES, row * ROW_BYTES_BEFORE, (row + 1) * ROW_BYTES_BEFORE)
    wide.writeDoubleBE(Number.NaN, row * ROW_BYTES + ROW_BYTES_BEFORE)
  }
  return wide
}

const ROW_BYTES_BEFORE = 144

interface TextRange {
  readonly at: number
  readonly bytes: number
}

/** Where a memory's text stands and what kinds of things it says; both stay as long as its words do. */
interface RowTextRef extends TextRange {
  readonly answerTypes: number
}

/** Writes a memory's row at `row` × 160. */
export function encodeRow(rows: DataView, row: number, memory: Memory, text: RowTextRef, rank: number): void {
  const at = row * ROW_BYTES
  const bytes = [
    MEMORY_STATUSES.indexOf(memory.status),
    MEMORY_KINDS.indexOf(memory.kind),
    PRIVACY_LEVELS.indexOf(memory.privacy),
    TIERS.indexOf(memory.tier),
    RETENTIONS.indexOf(memory.retention),
    memory.consolidationLevel,
    OUTCOMES.indexOf(memory.outcome),
    TRUST_LEVELS.indexOf(memory.trust),
  ]
  bytes.forEach((byte, i) => rows.setUint8(at + i, byte))
  rows.setUint32(at + 8, hashName(memory.session))
  rows.setUint32(at + 12, hashName(memory.role))
  rows.setUint32(at + 16, hashName(memory.agentId?.toLowerCase()))
  rows.setFloat64(at + 20, text.at)
  rows.setUint32(at + 28, text.bytes)
  const floats = [
    memory.importance,
    memory.strength,
    memory.impactScore,
    memory.help.contribution,
    ms(memory.updated),
    ms(memory.lastUsed),
    ms(memory.lastDecayed),
    ms(memory.expires),
  ]
  floats.forEach((value, i) => rows.setFloat64(at + 32 + 8 * i, value))
  const counts = [memory.accessCount, memory.candidateCount, memory.help.shown, memory.help.used]
  counts.forEach((count, i) => rows.setUint32(at + 96 + 4 * i, count))
  rows.setUint32(at + 128, memory.meetings)
  rows.setUint32(at + 132, hashName(memory.branch))
  rows.setUint32(at + 136, hashName(memory.taskId))
  rows.setUint32(at + 140, rank)
  rows.setFloat64(at + 144, ms(memory.created))
  rows.setUint16(at + 152, text.answerTypes)
  const id = memory.id.replaceAll('-', '')
  for (let i = 0; i < 4; i++) rows.setUint32(at + 112 + 4 * i, Number.parseInt(id.slice(8 * i, 8 * i + 8), 16))
}

/** A name as a row keeps it; 0 for none. */
export const hashName = (name: string | undefined): number => (name === undefined ? 0 : hash32(name) || 1)

/** Where the row's text stands, and its facts. */
export const textOfRow = (rows: DataView, row: number): RowTextRef => ({
  at: rows.getFloat64(row * ROW_BYTES + 20),
  bytes: rows.getUint32(row * ROW_BYTES + 28),
  answerTypes: answerTypesOfRow(rows, row),
})

export const answerTypesOfRow = (rows: DataView, row: number): number => rows.getUint16(row * ROW_BYTES + 152)

export const rankOfRow = (rows: DataView, row: number): number => rows.getUint32(row * ROW_BYTES + 140)
export const sessionHashOfRow = (rows: DataView, row: number): number => rows.getUint32(row * ROW_BYTES + 8)
export const statusOfRow = (rows: DataView, row: number): number => rows.getUint8(row * ROW_BYTES)
export const kindOfRow = (rows: DataView, row: number): number => rows.getUint8(row * ROW_BYTES + 1)
export const tierOfRow = (rows: DataView, row: number): number => rows.getUint8(row * ROW_BYTES + 3)

/** The memory as it stands now: its text with the row's fields put in. */
export function applyRow(text: Memory, rows: DataView, row: number): Memory {
  const at = row * ROW_BYTES
  const float = (i: number) => rows.getFloat64(at + 32 + 8 * i)
  const count = (i: number) => rows.getUint32(at + 96 + 4 * i)
  return {
    ...text,
    status: MEMORY_STATUSES[rows.getUint8(at)] ?? 'archived',
    privacy: PRIVACY_LEVELS[rows.getUint8(at + 2)] ?? 'private',
    tier: TIERS[rows.getUint8(at + 3)] ?? 'cold',
    retention: RETENTIONS[rows.getUint8(at + 4)] ?? 'working',
    consolidationLevel: rows.getUint8(at + 5),
    outcome: OUTCOMES[rows.getUint8(at + 6)] ?? 'unknown',
    importance: float(0),
    strength: float(1),
    impactScore: float(2),
    help: { shown: count(2), used: count(3), contribution: float(3) },
    updated: iso(float(4)) ?? text.updated,
    lastUsed: iso(float(5)),
    lastDecayed: iso(float(6)),
    expires: iso(float(7)),
    meetings: rows.getUint32(at + 128),
    accessCount: count(0),
    candidateCount: count(1),
  }
}

/** A memory's id as its row keeps it. */
export function idOfRow(rows: DataView, row: number): MemoryId {
  const hex = Buffer.from(rows.buffer, rows.byteOffset + row * ROW_BYTES + 112, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as MemoryId
}

/**
 * The fields a row keeps; all others are in the text, and changing one of those means writing the memory anew. The status is
 * not among them, for an archived memory moves to a segment of its own.
 */
export const ROW_FIELDS: ReadonlySet<string> = new Set<keyof Memory>([
  'privacy',
  'tier',
  'retention',
  'consolidationLevel',
  'outcome',
  'importance',
  'meetings',
  'strength',
  'impactScore',
  'help',
  'updated',
  'lastUsed',
  'lastDecayed',
  'expires',
  'accessCount',
  'candidateCount',
])

const ms = (iso: string | undefined): number => (iso === undefined ? Number.NaN : Date.parse(iso))
const iso = (value: number): string | undefined => (Number.isNaN(value) ? undefined : isoTime(value))
