// The words of a desk's memories: the view's index as it lies on disk, and small ones in memory over what is newer.
//
//   parts   disk │ disk │ tail │ tail │ …      a memory counts where it stands last: its older texts are dead
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { indexedTerms } from '../recall/terms.ts'
import { scores } from '../store/index/search.ts'
import { openSegment, type Segment } from '../store/index/segment.ts'
import { type IndexedDocument, writeSegment } from '../store/index/writer.ts'
import { inMemory } from '../store/memorySegment.ts'
import { queryTermsOf } from '../text/words.ts'
import type { Desk } from './desk.ts'
import type { Loaded } from './saveMemories.ts'

/** Tails are put together from so many on: each costs a question some microseconds, each putting together some milliseconds. */
const TAILS_MAX = 8

const BM25 = { k1: 1.2, b: 0.75 }

/** Nothing is left out: nobody waits for this as a session waits for a hook. */
const NO_LIMIT = { postingsMax: 4_000_000, touchedMax: 65_535 }

interface Part {
  readonly segment: Segment
  readonly docs: readonly MemoryId[]
  /** What of each was analysed, where it was just now. */
  readonly documents?: readonly IndexedDocument[]
}

export interface WordHit {
  readonly id: MemoryId
  /** BM25, from 0 up, without an upper limit. */
  readonly score: number
  /** The share of the question's words, weighed by their rarity, that it holds, 0 to 1. */
  readonly coverage: number
}

export interface DeskWords {
  /** Memories that have any word of the question, best first, at most `max`; only those that `alive` admits. */
  find(question: string, max: number, alive: (memory: Memory) => boolean): WordHit[]
}

export function deskWords(desk: Desk): DeskWords {
  let loaded: Loaded | undefined
  let parts: Part[] = []
  let where = new Map<MemoryId, { readonly part: Part; readonly doc: number }>()
  let known = new Map<MemoryId, Memory>()

  const begin = (): void => {
    for (const { segment } of parts) segment.close()
    loaded = desk.loaded
    parts = partsOnDisk(desk)
    where = new Map()
    known = new Map()
    for (const part of parts) part.docs.forEach((id, doc) => where.set(id, { part, doc }))
    for (const [id, { memory }] of loaded.places) if (where.has(id)) known.set(id, memory)
  }
  const add = (ids: readonly MemoryId[], documents: readonly IndexedDocument[]): void => {
    const part = { segment: inMemory(writeSegment(documents)), docs: ids, documents }
    parts.push(part)
    ids.forEach((id, doc) => where.set(id, { part, doc }))
  }
  const refresh = (memories: ReadonlyMap<MemoryId, Memory>): void => {
    if (loaded !== desk.loaded) begin()
    const fresh: Memory[] = []
    for (const memory of memories.values()) {
      const before = known.get(memory.id)
      if (before === memory) continue
      known.set(memory.id, memory)
      if ((!before || !sameWords(before, memory)) && memory.status === 'active') fresh.push(memory)
    }
    if (fresh.length === 0) return
    add(
      fresh.map((memory) => memory.id),
      fresh.map(indexedTerms),
    )
    const tails = parts.filter((part) => part.documents)
    if (tails.length <= TAILS_MAX) return
    const live = tails.flatMap((part) =>
      part.docs.flatMap((id, doc) => (where.get(id)!.part === part ? [{ id, document: part.documents![doc]! }] : [])),
    )
    parts = parts.filter((part) => !part.documents)
    add(
      live.map((one) => one.id),
      live.map((one) => one.document),
    )
  }

  return {
    find(question, max, alive) {
      const memories = desk.memories()
      refresh(memories)
      if (parts.length === 0) return []
      const query = [...queryTermsOf(question)].map(([term, weight]) => ({ term, weight, group: 0 }))
      const found = scores(
        parts.map((part) => part.segment),
        query,
        { ...BM25, ...NO_LIMIT },
      )
      // A word that stands once in a memory of average length adds its gain over k1 + 1.
      const greatest = found.greatestIn(0) / (BM25.k1 + 1)
      const best = found.best(max, (at, doc) => {
        const part = parts[at]!
        const id = part.docs[doc]!
        const memory = memories.get(id)
        return memory !== undefined && where.get(id)!.part === part && alive(memory)
      })
      return best.map(({ segment, doc, score }) => ({
        id: parts[segment]!.docs[doc]!,
        score,
        coverage: Math.min(1, score / greatest),
      }))
    },
  }
}

/** The view's own index. Where a newer view has taken its files away meanwhile, what stood in them is analysed anew. */
function partsOnDisk({ store, loaded }: Desk): Part[] {
  const docs = new Map(loaded.manifest.segments.map((entry) => [entry.name, new Array<MemoryId>(entry.memories)]))
  for (const { memory, segment, row } of loaded.places.values()) docs.get(segment)![row] = memory.id
  return loaded.manifest.segments.flatMap((entry) => {
    if (entry.archive) return []
    const segment = openSegment(store.files, `${store.layout.segments}/${entry.name}.idx`)
    return segment ? [{ segment, docs: docs.get(entry.name)! }] : []
  })
}

/** Whether two states of a memory have the same words for the index. */
function sameWords(before: Memory, after: Memory): boolean {
  return (
    before.status === after.status &&
    before.content === after.content &&
    before.commandShape === after.commandShape &&
    before.errorSignature === after.errorSignature &&
    before.branch === after.branch &&
    (['tags', 'lessons', 'files'] as const).every(
      (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
    )
  )
}
