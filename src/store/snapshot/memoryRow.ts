// A memory's fields read from its row: enough to filter and rank it without reading its text.
//
// Rows have names as hashes. Names of the query (branch, role, task) are returned as they are, all others as `#` and
// the hash. Equal names stay equal, which is all that ranking needs. Only public memories are admitted by their row;
// for others the viewer is checked against the text.
import {
  MEMORY_KINDS,
  MEMORY_STATUSES,
  type Memory,
  OUTCOMES,
  type RankableFields,
  RETENTIONS,
} from '../../model/memory.ts'
import { PRIVACY_LEVELS } from '../../model/privacy.ts'
import { isoTime } from '../../text/isoTime.ts'
import { answerTypesOfRow, hashName, idOfRow, questionOnlyOfRow, ROW_BYTES } from './rowFormat.ts'

export type MemoryRow = RankableFields &
  Pick<Memory, 'agentId' | 'created' | 'lastUsed' | 'lastDecayed' | 'expires' | 'questionOnly'> & {
    /** Answer types of its text: bits of text/answerTypes.ts. */
    readonly answerTypes: number
    /** `updated`, and the time from which strength decays, in milliseconds since 1970. */
    readonly updatedMs: number
    readonly decayStartMs: number
  }

/** Names by their hash. */
export type NamesByHash = ReadonlyMap<number, string>

export const hashNames = (...names: readonly (string | undefined)[]): Map<number, string> =>
  new Map(names.flatMap((name) => (name === undefined ? [] : [[hashName(name), name]])))

export const readMemoryRow = (rows: DataView, row: number, names: NamesByHash): MemoryRow =>
  new LazyMemoryRow(rows, row, names)

/** Decodes a field when it is read: of most candidates only a few fields are needed. */
class LazyMemoryRow implements MemoryRow {
  readonly #rows: DataView
  readonly #at: number
  readonly #names: NamesByHash

  constructor(rows: DataView, row: number, names: NamesByHash) {
    this.#rows = rows
    this.#at = row * ROW_BYTES
    this.#names = names
  }

  get id(): MemoryRow['id'] {
    return idOfRow(this.#rows, this.#at / ROW_BYTES)
  }
  get status(): MemoryRow['status'] {
    return MEMORY_STATUSES[this.#rows.getUint8(this.#at)] ?? 'archived'
  }
  get kind(): MemoryRow['kind'] {
    return MEMORY_KINDS[this.#rows.getUint8(this.#at + 1)] ?? 'experience'
  }
  get privacy(): MemoryRow['privacy'] {
    return PRIVACY_LEVELS[this.#rows.getUint8(this.#at + 2)] ?? 'private'
  }
  get retention(): MemoryRow['retention'] {
    return RETENTIONS[this.#rows.getUint8(this.#at + 4)] ?? 'working'
  }
  get consolidationLevel(): number {
    return this.#rows.getUint8(this.#at + 5)
  }
  get outcome(): MemoryRow['outcome'] {
    return OUTCOMES[this.#rows.getUint8(this.#at + 6)] ?? 'unknown'
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
    return this.#rows.getFloat64(this.#at + 32)
  }
  get strength(): number {
    return this.#rows.getFloat64(this.#at + 40)
  }
  get help(): MemoryRow['help'] {
    const rows = this.#rows
    const at = this.#at
    return { contribution: rows.getFloat64(at + 56), shown: rows.getUint32(at + 104), used: rows.getUint32(at + 108) }
  }
  get created(): string {
    return this.#isoTimeAt(144) ?? this.updated
  }
  get answerTypes(): number {
    return answerTypesOfRow(this.#rows, this.#at / ROW_BYTES)
  }
  get questionOnly(): true | undefined {
    return questionOnlyOfRow(this.#rows, this.#at / ROW_BYTES) || undefined
  }
  get updated(): string {
    return this.#isoTimeAt(64) ?? ''
  }
  get updatedMs(): number {
    return this.#rows.getFloat64(this.#at + 64)
  }
  get decayStartMs(): number {
    for (const offset of [80, 72, 144]) {
      const ms = this.#rows.getFloat64(this.#at + offset)
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
    const hash = this.#rows.getUint32(this.#at + offset)
    return hash === 0 ? undefined : (this.#names.get(hash) ?? `#${hash}`)
  }

  #isoTimeAt(offset: number): string | undefined {
    const ms = this.#rows.getFloat64(this.#at + offset)
    return Number.isNaN(ms) ? undefined : isoTime(ms)
  }
}
