// What is known of the rows of a hub. Those of the snapshot are lines of a file, each read when it is used: an exchange
// uses a few of a hundred thousand.
//
//   team.<generation>.txt     <memory> [7,"active",…]\n     sorted by memory; the fields in the order of FIELDS
import { isMemoryId, type MemoryId } from '../../model/id.ts'
import type { RowState, TeamEntry } from '../../team/teamRow.ts'

/** What is known of a row of which only this is known. */
export const newEntry = (state: RowState): TeamEntry => ({
  revision: 0,
  state,
  successor: null,
  by: '',
  people: 1,
  copies: 1,
  seen: '',
  others: {},
  sent: {},
  own: false,
})

const FIELDS = [
  ...(['revision', 'state', 'successor', 'by', 'people', 'copies', 'seen', 'others', 'sent', 'own'] as const),
  ...(['waiting', 'pinned'] as const),
]
const LINE_END = 10

export class TeamEntries {
  #lines: Buffer
  /** What differs from the lines; undefined for what was deleted. */
  readonly #changed = new Map<MemoryId, TeamEntry | undefined>()

  constructor(entries: Iterable<readonly [MemoryId, TeamEntry]> = [], lines: Buffer = Buffer.alloc(0)) {
    this.#lines = lines
    for (const [id, entry] of entries) this.set(id, entry)
  }

  get isChanged(): boolean {
    return this.#changed.size > 0
  }

  get(id: MemoryId): TeamEntry | undefined {
    if (this.#changed.has(id)) return this.#changed.get(id)
    const { start, end, isFound } = this.#find(id)
    return isFound ? this.#read(start, end) : undefined
  }

  has(id: MemoryId): boolean {
    return this.#changed.has(id) ? this.#changed.get(id) !== undefined : this.#find(id).isFound
  }

  set(id: MemoryId, entry: TeamEntry): void {
    this.#changed.set(id, entry)
  }

  delete(id: MemoryId): void {
    this.#changed.set(id, undefined)
  }

  /** Each once, also if it is changed meanwhile. */
  *[Symbol.iterator](): Generator<readonly [MemoryId, TeamEntry]> {
    for (let start = 0, end = 0; start < this.#lines.length; start = end) {
      end = this.#lines.indexOf(LINE_END, start) + 1
      const id = this.#idAt(start)
      const entry = this.#changed.has(id) ? this.#changed.get(id) : this.#read(start, end)
      if (entry) yield [id, entry]
    }
    for (const [id, entry] of this.#changed) if (entry && !this.#find(id).isFound) yield [id, entry]
  }

  encode(): Buffer {
    const parts: Buffer[] = []
    let copied = 0
    for (const id of [...this.#changed.keys()].sort()) {
      const { start, end } = this.#find(id)
      const entry = this.#changed.get(id)
      parts.push(this.#lines.subarray(copied, start), entry && isMemoryId(id) ? encodeLine(id, entry) : Buffer.alloc(0))
      copied = end
    }
    return Buffer.concat([...parts, this.#lines.subarray(copied)])
  }

  /** From now on these lines are read: they have been written. */
  rebase(lines: Buffer): void {
    this.#lines = lines
    this.#changed.clear()
  }

  #idAt(start: number): MemoryId {
    return this.#lines.toString('latin1', start, start + ID_CHARS) as MemoryId
  }

  #read(start: number, end: number): TeamEntry {
    const values: unknown[] = JSON.parse(this.#lines.toString('utf8', start + ID_CHARS, end))
    const fields = FIELDS.map((name, i) => [name, values[i]] as const)
    return Object.fromEntries(fields.filter(([name, value]) => value !== null || name === 'successor')) as never
  }

  /** Its line, or an empty one where it would be. */
  #find(id: MemoryId): { readonly start: number; readonly end: number; readonly isFound: boolean } {
    let [from, to] = [0, this.#lines.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const start = middle === 0 ? 0 : this.#lines.lastIndexOf(LINE_END, middle - 1) + 1
      const end = this.#lines.indexOf(LINE_END, middle) + 1
      const other = this.#idAt(start)
      if (other === id) return { start, end, isFound: true }
      if (other < id) from = end
      else to = start
    }
    return { start: from, end: from, isFound: false }
  }
}

const ID_CHARS = 36

const encodeLine = (id: MemoryId, entry: TeamEntry): Buffer =>
  Buffer.from(`${id} ${JSON.stringify(FIELDS.map((name) => entry[name]))}\n`)
