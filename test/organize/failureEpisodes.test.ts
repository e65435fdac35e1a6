// Failure episodes: from a failure to its fix, by example.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCallResult } from '../../src/model/event.ts'
import { formatFix, formatLesson, lessonFromEpisode } from '../../src/organize/episodeLesson.ts'
import { type FailureEpisode, findFailureEpisodes } from '../../src/organize/failureEpisodes.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import { type ExampleSession, exampleSession, recordEvents } from '../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const NOT_EQUAL = 'Exit code 1\nAssertionError [ERR_ASSERTION]: 619 == 620'

const storiesOf = (told: ExampleSession): FailureEpisode[] =>
  findFailureEpisodes(recordEvents(told.recorded).filter(isCallResult))

test('organize: the calls between the last failure and the success that the error is about are the fix', () => {
  const [story, ...others] = storiesOf(
    exampleSession()
      .fails('npm test', NO_MODULE)
      .runs('npm run build:prices')
      .edits('src/cart.js', 'const total = cents')
      .runs('npm test'),
  )
  expect(others).toEqual([])
  expect(story!.fix).toMatchObject({ kind: 'steps', steps: [{ what: 'npm run build:prices' }] })
  expect(formatFix(story!.fix!)).toBe('Fix: `npm run build:prices`.')
  expect(formatLesson(lessonFromEpisode(story!))).toContain(
    "`npm test` pass, which had failed with “Error: Cannot find module '../dist/prices.json'”",
  )
})

test('organize: the calls between two failures of the same kind did not help', () => {
  const told = exampleSession().fails('npm test', NO_MODULE).runs('npm install').fails('npm test', NO_MODULE)
  const [story] = storiesOf(told.runs('npm run build:prices').runs('npm test'))
  expect(story!.failures).toHaveLength(2)
  expect(story!.failedAttempts.map((step) => step.what)).toEqual(['npm install'])
  expect(story!.fix!.steps.map((step) => step.what)).toEqual(['npm run build:prices'])
  expect(formatLesson(lessonFromEpisode(story!))).toMatch(/Did not help: `npm install`\.$/)
})

test('organize: if nothing was changed before the success, the fix is to run the command again', () => {
  const [story] = storiesOf(exampleSession().fails('npm test', NOT_EQUAL).runs('ls dist').runs('npm test'))
  expect(story!.fix).toMatchObject({ kind: 'again', steps: [] })
  expect(formatFix(story!.fix!)).toBe('Fix: run again, it passed without any change.')
})

test('organize: a command with other arguments, or another one for the same purpose, was used instead', () => {
  const [flag] = storiesOf(
    exampleSession().fails('gh pr diff 7 --stat', 'unknown flag: --stat').runs('gh pr diff 7 --name-only | head -20'),
  )
  expect(flag!.fix).toMatchObject({ kind: 'instead', steps: [{ what: 'gh pr diff 7 --name-only' }] })
  const [program] = storiesOf(
    exampleSession()
      .fails('rtk bun run test', "error: unrecognized subcommand 'bun'")
      .runs('rtk git status')
      .runs('bun run test'),
  )
  expect(formatFix(program!.fix!)).toBe('Fix: use `bun run test` instead.')
  const [other] = storiesOf(
    exampleSession()
      .fails('psql shop -f schema.sql', 'psql: error: connection refused')
      .runs('docker exec db psql shop -f schema.sql'),
  )
  expect(formatFix(other!.fix!)).toBe('Fix: use `docker exec db psql shop -f schema.sql` instead.')
})

test('organize: an episode of an open failure states that it has no fix', () => {
  const [story] = storiesOf(exampleSession().fails('npm test', NO_MODULE).runs('npm run lint').edits('src/cart.js'))
  expect(story!.fix).toBeUndefined()
  expect(formatLesson(lessonFromEpisode(story!))).toContain('No fix is known yet.')
})

test('organize: another error of the same command closes the first episode and opens one of its own', () => {
  const told = exampleSession().fails('npm test', NO_MODULE).runs('npm run build:prices').fails('npm test', NOT_EQUAL)
  const [first, second] = storiesOf(told.edits('src/money.js', 'return Math.round(cents)').runs('npm test'))
  expect(first!.fix!.steps.map((step) => step.what)).toEqual(['npm run build:prices'])
  expect(second!.fix!.steps.map((step) => step.what)).toEqual(['src/money.js'])
})

test('organize: a subagent’s calls fix a failure only once the main conversation’s own run passes', () => {
  const told = exampleSession().fails('npm test', NO_MODULE)
  told.sends('Explore', 'a1', (agent) => agent.runs('npm run build:prices').runs('npm test'), 'Built.')
  expect(storiesOf(told)[0]!.fix).toBeUndefined()
  expect(storiesOf(told.runs('npm test'))[0]!.fix).toMatchObject({
    kind: 'steps',
    steps: [{ what: 'npm run build:prices' }],
  })
  const agents = exampleSession()
  agents
    .sends('Explore', 'a1', (agent) => agent.fails('npm test', NO_MODULE), '')
    .runs('npm run build:prices')
    .runs('npm test')
  expect(storiesOf(agents)[0]!.fix).toBeUndefined()
})

test('organize: interruptions, rejected calls and searches without results are no failures to learn from', () => {
  expect(storiesOf(exampleSession().fails('npm test', NO_MODULE, { is_interrupt: true }).runs('npm test'))).toEqual([])
  expect(
    storiesOf(
      exampleSession().fails('npm test', "The user doesn't want to proceed with this tool use.").runs('npm test'),
    ),
  ).toEqual([])
  expect(
    storiesOf(exampleSession().fails('ls dist', "ls: cannot access 'dist': No such file or directory").runs('ls dist')),
  ).toEqual([])
  expect(storiesOf(exampleSession().fails('npm test', '').runs('npm test'))).toEqual([])
})

test('organize: reading is no step of a fix, and several edits of a file are one step', () => {
  const told = exampleSession()
    .fails('npm test', NOT_EQUAL)
    .runs('cat src/money.js')
    .runs('git diff')
    .calls('Read', { file_path: 'a.js' })
  const [story] = storiesOf(
    told
      .edits('src/money.js', 'const first = wrongly(done)')
      .edits('src/money.js', 'const then = rightly(done)')
      .runs('npm test'),
  )
  expect(story!.fix!.steps).toHaveLength(1)
  expect(story!.fix!.steps[0]).toMatchObject({ kind: 'edit', what: 'src/money.js' })
})

/** The kinds of fix after a failure of `npm test`, or undefined. */
const fixAfter = (tell: (session: ExampleSession) => ExampleSession, error = NOT_EQUAL) =>
  storiesOf(tell(exampleSession().asks('Test it.').fails('npm test', error)))[0]!.fix

test('organize: “run again” is a fix only for the same arguments, and if nothing changed in between', () => {
  expect(fixAfter((told) => told.runs('git status').runs('npm test 2>&1 | tail -5'))).toMatchObject({ kind: 'again' })
  expect(fixAfter((told) => told.runs('npm test -- cart'))).toBeUndefined()
  expect(fixAfter((told) => told.runs('git checkout main').runs('npm install left').runs('npm test'))).toBeUndefined()
  expect(fixAfter((told) => told.runs('jq . a.json > b.json').runs('npm test'))?.kind).not.toBe('again')
  // The person may have done something.
  expect(fixAfter((told) => told.asks('And now?').runs('npm test'))).toBeUndefined()
  const tool = exampleSession().tells('PostToolUseFailure', {
    tool_name: 'mcp__tracker__get_issue',
    tool_input: { id: 'A-1' },
    tool_use_id: 'call-x',
    error: 'Entity not found: issue',
  })
  expect(storiesOf(tool.calls('mcp__tracker__get_issue', { id: 'A-2' }))[0]!.fix).toBeUndefined()
})

test('organize: what a person allowed once is no fix', () => {
  for (const passed of [
    'git commit --no-verify -m a',
    'git commit -nm a',
    'SKIP=lint git commit -m a',
    'git commit -m a || true',
  ]) {
    const [story] = storiesOf(exampleSession().fails('git commit -m a', 'error: Item 3 failed').runs(passed))
    expect([passed, story!.fix]).toEqual([passed, undefined])
  }
  expect(fixAfter((told) => told.runs('git push --force').runs('npm test'))?.steps ?? []).toEqual([])
})

test('organize: a run that only hides its failure, gives up or prints help did not pass', () => {
  const hidden = exampleSession().fails('npm test', NOT_EQUAL).edits('src/a.js')
  hidden.runs('npm test 2>&1 | tail -5', 'AssertionError [ERR_ASSERTION]: 619 == 620')
  expect(storiesOf(hidden)[0]!.fix).toBeUndefined()
  const rebase = exampleSession().fails('git rebase main', 'CONFLICT (content): Merge conflict in src/a.js')
  expect(storiesOf(rebase.runs('git rebase --abort'))[0]!.fix).toBeUndefined()
})

test('organize: a formatter is the fix of a format error, whatever else was edited', () => {
  const error = 'src/a.go:3:1: File is not properly formatted (gofmt)'
  const told = exampleSession().fails('make lint', error).edits('src/b.go').edits('src/a.go', 'func total() int {')
  const [story] = storiesOf(told.runs('make fmt').runs('git commit -m wip').runs('make lint'))
  expect(story!.fix!.steps.map((step) => step.what)).toEqual(['make fmt'])
  expect(story!.fix!.isGuess).toBeUndefined()
})

test('organize: checks, lookups, commits and long scripts are no steps; one unrelated command is a guess', () => {
  const told = (session: ExampleSession) =>
    session.runs('npm run lint').runs('gh pr view 7').runs('git commit -m wip').runs("cat > a.js <<'EOF'\nx\nEOF")
  expect(fixAfter((session) => told(session).runs('npm test'), 'psql: connection refused by host')).toBeUndefined()
  const guess = fixAfter(
    (session) => told(session).runs('docker compose up -d').runs('npm test'),
    'psql: no route to host',
  )
  expect(guess).toMatchObject({ steps: [{ what: 'docker compose up -d' }], isGuess: true })
  const two = fixAfter((session) => session.runs('a-tool').runs('b-tool').runs('npm test'), 'psql: no route to host')
  expect(two).toBeUndefined()
})

test('organize: what did not help is no part of the fix', () => {
  const told = exampleSession().fails('npm test', NO_MODULE).runs('npm install').fails('npm test', NO_MODULE)
  const [story] = storiesOf(told.runs('npm install').runs('npm run build:prices').runs('npm test'))
  expect(story!.failedAttempts.map((step) => step.what)).toEqual(['npm install'])
  expect(story!.fix!.steps.map((step) => step.what)).toEqual(['npm run build:prices'])
})

test('organize: errors of a general signature are told apart by the path or name that they have', () => {
  const stories = storiesOf(
    exampleSession()
      .fails('make a', 'make: stat dist/a.json: no such file or directory')
      .fails('make a', 'make: stat lib/b.json: no such file or directory'),
  )
  expect(stories.map(({ subject }) => subject)).toEqual(['dist/a.json', 'lib/b.json'])
  expect(new Set(stories.map(({ errorSignature }) => errorSignature)).size).toBe(1)
})

test('organize: each finding of a linter is an error of its own, fixed when another one is reported', () => {
  const lint = (finding: string) => `$ golangci-lint run\n${finding}`
  const [first, second] = storiesOf(
    exampleSession()
      .fails('make lint', lint('src/cart.go:6:6: type basket is unused (unused)'))
      .edits('src/cart.go')
      .fails('make lint', lint('src/tax.go:9:1: ineffectual assignment to rate (ineffassign)'))
      .edits('src/tax.go')
      .runs('make lint'),
  )
  expect(first!.errorSignature).toBe(second!.errorSignature)
  expect([first!.failedAttempts, second!.failedAttempts]).toEqual([[], []])
  expect(first!.fix!.steps.map((step) => step.what)).toContain('src/cart.go')
  expect(second!.fix!.steps.map((step) => step.what)).toEqual(['src/tax.go'])
})

test('organize: every episode has a failure with a signature, at most 4 steps, and a fix that passed later', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      for (const session of sessions) {
        for (const story of findFailureEpisodes(recordEvents(session).filter(isCallResult))) {
          const last = story.failures.at(-1)!
          expect(story.failures.every((failed) => failed.errorSignature === last.errorSignature)).toBe(true)
          expect(story.failedAttempts.length).toBeLessThanOrEqual(4)
          expect(story.fix?.steps.length ?? 0).toBeLessThanOrEqual(4)
          if (!story.fix) continue
          expect(story.fix.passed.at > last.at).toBe(true)
          expect(story.fix.passed.agentId).toBe(last.agentId)
        }
      }
    }),
    { numRuns: 60 },
  )
})
