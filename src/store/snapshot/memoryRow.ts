// A memory's fields read from its row: enough to filter and rank it without reading its text.
//
// Rows have names as hashes. Names of the query (branch, role, task) are returned as they are, all others as `#` and
// the hash. Equal names stay equal, which is all that ranking needs. Only public memories are admitted by their row;
// for others the viewer is checked against the text.

import type { MemoryId } from '../../model/id.ts'
import {
  MEMORY_KINDS,
  MEMORY_STATUSES,
  type Memory,
  OUTCOMES,
  RETENTIONS,
  standsAlone,
  TIERS,
  TRUST_LEVELS,
} from '../../model/memory.ts'
import { flagsOfMemory, type RankableFields } from '../../model/memoryHead.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import { repairMemory } from '../../model/strength.ts'
import { hash32 } from '../../text/hash.ts'
import { isoTime } from '../../text/isoTime.ts'

export type MemoryRow = RankableFields &
  Pick<Memory, 'agentId' | 'created' | 'lastUsed' | 'lastDecayed' | 'expires' | 'questionOnly'> & {
    /** Answer types of its text: bits of text/answerTypes.ts. */
    readonly answerTypes: number
    /** `updated`, and the time from which strength decays, in milliseconds since 1970. */
    readonly updatedMs: number
    readonly decayStartMs: number
  }

export type NamesByHash = ReadonlyMap<number, string>

export const NO_NAMES: NamesByHash = new Map()

export const hashNames = (...names: readonly (string | undefined)[]): Map<number, string> =>
  new Map(names.flatMap((name) => (name === undefined ? [] : [[hashName(name), name]])))

export const readMemoryRow = (rows: DataView, row: number, names: NamesByHash): MemoryRow =>
  new LazyMemoryRow(rows, row, names)

/** Decodes a field when it is read: of most candidates only a few fields are needed. */
export class LazyMemoryRow implements MemoryRow {
  protected readonly rows: DataView
  protected readonly row: number
  /** The position of its first byte. */
  protected readonly at: number
  readonly #names: NamesByHash

  constructor(rows: DataView, row: number, names: NamesByHash) {
    this.rows = rows
    this.row = row
    this.at = row * ROW_BYTES
    this.#names = names
  }

  get id(): MemoryRow['id'] {
    return idOfRow(this.rows, this.row)
  }
  get status(): MemoryRow['status'] {
    return MEMORY_STATUSES[this.rows.getUint8(this.at)] ?? 'archived'
  }
  get kind(): MemoryRow['kind'] {
    return MEMORY_KINDS[this.rows.getUint8(this.at + 1)] ?? 'experience'
  }
  get privacy(): MemoryRow['privacy'] {
    return PRIVACY_LEVELS[this.rows.getUint8(this.at + 2)] ?? 'private'
  }
  get tier(): Memory['tier'] {
    return TIERS[this.rows.getUint8(this.at + 3)] ?? 'cold'
  }
  get retention(): MemoryRow['retention'] {
    return RETENTIONS[this.rows.getUint8(this.at + 4)] ?? 'working'
  }
  get consolidationLevel(): number {
    return this.rows.getUint8(this.at + 5)
  }
  get outcome(): MemoryRow['outcome'] {
    return OUTCOMES[this.rows.getUint8(this.at + 6)] ?? 'unknown'
  }
  get session(): MemoryRow['session'] {
    return this.#nameAt(8) as MemoryRow['session']
  }
  get role(): string {
    return this.#nameAt(12) ?? 'main'
  }
  /** Rows have agent ids in lower case. */
  get agentId(): string | undefined {
    return this.#nameAt(16)
  }
  get branch(): string | undefined {
    return this.#nameAt(132)
  }
  get taskId(): string | undefined {
    return this.#nameAt(136)
  }
  get importance(): number {
    return this.rows.getFloat64(this.at + 32)
  }
  get strength(): number {
    return this.rows.getFloat64(this.at + 40)
  }
  get help(): MemoryRow['help'] {
    const rows = this.rows
    const at = this.at
    return { shown: rows.getUint32(at + 104), used: rows.getUint32(at + 108), contribution: rows.getFloat64(at + 56) }
  }
  get created(): string {
    return this.#isoTimeAt(144) ?? this.updated
  }
  get answerTypes(): number {
    return answerTypesOfRow(this.rows, this.row)
  }
  get questionOnly(): true | undefined {
    return (this.rows.getUint8(this.at + 154) & QUESTION_ONLY) !== 0 || undefined
  }
  get isLearned(): boolean {
    return (textFlagsOfRow(this.rows, this.row) & LEARNED_FLAGS) === TEXT_FLAGS.knowledge
  }
  get updated(): string {
    return this.#isoTimeAt(64) ?? ''
  }
  get updatedMs(): number {
    return this.rows.getFloat64(this.at + 64)
  }
  get decayStartMs(): number {
    for (const offset of [80, 72, 144]) {
      const ms = this.rows.getFloat64(this.at + offset)
      if (!Number.isNaN(ms)) return ms
    }
    return this.updatedMs
  }
  get lastUsed(): string | undefined {
    return this.#isoTimeAt(72)
  }
  get lastDecayed(): string | undefined {
    return this.#isoTimeAt(80)
  }
  get expires(): string | undefined {
    return this.#isoTimeAt(88)
  }

  #nameAt(offset: number): string | undefined {
    const hash = this.rows.getUint32(this.at + offset)
    return hash === 0 ? undefined : (this.#names.get(hash) ?? `#${hash}`)
  }

  #isoTimeAt(offset: number): string | undefined {
    const ms = this.rows.getFloat64(this.at + offset)
    return Number.isNaN(ms) ? undefined : isoTime(ms)
  }
}

// A row has a memory's changing fields and what ranking needs: 160 bytes, big endian, one file per segment.
//
//   0-7       status kind privacy tier retention level outcome trust   one byte each: position in the list of values
//   8-19      session, role, agent (lower case)                   32-bit hashes: may exclude a memory, never admit it
//   20-31     text position (8 bytes), text length (4)            the JSON line in the segment's text file
//   32-63     importance, strength, impact, contribution          64-bit floats
//   64-95     updated, last used, last decayed, expires           64-bit floats: ms since 1970, NaN for none
//   96-111    accesses, candidates, shown, used                   32-bit counts
//   112-127   id                                                  128 bits
//   128-143   meetings, branch, task, rank                        count, hash, hash, position in order of creation
//   144-154   created (8 bytes), answer types (2), flags (1)      ms since 1970, bits of text/answerTypes.ts and below
//   155-159   flags of the text (1), checksum of the text (4)     CRC-32 of the line, 1 for 0
// A row overrides the text, which is written once. Rows of store version 1 ended before `created`, and rows of earlier
// versions have zeros in the last line.

export const ROW_BYTES = 160

/** Flags of a row. Earlier versions wrote none. */
const STANDS_ALONE = 1
const QUESTION_ONLY = 2

/** Flags of a text: what is in it. With `otherId` only the text has the memory's id, which is no UUID. */
export const TEXT_FLAGS = { knowledge: 1, ofPerson: 2, superseded: 4, otherId: 8, requested: 16 } as const
const LEARNED_FLAGS = TEXT_FLAGS.knowledge | TEXT_FLAGS.requested

/** Converts rows of store version 1, with no creation time and no answer types. Returns current rows unchanged. */
export function upgradeRows(rows: Buffer, rowBytes: number): Buffer {
  if (rowBytes !== ROW_BYTES_V1) return rows
  const count = Math.floor(rows.length / ROW_BYTES_V1)
  const upgraded = Buffer.alloc(count * ROW_BYTES)
  for (let row = 0; row < count; row++) {
    rows.copy(upgraded, row * ROW_BYTES, row * ROW_BYTES_V1, (row + 1) * ROW_BYTES_V1)
    upgraded.writeDoubleBE(Number.NaN, row * ROW_BYTES + ROW_BYTES_V1)
  }
  return upgraded
}

const ROW_BYTES_V1 = 144

/** The range of a memory's text, its checksum, and its answer types. They change only with the text. */
type RowTextRef = ReturnType<typeof textOfRow>

/** Writes a memory's row at byte 160 · `row`. */
export function encodeRow(
  rows: DataView,
  row: number,
  memory: Memory,
  text: RowTextRef & { readonly rank: number },
): void {
  const at = row * ROW_BYTES
  const { status, kind, privacy, tier, retention, consolidationLevel, outcome, trust } = memory
  const fixed = [MEMORY_STATUSES.indexOf(status), MEMORY_KINDS.indexOf(kind), PRIVACY_LEVELS.indexOf(privacy)]
  const kept = [TIERS.indexOf(tier), RETENTIONS.indexOf(retention), consolidationLevel]
  const bytes = [...fixed, ...kept, OUTCOMES.indexOf(outcome), TRUST_LEVELS.indexOf(trust)]
  bytes.forEach((byte, i) => rows.setUint8(at + i, byte))
  rows.setUint32(at + 8, hashName(memory.session))
  rows.setUint32(at + 12, hashName(memory.role))
  rows.setUint32(at + 16, hashName(memory.agentId?.toLowerCase()))
  const { importance, strength, impactScore, help, updated, lastUsed, lastDecayed, expires } = memory
  const times = [updated, lastUsed, lastDecayed, expires].map((time) => ms(time))
  const floats = [importance, strength, impactScore, help.contribution, ...times]
  floats.forEach((value, i) => rows.setFloat64(at + 32 + 8 * i, value))
  const counts = [memory.accessCount, memory.candidateCount, memory.help.shown, memory.help.used]
  counts.forEach((count, i) => rows.setUint32(at + 96 + 4 * i, count))
  rows.setUint32(at + 128, memory.meetings)
  rows.setUint32(at + 132, hashName(memory.branch))
  rows.setUint32(at + 136, hashName(memory.taskId))
  moveText(rows, row, text)
  rows.setFloat64(at + 144, ms(memory.created))
  rows.setUint16(at + 152, text.answerTypes)
  rows.setUint8(at + 154, (standsAlone(memory) ? STANDS_ALONE : 0) | (memory.questionOnly ? QUESTION_ONLY : 0))
  const id = memory.id.replaceAll('-', '')
  for (let i = 0; i < 4; i++) rows.setUint32(at + 112 + 4 * i, Number.parseInt(id.slice(8 * i, 8 * i + 8), 16))
  describeText(rows, row, memory, text.sum)
}

/** Writes the flags of a row's text and its checksum. */
export function describeText(rows: DataView, row: number, memory: Memory, sum: number): void {
  const { hasKnowledge, isOfPerson, isSuperseded, isRequested } = flagsOfMemory(memory)
  const flags = [
    hasKnowledge && TEXT_FLAGS.knowledge,
    isOfPerson && TEXT_FLAGS.ofPerson,
    isSuperseded && TEXT_FLAGS.superseded,
    isRequested && TEXT_FLAGS.requested,
    !/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(memory.id) && TEXT_FLAGS.otherId,
  ]
  const bits = flags.reduce<number>((all, flag) => all | (flag || 0), 0)
  rows.setUint8(row * ROW_BYTES + 155, bits)
  rows.setUint32(row * ROW_BYTES + 156, sum)
}

/** Writes where the text of a row is, what its checksum is, and the memory's position in the order of creation. */
export function moveText(
  rows: DataView,
  row: number,
  { at, bytes, sum, rank }: Pick<RowTextRef, 'at' | 'bytes' | 'sum'> & { readonly rank: number },
): void {
  rows.setFloat64(row * ROW_BYTES + 20, at)
  rows.setUint32(row * ROW_BYTES + 28, bytes)
  rows.setUint32(row * ROW_BYTES + 140, rank)
  rows.setUint32(row * ROW_BYTES + 156, sum)
}

/** A name's hash in a row; 0 for none. */
export const hashName = (name: string | undefined): number => (name === undefined ? 0 : hash32(name) || 1)

/** The range of the row's text, its checksum, and its answer types. */
export const textOfRow = (rows: DataView, row: number) => ({
  at: rows.getFloat64(row * ROW_BYTES + 20),
  bytes: rows.getUint32(row * ROW_BYTES + 28),
  sum: rows.getUint32(row * ROW_BYTES + 156),
  answerTypes: answerTypesOfRow(rows, row),
})

export const answerTypesOfRow = (rows: DataView, row: number): number => rows.getUint16(row * ROW_BYTES + 152)

export const rankOfRow = (rows: DataView, row: number): number => rows.getUint32(row * ROW_BYTES + 140)
export const sessionHashOfRow = (rows: DataView, row: number): number => rows.getUint32(row * ROW_BYTES + 8)
/** The hash of its session if what stands beside it there belongs to it; 0 if it stands alone. */
export const conversationOfRow = (rows: DataView, row: number): number =>
  (rows.getUint8(row * ROW_BYTES + 154) & STANDS_ALONE) !== 0 ? 0 : sessionHashOfRow(rows, row)
/** The flags of a row's text. Rows of earlier versions have none. */
export const textFlagsOfRow = (rows: DataView, row: number): number => rows.getUint8(row * ROW_BYTES + 155)

/** The current memory: its text, which the caller has just read, with the fields of its row. A copy would take as long. */
export const applyRow = (text: Memory, rows: DataView, row: number): Memory =>
  repairMemory(Object.assign(text, fieldsOfRow(rows, row, text.updated)))

function fieldsOfRow(rows: DataView, row: number, updated: string) {
  const at = row * ROW_BYTES
  const fields = new LazyMemoryRow(rows, row, NO_NAMES)
  return {
    status: fields.status,
    privacy: fields.privacy,
    tier: fields.tier,
    retention: fields.retention,
    consolidationLevel: fields.consolidationLevel,
    outcome: fields.outcome,
    importance: fields.importance,
    strength: fields.strength,
    impactScore: rows.getFloat64(at + 48),
    help: fields.help,
    updated: fields.updated || updated,
    lastUsed: fields.lastUsed,
    lastDecayed: fields.lastDecayed,
    expires: fields.expires,
    meetings: rows.getUint32(at + 128),
    accessCount: rows.getUint32(at + 96),
    candidateCount: rows.getUint32(at + 100),
  } satisfies Partial<Memory>
}

export function idOfRow(rows: DataView, row: number): MemoryId {
  const hex = Buffer.from(rows.buffer, rows.byteOffset + row * ROW_BYTES + 112, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as MemoryId
}

/** The first and the last 32 bits of the memory's id in one number: ids are random at one of these ends. */
export const idHashOfRow = (rows: DataView, row: number): number =>
  rows.getInt32(row * ROW_BYTES + 112) ^ rows.getInt32(row * ROW_BYTES + 124)

const ms = (iso: string | undefined): number => (iso === undefined ? Number.NaN : Date.parse(iso))

/**
 * The fields in rows. All others are in the text, and changing one of those writes the memory again. The status is not
 * listed, because an archived memory moves to another segment.
 */
export const ROW_FIELDS: ReadonlySet<string> = new Set(
  Object.keys(fieldsOfRow(new DataView(new ArrayBuffer(ROW_BYTES)), 0, '')).filter((name) => name !== 'status'),
)

// Rows of a large segment that have changed since its row file was written, so that a few changed memories do not write
// all rows again.
//
//   the numbers of the rows (4 bytes each, little endian), then these rows (160 bytes each), in the same order
//
// Nothing is decoded when it is opened: a hook looks up few rows.

const NUMBER_BYTES = 4

/** The bytes of a patch with these rows of a segment. */
export function encodePatch(rows: Buffer, changed: readonly number[]): Buffer {
  const numbers = Uint32Array.from(changed)
  const changedRows = changed.map((row) => rows.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES))
  return Buffer.concat([Buffer.from(numbers.buffer), ...changedRows])
}

export type RowPatch = ReturnType<typeof openPatch>

export function openPatch(bytes: Buffer) {
  const count = Math.floor(bytes.length / (NUMBER_BYTES + ROW_BYTES))
  const start = count * NUMBER_BYTES
  // Copied: the bytes may begin anywhere in a block of memory.
  const numbers = new Uint32Array(new Uint8Array(bytes.subarray(0, start)).buffer)
  const rows = bytes.subarray(start)
  return { numbers, rows, view: new DataView(rows.buffer, rows.byteOffset, rows.length) }
}
