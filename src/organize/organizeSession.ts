// Organize: memories from a session's events, merged with the memories that are known already.
//
// Pure: the same events, known memories and policy give the same result, so that a rebuild from the log gives the same
// memories as organizing the sessions one after the other did.
import { isAgentReport } from '../model/agentReport.ts'
import { callCommand, type Event } from '../model/event.ts'
import type { Memory, MemoryMap } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { audienceOf, isMorePrivate } from '../model/privacy.ts'
import { isOwnCommand, listCallResults, type SessionSlice, type SessionTask, splitTasks } from '../model/sessionTask.ts'
import { isStepDone, oneLineCommandCore } from '../text/fixSteps.ts'
import { extractAgentReports, mergeLessons } from './agentReports.ts'
import { extractAssistantDecisions } from './assistantDecisions.ts'
import { extractExperience } from './experience.ts'
import type { SessionEvidence } from './facts/factSighting.ts'
import { findFailureEpisodes } from './failureEpisodes.ts'
import { extractLessons } from './lessonMemory.ts'
import { toMemoryTable } from './memoryTable.ts'
import { keepOwnWords } from './ownWords.ts'
import { extractApprovedPlans } from './planStatements.ts'
import { scoreImportance } from './scoreImportance.ts'
import { buildSessionSummary, mergeSessionSummaries } from './sessionSummary.ts'
import { findMainTask, identifyTasks } from './taskIdentity.ts'
import { updateFacts } from './updateFacts.ts'
import { extractUserStatements } from './userStatements.ts'

const EVENTS_MAX = 20

/** False alarms are counted up to this: then the lesson warns no more and need not be rewritten every session. */
const FALSE_ALARMS_MAX = 8

/** The memories that these events create or change, each complete. */
export function organizeSession(slice: SessionSlice, known: MemoryMap, policy: Policy): Memory[] {
  const recorded = keepOwnWords(slice.events.filter((event) => event.kind !== 'recalled'))
  // What only its own agent may see is in no summary, fact or lesson.
  const hidden = recorded.filter((event) => event.privacy === 'private')
  const all = splitTasks(hidden.length === 0 ? recorded : recorded.filter((event) => event.privacy !== 'private'))
  // A slash command of memctl has changed a memory already: it is no work to remember.
  const whole = all.filter(({ prompt }) => !prompt || !isOwnCommand(prompt))
  // What everyone sees is made of what everyone may see. What subagents did is in memories for their role alone.
  const tasks = whole.map((task) => ({ ...task, events: task.events.filter(isPublic) }))
  const everything = whole.flatMap((task) => task.events)
  const events = tasks.flatMap((task) => task.events)
  const identities = identifyTasks(tasks)
  if (everything.length === 0 && hidden.length === 0) return []
  const episodes = findFailureEpisodes(listCallResults(everything))
  const { said, superseded } = extractUserStatements(tasks, known, policy.statements)
  const experiences = tasks.flatMap(
    (task, i) => extractExperience({ task, before: tasks[i - 1], next: tasks[i + 1] }) ?? [],
  )
  const derived = [
    ...said,
    ...extractApprovedPlans(tasks),
    ...experiences,
    ...extractAgentReports(whole),
    ...extractPrivate(hidden),
    ...extractAssistantDecisions(tasks),
    ...extractLessons(episodes, known),
  ]
  const facts = listAudiences(everything).flatMap((audience) =>
    updateFacts(selectEvidence(slice.session, whole, audience), known, policy.facts),
  )
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
  const scored = scoreImportance([...unique.values()], slice, known, policy)
  const changed = new Map(scored.map((memory) => [memory.id, memory]))
  for (const memory of countFalseAlarms(everything, known, unique)) {
    changed.set(memory.id, { ...(changed.get(memory.id) ?? memory), lesson: memory.lesson })
  }
  // Facts are merged over sessions already, and their importance is what they are expected to prevent.
  for (const memory of [...facts, ...superseded]) changed.set(memory.id, memory)
  return [...changed.values()]
}

const isPublic = ({ privacy }: Event): boolean => privacy === 'public'

/** Everyone, then each role that has events of its own, in their order. */
const listAudiences = (events: readonly Event[]): readonly string[] => [...new Set(['', ...events.map(audienceOf)])]

/** What the agents of an audience did, or what everyone may see. */
function selectEvidence(session: string, whole: readonly SessionTask[], audience: string): SessionEvidence {
  const tasks = whole.map((task) => ({
    ...task,
    ...(audience !== '' && { prompt: undefined }),
    events: task.events.filter((event) => audienceOf(event) === audience),
  }))
  const events = tasks.flatMap((task) => task.events)
  const branch = findBranch(whole.flatMap((task) => task.events))
  return { session, branch, audience, events, tasks, calls: listCallResults(events) }
}

/** The tasks and reports of private events, each for its own agent only. */
function extractPrivate(events: readonly Event[]): Memory[] {
  const tasks = splitTasks(events)
  const experiences = tasks.flatMap((task) => extractExperience({ task, before: undefined, next: undefined }) ?? [])
  return [...experiences, ...extractAgentReports(tasks)].map((memory) => ({ ...memory, privacy: 'private' }))
}

const findBranch = (events: readonly Event[]): string | undefined =>
  events.find((event) => event.kind === 'session.started' || event.kind === 'prompt')?.branch

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
    lesson: memory.lesson,
    statement: memory.statement ?? known.statement,
    searchText: memory.searchText,
    searchOnly: memory.searchOnly,
    editedFiles: memory.editedFiles,
    events: [...new Set([...known.events, ...memory.events])].slice(-EVENTS_MAX),
  }
}

/**
 * The known lessons that gave a false alarm, with it counted: the command passed when the session first ran it,
 * although nobody had done what the lesson says. Lessons in `derived` are left out: their error did occur.
 */
function countFalseAlarms(events: readonly Event[], known: MemoryMap, derived: MemoryMap): Memory[] {
  const calls = listCallResults(events)
  const table = toMemoryTable(known)
  const seen = new Set<string>()
  return calls.flatMap((call, index) => {
    const command = oneLineCommandCore(callCommand(call))
    const audience = audienceOf(call)
    if (command === undefined || seen.has(`${audience}|${command}`)) return []
    seen.add(`${audience}|${command}`)
    if (call.kind === 'call.failed') return []
    return table.findLessonsForCommand(command).flatMap((memory) => {
      const { id, lesson } = memory
      // What a subagent did says nothing about a lesson that everyone sees.
      if (
        lesson === undefined ||
        audienceOf(memory) !== audience ||
        derived.has(id) ||
        lesson.falseAlarms >= FALSE_ALARMS_MAX
      )
        return []
      if (isStepDone(lesson.fix, calls.slice(0, index))) return []
      return { ...memory, lesson: { ...lesson, falseAlarms: lesson.falseAlarms + 1 } }
    })
  })
}
