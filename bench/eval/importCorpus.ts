// Labelled text in a store: lines imported as memories and questions asked of them, by the code that hooks and tools run.

import type { Store } from '../../src/broker/store.ts'
import { upkeep } from '../../src/broker/upkeep.ts'
import type { Event } from '../../src/model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../src/model/id.ts'
import { newMemory } from '../../src/model/memory.ts'
import { derivedId } from '../../src/organize/identity.ts'
import { appendEvents } from '../../src/store/log.ts'
import { hashPair } from '../../src/text/hash.ts'

/** A text of a labelled corpus. */
export interface CorpusLine {
  readonly id: string
  /** What it belongs to; a question is asked of its own alone. */
  readonly conv: string
  readonly session?: string | undefined
  /** Milliseconds since 1970; undefined where the corpus does not say. */
  readonly at?: number | undefined
  readonly speaker?: string | undefined
  readonly text: string
}

/** The log takes a whole batch in one append; it looks whether a file is full once a batch. */
const LINES_AT_ONCE = 500

/** Imports the lines, in their order, as long_term memories, and makes the view of them. Gives the id of each line by its memory's. */
export function importLines(store: Store, lines: readonly CorpusLine[], now: number): ReadonlyMap<MemoryId, string> {
  const ids = new Map<MemoryId, string>()
  const events = lines.map((line) => {
    const event = storedEvent(line, now)
    ids.set(event.memory.id, line.id)
    return event
  })
  for (let from = 0; from < events.length; from += LINES_AT_ONCE) {
    appendEvents(store.files, store.layout.events, events.slice(from, from + LINES_AT_ONCE))
  }
  upkeep(store, { now })
  return ids
}

function storedEvent(line: CorpusLine, now: number): Event & { readonly kind: 'memory.stored' } {
  const at = new Date(line.at ?? now).toISOString()
  const key = ['import', line.conv, line.id]
  const session = line.session as SessionId | undefined
  const memory = newMemory({
    id: derivedId(...key),
    kind: 'entry',
    content: line.text,
    created: at,
    source: 'import',
    retention: 'long_term',
    trust: 'user',
    ...(session !== undefined && { session }),
    ...(line.speaker !== undefined && { agentId: line.speaker }),
  })
  const id = hashPair(key.join('\0')).map((word) => word.toString(16).padStart(8, '0'))
  return {
    ...{ id: id.join('') as EventId, at, session: session ?? ('import' as SessionId), role: 'main' },
    ...{ outcome: 'unknown', lessons: [], privacy: 'public', kind: 'memory.stored', memory },
  }
}
