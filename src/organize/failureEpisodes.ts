// Failure episodes: an error, what was tried without success, and what made the same command pass.
//
//   npm test ✗   edit a.js   npm test ✗   npm run build   npm test ✓
//   └ failure    └ failed attempt ┘       └ fix ────────┘
//
// What was done between the last failure and the success is the fix; what was done between two failures did not help.
import { type CallResult, callCommand, EDIT_TOOLS, type EventOf } from '../model/event.ts'
import type { LessonFix, LessonStep } from '../model/lesson.ts'
import { commandFamily } from '../text/command.ts'
import { isGenericError } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { jaccard } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

type FailedCall = EventOf<'call.failed'>

export interface FailureEpisode {
  readonly errorSignature: string
  /** Every failure with this signature and aim in the session, oldest first; the last one is `lastFailure`. */
  readonly failures: readonly FailedCall[]
  readonly lastFailure: FailedCall
  readonly failedAttempts: readonly EpisodeStep[]
  /** What fixed the last failure; undefined if nothing did. */
  readonly fix?: EpisodeFix | undefined
}

/** Something done between two runs, with the files it names. */
export interface EpisodeStep extends LessonStep {
  readonly files: readonly string[]
}

interface EpisodeFix extends LessonFix {
  readonly steps: readonly EpisodeStep[]
  readonly passed: EventOf<'call.succeeded'>
}

/** Steps kept of a fix or of failed attempts: a longer list is a history, not a lesson. */
const STEPS_MAX = 4

/** How many calls after a failure another command may count as its replacement. */
const REPLACEMENT_CALLS_MAX = 4

/** Minimum similarity of terms, 0 to 1, for a command to count as a replacement of the failed one. */
const REPLACEMENT_SIMILARITY = 0.4

const LOOKUP_TOOLS = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch'])

/** Commands that change nothing: they read, print or change the directory. */
const LOOKUP_COMMAND =
  /^(ls|cat|head|tail|grep|rg|find|pwd|cd|echo|which|wc|sed -n|git (status|log|diff|show|branch)|tree|file|stat|ps|env|type)\b/

/** The episodes of specific errors, in the order of their last failure. The calls of each agent are separate. */
export function findFailureEpisodes(calls: readonly CallResult[]): FailureEpisode[] {
  const episodes = new Map<string, FailureEpisode>()
  calls.forEach((call, index) => {
    if (call.kind !== 'call.failed' || call.interrupted || isGenericError(call.error) || !call.errorSignature) return
    // A lookup without a result is not a problem: the next lookup goes somewhere else.
    if (LOOKUP_TOOLS.has(call.tool) || LOOKUP_COMMAND.test(call.commandShape ?? '')) return
    const key = `${call.agentId ?? ''}|${call.errorSignature}|${callAim(call)}`
    const before = episodes.get(key)
    const attempts = before ? listSteps(calls.slice(calls.indexOf(before.lastFailure) + 1, index), call) : []
    episodes.delete(key) // Deleted first, so that the map is in the order of the last failures.
    episodes.set(key, {
      errorSignature: call.errorSignature,
      failures: [...(before?.failures ?? []), call],
      lastFailure: call,
      failedAttempts: [...(before?.failedAttempts ?? []), ...attempts].slice(-STEPS_MAX),
      fix: findFix(calls.slice(index + 1), call),
    })
  })
  return [...episodes.values()]
}

/** What a call is for: a command's family, else the tool and its file. Calls with the same aim try the same thing. */
export function callAim(call: CallResult): string {
  const command = callCommand(call)
  return command ? `${call.tool} ${commandFamily(command)}` : `${call.tool} ${call.files[0] ?? ''}`.trim()
}

/** What led to the first success with the same aim among the later calls; undefined if the same error comes first. */
function findFix(later: readonly CallResult[], failed: FailedCall): EpisodeFix | undefined {
  for (const [index, call] of later.entries()) {
    if (call.agentId !== failed.agentId) continue
    if (callAim(call) === callAim(failed)) {
      if (call.kind === 'call.succeeded') return describeFix(later.slice(0, index), call, failed)
      // The same error again belongs to the next failure; another error means that this one is fixed already.
      if (call.errorSignature === failed.errorSignature) return undefined
    } else if (index < REPLACEMENT_CALLS_MAX && isReplacement(call, failed)) {
      return { kind: 'instead', steps: [replacementStep(call)], passed: call }
    }
  }
  return undefined
}

function describeFix(
  between: readonly CallResult[],
  passed: EventOf<'call.succeeded'>,
  failed: FailedCall,
): EpisodeFix {
  const steps = listSteps(between, failed)
  if (steps.length > 0) return { kind: 'steps', steps: mergeEdits(steps), passed }
  if (callCommand(passed) !== callCommand(failed)) return { kind: 'instead', steps: [replacementStep(passed)], passed }
  const delegated = listSubagentSteps(between, failed)
  return { kind: delegated.length > 0 ? 'steps' : 'again', steps: mergeEdits(delegated), passed }
}

/** The call that replaced the failed one, of any kind: here even a lookup counts. */
function replacementStep(call: CallResult): EpisodeStep {
  const command = callCommand(call)
  if (command) return { kind: 'command', what: firstLine(command, 160), files: call.files }
  return toStep(call) ?? { kind: 'edit', what: callAim(call), files: call.files }
}

/** Whether a command that passed did what the failed one was meant to do: it uses much the same words. */
function isReplacement(call: CallResult, failed: CallResult): call is EventOf<'call.succeeded'> {
  if (call.kind !== 'call.succeeded' || !callCommand(call) || !callCommand(failed)) return false
  const terms = (other: CallResult): ReadonlySet<string> => new Set(extractTerms(callCommand(other)))
  return jaccard(terms(call), terms(failed)) >= REPLACEMENT_SIMILARITY
}

/** What the agent of the failed call changed or ran with success; lookups and calls with the same aim are no steps. */
const listSteps = (calls: readonly CallResult[], failed: CallResult): EpisodeStep[] =>
  calls.flatMap((call) => (call.agentId === failed.agentId ? stepUnlessSameAim(call, failed) : []))

/** What subagents did for the main conversation: if it did nothing itself, they fixed its failure. */
const listSubagentSteps = (calls: readonly CallResult[], failed: CallResult): EpisodeStep[] =>
  failed.agentId === undefined
    ? calls.flatMap((call) => (call.agentId === undefined ? [] : stepUnlessSameAim(call, failed)))
    : []

function stepUnlessSameAim(call: CallResult, failed: CallResult): EpisodeStep[] {
  if (call.kind !== 'call.succeeded' || callAim(call) === callAim(failed)) return []
  const step = toStep(call)
  return step ? [step] : []
}

/** The last steps, several edits of one file merged into the first of them. */
function mergeEdits(steps: readonly EpisodeStep[]): EpisodeStep[] {
  return [...new Map(steps.toReversed().map((step) => [step.what, step])).values()].reverse().slice(-STEPS_MAX)
}

/** A call as a step; undefined for a lookup. */
function toStep(call: CallResult): EpisodeStep | undefined {
  const command = callCommand(call)
  if (command) {
    const isLookup = LOOKUP_COMMAND.test(call.commandShape ?? command)
    return isLookup ? undefined : { kind: 'command', what: firstLine(command, 160), files: call.files }
  }
  const [file] = call.files
  if (!EDIT_TOOLS.has(call.tool) || file === undefined) return undefined
  const text = call.input['new_string'] ?? call.input['content']
  const detail = typeof text === 'string' ? firstMeaningfulLine(text) : undefined
  return { kind: 'edit', what: file, files: call.files, detail }
}

/** The first line of new text that means something by itself: a fragment like `620))` does not. */
function firstMeaningfulLine(text: string): string | undefined {
  const line = text.split('\n').find((candidate) => candidate.trim().length >= 12 && /[\p{L}]{3}/u.test(candidate))
  return line === undefined ? undefined : firstLine(line, 120)
}
