// What programs do not have, what their status does not mean, and the form that works.
import { expect, test } from 'vitest'
import { factsAfter, failsTool, linesAfter, nthSession } from './factLines.ts'

test.each([
  [
    'cobra',
    'docker compose ps --watch',
    'unknown flag: --watch',
    'docker compose ps -a',
    'Use `docker compose ps -a`: `docker compose ps` refuses `--watch` here',
  ],
  [
    'git',
    'git log --no-graph -3',
    'fatal: unrecognized argument: --no-graph',
    'git log -3',
    'Run `git log` without `--no-graph`: `git log` refuses `--no-graph` here',
  ],
  [
    'clap',
    'cargo test --verbose-all',
    "error: unexpected argument '--verbose-all' found",
    'cargo test',
    'Run `cargo test` without `--verbose-all`: `cargo test` refuses `--verbose-all` here',
  ],
  [
    'argparse',
    'pytest --fast tests',
    'pytest: error: unrecognized arguments: --fast',
    'pytest tests',
    'Run `pytest` without `--fast`: `pytest` refuses `--fast` here',
  ],
  ['getopt', 'ls -Q src', 'ls: illegal option -- Q', 'ls -l src', 'Use `ls -l`: `ls` refuses `-Q` here (BSD tools)'],
  [
    'gradle',
    'gradle build --fast',
    "Unknown command-line option '--fast'.",
    'gradle build',
    'Run `gradle build` without `--fast`: `gradle build` refuses `--fast` here',
  ],
])('command facts: an unknown option, in the wording of %s', (_, wrong, error, right, line) => {
  expect(linesAfter(nthSession(1).fails(wrong, `Exit code 1\n${error}`).runs(right, 'ok'))).toEqual([line])
})

test('command facts: an option also matches before the call', () => {
  const [fact] = factsAfter(nthSession(1).fails('gh run list --all', 'Exit code 1\nunknown flag: --all'))
  expect(fact?.fact?.triggers).toEqual([{ command: 'gh run list', parts: ['--all'] }])
})

test('command facts: an option before the subcommand belongs to the program', () => {
  const told = nthSession(1)
    .fails('git -C shop status', "Exit code 2\nerror: unexpected argument '-C' found")
    .runs('git status', 'clean')
  expect(linesAfter(told)).toEqual(['Run `git` without `-C`: `git` refuses `-C` here'])
})

test('command facts: a failure that a pipe hides counts too', () => {
  const told = nthSession(1)
    .runs('cat -A src/a.ts | head', 'cat: illegal option -- A')
    .runs('cat -e src/a.ts | head', 'x')
  expect(linesAfter(told)).toEqual(['Use `cat -e`: `cat` refuses `-A` here (BSD tools)'])
})

test('command facts: a wrapper that does not know the program behind it', () => {
  const told = nthSession(1)
    .fails('turbowrap pnpm test', "Exit code 2\nerror: unrecognized subcommand 'pnpm'")
    .fails('pnpm test', 'Exit code 1\n1 test failed')
  expect(linesAfter(told)).toEqual(['Run `pnpm` without `turbowrap`: `turbowrap` has no subcommand `pnpm`'])
})

test('command facts: a script that only the root has', () => {
  const told = nthSession(1)
    .fails('npm run lint', 'Exit code 1\nnpm error Missing script: "lint"')
    .runs('cd /home/dev/shop && npm run lint', 'ok')
  expect(linesAfter(told)).toEqual(['Run `npm run lint` from the repository root: other folders have no `lint`'])
})

test.each([
  [
    'python app.py',
    'zsh: command not found: python',
    'python3 app.py',
    'Use `python3 app.py`: `python` is not installed',
  ],
  [
    'tsc --noEmit',
    'bash: tsc: command not found',
    'npx tsc --noEmit',
    'Use `npx tsc --noEmit`: `tsc` is not installed',
  ],
  ['mypy src', 'zsh: command not found: mypy', 'ruff check src', '`mypy` is not installed'],
])('command facts: a program that is not installed: %s', (wrong, error, right, line) => {
  expect(linesAfter(nthSession(1).fails(wrong, `Exit code 127\n${error}`).runs(right, 'ok'))).toEqual([line])
})

test('command facts: a word after one dash that is read as letters', () => {
  const error = "Exit code 2\nerror: unexpected argument '-n' found"
  expect(linesAfter(nthSession(1).fails('fdx src -name x', error))).toEqual(['`fdx` refuses `-name` here'])
})

test('command facts: what a program of the project does not have is new code', () => {
  expect(linesAfter(nthSession(1).fails('./bin/till sell --gift', 'Exit code 1\nunknown flag: --gift'))).toEqual([])
})

test('command facts: most sessions decide the remedy, and a command that passes refutes the fact', () => {
  const wrong = (n: number) => nthSession(n).fails('ls -Q src', 'Exit code 1\nls: illegal option -- Q')
  const [fact] = factsAfter(wrong(1).runs('ls -l src'), wrong(2).runs('ls -1 src'), wrong(3).runs('ls -1 src'))
  expect(fact?.fact?.remedies.map(({ text, sessions }) => [text, sessions])).toEqual([
    ['use `ls -1`', 2],
    ['use `ls -l`', 1],
  ])
  const passes = (n: number) => nthSession(n).runs('ls -Q src', 'a.ts')
  expect(factsAfter(wrong(1), passes(2), passes(3))[0]?.fact).toMatchObject({ refutations: 2, state: 'retired' })
})

test('command facts: an address that an API does not have, and the one that worked', () => {
  const told = nthSession(1)
    .fails('gh api repos/acme/shop/issue/12/comments', 'Exit code 1\ngh: Not Found (HTTP 404)')
    .runs('gh api repos/acme/shop/issues/12/comments', '[]')
  expect(linesAfter(told)).toEqual([
    'Use `gh api repos/acme/shop/issues/<n>/comments`: `gh api repos/acme/shop/issue/<n>/comments` gives 404',
  ])
})

test('command facts: a status above 0 with a result is no failure', () => {
  const told = nthSession(1)
    .fails('helm diff shop', 'Exit code 2\nshop-api  changed\nshop-web  same')
    .runs('git status', '')
  expect(linesAfter(told)).toEqual([
    'Read the output of `helm diff`: `helm diff` exits with 2 when an item is not in order',
  ])
})

test('command facts: failing tests, searches without a match and errors of a program give none', () => {
  const told = nthSession(1)
    .fails('npm test', 'Exit code 1\n1 failed\n3 passed')
    .fails('grep -rn totl src', 'Exit code 1')
    .fails('psql -c "select 1"', 'Exit code 2\npsql: error: connection refused')
    .runs('git status', '')
  expect(linesAfter(told)).toEqual([])
})

test('command facts: a path that git ignores is left out of git add', () => {
  const error =
    'Exit code 1\nThe following paths are ignored by one of your .gitignore files:\nweb/public/app.css\nhint: Use -f'
  const told = nthSession(1).fails('git add web/app.scss web/public/app.css', error)
  expect(linesAfter(told)).toEqual(['Leave `web/public/app.css` out of `git add`: git ignores it'])
})

test('tool facts: a skill that does not exist, and the command that was used instead', () => {
  const told = failsTool(
    nthSession(1),
    'Skill',
    { skill: 'deploy' },
    '<tool_use_error>Unknown skill: deploy</tool_use_error>',
  )
  expect(linesAfter(told.runs('fly deploy', 'ok'))).toEqual(['There is no skill `deploy`'])
  const commit = failsTool(
    nthSession(2),
    'Skill',
    { skill: 'commit' },
    '<tool_use_error>Unknown skill: commit</tool_use_error>',
  )
  expect(linesAfter(commit.runs('git add src && git commit -m x', ''))).toEqual([
    'Use `git commit` instead of the skill: there is no skill `commit`',
  ])
})

test('tool facts: the full name of an agent', () => {
  const error = "Agent type 'reviewer' not found. Available agents: Explore, quality:reviewer, Plan"
  const told = failsTool(nthSession(1), 'Task', { subagent_type: 'reviewer', prompt: 'x' }, error)
  expect(linesAfter(told)).toEqual([
    'Use the agent `quality:reviewer`, its full name: there is no agent type `reviewer`',
  ])
})

test('tool facts: a value that a server refuses, and the one that it takes', () => {
  const told = failsTool(
    nthSession(1),
    'mcp__tracker__create_ticket',
    { title: 'A till', queue: 'Shop' },
    'Invalid queue',
  )
  told.calls('mcp__tracker__create_ticket', { title: 'A till', queue: 'SHOP-DEV' }, 'ok')
  expect(linesAfter(told)).toEqual(['Use queue "SHOP-DEV": `create_ticket` refuses queue "Shop"'])
})

test('tool facts: edits that miss the indentation', () => {
  const file = '/home/dev/shop/src/a.go'
  const wrong = { file_path: file, old_string: 'func a() {\n\treturn total\n}', new_string: 'x' }
  const right = { file_path: file, old_string: 'func a() {\n\t\treturn total\n}', new_string: 'x' }
  const told = failsTool(
    nthSession(1),
    'Edit',
    wrong,
    '<tool_use_error>String to replace not found in file.</tool_use_error>',
  )
  expect(linesAfter(told.calls('Edit', right))).toEqual([
    'Copy the exact leading tabs into `old_string`: edits often miss one level',
  ])
})
