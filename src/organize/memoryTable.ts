// All memories of a store, with the lookups that organizing needs.
//
// A session concerns a few hundred memories of perhaps a hundred thousand. Scanning all of them for each session would
// make the cost of a rebuild quadratic in the history, so each lookup has an index that every change updates. Rule:
// each lookup returns what a scan of all memories would return.
import type { MemoryId } from '../model/id.ts'
import type { Memory, MemoryKind, MemoryMap } from '../model/memory.ts'
import { headOfMemory, type MemoryHead } from '../model/memoryHead.ts'
import { isPrivate } from '../model/privacy.ts'
import { isoTime } from '../text/isoTime.ts'
import { fileNameTerm } from '../text/terms/extractTerms.ts'
import {
  AgingSchedule,
  findInSource,
  type MemorySource,
  positionIn,
  RecentMemories,
  SecondaryIndex,
  type UnchangedUntil,
} from './memoryIndexes.ts'

/** `known` itself if it is a table, else a table of its memories. */
export const toMemoryTable = (known: MemoryMap): MemoryTable =>
  known instanceof MemoryTable ? known : new MemoryTable(known.values())

const NO_SOURCE: MemorySource = {
  find: () => undefined,
  places: () => [],
  headAt: (place) => NO_SOURCE.load(place) as never,
  orderAt: (place) => place,
  load(place) {
    throw new RangeError(`There is no place ${place}`)
  },
  listRead: () => [],
  keep: () => {},
  findByTerms: () => [],
}

/** A memory of a table, for a snapshot of it. */
export interface TableItem {
  /** Where the snapshot before has it; undefined for a new one. */
  readonly place: number | undefined
  /** Undefined if it is as it was there. */
  readonly memory: Memory | undefined
}

export class MemoryTable extends Map<MemoryId, Memory> {
  // Each index is built at its first lookup: a process that only reads a store needs none.
  readonly #recent = new Map<MemoryKind, RecentMemories>()
  #groups: SecondaryIndex | undefined
  readonly #active = new Map<MemoryKind, MemoryId[]>()
  #agingSchedule: AgingSchedule | undefined

  // Memories of the source, those that replace one of them, and those that were deleted. All others are in the map.
  #source = NO_SOURCE
  /** As long as nothing changes: several steps of a command look at all heads. */
  #heads: readonly MemoryHead[] | undefined
  readonly #replaced = new Map<number, Memory>()
  readonly #deleted = new Set<number>()
  /** Groups of the index that have the memories of the source. */
  readonly #completeGroups = new Set<string>()

  constructor(memories: Iterable<Memory> = []) {
    super()
    for (const memory of memories) this.set(memory.id, memory)
  }

  /** A table of the memories of a source. Only those that are used are read. */
  static of(source: MemorySource): MemoryTable {
    const table = new MemoryTable()
    table.#source = source
    return table
  }

  /** Says that `source` has all memories of this table as they are now. It holds those that were read if it `keeps`. */
  rebase(source: MemorySource, keeps = true): void {
    if (keeps) {
      for (const [place, memory] of this.#source.listRead()) if (this.#isAsStored(place)) source.keep(memory)
      for (const memory of [...this.#replaced.values(), ...super.values()]) source.keep(memory)
    }
    super.clear()
    this.#replaced.clear()
    this.#deleted.clear()
    this.#source = source
    this.#heads = undefined
  }

  /** A table with these memories replaced or added; this one stays as it is. */
  with(memories: ReadonlyMap<MemoryId, Memory>): MemoryTable {
    const table = MemoryTable.of(this.#source)
    for (const [place, memory] of this.#replaced) table.#replaced.set(place, memory)
    for (const place of this.#deleted) table.#deleted.add(place)
    for (const memory of [...super.values(), ...memories.values()]) table.set(memory.id, memory)
    return table
  }

  override get size(): number {
    return this.#source.places().length - this.#deleted.size + super.size
  }

  override has(id: MemoryId): boolean {
    return this.#placeOf(id) !== undefined || super.has(id)
  }

  override get(id: MemoryId): Memory | undefined {
    const place = this.#placeOf(id)
    return place === undefined ? super.get(id) : this.#at(place)
  }

  override set(id: MemoryId, memory: Memory): this {
    const before = this.get(id)
    if (before === memory) return this
    this.#heads = undefined
    this.#recent.get(memory.kind)?.update(before, memory)
    if (before && before.kind !== memory.kind) this.#recent.get(before.kind)?.update(before, undefined)
    this.#groups?.update(before, memory)
    this.#updateActive(before, memory)
    this.#agingSchedule?.markChanged(id, true)
    const place = this.#placeOf(id)
    if (place === undefined) return super.set(id, memory)
    this.#replaced.set(place, memory)
    return this
  }

  override delete(id: MemoryId): boolean {
    const before = this.get(id)
    if (!before) return false
    this.#heads = undefined
    this.#recent.get(before.kind)?.update(before, undefined)
    this.#groups?.update(before, undefined)
    this.#updateActive(before, undefined)
    this.#agingSchedule?.markChanged(id, false)
    const place = this.#placeOf(id)
    if (place === undefined) return super.delete(id)
    this.#replaced.delete(place)
    this.#deleted.add(place)
    return true
  }

  override *entries(): MapIterator<[MemoryId, Memory]> {
    for (const memory of this.values()) yield [memory.id, memory]
  }

  override *values(): MapIterator<Memory> {
    for (const place of this.#source.places()) if (!this.#deleted.has(place)) yield this.#at(place)
    yield* super.values()
  }

  override *keys(): MapIterator<MemoryId> {
    for (const { id } of this.heads()) yield id
  }

  override [Symbol.iterator](): MapIterator<[MemoryId, Memory]> {
    return this.entries()
  }

  override forEach(visit: (memory: Memory, id: MemoryId, table: Map<MemoryId, Memory>) => void): void {
    for (const [id, memory] of this) visit(memory, id, this)
  }

  /** The head of every memory, in the order of creation. Reads no texts. */
  heads(): readonly MemoryHead[] {
    if (this.#heads) return this.#heads
    const heads: MemoryHead[] = []
    for (const place of this.#source.places()) {
      if (this.#deleted.has(place)) continue
      const memory = this.#replaced.get(place)
      heads.push(memory ? headOfMemory(memory) : this.#source.headAt(place))
    }
    for (const memory of super.values()) heads.push(headOfMemory(memory))
    this.#heads = heads
    return heads
  }

  /** The memories for which `isWanted` says so, in the order of creation. Only these are read. */
  select(isWanted: (head: MemoryHead) => boolean): Memory[] {
    return this.heads().flatMap((head) => (isWanted(head) ? head.load() : []))
  }

  /** Every memory, in the order of creation, with its place in the source. */
  *items(): Generator<TableItem> {
    for (const place of this.#source.places()) {
      if (!this.#deleted.has(place)) yield { place, memory: this.#replaced.get(place) }
    }
    for (const memory of super.values()) yield { place: this.#source.find(memory.id), memory }
  }

  /** The same, only what differs from the source. */
  changes(): { readonly place: number | undefined; readonly memory: Memory }[] {
    const replaced = Array.from(this.#replaced, ([place, memory]) => ({
      place,
      memory,
      order: this.#source.orderAt(place),
    }))
    const added = Array.from(super.values(), (memory) => ({ place: this.#source.find(memory.id), memory }))
    return [...replaced.sort((a, b) => a.order - b.order), ...added]
  }

  /** How many memories differ from the source. */
  get changed(): number {
    return this.#replaced.size + super.size
  }

  listDeleted(): number[] {
    return [...this.#deleted].filter((place) => !super.has(this.#source.headAt(place).id))
  }

  /** The latest of a kind by creation time, at most `limit`, without those in `except`. */
  listRecent(kind: MemoryKind, limit: number, except: ReadonlySet<string>): Memory[] {
    let recent = this.#recent.get(kind)
    if (!recent) {
      recent = new RecentMemories(this.heads().filter((head) => head.kind === kind))
      this.#recent.set(kind, recent)
    }
    return this.#getAll(recent.list(limit, except))
  }

  /** Active experiences and lessons about any of these files or errors, by id. */
  findByFilesOrErrors(files: Iterable<string>, errors: Iterable<string>): Memory[] {
    const groups = [...Array.from(files, (file) => `file ${file}`), ...Array.from(errors, (error) => `error ${error}`)]
    const index = this.#index(groups)
    return this.#getAll([...new Set(groups.flatMap((group) => [...index.idsIn(group)]))].sort())
  }

  /** Those of these error signatures that a memory has, whatever its kind and status. */
  findMetErrors(errors: ReadonlySet<string>): ReadonlySet<string> {
    if (errors.size === 0) return errors
    const index = this.#index(Array.from(errors, (error) => `met ${error}`))
    return new Set([...errors].filter((error) => index.idsIn(`met ${error}`).size > 0))
  }

  /** Memories about files of this name, whatever their folders. Of stored ones only those that `isWanted` are read. */
  findByFileName(name: string, isWanted: (head: MemoryHead) => boolean = () => true): Memory[] {
    const term = fileNameTerm(name)
    const isOfName = ({ files }: Memory): boolean => files.some((file) => fileNameTerm(file) === term)
    return this.findByTerms([term], 1, isWanted).filter(isOfName)
  }

  /** Stored memories with this share of the terms, and all that are not stored; only those that `isWanted` are read. */
  findByTerms(terms: readonly string[], share: number, isWanted: (head: MemoryHead) => boolean): Memory[] {
    const places = this.#source.findByTerms(terms, share)
    const read = places.filter((place) => this.#isAsStored(place) && isWanted(this.#source.headAt(place)))
    const others = [...this.#replaced.values(), ...super.values()].filter((memory) => isWanted(headOfMemory(memory)))
    return [...read.map((place) => this.#at(place)), ...others]
  }

  /** Experiences that count towards the limit on experiences. */
  listDecayingExperiences(): Memory[] {
    return this.#getAll(this.#index(['experiences']).idsIn('experiences'))
  }

  /** By id: what is not public, knowledge that is not archived, or what is kept while its session lasts. */
  listGroup(group: 'hidden' | 'knowledge' | 'working'): Memory[] {
    return this.#getAll(this.#index([group]).sortedIdsIn(group))
  }

  /** Active memories of a kind, without private ones, by id. */
  listActiveIds(kind: MemoryKind): readonly MemoryId[] {
    let ids = this.#active.get(kind)
    if (!ids) {
      const active = this.heads().filter((head) => head.kind === kind && isActiveForAll(head))
      ids = active.map(({ id }) => id).sort()
      this.#active.set(kind, ids)
    }
    return ids
  }

  /** To sort a long list again for each session would be quadratic. */
  #updateActive(before: Memory | undefined, after: Memory | undefined): void {
    const [from, to] = [before, after].map((memory) => (memory && isActiveForAll(memory) ? memory : undefined))
    if (from?.kind === to?.kind) return
    const [left, joined] = [from && this.#active.get(from.kind), to && this.#active.get(to.kind)]
    if (from && left) left.splice(positionIn(left, from.id), 1)
    if (to && joined) joined.splice(positionIn(joined, to.id), 0, to.id)
  }

  /** The cold experiences in a month's rollup. */
  listRolledUp(month: string): Memory[] {
    return this.#getAll(this.#index([`folded ${month}`]).idsIn(`folded ${month}`))
  }

  /**
   * The memories that time may have changed at `now`. `policyKey` names the numbers of the policy that aging uses: all
   * are due again when it changes, but those that `unchangedUntil` keeps by their heads. Call `postponeAging` for those
   * that turn out to be unchanged.
   */
  listDueForAging(now: number, policyKey: string, unchangedUntil: UnchangedUntil): Memory[] {
    this.#agingSchedule ??= new AgingSchedule()
    return this.#getAll(this.#agingSchedule.listDue(now, policyKey, () => this.heads(), unchangedUntil))
  }

  /** The memory does not change by time alone before `until`, in milliseconds since 1970. */
  postponeAging(id: MemoryId, until: number): void {
    this.#agingSchedule?.postpone(id, until)
  }

  /** When each memory of a kind was created, ISO, ascending. */
  listCreated(kind: MemoryKind): string[] {
    return this.heads()
      .flatMap((head) => (head.kind === kind ? [isoTime(head.createdMs)] : []))
      .sort()
  }

  /** The index, with all memories of these groups. */
  #index(groups: readonly string[]): SecondaryIndex {
    this.#groups ??= new SecondaryIndex([...this.#replaced.values(), ...super.values()])
    const missing = groups.filter((group) => !this.#completeGroups.has(group))
    for (const place of findInSource(this.#source, missing)) {
      if (this.#isAsStored(place)) this.#groups.update(undefined, this.#source.load(place))
    }
    for (const group of missing) this.#completeGroups.add(group)
    return this.#groups
  }

  #getAll(ids: Iterable<MemoryId>): Memory[] {
    return Array.from(ids).flatMap((id) => this.get(id) ?? [])
  }

  /** The place of a memory of the source that is neither deleted nor a new one since. */
  #placeOf(id: MemoryId): number | undefined {
    const place = this.#source.find(id)
    return place === undefined || this.#deleted.has(place) ? undefined : place
  }

  #isAsStored(place: number): boolean {
    return !this.#deleted.has(place) && !this.#replaced.has(place)
  }

  #at(place: number): Memory {
    return this.#replaced.get(place) ?? this.#source.load(place)
  }
}

const isActiveForAll = ({ status, privacy }: Pick<MemoryHead, 'status' | 'privacy'>): boolean =>
  status === 'active' && !isPrivate({ privacy })
