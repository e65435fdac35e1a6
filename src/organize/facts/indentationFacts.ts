// Files whose indentation edits often miss: the old text of an edit was right except for its leading tabs or spaces.
import { type CallResult, EDIT_TOOLS } from '../../model/event.ts'
import type { FactDetector } from './factSighting.ts'
import { nextCalls } from './sessionCalls.ts'

const SEARCHED_CALLS = 8

export const detectIndentationFacts: FactDetector = ({ calls }) => {
  const missed = calls.filter((call, index) => isMissedIndentation(call, nextCalls(calls, index, SEARCHED_CALLS)))
  const last = missed.at(-1)
  if (last === undefined) return []
  const unit = missed.filter((call) => /^\t/m.test(oldText(call))).length * 2 >= missed.length ? 'tabs' : 'spaces'
  return [
    {
      topic: 'tool',
      key: `indentation ${unit}`,
      claim: 'edits often miss one level',
      remedy: `copy the exact leading ${unit} into \`old_string\``,
      triggers: [
        {
          tools: ['Edit', 'MultiEdit'],
          errors: ['String to replace not found'],
          code: [unit === 'tabs' ? '\t' : '\n  '],
        },
      ],
      failures: missed.length,
      at: last.at,
      events: missed.slice(-3).map(({ id }) => id),
    },
  ]
}

const oldText = (call: CallResult): string =>
  typeof call.input['old_string'] === 'string' ? call.input['old_string'] : ''

/** The edit was refused, and then done with the same old text under other indentation. */
function isMissedIndentation(call: CallResult, later: readonly CallResult[]): boolean {
  const text = oldText(call)
  if (call.kind !== 'call.failed' || text.trim() === '' || !/string to replace not found/i.test(call.error))
    return false
  const next = later.find(
    (other) => other.kind === 'call.succeeded' && EDIT_TOOLS.has(other.tool) && other.files[0] === call.files[0],
  )
  if (next === undefined || oldText(next) === '') return false
  const lines = new Map(
    oldText(next)
      .split('\n')
      .map((line) => [line.trim(), indentOf(line)]),
  )
  const shared = text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim().length > 4 && lines.has(line.trim()))
  return (
    shared.length > 0 && shared.filter((line) => lines.get(line.trim()) !== indentOf(line)).length * 2 > shared.length
  )
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? ''
