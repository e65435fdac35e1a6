// Applies events in which tools and people change memories. An event about a deleted memory has no effect.
import { currentImportanceTerms } from '../../model/currentImportance.ts'
import type { EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { computeImportance } from '../../model/importance.ts'
import type { Lesson } from '../../model/lesson.ts'
import { isSubjectToDecay, type Memory, type MemoryChange } from '../../model/memory.ts'
import { repairMemory } from '../../model/memoryNumbers.ts'
import { applyStrengthChange } from '../../model/strengthReducer.ts'
import { stampPrivacySince } from '../../organize/privacyRelease.ts'
import { parseLegacyEntrySource, upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { describeStatementText } from '../../text/statement/findStatements.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'

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

function store(memories: Memories, memory: Memory, at: string): void {
  memories.set(memory.id, stampPrivacySince(repairMemory(upgradeMemory(memory)), memories.get(memory.id), at))
}

function update(memories: Memories, change: MemoryChange, at: string): void {
  const { memory: id, content, tags, retention, session, expires } = change
  const entrySource = parseLegacyEntrySource(change.metadata ?? {}, id)
  const metadata = entrySource ? undefined : change.metadata
  replace(memories, id, (memory) =>
    stampPrivacySince(
      {
        ...memory,
        ...(content === undefined ? {} : { content, lesson: lessonAfterEdit(content, memory) }),
        ...(change.supersededBy === undefined ? {} : statusAfterSuperseding(change.supersededBy)),
        ...(change.pinned === null ? importanceWithoutPin(memory) : {}),
        ...(entrySource && { entrySource }),
        ...(tags === undefined ? {} : { tags }),
        ...statementAfterChange(change, memory),
        ...(metadata === undefined ? {} : { metadata: { ...memory.metadata, ...metadata } }),
        ...(retention === undefined ? {} : { retention }),
        // A user who asks for long-term retention also exempts the memory from being archived by age.
        ...(retention === 'long_term' && isSubjectToDecay(memory) ? { archiveExempt: true as const } : {}),
        ...(session === undefined ? {} : { session }),
        ...(expires === undefined ? {} : { expires: expires ?? undefined }),
        updated: at,
      },
      memory,
      at,
    ),
  )
}

/** A lesson that no longer names its command must not block calls of that command. */
function lessonAfterEdit(content: string, { lesson }: Memory): Lesson | undefined {
  if (lesson?.command === undefined || content.startsWith(`\`${lesson.command}\` failed: `)) return lesson
  return { ...lesson, command: undefined }
}

/** A new text gives a new short form; a successor is noted in the statement, or in the memory if it has none. */
function statementAfterChange(change: MemoryChange, memory: Memory): Partial<Memory> {
  const { content, supersededBy } = change
  const before = change.statement ?? memory.statement
  const successor = supersededBy === undefined ? {} : { supersededBy: supersededBy ?? undefined }
  if (!before) return successor
  if (content === undefined || change.statement) return { statement: { ...before, ...successor } }
  const { short, subject, isBan } = describeStatementText(
    content,
    before.scope === 'file' ? memory.files[0] : undefined,
  )
  const tags = (change.tags ?? memory.tags).filter((tag) => tag !== BAN_TAG)
  return { statement: { ...before, short, subject, ...successor }, tags: isBan ? [...tags, BAN_TAG] : tags }
}

/** Marks a statement that forbids what it is about. */
const BAN_TAG = 'ban'

const statusAfterSuperseding = (supersededBy: MemoryId | null): Partial<Memory> => ({
  status: supersededBy === null ? 'active' : 'archived',
})

/** Computed with the default weights, as for a memory that a caller stores. */
const importanceWithoutPin = (memory: Memory): Partial<Memory> => ({
  pinned: undefined,
  importance: memory.importanceTerms
    ? computeImportance(currentImportanceTerms(memory), DEFAULT_POLICY.importance)
    : memory.importance,
})

function replace(memories: Memories, id: MemoryId, next: (memory: Memory) => Memory): void {
  const memory = memories.get(id)
  if (memory) memories.set(id, next(memory))
}
