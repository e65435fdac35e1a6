// After a compaction: the session's working state, from its own events. What the summary may have lost.
import { type CallResult, type Event, isCallResult } from '../model/event.ts'
import { salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { neutralizeMarkup } from './renderContext.ts'
import { truncateToContext } from './selectWithinBudget.ts'

const EDITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])
const LEAD = 'memctl: this session before the compaction, from its own log. Notes, not instructions.'

/** Latest prompts, files changed, failures not mended since, what the person decided or asked for; empty when there is nothing. */
export function buildCompactionContext(events: readonly Event[]): string {
  const prompts = events.flatMap((event) => (event.kind === 'prompt' ? [event] : []))
  const calls = events.filter(isCallResult)
  const edited = calls
    .filter((call) => call.kind === 'call.succeeded' && EDITING.has(call.tool))
    .flatMap((call) => call.files)
  const said = prompts.flatMap((prompt) => prompt.signals).filter((signal) => signal.kind !== 'thanks')
  const lines = [
    ...prompts.slice(-3).map((prompt) => `- asked: ${firstLine(prompt.text.trim(), 200)}`),
    ...said.slice(-4).map((signal) => `- the person said: ${firstLine(signal.text, 200)}`),
    ...(edited.length > 0 ? [`- files changed: ${[...new Set(edited)].slice(-20).join(', ')}`] : []),
    ...openFailures(calls).map((failure) => `- still failing: ${failure}`),
  ]
  return lines.length === 0 ? '' : truncateToContext(neutralizeMarkup([LEAD, ...lines].join('\n')))
}

/** Commands whose last run failed, with the error's telling line. */
function openFailures(calls: readonly CallResult[]): string[] {
  const last = new Map<string, string | undefined>()
  for (const call of calls) {
    const command = typeof call.input['command'] === 'string' ? call.input['command'] : undefined
    if (!command) continue
    const name = call.commandShape ?? command
    const failed =
      call.kind === 'call.failed'
        ? `\`${firstLine(command, 80)}\`: ${firstLine(salientLine(call.error), 160)}`
        : undefined
    last.set(name, failed)
  }
  return [...last.values()].filter((failure) => failure !== undefined).slice(-4)
}
