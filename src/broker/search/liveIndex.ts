// The index over a live store: the snapshot's segments on disk, and small ones in memory for what the log has since.
//
//   parts   disk │ disk │ tail │ tail │ …
//
// Each document knows its position; a position without a document is deleted.

import type { MemoryId } from '../../model/id.ts'
import { runToEnd, type Steps } from '../../model/longCall.ts'
import { type Memory, standsAlone } from '../../model/memory.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { buildIndexTerms } from '../../recall/indexTerms.ts'
import { buildIndexSegment, type IndexedDocument } from '../../store/index/buildIndexSegment.ts'
import { type IndexSegment, openExpandedSegment } from '../../store/index/indexSegment.ts'
import {
  answerTypesOfRow,
  conversationOfRow,
  hashName,
  type MemoryRow,
  readMemoryRow,
  sessionHashOfRow,
} from '../../store/snapshot/memoryRow.ts'
import { segmentFromBuffer } from '../../store/snapshot/segmentWriter.ts'
import { type DocRef, findKnownTerms, type SearchReader, scoreQuery } from '../../store/snapshot/snapshotReader.ts'
import type { StoredMemories, StoredSegment } from '../../store/snapshot/storedMemories.ts'
import { detectAnswerTypes } from '../../text/answerTypes.ts'
import { keepByObject } from '../../text/pattern.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import { openCurrentReader, type Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'

/** More tails are merged: each costs a query some microseconds, each merge some milliseconds. */
const TAILS_MAX = 8

class LiveIndex {
  readonly #liveStore: LiveStore
  readonly #cache: DocCache
  #stored: StoredMemories | undefined
  #cursor = ''
  /** Documents of what is not as the snapshot has it. */
  #changed: ReadonlyMap<MemoryId, CachedDoc> = new Map()
  #parts: IndexPart[] = []
  #reader: SearchReader = readerFromParts([])

  constructor(liveStore: LiveStore) {
    this.#liveStore = liveStore
    this.#cache = new DocCache(liveStore)
  }

  docs(): readonly CachedDoc[] {
    return this.#cache.all()
  }

  /** A reader over everything in the log; valid until the next call. */
  reader(): SearchReader {
    const memories = this.#liveStore.memories()
    const { stored, projection } = this.#liveStore.loaded
    const cursor = JSON.stringify(projection.cursor)
    if (stored === this.#stored && cursor === this.#cursor) return this.#reader
    if (stored !== this.#stored) this.#openSegments(stored)
    this.#cursor = cursor
    for (const part of this.#parts) part.docs.clear()
    const gone = memories.listDeleted().map((place) => stored.placementAt(place))
    for (const { segment, row } of gone) this.#partOf(segment)?.docs.set(row, undefined)
    this.#updateDocs(memories.changes())
    const fresh = [...this.#changed.values()].filter(({ indexed, memory }) => !indexed && memory.status === 'active')
    if (fresh.length > 0) {
      const terms = fresh.map((doc) => buildIndexTerms(doc.memory))
      this.#parts.push(buildMemoryIndex(fresh, terms))
    }
    if (this.#parts.filter((part) => part.indexed).length > TAILS_MAX) this.#mergeTails()
    for (const doc of this.#changed.values()) doc.indexed?.part.docs.set(doc.indexed.doc, doc)
    this.#reader = readerFromParts(this.#parts)
    return this.#reader
  }

  close(): void {
    this.#reader.close()
  }

  #openSegments(stored: StoredMemories): void {
    this.#reader.close()
    this.#stored = stored
    this.#changed = new Map()
    this.#parts = []
    const { store, loaded } = this.#liveStore
    for (const entry of loaded.manifest.segments) {
      if (entry.archive) continue
      const folder = store.layout.segments
      const expansions = entry.expansions && `${folder}/${entry.expansions}`
      const segment = openExpandedSegment(store.files, `${folder}/${entry.name}.idx`, expansions)
      // Missing if a newer snapshot has replaced it meanwhile: then its memories are indexed again.
      if (segment) this.#parts.push({ segment, docs: new Map(), stored: stored.segment(entry.name) })
    }
  }

  #partOf(segment: string): IndexPart | undefined {
    return this.#parts.find(({ stored }) => stored?.name === segment)
  }

  /** Makes documents of what has changed. A memory of the snapshot with the same text keeps its place in the index. */
  #updateDocs(changes: readonly ChangedItem[]): void {
    const before = this.#changed
    const after = new Map<MemoryId, CachedDoc>()
    for (const { place, memory } of changes) {
      const known = before.get(memory.id)
      const doc = known ? updateDoc(known, memory) : createDoc(memory)
      after.set(memory.id, doc)
      const placement = place === undefined ? undefined : this.#stored?.placementAt(place)
      const part = placement && this.#partOf(placement.segment)
      if (!part || !placement) continue
      part.docs.set(placement.row, undefined)
      const hasTextOfSnapshot = this.#stored && hasSameText(this.#stored.load(placement.place), memory)
      if (hasTextOfSnapshot) doc.indexed ??= { part, doc: placement.row }
    }
    this.#changed = after
  }

  #mergeTails(): void {
    this.#parts = this.#parts.filter((part) => !part.indexed)
    const live: CachedDoc[] = []
    const terms = []
    for (const doc of this.#changed.values()) {
      const known = doc.indexed?.part.indexed?.[doc.indexed.doc]
      if (!known) continue
      live.push(doc)
      terms.push(known)
    }
    this.#parts.push(buildMemoryIndex(live, terms))
  }
}

type ChangedItem = ReturnType<MemoryTable['changes']>[number]

/** The index of a live store, kept as long as the store is open. */
export const openLiveIndex = keepByObject((liveStore: LiveStore) => new LiveIndex(liveStore))

/**
 * Reads with everything in the log: from the snapshot on disk if the log has nothing newer, else from a live index.
 * That is the index of `openLive()`, which a long-running process keeps open, or one opened for this read only.
 */
export function withReader<T>(store: Store, read: (reader: SearchReader) => T, openLive?: () => LiveStore): T {
  const reader = openCurrentReader(store)
  if (reader) {
    try {
      return read(reader)
    } finally {
      reader.close()
    }
  }
  if (openLive) return read(openLiveIndex(openLive()).reader())
  const index = new LiveIndex(openLiveStore(store))
  try {
    return read(index.reader())
  } finally {
    index.close()
  }
}

// A search reader over memories of this process. It uses the index code that searches a snapshot, so that terms, scores
// and features are the same.

export interface IndexPart {
  readonly segment: IndexSegment
  /**
   * By their numbers; undefined stands for a memory that was deleted or has changed since. Of a segment on disk only
   * what is not as it is there.
   */
  readonly docs: Map<number, CachedDoc | undefined>
  readonly stored?: StoredSegment | undefined
  /** The terms of its documents; absent if the segment is on disk. */
  readonly indexed?: readonly IndexedDocument[]
}

/** Indexes documents in memory, and writes their positions into them. */
export function buildMemoryIndex(docs: readonly CachedDoc[], indexed: readonly IndexedDocument[]): IndexPart {
  const part: IndexPart = {
    segment: segmentFromBuffer(buildIndexSegment(indexed)),
    docs: new Map(docs.entries()),
    indexed,
  }
  docs.forEach((cached, doc) => {
    cached.indexed = { part, doc }
  })
  return part
}

/** A reader over memories that are in no index, such as archived entries. */
export const readerFromMemories = (memories: readonly Memory[]): SearchReader =>
  readerFromParts([buildMemoryIndex(memories.map(createDoc), memories.map(buildIndexTerms))])

/** A reader over these parts; their `docs` may change between two queries. A text is read when its memory is. */
export function readerFromParts(parts: readonly IndexPart[]): SearchReader {
  const segments = parts.map((part) => part.segment)
  const knownDoc = ({ segment, doc }: DocRef): CachedDoc | undefined => parts[segment]?.docs.get(doc)
  const storedAt = ({ segment }: DocRef): StoredSegment => parts[segment]!.stored!
  const read = <T>(ref: DocRef, ofDoc: (doc: CachedDoc) => T, ofRow: (rows: Rows, doc: number) => T): T => {
    const doc = knownDoc(ref)
    return doc ? ofDoc(doc) : ofRow(storedAt(ref).rows, ref.doc)
  }
  return {
    docCounts: segments.map((segment) => segment.documents),
    score: (query, options) => scoreQuery(segments, query, options),
    hasTerms: (terms) => findKnownTerms(segments, terms),
    hasDoc(ref) {
      const part = parts[ref.segment]
      return part?.docs.has(ref.doc) ? knownDoc(ref) !== undefined : (part?.stored?.has(ref.doc) ?? false)
    },
    rowAt: (ref, names) => read(ref, rowOf, (rows, doc) => readMemoryRow(rows, doc, names)),
    answerTypesAt: (ref) => read(ref, answerTypesOf, answerTypesOfRow),
    memoryAt: (ref) => knownDoc(ref)?.memory ?? storedAt(ref).load(ref.doc),
    sessionHashAt: (ref) => read(ref, ({ memory }) => hashName(memory.session), sessionHashOfRow),
    conversationAt: (ref) => read(ref, conversationOf, conversationOfRow),
    close() {
      for (const segment of segments) segment.close()
    },
  }
}

type Rows = StoredSegment['rows']

const conversationOf = ({ memory }: CachedDoc): number => (standsAlone(memory) ? 0 : hashName(memory.session))

const answerTypesOf = (doc: CachedDoc): number => (doc.answerTypes ??= detectAnswerTypes(doc.memory.content))

function rowOf(doc: CachedDoc): MemoryRow {
  const { memory } = doc
  doc.rowView ??= {
    ...memory,
    answerTypes: answerTypesOf(doc),
    updatedMs: Date.parse(memory.updated),
    decayStartMs: Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created),
  }
  return doc.rowView
}

// The memories of a live store as documents, each with what searches have computed for it: its position in the index,
// its vector, its row. A change of the log makes new documents only for the memories that changed.

export interface CachedDoc {
  readonly memory: Memory
  /** Its position in the index: the part, and the document in it. */
  indexed: { readonly part: IndexPart; readonly doc: number } | undefined
  /** Its vector, and the id of the embedder that made it. */
  vector: Float32Array | undefined
  model: string | undefined
  /** Hash of the text that is embedded. */
  textKey: string | undefined
  /** Its weighted terms, if no vectors are used. */
  terms: WeightedTerms | undefined
  /** Bits of text/answerTypes.ts. */
  answerTypes: number | undefined
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
  vector: undefined,
  model: undefined,
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
  #docs: readonly CachedDoc[] = []

  constructor(liveStore: LiveStore) {
    this.#liveStore = liveStore
  }

  /** One document for each memory, in the order in which they were made; the same array as long as nothing changes. */
  all(): readonly CachedDoc[] {
    return runToEnd(this.allInSteps())
  }

  *allInSteps(): Steps<readonly CachedDoc[]> {
    const memories = this.#liveStore.memories()
    const { loaded } = this.#liveStore
    const cursor = JSON.stringify(loaded.projection.cursor)
    if (this.#loaded === loaded && this.#cursor === cursor) return this.#docs
    if (this.#loaded !== loaded) this.#docs = []
    this.#loaded = loaded
    const docs = yield* updateDocs(this.#docs, memories.values())
    // Unless the snapshot was loaded again meanwhile.
    if (this.#loaded === loaded) {
      this.#cursor = cursor
      this.#docs = docs
    }
    return docs
  }
}

function* updateDocs(before: readonly CachedDoc[], memories: Iterable<Memory>): Steps<CachedDoc[]> {
  const byId = new Map(before.map((doc) => [doc.memory.id, doc]))
  const docs: CachedDoc[] = []
  for (const memory of [...memories]) {
    const known = byId.get(memory.id)
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
function hasSameText(before: Memory, after: Memory): boolean {
  return (
    before.content === after.content &&
    before.searchText === after.searchText &&
    before.commandShape === after.commandShape &&
    before.errorSignature === after.errorSignature &&
    before.branch === after.branch &&
    JSON.stringify(before.knowledge?.when) === JSON.stringify(after.knowledge?.when) &&
    (['tags', 'lessons', 'files'] as const).every(
      (name) => before[name] === after[name] || JSON.stringify(before[name]) === JSON.stringify(after[name]),
    )
  )
}
