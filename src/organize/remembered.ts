// Remembered: every memory of a store, with what organising asks of them at hand.
//
// A session's end is about a few hundred memories of perhaps a hundred thousand. Asking all of them each time would make a
// rebuild's cost grow with the square of the history, so what is asked for is kept in groups, brought up to date by each change.
// Law: every answer is the one that going through all memories gives.
import type { MemoryId } from '../model/id.ts'
import { fades, type Kind, type Memory } from '../model/memory.ts'
import { recurringCommand } from '../text/fixSteps.ts'
import { termsOf } from '../text/words.ts'
import { Due } from './due.ts'
import { Groups } from './groups.ts'
import { Latest } from './latest.ts'
import type { Known } from './part.ts'

/** Characters of a memory's content that likeness goes by. */
const COMPARED_CHARS = 400

/** The memories of `known` as one can ask them: itself where it is so already. */
export const rememberedIn = (known: Known): Remembered =>
  known instanceof Remembered ? known : new Remembered(known.values())

export class Remembered extends Map<MemoryId, Memory> {
  // Made at the first question: who only reads a store asks none.
  #latest: Latest | undefined
  #groups: Groups | undefined
  #due: Due | undefined
  readonly #words = new WeakMap<Memory, ReadonlySet<string>>()

  constructor(memories: Iterable<Memory> = []) {
    super()
    for (const memory of memories) this.set(memory.id, memory)
  }

  override set(id: MemoryId, memory: Memory): this {
    const before = this.get(id)
    if (before === memory) return this
    this.#latest?.changed(before, memory)
    this.#groups?.changed(before, memory)
    this.#due?.changed(id, true)
    return super.set(id, memory)
  }

  override delete(id: MemoryId): boolean {
    const before = this.get(id)
    this.#latest?.changed(before, undefined)
    this.#groups?.changed(before, undefined)
    this.#due?.changed(id, false)
    return super.delete(id)
  }

  override clear(): void {
    super.clear()
    this.#latest = this.#groups = this.#due = undefined
  }

  /** The latest of a kind by their time, at most this many, those in `except` left out. */
  latest(kind: Kind, most: number, except: ReadonlySet<string>): Memory[] {
    this.#latest ??= new Latest(this)
    return this.#latest.of(kind, most, except)
  }

  /** Active experiences and lessons about any of these files or errors. */
  touching(files: Iterable<string>, errors: Iterable<string>): Memory[] {
    const found = new Set<MemoryId>()
    for (const file of files) for (const id of this.#grouped().in(`file ${file}`)) found.add(id)
    for (const error of errors) for (const id of this.#grouped().in(`error ${error}`)) found.add(id)
    return this.#each([...found].sort())
  }

  /** Lessons that know what to run before this very command. */
  warningOf(command: string): Memory[] {
    return this.#each([...this.#grouped().in(`command ${command}`)].sort())
  }

  /** Experiences that count towards the cap. */
  experiences(): Memory[] {
    return this.#each(this.#grouped().in('experiences'))
  }

  /** What is not open to everyone. */
  hidden(): Memory[] {
    return this.#each([...this.#grouped().in('hidden')].sort())
  }

  /** What is kept for as long as its session works. */
  working(): Memory[] {
    return this.#each([...this.#grouped().in('working')].sort())
  }

  /** Cold experiences of a month that its long summary is made of. */
  folded(month: string): Memory[] {
    return this.#each(this.#grouped().in(`folded ${month}`))
  }

  /**
   * All that time may have changed at `now`, and perhaps others. `under` names the numbers it goes by. What turned out not to have
   * changed is put off by `unchangedUntil`.
   */
  due(now: number, under: string): Memory[] {
    this.#due ??= new Due()
    return this.#each(this.#due.at(now, under, this))
  }

  /** A memory that is due is as it was, and will be until then. */
  unchangedUntil(id: MemoryId, until: number): void {
    this.#due?.putOff(id, until)
  }

  /** The distinct terms of a memory's beginning. */
  words(memory: Memory): ReadonlySet<string> {
    const known = this.#words.get(memory)
    if (known) return known
    const words = new Set(termsOf(memory.content.slice(0, COMPARED_CHARS)))
    this.#words.set(memory, words)
    return words
  }

  #grouped(): Groups {
    this.#groups ??= new Groups(groupsOf, this.values())
    return this.#groups
  }

  #each(ids: Iterable<MemoryId>): Memory[] {
    return Array.from(ids, (id) => this.get(id)!)
  }
}

/** A month is told to everyone, so only what everyone may see is folded into it, and nothing that was to be kept for a time only. */
export const isFolded = (memory: Memory): boolean =>
  fades(memory) &&
  memory.status === 'archived' &&
  memory.tier === 'cold' &&
  memory.privacy === 'public' &&
  memory.retention === 'long_term'

export const monthOf = (memory: Memory): string => memory.created.slice(0, 7)

function groupsOf(memory: Memory): string[] {
  const groups = memory.privacy === 'public' ? [] : ['hidden']
  if (memory.retention === 'working') groups.push('working')
  if (memory.status === 'archived') return isFolded(memory) ? [...groups, `folded ${monthOf(memory)}`] : groups
  if (memory.kind !== 'experience' && memory.kind !== 'lesson') return groups
  for (const file of memory.files) groups.push(`file ${file}`)
  if (memory.errorSignature !== undefined) groups.push(`error ${memory.errorSignature}`)
  const command = memory.kind === 'lesson' ? recurringCommand(memory) : undefined
  if (command !== undefined) groups.push(`command ${command}`)
  if (fades(memory) && !memory.archiveExempt) groups.push('experiences')
  return groups
}
