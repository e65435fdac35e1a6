// Applies events in which tools and people change memories. An event about a deleted memory has no effect.
import { isMemoryField, repairFields } from '../../model/checkMemory.ts'
import { currentImportanceTerms } from '../../model/currentImportance.ts'
import type { EventBody, EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { computeImportance } from '../../model/importance.ts'
import { isAboutFailures, isCurrent, isPersonsText, KNOWLEDGE_CHARS_MAX } from '../../model/knowledge.ts'
import { type EntrySource, isSubjectToDecay, type Memory, type MemoryChange } from '../../model/memory.ts'
import { applyStrengthChange } from '../../model/strength.ts'
import { stampPrivacySince } from '../../organize/lifecycle.ts'
import { withOpenTasks } from '../../organize/openItems.ts'
import { parseLegacyEntrySource, upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { oneLine } from '../../text/excerpt.ts'

type Memories = Map<MemoryId, Memory>

type MemoryEvent = EventOf<
  | 'memory.stored'
  | 'memory.updated'
  | 'memory.batch'
  | 'memory.deleted'
  | 'memory.accessed'
  | 'memory.scored'
  | 'memory.strengthened'
  | 'memory.consolidated'
>

export function applyMemoryEvent(memories: Memories, event: MemoryEvent): void {
  switch (event.kind) {
    case 'memory.stored':
      store(memories, event.memory, event.at)
      break
    case 'memory.updated':
      update(memories, event.change, event.at)
      break
    case 'memory.batch':
      for (const memory of event.stored) store(memories, memory, event.at)
      for (const change of event.changes) update(memories, change, event.at)
      break
    case 'memory.deleted':
      for (const id of event.memories) memories.delete(id)
      break
    case 'memory.accessed':
      for (const id of event.memories) {
        replace(memories, id, (memory) => applyStrengthChange(memory, { uses: 1 }, event.at))
      }
      break
    case 'memory.scored':
      replace(memories, event.memory, (memory) => ({
        ...memory,
        importance: event.score,
        pinned: { reason: event.reason, at: event.at },
        updated: event.at,
      }))
      break
    case 'memory.strengthened':
      for (const change of event.changes) {
        replace(memories, change.memory, (memory) => applyStrengthChange(memory, change, event.at))
      }
      break
    case 'memory.consolidated':
      store(memories, event.memory, event.at)
      if (!event.preserved) for (const id of event.from) memories.delete(id)
  }
}

/** The memories that an event stores as a whole. */
export function listStored(event: EventBody): readonly Memory[] {
  if (event.kind === 'memory.batch') return event.stored
  return event.kind === 'memory.stored' || event.kind === 'memory.consolidated' ? [event.memory] : []
}

export const listChanges = (event: EventBody): readonly MemoryChange[] =>
  event.kind === 'memory.batch' ? event.changes : event.kind === 'memory.updated' ? [event.change] : []

function store(memories: Memories, memory: Memory, at: string): void {
  const repaired = repairFields(memory)
  if (!repaired) return
  const known = memories.get(repaired.id)
  const stored = upgradeMemory(repaired)
  const entrySource = stored.entrySource && keepOwn(stored.entrySource, known)
  memories.set(stored.id, stampPrivacySince({ ...stored, ...(entrySource && { entrySource }) }, known, at))
}

/** An entry that the person's tools have written stays theirs, also if another process has read the file first. */
const keepOwn = (source: EntrySource, known: Memory | undefined): EntrySource =>
  known?.entrySource?.own ? { ...source, own: true } : source

function update(memories: Memories, change: MemoryChange, at: string): void {
  const { memory: id, tags, retention, session, expires } = change
  const content = isMemoryField('content', change.content) ? change.content : undefined
  const leftOpen = isMemoryField('leftOpen', change.leftOpen) ? change.leftOpen : undefined
  const entrySource = parseLegacyEntrySource(change.metadata ?? {}, id)
  const metadata = entrySource ? undefined : change.metadata
  replace(memories, id, (memory) =>
    stampPrivacySince(
      {
        ...memory,
        // A vector that a caller supplied is one of the text before.
        ...(content === undefined || content === memory.content ? {} : { content, embedding: undefined }),
        ...(change.supersededBy === undefined ? {} : statusAfterSuperseding(change.supersededBy)),
        ...(change.pinned === null ? importanceWithoutPin(memory) : {}),
        ...(entrySource && { entrySource: keepOwn(entrySource, memory) }),
        ...(tags === undefined ? {} : { tags }),
        ...knowledgeAfterChange(change, memory),
        ...(metadata === undefined ? {} : { metadata: { ...memory.metadata, ...metadata } }),
        ...(retention === undefined ? {} : { retention }),
        // A user who asks for long-term retention also exempts the memory from being archived by age.
        ...(retention === 'long_term' && isSubjectToDecay(memory) ? { archiveExempt: true as const } : {}),
        ...(session === undefined ? {} : { session }),
        ...(expires === undefined ? {} : { expires: expires ?? undefined }),
        // To close a task is not new work on it.
        ...(leftOpen === undefined
          ? { updated: at }
          : { leftOpen, content: withOpenTasks(memory.content, leftOpen), embedding: undefined }),
      },
      memory,
      at,
    ),
  )
}

/** A new text is a new line, in the words of who changed it; an entry that is replaced or stands again says so. */
function knowledgeAfterChange(change: MemoryChange, memory: Memory): Partial<Memory> {
  const { content, supersededBy } = change
  const before = change.knowledge ?? memory.knowledge
  if (!before) return {}
  const line = content === undefined || change.knowledge ? before.line : oneLine(content, KNOWLEDGE_CHARS_MAX)
  const isEdited = line !== before.line
  return {
    knowledge: {
      ...before,
      line,
      // Edited by a person: the words are theirs now, whatever was said before. A lesson of others stays one.
      ...(isEdited && {
        author: 'person' as const,
        quote: isAboutFailures(before) && !isPersonsText(before) ? undefined : content,
        state: before.state === 'proposed' ? ('standing' as const) : before.state,
      }),
      ...(supersededBy !== undefined && {
        state: supersededBy === null ? ('standing' as const) : ('superseded' as const),
      }),
    },
    ...statusAfterKnowledge(change, memory),
  }
}

/** What is no longer current is archived; what is current again is active again. */
function statusAfterKnowledge({ knowledge }: MemoryChange, memory: Memory): Pick<Partial<Memory>, 'status'> {
  if (!knowledge || !memory.knowledge || isCurrent(knowledge) === isCurrent(memory.knowledge)) return {}
  return { status: isCurrent(knowledge) ? 'active' : 'archived' }
}

const statusAfterSuperseding = (supersededBy: MemoryId | null): Partial<Memory> => ({
  status: supersededBy === null ? 'active' : 'archived',
  supersededBy: supersededBy ?? undefined,
})

/** Computed with the default weights, as for a memory that a caller stores. */
const importanceWithoutPin = (memory: Memory): Partial<Memory> => ({
  pinned: undefined,
  importance: memory.importanceTerms ? computeImportance(currentImportanceTerms(memory)) : memory.importance,
})

function replace(memories: Memories, id: MemoryId, next: (memory: Memory) => Memory): void {
  const memory = memories.get(id)
  if (memory) memories.set(id, repairFields(next(memory), memory) ?? memory)
}
