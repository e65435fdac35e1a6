// Commands: what a shell line does, told by its telling simple command. `cd x && FOO=1 npm test -- foo | tail` is `npm test`.

/** Programs whose first words name what they do: how many words after the program may be subcommands. */
const SUBCOMMANDS: Readonly<Record<string, number>> = {
  git: 1,
  npm: 1,
  pnpm: 1,
  yarn: 1,
  bun: 1,
  npx: 1,
  pnpx: 1,
  bunx: 1,
  go: 1,
  cargo: 1,
  docker: 1,
  kubectl: 1,
  gh: 2,
  mise: 2,
  make: 1,
  pip: 1,
  pip3: 1,
  poetry: 2,
  uv: 2,
  dotnet: 1,
  mvn: 1,
  gradle: 1,
  './gradlew': 1,
  rails: 1,
  bundle: 2,
  terraform: 1,
  helm: 1,
  brew: 1,
  apt: 1,
  'apt-get': 1,
  systemctl: 1,
  aws: 2,
  gcloud: 2,
  az: 2,
  deno: 1,
  just: 1,
  composer: 1,
  mix: 1,
  swift: 1,
  flutter: 1,
  claude: 1,
}
const SCRIPT_RUNNERS = new Set(['run', 'exec', 'x', 'dlx', 'run-script', 'compose', 'tool'])
const WRAPPERS = new Set([
  'sudo',
  'time',
  'nohup',
  'env',
  'command',
  'exec',
  'nice',
  'timeout',
  'xargs',
  'then',
  'do',
  '!',
  '(',
  '{',
])
const MOVING = new Set([
  'cd',
  'pushd',
  'popd',
  'echo',
  'printf',
  'export',
  'set',
  'source',
  '.',
  'true',
  'false',
  'sleep',
  'mkdir',
  'pwd',
  'unset',
  'trap',
  'exit',
  ':',
  'wait',
])
const LOOKING = new Set([
  'ls',
  'cat',
  'head',
  'tail',
  'wc',
  'grep',
  'rg',
  'find',
  'sed',
  'awk',
  'sort',
  'uniq',
  'tee',
  'less',
  'which',
  'file',
  'stat',
  'tree',
  'jq',
  'cut',
  'tr',
  'diff',
  'test',
  '[',
])

const CHECK =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run| run-script)? (?:t$|tst|test|build|lint|check|type|tsc|format|fmt|vet|ci$)|(?:npx |bunx |pnpm exec |yarn |uv run |poetry run |bundle exec |mise exec )?(?:vitest|jest|mocha|ava|tap|playwright|cypress|tsc|eslint|biome|prettier|oxlint|pytest|ruff|mypy|pyright|flake8|black|tox|rspec|rubocop|phpunit|phpstan|golangci-lint|gofmt|staticcheck|shellcheck|ctest)\b|node --test\b|python3? -m (?:pytest|unittest|mypy|ruff)\b|go (?:test|build|vet)\b|gotestsum\b|cargo (?:test|build|check|clippy|fmt|nextest)\b|make(?: (?:test|check|build|lint|all|ci|fmt|vet)\b|$)|(?:mise|just|task)(?: run| r)? (?:[\w:-]*(?:test|build|lint|check|fmt|format|ci)\b)|(?:\.\/)?gradlew? (?:test|build|check|lint)|mvn (?:test|verify|package|compile|install)|dotnet (?:test|build|format)|swift (?:test|build)|flutter (?:test|analyze)|deno (?:test|lint|check|fmt)|bun test|mix (?:test|compile|format)|rake (?:test|spec)|rails test|composer test|terraform (?:validate|plan)|zig (?:build|test))/

interface Simple {
  readonly words: readonly string[]
  readonly piped: boolean
}

/**
 * The telling simple command: its program, its subcommands and its flags' names (sorted, once each), values blanked.
 * Empty for an empty command. `git commit -m "x"` → `git commit -m`, `go test ./... -run TestX` → `go test -run`.
 */
export function commandShape(command: string): string {
  const words = tellingWords(command)
  const flags = words.filter((word) => /^--?[A-Za-z]/.test(word)).map((word) => word.replace(/=.*$/s, ''))
  const end = words.indexOf('--')
  const own =
    end === -1
      ? flags
      : words
          .slice(0, end)
          .filter((word) => /^--?[A-Za-z]/.test(word))
          .map((word) => word.replace(/=.*$/s, ''))
  return [...headOf(words), ...[...new Set(own)].sort().filter((flag) => !headOf(words).includes(flag))].join(' ')
}

/** The program and its subcommands only: `npm test`, `npm run build`, `python -m pytest`. */
export const commandFamily = (command: string): string => headOf(tellingWords(command)).join(' ')

/** Whether it is a test, a build, a lint, a type check or a format check of a common tool. */
export const isCheckCommand = (command: string): boolean =>
  simpleCommands(command).some((simple) => CHECK.test(withoutWrappers(simple.words).join(' ')))

function headOf(words: readonly string[]): string[] {
  const program = (words[0] ?? '').replace(/^.*\/(?=[^/]+$)/, (path) => (path.startsWith('./') ? './' : ''))
  if (
    /^python[\d.]*$/.test(program) ||
    program === 'node' ||
    program === 'ruby' ||
    program === 'bash' ||
    program === 'sh'
  ) {
    return interpreted(program, words)
  }
  let most = SUBCOMMANDS[program] ?? 0
  const head = [program]
  for (const word of words.slice(1)) {
    if (head.length > most) break
    if (word.startsWith('-')) {
      if (head.length > 1) break
      continue
    }
    head.push(word)
    if (SCRIPT_RUNNERS.has(word) && most < 3) most++
  }
  return head
}

/** An interpreter is told by what it runs: a module, a script, or code given inline. */
function interpreted(program: string, words: readonly string[]): string[] {
  const at = words.findIndex((word, i) => i > 0 && (word === '-m' || word === '--test' || !word.startsWith('-')))
  const word = words[at]
  if (word === undefined) return [program, ...words.slice(1, 2).filter((flag) => /^-[ecp]$/.test(flag))]
  if (word === '-m') return [program, '-m', ...words.slice(at + 1, at + 2)]
  if (/^-[ecp]$/.test(words[at - 1] ?? '')) return [program, words[at - 1]!]
  return [program, word]
}

/** The words of the command that tells most: a check before other work, other work before looking, looking before moving about. */
function tellingWords(command: string): string[] {
  let best: string[] = []
  let bestRank = -1
  for (const simple of simpleCommands(command)) {
    const words = withoutWrappers(simple.words)
    if (words.length === 0) continue
    const rank = simple.piped ? 0 : rankOf(words)
    // Of two that tell as much the later one: `npm run build && npm test` is about the test.
    if (rank > bestRank || (rank === bestRank && rank >= 3)) {
      best = words
      bestRank = rank
    }
  }
  return best
}

function rankOf(words: readonly string[]): number {
  if (CHECK.test(words.join(' '))) return 4
  if (MOVING.has(words[0]!)) return 1
  return LOOKING.has(words[0]!) ? 2 : 3
}

function withoutWrappers(words: readonly string[]): string[] {
  let i = 0
  while (i < words.length) {
    const word = words[i]!
    if (/^[A-Za-z_]\w*=/.test(word) || WRAPPERS.has(word)) i++
    else if (i > 0 && words[i - 1] === 'timeout' && /^\d/.test(word)) i++
    else break
  }
  return words.slice(i)
}

/** The simple commands of a shell line in order; those after a pipe are marked. Quotes hold words together, heredocs are skipped. */
function simpleCommands(command: string): Simple[] {
  const found: Simple[] = []
  let words: string[] = []
  let piped = false
  const close = (next: boolean) => {
    if (words.length > 0) found.push({ words, piped })
    words = []
    piped = next
  }
  for (const [token, , redirection, comment, operator] of withoutHeredocs(command).matchAll(TOKEN)) {
    if (operator !== undefined) close(operator === '|' || operator === '|&')
    else if (redirection === undefined && comment === undefined) words.push(token.replace(/^(["'])([\s\S]*)\1$/, '$2'))
  }
  close(false)
  return found
}

const TOKEN =
  /("(?:\\.|[^"\\])*"|'[^']*')|(\d*>{1,2}&?\s*\S+|\d*<\s*\S+)|(#[^\n]*$)|(\|\||&&|\|&|[|;&\n()])|(?:[^\s|;&()"']|\\.|"(?:\\.|[^"\\])*"|'[^']*')+/gm

const withoutHeredocs = (command: string): string =>
  command.replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2(?=\n|$)/g, '')
