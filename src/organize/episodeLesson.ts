// A failure episode as a lesson, and a lesson as the text of a memory.
import { callCommand } from '../model/event.ts'
import type { Lesson, LessonFix, LessonStep } from '../model/lesson.ts'
import { addressesReader } from '../text/addressesReader.ts'
import { commandFamily } from '../text/command.ts'
import { quotableError } from '../text/errorClass.ts'
import { salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { isPlainCommand, isPlainName } from '../text/plainName.ts'
import { withoutSurroundings } from '../text/uncheckedCommand.ts'
import type { FailureEpisode } from './failureEpisodes.ts'
import type { EpisodeStep } from './relatedSteps.ts'

/** Failed calls kept of a lesson. */
const CALLS_MAX = 20

/** The lesson of one episode. `costMs` is the time from the first failure to the fix. */
export function lessonFromEpisode({ failures, lastFailure, failedAttempts, fix }: FailureEpisode): Lesson {
  const command = callCommand(lastFailure)
  const startMs = Date.parse((failures[0] ?? lastFailure).at)
  return {
    ...(command
      ? { command: formatCommand(command) }
      : { target: `${lastFailure.tool} ${lastFailure.files.find(isPlainName) ?? ''}`.trim() }),
    error: firstLine(salientLine(lastFailure.error), 200),
    ...(fix && {
      fix: { kind: fix.kind, steps: fix.steps.map(toLessonStep), ...(fix.isGuess && { isGuess: fix.isGuess }) },
    }),
    failedAttempts: failedAttempts.map(toLessonStep),
    calls: failures.map((failure) => failure.call).slice(-CALLS_MAX),
    costMs: fix ? Date.parse(fix.passed.at) - startMs : 0,
    falseAlarms: 0,
  }
}

/** The command on one line; of a script of several lines only what it is for. */
function formatCommand(command: string): string {
  const own = withoutSurroundings(command)
  const line = firstLine(own, 120)
  return own.includes('\n') || !isPlainCommand(line) ? `${commandFamily(own) || firstWord(line)} …` : line
}

const firstWord = (line: string): string => /^[\w./-]{1,40}/.exec(line)?.[0] ?? ''

/** A step without names and lines that are sentences. */
function toLessonStep({ files: _, text: _text, detail, what, ...step }: EpisodeStep): LessonStep {
  const isPlain = step.kind === 'edit' ? isPlainName(what) : isPlainCommand(what)
  const shown = isPlain ? what : step.kind === 'edit' ? 'a file' : `${commandFamily(what) || firstWord(what)} …`
  return { ...step, what: shown, ...(detail !== undefined && isPlain && !addressesReader(detail) && { detail }) }
}

/**
 * The lesson as text, the action first. What worked in two sessions is a rule: "Run `a` first: `b` failed with “…” (3
 * sessions, last 2026-01-12)." What worked in one is reported: "Once (2026-01-12): `a` made `b` pass …".
 */
export function formatLesson(lesson: Lesson): string {
  const { fix, candidates, failedAttempts } = lesson
  const lines = [fix === undefined ? formatOpenLesson(lesson) : formatFixedLesson(lesson, fix)]
  const [, other] = candidates ?? []
  if (other?.fix.steps.every(({ kind }) => kind === 'command') && other.fix.steps.length > 0)
    lines.push(`Also worked (${formatCount(other.sessions)}): ${formatSteps(other.fix)}.`)
  const attempts = new Set(failedAttempts.filter(({ kind }) => kind === 'command').map(stepText))
  if (attempts.size > 0) lines.push(`Did not help: ${[...attempts].slice(0, 2).join('; ')}.`)
  return lines.join('\n')
}

function formatFixedLesson(lesson: Lesson, fix: LessonFix): string {
  const call = formatCall(lesson)
  const error = `“${quotableError(lesson.error)}”`
  const evidence = formatEvidence(lesson)
  const steps = formatSteps(fix)
  if (!isRule(lesson)) {
    const at = lesson.candidates?.[0]?.last ?? lesson.lastMet
    const once = `Once${at ? ` (${at.slice(0, 10)})` : ''}: `
    const more = (lesson.sessions ?? []).length > 1 ? evidence : ''
    if (fix.kind === 'again') return `${once}${call} failed with ${error} and passed when it was run again${more}.`
    if (fix.kind === 'instead') return `${once}${steps} worked where ${call} had failed with ${error}${more}.`
    const cause = fix.steps[0]?.kind === 'edit' ? steps.replace(/^edit/, 'an edit of') : steps
    return `${once}${cause} made ${call} pass, which had failed with ${error}${more}.`
  }
  if (fix.kind === 'again') return `Run ${call} again: it failed with ${error} and then passed unchanged${evidence}.`
  if (fix.kind === 'instead') return `Use ${steps}: ${call} failed with ${error}${evidence}.`
  const action = fix.steps[0]?.kind === 'edit' ? capitalize(steps) : `Run ${steps} first`
  return `${action}: ${call} failed with ${error}${evidence}.`
}

function formatOpenLesson(lesson: Lesson): string {
  const { error, failures = 1 } = lesson
  const failed = `${formatCall(lesson)} failed${failures > 1 ? ` ${failures} times` : ''}`
  return `${failed} with “${quotableError(error)}”${formatEvidence(lesson)}. No fix is known yet.`
}

/** Whether the fix worked in two sessions or more, and may be stated as a rule. */
const isRule = ({ candidates }: Lesson): boolean => (candidates?.[0]?.sessions ?? 0) > 1

const formatCall = ({ command, target = '' }: Lesson): string => (command === undefined ? target : `\`${command}\``)

function formatEvidence({ sessions = [], lastMet }: Lesson): string {
  const last = lastMet === undefined ? '' : `, last ${lastMet.slice(0, 10)}`
  return sessions.length === 0 ? '' : ` (${formatCount(sessions.length)}${last})`
}

const formatCount = (sessions: number): string => (sessions === 1 ? '1 session' : `${sessions} sessions`)

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const formatSteps = (fix: LessonFix): string => fix.steps.map(stepText).join(', then ')

/** The fix in one sentence. */
export function formatFix(fix: LessonFix): string {
  switch (fix.kind) {
    case 'again':
      return 'Fix: run again, it passed without any change.'
    case 'instead':
      return `Fix: use ${formatSteps(fix)} instead.`
    case 'steps':
      return `Fix: ${formatSteps(fix)}.`
  }
}

/** A step as it is shown; steps with the same text are the same step. */
export function stepText(step: LessonStep): string {
  if (step.kind === 'command') return `\`${step.what}\``
  return step.detail ? `edit ${step.what} (${step.detail})` : `edit ${step.what}`
}
