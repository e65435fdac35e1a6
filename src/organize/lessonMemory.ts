// Lessons over sessions: the failure episodes of a session are added to what is known of each error.
//
// The fix is decided by majority: every way that worked is counted once per session, and what two sessions both did is
// what mattered.
import type { Conversation } from '../model/conversation.ts'
import type { CallResult } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { FixCandidate, Lesson, LessonFix, LessonStep } from '../model/lesson.ts'
import { type Memory, type MemoryMap, newMemory } from '../model/memory.ts'
import { audienceOf } from '../model/privacy.ts'
import { coreCommand } from '../text/command.ts'
import { truncateMiddle } from '../text/excerpt.ts'
import { deriveMemoryId } from './derivedId.ts'
import { formatFix, formatLesson, lessonFromEpisode, stepText } from './episodeLesson.ts'
import { callAim } from './episodeSteps.ts'
import type { FailureEpisode } from './failureEpisodes.ts'

const EVENTS_MAX = 20
const SESSIONS_MAX = 20
const CANDIDATES_MAX = 4

/**
 * The episodes as lessons: one for each error, aim and audience, over all its agents, in the order of the last episode.
 */
export function extractLessons(episodes: readonly FailureEpisode[], known: MemoryMap): Memory[] {
  const lessons = new Map<string, Memory>()
  for (const { episode, origin } of episodes.flatMap(splitByAudience)) {
    const { errorSignature, subject, lastFailure } = episode
    const audience = audienceOf(origin)
    const names = [subject, audience && `role ${audience}`].filter((name) => name !== '')
    const id = deriveMemoryId('lesson', errorSignature, callAim(lastFailure), ...names)
    const lesson = { ...toLessonMemory(id, episode, lessons.get(id) ?? known.get(id)), ...visibilityOf(origin) }
    lessons.delete(id) // Deleted first, so that the map is in the order of the last episodes.
    lessons.set(id, lesson)
  }
  return [...lessons.values()]
}

/** An episode, and the call whose agents may see it. */
interface VisibleEpisode {
  readonly episode: FailureEpisode
  readonly origin: CallResult
}

/**
 * The main thread and each role have lessons of their own. A failure that subagents fixed is known to everyone who may
 * see the failure, and its fix to their role.
 */
function splitByAudience(episode: FailureEpisode): VisibleEpisode[] {
  const { lastFailure, fix } = episode
  if (fix?.by === undefined) return [{ episode, origin: lastFailure }]
  return [
    { episode: { ...episode, fix: undefined }, origin: lastFailure },
    { episode, origin: fix.by },
  ]
}

const visibilityOf = ({ privacy, role }: CallResult): Pick<Memory, 'privacy' | 'role'> => ({ privacy, role })

/** An episode as a lesson memory; `before` is the memory of the same error and aim, if there is one. */
function toLessonMemory(id: MemoryId, episode: FailureEpisode, before: Memory | undefined): Memory {
  const { failures, lastFailure, fix } = episode
  const lesson = mergeLessons(episode, before)
  return newMemory({
    id,
    kind: 'lesson',
    content: truncateMiddle(formatLesson(lesson), 1_500),
    lessons: lesson.fix ? [formatFix(lesson.fix)] : [],
    lesson,
    created: lastFailure.at,
    updated: (fix?.passed ?? lastFailure).at,
    session: lastFailure.session,
    taskId: lastFailure.taskId,
    agentId: lastFailure.agentId,
    files: [...new Set([...lastFailure.files, ...(fix?.steps.flatMap((step) => step.files) ?? [])])].slice(0, 12),
    commandShape: lastFailure.commandShape,
    errorSignature: episode.errorSignature,
    outcome: lesson.fix ? 'success' : 'failure',
    events: [...failures.map((failure) => failure.id), ...(fix ? [fix.passed.id] : [])].slice(-EVENTS_MAX),
  })
}

/** The lesson of the episode with what was known: the fix that worked in most sessions, and all calls and sessions. */
function mergeLessons(episode: FailureEpisode, before: Memory | undefined): Lesson {
  const { session, agentId, at } = episode.lastFailure
  const known = before?.lesson
  const latest = lessonFromEpisode(episode)
  const met = { session, agentId, at: episode.fix?.passed.at ?? at }
  const candidates = mergeCandidates(knownCandidates(before), latest.fix, met)
  const fix = candidates[0]?.fix
  const isLatest = fix === undefined || fix === latest.fix
  // The command and the error that belong to the fix.
  const { command, target, error } = isLatest || known === undefined ? latest : known
  const done = new Set(fix?.steps.map(stepText))
  const earlier = known?.calls ?? []
  const sessions = known?.sessions ?? (before?.session === undefined ? [] : [before.session])
  return {
    ...(command === undefined ? { target } : { command }),
    error,
    ...(fix && { fix, candidates }),
    sessions: [...sessions.filter((other) => other !== session), session].slice(-SESSIONS_MAX),
    lastMet: at,
    ...(episode.subject !== '' && { subject: episode.subject }),
    failedAttempts: (isLatest ? latest : (known ?? latest)).failedAttempts.filter((step) => !done.has(stepText(step))),
    failures:
      (known?.failures ?? earlier.length) + episode.failures.filter(({ call }) => !earlier.includes(call)).length,
    calls: [...new Set([...earlier, ...latest.calls])].slice(-EVENTS_MAX),
    // For a known fix: the time that it took to find it.
    costMs: isLatest || known === undefined ? latest.costMs : known.costMs,
    falseAlarms: known?.falseAlarms ?? 0,
  }
}

/** The candidates of a lesson; those of an older version have one, which is its fix. */
function knownCandidates(before: Memory | undefined): readonly FixCandidate[] {
  const { lesson, session = '', updated = '' } = before ?? {}
  if (lesson?.fix === undefined) return []
  return lesson.candidates ?? [{ fix: lesson.fix, sessions: 1, lastSession: session, last: updated }]
}

/** The candidates with this session's fix counted, best first. */
function mergeCandidates(
  known: readonly FixCandidate[],
  fix: LessonFix | undefined,
  { session, agentId, at }: Conversation & { readonly at: string },
): readonly FixCandidate[] {
  if (fix === undefined) return known
  const index = known.findIndex((candidate) => commonFix(candidate.fix, fix) !== undefined)
  const match = known[index]
  const counted: FixCandidate = {
    fix: match === undefined ? fix : (commonFix(match.fix, fix) ?? fix),
    sessions: (match?.sessions ?? 0) + (match?.lastSession === session ? 0 : 1),
    lastSession: session,
    lastAgentId: agentId,
    last: at,
  }
  const others = known.filter((_, i) => i !== index)
  return [counted, ...others].sort(compareCandidates).slice(0, CANDIDATES_MAX)
}

/**
 * More sessions first, then the newer one. That a call passed when it was repeated says little: somebody may have
 * applied a fix in between. So this comes first only if it happened in more sessions.
 */
function compareCandidates(a: FixCandidate, b: FixCandidate): number {
  if (a.sessions !== b.sessions) return b.sessions - a.sessions
  if ((a.fix.kind === 'again') !== (b.fix.kind === 'again')) return a.fix.kind === 'again' ? 1 : -1
  return a.last < b.last ? 1 : a.last > b.last ? -1 : 0
}

/** What two fixes of the same kind have in common if one has every step of the other; the later one's details. */
function commonFix(known: LessonFix, latest: LessonFix): LessonFix | undefined {
  if (known.kind !== latest.kind) return undefined
  const names = (fix: LessonFix): ReadonlySet<string> => new Set(fix.steps.map(stepName))
  const [before, now] = [names(known), names(latest)]
  if ([...before].every((name) => now.has(name)))
    return before.size === now.size
      ? latest
      : { ...latest, steps: latest.steps.filter((step) => before.has(stepName(step))) }
  return [...now].every((name) => before.has(name)) ? latest : undefined
}

/** The same step in two sessions: the same file, or the same command in any folder, whatever numbers it has. */
const stepName = ({ kind, what }: LessonStep): string =>
  `${kind} ${kind === 'command' ? coreCommand(what).replace(/\b(?=[0-9a-f]*\d)[0-9a-f]+\b/g, '#') : what}`
