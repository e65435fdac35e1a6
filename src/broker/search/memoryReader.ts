// Searches memories of this process with the index code that searches a snapshot: same terms, same scores, same features.
import type { Memory } from '../../model/memory.ts'
import { buildIndexTerms, sessionHash } from '../../recall/indexTerms.ts'
import { buildIndexSegment, type IndexedDocument } from '../../store/index/buildIndexSegment.ts'
import type { IndexSegment } from '../../store/index/indexSegment.ts'
import type { MemoryRow } from '../../store/snapshot/memoryRow.ts'
import { segmentFromBuffer } from '../../store/snapshot/segmentWriter.ts'
import { type DocRef, findKnownTerms, type SearchReader, scoreQuery } from '../../store/snapshot/snapshotReader.ts'
import { detectAnswerTypes } from '../../text/answerTypes.ts'
import type { CachedDoc } from './docCache.ts'

/** A segment with the memories of its documents; a document without one was deleted or has changed since. */
export interface IndexPart {
  readonly segment: IndexSegment
  docs: (CachedDoc | undefined)[]
  /** The terms its documents were indexed with; absent where the segment is on disk. */
  readonly indexed?: readonly IndexedDocument[]
}

/** Indexes documents in memory, in their order, and notes in each where it is. */
export function buildMemoryIndex(docs: readonly CachedDoc[], indexed: readonly IndexedDocument[]): IndexPart {
  const part: IndexPart = { segment: segmentFromBuffer(buildIndexSegment(indexed)), docs: [...docs], indexed }
  docs.forEach((cached, doc) => {
    cached.indexed = { part, doc }
  })
  return part
}

/** A reader over a list of memories that are in no index, such as archived entries. */
export function readerFromMemories(memories: readonly Memory[]): SearchReader {
  const docs = memories.map((memory): CachedDoc => ({ memory }))
  return readerFromParts([buildMemoryIndex(docs, memories.map(buildIndexTerms))])
}

/** A reader over these parts; what a part's documents are may change between two queries. */
export function readerFromParts(parts: readonly IndexPart[]): SearchReader {
  const segments = parts.map((part) => part.segment)
  const docAt = ({ segment, doc }: DocRef): CachedDoc => parts[segment]!.docs[doc]!
  return {
    docCounts: segments.map((segment) => segment.documents),
    score: (query, postingsMax) => scoreQuery(segments, query, postingsMax),
    hasTerms: (terms) => findKnownTerms(segments, terms),
    hasDoc: ({ segment, doc }) => parts[segment]?.docs[doc] !== undefined,
    rowAt: (ref) => rowOf(docAt(ref)),
    answerTypesAt: (ref) => factsAt(docAt(ref)),
    memoryAt: (ref) => docAt(ref).memory,
    sessionHashAt(ref) {
      const { session } = docAt(ref).memory
      return session === undefined ? 0 : sessionHash(session)
    },
    close() {
      for (const segment of segments) segment.close()
    },
  }
}

function factsAt(doc: CachedDoc): number {
  doc.facts ??= detectAnswerTypes(doc.memory.content)
  return doc.facts
}

/** What a row on disk would say of the memory. */
function rowOf(doc: CachedDoc): MemoryRow {
  const { memory } = doc
  doc.rowView ??= {
    ...memory,
    answerTypes: factsAt(doc),
    updatedMs: Date.parse(memory.updated),
    decayStartMs: Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created),
  }
  return doc.rowView
}
