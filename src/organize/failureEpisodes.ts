// Failure episodes: an error, what was tried without success, and what made the same command pass.
//
//   npm test ✗   edit a.js   npm test ✗   npm run build   npm test ✓
//   └ failure    └ failed attempt ┘       └ fix ────────┘
//
// What was done between the last failure and the success is the fix; what was done between two failures did not help.
import { type CallResult, callCommand, type EventOf } from '../model/event.ts'
import type { LessonFix } from '../model/lesson.ts'
import { audienceOf } from '../model/privacy.ts'
import { coreCommand, isCheckCommand } from '../text/command.ts'
import { findNamedError, splitErrorLines } from '../text/errorLines.ts'
import { errorSubject, isGenericError, salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { jaccard } from '../text/similarity.ts'
import { givesUp, hidesExitStatus, skipsChecks, withoutSurroundings } from '../text/uncheckedCommand.ts'
import {
  COMMAND_CHARS_MAX,
  callAim,
  changesState,
  isFruitlessLookup,
  isLookup,
  isRepeatable,
  listSteps,
  listSubagentSteps,
  mergeEdits,
  STEPS_MAX,
} from './episodeSteps.ts'
import { type EpisodeStep, selectRelatedSteps, USAGE_ERROR } from './relatedSteps.ts'

type FailedCall = EventOf<'call.failed'>

export interface FailureEpisode {
  readonly errorSignature: string
  /** What tells failures of a general signature apart; empty if the signature is specific enough. */
  readonly subject: string
  /** Every failure with this signature and aim in the session, oldest first; the last one is `lastFailure`. */
  readonly failures: readonly FailedCall[]
  readonly lastFailure: FailedCall
  readonly failedAttempts: readonly EpisodeStep[]
  /** What fixed the last failure; undefined if nothing did. */
  readonly fix?: EpisodeFix | undefined
}

interface EpisodeFix extends LessonFix {
  /** A call of the subagents that did the steps, if they are for another audience than the failure. */
  readonly by?: CallResult | undefined
  readonly steps: readonly EpisodeStep[]
  readonly passed: EventOf<'call.succeeded'>
}

/** How many calls after a failure another command may count as its replacement. */
const REPLACEMENT_CALLS_MAX = 4

/** Minimum similarity of words, 0 to 1, for a command to count as a replacement of the failed one. */
const REPLACEMENT_SIMILARITY = 0.5

/** Commands that tidy up: what they leave does not replace what failed. */
const TIDYING_COMMAND = /^(?:rm|mv|cp|kill|pkill|touch|mkdir|chmod)\b/

/** The episodes of specific errors, in the order of their last failure. The calls of each agent are separate. */
export function findFailureEpisodes(calls: readonly CallResult[]): FailureEpisode[] {
  const episodes = new Map<string, FailureEpisode>()
  calls.forEach((call, index) => {
    if (call.kind !== 'call.failed' || call.interrupted || isGenericError(call.error) || !call.errorSignature) return
    // A lookup without a result is not a problem: the next lookup goes somewhere else.
    if (isFruitlessLookup(call)) return
    const subject = errorSubject(call.errorSignature, call.error)
    const key = `${call.agentId ?? ''}|${call.errorSignature}|${callAim(call)}|${subject}`
    const before = episodes.get(key)
    // What was done before the call passed did help; what was done since did not.
    const since = before?.fix?.passed ?? before?.lastFailure
    const attempts = since ? listSteps(calls.slice(calls.indexOf(since) + 1, index), call) : []
    const failedAttempts = [...(before?.failedAttempts ?? []), ...attempts].slice(-STEPS_MAX)
    const fix = findFix(calls.slice(index + 1), call)
    episodes.delete(key) // Deleted first, so that the map is in the order of the last failures.
    episodes.set(key, {
      errorSignature: call.errorSignature,
      subject,
      failures: [...(before?.failures ?? []), call],
      lastFailure: call,
      failedAttempts,
      fix: fix && withoutFailedAttempts(fix, failedAttempts),
    })
  })
  return [...episodes.values()]
}

/** The fix without what had been tried before and did not help; undefined if nothing else is left of it. */
function withoutFailedAttempts(fix: EpisodeFix, attempts: readonly EpisodeStep[]): EpisodeFix | undefined {
  const tried = new Set(attempts.map(({ what, detail }) => `${what}|${detail ?? ''}`))
  const steps = fix.steps.filter(({ what, detail }) => !tried.has(`${what}|${detail ?? ''}`))
  return steps.length === 0 && fix.steps.length > 0 ? undefined : { ...fix, steps }
}

/** What led to the first success with the same aim among the later calls; undefined if the same error comes first. */
function findFix(later: readonly CallResult[], failed: FailedCall): EpisodeFix | undefined {
  for (const [index, call] of later.entries()) {
    if (call.agentId !== failed.agentId) continue
    if (callAim(call) === callAim(failed)) {
      if (call.kind === 'call.succeeded') {
        const command = callCommand(call)
        // What passes only because a check is skipped shows nothing; neither does giving up, nor a hidden failure.
        if (skipsMore(call, failed) || (givesUp(command) && !givesUp(callCommand(failed)))) return undefined
        if (!hidesFailure(call)) {
          const fix = describeFix(later.slice(0, index), call, failed)
          if (fix !== OTHER_PURPOSE) return fix
        }
      }
      // The same error again belongs to the next failure; another error means that this one is fixed already.
      if (call.kind === 'call.failed' && hasSameError(call, failed)) return undefined
    } else if (index < REPLACEMENT_CALLS_MAX && isReplacement(call, failed)) {
      return { kind: 'instead', steps: [replacementStep(call)], passed: call }
    }
  }
  return undefined
}

const hasSameError = (call: FailedCall, failed: FailedCall): boolean =>
  call.errorSignature === failed.errorSignature && subjectOf(call) === subjectOf(failed)

const subjectOf = ({ errorSignature = '', error }: FailedCall): string => errorSubject(errorSignature, error)

/** Whether a call that succeeded skips a check that the failed one did not skip. */
const skipsMore = (call: CallResult, failed: CallResult): boolean =>
  skipsChecks(callCommand(call)) && !skipsChecks(callCommand(failed))

/** Whether a call that succeeded printed an error, and its exit status was another command's. */
function hidesFailure(call: EventOf<'call.succeeded'>): boolean {
  const command = callCommand(call)
  if (!isCheckCommand(command) || !hidesExitStatus(command)) return false
  return (
    /\bexit(?: code| status)?[:= ]+[1-9]/i.test(call.output) ||
    findNamedError(splitErrorLines(call.output)) !== undefined
  )
}

/** The call that passed did something else, so it says nothing about the failure. */
const OTHER_PURPOSE = 'other purpose'

function describeFix(
  between: readonly CallResult[],
  passed: EventOf<'call.succeeded'>,
  failed: FailedCall,
): EpisodeFix | undefined | typeof OTHER_PURPOSE {
  const isSame = hasSameArguments(passed, failed)
  if (!isSame && isAboutCommand(failed, passed))
    return isSimilar(passed, failed) ? replacementFix(passed) : OTHER_PURPOSE
  // Nothing done in between makes a wrong option right; the folder may have been another one.
  if (USAGE_ERROR.test(salientLine(failed.error)) && !/command not found/i.test(failed.error)) return undefined
  const own = listSteps(between, failed)
  const helper = own.length > 0 ? undefined : between.findLast((call) => call.agentId !== undefined)
  const helped = helper ? between.filter((call) => audienceOf(call) === audienceOf(helper)) : []
  const { steps, isGuess } = selectRelatedSteps(own.length > 0 ? own : listSubagentSteps(helped, failed), failed)
  const by = helper && audienceOf(helper) !== audienceOf(failed) && { by: helper }
  // To delete something may lose work, so it takes more evidence.
  const isUnsure = isGuess || steps.every(({ what }) => TIDYING_COMMAND.test(what))
  if (steps.length > 0)
    return { kind: 'steps', steps: mergeEdits(steps), passed, ...(isUnsure && { isGuess: true }), ...by }
  if (own.length > 0 || callCommand(passed) === '') {
    const isRepeated = own.length === 0 && isSame && isUnchanged(between, passed, failed)
    return isRepeated ? { kind: 'again', steps: [], passed } : undefined
  }
  if (isSame) return isUnchanged(between, passed, failed) ? { kind: 'again', steps: [], passed } : undefined
  // Other arguments of a check check something else.
  if (isCheckCommand(callCommand(failed)) || !isSimilar(passed, failed)) return undefined
  const fix = replacementFix(passed)
  return fix && { ...fix, isGuess: true }
}

/** Whether the very same input passed although nothing between the two runs changed anything, and nobody spoke. */
function isUnchanged(between: readonly CallResult[], passed: CallResult, failed: FailedCall): boolean {
  if (JSON.stringify(inputOf(passed)) !== JSON.stringify(inputOf(failed))) return false
  return passed.taskId === failed.taskId && !between.some((call) => changesState(call, failed))
}

const inputOf = (call: CallResult): unknown => withoutSurroundings(callCommand(call)) || call.input

/** Whether the call is the failed one again: the same input; of a command, the same but for filters of its output. */
function hasSameArguments(call: CallResult, failed: FailedCall): boolean {
  const [command, other] = [callCommand(call), callCommand(failed)]
  if (command === '') return JSON.stringify(call.input) === JSON.stringify(failed.input)
  return command === other || (!other.includes('\n') && coreCommand(command) === coreCommand(other))
}

/** Whether the error is about the words of the command, and the call that passed does not have them. */
function isAboutCommand(failed: FailedCall, passed: CallResult): boolean {
  const [command, other] = [callCommand(failed), callCommand(passed)]
  if (command === '') return false
  if (USAGE_ERROR.test(failed.error)) return true
  const kept = new Set(other.split(/\s+/))
  return command
    .split(/\s+/)
    .some((word) => word.length > 3 && /[-./:]/.test(word) && !kept.has(word) && failed.error.includes(word))
}

/** The call that replaced the failed one, if a reader can repeat it. */
function replacementFix(passed: EventOf<'call.succeeded'>): EpisodeFix | undefined {
  return isRepeatable(callCommand(passed)) ? { kind: 'instead', steps: [replacementStep(passed)], passed } : undefined
}

const replacementStep = (call: CallResult): EpisodeStep => ({
  kind: 'command',
  what: withoutSurroundings(firstLine(callCommand(call), COMMAND_CHARS_MAX)),
  files: call.files,
  text: callCommand(call),
})

/** Whether a command that passed did what the failed one was meant to do: it uses much the same words. */
function isReplacement(call: CallResult, failed: CallResult): call is EventOf<'call.succeeded'> {
  const [command, other] = [callCommand(call), callCommand(failed)]
  if (call.kind !== 'call.succeeded' || other === '' || !isRepeatable(command)) return false
  if (skipsMore(call, failed) || hidesFailure(call) || isLookup(call)) return false
  if (TIDYING_COMMAND.test(call.commandShape ?? '')) return false
  const [words, failedWords] = [splitWords(coreCommand(command)), splitWords(coreCommand(other))]
  const [program = '', ...rest] = failedWords
  if (words[0] === program || rest.length === 0) return false
  // The same program in another place (`docker exec db psql`); without it, or another one, with the same arguments.
  const isMoved = words.includes(program) && isSimilar(call, failed)
  return isMoved || [words, words.slice(1)].some((other) => other.join(' ') === rest.join(' '))
}

function isSimilar(call: CallResult, failed: CallResult): boolean {
  const words = (other: CallResult): readonly string[] => splitWords(withoutSurroundings(callCommand(other)))
  return jaccard(words(call), words(failed)) >= REPLACEMENT_SIMILARITY
}

const splitWords = (command: string): readonly string[] =>
  command.split(/\s+/).filter((word) => word !== '' && !/^(?:[|&;]+|\\)$/.test(word))
