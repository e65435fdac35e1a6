// At a failure only what is known of this very failure: a lesson with the same error, or with the same command and
// another one that works. Likeness of words is no reason: none of ten such notes was useful.
import type { Lesson } from '../model/lesson.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { firstLine } from '../text/excerpt.ts'
import { oneLineCommandCore } from '../text/fixSteps.ts'
import type { RecallCandidate } from './recallCandidate.ts'
import type { RecallFocus } from './recallFocus.ts'

/** The failed call, or what a prompt quotes of one. */
export interface FailureText {
  /** Empty for a tool without a command. */
  readonly command: string
  readonly error: string
}

export function focusOnFailure<Candidate extends RecallCandidate>(
  candidates: readonly Candidate[],
  query: RecallQuery,
  failure: FailureText,
): RecallFocus<Candidate> {
  return {
    candidates: candidates.filter(({ memory, match }) => match.error > 0 || match.command > 0 || isWritten(memory)),
    isWorth: (memory) => isAboutFailure(memory, query, failure),
    // The rule above is stricter than any likeness.
    limits: { relevanceMin: 0 },
  }
}

/** Whether the memory is about this failure. */
export function isAboutFailure(memory: Memory, query: RecallQuery, failure: FailureText): boolean {
  const { errorSignature, lesson } = memory
  const isSameError = errorSignature !== undefined && errorSignature === query.errorSignature
  if (lesson === undefined) return isSameError || (isWritten(memory) && namesFailure(memory.content, failure))
  if (lesson.fix === undefined) return false
  if (isSameError) return !isEditElsewhere(lesson, query, failure)
  // Another error of the same command has another cause, unless the command itself was replaced.
  return lesson.fix.kind === 'instead' && isSameCommand(lesson, failure.command)
}

const isWritten = ({ kind }: Pick<Memory, 'kind'>): boolean =>
  kind === 'entry' || kind === 'preference' || kind === 'decision'

/** Characters of a command or an error line that a text must contain to be about them. */
const NAMED_CHARS = 60

function namesFailure(content: string, { command, error }: FailureText): boolean {
  const core = oneLineCommandCore(command)
  const line = error.split('\n').find((each) => each.trim().length >= 20)
  return [core, line?.trim()].some(
    (part) => part !== undefined && part.length > 3 && content.includes(part.slice(0, NAMED_CHARS)),
  )
}

/** The command, as far as a lesson stores it, up to what does not change its meaning. */
function isSameCommand({ command }: Lesson, failed: string): boolean {
  if (command === undefined || failed === '') return false
  if (command === firstLine(failed, 120)) return true
  const core = oneLineCommandCore(command)
  return core !== undefined && core === oneLineCommandCore(failed)
}

/** The fix only edited files that this failure does not name: that is the history of other work. */
function isEditElsewhere({ fix }: Lesson, { files }: RecallQuery, { error, command }: FailureText): boolean {
  if (fix === undefined || fix.steps.length === 0 || fix.steps.some(({ kind }) => kind !== 'edit')) return false
  return !fix.steps.some(({ what }) => {
    const name = what.slice(what.lastIndexOf('/') + 1)
    return files.includes(what) || error.includes(name) || command.includes(name)
  })
}
