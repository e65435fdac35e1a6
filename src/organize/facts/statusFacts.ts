// What a command's failure does not mean: an exit status although its output is the result, and addresses that an API
// does not have.
import { type CallResult, callCommand } from '../../model/event.ts'
import { READING_SUBCOMMANDS } from '../../text/commandWords.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import { familyOf, generalizeWord } from './commandForm.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'
import { isRefusedCall, nextCalls } from './sessionCalls.ts'
import { findUsageError } from './usageErrors.ts'

const SEARCHED_CALLS = 15

export const detectStatusFacts: FactDetector = ({ calls }) =>
  calls.flatMap((call, index) => {
    if (call.kind !== 'call.failed' || callCommand(call) === '' || isRefusedCall(call) || findUsageError(call))
      return []
    const later = nextCalls(calls, index, SEARCHED_CALLS)
    const sighting = missingAddress(call, later) ?? harmlessStatus(call, later)
    return sighting ? [sighting] : []
  })

type FailedCall = Extract<CallResult, { readonly kind: 'call.failed' }>
const common = (call: CallResult) => ({ topic: 'command' as const, failures: 1, at: call.at, events: [call.id] })

/** `HTTP 404` for an address in the command. */
function missingAddress(call: FailedCall, later: readonly CallResult[]): FactSighting | undefined {
  if (!/\b404\b/.test(call.error)) return undefined
  const wrong = addressOf(call)
  if (wrong === undefined) return undefined
  const right = later
    .map((other) => (other.kind === 'call.succeeded' ? addressOf(other) : undefined))
    .find(
      (other) => other !== undefined && other.family === wrong.family && isSameResource(other.address, wrong.address),
    )
  // The address is right, and the thing that it names does not exist.
  if (right?.address === wrong.address) return undefined
  return {
    ...common(call),
    key: `404 ${wrong.family} ${wrong.address}`,
    claim: `\`${wrong.family} ${wrong.address}\` gives 404`,
    remedy: right === undefined ? undefined : `use \`${right.family} ${right.address}\``,
    triggers: [{ command: wrong.family, parts: partsOf(wrong.address) }],
  }
}

interface Address {
  readonly family: string
  /** With placeholders for numbers and ids, without the query. */
  readonly address: string
}

function addressOf(call: CallResult): Address | undefined {
  for (const { words } of splitSimpleCommands(callCommand(call))) {
    const family = familyOf(words)
    if (!/^(?:gh|glab) api|^(?:curl|http|https|wget|xh|az rest|aws)\b/.test(family)) continue
    const address = words
      .slice(1)
      .find((word) => /^[\w{}.:-]*(?:\/[\w{}.:%-]+){2,}/.test(word) || /^https?:\/\//.test(word))
    if (address !== undefined)
      return {
        family: /^\w+ api/.exec(family)?.[0] ?? family,
        address: generalizeWord(address.replace(/\?.*$/s, '').replace(/^\//, '')),
      }
  }
  return undefined
}

/** The parts between placeholders, for a trigger. */
const partsOf = (address: string): readonly string[] => address.split(/<\w+>/).filter((part) => /\w/.test(part))

/** The last name is the same, and so are most others. */
function isSameResource(a: string, b: string): boolean {
  const names = (address: string) => address.split('/').filter((name) => !name.startsWith('<') && name !== '')
  const own = names(a)
  const other = names(b)
  const shared = own.filter((name) => other.includes(name)).length
  return own.at(-1) === other.at(-1) && shared >= Math.max(2, Math.min(own.length, other.length) - 1)
}

/** Words of an error; without them the output of a command is its result. */
const ERROR_WORDS = new RegExp(
  [
    "\\b(?:error|fatal|usage|unknown|invalid|denied|cannot|can't|could not|couldn't|no such|not found)\\b",
    '\\b(?:failed to|unable)\\b',
    '\\b(?:traceback|exception|panic|conflict|rejected|refused|required|must|missing|timed? ?out|unauthorized)\\b',
    'エラー',
  ].join('|'),
  'i',
)

/** A query that printed a table and exited with a status above 0: its output is the answer. */
function harmlessStatus(call: FailedCall, later: readonly CallResult[]): FactSighting | undefined {
  const status = /^exit code (\d+)/i.exec(call.error)?.[1]
  const output = call.error.replace(/^exit code \d+\s*/i, '').trim()
  const [first, ...others] = splitSimpleCommands(callCommand(call))
  if (status === undefined || first === undefined || others.length > 0) return undefined
  if (ERROR_WORDS.test(output) || !output.includes('\n')) return undefined
  const family = familyOf(first.words)
  const asks = family.split(' ').some((word, i) => i > 0 && READING_SUBCOMMANDS.has(word))
  // Git's queries say with their status what was asked, or that the command was wrong. Repeated at once, it did fail.
  if (!asks || first.words[0] === 'git' || later.slice(0, 2).some((next) => runsFamily(next, family))) return undefined
  return {
    ...common(call),
    key: `status ${family}`,
    claim: `\`${family}\` exits with ${status} when an item is not in order`,
    remedy: `read the output of \`${family}\``,
    triggers: [{ command: family }],
  }
}

const runsFamily = (call: CallResult, family: string): boolean =>
  splitSimpleCommands(callCommand(call)).some(({ words }) => familyOf(words) === family)
