// The programs, subcommands and keywords that command.ts knows.

/** A set that is searched as text: a process looks up one or two words, and building a Set would take longer. */
function wordSet(words: string): Pick<ReadonlySet<string>, 'has'> {
  const all = ` ${words} `
  return { has: (word) => !word.includes(' ') && all.includes(` ${word} `) }
}

/** Programs with subcommands. */
export const WITH_SUBCOMMAND = wordSet(
  'git npm pnpm yarn bun npx pnpx bunx uvx go cargo docker podman kubectl mise make pip poetry uv pipenv dotnet mvn ' +
    'mvnw gradle gradlew rails rake bundle terraform helm brew apt apt-get systemctl deno just task composer mix ' +
    'swift flutter dart turbo nx lerna ng next vite astro nuxt bazel zig stack cabal sbt hatch tox nox meson ninja ' +
    'xcodebuild pre-commit corepack memctl artisan',
)
/** Programs with two levels of subcommands. */
export const WITH_TWO = wordSet('gh aws gcloud az')
/** Subcommands that mean nothing without the next word. */
export const GROUPS = wordSet(
  'run exec x dlx run-script compose tool mod stash worktree remote submodule workspace pip task',
)
/** Options before a subcommand that take a value. */
export const VALUE_OPTIONS = wordSet(
  '-C -c --prefix --cwd --dir --filter -F -w --workspace -n --namespace -f --file --git-dir --work-tree ' +
    '--manifest-path --context --project --profile --region -p --package -pl -T -j --directory',
)
/** Programs that run another command, with the letters of their options that take a value. */
export const WRAPPERS: Readonly<Record<string, string>> = {
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
export const KEYWORDS = wordSet('then do else if elif while until ! { } done fi esac')
/** Shell keywords before words that are not a command. */
export const BINDING_KEYWORDS = wordSet('for case select function in')
/** Programs that only prepare: folders, variables, output, waiting. */
export const PREPARING = wordSet(
  'cd pushd popd echo printf export set source . true false sleep mkdir pwd unset trap exit : wait read local ' +
    'declare return break continue shift eval alias touch clear date kill Set-Location Push-Location Pop-Location ' +
    'Set-Variable New-Item Write-Host Write-Output Start-Sleep chcp',
)
/** Programs that only read. */
export const READING = wordSet(
  'ls cat head tail wc grep egrep fgrep rg ag find fd sed awk sort uniq tee less more which type file stat tree jq ' +
    'yq cut tr diff cmp test [ [[ du df ps basename dirname realpath readlink column comm xxd od strings man tldr ' +
    'whoami hostname uname nl seq Get-Content Get-ChildItem Get-Item Get-Location Get-Command Select-Object ' +
    'Select-String Where-Object ForEach-Object Sort-Object Measure-Object Format-Table Format-List Out-String ' +
    'Out-Host Out-Null Tee-Object Test-Path dir findstr where where.exe',
)
/** Subcommands that only read. */
export const READING_SUBCOMMANDS = wordSet(
  'status log diff show branch view list ls ps get describe logs inspect blame grep reflog config remote rev-parse ' +
    'rev-list ls-files ls-tree cat-file merge-base for-each-ref shortlog check-ignore symbolic-ref checks env doc ' +
    'version help info outdated why search top',
)

/** Programs that check. */
export const CHECKERS = wordSet(
  'vitest jest mocha ava tap playwright cypress tsc vue-tsc svelte-check tsd eslint biome oxlint stylelint knip ' +
    'pytest ruff mypy pyright flake8 pylint unittest tox nox rspec rubocop phpunit phpstan pest psalm golangci-lint ' +
    'staticcheck gotestsum ginkgo shellcheck hadolint actionlint yamllint markdownlint ctest ktlint detekt swiftlint ' +
    'karma jasmine webpack rollup tsup esbuild pre-commit ninja xcodebuild',
)
/** Programs with subcommands or scripts whose name says whether they check. */
export const SCRIPT_RUNNERS = wordSet(
  'npm pnpm yarn bun go cargo docker podman make mise just task rake composer deno turbo nx lerna ng next vite ' +
    'astro nuxt dotnet swift flutter dart mix rails mvn mvnw gradle gradlew terraform helm zig stack cabal bazel sbt ' +
    'hatch meson artisan uv poetry',
)
export const CHECK_NAME =
  /(?:^|[:_.-])(?:t|tst|tests?|spec|e2e|unit|integration|coverage|build|compile|lint|linter|check|checks|typecheck|types?|tsc|vet|verify|validate|analy[sz]e|clippy|nextest|assemble|ci)(?:$|[:_.-])|[a-z]Test$|[a-z]Check$/
export const FORMATTERS = wordSet('prettier gofmt goimports rustfmt black isort shfmt clang-format fmt format')
export const FORMAT_CHECKS = wordSet(
  '--check -check -l -d --diff -c --list-different --verify-no-changes --dry-run -n --check-only --Werror',
)
export const RUNNERS = wordSet('npx pnpx bunx uvx exec x dlx run')
export const CONTAINERS = wordSet('docker podman kubectl')
export const SHELLS = wordSet('bash sh zsh dash fish')
export const INTERPRETERS = wordSet('python node ruby perl php deno tsx ts-node bash sh zsh dash fish')
