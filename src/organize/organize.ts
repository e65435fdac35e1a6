// Macro-organize: a session's events become memories, and those known already are met again.
//
// Pure: the same events, the same known memories and the same policy give the same result, so that a rebuild from the
// log comes to what the sessions came to one by one.

import type { MemoryId } from '../model/id.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { headAndTail } from '../text/excerpt.ts'
import { experiencesOf } from './experience.ts'
import { derivedId } from './identity.ts'
import { aimOf, type FailureStory, failureStories, fixText, lessonText } from './lesson.ts'
import type { Known, SessionPart } from './part.ts'
import { passedBy } from './passed.ts'
import { sayingsOf } from './saying.ts'
import { continued, summaryOf } from './summary.ts'
import { callsOf, tasksOf } from './task.ts'
import { weighed } from './weigh.ts'

const EVENTS_MAX = 20

/** The memories a session part makes or changes, each whole. */
export function organize(part: SessionPart, known: Known, policy: Policy): Memory[] {
  const told = part.events.filter((event) => event.kind !== 'recalled')
  if (told.length === 0) return []
  const tasks = tasksOf(told)
  const stories = failureStories(callsOf(told))
  const summary = summaryOf(part.session, told, tasks, stories)
  const made = [
    ...tasks.flatMap((task, i) => [...sayingsOf(task, tasks[i - 1]), ...experiencesOf(task, tasks[i + 1])]),
    ...lessonsOf(stories, known),
    ...(summary ? [summary] : []),
  ]
  const met = once(made).map((memory) => metAgain(memory, known.get(memory.id)))
  const changed = new Map(weighed(met, part, known, policy).map((memory) => [memory.id, memory]))
  for (const { id, metadata } of passedBy({ ...part, events: told }, known, new Set(met.map((memory) => memory.id)))) {
    changed.set(id, { ...(changed.get(id) ?? known.get(id)!), metadata })
  }
  return [...changed.values()]
}

/** The stories as lessons. One lesson an error and aim, over all agents and all sessions: it comes back better told. */
function lessonsOf(stories: readonly FailureStory[], known: Known): Memory[] {
  const lessons = new Map<string, Memory>()
  for (const story of stories) {
    const failed = story.failures.at(-1)!
    const id = derivedId('lesson', failed.errorSignature!, aimOf(failed))
    const lesson = lessonOf(id, story, lessons.get(id) ?? known.get(id))
    lessons.delete(id) // Where it was met last, there it stands.
    lessons.set(id, lesson)
  }
  return [...lessons.values()]
}

/** A failure story as a lesson; `before` is what is known of the same error and aim. */
function lessonOf(id: MemoryId, story: FailureStory, before: Memory | undefined): Memory {
  const failed = story.failures.at(-1)!
  const fixed = story.fix !== undefined
  const again = story.fix?.kind === 'again'
  // That it passed when run again teaches nothing: somebody else may have mended it meanwhile, in the way that is known.
  const keepsOld = before?.metadata['fixed'] === true && (!fixed || (again && before.metadata['again'] !== true))
  return newMemory({
    id,
    kind: 'lesson',
    content: keepsOld ? before.content : headAndTail(lessonText(story), 1_500),
    lessons: story.fix && !keepsOld ? [fixText(story.fix)] : (before?.lessons ?? []),
    created: failed.at,
    updated: (story.fix?.passed ?? failed).at,
    session: failed.session,
    taskId: failed.taskId,
    agentId: failed.agentId,
    role: failed.role,
    files: [...new Set([...failed.files, ...(story.fix?.steps.flatMap((step) => step.files) ?? [])])].slice(0, 12),
    commandShape: failed.commandShape,
    errorSignature: failed.errorSignature,
    outcome: fixed || keepsOld ? 'success' : 'failure',
    // A lesson is for everyone in the project, whoever learnt it.
    privacy: 'public',
    metadata: {
      fixed: fixed || keepsOld,
      calls: story.failures.map((failure) => failure.call).slice(-EVENTS_MAX),
      costMs: costOf(story, keepsOld ? before : undefined),
      ...againMark(again && !keepsOld, fixed, before),
    },
    events: [...story.failures.map((failure) => failure.id), ...(story.fix ? [story.fix.passed.id] : [])].slice(
      -EVENTS_MAX,
    ),
  })
}

/** Milliseconds from the first failure to the fix; of a fix that was known already, what finding it took. */
function costOf(story: FailureStory, kept: Memory | undefined): unknown {
  if (!story.fix) return 0
  return kept?.metadata['costMs'] ?? Date.parse(story.fix.passed.at) - Date.parse(story.failures[0]!.at)
}

/** Marks a lesson whose fix is no more than running it again, and takes the mark from one that knows better by now. */
function againMark(again: boolean, fixed: boolean, before: Memory | undefined): Record<string, boolean> {
  if (again) return { again }
  return fixed && before?.metadata['again'] === true ? { again } : {}
}

/** A memory that was known already keeps its age and what use has made of it; its story is told anew. */
function metAgain(memory: Memory, known: Memory | undefined): Memory {
  if (!known) return memory
  if (memory.kind === 'summary') return continued(known, memory)
  return {
    ...known,
    content: memory.content,
    lessons: memory.lessons,
    updated: memory.updated,
    outcome: memory.outcome,
    status: 'active',
    files: [...new Set([...memory.files, ...known.files])].slice(0, 20),
    metadata: {
      ...known.metadata,
      ...memory.metadata,
      calls: joined(known.metadata['calls'], memory.metadata['calls']),
      sessions: sessionsMet(known, memory),
    },
    events: [...new Set([...known.events, ...memory.events])].slice(-EVENTS_MAX),
  }
}

/** In how many sessions it has been met. */
function sessionsMet(known: Memory, memory: Memory): number {
  const before = typeof known.metadata['sessions'] === 'number' ? known.metadata['sessions'] : 1
  return known.session === memory.session ? before : before + 1
}

const joined = (a: unknown, b: unknown): unknown[] =>
  [...(Array.isArray(a) ? a : []), ...(Array.isArray(b) ? b : [])].slice(-EVENTS_MAX)

/** The same memory made twice in one part (a preference said twice) is one; the later telling stands. */
function once(memories: readonly Memory[]): Memory[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()]
}
