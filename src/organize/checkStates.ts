// The state of the checks at the end of a session or task: what passes, what fails, in words.
import { type CallResult, callCommand } from '../model/event.ts'
import { commandFamily, isCheckCommand } from '../text/command.ts'
import { filesChangedBy } from './changedFiles.ts'

export interface CheckState {
  /** tests, lint, types, build or format; else the command's family. */
  readonly name: string
  readonly passed: boolean
  /** Files were changed after it ran. */
  readonly isStale: boolean
  readonly call: CallResult
}

/** What a check is called, by the words of its command.  */
const NAMES: Readonly<Record<string, string>> = {
  tests: 'tests? spec e2e jest vitest mocha ava pytest phpunit rspec ctest nextest gotestsum',
  lint: 'lint(?:er)? eslint biome oxlint ruff flake8 pylint clippy golangci-lint vet rubocop shellcheck',
  types: 'types? typecheck type-check tsc vue-tsc mypy pyright phpstan',
  build: 'build compile assemble webpack rollup esbuild tsup package',
  format: 'fmt format prettier gofmt rustfmt black',
}
const PATTERNS = Object.entries(NAMES).map(([name, words]) => ({
  name,
  pattern: new RegExp(`(?:^|[\\s:_.-])(?:${words.replaceAll(' ', '|')})(?:$|[\\s:_.-])`),
}))

/** A report of failures in the output of a shell line whose exit status is another program's: `npm test | tail`. */
const REPORTS_FAILURE = new RegExp(
  String.raw`^(?:--- FAIL|FAIL\b|not ok \d|✗|✕)|: error TS\d` +
    String.raw`|(?<![\w.-])[1-9]\d* (?:tests? )?(?:failed|failing|failures?|fail|errors?)\b(?! *[:=] *0)`,
  'im',
)

/** The last state of each check, in the order of the last runs. */
export function listCheckStates(calls: readonly CallResult[]): CheckState[] {
  const states = new Map<string, CheckState>()
  const lastChange = calls.findLastIndex((call) => filesChangedBy(call).length > 0)
  calls.forEach((call, index) => {
    const command = callCommand(call)
    // A call that the person stopped or refused says nothing.
    if (!isCheckCommand(command) || (call.kind === 'call.failed' && call.interrupted)) return
    const passed = hasPassed(call)
    for (const name of checksOf(command, passed)) {
      states.delete(name) // Deleted first, so that the map is in the order of the last runs.
      states.set(name, { name, passed, isStale: index < lastChange, call })
    }
  })
  return [...states.values()]
}

/** A chain that passes has passed each of its checks; of one that fails only the first is known to have run. */
function checksOf(command: string, passed: boolean): string[] {
  const parts = passed ? command.split('&&').filter(isCheckCommand) : []
  return (parts.length > 1 ? parts : [command]).map((part) => checkName(commandFamily(part)))
}

/** Failures first: "lint fails; tests and build pass". A pass before the last change is left out. */
export function describeChecks(states: readonly CheckState[]): string {
  const failing = states.filter(({ passed }) => !passed).map(({ name }) => name)
  const passing = states.filter(({ passed, isStale }) => passed && !isStale).map(({ name }) => name)
  const phrases = [
    ...(failing.length > 0 ? [`${joinNames(failing)} ${verb(failing, 'fail')}`] : []),
    ...(passing.length > 0 ? [`${joinNames(passing)} ${verb(passing, 'pass')}`] : []),
  ]
  return phrases.join('; ')
}

function hasPassed(call: CallResult): boolean {
  if (call.kind === 'call.failed') return false
  return !(/[|;]/.test(callCommand(call)) && REPORTS_FAILURE.test(call.output))
}

const checkName = (family: string): string =>
  PATTERNS.find(({ pattern }) => pattern.test(family))?.name ?? `\`${family}\``

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const verb = (names: readonly string[], base: 'fail' | 'pass'): string =>
  names.length > 1 || names[0] === 'tests' || names[0] === 'types' ? base : base === 'fail' ? 'fails' : 'passes'
