// The memories of a live store, one document each, with what searches know of it already: its place in the index and its vector.
//
// A change of the log makes new documents only for the memories that changed; the others keep their place and their vector.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { MemoryRow } from '../../store/snapshot/memoryRow.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'

export interface CachedDoc {
  readonly memory: Memory
  /** Its place in the index: which part, which document of it. */
  indexed?: { readonly part: object; readonly doc: number } | undefined
  /** Its vector: which row of which block. */
  block?: object | undefined
  row?: number | undefined
  /** Its weighted terms, where no vector is used. */
  terms?: WeightedTerms | undefined
  /** Bits of text/facts.ts, once they have been asked for. */
  facts?: number | undefined
  /** What its row on disk would say, once it has been asked for. */
  rowView?: MemoryRow | undefined
}

/** A text's terms with their weights, and the length of all of them as a vector. */
export interface WeightedTerms {
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
}

export interface DocCache {
  /** One document for every memory there is now, in the order in which they were made; the same array as long as nothing changes. */
  all(): readonly CachedDoc[]
  /** Increases whenever the snapshot was loaded again: then no document knows anything yet. */
  readonly generation: number
}

export function createDocCache(liveStore: LiveStore): DocCache {
  let loaded: LoadedProjection | undefined
  let cursor = ''
  let docs: CachedDoc[] = []
  let generation = 0
  return {
    get generation() {
      return generation
    },
    all() {
      const memories = liveStore.memories()
      if (loaded !== liveStore.loaded) {
        loaded = liveStore.loaded
        docs = []
        generation++
      } else if (cursor === JSON.stringify(loaded.projection.cursor)) return docs
      cursor = JSON.stringify(loaded.projection.cursor)
      docs = updateDocs(docs, memories)
      return docs
    },
  }
}

function updateDocs(before: readonly CachedDoc[], memories: ReadonlyMap<MemoryId, Memory>): CachedDoc[] {
  const docs: CachedDoc[] = []
  let byId: Map<MemoryId, CachedDoc> | undefined
  let shift = 0
  for (const memory of memories.values()) {
    // Nearly always the same memory in the same place, but for those that were deleted before it.
    let known = before[docs.length + shift]
    while (known && known.memory.id !== memory.id && !memories.has(known.memory.id)) {
      known = before[docs.length + ++shift]
    }
    if (known && known.memory.id !== memory.id) {
      byId ??= new Map(before.map((doc) => [doc.memory.id, doc]))
      known = byId.get(memory.id)
    }
    docs.push(known ? docFor(memory, known) : { memory })
  }
  return docs
}

function docFor(memory: Memory, before: CachedDoc): CachedDoc {
  if (before.memory === memory) return before
  if (!hasSameText(before.memory, memory)) return { memory }
  return { ...before, memory, rowView: undefined }
}

/** Whether two states of a memory have the same words for the index, and the same text to embed. */
export function hasSameText(before: Memory, after: Memory): boolean {
  return (
    before.content === after.content &&
    before.commandShape === after.commandShape &&
    before.errorSignature === after.errorSignature &&
    before.branch === after.branch &&
    (['tags', 'lessons', 'files'] as const).every(
      (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
    )
  )
}
