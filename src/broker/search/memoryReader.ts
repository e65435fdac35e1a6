// Searches memories of this process with the index code that searches a snapshot: same terms, same scores, same features.
import type { Memory } from '../../model/memory.ts'
import { indexedTerms, sessionName } from '../../recall/terms.ts'
import type { Glance } from '../../store/glance.ts'
import type { Segment } from '../../store/index/segment.ts'
import { type IndexedDocument, writeSegment } from '../../store/index/writer.ts'
import { inMemory } from '../../store/memorySegment.ts'
import { knownTerms, type Place, type SearchReader, scoreQuery } from '../../store/shelf.ts'
import { factsOf } from '../../text/facts.ts'
import type { CachedDoc } from './docCache.ts'

/** A segment with the memories of its documents; a document without one was deleted or has changed since. */
export interface IndexPart {
  readonly segment: Segment
  docs: (CachedDoc | undefined)[]
  /** The terms its documents were indexed with; absent where the segment is on disk. */
  readonly indexed?: readonly IndexedDocument[]
}

/** Indexes documents in memory, in their order, and notes in each where it is. */
export function indexInMemory(docs: readonly CachedDoc[], indexed: readonly IndexedDocument[]): IndexPart {
  const part: IndexPart = { segment: inMemory(writeSegment(indexed)), docs: [...docs], indexed }
  docs.forEach((cached, doc) => {
    cached.indexed = { part, doc }
  })
  return part
}

/** A reader over a list of memories that are in no index, such as archived entries. */
export function readerOfMemories(memories: readonly Memory[]): SearchReader {
  const docs = memories.map((memory): CachedDoc => ({ memory }))
  return readerOfParts([indexInMemory(docs, memories.map(indexedTerms))])
}

/** A reader over these parts; what a part's documents are may change between two queries. */
export function readerOfParts(parts: readonly IndexPart[]): SearchReader {
  const segments = parts.map((part) => part.segment)
  const docAt = ({ segment, doc }: Place): CachedDoc => parts[segment]!.docs[doc]!
  return {
    sizes: segments.map((segment) => segment.documents),
    ask: (query, postingsMax) => scoreQuery(segments, query, postingsMax),
    knows: (terms) => knownTerms(segments, terms),
    isThere: ({ segment, doc }) => parts[segment]?.docs[doc] !== undefined,
    glanceAt: (place) => rowOf(docAt(place)),
    factsAt: (place) => factsAt(docAt(place)),
    memoryAt: (place) => docAt(place).memory,
    sessionAt(place) {
      const { session } = docAt(place).memory
      return session === undefined ? 0 : sessionName(session)
    },
    close() {
      for (const segment of segments) segment.close()
    },
  }
}

function factsAt(doc: CachedDoc): number {
  doc.facts ??= factsOf(doc.memory.content)
  return doc.facts
}

/** What a row on disk would say of the memory. */
function rowOf(doc: CachedDoc): Glance {
  const { memory } = doc
  doc.rowView ??= {
    ...memory,
    facts: factsAt(doc),
    updatedMs: Date.parse(memory.updated),
    decaysFromMs: Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created),
  }
  return doc.rowView
}
