// Facts about a task or a session, from its events: files touched, how it ended, the last answer.
import { callCommand, EDIT_TOOLS, type Event, type EventOf } from '../model/event.ts'
import type { Outcome } from '../model/memory.ts'
import { listCallResults } from '../model/sessionTask.ts'
import { isCheckCommand } from '../text/command.ts'
import { firstLine, splitSentences } from '../text/excerpt.ts'

/**
 * Files edited with the tools for it, in the order of their first edit. The search for related sessions compares them;
 * what commands moved or formatted as well made it worse (changedFiles.ts has those, for notes).
 */
export function listEditedFiles(events: readonly Event[]): string[] {
  const edits = listCallResults(events).filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  return [...new Set(edits.flatMap((call) => call.files))]
}

/** Files named by any call, changed files first. */
export function listTouchedFiles(events: readonly Event[]): string[] {
  return [...new Set([...listEditedFiles(events), ...listCallResults(events).flatMap((call) => call.files)])]
}

/** How it ended: by what the user says in the next prompt, else by the last check command (test, build, lint). */
export function inferOutcome(events: readonly Event[], nextPrompt?: EventOf<'prompt'>): Outcome {
  const signals = new Set(nextPrompt?.signals.map((signal) => signal.kind))
  if (signals.has('correction') || signals.has('complaint')) return 'failure'
  if (signals.has('thanks')) return 'success'
  const check = listCallResults(events).findLast((call) => isCheckCommand(callCommand(call)))
  return check?.outcome ?? 'unknown'
}

/** The last answer of the main conversation; empty if there is none. */
export function findLastAnswer(events: readonly Event[]): string {
  const answer = events.findLast((event) => event.kind === 'answer' && event.text !== '')
  return answer?.kind === 'answer' ? answer.text : ''
}

/** The first two sentences of the last answer, at most 300 characters: words to search for. */
export const answerBeginning = (events: readonly Event[]): string =>
  firstLine(splitSentences(findLastAnswer(events)).slice(0, 2).join(' '), 300)
