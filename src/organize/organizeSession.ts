// Macro-organize: a session's events become memories, and those known already are met again.
//
// Pure: the same events, the same known memories and the same policy give the same result, so that a rebuild from the
// log comes to what the sessions came to one by one.

import type { MemoryId } from '../model/id.ts'
import type { Lesson } from '../model/lesson.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { extractExperiences } from './experience.ts'
import {
  callAim,
  type FailureEpisode,
  findFailureEpisodes,
  formatFix,
  formatLesson,
  lessonFromEpisode,
} from './failureEpisodes.ts'
import { countFalseAlarms } from './falseAlarms.ts'
import { scoreImportance } from './scoreImportance.ts'
import type { MemoryMap, SessionSlice } from './sessionSlice.ts'
import { buildSessionSummary, mergeSessionSummaries } from './sessionSummary.ts'
import { listCallResults, splitTasks } from './sessionTask.ts'
import { extractUserStatements } from './userStatements.ts'

const EVENTS_MAX = 20

/** The memories a session part makes or changes, each whole. */
export function organizeSession(part: SessionSlice, known: MemoryMap, policy: Policy): Memory[] {
  const told = part.events.filter((event) => event.kind !== 'recalled')
  if (told.length === 0) return []
  const tasks = splitTasks(told)
  const stories = findFailureEpisodes(listCallResults(told))
  const summary = buildSessionSummary(part.session, told, tasks, stories)
  const made = [
    ...tasks.flatMap((task, i) => [
      ...extractUserStatements(task, tasks[i - 1]),
      ...extractExperiences(task, tasks[i + 1]),
    ]),
    ...lessonsOf(stories, known),
    ...(summary ? [summary] : []),
  ]
  const met = once(made).map((memory) => metAgain(memory, known.get(memory.id)))
  const changed = new Map(scoreImportance(met, part, known, policy).map((memory) => [memory.id, memory]))
  const metIds = new Set(met.map((memory) => memory.id))
  for (const memory of countFalseAlarms({ ...part, events: told }, known, metIds)) {
    changed.set(memory.id, { ...(changed.get(memory.id) ?? memory), lesson: memory.lesson })
  }
  return [...changed.values()]
}

/** The stories as lessons. One lesson an error and aim, over all agents and all sessions: it comes back better told. */
function lessonsOf(stories: readonly FailureEpisode[], known: MemoryMap): Memory[] {
  const lessons = new Map<string, Memory>()
  for (const story of stories) {
    const failed = story.failures.at(-1)!
    const id = deriveMemoryId('lesson', failed.errorSignature!, callAim(failed))
    const lesson = lessonOf(id, story, lessons.get(id) ?? known.get(id))
    lessons.delete(id) // Where it was met last, there it stands.
    lessons.set(id, lesson)
  }
  return [...lessons.values()]
}

/** A failure story as a lesson; `before` is what is known of the same error and aim. */
function lessonOf(id: MemoryId, story: FailureEpisode, before: Memory | undefined): Memory {
  const failed = story.failures.at(-1)!
  const knownFix = before?.lesson?.fix
  // That it passed when run again teaches nothing: somebody may have done meanwhile what the known fix says.
  const runAgain = story.fix?.kind === 'again'
  const keepsOld = knownFix !== undefined && (!story.fix || (runAgain && knownFix.kind !== 'again'))
  const lesson = lessonOfStory(story, before?.lesson, keepsOld)
  return newMemory({
    id,
    kind: 'lesson',
    content: keepsOld && before ? before.content : truncateMiddle(formatLesson(lesson), 1_500),
    lessons: story.fix && !keepsOld ? [formatFix(story.fix)] : (before?.lessons ?? []),
    lesson,
    created: failed.at,
    updated: (story.fix?.passed ?? failed).at,
    session: failed.session,
    taskId: failed.taskId,
    agentId: failed.agentId,
    role: failed.role,
    files: [...new Set([...failed.files, ...(story.fix?.steps.flatMap((step) => step.files) ?? [])])].slice(0, 12),
    commandShape: failed.commandShape,
    errorSignature: failed.errorSignature,
    outcome: lesson.fix ? 'success' : 'failure',
    // A lesson is for everyone in the project, whoever learnt it.
    privacy: 'public',
    events: [...story.failures.map((failure) => failure.id), ...(story.fix ? [story.fix.passed.id] : [])].slice(
      -EVENTS_MAX,
    ),
  })
}

/** What the story says, or what is known already where that is better; its calls and false alarms count on. */
function lessonOfStory(story: FailureEpisode, known: Lesson | undefined, keepsKnown: boolean): Lesson {
  const told = lessonFromEpisode(story)
  // Of a fix that was known already, what finding it took.
  const costMs = keepsKnown && story.fix && known ? known.costMs : told.costMs
  return {
    ...(keepsKnown && known ? known : told),
    calls: [...(known?.calls ?? []), ...told.calls].slice(-EVENTS_MAX),
    costMs,
    falseAlarms: known?.falseAlarms ?? 0,
  }
}

/** A memory that was known already keeps its age and what use has made of it; its story is told anew. */
function metAgain(memory: Memory, known: Memory | undefined): Memory {
  if (!known) return memory
  if (memory.kind === 'summary') return mergeSessionSummaries(known, memory)
  return {
    ...known,
    content: memory.content,
    lessons: memory.lessons,
    updated: memory.updated,
    outcome: memory.outcome,
    status: 'active',
    files: [...new Set([...memory.files, ...known.files])].slice(0, 20),
    // In the session that made it, it is not made a second time.
    sessionCount: known.sessionCount + (known.session === memory.session ? 0 : 1),
    lesson: memory.lesson,
    editedFiles: memory.editedFiles,
    events: [...new Set([...known.events, ...memory.events])].slice(-EVENTS_MAX),
  }
}

/** The same memory made twice in one part (a preference said twice) is one; the later telling stands. */
function once(memories: readonly Memory[]): Memory[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()]
}
