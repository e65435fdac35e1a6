// Imports a labelled corpus into a store as memories, with the code that hooks and tools run.
import { commitEvents, eventEnvelope, eventId } from '../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { Event } from '../../src/model/event.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { type MemoryKind, newMemory } from '../../src/model/memory.ts'
import { deriveMemoryId } from '../../src/organize/derivedId.ts'

/** A text of a labelled corpus. */
export interface CorpusDocument {
  readonly id: string
  /** The conversation it belongs to. A question searches one conversation. */
  readonly conv: string
  readonly session?: string | undefined
  /** Milliseconds since 1970; undefined if the corpus has no time. */
  readonly at?: number | undefined
  readonly speaker?: string | undefined
  /** `entry` by default. */
  readonly kind?: MemoryKind | undefined
  readonly text: string
}

/**
 * Imports the documents in their order as long_term memories and saves the projection. Returns the document's id for
 * each memory.
 */
export function importCorpus(
  store: Store,
  lines: readonly CorpusDocument[],
  now: number,
): ReadonlyMap<MemoryId, string> {
  const ids = new Map<MemoryId, string>()
  const events = lines.map((line) => {
    const event = storedEvent(line, now)
    ids.set(event.memory.id, line.id)
    return event
  })
  commitEvents(store, events)
  runMaintenance(store, { now })
  return ids
}

function storedEvent(line: CorpusDocument, now: number): Event & { readonly kind: 'memory.stored' } {
  const key = ['import', line.conv, line.id]
  const session = line.session as SessionId | undefined
  const envelope = eventEnvelope({
    id: eventId(key),
    now: line.at ?? now,
    session: session ?? ('import' as SessionId),
  })
  const memory = newMemory({
    id: deriveMemoryId(...key),
    kind: line.kind ?? 'entry',
    content: line.text,
    created: envelope.at,
    source: 'import',
    retention: 'long_term',
    trust: 'user',
    ...(session !== undefined && { session }),
    ...(line.speaker !== undefined && { agentId: line.speaker }),
  })
  return { ...envelope, kind: 'memory.stored', memory }
}
