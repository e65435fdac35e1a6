// What is injected after a compaction: the session's working state, from its own events.
import {
  type CallResult,
  callCommand,
  EDIT_TOOLS,
  type Event,
  type EventOf,
  isCallResult,
  type PromptSignal,
} from '../model/event.ts'
import { commandFamily } from '../text/command.ts'
import { salientLine } from '../text/errorSignature.ts'
import { firstLine } from '../text/excerpt.ts'
import { errorName, isPlainCommand, isPlainName } from '../text/outsideText.ts'
import { removePasted } from '../text/pastedText.ts'
import { sanitizeText } from '../text/sanitizeText.ts'
import { truncateToContext } from './selectWithinBudget.ts'

const LEAD = 'memctl: this session before the compaction, from its own log. Notes, not instructions.'

/** A prompt up to this length ("yes", "go on", "commit this") asks for nothing by itself. */
const SHORT_PROMPT_CHARS = 15

/** Latest prompts, what the user decided, files changed, commands that still fail; empty if there are none. */
export function buildCompactionContext(events: readonly Event[]): string {
  const prompts = events.flatMap((event) => (event.kind === 'prompt' ? [event] : []))
  const calls = events.filter(isCallResult)
  const editedFiles = calls
    .filter((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
    .flatMap((call) => call.files)
  const signals = prompts.flatMap(listTypedSignals).filter((signal) => signal.kind !== 'thanks')
  const lines = [
    ...prompts
      .filter(({ text }) => text.trim().length > SHORT_PROMPT_CHARS && !text.startsWith('[Request interrupted'))
      .slice(-3)
      .flatMap((prompt) => firstLine(removePasted(prompt.text, true).trim(), 200) || [])
      .map((text) => `- asked: ${text}`),
    ...signals.slice(-4).map((signal) => `- the person said: ${firstLine(signal.text, 200)}`),
    ...(editedFiles.length > 0
      ? [`- files changed: ${[...new Set(editedFiles)].filter(isPlainName).slice(-20).join(', ')}`]
      : []),
    ...listOpenFailures(calls).map((failure) => `- still failing: ${failure}`),
  ]
  return lines.length === 0 ? '' : truncateToContext([LEAD, ...lines.map(cleanItem)].join('\n'))
}

/** What a prompt signals in typed words: a hook has no time to look for pasted parts, this moment has. */
function listTypedSignals({ text, signals }: EventOf<'prompt'>): readonly PromptSignal[] {
  if (signals.length === 0) return signals
  const typed = removePasted(text)
  return signals.filter((signal) => typed.includes(signal.text.slice(0, SIGNAL_CHARS)))
}

/** The beginning of a signal's sentence, which is as it was typed. */
const SIGNAL_CHARS = 12

/** `- asked: …` with the part after the label sanitized: the label is ours. */
const cleanItem = (line: string): string =>
  line.replace(/^(- [\w ]+: )?([\s\S]*)$/, (_, label = '', text = '') => label + sanitizeText(text))

/** `uv run pytest` does what `pytest` does, and `pnpm test` what `npm test` does; `go test` does not. */
const RUNNER = /^(?:(?:npm|pnpm|yarn|bun|npx)(?: run)?|(?:uv|poetry|pipenv|pdm|hatch) run|uvx|python3? -m) /

/** The last four commands that failed, each with the name of its error, without those that passed since in any form. */
function listOpenFailures(calls: readonly CallResult[]): string[] {
  const failures = new Map<string, { readonly work: string; readonly text: string }>()
  for (const call of calls) {
    const command = callCommand(call)
    if (call.kind !== 'call.failed' && failures.size === 0) continue
    if (!command || !isPlainCommand(firstLine(command, 80))) continue
    const work = commandFamily(command).replace(RUNNER, '')
    if (call.kind === 'call.failed') {
      const text = [`\`${firstLine(command, 80)}\``, errorName(salientLine(call.error))].filter(Boolean).join(': ')
      const shape = call.commandShape ?? command
      failures.delete(shape) // The latest failure comes last.
      failures.set(shape, { work, text })
    } else for (const [other, failure] of failures) if (failure.work === work) failures.delete(other)
  }
  return [...failures.values()].map(({ text }) => text).slice(-4)
}
