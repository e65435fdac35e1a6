// The steps that must come first, and the standing commands of a project.
import { expect, test } from 'vitest'
import { factsAfter, linesAfter, nthSession, routinesAfter } from './factLines.ts'

test('order facts: a linter that failed passed after the formatter', () => {
  const told = nthSession(1)
    .fails('cargo clippy', 'Exit code 1\nerror: not formatted')
    .runs('cargo fmt')
    .runs('cargo clippy', 'ok')
  expect(linesAfter(told)).toEqual(['Run `cargo fmt` before `cargo clippy`: it has failed without'])
})

test('order facts: a commit that a hook refused passed after the formatter', () => {
  const told = nthSession(1)
    .fails('git commit -m "a"', 'Exit code 1\nprettier: 2 files')
    .runs('npx prettier --write .')
    .runs('git commit -m "b"', 'ok')
  expect(linesAfter(told)).toEqual(['Run `npx prettier --write .` before `git commit`: it has failed without'])
})

test('order facts: tests need the generated code, and leftovers removed', () => {
  const generate = nthSession(1)
    .fails('pytest', 'Exit code 1\nno module shop_pb2')
    .runs('make generate')
    .runs('pytest', 'ok')
  const leftovers = nthSession(2)
    .fails('npm test', 'Exit code 1\nfailed')
    .runs('rm -rf tmp/repos/a1b2')
    .runs('npm test', 'ok')
  expect(linesAfter(generate, leftovers).sort()).toEqual([
    'Run `make generate` before `pytest`: it has failed without',
    'Run `rm -rf tmp/repos/*` before `npm test`: it has failed without',
  ])
})

test('order facts: an edit, a repeat, or an unrelated command between is no step', () => {
  const edited = nthSession(1)
    .fails('npm run lint', 'Exit code 1\nx')
    .edits('src/a.ts')
    .runs('npm run format')
    .runs('npm run lint')
  const repeated = nthSession(2).fails('npm test', 'Exit code 1\ntimeout').runs('npm test')
  const formatted = nthSession(3).fails('npm test', 'Exit code 1\nx').runs('npm run format').runs('npm test')
  const looked = nthSession(4).fails('git push', 'Exit code 1\nx').runs('git status').runs('git push')
  expect(linesAfter(edited, repeated, formatted, looked)).toEqual([])
})

test('order facts: a fixer that fails leaves the rest to be done by hand', () => {
  const told = nthSession(1)
    .fails('npm run lint:fix', 'Exit code 1\nunused variable')
    .edits('src/a.ts')
    .runs('npm run lint', 'ok')
  expect(linesAfter(told)).toEqual(['After `npm run lint:fix`, fix the rest by hand: it cannot fix everything'])
})

test.each([
  ['pnpm run lint', 'Lint: `pnpm run lint` (1.0 s)'],
  ['./gradlew test', 'Tests: `./gradlew test` (1.0 s)'],
  ['cargo fmt', 'Format: `cargo fmt` (1.0 s)'],
  ['npx tsc --noEmit', 'Type check: `npx tsc --noEmit` (1.0 s)'],
  ['make ci', 'Full check: `make ci` (1.0 s)'],
  ['just integration', 'Integration tests: `just integration` (1.0 s)'],
  ['task seed', 'Task seed: `task seed` (1.0 s)'],
  ['cd web && npm run build 2>&1 | tail -5', 'Build: `npm run build` (1.0 s)'],
  ['mvn -q verify', 'Full check: `mvn verify` (1.0 s)'],
  ['./scripts/release.sh 1.2', 'Script release: `./scripts/release.sh` (1.0 s)'],
])('routine facts: the purpose of %s', (command, line) => {
  expect(routinesAfter(nthSession(1).runs(command, 'ok'))).toEqual([line])
})

test('routine facts: arguments that differ between sessions are shown as placeholders', () => {
  const first = nthSession(1).runs('pytest tests/till_test.py -k test_sum -v', 'ok')
  const second = nthSession(2).runs('pytest -k test_tax tests/basket_test.py', 'ok')
  expect(routinesAfter(first, second)).toEqual(['One test: `pytest <file> -k <name>` (1.0 s)'])
})

test('routine facts: arguments that most sessions use are shown as they are', () => {
  const told = [1, 2, 3].map((n) => nthSession(n).runs('go build -o ./till ./cmd/till', 'ok'))
  expect(routinesAfter(...told)).toEqual(['Build the program: `go build -o ./till ./cmd/till` (1.0 s)'])
})

test('routine facts: runs, success rate and sessions add up', () => {
  const first = nthSession(1).runs('npm test', 'ok').fails('npm test', 'Exit code 1\n1 failed')
  const second = nthSession(2).runs('npm test', 'ok').runs('npm test', 'ok')
  const [fact] = factsAfter(first, second)
  expect(fact).toMatchObject({
    sessionCount: 2,
    fact: { state: 'standing', failures: 0, routine: { purpose: 'test', runs: 4, passed: 0.75, medianMs: 1_000 } },
  })
})

test('routine facts: reading, help texts, scratch programs and refused calls are no routine', () => {
  const told = nthSession(1)
    .runs('ls src && cat README.md', '')
    .runs('npm test -- --help', '')
    .runs('go run /tmp/try.go', '')
    .fails('npm run deploy', "The user doesn't want to proceed with this tool use.")
  expect(routinesAfter(told)).toEqual([])
})
