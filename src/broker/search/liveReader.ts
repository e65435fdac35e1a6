// The index over a live store: the snapshot's segments on disk, and small ones in memory for what the log has since.
//
//   parts   disk │ disk │ tail │ tail │ …
//
// Each document knows its position; a position without a document is deleted.
import { buildIndexTerms } from '../../recall/indexTerms.ts'
import { openExpandedSegment } from '../../store/index/indexSegment.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import { acquireCurrentReader, releaseReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { type CachedDoc, DocCache, hasSameText } from './docCache.ts'
import { buildMemoryIndex, type IndexPart, readerFromParts } from './memoryReader.ts'

/** More tails are merged: each costs a query some microseconds, each merge some milliseconds. */
const TAILS_MAX = 8

/** The index of a live store. It follows the log as long as its process runs. */
class LiveIndex {
  readonly #liveStore: LiveStore
  readonly #cache: DocCache
  #generation = 0
  #docs: readonly CachedDoc[] = []
  #parts: IndexPart[] = []
  #reader: SearchReader = readerFromParts([])

  constructor(liveStore: LiveStore) {
    this.#liveStore = liveStore
    this.#cache = new DocCache(liveStore)
  }

  /** A document for every memory. */
  docs(): readonly CachedDoc[] {
    return this.#cache.all()
  }

  /** A reader over everything in the log; valid until the next call. */
  reader(): SearchReader {
    const docs = this.docs()
    if (docs === this.#docs) return this.#reader
    if (this.#generation !== this.#cache.generation) this.#openSegments(docs)
    const fresh = docs.filter((doc) => doc.indexed === undefined && doc.memory.status === 'active')
    if (fresh.length > 0) {
      const terms = fresh.map((doc) => buildIndexTerms(doc.memory))
      this.#parts.push(buildMemoryIndex(fresh, terms))
    }
    if (this.#parts.filter((part) => part.indexed).length > TAILS_MAX) this.#mergeTails(docs)
    for (const part of this.#parts) part.docs = new Array(part.segment.documents)
    for (const doc of docs) if (doc.indexed) (doc.indexed.part as IndexPart).docs[doc.indexed.doc] = doc
    this.#docs = docs
    this.#reader = readerFromParts(this.#parts)
    return this.#reader
  }

  close(): void {
    this.#reader.close()
  }

  #openSegments(docs: readonly CachedDoc[]): void {
    this.#reader.close()
    this.#generation = this.#cache.generation
    this.#parts = []
    const { store, loaded } = this.#liveStore
    const byName = new Map<string, IndexPart>()
    for (const entry of loaded.manifest.segments) {
      if (entry.archive) continue
      // Missing if a newer snapshot has replaced it meanwhile: then its memories are indexed again.
      const folder = store.layout.segments
      const expansions = entry.expansions && `${folder}/${entry.expansions}`
      const segment = openExpandedSegment(store.files, `${folder}/${entry.name}.idx`, expansions)
      if (!segment) continue
      const part: IndexPart = { segment, docs: [] }
      this.#parts.push(part)
      byName.set(entry.name, part)
    }
    for (const doc of docs) {
      const placement = loaded.placements.get(doc.memory.id)
      const part = placement && byName.get(placement.segment)
      if (part && hasSameText(placement.memory, doc.memory)) doc.indexed = { part, doc: placement.row }
    }
  }

  #mergeTails(docs: readonly CachedDoc[]): void {
    this.#parts = this.#parts.filter((part) => !part.indexed)
    const live: CachedDoc[] = []
    const terms = []
    for (const doc of docs) {
      const known = doc.indexed && (doc.indexed.part as IndexPart).indexed?.[doc.indexed.doc]
      if (!known) continue
      live.push(doc)
      terms.push(known)
    }
    this.#parts.push(buildMemoryIndex(live, terms))
  }
}

const indexes = new WeakMap<LiveStore, LiveIndex>()

/** The index of a live store, kept as long as the store is open. */
export function openLiveIndex(liveStore: LiveStore): LiveIndex {
  const known = indexes.get(liveStore)
  if (known) return known
  const index = new LiveIndex(liveStore)
  indexes.set(liveStore, index)
  return index
}

/**
 * Reads with everything in the log: from the snapshot on disk if the log has nothing newer, else from a live index.
 * That is the index of `openLive()`, which a long-running process keeps open, or one opened for this read only.
 */
export function withReader<T>(store: Store, read: (reader: SearchReader) => T, openLive?: () => LiveStore): T {
  const reader = acquireCurrentReader(store)
  if (reader) {
    try {
      return read(reader)
    } finally {
      releaseReader(reader)
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
