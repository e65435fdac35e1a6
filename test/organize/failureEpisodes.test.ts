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

test('organize: the calls between the last failure and the success are the fix', () => {
  const [story, ...others] = storiesOf(
    exampleSession()
      .fails('npm test', NO_MODULE)
      .runs('npm run build:prices')
      .edits('src/cart.js', 'const total = cents')
      .runs('npm test'),
  )
  expect(others).toEqual([])
  expect(story!.fix).toMatchObject({
    kind: 'steps',
    steps: [{ what: 'npm run build:prices' }, { what: 'src/cart.js' }],
  })
  expect(formatFix(story!.fix!)).toBe('Fix: `npm run build:prices`, then edit src/cart.js (const total = cents).')
  expect(formatLesson(lessonFromEpisode(story!))).toContain(
    "`npm test` failed: Error: Cannot find module '../dist/prices.json'",
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
  const [flag] = storiesOf(exampleSession().fails('npm test', NOT_EQUAL).runs('npm test -- --retry'))
  expect(flag!.fix).toMatchObject({ kind: 'instead', steps: [{ what: 'npm test -- --retry' }] })
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
  expect(first!.fix!.steps.map((step) => step.what)).toEqual(['npm run build:prices', 'src/money.js'])
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
