// All memories of a store, with the lookups that organizing needs.
//
// A session concerns a few hundred memories of perhaps a hundred thousand. Scanning all of them for each session would
// make the cost of a rebuild quadratic in the history, so each lookup has an index that every change updates. Rule:
// each lookup returns what a scan of all memories would return.
import type { MemoryId } from '../model/id.ts'
import { isSubjectToDecay, type Memory, type MemoryKind, type MemoryMap } from '../model/memory.ts'
import { isPrivate } from '../model/privacy.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** Characters of a memory's content that are compared for novelty. */
const COMPARED_CHARS = 400

/** `known` itself if it is a table, else a table of its memories. */
export const toMemoryTable = (known: MemoryMap): MemoryTable =>
  known instanceof MemoryTable ? known : new MemoryTable(known.values())

export class MemoryTable extends Map<MemoryId, Memory> {
  // Each index is built at its first lookup: a process that only reads a store needs none.
  #recent: RecentByKind | undefined
  #groups: SecondaryIndex | undefined
  #agingSchedule: TimerWheel | undefined
  readonly #terms = new WeakMap<Memory, ReadonlySet<string>>()

  constructor(memories: Iterable<Memory> = []) {
    super()
    for (const memory of memories) this.set(memory.id, memory)
  }

  override set(id: MemoryId, memory: Memory): this {
    const before = this.get(id)
    if (before === memory) return this
    this.#recent?.update(before, memory)
    this.#groups?.update(before, memory)
    this.#agingSchedule?.markChanged(id, true)
    return super.set(id, memory)
  }

  override delete(id: MemoryId): boolean {
    const before = this.get(id)
    this.#recent?.update(before, undefined)
    this.#groups?.update(before, undefined)
    this.#agingSchedule?.markChanged(id, false)
    return super.delete(id)
  }

  /** The latest of a kind by creation time, at most `limit`, without those in `except`. */
  listRecent(kind: MemoryKind, limit: number, except: ReadonlySet<string>): Memory[] {
    this.#recent ??= new RecentByKind(this)
    return this.#recent.list(kind, limit, except)
  }

  /** Active experiences and lessons about any of these files or errors, by id. */
  findByFilesOrErrors(files: Iterable<string>, errors: Iterable<string>): Memory[] {
    const found = new Set<MemoryId>()
    for (const file of files) for (const id of this.#index().idsIn(`file ${file}`)) found.add(id)
    for (const error of errors) for (const id of this.#index().idsIn(`error ${error}`)) found.add(id)
    return this.#getAll([...found].sort())
  }

  /** Experiences that count towards the limit on experiences. */
  listDecayingExperiences(): Memory[] {
    return this.#getAll(this.#index().idsIn('experiences'))
  }

  /** Memories that are not public, by id. */
  listNonPublic(): Memory[] {
    return this.#listGroup('hidden')
  }

  /** Entries of knowledge that have not been archived, by id. */
  listKnowledge(): Memory[] {
    return this.#listGroup('knowledge')
  }

  /** Active memories of a kind, without private ones, by id. */
  listActiveIds(kind: MemoryKind): readonly MemoryId[] {
    return this.#index().sortedIdsIn(`active ${kind}`)
  }

  /** Working memories: they are kept while their session lasts. By id. */
  listWorking(): Memory[] {
    return this.#listGroup('working')
  }

  /** The cold experiences in a month's rollup. */
  listRolledUp(month: string): Memory[] {
    return this.#getAll(this.#index().idsIn(`folded ${month}`))
  }

  /**
   * The memories that time may have changed at `now`. `policyKey` names the numbers of the policy that aging uses: all
   * are due again when it changes. Call `postponeAging` for those that turn out to be unchanged.
   */
  listDueForAging(now: number, policyKey: string): Memory[] {
    this.#agingSchedule ??= new TimerWheel()
    return this.#getAll(this.#agingSchedule.listDue(now, policyKey, this))
  }

  /** The memory does not change by time alone before `until`, in milliseconds since 1970. */
  postponeAging(id: MemoryId, until: number): void {
    this.#agingSchedule?.postpone(id, until)
  }

  /** When each memory of a kind was created, ISO, ascending. */
  listCreated(kind: MemoryKind): string[] {
    return [...this.values()].flatMap((memory) => (memory.kind === kind ? [memory.created] : [])).sort()
  }

  /** The distinct terms at the beginning of a memory's content. */
  contentTerms(memory: Memory): ReadonlySet<string> {
    let terms = this.#terms.get(memory)
    if (!terms) {
      terms = new Set(extractTerms(memory.content.slice(0, COMPARED_CHARS)))
      this.#terms.set(memory, terms)
    }
    return terms
  }

  #index(): SecondaryIndex {
    this.#groups ??= new SecondaryIndex(this.values())
    return this.#groups
  }

  #listGroup(group: string): Memory[] {
    return this.#getAll(this.#index().sortedIdsIn(group))
  }

  #getAll(ids: Iterable<MemoryId>): Memory[] {
    return Array.from(ids).flatMap((id) => this.get(id) ?? [])
  }
}

/** The ids of memories by the groups that they belong to. */
class SecondaryIndex {
  readonly #idsByGroup = new Map<string, Set<MemoryId>>()
  /** The groups that were asked for in order. To sort a large one for each session would be quadratic. */
  readonly #sorted = new Map<string, MemoryId[]>()

  constructor(memories: Iterable<Memory>) {
    for (const memory of memories) this.update(undefined, memory)
  }

  idsIn(group: string): ReadonlySet<MemoryId> {
    return this.#idsByGroup.get(group) ?? new Set()
  }

  sortedIdsIn(group: string): readonly MemoryId[] {
    let ids = this.#sorted.get(group)
    if (!ids) {
      ids = [...this.idsIn(group)].sort()
      this.#sorted.set(group, ids)
    }
    return ids
  }

  update(before: Memory | undefined, after: Memory | undefined): void {
    const oldGroups = before ? listGroups(before) : []
    const newGroups = after ? listGroups(after) : []
    if (before) for (const group of oldGroups) if (!newGroups.includes(group)) this.#remove(group, before.id)
    if (after) for (const group of newGroups) if (!oldGroups.includes(group)) this.#add(group, after.id)
  }

  #add(group: string, id: MemoryId): void {
    const ids = this.#idsByGroup.get(group)
    if (ids?.has(id)) return
    if (ids) ids.add(id)
    else this.#idsByGroup.set(group, new Set([id]))
    const sorted = this.#sorted.get(group)
    sorted?.splice(placeOf(id, sorted), 0, id)
  }

  #remove(group: string, id: MemoryId): void {
    const ids = this.#idsByGroup.get(group)
    if (!ids?.delete(id)) return
    const sorted = this.#sorted.get(group)
    sorted?.splice(placeOf(id, sorted), 1)
    if (ids.size === 0) this.#idsByGroup.delete(group)
  }
}

/** The place of a text in a sorted list, or where it belongs: as many are before it. */
export function placeOf(text: string, sorted: readonly string[]): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] as string) < text) from = middle + 1
    else to = middle
  }
  return from
}

/** Everyone sees a month's rollup, so it takes only public memories, and none that is kept for a limited time. */
export const isInMonthlyRollup = (memory: Memory): boolean =>
  isSubjectToDecay(memory) &&
  memory.status === 'archived' &&
  memory.tier === 'cold' &&
  memory.privacy === 'public' &&
  memory.retention === 'long_term'

/** `YYYY-MM` */
export const createdMonth = (memory: Memory): string => memory.created.slice(0, 7)

function listGroups(memory: Memory): string[] {
  const groups = memory.privacy === 'public' ? [] : ['hidden']
  if (memory.retention === 'working') groups.push('working')
  if (memory.status === 'archived')
    return isInMonthlyRollup(memory) ? [...groups, `folded ${createdMonth(memory)}`] : groups
  if (!isPrivate(memory)) groups.push(`active ${memory.kind}`)
  if (memory.knowledge) groups.push('knowledge')
  if (memory.kind !== 'experience' && memory.kind !== 'lesson') return groups
  for (const file of memory.files) groups.push(`file ${file}`)
  if (memory.errorSignature !== undefined) groups.push(`error ${memory.errorSignature}`)
  if (isSubjectToDecay(memory) && !memory.archiveExempt) groups.push('experiences')
  return groups
}

/** The memories of each kind, ascending by creation time and id. */
class RecentByKind {
  readonly #known: MemoryMap
  readonly #memories = new Map<MemoryKind, Memory[]>()

  constructor(known: MemoryMap) {
    this.#known = known
    for (const memory of [...known.values()].sort((a, b) => (isLater(a, b) ? 1 : -1))) this.#insert(memory)
  }

  /** At most `limit` of a kind, without those in `except`, latest first. */
  list(kind: MemoryKind, limit: number, except: ReadonlySet<string>): Memory[] {
    const memories = this.#memories.get(kind) ?? []
    const found: Memory[] = []
    for (let i = memories.length - 1; i >= 0 && found.length < limit; i--) {
      const { id } = memories[i] as Memory
      // Looked up again: a change that keeps kind and creation time does not reach this list.
      const memory = except.has(id) ? undefined : this.#known.get(id)
      if (memory) found.push(memory)
    }
    return found
  }

  /** Call this before the change is made. */
  update(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && before.kind === after.kind && before.created === after.created) return
    const memories = (before && this.#memories.get(before.kind)) ?? []
    const index = memories.findLastIndex(({ id }) => id === before?.id)
    if (index !== -1) memories.splice(index, 1)
    if (after) this.#insert(after)
  }

  /** New memories are mostly the latest. */
  #insert(memory: Memory): void {
    const memories = this.#memories.get(memory.kind) ?? []
    memories.splice(memories.findLastIndex((other) => !isLater(other, memory)) + 1, 0, memory)
    this.#memories.set(memory.kind, memories)
  }
}

const isLater = (a: Memory, b: Memory): boolean => a.created > b.created || (a.created === b.created && a.id > b.id)

// Timer wheel: when time may change a memory next, so that most memories are not checked each time.
//
//   set ──▶ unchecked ──unchanged──▶ postponed to an hour ──the hour comes──▶ checked again
//
// An unchanged memory stays so until the next time that matters for it, as long as the clock goes forward and the
// policy's numbers stay the same. Otherwise all memories are unchecked again.

const HOUR_MS = 3_600_000

class TimerWheel {
  #unchecked: Set<MemoryId> | undefined
  #policyKey = ''
  /** The latest time at which memories were checked. */
  #latest = Number.NEGATIVE_INFINITY
  readonly #byHour = new Map<number, Set<MemoryId>>()
  readonly #hours = new Map<MemoryId, number>()

  /** The unchecked memories, and those postponed to an hour that has come. */
  listDue(now: number, policyKey: string, known: MemoryMap): MemoryId[] {
    if (!this.#unchecked || policyKey !== this.#policyKey || now < this.#latest) {
      this.#unchecked = new Set(known.keys())
      this.#byHour.clear()
      this.#hours.clear()
    }
    this.#policyKey = policyKey
    this.#latest = now
    const ids = [...this.#unchecked]
    for (const [hour, due] of this.#byHour) if (hour * HOUR_MS <= now) ids.push(...due)
    return ids
  }

  /** Postpones to the hour of `until`, in milliseconds since 1970; infinity means never. */
  postpone(id: MemoryId, until: number): void {
    this.#remove(id)
    const hour = Math.floor(until / HOUR_MS)
    const due = this.#byHour.get(hour)
    if (due) due.add(id)
    else this.#byHour.set(hour, new Set([id]))
    this.#hours.set(id, hour)
  }

  /** The memory was set (`exists`) or deleted. */
  markChanged(id: MemoryId, exists: boolean): void {
    this.#remove(id)
    if (exists) this.#unchecked?.add(id)
  }

  #remove(id: MemoryId): void {
    this.#unchecked?.delete(id)
    const hour = this.#hours.get(id)
    if (hour === undefined) return
    this.#hours.delete(id)
    const due = this.#byHour.get(hour)
    due?.delete(id)
    if (due?.size === 0) this.#byHour.delete(hour)
  }
}
