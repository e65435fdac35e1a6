// What a command is for, if it is one of those that every session needs: test, build, lint, format, run, and so on.
import { commandFamily } from '../../text/command.ts'
import { INTERPRETERS, SCRIPT_RUNNERS } from '../../text/commandWords.ts'

/** The kinds of purpose. `check` covers types and everything at once; `other` is a task of the project. */
export type PurposeKind =
  | 'test'
  | 'test one'
  | 'integration test'
  | 'build'
  | 'lint'
  | 'format'
  | 'run'
  | 'check'
  | 'other'

export interface RoutinePurpose {
  readonly kind: PurposeKind
  /** As it is shown: "Tests of a file". */
  readonly title: string
}

/** Words in the name of a script or tool, and what they are for; the first row that fits counts. */
const PURPOSES: readonly (readonly [title: string, kind: PurposeKind, words: RegExp])[] = [
  ['Format', 'format', /^(?:fmt|format|prettier|gofmt|black|rustfmt|isort|shfmt|goimports|spotlessapply|ktfmt)$/],
  ['Lint and fix', 'lint', /^(?:fix|autofix)$/],
  ['Integration tests', 'integration test', /^(?:integration|integrationtest|it|acceptance)$/],
  ['End-to-end tests', 'integration test', /^(?:e2e|playwright|cypress)$/],
  ['Full check', 'check', /^(?:ci|verify|precommit|prepush|validate|all)$/],
  ['Type check', 'check', /^(?:typecheck|tsc|mypy|pyright|types)$/],
  ['Coverage', 'other', /^(?:coverage|cov)$/],
  ['Lint', 'lint', /^(?:lint|linter|eslint|biome|ruff|flake8|pylint|clippy|golangci-lint|rubocop|vet|shellcheck)$/],
  ['Lint', 'lint', /^(?:ktlint|detekt|swiftlint|stylelint|oxlint|credo|phpstan|markdownlint)$/],
  [
    'Tests',
    'test',
    /^(?:tests?|vitest|jest|mocha|pytest|rspec|nextest|phpunit|pest|ctest|gotestsum|unittest|tox|spec)$/,
  ],
  ['Build', 'build', /^(?:build|compile|assemble|package|bundle|webpack|rollup|tsup|bootjar|dist)$/],
  ['Check', 'check', /^checks?$/],
  ['Generate', 'other', /^(?:generate|gen|codegen|proto|buf|sqlc)$/],
  ['Migrate the database', 'other', /^(?:migrate|migrations?)$/],
  ['Install dependencies', 'other', /^(?:install|sync|restore)$/],
  ['Run', 'run', /^(?:run|start|dev|serve|server|preview|bootrun|watch)$/],
]

const PACKAGE_MANAGERS = /^(?:npm|pnpm|yarn|bun)$/
/** Their `run` starts a program of the project, not a script. */
const RUNS_PROGRAMS = /^(?:go|cargo|dotnet|swift)$/
const TAKES_TARGETS = /^(?:make|gradlew?|mvnw?)$/
/** Options that only ask the program about itself, and words of shell syntax. */
const NO_ROUTINE = /^(?:--help|-h|--version|help|version|linters|cache)$|\s|^(?:\/private)?\/tmp\//

/** What the simple command is for; undefined if it is no routine. */
export function routinePurpose(words: readonly string[]): RoutinePurpose | undefined {
  const [program = ''] = words
  if (words.some((word) => NO_ROUTINE.test(word))) return undefined
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (isScriptFile(program)) return scriptPurpose(name)
  const family = commandFamily(words.join(' ')).split(' ')
  const isRunner = SCRIPT_RUNNERS.has(name) || /^(?:npx|pnpx|bunx|uvx)$/.test(name)
  const isTool = PURPOSES.some(([, , known]) => known.test(name))
  if (!isRunner && !isTool && !INTERPRETERS.has(name)) return undefined
  if (PACKAGE_MANAGERS.test(name) && /^(?:ci|install|i|add)$/.test(family[1] ?? '')) {
    return words.length > 2 ? undefined : { kind: 'other', title: 'Install dependencies' }
  }
  const parts = nameParts(name, family, isTool, words)
  const found = PURPOSES.find(([, , known]) => parts.some((part) => known.test(part)))
  if (found !== undefined) return refine({ title: found[0], kind: found[1] }, words, parts)
  return isRunner && isProjectTask(name, family) ? { kind: 'other', title: `Task ${family.at(-1)}` } : undefined
}

/** The words of the names of tool, subcommands and scripts: `npm run test:unit` has `test` and `unit`. */
function nameParts(
  name: string,
  family: readonly string[],
  isTool: boolean,
  words: readonly string[],
): readonly string[] {
  const isScriptRun = family.length > 2 && /^(?:run|run-script|exec|x|dlx)$/.test(family[1] ?? '')
  const names = RUNS_PROGRAMS.test(name)
    ? family.slice(1, 2)
    : family.slice(isTool && family.length === 1 ? 0 : isScriptRun ? 2 : 1)
  const targets = TAKES_TARGETS.test(name) ? words.slice(1).filter((word) => !word.startsWith('-')) : []
  return [...names, ...targets].flatMap((word) => [word.toLowerCase(), ...word.toLowerCase().split(/[:._-]/)])
}

/** Options that choose tests by name. */
const CHOOSES_TESTS = /^(?:-run|-test\.run|-t|-k|--testNamePattern|--grep|-g|--tests|--test-name-pattern|-Dtest)(?:=|$)/

function refine(purpose: RoutinePurpose, words: readonly string[], parts: readonly string[]): RoutinePurpose {
  const { kind, title } = purpose
  const args = words.slice(2).filter((word) => !word.startsWith('-'))
  if (kind === 'build' && words.includes('-o')) return { kind, title: 'Build the program' }
  if (kind === 'run' && RUNS_PROGRAMS.test(words[0] ?? '')) return { kind, title: 'Run the program' }
  const isTest = kind === 'test' || kind === 'integration test' || (title === 'Full check' && parts.includes('test'))
  if (!isTest) return purpose
  const isIntegration = kind === 'integration test' || words.some((word) => /(?:^|[=,/_-])integration/.test(word))
  if (words.some((word) => CHOOSES_TESTS.test(word) || /\.\w+::\w/.test(word))) {
    return { kind: 'test one', title: isIntegration ? 'One integration test' : 'One test' }
  }
  if (title === 'Full check') return { kind: 'check', title: 'All tests, as in CI' }
  if (isIntegration) return { kind: 'integration test', title: kind === 'test' ? 'Integration tests' : title }
  if (args.some((word) => /\w\.\w+$/.test(word) && !word.endsWith('...'))) return { kind, title: 'Tests of a file' }
  if (args.some((word) => /\w\/\w|^\.\/\w/.test(word))) return { kind, title: 'Tests of a package' }
  return purpose
}

/** A script of the project: `./scripts/release.sh`. */
const isScriptFile = (program: string): boolean =>
  /^(?:\.\/)?[\w.-]+\/[\w./-]*\.(?:sh|py|rb|js|ts|mjs|pl|bash)$/.test(program)

function scriptPurpose(name: string): RoutinePurpose {
  const bare = name.replace(/\.\w+$/, '')
  const found = PURPOSES.find(([, , known]) => bare.split(/[._-]/).some((part) => known.test(part)))
  return { kind: found?.[1] ?? 'other', title: `Script ${bare}` }
}

/** A script or task that the project itself defines. */
function isProjectTask(name: string, family: readonly string[]): boolean {
  if (family.length === 2) return /^(?:make|just|task|rake)$/.test(name)
  const runs = family.length > 2 && family[1] === 'run' && !/[/.]/.test(family[2] ?? '')
  return runs && /^(?:npm|pnpm|yarn|bun|mise|deno|composer|poetry|uv|hatch)$/.test(name)
}
