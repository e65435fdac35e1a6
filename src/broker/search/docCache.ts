// The memories of a live store as documents, each with what searches have computed for it: its position in the index,
// its vector, its row. A change of the log makes new documents only for the memories that changed.
import type { MemoryId } from '../../model/id.ts'
import { runToEnd, type Steps } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import type { MemoryRow } from '../../store/snapshot/memoryRow.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'

export interface CachedDoc {
  readonly memory: Memory
  /** Its position in the index: the part, and the document in it. */
  indexed: { readonly part: object; readonly doc: number } | undefined
  /** Its vector: the block, and the row in it. */
  block: object | undefined
  row: number | undefined
  /** Hash of the text that is embedded. */
  textKey: string | undefined
  /** Its weighted terms, if no vectors are used. */
  terms: WeightedTerms | undefined
  /** Bits of text/answerTypes.ts. */
  answerTypes: number | undefined
  /** What its row in a snapshot would contain. */
  rowView: MemoryRow | undefined
}

/** A text's terms with their weights, and the length of the vector that they form. */
export interface WeightedTerms {
  readonly weights: ReadonlyMap<string, number>
  readonly length: number
}

/** A document with nothing computed yet. It has all fields from the start: objects of one shape are read faster. */
export const createDoc = (memory: Memory): CachedDoc => ({
  memory,
  indexed: undefined,
  block: undefined,
  row: undefined,
  textKey: undefined,
  terms: undefined,
  answerTypes: undefined,
  rowView: undefined,
})

/** Documents that are updated in one step. */
const STEP_DOCUMENTS = 64

export class DocCache {
  readonly #liveStore: LiveStore
  #loaded: LoadedProjection | undefined
  #cursor = ''
  #docs: CachedDoc[] = []
  #generation = 0

  constructor(liveStore: LiveStore) {
    this.#liveStore = liveStore
  }

  /** Increases when the snapshot was loaded again: then nothing is computed for any document. */
  get generation(): number {
    return this.#generation
  }

  /** One document for each memory, in the order in which they were made; the same array as long as nothing changes. */
  all(): readonly CachedDoc[] {
    return runToEnd(this.allInSteps())
  }

  /** The same in steps. */
  *allInSteps(): Steps<readonly CachedDoc[]> {
    const memories = this.#liveStore.memories()
    const { loaded } = this.#liveStore
    const cursor = JSON.stringify(loaded.projection.cursor)
    if (this.#loaded !== loaded) {
      this.#loaded = loaded
      this.#docs = []
      this.#generation++
    } else if (this.#cursor === cursor) return this.#docs
    const docs = yield* updateDocs(this.#docs, memories)
    // Unless the snapshot was loaded again meanwhile.
    if (this.#loaded === loaded) {
      this.#cursor = cursor
      this.#docs = docs
    }
    return docs
  }
}

function* updateDocs(before: readonly CachedDoc[], memories: ReadonlyMap<MemoryId, Memory>): Steps<CachedDoc[]> {
  const docs: CachedDoc[] = []
  let byId: Map<MemoryId, CachedDoc> | undefined
  let shift = 0
  for (const memory of [...memories.values()]) {
    // Nearly always the same memory at the same position, shifted by the deleted ones before it.
    let known = before[docs.length + shift]
    while (known && known.memory.id !== memory.id && !memories.has(known.memory.id)) {
      known = before[docs.length + ++shift]
    }
    if (known && known.memory.id !== memory.id) {
      byId ??= new Map(before.map((doc) => [doc.memory.id, doc]))
      known = byId.get(memory.id)
    }
    docs.push(known ? updateDoc(known, memory) : createDoc(memory))
    if (docs.length % STEP_DOCUMENTS === 0) yield
  }
  return docs
}

function updateDoc(before: CachedDoc, memory: Memory): CachedDoc {
  if (before.memory === memory) return before
  return hasSameText(before.memory, memory) ? { ...before, memory, rowView: undefined } : createDoc(memory)
}

/** Whether two versions of a memory have the same words for the index, and the same text to embed. */
export function hasSameText(before: Memory, after: Memory): boolean {
  return (
    before.content === after.content &&
    before.searchText === after.searchText &&
    before.commandShape === after.commandShape &&
    before.errorSignature === after.errorSignature &&
    before.branch === after.branch &&
    (['tags', 'lessons', 'files'] as const).every(
      (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
    )
  )
}
