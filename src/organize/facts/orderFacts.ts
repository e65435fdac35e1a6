// A step that must come first: a command failed, another command ran, and then the same command passed.
import { type CallResult, callCommand, EDIT_TOOLS } from '../../model/event.ts'
import { salientLine } from '../../text/errorSignature.ts'
import { splitSimpleCommands } from '../../text/shellCommands.ts'
import { familyOf, formatForm } from './commandForm.ts'
import type { FactDetector, FactSighting } from './factSighting.ts'
import { sessionRoot } from './pathFacts.ts'
import { routinePurpose } from './routinePurpose.ts'
import { isRefusedCall, nextCalls } from './sessionCalls.ts'
import { findUsageError } from './usageErrors.ts'

const SEARCHED_CALLS = 10

export const detectOrderFacts: FactDetector = (evidence) => {
  const { calls } = evidence
  const root = sessionRoot(evidence)
  const byKey = new Map<string, FactSighting>()
  calls.forEach((call, index) => {
    for (const sighting of sightingsOf(call, nextCalls(calls, index, SEARCHED_CALLS), root)) {
      const before = byKey.get(sighting.key)
      byKey.set(
        sighting.key,
        before === undefined
          ? sighting
          : { ...sighting, failures: before.failures + 1, events: [...before.events, ...sighting.events] },
      )
    }
  })
  return [...byKey.values()]
}

function sightingsOf(call: CallResult, later: readonly CallResult[], root: string): readonly FactSighting[] {
  if (call.kind !== 'call.failed' || callCommand(call) === '' || isRefusedCall(call) || findUsageError(call)) return []
  const failed = mainSteps(call).at(-1)
  const purpose = failed === undefined ? undefined : purposeOf(failed)
  if (failed === undefined || purpose === undefined) return []
  const common = { topic: 'order' as const, failures: 1, at: call.at, events: [call.id] }
  const shown = `\`${formatForm(shortWords(failed))}\``
  if (isFixer(failed)) {
    return isFixedByHand(failed, later)
      ? [
          {
            ...common,
            key: `by hand ${formOf(failed)}`,
            claim: 'it cannot fix everything',
            remedy: `after ${shown}, fix the rest by hand`,
            triggers: [{ command: familyOf(failed), errors: [''] }],
          },
        ]
      : []
  }
  const step = stepBefore(failed, purpose, later)
  if (step === undefined) return []
  const first = formatForm(pathsGeneralized(step, root))
  return [
    {
      ...common,
      key: `${formOf(failed)} after ${familyOf(step)}`,
      claim: 'it has failed without',
      remedy: `run \`${first}\` before ${shown}`,
      // A fixer is worth running before the call; what else was missing is not missing each time.
      triggers: [{ command: familyOf(failed), ...(!isFixer(step) && { errors: [sharedPart(step, call.error)] }) }],
    },
  ]
}

/** The command that ran between the failure and the same command passing, if no edit came between. */
function stepBefore(
  failed: readonly string[],
  purpose: string,
  later: readonly CallResult[],
): readonly string[] | undefined {
  let step: readonly string[] | undefined
  for (const call of later) {
    if (EDIT_TOOLS.has(call.tool)) return undefined
    if (callCommand(call) === '') continue
    const steps = mainSteps(call)
    const again = steps.findIndex((words) => formOf(words) === formOf(failed))
    const before = (again === -1 ? steps : steps.slice(0, again)).filter(
      (words) => formOf(words) !== formOf(failed) && canRepair(words, purpose),
    )
    if (call.kind === 'call.succeeded') step = before.at(-1) ?? step
    if (again !== -1) return call.kind === 'call.succeeded' && !hidesStatus(call) ? step : undefined
  }
  return undefined
}

/** A fixer failed, files were edited, and then it or a check passed. */
function isFixedByHand(failed: readonly string[], later: readonly CallResult[]): boolean {
  const edit = later.findIndex((call) => call.kind === 'call.succeeded' && EDIT_TOOLS.has(call.tool))
  return (
    edit !== -1 &&
    later
      .slice(edit)
      .some((call) => call.kind === 'call.succeeded' && mainSteps(call).some(([program]) => program === failed[0]))
  )
}

/** The simple commands of a line whose status counts; those behind a pipe only filter. */
const mainSteps = (call: CallResult): readonly (readonly string[])[] =>
  splitSimpleCommands(callCommand(call))
    .filter(({ isAuxiliary }) => !isAuxiliary)
    .map(({ words }) => words)

/** A pipe, `;` or `||` gives the status of another command. */
const hidesStatus = (call: CallResult): boolean =>
  /\||;/.test(callCommand(call).replace(/"[^"]*"|'[^']*'/g, '')) && callCommand(call).includes('|')

/** What the failed command is for; undefined if no other command can be needed before it. */
const purposeOf = (words: readonly string[]): string | undefined =>
  /^git (?:commit|push)$/.test(familyOf(words)) ? 'commit' : routinePurpose(words)?.kind

/** Steps that make files which tests and builds need. */
const MAKES_NEEDED = /^(?:Build|Generate|Install|Migrate)/

/** Whether the step can be what was missing: a fixer for a linter, not for tests. */
function canRepair(words: readonly string[], purpose: string): boolean {
  const own = routinePurpose(words)
  if (isFixer(words) || own?.kind === 'format') return /^(?:lint|format|check|commit)$/.test(purpose)
  if (words[0] === 'rm') return words.some((word) => /^-\w*r/.test(word)) && !words.includes('.git')
  const startsService = /^(?:docker|docker-compose|podman)$/.test(words[0] ?? '') && words.includes('up')
  return startsService || (own !== undefined && MAKES_NEEDED.test(own.title) && own.kind !== purpose)
}

/** A program or script that formats or fixes: `lint:fix`, `eslint --fix`, `cargo fmt`, `black`. */
const isFixer = (words: readonly string[]): boolean =>
  words.some(
    (word, i) =>
      (i < 4 && /(?:^|[:._-])(?:fix|fmt|format|autofix|autoformat)$/.test(word)) ||
      /^--(?:fix|write|in-place|apply)$/.test(word),
  ) || /^(?:gofmt|prettier|black|rustfmt|goimports|isort|shfmt|clang-format|spotlessApply)$/.test(words[0] ?? '')

/** Commits differ in their message; everything else must be equal up to numbers and texts. */
function formOf(words: readonly string[]): string {
  const family = familyOf(words)
  return /^git (?:commit|push)$/.test(family) ? family : formatForm(words)
}

const shortWords = (words: readonly string[]): readonly string[] => (words[0] === 'git' ? words.slice(0, 2) : words)

/** Leftovers have names that differ each time: `rm -rf tmp/run-x1 tmp/run-x2` → `rm -rf tmp/*`. */
function pathsGeneralized(words: readonly string[], root: string): readonly string[] {
  if (words[0] !== 'rm') return words
  const general = words.map((word) =>
    word.includes('/') && !word.startsWith('-')
      ? word.replace(`${root}/`, '').replace(/\/[^/]*[\w*][^/]*\/?$/, '/*')
      : word,
  )
  return [...new Set(general)]
}

/** A path or name of the step that the error has too; else the line of the error that says most. */
function sharedPart(step: readonly string[], error: string): string {
  const names = step.flatMap((word) => word.split(/[\s:=*]+/)).map((word) => word.replace(/^\.?\/+|\/+$/g, ''))
  const shared = names.filter((name) => name.length >= 4 && error.includes(name))
  return shared.toSorted((a, b) => b.length - a.length)[0] ?? salientLine(error).slice(0, 60)
}
