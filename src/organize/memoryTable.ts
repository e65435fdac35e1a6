// Remembered: every memory of a store, with what organising asks of them at hand.
//
// A session's end is about a few hundred memories of perhaps a hundred thousand. Asking all of them each time would make a
// rebuild's cost grow with the square of the history, so what is asked for is kept in groups, brought up to date by each change.
// Law: every answer is the one that going through all memories gives.
import type { MemoryId } from '../model/id.ts'
import { isSubjectToDecay, type Memory, type MemoryKind } from '../model/memory.ts'
import { recurringCommand } from '../text/fixSteps.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { RecentByKind } from './recentByKind.ts'
import { SecondaryIndex } from './secondaryIndex.ts'
import type { MemoryMap } from './sessionSlice.ts'
import { TimerWheel } from './timerWheel.ts'

/** Characters of a memory's content that likeness goes by. */
const COMPARED_CHARS = 400

/** The memories of `known` as one can ask them: itself where it is so already. */
export const toMemoryTable = (known: MemoryMap): MemoryTable =>
  known instanceof MemoryTable ? known : new MemoryTable(known.values())

export class MemoryTable extends Map<MemoryId, Memory> {
  // Made at the first question: who only reads a store asks none.
  #latest: RecentByKind | undefined
  #groups: SecondaryIndex | undefined
  #agingSchedule: TimerWheel | undefined
  readonly #words = new WeakMap<Memory, ReadonlySet<string>>()

  constructor(memories: Iterable<Memory> = []) {
    super()
    for (const memory of memories) this.set(memory.id, memory)
  }

  override set(id: MemoryId, memory: Memory): this {
    const before = this.get(id)
    if (before === memory) return this
    this.#latest?.update(before, memory)
    this.#groups?.update(before, memory)
    this.#agingSchedule?.markChanged(id, true)
    return super.set(id, memory)
  }

  override delete(id: MemoryId): boolean {
    const before = this.get(id)
    this.#latest?.update(before, undefined)
    this.#groups?.update(before, undefined)
    this.#agingSchedule?.markChanged(id, false)
    return super.delete(id)
  }

  override clear(): void {
    super.clear()
    this.#latest = this.#groups = this.#agingSchedule = undefined
  }

  /** The latest of a kind by their time, at most this many, those in `except` left out. */
  listRecent(kind: MemoryKind, most: number, except: ReadonlySet<string>): Memory[] {
    this.#latest ??= new RecentByKind(this)
    return this.#latest.list(kind, most, except)
  }

  /** Active experiences and lessons about any of these files or errors. */
  findByFilesOrErrors(files: Iterable<string>, errors: Iterable<string>): Memory[] {
    const found = new Set<MemoryId>()
    for (const file of files) for (const id of this.#index().idsIn(`file ${file}`)) found.add(id)
    for (const error of errors) for (const id of this.#index().idsIn(`error ${error}`)) found.add(id)
    return this.#getAll([...found].sort())
  }

  /** Lessons that know what to run before this very command. */
  findLessonsForCommand(command: string): Memory[] {
    return this.#getAll([...this.#index().idsIn(`command ${command}`)].sort())
  }

  /** Experiences that count towards the cap. */
  listDecayingExperiences(): Memory[] {
    return this.#getAll(this.#index().idsIn('experiences'))
  }

  /** What is not open to everyone. */
  listNonPublic(): Memory[] {
    return this.#getAll([...this.#index().idsIn('hidden')].sort())
  }

  /** What is kept for as long as its session works. */
  listWorking(): Memory[] {
    return this.#getAll([...this.#index().idsIn('working')].sort())
  }

  /** Cold experiences of a month that its long summary is made of. */
  listRolledUp(month: string): Memory[] {
    return this.#getAll(this.#index().idsIn(`folded ${month}`))
  }

  /**
   * All that time may have changed at `now`, and perhaps others. `under` names the numbers it goes by. What turned out not to have
   * changed is put off by `unchangedUntil`.
   */
  listDueForAging(now: number, under: string): Memory[] {
    this.#agingSchedule ??= new TimerWheel()
    return this.#getAll(this.#agingSchedule.listDue(now, under, this))
  }

  /** A memory that is due is as it was, and will be until then. */
  postponeAging(id: MemoryId, until: number): void {
    this.#agingSchedule?.postpone(id, until)
  }

  /** The distinct terms of a memory's beginning. */
  contentTerms(memory: Memory): ReadonlySet<string> {
    const known = this.#words.get(memory)
    if (known) return known
    const words = new Set(extractTerms(memory.content.slice(0, COMPARED_CHARS)))
    this.#words.set(memory, words)
    return words
  }

  #index(): SecondaryIndex {
    this.#groups ??= new SecondaryIndex(groupsOf, this.values())
    return this.#groups
  }

  #getAll(ids: Iterable<MemoryId>): Memory[] {
    return Array.from(ids, (id) => this.get(id)!)
  }
}

/** A month is told to everyone, so only what everyone may see is folded into it, and nothing that was to be kept for a time only. */
export const isInMonthlyRollup = (memory: Memory): boolean =>
  isSubjectToDecay(memory) &&
  memory.status === 'archived' &&
  memory.tier === 'cold' &&
  memory.privacy === 'public' &&
  memory.retention === 'long_term'

export const createdMonth = (memory: Memory): string => memory.created.slice(0, 7)

function groupsOf(memory: Memory): string[] {
  const groups = memory.privacy === 'public' ? [] : ['hidden']
  if (memory.retention === 'working') groups.push('working')
  if (memory.status === 'archived')
    return isInMonthlyRollup(memory) ? [...groups, `folded ${createdMonth(memory)}`] : groups
  if (memory.kind !== 'experience' && memory.kind !== 'lesson') return groups
  for (const file of memory.files) groups.push(`file ${file}`)
  if (memory.errorSignature !== undefined) groups.push(`error ${memory.errorSignature}`)
  const command = memory.kind === 'lesson' ? recurringCommand(memory) : undefined
  if (command !== undefined) groups.push(`command ${command}`)
  if (isSubjectToDecay(memory) && !memory.archiveExempt) groups.push('experiences')
  return groups
}
