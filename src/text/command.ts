// What a shell line does, by its main simple command: `cd x && FOO=1 npm test -- foo | tail` is `npm test`.
//
// Then how a shell line splits into its simple commands, and the programs, subcommands and keywords.

/**
 * The shape of the main simple command: program, subcommands and the names of its flags (sorted, without values).
 * Empty for an empty command. `git commit -m "x"` → `git commit -m`, `go test ./... -run TestX` → `go test -run`.
 */
export function commandShape(command: string): string {
  const words = findMainCommand(command)
  if (words === undefined) return ''
  const head = commandHead(words)
  const end = words.indexOf('--')
  const flags = new Set<string>()
  for (const word of end === -1 ? words : words.slice(0, end)) {
    const name = flagName(word)
    if (name !== undefined && !head.includes(name)) flags.add(name)
  }
  return [...head, ...[...flags].sort()].join(' ')
}

/** Only the program and its subcommands: `npm test`, `npm run build`, `git commit`, `python -m pytest`. */
export function commandFamily(command: string): string {
  const words = findMainCommand(command)
  return words === undefined ? '' : commandHead(words).join(' ')
}

/** A text as one word of a shell: quoted, unless it has only letters, digits and `_ . / -`. */
export const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** The main simple command with all its words: `cd x && npm test -- foo 2>&1 | tail` is `npm test -- foo`. */
export const coreCommand = (command: string): string => (findMainCommand(command) ?? []).join(' ')

/** Whether a common tool tests, builds, lints or checks types or format. A formatter that writes does not count. */
export const isCheckCommand = (command: string): boolean => listCommands(command).some(({ words }) => isCheck(words))

/** A simple command: its program and its arguments. */
type Words = readonly [program: string, ...args: string[]]

/** The name of a flag: `--flag=value` → `--flag`, `-j4` → `-j`; undefined for a word that is not a flag. */
function flagName(word: string): string | undefined {
  const name = /^--?[A-Za-z][\w-]*/.exec(word)?.[0]
  if (name === undefined || /^-[A-Za-z]\d+$/.test(name)) return name?.slice(0, 2)
  return /\s/.test(word) && !name.startsWith('--') ? name.slice(0, 2) : name
}

/** The simple command that says most: a check before other work, work before reading, reading before preparing. */
function findMainCommand(command: string): Words | undefined {
  let best: Words | undefined
  let bestRank = 0
  for (const { words, isAuxiliary } of listCommands(command)) {
    const full = commandRank(words)
    // A filter behind a pipe says little; a command that does work there counts if its input only reads or prints.
    const rank = !isAuxiliary ? full : full >= 3 ? 2.5 : 0.5
    // Of two of the same rank the later one: `npm run build && npm test` is about the test.
    if (rank > bestRank || (rank === bestRank && rank >= 3)) {
      best = words
      bestRank = rank
    }
  }
  return best
}

/** The simple commands without wrappers; `bash -c "…"` counts as the commands that it runs. */
function listCommands(command: string, depth = 0): { words: Words; isAuxiliary: boolean }[] {
  return splitSimpleCommands(command).flatMap(({ words: wrapped, isAuxiliary }) => {
    const words = unwrap(wrapped)
    if (words === undefined || words[0].startsWith('-')) return []
    if (depth < 2 && SHELLS.has(words[0])) {
      const at = words.findIndex((word) => /^-\w*c$/.test(word))
      const script = at > 0 ? words[at + 1] : undefined
      if (script !== undefined) return listCommands(script, depth + 1)
    }
    return [{ words, isAuxiliary }]
  })
}

/** The command without assignments, keywords and programs that only run it. */
function unwrap(words: readonly string[]): Words | undefined {
  let i = 0
  for (let word = words[0]; word !== undefined; word = words[i]) {
    if (BINDING_KEYWORDS.has(word)) return undefined
    const valueLetters = Object.hasOwn(WRAPPERS, word) ? WRAPPERS[word] : undefined
    const isSet = /^[A-Za-z_]\w*\+?=/.test(word) || (word.startsWith('$') && /^\$(?:env:)?\w+=/i.test(word))
    if (valueLetters === undefined && !KEYWORDS.has(word) && !isSet) break
    i++
    if (valueLetters !== undefined) {
      for (let flag = words[i]; flag?.startsWith('-'); flag = words[i]) {
        i += flag.length === 2 && valueLetters.includes(flag.charAt(1)) ? 2 : 1
      }
    }
    if (word.endsWith('timeout')) i++
  }
  const program = words[i]
  if (program === undefined) return undefined
  const end = words.indexOf('--', i)
  // `mise exec -- go test` runs what follows; what a container runs is not run here.
  if (end > 0 && /^(?:exec|x)$/.test(words[i + 1] ?? '') && !CONTAINERS.has(program))
    return unwrap(words.slice(end + 1))
  const name = programName(program)
  return name === '' ? undefined : [name, ...words.slice(i + 1)]
}

/** The name of a program without its folder and version: `/usr/bin/python3.12` is `python`. */
function programName(word: string): string {
  const isQuotedProgram = word.includes(' ') && /^[A-Za-z]:\/.*\.(?:exe|cmd|bat|ps1)$/i.test(word)
  const path = isQuotedProgram ? word : (/^[^\s=]*/.exec(word.trim())?.[0] ?? '').replaceAll('\\', '/')
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:exe|cmd|bat|ps1)$/i, '')
  return /^(?:python|pip)[\d.]+$/.test(name) ? name.replace(/[\d.]+$/, '') : name
}

/** How much a command says: 4 for a check, 3 for other work, 2 for reading, 1 for preparing. */
function commandRank(words: Words): number {
  if (isCheck(words)) return 4
  if (PREPARING.has(words[0])) return 1
  const isReading =
    READING.has(words[0]) || commandHead(words).some((word, i) => i > 0 && READING_SUBCOMMANDS.has(word))
  return isReading ? 2 : 3
}

/** The program and its subcommands. */
function commandHead(words: Words): readonly string[] {
  const [program] = words
  if (INTERPRETERS.has(program) && !WITH_SUBCOMMAND.has(program)) return interpreterHead(words)
  let left = WITH_TWO.has(program) ? 2 : WITH_SUBCOMMAND.has(program) ? 1 : 0
  const head = [program]
  let last = program
  for (let i = 1; i < words.length && left > 0; i++) {
    const word = words[i] ?? ''
    if (word === '--' && !GROUPS.has(last)) break
    if (VALUE_OPTIONS.has(word)) i++
    else if (/^[-+]/.test(word) || word.includes('=') || (word === 'clean' && /^[:a-z]/.test(words[i + 1] ?? '')))
      continue
    else {
      // A path, a number or a text is an argument, except of a runner: `go run ./cmd/x`.
      if (RUNNERS.has(last) ? !NAME.test(word) : !/^[A-Za-z:][\w:.@-]*$/.test(word)) break
      last = /^[/~]/.test(word) ? programName(word) : RUNNERS.has(program) ? withoutVersion(word) : word
      head.push(last)
      if (!(GROUPS.has(word) && head.length < 4 && !CONTAINERS.has(program)) && word !== 'compose') left--
    }
  }
  return head
}

/** What can name something to run; anything else is a value. */
const NAME = /^[^\s=]+$/

/** `vitest@latest` is `vitest`. */
const withoutVersion = (word: string): string => word.replace(/(?<=.)@[\w.^~-]+$/, '')

/** An interpreter and what it runs: a module, a script, or the option for inline code. */
function interpreterHead(words: Words): readonly string[] {
  const [program] = words
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '-m') return [program, '-m', ...words.slice(i + 1, i + 2).filter((name) => NAME.test(name))]
    if (/^(?:-[ecp]|--eval|--print|--test|--check)$/.test(word)) return [program, word]
    if (/^(?:-r|--require|--import|--loader|--env-file|-W|-X)$/.test(word)) i++
    else if (!word.startsWith('-'))
      return NAME.test(word) ? [program, /^[/~$]/.test(word) ? programName(word) : word] : [program]
  }
  return [program]
}

function isCheck(words: Words): boolean {
  const [program, firstArgument = ''] = words
  const head = commandHead(words)
  const [, subcommand, module] = head
  const last = head.at(-1) ?? program
  if (program === 'npm' && subcommand === 'ci') return false
  if (head.length > 1 && (RUNNERS.has(program) || RUNNERS.has(head.at(-2) ?? program))) {
    const inner = words.slice(words.findIndex((word) => withoutVersion(word) === last || word === last))
    if (inner.length < words.length && isCheck([programName(last), ...inner.slice(1)])) return true
  }
  if (subcommand === '-m') return module !== undefined && isCheck([module, ...words.slice(words.indexOf('-m') + 2)])
  if (last === '--test' || last === '--check') return INTERPRETERS.has(program)
  const writes =
    FORMATTERS.has(program) || FORMATTERS.has(subcommand ?? '') || (firstArgument === 'format' && CHECKERS.has(program))
  if (writes) return words.some((word) => FORMAT_CHECKS.has(word))
  if (CHECKERS.has(program))
    return !/^(?:install|open|codegen|init|migrate|--version|--help|-h|-v)$/.test(firstArgument)
  if (!SCRIPT_RUNNERS.has(program)) return false
  if (program === 'make' && head.length === 1) return true
  if (/^(?:mvnw?|gradlew?)$/.test(program))
    return words.some(
      (word, i) => i > 0 && /^(?:install|package)$|(?:^|:)(?:test|check|verify|build|compile)/.test(word),
    )
  return head.length > 1 && CHECK_NAME.test(last)
}

/** Whether a command of this shape only reads, prints or prepares; an empty shape too. */
export function isReading(shape: string): boolean {
  const [program = '', ...words] = shape.split(' ')
  return (
    /^(?:gh|curl)?$/.test(program) ||
    READING.has(program) ||
    PREPARING.has(program) ||
    words.some((word) => READING_SUBCOMMANDS.has(word))
  )
}

/** A longer line contains data; only its beginning is read. */
const COMMAND_CHARS_MAX = 8192

//            1 redirection                                                        2 comment   3 operator
const TOKEN =
  /(&>>?\s*\S+|\d*(?:>[>|]?|<)&?[ \t]*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+))|(#[^\n]*)|(&&|\|[|&]?|[;&\n()])|(?:[^\s|;&()<>"'\\]|\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*')+/g
//                       4 a word with its quotes

/**
 * The simple commands of a shell line; those inside `$(…)` come before the command that uses them. `isAuxiliary`: it is
 * behind a pipe or inside `$(…)`, so its work is a part of another command's.
 */
export function splitSimpleCommands(command: string) {
  const commands: { readonly words: readonly string[]; readonly isAuxiliary: boolean }[] = []
  const outer: { words: string[]; isAuxiliary: boolean; tail: boolean }[] = []
  let words: string[] = []
  let isAuxiliary = false
  let tailAt = -1
  const close = (next: boolean) => {
    if (words.length > 0) commands.push({ words, isAuxiliary })
    words = []
    isAuxiliary = next || outer.at(-1)?.tail === true
  }
  for (const match of withoutHeredocs(command).matchAll(TOKEN)) {
    const [token, redirection, comment, operator] = match
    if (operator === '(') {
      // `$(…)` is a part of a word of the command around it, `(…)` is a command of its own.
      const inside = words.at(-1)?.endsWith('$') === true
      if (!inside) close(false)
      outer.push({ words, isAuxiliary, tail: inside })
      words = []
      isAuxiliary = inside
    } else if (operator === ')') {
      close(false)
      const around = outer.pop()
      if (around?.tail) {
        words = around.words
        isAuxiliary = around.isAuxiliary
        tailAt = match.index + 1
      }
    } else if (operator !== undefined) close(operator === '|' || operator === '|&')
    else if (redirection === undefined && comment === undefined && match.index !== tailAt) words.push(unquote(token))
  }
  close(false)
  for (const around of outer.reverse()) if (around.words.length > 0) commands.push(around)
  return commands
}

/** The command with continued lines joined and without the bodies of heredocs; the rest of a `<<EOF` line stays. */
export function withoutHeredocs(command: string): string {
  const joined = command.slice(0, COMMAND_CHARS_MAX).replace(/\\\r?\n/g, ' ')
  if (!joined.includes('<<')) return joined
  return joined.replace(
    /(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1([^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\2(?=[\s)"'`;]|$)/g,
    '$3',
  )
}

const unquote = (word: string): string => (/["'\\]/.test(word) ? word.replace(/\\([\s\S])|["']/g, '$1') : word)

/** A set that is searched as text: a process looks up one or two words, and building a Set would take longer. */
function wordSet(words: string): Pick<ReadonlySet<string>, 'has'> {
  const all = ` ${words} `
  return { has: (word) => !word.includes(' ') && all.includes(` ${word} `) }
}

const WITH_SUBCOMMAND = wordSet(
  'git npm pnpm yarn bun npx pnpx bunx uvx go cargo docker podman kubectl mise make pip poetry uv pipenv dotnet mvn ' +
    'mvnw gradle gradlew rails rake bundle terraform helm brew apt apt-get systemctl deno just task composer mix ' +
    'swift flutter dart turbo nx lerna ng next vite astro nuxt bazel zig stack cabal sbt hatch tox nox meson ninja ' +
    'xcodebuild pre-commit corepack memctl artisan',
)
/** Programs with two levels of subcommands. */
const WITH_TWO = wordSet('gh aws gcloud az')
/** Subcommands that mean nothing without the next word. */
const GROUPS = wordSet('run exec x dlx run-script compose tool mod stash worktree remote submodule workspace pip task')
/** Options before a subcommand that take a value. */
const VALUE_OPTIONS = wordSet(
  '-C -c --prefix --cwd --dir --filter -F -w --workspace -n --namespace -f --file --git-dir --work-tree ' +
    '--manifest-path --context --project --profile --region -p --package -pl -T -j --directory',
)
/** Programs that run another command, with the letters of their options that take a value. */
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
/** Shell keywords before a command. */
const KEYWORDS = wordSet('then do else if elif while until ! { } done fi esac')
/** Shell keywords before words that are not a command. */
const BINDING_KEYWORDS = wordSet('for case select function in')
/** Programs that only prepare: folders, variables, output, waiting. */
const PREPARING = wordSet(
  'cd pushd popd echo printf export set source . true false sleep mkdir pwd unset trap exit : wait read local ' +
    'declare return break continue shift eval alias touch clear date kill Set-Location Push-Location Pop-Location ' +
    'Set-Variable New-Item Write-Host Write-Output Start-Sleep chcp',
)
const READING = wordSet(
  'ls cat head tail wc grep egrep fgrep rg ag find fd sed awk sort uniq tee less more which type file stat tree jq ' +
    'yq cut tr diff cmp test [ [[ du df ps basename dirname realpath readlink column comm xxd od strings man tldr ' +
    'whoami hostname uname nl seq Get-Content Get-ChildItem Get-Item Get-Location Get-Command Select-Object ' +
    'Select-String Where-Object ForEach-Object Sort-Object Measure-Object Format-Table Format-List Out-String ' +
    'Out-Host Out-Null Tee-Object Test-Path dir findstr where where.exe',
)
const READING_SUBCOMMANDS = wordSet(
  'status log diff show branch view list ls ps get describe logs inspect blame grep reflog config remote rev-parse ' +
    'rev-list ls-files ls-tree cat-file merge-base for-each-ref shortlog check-ignore symbolic-ref checks env doc ' +
    'version help info outdated why search top',
)

const CHECKERS = wordSet(
  'vitest jest mocha ava tap playwright cypress tsc vue-tsc svelte-check tsd eslint biome oxlint stylelint knip ' +
    'pytest ruff mypy pyright flake8 pylint unittest tox nox rspec rubocop phpunit phpstan pest psalm golangci-lint ' +
    'staticcheck gotestsum ginkgo shellcheck hadolint actionlint yamllint markdownlint ctest ktlint detekt swiftlint ' +
    'karma jasmine webpack rollup tsup esbuild pre-commit ninja xcodebuild',
)
/** Programs with subcommands or scripts whose name says whether they check. */
const SCRIPT_RUNNERS = wordSet(
  'npm pnpm yarn bun go cargo docker podman make mise just task rake composer deno turbo nx lerna ng next vite ' +
    'astro nuxt dotnet swift flutter dart mix rails mvn mvnw gradle gradlew terraform helm zig stack cabal bazel sbt ' +
    'hatch meson artisan uv poetry',
)
const CHECK_NAME =
  /(?:^|[:_.-])(?:t|tst|tests?|spec|e2e|unit|integration|coverage|build|compile|lint|linter|check|checks|typecheck|types?|tsc|vet|verify|validate|analy[sz]e|clippy|nextest|assemble|ci)(?:$|[:_.-])|[a-z]Test$|[a-z]Check$/
export const FORMATTERS = wordSet('prettier gofmt goimports rustfmt black isort shfmt clang-format fmt format')
const FORMAT_CHECKS = wordSet(
  '--check -check -l -d --diff -c --list-different --verify-no-changes --dry-run -n --check-only --Werror',
)
const RUNNERS = wordSet('npx pnpx bunx uvx exec x dlx run')
const CONTAINERS = wordSet('docker podman kubectl')
const SHELLS = wordSet('bash sh zsh dash fish')
export const INTERPRETERS = wordSet('python node ruby perl php deno tsx ts-node bash sh zsh dash fish')
