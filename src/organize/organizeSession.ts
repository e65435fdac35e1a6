// Organize: memories from a session's events, merged with the memories that are known already.
//
// Pure: the same events, known memories and policy give the same result, so that a rebuild from the log gives the same
// memories as organizing the sessions one after the other did.
import { callCommand, type Event } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Lesson } from '../model/lesson.ts'
import { type Memory, type MemoryMap, newMemory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { isOwnCommand, listCallResults, type SessionSlice, splitTasks } from '../model/sessionTask.ts'
import { truncateMiddle } from '../text/excerpt.ts'
import { isStepDone, oneLineCommandCore } from '../text/fixSteps.ts'
import { extractAssistantDecisions } from './assistantDecisions.ts'
import { deriveMemoryId } from './derivedId.ts'
import { formatFix, formatLesson, lessonFromEpisode } from './episodeLesson.ts'
import { extractExperiences } from './experience.ts'
import { callAim, type FailureEpisode, findFailureEpisodes } from './failureEpisodes.ts'
import { toMemoryTable } from './memoryTable.ts'
import { scoreImportance } from './scoreImportance.ts'
import { buildSessionSummary, mergeSessionSummaries } from './sessionSummary.ts'
import { updateFacts } from './updateFacts.ts'
import { extractUserStatements } from './userStatements.ts'

const EVENTS_MAX = 20

/** False alarms are counted up to this: then the lesson warns no more and need not be rewritten every session. */
const FALSE_ALARMS_MAX = 8

/** The memories that these events create or change, each complete. */
export function organizeSession(slice: SessionSlice, known: MemoryMap, policy: Policy): Memory[] {
  const all = splitTasks(slice.events.filter((event) => event.kind !== 'recalled'))
  // A slash command of memctl has changed a memory already: it is no work to remember.
  const tasks = all.filter(({ prompt }) => !prompt || !isOwnCommand(prompt))
  const events = tasks.flatMap((task) => task.events)
  if (events.length === 0) return []
  const calls = listCallResults(events)
  const episodes = findFailureEpisodes(calls)
  const { said, superseded } = extractUserStatements(tasks, known, policy.statements)
  const experiences = tasks.flatMap((task, i) => extractExperiences({ task, before: tasks[i - 1], next: tasks[i + 1] }))
  const derived = [...said, ...experiences, ...extractAssistantDecisions(tasks), ...extractLessons(episodes, known)]
  const evidence = { session: slice.session, branch: findBranch(events), events, tasks, calls }
  const facts = updateFacts(evidence, known, policy.facts)
  const summary = buildSessionSummary(slice.session, events, tasks)
  if (summary) derived.push(summary)
  // A memory derived twice from these events (a preference stated twice) is one memory; the later one counts.
  const unique = new Map(derived.map((memory) => [memory.id, mergeWithKnown(memory, known.get(memory.id))]))
  const scored = scoreImportance([...unique.values()], slice, known, policy)
  const changed = new Map(scored.map((memory) => [memory.id, memory]))
  for (const memory of countFalseAlarms(events, known, unique)) {
    changed.set(memory.id, { ...(changed.get(memory.id) ?? memory), lesson: memory.lesson })
  }
  // Facts are merged over sessions already, and their importance is what they are expected to prevent.
  for (const memory of [...facts, ...superseded]) changed.set(memory.id, memory)
  return [...changed.values()]
}

const findBranch = (events: readonly Event[]): string | undefined =>
  events.find((event) => event.kind === 'session.started' || event.kind === 'prompt')?.branch

/** The episodes as lessons: one for each error and aim, over all agents, in the order of the last episode. */
function extractLessons(episodes: readonly FailureEpisode[], known: MemoryMap): Memory[] {
  const lessons = new Map<string, Memory>()
  for (const episode of episodes) {
    const id = deriveMemoryId('lesson', episode.errorSignature, callAim(episode.lastFailure))
    const lesson = toLessonMemory(id, episode, lessons.get(id) ?? known.get(id))
    lessons.delete(id) // Deleted first, so that the map is in the order of the last episodes.
    lessons.set(id, lesson)
  }
  return [...lessons.values()]
}

/** An episode as a lesson memory; `before` is the memory of the same error and aim, if there is one. */
function toLessonMemory(id: MemoryId, episode: FailureEpisode, before: Memory | undefined): Memory {
  const { failures, lastFailure, fix } = episode
  const knownFix = before?.lesson?.fix
  // That the call passed when it was repeated teaches nothing: somebody may have applied the known fix in between.
  const keepsKnownFix = knownFix !== undefined && (!fix || (fix.kind === 'again' && knownFix.kind !== 'again'))
  const lesson = mergeLessons(episode, before?.lesson, keepsKnownFix)
  return newMemory({
    id,
    kind: 'lesson',
    content: keepsKnownFix && before ? before.content : truncateMiddle(formatLesson(lesson), 1_500),
    lessons: fix && !keepsKnownFix ? [formatFix(fix)] : (before?.lessons ?? []),
    lesson,
    created: lastFailure.at,
    updated: (fix?.passed ?? lastFailure).at,
    session: lastFailure.session,
    taskId: lastFailure.taskId,
    agentId: lastFailure.agentId,
    role: lastFailure.role,
    files: [...new Set([...lastFailure.files, ...(fix?.steps.flatMap((step) => step.files) ?? [])])].slice(0, 12),
    commandShape: lastFailure.commandShape,
    errorSignature: episode.errorSignature,
    outcome: lesson.fix ? 'success' : 'failure',
    // Everyone in the project may see a lesson, whichever agent it comes from.
    privacy: 'public',
    events: [...failures.map((failure) => failure.id), ...(fix ? [fix.passed.id] : [])].slice(-EVENTS_MAX),
  })
}

/** The lesson of the episode, or the known one if its fix is better; calls and false alarms are carried over. */
function mergeLessons(episode: FailureEpisode, known: Lesson | undefined, keepsKnownFix: boolean): Lesson {
  const latest = lessonFromEpisode(episode)
  const kept = keepsKnownFix && known ? known : latest
  return {
    ...kept,
    calls: [...(known?.calls ?? []), ...latest.calls].slice(-EVENTS_MAX),
    // For a known fix: the time that it took to find it.
    costMs: episode.fix ? kept.costMs : latest.costMs,
    falseAlarms: known?.falseAlarms ?? 0,
  }
}

/** A memory that was known already keeps its age and what its use has changed; content and outcome are replaced. */
function mergeWithKnown(memory: Memory, known: Memory | undefined): Memory {
  if (!known) return memory
  if (memory.kind === 'summary') return mergeSessionSummaries(known, memory)
  return {
    ...known,
    content: memory.content,
    lessons: memory.lessons,
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
    if (command === undefined || seen.has(command)) return []
    seen.add(command)
    if (call.kind === 'call.failed') return []
    return table.findLessonsForCommand(command).flatMap((memory) => {
      const { id, lesson } = memory
      if (lesson === undefined || derived.has(id) || lesson.falseAlarms >= FALSE_ALARMS_MAX) return []
      if (isStepDone(lesson.fix, calls.slice(0, index))) return []
      return { ...memory, lesson: { ...lesson, falseAlarms: lesson.falseAlarms + 1 } }
    })
  })
}
