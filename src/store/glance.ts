// Glance: what a row alone says of a memory, enough to admit and rank it without reading its text.
//
// Names stand in a row as hashes. Those the question knows (its branch, its role, its task) are given back as they are, all
// others as `#` and the hash: equal names stay equal, and that is all ranking asks. What is not public is never admitted by
// a glance: its reader is checked against the text.
import type { Memory, Standing } from '../model/memory.ts'
import { KINDS, OUTCOMES, RETENTIONS, STATUSES } from '../model/memory.ts'
import { PRIVACIES } from '../model/privacy.ts'
import { isoTime } from '../text/iso.ts'
import { factsOfRow, idOfRow, nameHash, ROW_BYTES } from './row.ts'

export type Glance = Standing &
  Pick<Memory, 'created' | 'lastUsed' | 'lastDecayed' | 'expires'> & {
    /** What kinds of things its text says: bits of text/facts.ts. */
    readonly facts: number
    /** `updated`, and the time its strength has faded from, in milliseconds since 1970. */
    readonly updatedMs: number
    readonly decaysFromMs: number
  }

/** Names by their hash. */
export type Names = ReadonlyMap<number, string>

export const namesOf = (...names: readonly (string | undefined)[]): Names =>
  new Map(names.flatMap((name) => (name === undefined ? [] : [[nameHash(name), name]])))

export const glanceAt = (rows: DataView, row: number, names: Names): Glance => new RowGlance(rows, row, names)

/** Reads a field when it is asked for: of fifty candidates most are admitted, found to say nothing, and left. */
class RowGlance implements Glance {
  readonly #rows: DataView
  readonly #at: number
  readonly #names: Names

  constructor(rows: DataView, row: number, names: Names) {
    this.#rows = rows
    this.#at = row * ROW_BYTES
    this.#names = names
  }

  get id(): Glance['id'] {
    return idOfRow(this.#rows, this.#at / ROW_BYTES)
  }
  get status(): Glance['status'] {
    return STATUSES[this.#rows.getUint8(this.#at)] ?? 'archived'
  }
  get kind(): Glance['kind'] {
    return KINDS[this.#rows.getUint8(this.#at + 1)] ?? 'experience'
  }
  get privacy(): Glance['privacy'] {
    return PRIVACIES[this.#rows.getUint8(this.#at + 2)] ?? 'private'
  }
  get retention(): Glance['retention'] {
    return RETENTIONS[this.#rows.getUint8(this.#at + 4)] ?? 'working'
  }
  get consolidationLevel(): number {
    return this.#rows.getUint8(this.#at + 5)
  }
  get outcome(): Glance['outcome'] {
    return OUTCOMES[this.#rows.getUint8(this.#at + 6)] ?? 'unknown'
  }
  get session(): Glance['session'] {
    return this.#named(8) as Glance['session']
  }
  get role(): string {
    return this.#named(12) ?? 'main'
  }
  get branch(): string | undefined {
    return this.#named(132)
  }
  get taskId(): string | undefined {
    return this.#named(136)
  }
  get importance(): number {
    return this.#rows.getFloat64(this.#at + 32)
  }
  get strength(): number {
    return this.#rows.getFloat64(this.#at + 40)
  }
  get help(): Glance['help'] {
    const [rows, at] = [this.#rows, this.#at]
    return { contribution: rows.getFloat64(at + 56), shown: rows.getUint32(at + 104), used: rows.getUint32(at + 108) }
  }
  get created(): string {
    return this.#iso(144) ?? this.updated
  }
  get facts(): number {
    return factsOfRow(this.#rows, this.#at / ROW_BYTES)
  }
  get updated(): string {
    return this.#iso(64) ?? ''
  }
  get updatedMs(): number {
    return this.#rows.getFloat64(this.#at + 64)
  }
  get decaysFromMs(): number {
    const [rows, at] = [this.#rows, this.#at]
    for (const offset of [80, 72, 144]) {
      const ms = rows.getFloat64(at + offset)
      if (!Number.isNaN(ms)) return ms
    }
    return this.updatedMs
  }
  get lastUsed(): string | undefined {
    return this.#iso(72)
  }
  get lastDecayed(): string | undefined {
    return this.#iso(80)
  }
  get expires(): string | undefined {
    return this.#iso(88)
  }

  #named(offset: number): string | undefined {
    const hash = this.#rows.getUint32(this.#at + offset)
    return hash === 0 ? undefined : (this.#names.get(hash) ?? `#${hash}`)
  }

  #iso(offset: number): string | undefined {
    const ms = this.#rows.getFloat64(this.#at + offset)
    return Number.isNaN(ms) ? undefined : isoTime(ms)
  }
}
