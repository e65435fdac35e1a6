// Organize: memories from a session's events, merged with the memories that are known already.
//
// Pure: the same events, known memories and policy give the same result, so that a rebuild from the log gives the same
// memories as organizing the sessions one after the other did.
import type { Event } from '../model/event.ts'
import { isAgentReport, type Memory, type MemoryMap } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { isMorePrivate } from '../model/privacy.ts'
import { isOwnCommand, type SessionSlice, splitTasks } from '../model/sessionTask.ts'
import { extractAgentReports, mergeLessons } from './agentReports.ts'
import { extractExperience, findMainTask, identifyTasks } from './experience.ts'
import { toMemoryTable } from './memoryTable.ts'
import { closeOpenItems } from './openItems.ts'
import { keepOwnWords } from './ownWords.ts'
import { scoreImportance } from './scoreImportance.ts'
import { extractKnowledge } from './sessionKnowledge.ts'
import { buildSessionSummary, mergeSessionSummaries } from './sessionSummary.ts'

const EVENTS_MAX = 20

/** The memories that these events create or change, each complete. */
export function organizeSession(slice: SessionSlice, known: MemoryMap, policy: Policy): Memory[] {
  const recorded = keepOwnWords(slice.events.filter((event) => event.kind !== 'recalled'))
  // What only its own agent may see is in no summary, fact or lesson.
  const hidden = recorded.filter((event) => event.privacy === 'private')
  const all = splitTasks(hidden.length === 0 ? recorded : recorded.filter((event) => event.privacy !== 'private'))
  // A slash command of memctl has changed a memory already: it is no work to remember.
  const whole = all.filter(({ prompt }) => !prompt || !isOwnCommand(prompt))
  // What everyone sees is made of what everyone may see. What subagents did is in memories for their role alone.
  const tasks = whole.map((task) => ({ ...task, events: task.events.filter(({ privacy }) => privacy === 'public') }))
  const everything = whole.flatMap((task) => task.events)
  const events = tasks.flatMap((task) => task.events)
  const identities = identifyTasks(tasks)
  if (everything.length === 0 && hidden.length === 0) return []
  const experiences = tasks.flatMap((task, i) => extractExperience(task, tasks[i - 1], tasks[i + 1]) ?? [])
  const derived = [...joinEqual(experiences), ...extractAgentReports(whole), ...extractPrivate(hidden)]
  // Its texts need the events as they were recorded: own words are for what is shown, not for what failed.
  const knowledge = extractKnowledge(slice, tasks, toMemoryTable(known), policy.knowledge)
  const closed = closeOpenItems(slice.session, tasks, toMemoryTable(known))
  const summary = buildSessionSummary(slice.session, events, tasks)
  if (summary) derived.push({ ...summary, taskId: findMainTask(identities) })
  // A memory derived twice from these events (a preference stated twice) is one memory; the later one counts.
  const unique = new Map(
    derived.flatMap((memory) => {
      const before = known.get(memory.id)
      // It was released, and stays as it was then: what is new is not released yet.
      if (before && isMorePrivate(memory.privacy, before.privacy)) return []
      const taskId = identities.get(memory.taskId ?? '') ?? memory.taskId
      return [[memory.id, mergeWithKnown({ ...memory, taskId }, before)] as const]
    }),
  )
  const fresh = knowledge
    .filter(({ id }) => !known.has(id))
    .map((memory) => ({ ...memory, taskId: identities.get(memory.taskId ?? '') ?? memory.taskId }))
  const scored = scoreImportance([...unique.values(), ...fresh], slice, known)
  const changed = new Map(scored.map((memory) => [memory.id, memory]))
  // Known entries are merged over sessions already.
  for (const memory of [...knowledge, ...closed]) if (known.has(memory.id)) changed.set(memory.id, memory)
  return [...changed.values()]
}

/** A task that came to the same as an earlier one of the session is one memory with it. */
function joinEqual(experiences: readonly Memory[]): Memory[] {
  const joined = new Map<string, Memory>()
  for (const memory of experiences) {
    const first = joined.get(memory.content)
    const events = [...(first?.events ?? []), ...memory.events]
    joined.set(memory.content, first ? { ...first, updated: memory.updated, events } : memory)
  }
  return [...joined.values()]
}

/** The tasks and reports of private events, each for its own agent only. */
function extractPrivate(events: readonly Event[]): Memory[] {
  const tasks = splitTasks(events)
  const experiences = tasks.flatMap((task) => extractExperience(task) ?? [])
  return [...experiences, ...extractAgentReports(tasks)].map((memory) => ({ ...memory, privacy: 'private' }))
}

/** A memory that was known already keeps its age and what its use has changed; content and outcome are replaced. */
function mergeWithKnown(memory: Memory, known: Memory | undefined): Memory {
  if (!known) return memory
  if (memory.kind === 'summary') return mergeSessionSummaries(known, memory)
  return {
    ...known,
    // A memory of the team has no session: its first one here counts once, also if it is organized in parts.
    session: known.team === undefined ? known.session : (known.session ?? memory.session),
    content: memory.content,
    lessons: isAgentReport(memory) ? mergeLessons(known, memory) : memory.lessons,
    updated: memory.updated,
    outcome: memory.outcome,
    // What a person has superseded stays so, however often it is met again.
    status: known.supersededBy === undefined ? memory.status : 'archived',
    files: [...new Set([...memory.files, ...known.files])].slice(0, 20),
    // The session that created it does not count again.
    sessionCount: known.sessionCount + (known.session === memory.session ? 0 : 1),
    knowledge: memory.knowledge ?? known.knowledge,
    searchText: memory.searchText,
    searchOnly: memory.searchOnly,
    questionOnly: memory.questionOnly,
    editedFiles: memory.editedFiles,
    events: [...new Set([...known.events, ...memory.events])].slice(-EVENTS_MAX),
  }
}
