// Failure → fix: an error, what was tried in vain, and what made the same command pass.
//
//   npm test ✗   edit a.js   npm test ✗   npm run build   npm test ✓
//   └ failure    └ in vain ──┘            └ the fix ─────┘
//
// What lies between the last failure and the success is the fix; what lay between two failures did not help.
import { type CallResult, callCommand, type EventOf } from '../model/event.ts'
import type { Lesson, LessonFix, LessonStep } from '../model/lesson.ts'
import { commandFamily } from '../text/command.ts'
import { isGenericError, salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { jaccard } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

export interface FailureEpisode {
  /** Every failure of this kind in the session, oldest first; the last one is the one that was mended. */
  readonly failures: readonly EventOf<'call.failed'>[]
  readonly failedAttempts: readonly EpisodeStep[]
  readonly fix?: EpisodeFix | undefined
}

/** Something done between two runs, with the files it names. */
interface EpisodeStep extends LessonStep {
  readonly files: readonly string[]
}

interface EpisodeFix extends LessonFix {
  readonly steps: readonly EpisodeStep[]
  readonly passed: EventOf<'call.succeeded'>
}

/** Steps kept of a fix or of vain attempts: more is a diary, not a lesson. */
const STEPS_MAX = 4

/** Calls kept of a lesson. */
const CALLS_MAX = 20

/** How many calls after a failure another command may count as done instead of it. */
const INSTEAD_CALLS = 4

/** From this likeness of words up a command was meant to do what the failed one should have done. */
const INSTEAD_LIKENESS = 0.4

const LOOKING_TOOLS = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch'])
const EDITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

/** The stories of a session's specific failures, in the order of their last failure. Each agent's calls stand for themselves. */
export function findFailureEpisodes(calls: readonly CallResult[]): FailureEpisode[] {
  const stories = new Map<string, FailureEpisode>()
  calls.forEach((call, at) => {
    if (call.kind !== 'call.failed' || call.interrupted || isGenericError(call.error) || !call.errorSignature) return
    // A look that found nothing is no trouble: the next look is elsewhere.
    if (LOOKING_TOOLS.has(call.tool) || LOOKING.test(call.commandShape ?? '')) return
    const key = `${call.agentId ?? ''}|${call.errorSignature}|${callAim(call)}`
    const before = stories.get(key)
    const since = before ? stepsBetween(calls, calls.indexOf(before.failures.at(-1)!) + 1, at, call) : []
    stories.delete(key) // A story stands where its last failure stands.
    stories.set(key, {
      failures: [...(before?.failures ?? []), call],
      failedAttempts: [...(before?.failedAttempts ?? []), ...since].slice(-STEPS_MAX),
      fix: fixAfter(calls, at, call),
    })
  })
  return [...stories.values()]
}

/** What a call is for: a command's family, else the tool and its file. Two calls of one aim are the same thing tried again. */
export function callAim(call: CallResult): string {
  const command = callCommand(call)
  return command ? `${call.tool} ${commandFamily(command)}` : `${call.tool} ${call.files[0] ?? ''}`.trim()
}

/** What made it pass: the first success of the same aim, unless it fails in the same way before. */
function fixAfter(calls: readonly CallResult[], at: number, failed: EventOf<'call.failed'>): EpisodeFix | undefined {
  for (let i = at + 1; i < calls.length; i++) {
    const call = calls[i]!
    if (call.agentId !== failed.agentId) continue
    if (callAim(call) === callAim(failed)) {
      if (call.kind === 'call.failed') {
        // The same error again is the next failure's story; another error means this one is mended already.
        if (call.errorSignature === failed.errorSignature) return undefined
        continue
      }
      const steps = stepsBetween(calls, at + 1, i, failed)
      const changed = callCommand(call) !== callCommand(failed)
      const sent = steps.length === 0 && !changed ? stepsSent(calls, at + 1, i, failed) : []
      if (sent.length > 0) return { kind: 'steps', steps: collapsed(sent), passed: call }
      if (steps.length === 0)
        return { kind: changed ? 'instead' : 'again', steps: changed ? [insteadStep(call)] : [], passed: call }
      return { kind: 'steps', steps: collapsed(steps), passed: call }
    }
    if (i - at <= INSTEAD_CALLS && isInstead(call, failed))
      return { kind: 'instead', steps: [insteadStep(call)], passed: call }
  }
  return undefined
}

/** The call that did it instead, whatever it is: here even a look counts. */
const insteadStep = (call: CallResult): EpisodeStep =>
  callCommand(call)
    ? { kind: 'command', what: firstLine(callCommand(call), 160), files: call.files }
    : (stepOf(call) ?? { kind: 'edit', what: callAim(call), files: call.files })

/** Whether a command that succeeded did what the failed one was meant to do: the same words, put in another way. */
function isInstead(call: CallResult, failed: CallResult): call is EventOf<'call.succeeded'> {
  if (call.kind !== 'call.succeeded' || !callCommand(call) || !callCommand(failed)) return false
  return (
    jaccard(new Set(extractTerms(callCommand(call))), new Set(extractTerms(callCommand(failed)))) >= INSTEAD_LIKENESS
  )
}

/** What the same agent changed or ran with success between two calls; looking around is no step. */
function stepsBetween(calls: readonly CallResult[], from: number, to: number, failed: CallResult): EpisodeStep[] {
  return calls.slice(from, to).flatMap((call) => {
    if (call.kind !== 'call.succeeded' || call.agentId !== failed.agentId || callAim(call) === callAim(failed))
      return []
    const step = stepOf(call)
    return step ? [step] : []
  })
}

/** What the agents did meanwhile that the main conversation sent: where it did nothing itself, they mended it. */
function stepsSent(calls: readonly CallResult[], from: number, to: number, failed: CallResult): EpisodeStep[] {
  if (failed.agentId !== undefined) return []
  return calls.slice(from, to).flatMap((call) => {
    const step = call.kind === 'call.succeeded' && call.agentId !== undefined ? stepOf(call) : undefined
    return step && callAim(call) !== callAim(failed) ? [step] : []
  })
}

/** Several edits of one file are one step: the file, with what was first written there. */
function collapsed(steps: readonly EpisodeStep[]): EpisodeStep[] {
  return [...new Map(steps.toReversed().map((step) => [step.what, step])).values()].reverse().slice(-STEPS_MAX)
}

/** Commands that change nothing: they look, print or move about. */
const LOOKING =
  /^(ls|cat|head|tail|grep|rg|find|pwd|cd|echo|which|wc|sed -n|git (status|log|diff|show|branch)|tree|file|stat|ps|env|type)\b/

function stepOf(call: CallResult): EpisodeStep | undefined {
  const command = callCommand(call)
  if (command) {
    const shape = call.commandShape ?? command
    return LOOKING.test(shape) ? undefined : { kind: 'command', what: firstLine(command, 160), files: call.files }
  }
  if (!EDITING.has(call.tool) || call.files.length === 0) return undefined
  const text = call.input['new_string'] ?? call.input['content']
  const detail = typeof text === 'string' ? tellingDetail(text) : undefined
  return { kind: 'edit', what: call.files[0]!, files: call.files, detail }
}

/** The first line of new text that says something by itself: a fragment like `620))` does not. */
function tellingDetail(text: string): string | undefined {
  const line = text.split('\n').find((one) => one.trim().length >= 12 && /[\p{L}]{3}/u.test(one))
  return line === undefined ? undefined : firstLine(line, 120)
}

/** What the story says of its error. */
export function lessonFromEpisode({ failures, failedAttempts: inVain, fix }: FailureEpisode): Lesson {
  const first = failures[0]
  const failed = failures.at(-1)
  if (!first || !failed) throw new Error('a failure story has no failure')
  const command = callCommand(failed)
  return {
    ...(command ? { command: firstLine(command, 120) } : { target: `${failed.tool} ${failed.files[0] ?? ''}`.trim() }),
    error: firstLine(salientLine(failed.error), 200),
    ...(fix && { fix: { kind: fix.kind, steps: fix.steps.map(withoutFiles) } }),
    failedAttempts: inVain.map(withoutFiles),
    calls: failures.map((failure) => failure.call).slice(-CALLS_MAX),
    costMs: fix ? Date.parse(fix.passed.at) - Date.parse(first.at) : 0,
    falseAlarms: 0,
  }
}

const withoutFiles = ({ files: _, ...step }: EpisodeStep): LessonStep => step

/** The lesson as a note: what fails, with which words, what fixed it, what did not. */
export function formatLesson({ command, target = '', error, fix, failedAttempts }: Lesson): string {
  const lines = [`${command === undefined ? target : `\`${command}\``} failed: ${error}`]
  lines.push(fix ? formatFix(fix) : 'No fix is known yet.')
  const attempts = new Set(failedAttempts.map(stepText))
  if (attempts.size > 0) lines.push(`Did not help: ${[...attempts].join('; ')}.`)
  return lines.join('\n')
}

/** The fix in one sentence. */
export function formatFix(fix: LessonFix): string {
  switch (fix.kind) {
    case 'again':
      return 'Fix: run again, it passed without any change.'
    case 'instead':
      return `Fix: use ${fix.steps.map(stepText).join(', then ')} instead.`
    case 'steps':
      return `Fix: ${fix.steps.map(stepText).join(', then ')}.`
  }
}

function stepText(step: LessonStep): string {
  if (step.kind === 'command') return `\`${step.what}\``
  return step.detail ? `edit ${step.what} (${step.detail})` : `edit ${step.what}`
}
