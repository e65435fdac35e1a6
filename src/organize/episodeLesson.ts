// A failure episode as a lesson, and a lesson as the text of a memory.
import { callCommand } from '../model/event.ts'
import type { Lesson, LessonFix, LessonStep } from '../model/lesson.ts'
import { salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import type { EpisodeStep, FailureEpisode } from './failureEpisodes.ts'

/** Failed calls kept of a lesson. */
const CALLS_MAX = 20

/** The lesson of one episode. `costMs` is the time from the first failure to the fix. */
export function lessonFromEpisode({ failures, lastFailure, failedAttempts, fix }: FailureEpisode): Lesson {
  const command = callCommand(lastFailure)
  const startMs = Date.parse((failures[0] ?? lastFailure).at)
  return {
    ...(command
      ? { command: firstLine(command, 120) }
      : { target: `${lastFailure.tool} ${lastFailure.files[0] ?? ''}`.trim() }),
    error: firstLine(salientLine(lastFailure.error), 200),
    ...(fix && { fix: { kind: fix.kind, steps: fix.steps.map(toLessonStep) } }),
    failedAttempts: failedAttempts.map(toLessonStep),
    calls: failures.map((failure) => failure.call).slice(-CALLS_MAX),
    costMs: fix ? Date.parse(fix.passed.at) - startMs : 0,
    falseAlarms: 0,
  }
}

const toLessonStep = ({ files: _, ...step }: EpisodeStep): LessonStep => step

/** The lesson as text: what fails with which error, what fixed it, what did not. */
export function formatLesson({ command, target = '', error, fix, failedAttempts }: Lesson): string {
  const lines = [`${command === undefined ? target : `\`${command}\``} failed: ${error}`]
  lines.push(fix ? formatFix(fix) : 'No fix is known yet.')
  const attempts = new Set(failedAttempts.map(formatStep))
  if (attempts.size > 0) lines.push(`Did not help: ${[...attempts].join('; ')}.`)
  return lines.join('\n')
}

/** The fix in one sentence. */
export function formatFix(fix: LessonFix): string {
  switch (fix.kind) {
    case 'again':
      return 'Fix: run again, it passed without any change.'
    case 'instead':
      return `Fix: use ${fix.steps.map(formatStep).join(', then ')} instead.`
    case 'steps':
      return `Fix: ${fix.steps.map(formatStep).join(', then ')}.`
  }
}

function formatStep(step: LessonStep): string {
  if (step.kind === 'command') return `\`${step.what}\``
  return step.detail ? `edit ${step.what} (${step.detail})` : `edit ${step.what}`
}
