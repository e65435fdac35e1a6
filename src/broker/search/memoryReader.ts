// A search reader over memories of this process. It uses the index code that searches a snapshot, so that terms, scores
// and features are the same.
import { type Memory, standsAlone } from '../../model/memory.ts'
import { buildIndexTerms, sessionHash } from '../../recall/indexTerms.ts'
import { buildIndexSegment, type IndexedDocument } from '../../store/index/buildIndexSegment.ts'
import type { IndexSegment } from '../../store/index/indexSegment.ts'
import type { MemoryRow } from '../../store/snapshot/memoryRow.ts'
import { segmentFromBuffer } from '../../store/snapshot/segmentWriter.ts'
import { type DocRef, findKnownTerms, type SearchReader, scoreQuery } from '../../store/snapshot/snapshotReader.ts'
import { detectAnswerTypes } from '../../text/answerTypes.ts'
import { type CachedDoc, createDoc } from './docCache.ts'

/** A segment with its documents; undefined stands for a memory that was deleted or has changed since. */
export interface IndexPart {
  readonly segment: IndexSegment
  docs: (CachedDoc | undefined)[]
  /** The terms of its documents; absent if the segment is on disk. */
  readonly indexed?: readonly IndexedDocument[]
}

/** Indexes documents in memory, and writes their positions into them. */
export function buildMemoryIndex(docs: readonly CachedDoc[], indexed: readonly IndexedDocument[]): IndexPart {
  const part: IndexPart = { segment: segmentFromBuffer(buildIndexSegment(indexed)), docs: [...docs], indexed }
  docs.forEach((cached, doc) => {
    cached.indexed = { part, doc }
  })
  return part
}

/** A reader over memories that are in no index, such as archived entries. */
export const readerFromMemories = (memories: readonly Memory[]): SearchReader =>
  readerFromParts([buildMemoryIndex(memories.map(createDoc), memories.map(buildIndexTerms))])

/** A reader over these parts; their `docs` may change between two queries. */
export function readerFromParts(parts: readonly IndexPart[]): SearchReader {
  const segments = parts.map((part) => part.segment)
  const docAt = ({ segment, doc }: DocRef): CachedDoc => parts[segment]!.docs[doc]!
  return {
    docCounts: segments.map((segment) => segment.documents),
    score: (query, options) => scoreQuery(segments, query, options),
    hasTerms: (terms) => findKnownTerms(segments, terms),
    hasDoc: ({ segment, doc }) => parts[segment]?.docs[doc] !== undefined,
    rowAt: (ref) => rowOf(docAt(ref)),
    answerTypesAt: (ref) => answerTypesOf(docAt(ref)),
    memoryAt: (ref) => docAt(ref).memory,
    sessionHashAt(ref) {
      const { session } = docAt(ref).memory
      return session === undefined ? 0 : sessionHash(session)
    },
    conversationAt(ref) {
      const { memory } = docAt(ref)
      return memory.session === undefined || standsAlone(memory) ? 0 : sessionHash(memory.session)
    },
    close() {
      for (const segment of segments) segment.close()
    },
  }
}

function answerTypesOf(doc: CachedDoc): number {
  doc.answerTypes ??= detectAnswerTypes(doc.memory.content)
  return doc.answerTypes
}

/** What the memory's row in a snapshot would contain. */
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
