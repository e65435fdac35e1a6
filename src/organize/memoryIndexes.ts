// The indexes of a table of memories: by group, by creation time, and by when time may change a memory next. Rule: each
// lookup returns what a scan of all memories would return.
import type { MemoryId } from '../model/id.ts'
import { isSubjectToDecay, type Memory } from '../model/memory.ts'
import { headOfMemory, type MemoryHead } from '../model/memoryHead.ts'
import { isoTime } from '../text/isoTime.ts'
import { errorTerm, fileTerm } from '../text/terms/extractTerms.ts'

/** The memories of a snapshot by place, each read when it is needed. */
export interface MemorySource {
  /** The place of a memory; undefined if it has none. */
  find(id: MemoryId): number | undefined
  /** All places, in the order in which the memories were made. */
  places(): Iterable<number> & { readonly length: number }
  headAt(place: number): MemoryHead
  /** A number by which places are in the order of `places`. */
  orderAt(place: number): number
  load(place: number, keeps?: boolean): Memory
  /** The memories that were read, by place. */
  listRead(): Iterable<readonly [place: number, memory: Memory]>
  /** Takes a memory as read that is the one on disk. */
  keep(memory: Memory): void
  /** Those with one of these terms in their texts or fields, or with this share of them, and maybe others. */
  findByTerms(terms: readonly string[], share?: number): readonly number[]
}

const NO_IDS: ReadonlySet<MemoryId> = new Set()

/** The ids of memories by the groups that they belong to. */
export class SecondaryIndex {
  readonly #idsByGroup = new Map<string, Set<MemoryId>>()
  /** The groups that were asked for in order. To sort a large one for each session would be quadratic. */
  readonly #sorted = new Map<string, MemoryId[]>()

  constructor(memories: Iterable<Memory>) {
    for (const memory of memories) this.update(undefined, memory)
  }

  idsIn(group: string): ReadonlySet<MemoryId> {
    return this.#idsByGroup.get(group) ?? NO_IDS
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
    const groups = after ? listGroups(after) : []
    if (before) for (const group of listGroups(before)) if (!groups.includes(group)) this.#remove(group, before.id)
    // Also to those that it was in before: a memory of a snapshot may not have been read into the index yet.
    if (after) for (const group of groups) this.#add(group, after.id)
  }

  #add(group: string, id: MemoryId): void {
    const ids = this.#idsByGroup.get(group)
    if (ids?.has(id)) return
    if (ids) ids.add(id)
    else this.#idsByGroup.set(group, new Set([id]))
    const sorted = this.#sorted.get(group)
    sorted?.splice(positionIn(sorted, id), 0, id)
  }

  #remove(group: string, id: MemoryId): void {
    const ids = this.#idsByGroup.get(group)
    if (!ids?.delete(id)) return
    const sorted = this.#sorted.get(group)
    sorted?.splice(positionIn(sorted, id), 1)
    if (ids.size === 0) this.#idsByGroup.delete(group)
  }
}

/** The position of a text in a sorted list, or where it belongs: as many are before it. */
export function positionIn(sorted: readonly string[], text: string): number {
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
  if (memory.errorSignature !== undefined) groups.push(`met ${memory.errorSignature}`)
  if (memory.status === 'archived')
    return isInMonthlyRollup(memory) ? [...groups, `folded ${createdMonth(memory)}`] : groups
  if (memory.knowledge) groups.push('knowledge')
  if (memory.kind !== 'experience' && memory.kind !== 'lesson') return groups
  for (const file of memory.files) groups.push(`file ${file}`)
  if (memory.errorSignature !== undefined) groups.push(`error ${memory.errorSignature}`)
  if (isSubjectToDecay(memory) && !memory.archiveExempt) groups.push('experiences')
  return groups
}

type CreatedMemory = Pick<MemoryHead, 'id' | 'createdMs'>

/** The memories of a kind, ascending by creation time and id. */
export class RecentMemories {
  readonly #memories: CreatedMemory[]

  constructor(memories: readonly CreatedMemory[]) {
    this.#memories = memories.map(createdOf).sort((a, b) => (isLater(a, b) ? 1 : -1))
  }

  /** At most `limit` ids, without those in `except`, latest first. */
  list(limit: number, except: ReadonlySet<string>): MemoryId[] {
    const found: MemoryId[] = []
    for (let i = this.#memories.length - 1; i >= 0 && found.length < limit; i--) {
      const { id } = this.#memories[i] as CreatedMemory
      if (!except.has(id)) found.push(id)
    }
    return found
  }

  /** Call this before the change is made. */
  update(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && before.kind === after.kind && before.created === after.created) return
    // A new memory is not in the list: to look for it would read the whole list.
    const index = before ? this.#memories.findLastIndex(({ id }) => id === before.id) : -1
    if (index !== -1) this.#memories.splice(index, 1)
    if (!after) return
    // New memories are mostly the latest.
    const created = createdOf(headOfMemory(after))
    this.#memories.splice(this.#memories.findLastIndex((other) => !isLater(other, created)) + 1, 0, created)
  }
}

const createdOf = ({ id, createdMs }: CreatedMemory): CreatedMemory => ({ id, createdMs })

const isLater = (a: CreatedMemory, b: CreatedMemory): boolean =>
  a.createdMs > b.createdMs || (a.createdMs === b.createdMs && a.id > b.id)

const HOUR_MS = 3_600_000

/** Until when a memory stays as it is, by its head, in milliseconds since 1970; any time before now if unknown. */
export type UnchangedUntil = (head: MemoryHead) => number

/**
 * When time may change each memory next, so that most memories are not checked each time. That holds as long as the
 * clock goes forward and the policy's numbers stay the same. Otherwise the heads say it again.
 */
export class AgingSchedule {
  /** Milliseconds since 1970: an hour that has begun for a memory that is due. */
  #dueAt: Map<MemoryId, number> | undefined
  #policyKey = ''
  /** The latest time at which memories were checked. */
  #latest = Number.NEGATIVE_INFINITY

  listDue(now: number, policyKey: string, heads: () => Iterable<MemoryHead>, until: UnchangedUntil): MemoryId[] {
    if (!this.#dueAt || policyKey !== this.#policyKey || now < this.#latest) {
      this.#dueAt = new Map()
      for (const head of heads()) this.postpone(head.id, until(head))
    }
    this.#policyKey = policyKey
    this.#latest = now
    const due: MemoryId[] = []
    for (const [id, at] of this.#dueAt) if (at <= now) due.push(id)
    return due
  }

  /** Postpones to the hour of `until`, in milliseconds since 1970; infinity means never. */
  postpone(id: MemoryId, until: number): void {
    this.#dueAt?.set(id, Math.floor(until / HOUR_MS) * HOUR_MS)
  }

  /** The memory was set (`exists`) or deleted. */
  markChanged(id: MemoryId, exists: boolean): void {
    if (exists) this.#dueAt?.set(id, Number.NEGATIVE_INFINITY)
    else this.#dueAt?.delete(id)
  }
}

/** The places of memories that may be in one of these groups. */
export function* findInSource(source: MemorySource, groups: readonly string[]): Generator<number> {
  const terms = groups.flatMap((group) => termOfGroup(group) ?? [])
  const isOfAnyStatus = groups.some((group) => group.startsWith('met '))
  if (terms.length > 0)
    for (const place of source.findByTerms(terms))
      if (isOfAnyStatus || source.headAt(place).status === 'active') yield place
  if (terms.length === groups.length) return
  for (const place of source.places()) {
    const head = source.headAt(place)
    if (groups.some((group) => mayBeIn(group, head))) yield place
  }
}

function termOfGroup(group: string): string | undefined {
  if (group.startsWith('file ')) return fileTerm(group.slice('file '.length))
  const [, error] = /^(?:error|met) (.*)$/s.exec(group) ?? []
  return error === undefined ? undefined : errorTerm(error)
}

/** A creation time may be written in another time zone, where another month begins. */
const TIME_ZONE_MS_MAX = 86_400_000

function mayBeIn(group: string, head: MemoryHead): boolean {
  const { kind, status, privacy, retention, tier, hasKnowledge, createdMs } = head
  if (group === 'hidden') return privacy !== 'public'
  if (group === 'working') return retention === 'working'
  if (group === 'knowledge') return hasKnowledge && status === 'active'
  if (group === 'experiences') return kind === 'experience' && status === 'active'
  const months = [createdMs - TIME_ZONE_MS_MAX, createdMs, createdMs + TIME_ZONE_MS_MAX].map(isoTime)
  return status === 'archived' && tier === 'cold' && months.some((time) => group === `folded ${time.slice(0, 7)}`)
}
