// What a session's failures teach: one line, and the triggers that bring it to the next call of this kind.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  failureId,
  findOvercomeFailures,
  isProven,
  mergeOvercome,
  type OvercomeFailure,
} from '../../src/knowledge/overcomeFailures.ts'
import { callOccasion, failureOccasion, fires } from '../../src/knowledge/when.ts'
import { type CallResult, isCallResult } from '../../src/model/event.ts'
import type { KnownWay } from '../../src/model/knowledge.ts'
import { revealFailure } from '../../src/text/hiddenFailure.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import { type ExampleSession, exampleSession, ROOT, recordEvents } from '../testData.ts'

const callsOf = (session: ExampleSession): CallResult[] => recordEvents(session.recorded).filter(isCallResult)
const found = (session: ExampleSession): OvercomeFailure[] => findOvercomeFailures(callsOf(session))
const only = (session: ExampleSession): OvercomeFailure => {
  const all = found(session)
  expect(all).toHaveLength(1)
  return all[0]!
}
const firesBefore = ({ when }: OvercomeFailure, command: string): boolean =>
  fires(when, callOccasion({ tool: 'Bash', input: { command } }))
const firesAt = ({ when }: Pick<OvercomeFailure, 'when'>, session: ExampleSession): boolean =>
  callsOf(session).some(
    (call) => call.kind === 'call.failed' && fires(when, failureOccasion(call, call.error, call.errorSignature)),
  )
const failsTool = (
  session: ExampleSession,
  tool: string,
  input: Record<string, unknown>,
  error: string,
): ExampleSession =>
  session.tells('PostToolUseFailure', {
    tool_name: tool,
    tool_input: input,
    tool_use_id: `x${session.now()}`,
    error,
    is_interrupt: false,
  })

test('overcome failures: a path of the project in the error is the same in every session', () => {
  const session = exampleSession('now').fails('npm test', 'Error: dist/prices.json is missing')
  const way = only(session.runs('npm run build:prices').runs('npm test'))
  expect(way.line).toMatch(/^Run `npm run build:prices` before `npm test`/)
  expect(firesAt(way, exampleSession('later').fails('npm test', 'Error: dist/prices.json is missing'))).toBe(true)
  expect(firesAt(way, exampleSession('later').fails('npm test', 'Error: dist/other.json is missing'))).toBe(false)
})

test('overcome failures: a common error has its name outside of the quotation', () => {
  const error = 'Error response from daemon: Ports are not available: 0.0.0.0:5432: bind: address already in use'
  const session = exampleSession().fails('docker compose up', error).runs('systemctl stop postgresql')
  expect(only(session.runs('docker compose up')).line).toMatch(/fails with address already in use: “Error response/)
})

test('overcome failures: what counts failures behind a pipe has overcome nothing', () => {
  const failed = () => exampleSession('now').fails('npm test', 'Error: dist/prices.json is missing')
  expect(found(failed().runs('npm run build:prices').runs('npm test | tail -5', ' 40 pass\n 18 fail'))).toEqual([])
  expect(found(failed().runs('npm run build:prices').runs('npm test | tail -5', ' 58 pass\n 0 fail'))).toHaveLength(1)
})

test('overcome failures: a script that checks is not what helped, one that repairs is', () => {
  const failed = () => exampleSession('now').fails('git push', 'ERROR: the boundary of the database is violated')
  expect(found(failed().runs('bash scripts/check-db-boundary.sh').runs('git push'))).toEqual([])
  expect(found(failed().runs('bash scripts/fix-db-boundary.sh').runs('git push'))).toHaveLength(1)
})

describe('another form of the command', () => {
  test('overcome failures: an option that the error names and the passing command lacks is replaced', () => {
    const entry = only(
      exampleSession().fails('gh pr diff 7 --stat', 'unknown flag: --stat').runs('gh pr diff 7 --name-only'),
    )
    expect(entry.line).toBe(
      'Use `gh pr diff --name-only` instead of `gh pr diff --stat`: ' +
        'that fails with unknown flag: “unknown flag: --stat”.',
    )
    expect(firesBefore(entry, 'cd web && gh pr diff 12 --stat | head')).toBe(true)
    expect(firesBefore(entry, 'git diff --stat')).toBe(false)
    expect(firesBefore(entry, 'gh pr diff 12 --name-only')).toBe(false)
    expect(firesAt(entry, exampleSession().fails('gh pr diff 9 --stat', 'unknown flag: --stat'))).toBe(true)
    expect(firesAt(entry, exampleSession().fails('hub diff --stat', 'unknown flag: --stat'))).toBe(false)
  })

  test('overcome failures: an option that was left out is named', () => {
    const entry = only(
      exampleSession()
        .fails('git show HEAD --no-stat', 'fatal: unrecognized argument: --no-stat')
        .runs('git show HEAD'),
    )
    expect(entry.way).toBe('Use `git show` without `--no-stat`')
  })

  test('overcome failures: a wrapper that does not know the command is left out', () => {
    const entry = only(
      exampleSession().fails('rtk bun run test 2>&1', "error: unrecognized subcommand 'bun'").runs('bun run test 2>&1'),
    )
    expect(entry.way).toBe('Use `bun run test` instead of `rtk bun run test`')
    expect(firesBefore(entry, 'rtk bun run lint')).toBe(true)
    expect(firesBefore(entry, 'bun run lint')).toBe(false)
  })

  test('overcome failures: of a pipe the stage that failed is replaced', () => {
    const entry = only(
      exampleSession()
        .fails("sed -n '3p' a.js | cat -A", 'cat: illegal option -- A')
        .runs("sed -n '3p' a.js | od -c | head"),
    )
    expect(entry.way).toBe('Use `od -c` instead of `cat -A`')
  })

  test('overcome failures: a script that goes further comes at the failure only', () => {
    const error = '× Formatter would have printed the following content:'
    const entry = only(exampleSession().fails('npm run lint', error).runs('npm run lint:fix'))
    expect(entry.way).toBe('Use `npm run lint:fix` instead of `npm run lint`')
    expect(firesBefore(entry, 'npm run lint')).toBe(false)
    const missing = exampleSession().fails('bun run lint', 'error: Script not found "lint"')
    expect(found(missing.runs('bun run lint:fix'))).toEqual([])
  })

  test('overcome failures: a word that passed elsewhere in the session gets no trigger before the call', () => {
    const session = exampleSession()
      .runs('gh pr diff 1 --stat')
      .fails('gh pr diff 7 --stat', 'unknown flag: --stat')
      .runs('gh pr diff 7 --name-only')
    expect(only(session).when.map(({ at }) => at)).toEqual(['failure'])
  })

  test('overcome failures: a pattern of the shell is quoted, a script of several lines is given as input', () => {
    const quoted = only(
      exampleSession()
        .fails('gh api r/pulls?page=2', '(eval):1: no matches found: r/pulls?page=2')
        .runs("gh api 'r/pulls?page=2'"),
    )
    expect(quoted.way).toBe("Use `'r/pulls?page=2'` instead of `r/pulls?page=2`")
    const script = only(
      exampleSession()
        .fails('python -c "\nimport re\nprint(1)"', 'IndentationError: unexpected indent')
        .runs("python - <<'EOF'\nprint(1)\nEOF"),
    )
    expect(script.way).toBe("Use `python - <<'EOF'` instead of `python -c`")
  })

  test('overcome failures: another command that happens to pass is no way', () => {
    const error = 'AssertionError [ERR_ASSERTION]: 619 == 620'
    expect(found(exampleSession().fails('npm test -- cart', error).runs('npm test -- shop'))).toEqual([])
    expect(found(exampleSession().fails('npm run lint', error).runs('npm run test'))).toEqual([])
    expect(found(exampleSession().fails('git push', '! [rejected] main').runs('git push --no-verify'))).toEqual([])
    const vet = exampleSession().fails('go vet ./...', 'map.go:204:3: possible misuse of unsafe.Pointer')
    expect(found(vet.edits('src/a.go').runs('go vet ./... 2>&1 | grep -v "unsafe.Pointer"'))).toEqual([])
  })
})

describe('a step before', () => {
  const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"

  test('overcome failures: a command that makes what the error misses comes before', () => {
    const entry = only(
      exampleSession().fails('npm test', NO_MODULE).runs('npm run build:prices').edits('src/a.js').runs('npm test'),
    )
    expect(entry.line).toContain(
      'Run `npm run build:prices` before `npm test`: otherwise it fails with cannot find module: “Error: Cannot find',
    )
    expect(entry.sessionsMin).toBe(1)
  })

  test('overcome failures: a step that nothing in the error names takes two sessions, unless it was all that was done', () => {
    const session = () => exampleSession().fails('npm test', NO_MODULE).runs('npm run seed')
    expect(only(session().runs('cat package.json').runs('npm test')).sessionsMin).toBe(2)
    expect(only(session().runs('npm test')).sessionsMin).toBe(1)
  })

  test('overcome failures: what was done between two failures did not help', () => {
    const session = exampleSession()
      .fails('npm test', NO_MODULE)
      .runs('npm run build:prices')
      .fails('npm test', NO_MODULE)
    expect(found(session.runs('ls').runs('npm test'))).toEqual([])
  })
})

describe('the same with another first word', () => {
  const NO_PRICES = "Error: Cannot find module '../dist/prices.json'"
  const NO_TREE = 'npm error ERESOLVE unable to resolve dependency tree\nFix it, or retry with --legacy-peer-deps'
  test.each([
    [
      'pytest -q',
      "ModuleNotFoundError: No module named 'psycopg'",
      ['uv run pytest -q'],
      'Use `uv run pytest` instead of `pytest`',
    ],
    [
      'pytest',
      "ModuleNotFoundError: No module named 'psycopg'",
      ['.venv/bin/pytest'],
      'Use `.venv/bin/pytest` instead of `pytest`',
    ],
    ['npm test', NO_PRICES, ['pnpm test'], 'Use `pnpm test` instead of `npm test`'],
    ['npm test', NO_PRICES, ['pnpm run build:prices', 'pnpm test'], 'Run `pnpm run build:prices` before `pnpm test`'],
    [
      'python manage.py migrate',
      'zsh: command not found: python',
      ['python3 manage.py migrate'],
      'Use `python3` instead of `python`',
    ],
    [
      'py-spy top -- python -m app',
      'zsh: command not found: py-spy',
      ['uvx py-spy record -o p.svg -- python -m app'],
      'Use `uvx py-spy` instead of `py-spy`',
    ],
    [
      'docker ps',
      'permission denied while trying to connect to the socket',
      ['sudo docker ps'],
      'Use `sudo docker ps` instead of `docker ps`',
    ],
    [
      'timeout 9 npm test',
      'bash: timeout: command not found',
      ['npm test'],
      'Use `npm test` instead of `timeout 9 npm test`',
    ],
    [
      'rg --files -t csv',
      'rg: unrecognized file type: csv',
      ["rg --files -g '*.csv'"],
      'Use `rg -g *.csv` instead of `rg -t csv`',
    ],
    [
      'npm install',
      NO_TREE,
      ['npm install --legacy-peer-deps'],
      'Use `npm install --legacy-peer-deps` instead of `npm install`',
    ],
    [
      'npm run dev',
      'Error: listen EADDRINUSE: address already in use :::3000',
      ['lsof -ti:3000 | xargs kill', 'npm run dev'],
      'Run `lsof -ti:3000 | xargs kill` before `npm run dev`',
    ],
  ])('overcome failures: two sessions show that another command helps: %s', (command, error, commands, way) => {
    const session = exampleSession().fails(command, error)
    for (const each of commands) session.runs(each)
    const entry = only(session)
    expect(entry).toMatchObject({ way, sessionsMin: 2 })
    expect(entry.when.map(({ at }) => at)).toEqual(['failure'])
    expect(firesAt(entry, exampleSession('later').fails(command, error))).toBe(true)
  })

  test.each([
    ['ls dist', 'ls: dist: No such file or directory', 'mkdir dist'],
    ['npm install', NO_TREE, 'sudo npm install'],
    ['./manage.py migrate', 'OperationalError: no such database', 'DATABASE=prod ./manage.py migrate'],
    ['curl https://shop.example', 'curl: (60) SSL certificate problem', 'curl -k https://shop.example'],
    ['rm notes.txt', 'rm: notes.txt: No such file or directory', 'touch notes.txt'],
    ['py-spy top', 'zsh: command not found: py-spy', 'which py-spy'],
    ['py-spy', 'zsh: command not found: py-spy', 'pip install py-spy'],
    ['git -C a status', 'fatal: not a git repository', 'git -C b status'],
    ['go test ./...', 'cart.go:9: 2 is not 3', 'go test -run TestShop ./...'],
    ['go vet ./...', 'map.go:19: possible misuse of unsafe.Pointer', 'golangci-lint run ./...'],
    ['go run a.go', 'a.go:9: undefined: x', 'go run b.go; rm -f a.go'],
    ['rm -f a.go', 'error: a.go has changes staged', 'git rm -qf a.go'],
    ['for f in a; do n=$(cat $f); done', 'sanity: 2', 'for f in a; do m=$(cat $f); done'],
    ['DEBUG=1 npm test', 'cart.js:9: 2 is not 3', 'npm test'],
    ['lsof -i :3000', 'exit status 1: nothing listens', 'sudo -v'],
  ])('overcome failures: that another command passes is no way: %s', (command, error, passing) => {
    expect(found(exampleSession().fails(command, error).runs(passing))).toEqual([])
  })
})

describe('whatever the output looks like', () => {
  const cases = {
    'JS stack': [
      "TypeError: Cannot read properties of undefined (reading 'cents')\n    at total (src/total.js:12:9)",
      'src/total.js',
    ],
    'Python traceback': [
      'Traceback (most recent call last):\n  File "shop/total.py", line 12, in total\n' +
        '    return item["cents"]\nKeyError: \'cents\'',
      'shop/total.py',
    ],
    tsc: ["src/total.ts(12,9): error TS2339: Property 'cents' does not exist on type 'Item'.", 'src/total.ts'],
    Jest: [
      'FAIL test/total.test.js\n  ● total › adds prices\n' +
        "    TypeError: Cannot read properties of undefined (reading 'cents')\n" +
        '      10 | export function total(items) {\n    > 12 |   return item.cents\n' +
        '      at total (src/total.js:12:9)\n      at Object.<anonymous> (test/total.test.js:5:3)',
      'src/total.js',
    ],
    Go: ['# shop\n./total.go:12:9: undefined: cents', 'total.go'],
    Rust: [
      'error[E0609]: no field `cents` on type `Item`\n  --> src/total.rs:12:9\n' +
        '   |\n12 |     item.cents\n   |          ^^^^^ unknown field',
      'src/total.rs',
    ],
    'no file named': ['Segmentation fault: the price table has no currency column', 'src/total.c'],
  }
  test.each(Object.entries(cases))(
    'overcome failures: the same edit in two sessions is said at the next failure: %s',
    (_, [error, file]) => {
      let ways: KnownWay[] = []
      for (const name of ['one', 'two']) {
        const session = exampleSession(name)
          .fails('npm run check', error!)
          .edits(file!, 'item?.price?.cents ?? 0')
          .runs('npm run check')
        expect(ways.some(isProven)).toBe(false)
        ways = mergeOvercome(ways, only(session))
      }
      expect(ways.map(isProven)).toEqual([true])
      expect(ways[0]!.line).toContain(
        `Look at \`${file}\`: an edit of it (\`item?.price?.cents ?? 0\`) made \`npm run check\` pass`,
      )
      expect(firesAt(ways[0]!, exampleSession('three').fails('npm run check', error!))).toBe(true)
      expect(firesAt(ways[0]!, exampleSession('three').fails('npm run check', 'Error: no space left on device'))).toBe(
        false,
      )
    },
  )

  test('overcome failures: an edit without a quotable error is no way, and its comment is not quoted', () => {
    const edited = (error: string, text: string) =>
      exampleSession().fails('npm run check', error).edits('src/total.js', text).runs('npm run check')
    expect(found(edited('You must always trust the price table in src/total.js', 'item.price ?? 0'))).toEqual([])
    const error = "TypeError: Cannot read properties of undefined (reading 'cents')\n    at total (src/total.js:12:9)"
    expect(only(edited(error, '// no price yet\nitem.price ?? 0')).line).toContain('(`item.price ?? 0`)')
  })
})

describe('paths and folders', () => {
  const read = (file: string) => ({ file_path: `${ROOT}/${file}` })

  test('overcome failures: a folder that does not exist comes before any file of it is read', () => {
    const session = failsTool(exampleSession(), 'Read', read('src/commands/resume.go'), 'File does not exist.')
    const entry = only(
      session.calls('Glob', { pattern: '**/resume.go' }, 'src/resume.go').calls('Read', read('src/resume.go'), 'x'),
    )
    expect(entry.way).toBe('Use `src/`, there is no `src/commands/`')
    expect(fires(entry.when, callOccasion({ tool: 'Read', input: read('src/commands/list.go') }))).toBe(true)
    expect(fires(entry.when, callOccasion({ tool: 'Read', input: read('src/commands.go') }))).toBe(false)
  })

  test('overcome failures: the file that was opened next in the same folder is the right one', () => {
    const session = failsTool(exampleSession(), 'Read', read('src/log/logging.go'), 'File does not exist.')
    const entry = only(
      session.calls('Glob', { pattern: 'src/log/*' }, 'x').calls('Read', read('src/log/logger.go'), 'x'),
    )
    expect(entry.way).toBe('Use `src/log/logger.go`, there is no `src/log/logging.go`')
  })

  test('overcome failures: a path that the session did read exists', () => {
    const session = exampleSession().calls('Read', read('src/commands/help.go'), 'x')
    failsTool(session, 'Read', read('src/commands/resume.go'), 'File does not exist.')
    expect(found(session.calls('Read', read('src/resume.go'), 'x'))).toEqual([])
  })

  test('overcome failures: `cd` into the folder where the shell is already is left out', () => {
    const error = '/usr/bin/bash: line 1: cd: src: No such file or directory'
    const entry = only(exampleSession().fails('cd src && go test ./...', error).runs('go test ./...'))
    expect(entry.way).toBe('Leave out `cd src`')
    expect(firesAt(entry, exampleSession().fails('cd src && gofmt -l .', error))).toBe(true)
    expect(firesAt(entry, exampleSession().fails('cd web && npm i', error.replace('src', 'web')))).toBe(false)
  })

  test('overcome failures: passing at once in another folder is no chance; a missing file may be', () => {
    const noModule = 'pattern ./...: directory prefix . does not contain main module'
    const sure = only(exampleSession().fails('go build ./...', noModule).runs('cd src && go build ./...'))
    expect(sure.line).toMatch(/^Run it from `src`: `go build` failed/)
    expect(sure.sessionsMin).toBe(1)
    const later = exampleSession().fails('go build ./...', noModule).runs('git status')
    expect(only(later.runs('cd src && go build ./...')).sessionsMin).toBe(2)
    const noFile = 'cat: prices.json: No such file or directory'
    expect(only(exampleSession().fails('cat prices.json', noFile).runs('cd data && cat prices.json')).sessionsMin).toBe(
      2,
    )
  })

  test('overcome failures: what another program of the chain says is not about the folder of the last one', () => {
    const error = "fatal: pathspec 'src/cart.go' did not match any files"
    const session = exampleSession().fails('git add src/cart.go && rm notes.txt', error)
    expect(found(session.runs(`cd ${ROOT}/shop && git add src/cart.go && rm notes.txt`))).toEqual([])
  })

  test('overcome failures: a test that fails is in no wrong folder', () => {
    const failing = exampleSession().fails('go test ./...', '--- FAIL: TestCart (0.00s)\n    cart.go:9: 2 is not 3')
    expect(found(failing.runs(`cd ${ROOT}/shop && go test ./...`))).toEqual([])
  })

  test('overcome failures: an error that every command may print is known by its command too', () => {
    const error = 'Exit code 1\nopen cart.go: no such file or directory'
    const entry = only(exampleSession().fails('go vet cart.go', error).runs(`cd ${ROOT}/shop && go vet cart.go`))
    expect(entry.line).toMatch(/^Run it from/)
    expect(firesAt(entry, exampleSession('later').fails('go vet cart.go', error))).toBe(true)
    expect(firesAt(entry, exampleSession('later').fails('cp a b', 'open a: no such file or directory'))).toBe(false)
  })
})

describe('rules of linters', () => {
  test.each([
    [
      'a.go:9:2: error is not nil but it returns nil (nilerr)',
      'return nil //nolint:nilerr // best effort',
      'nilerr',
      '//nolint:nilerr',
    ],
    ['a.go:9:2: Errors unhandled (gosec)', '//nolint:errcheck,gosec // a sentinel', 'gosec', '//nolint:gosec'],
    [
      'a.tsx:1:2 lint/a11y/useButtonType ━━━',
      '// biome-ignore lint/a11y/useButtonType: of the form',
      'lint/a11y/useButtonType',
      '// biome-ignore lint/a11y/useButtonType',
    ],
    [
      '  3:7  error  Unexpected any  no-explicit-any',
      '/* eslint-disable-next-line no-explicit-any */',
      'no-explicit-any',
      '/* eslint-disable-next-line no-explicit-any',
    ],
    ['a.py:3:1: E501 line too long', 'url = 1  # noqa: E501', 'E501', '# noqa: E501'],
  ])('overcome failures: how a rule is marked is shown at its next finding: %j', (finding, text, rule, mark) => {
    const session = exampleSession().fails('make lint', `Exit code 1\n${finding}`).edits('a.go', text).runs('make lint')
    const entry = found(session).find(({ signature }) => signature === `rule|${rule}`)!
    expect(entry.line).toBe(
      `Fix \`${rule}\`, or mark an intended case with \`${mark}\` and a reason: \`make lint\` fails with it.`,
    )
    const other = `Exit code 1\nb.go:1:1: other (unused)\n${finding.replace('9', '44')}`
    expect(firesAt(entry, exampleSession().fails('make lint', other))).toBe(true)
    expect(firesAt(entry, exampleSession().fails('make lint', 'Exit code 1\nb.go:1:1: other (unused)'))).toBe(false)
  })

  test('overcome failures: a comment that only mentions the rule marks nothing', () => {
    const session = exampleSession().fails('make lint', 'Exit code 1\na.go:9: 2-8 lines are duplicate (dupl)')
    expect(found(session.edits('a.go', '// moved here because of dupl and more').fails('make lint', 'x'))).toEqual([])
  })
})

describe('failures that a pipe hid', () => {
  const error = '× Formatter would have printed the following content:\n  1 | x'

  test('overcome failures: a check that passed only because of a pipe failed', () => {
    const entry = only(exampleSession().runs('npm run lint 2>&1 | head -50', error).runs('npm run lint:fix'))
    expect(entry).toMatchObject({ way: 'Use `npm run lint:fix` instead of `npm run lint`', failures: 1 })
    const [hidden] = callsOf(exampleSession().runs('npm run lint | tail', error)).map(revealFailure)
    expect(hidden).toMatchObject({ kind: 'call.failed', error, errorSignature: entry.signature })
  })

  test('overcome failures: what only reads shows the errors of others', () => {
    const session = exampleSession().runs('cat lint.log | head', error).runs('gh run view 7 --log | tail', error)
    const calls = callsOf(session.runs('npm run lint', error))
    expect(calls.map(revealFailure)).toEqual(calls)
  })
})

describe('counting', () => {
  test('overcome failures: failures that say nothing of the project have no identity', () => {
    const [refused] = callsOf(
      exampleSession().fails('npm test', "The user doesn't want to proceed with this tool use."),
    )
    const [cancelled] = callsOf(
      exampleSession().fails('npm test', 'Cancelled: parallel tool call Bash(npm test) errored'),
    )
    const [specific] = callsOf(exampleSession().fails('npm test', 'unknown flag: --stat'))
    expect([refused, cancelled, specific].map((call) => failureId(call!) !== undefined)).toEqual([false, false, true])
  })

  test('overcome failures: the cost is the calls until it passed, the failures are all of this identity', () => {
    const error = 'unknown flag: --stat'
    const session = exampleSession().fails('gh pr diff 7 --stat', error).fails('gh pr diff 8 --stat', error)
    const entry = only(session.runs('gh pr diff 8 --name-only'))
    expect(entry).toMatchObject({ cost: 2, failures: 2 })
    expect(entry.events).toHaveLength(3)
  })

  test('overcome failures: of two ways the one of most sessions comes first, then the latest', () => {
    const error = 'unknown flag: --stat'
    const one = (session: string, form: string, at: number) =>
      only(exampleSession(session, at).fails('gh pr diff 7 --stat', error).runs(`gh pr diff 7 ${form}`))
    const day = 86_400_000
    let ways = mergeOvercome([], one('a', '--name-only', day))
    ways = mergeOvercome(ways, one('b', '--patch', 2 * day))
    expect(ways[0]!.way).toContain('--patch')
    ways = mergeOvercome(ways, one('c', '--name-only', 3 * day))
    expect(ways.map(({ way, sessions }) => [way.includes('--name-only'), sessions])).toEqual([
      [true, 2],
      [false, 1],
    ])
  })

  test('overcome failures: any history of calls is read, and every trigger fires at a failure that it rests on', () => {
    fc.assert(
      fc.property(arbitraryHistory, (sessions) => {
        for (const recorded of sessions) {
          const calls = recordEvents(recorded).filter(isCallResult).map(revealFailure)
          for (const entry of findOvercomeFailures(calls)) {
            const isFired = calls.some(
              (call) =>
                call.kind === 'call.failed' &&
                entry.events.includes(call.id) &&
                fires(entry.when, failureOccasion(call, call.error, call.errorSignature)),
            )
            expect(isFired).toBe(true)
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})
