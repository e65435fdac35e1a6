// Commands: what a shell line does, told by its telling simple command. `cd x && FOO=1 npm test -- foo | tail` is `npm test`.
import { splitSimpleCommands } from './shellCommands.ts'

/** Words asked for once or twice a process: sought in their text, which is sooner done than making a set of them. */
function set(words: string): Pick<ReadonlySet<string>, 'has'> {
  const all = ` ${words} `
  return { has: (word) => !word.includes(' ') && all.includes(` ${word} `) }
}

/** Programs whose next word names what they do. */
const WITH_SUBCOMMAND = set(
  'git npm pnpm yarn bun npx pnpx bunx uvx go cargo docker podman kubectl mise make pip poetry uv pipenv dotnet mvn mvnw gradle gradlew rails rake bundle terraform helm brew apt apt-get systemctl deno just task composer mix swift flutter dart turbo nx lerna ng next vite astro nuxt bazel zig stack cabal sbt hatch tox nox meson ninja xcodebuild pre-commit corepack memctl artisan',
)
/** Those whose next two words do. */
const WITH_TWO = set('gh aws gcloud az')
/** Subcommands that stand for nothing without the word after them. */
const GROUPS = set('run exec x dlx run-script compose tool mod stash worktree remote submodule workspace pip task')
/** Options before a subcommand that take the next word. */
const VALUED = set(
  '-C -c --prefix --cwd --dir --filter -F -w --workspace -n --namespace -f --file --git-dir --work-tree --manifest-path --context --project --profile --region -p --package -pl -T -j --directory',
)
/** What runs another command, with the letters of its options that take a value. */
const WRAPPERS: Readonly<Record<string, string>> = {
  sudo: 'ugpChU',
  time: 'fo',
  timeout: 'ks',
  gtimeout: 'ks',
  nohup: '',
  env: 'uCS',
  command: '',
  exec: 'a',
  builtin: '',
  nice: 'n',
  xargs: 'nIPLsdEa',
  stdbuf: 'ioe',
  'xvfb-run': 'nse',
  'cross-env': '',
  dotenv: 'e',
  watch: 'n',
}
const KEYWORDS = set('then do else if elif while until ! { } done fi esac')
const BINDING = set('for case select function in')
const MOVING = set(
  'cd pushd popd echo printf export set source . true false sleep mkdir pwd unset trap exit : wait read local declare return break continue shift eval alias touch clear date kill',
)
const LOOKING = set(
  'ls cat head tail wc grep egrep fgrep rg ag find fd sed awk sort uniq tee less more which type file stat tree jq yq cut tr diff cmp test [ [[ du df ps basename dirname realpath readlink column comm xxd od strings man tldr whoami hostname uname nl seq',
)
/** Subcommands that change nothing. */
const LOOKING_AT = set(
  'status log diff show branch view list ls ps get describe logs inspect blame grep reflog config remote rev-parse rev-list ls-files ls-tree cat-file merge-base for-each-ref shortlog check-ignore symbolic-ref checks env doc version help info outdated why search top',
)

/** Programs that check and do little else. */
const CHECKERS = set(
  'vitest jest mocha ava tap playwright cypress tsc vue-tsc svelte-check tsd eslint biome oxlint stylelint knip pytest ruff mypy pyright flake8 pylint unittest tox nox rspec rubocop phpunit phpstan pest psalm golangci-lint staticcheck gotestsum ginkgo shellcheck hadolint actionlint yamllint markdownlint ctest ktlint detekt swiftlint karma jasmine webpack rollup tsup esbuild pre-commit ninja xcodebuild',
)
/** Programs whose subcommand or script says by its name whether it checks. */
const NAMED = set(
  'npm pnpm yarn bun go cargo docker podman make mise just task rake composer deno turbo nx lerna ng next vite astro nuxt dotnet swift flutter dart mix rails mvn mvnw gradle gradlew terraform helm zig stack cabal bazel sbt hatch meson artisan uv poetry',
)
const CHECK_NAME =
  /(?:^|[:_.-])(?:t|tst|tests?|spec|e2e|unit|integration|coverage|build|compile|lint|linter|check|checks|typecheck|types?|tsc|vet|verify|validate|analy[sz]e|clippy|nextest|assemble|ci)(?:$|[:_.-])|[a-z]Test$|[a-z]Check$/
const FORMATTERS = set('prettier gofmt goimports rustfmt black isort shfmt clang-format fmt format')
const FORMAT_CHECKS = set(
  '--check -check -l -d --diff -c --list-different --verify-no-changes --dry-run -n --check-only --Werror',
)
const RUNNERS = set('npx pnpx bunx uvx exec x dlx run')
const CONTAINERS = set('docker podman kubectl')
const SHELLS = set('bash sh zsh dash fish')
const INTERPRETERS = set('python node ruby perl php deno tsx ts-node bash sh zsh dash fish')

/**
 * The telling simple command: its program, its subcommands and its flags' names (sorted, once each), values blanked.
 * Empty for an empty command. `git commit -m "x"` → `git commit -m`, `go test ./... -run TestX` → `go test -run`.
 */
export function commandShape(command: string): string {
  const words = tellingWords(command)
  const head = headOf(words)
  const end = words.indexOf('--')
  const flags = new Set<string>()
  for (const word of end === -1 ? words : words.slice(0, end)) {
    const name = flagName(word)
    if (name !== undefined && !head.includes(name)) flags.add(name)
  }
  return [...head, ...[...flags].sort()].join(' ')
}

/** The program and its subcommands only: `npm test`, `npm run build`, `git commit`, `python -m pytest`, `npx vitest`. */
export const commandFamily = (command: string): string => headOf(tellingWords(command)).join(' ')

/** The telling simple command with all its words: `cd x && npm test -- foo 2>&1 | tail` is `npm test -- foo`. Two with the same do the same. */
export const coreCommand = (command: string): string => tellingWords(command).join(' ')

/** Whether it is a test, a build, a lint, a type check or a format check of a common tool. A formatter that writes is none. */
export const isCheckCommand = (command: string): boolean => commandsOf(command).some(({ words }) => isCheck(words))

/** `--flag=value`, `-mvalue` in quotes and `-j4` without what they carry; undefined for what is no flag. */
function flagName(word: string): string | undefined {
  const name = /^--?[A-Za-z][\w-]*/.exec(word)?.[0]
  if (name === undefined || /^-[A-Za-z]\d+$/.test(name)) return name?.slice(0, 2)
  return /\s/.test(word) && !name.startsWith('--') ? name.slice(0, 2) : name
}

/** The words of the command that tells most: a check before other work, other work before looking, looking before moving about. */
function tellingWords(command: string): readonly string[] {
  let best: readonly string[] = []
  let bestRank = 0
  for (const { words, serving } of commandsOf(command)) {
    const full = rankOf(words)
    // A filter behind a pipe tells nothing; what acts there does, if what feeds it only looks or echoes.
    const rank = !serving ? full : full >= 3 ? 2.5 : 0.5
    // Of two that tell as much the later one: `npm run build && npm test` is about the test.
    if (rank > bestRank || (rank === bestRank && rank >= 3)) {
      best = words
      bestRank = rank
    }
  }
  return best
}

/** The simple commands without what wraps them; `bash -c "…"` is what it runs. */
function commandsOf(command: string, depth = 0): { words: readonly string[]; serving: boolean }[] {
  return splitSimpleCommands(command).flatMap(({ words, isAuxiliary }) => {
    const own = unwrapped(words)
    if (own.length === 0 || own[0]!.startsWith('-')) return []
    if (depth < 2 && SHELLS.has(own[0]!)) {
      const at = own.findIndex((word) => /^-\w*c$/.test(word))
      if (at > 0 && own[at + 1] !== undefined) return commandsOf(own[at + 1]!, depth + 1)
    }
    return [{ words: own, serving: isAuxiliary }]
  })
}

function unwrapped(words: readonly string[]): readonly string[] {
  let i = 0
  while (i < words.length) {
    const word = words[i]!
    if (BINDING.has(word)) return []
    const valued = Object.hasOwn(WRAPPERS, word) ? WRAPPERS[word]! : undefined
    if (valued === undefined && !KEYWORDS.has(word) && !/^[A-Za-z_]\w*\+?=/.test(word)) break
    i++
    while (valued !== undefined && words[i]?.startsWith('-')) {
      const flag = words[i++]!
      if (flag.length === 2 && valued.includes(flag[1]!)) i++
    }
    if (word.endsWith('timeout')) i++
  }
  const program = words[i]
  const end = words.indexOf('--', i)
  // `mise exec -- go test` runs what it says there; in a container it is another machine's.
  if (end > 0 && /^(?:exec|x)$/.test(words[i + 1] ?? '') && !CONTAINERS.has(program!))
    return unwrapped(words.slice(end + 1))
  const name = program === undefined ? '' : programOf(program)
  return name === '' ? [] : [name, ...words.slice(i + 1)]
}

/** Its name without its folder and without what a quoted word carries; `python3.12` is `python`. */
function programOf(word: string): string {
  const path = (/^[^\s=]*/.exec(word.trim())?.[0] ?? '').replaceAll('\\', '/')
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd)$/, '')
  return /^(?:python|pip)[\d.]+$/.test(name) ? name.replace(/[\d.]+$/, '') : name
}

function rankOf(words: readonly string[]): number {
  const program = words[0]!
  if (isCheck(words)) return 4
  if (MOVING.has(program)) return 1
  if (LOOKING.has(program)) return 2
  return headOf(words)
    .slice(1)
    .some((word) => LOOKING_AT.has(word))
    ? 2
    : 3
}

function headOf(words: readonly string[]): readonly string[] {
  const program = words[0]
  if (program === undefined) return []
  if (INTERPRETERS.has(program) && !WITH_SUBCOMMAND.has(program)) return interpreted(program, words)
  let left = WITH_TWO.has(program) ? 2 : WITH_SUBCOMMAND.has(program) ? 1 : 0
  const head = [program]
  for (let i = 1; i < words.length && left > 0; i++) {
    const word = words[i]!
    if (word === '--' && !GROUPS.has(head.at(-1)!)) break
    if (VALUED.has(word)) i++
    else if (/^[-+]/.test(word) || word.includes('=') || (word === 'clean' && /^[:a-z]/.test(words[i + 1] ?? '')))
      continue
    else {
      // A path, a number or a text is what the command works on, but for what it runs: `go run ./cmd/x`.
      if (RUNNERS.has(head.at(-1)!) ? !NAME.test(word) : !/^[A-Za-z:][\w:.@-]*$/.test(word)) break
      head.push(/^[/~]/.test(word) ? programOf(word) : RUNNERS.has(program) ? unversioned(word) : word)
      if (!(GROUPS.has(word) && head.length < 4 && !CONTAINERS.has(program)) && word !== 'compose') left--
    }
  }
  return head
}

/** What can name something to run; anything else is a value. */
const NAME = /^[^\s=]+$/

/** `vitest@latest` is `vitest`. */
const unversioned = (word: string): string => word.replace(/(?<=.)@[\w.^~-]+$/, '')

/** An interpreter is told by what it runs: a module, a script, or code given inline. */
function interpreted(program: string, words: readonly string[]): readonly string[] {
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!
    if (word === '-m') return [program, '-m', ...words.slice(i + 1, i + 2).filter((name) => NAME.test(name))]
    if (/^(?:-[ecp]|--eval|--print|--test|--check)$/.test(word)) return [program, word]
    if (/^(?:-r|--require|--import|--loader|--env-file|-W|-X)$/.test(word)) i++
    else if (!word.startsWith('-'))
      return NAME.test(word) ? [program, /^[/~$]/.test(word) ? programOf(word) : word] : [program]
  }
  return [program]
}

function isCheck(words: readonly string[]): boolean {
  const program = words[0]!
  const head = headOf(words)
  const last = head.at(-1)!
  if (program === 'npm' && head[1] === 'ci') return false
  if (head.length > 1 && (RUNNERS.has(program) || RUNNERS.has(head.at(-2)!))) {
    const inner = words.slice(words.findIndex((word) => unversioned(word) === last || word === last))
    if (inner.length < words.length && isCheck([programOf(last), ...inner.slice(1)])) return true
  }
  if (head[1] === '-m') return head[2] !== undefined && isCheck(words.slice(words.indexOf('-m') + 1))
  if (last === '--test' || last === '--check') return INTERPRETERS.has(program)
  const writes =
    FORMATTERS.has(program) || FORMATTERS.has(head[1] ?? '') || (words[1] === 'format' && CHECKERS.has(program))
  if (writes) return words.some((word) => FORMAT_CHECKS.has(word))
  if (CHECKERS.has(program))
    return !/^(?:install|open|codegen|init|migrate|--version|--help|-h|-v)$/.test(words[1] ?? '')
  if (!NAMED.has(program)) return false
  if (program === 'make' && head.length === 1) return true
  if (/^(?:mvnw?|gradlew?)$/.test(program))
    return words.some(
      (word, i) => i > 0 && /^(?:install|package)$|(?:^|:)(?:test|check|verify|build|compile)/.test(word),
    )
  return head.length > 1 && CHECK_NAME.test(last)
}
