// A session part becomes memories, organizing it again changes nothing, and sessions meet known memories.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { applyEvent } from '../../src/broker/projection/applyEvent.ts'
import { emptyProjection, type Projection } from '../../src/broker/projection/projection.ts'
import type { Event, EventOf } from '../../src/model/event.ts'
import type { Memory, MemoryMap } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import {
  BEGIN,
  buildMemory,
  buildMemoryMap,
  DAY,
  type ExampleSession,
  exampleSession,
  HOUR,
  iso,
  recordEvents,
  sessionId,
} from '../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"

const organised = (told: ExampleSession, known: MemoryMap = new Map()): Memory[] =>
  organizeSession({ session: sessionId(told.session), events: recordEvents(told.recorded) }, known, DEFAULT_POLICY)
const ofKind = (memories: readonly Memory[], kind: Memory['kind']): Memory[] =>
  memories.filter((one) => one.kind === kind)

const marker = (name: string, at: number): EventOf<'session.organized'> => ({
  id: `${name}${at}` as Event['id'],
  at: iso(at),
  session: sessionId(name),
  role: 'main',
  outcome: 'unknown',
  lessons: [],
  privacy: 'public',
  kind: 'session.organized',
})

const foldAll = (view: Projection, events: readonly Event[]): Projection => {
  for (const event of events) applyEvent(view, event)
  return view
}

test('organize: organizing the same part twice changes nothing', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      const view = emptyProjection()
      for (const recorded of sessions) {
        const events = recordEvents(recorded)
        const end = marker(events[0]!.session, Date.parse(events.at(-1)!.at) + 1_000)
        foldAll(view, [...events, end])
        const before = structuredClone([...view.memories])
        foldAll(view, [end])
        expect([...view.memories]).toEqual(before)
        // An event that comes again is the same event, so its part is not organized again.
        foldAll(view, [...events.slice(-20), end])
        expect([...view.memories]).toEqual(before)
      }
    }),
    { numRuns: 30 },
  )
})

test('organize: the same events, known memories and policy give the same memories', () => {
  fc.assert(
    fc.property(arbitraryHistory, ([first, ...rest]) => {
      const known = buildMemoryMap(
        ...organizeSession(
          { session: sessionId('before'), events: recordEvents(rest.flat()) },
          new Map(),
          DEFAULT_POLICY,
        ),
      )
      const once = organizeSession({ session: sessionId('s'), events: recordEvents(first!) }, known, DEFAULT_POLICY)
      expect(organizeSession({ session: sessionId('s'), events: recordEvents(first!) }, known, DEFAULT_POLICY)).toEqual(
        once,
      )
    }),
    { numRuns: 30 },
  )
})

test('organize: every memory has an importance from 0 to 1, a unique id and its source events', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      for (const recorded of sessions) {
        const events = recordEvents(recorded)
        const made = organizeSession({ session: sessionId('s'), events }, new Map(), DEFAULT_POLICY)
        expect(new Set(made.map((one) => one.id)).size).toBe(made.length)
        for (const one of made) {
          expect(one.importance).toBeGreaterThanOrEqual(0)
          expect(one.importance).toBeLessThanOrEqual(1)
          expect(one.content.length).toBeLessThanOrEqual(2_000)
          expect(events.map((event) => event.id)).toEqual(expect.arrayContaining([...one.events]))
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('organize: a session without prompts and calls leaves no memory', () => {
  expect(organised(exampleSession().starts().ends())).toEqual([])
  expect(organised(exampleSession().starts().asks('ok').answers('Yes.').ends())).toEqual([])
})

test('organize: a lesson that occurs again in a later session is updated and becomes more important', () => {
  const first = organised(exampleSession('one').asks('Make the tests pass.').fails('npm test', NO_MODULE).ends())
  const [open] = ofKind(first, 'lesson')
  expect(open).toMatchObject({ outcome: 'failure', lessons: [] })
  const later = exampleSession('two', BEGIN + DAY)
    .asks('It is red.')
    .fails('npm test', NO_MODULE)
  const second = organised(later.runs('npm run build:prices').runs('npm test').ends(), buildMemoryMap(...first))
  const [mended] = ofKind(second, 'lesson')
  expect(mended).toMatchObject({ id: open!.id, created: open!.created, session: 'one', outcome: 'success' })
  expect(mended!.lessons).toEqual(['Fix: `npm run build:prices`.'])
  expect(mended).toMatchObject({ sessionCount: 2, metadata: {}, lesson: { fix: { kind: 'steps' } } })
  expect(mended!.importance).toBeGreaterThan(open!.importance)
})

test('organize: a known fix is kept when the error occurs again and stays open', () => {
  const first = organised(
    exampleSession('one').asks('Go.').fails('npm test', NO_MODULE).runs('npm run build:prices').runs('npm test').ends(),
  )
  const again = exampleSession('two', BEGIN + DAY)
    .asks('Red.')
    .fails('npm test', NO_MODULE)
    .ends()
  const [lesson] = ofKind(organised(again, buildMemoryMap(...first)), 'lesson')
  expect(lesson).toMatchObject({ lessons: ['Fix: `npm run build:prices`.'], outcome: 'success' })
  expect(lesson!.content).toContain('npm run build:prices')
})

test('organize: a lesson and a report of a subagent are for agents of its role', () => {
  const told = exampleSession().asks('Where are the prices read?')
  told.sends(
    'Explore',
    'a1',
    (agent) => agent.fails('npm test', NO_MODULE).runs('npm run build:prices').runs('npm test'),
    'They are read in src/prices.js.',
  )
  const made = organised(told.ends())
  expect(ofKind(made, 'lesson')[0]).toMatchObject({ privacy: 'agent-only', role: 'Explore', agentId: 'a1' })
  const report = made.find((one) => one.tags.includes('subagent'))
  expect(report).toMatchObject({ privacy: 'agent-only', role: 'Explore', content: 'They are read in src/prices.js.' })
})

test('organize: repeated statements of a person are one memory, whatever their case and punctuation', () => {
  const told = exampleSession()
    .asks('From now on keep your answers short.')
    .answers('Yes.')
    .asks('From now on, keep your answers short!')
  const first = organised(told.ends())
  const [said, ...others] = ofKind(first, 'preference')
  expect(others).toEqual([])
  const again = exampleSession('two', BEGIN + DAY)
    .asks('from now on keep your answers short')
    .ends()
  const [same] = ofKind(organised(again, buildMemoryMap(...first)), 'preference')
  expect(same!.id).toBe(said!.id)
  expect(same).toMatchObject({ created: said!.created, trust: 'user', sessionCount: 2, metadata: {} })
})

test('organize: preferences, decisions and corrections are kept in both languages, thanks and questions not', () => {
  const kinds = (prompt: string) =>
    organised(exampleSession().asks(prompt).ends())
      .filter((one) => one.kind !== 'experience' && one.kind !== 'summary')
      .map((one) => one.kind)
  expect(kinds('From now on keep your answers short.')).toEqual(['preference'])
  expect(kinds('今後はコミットメッセージを日本語で書いてください。')).toEqual(['preference'])
  expect(kinds('Remember that the prices are cents.')).toEqual(['preference'])
  expect(kinds('We decided to go with integer cents.')).toEqual(['decision'])
  expect(kinds('金額は整数のセントで持つことに決めました。')).toEqual(['decision'])
  expect(kinds('No, not there: the rounding belongs in src/money.js.')).toEqual(['decision'])
  expect(kinds('Thanks, that works.')).toEqual([])
  expect(kinds('Should we always use cents?')).toEqual([])
})

test('organize: the prompt of a subagent is not a statement of the user', () => {
  const told = exampleSession().asks('Look around, please.')
  told.sends('Explore', 'a1', (agent) =>
    agent.tells('UserPromptSubmit', { prompt: 'From now on keep your answers short.' }),
  )
  expect(ofKind(organised(told.ends()), 'preference')).toEqual([])
})

test('organize: a session that continues after its summary keeps the summary and adds to it', () => {
  const first = exampleSession()
    .starts()
    .asks('Add a discount to the cart.')
    .edits('src/cart.js')
    .answers('Added.')
    .ends()
  const known = organised(first)
  const [before] = ofKind(known, 'summary')
  const later = exampleSession(first.session, BEGIN + HOUR)
    .starts('resume')
    .asks('And round it to cents.')
    .edits('src/money.js')
    .ends()
  const [after] = ofKind(organised(later, buildMemoryMap(...known)), 'summary')
  expect(after).toMatchObject({ id: before!.id, created: before!.created })
  expect(after!.content).toContain('Add a discount to the cart')
  expect(after!.content).toContain('round it to cents')
  expect(after!.files).toEqual(expect.arrayContaining(['src/cart.js', 'src/money.js']))
  expect(after!.updated > before!.updated).toBe(true)
  expect(after).toMatchObject({ counts: { prompts: 2, calls: 2 }, metadata: {} })
})

test('organize: a good fix is kept although the command once passed without any change', () => {
  const mended = exampleSession()
    .asks('Get the tests to run.')
    .fails('npm test', NO_MODULE)
    .runs('npm run build:prices')
    .runs('npm test')
  const known = organised(mended.ends())
  const again = exampleSession('session-two', BEGIN + DAY)
    .asks('And now?')
    .fails('npm test', NO_MODULE)
    .runs('ls')
    .runs('npm test')
  const [lesson] = ofKind(organised(again.ends(), buildMemoryMap(...known)), 'lesson')
  expect(lesson).toMatchObject({ lessons: ['Fix: `npm run build:prices`.'], outcome: 'success' })
  expect(lesson!.content).toContain('`npm run build:prices`')
  const { lesson: first } = ofKind(known, 'lesson')[0]!
  expect(lesson).toMatchObject({ sessionCount: 2, lesson: { costMs: first!.costMs, fix: first!.fix } })
  // Another good fix replaces it.
  const other = exampleSession('session-three', BEGIN + 2 * DAY)
    .asks('Hm.')
    .fails('npm test', NO_MODULE)
    .runs('make prices')
    .runs('npm test')
  expect(ofKind(organised(other.ends(), buildMemoryMap(...known)), 'lesson')[0]!.lessons).toEqual([
    'Fix: `make prices`.',
  ])
})

test('organize: a subagent’s steps are the fix, for its role, if the main conversation ran the command again', () => {
  const told = exampleSession().asks('Get the tests to run.').fails('npm test', NO_MODULE)
  told
    .sends('Fixer', 'agent-1', (agent) => agent.runs('npm run build:prices'), 'The prices are built.')
    .runs('npm test')
  const [open, fixed] = ofKind(organised(told.ends()), 'lesson')
  expect(open).toMatchObject({ privacy: 'public', role: 'main', lessons: [] })
  expect(fixed).toMatchObject({ privacy: 'agent-only', role: 'Fixer', lessons: ['Fix: `npm run build:prices`.'] })
  expect(JSON.stringify(open)).not.toContain('build:prices')
})

test('organize: a subagent’s own fix stays the fix if the main conversation then only runs the command', () => {
  const told = exampleSession().asks('Get the tests to run.').fails('npm test', NO_MODULE)
  const mends = (agent: ExampleSession) =>
    agent.fails('npm test', NO_MODULE).edits('src/prices.js', 'const prices = build()').runs('npm test')
  told.sends('Fixer', 'agent-1', mends, 'It runs.').runs('npm test')
  const lessons = ofKind(organised(told.ends()), 'lesson')
  const fix = ['Fix: edit src/prices.js (const prices = build()).']
  expect(lessons.map((one) => [one.role, one.lessons])).toEqual([
    ['main', []],
    ['Fixer', fix],
  ])
})

test('organize: a session meets the lessons of others about its files once, which counts as cross impact', () => {
  const old = buildMemory(1, { kind: 'experience', files: ['src/cart.js'], session: sessionId('old'), importance: 0.2 })
  const other = buildMemory(2, { kind: 'experience', files: ['src/tax.js'], session: sessionId('old') })
  const told = exampleSession()
    .asks('Add a discount to the cart.')
    .edits('src/cart.js')
    .edits('src/cart.js', 'and one more line')
    .ends()
  const made = organised(told, buildMemoryMap(old, other))
  expect(made.find((one) => one.id === old.id)).toMatchObject({ meetings: 1 })
  expect(made.some((one) => one.id === other.id)).toBe(false)
})

test('organize: importance does not depend on the order of the known memories', () => {
  const many = Array.from({ length: 60 }, (_, i) =>
    buildMemory(i + 1, {
      kind: 'preference',
      content: `keep rule ${i} about topic ${i}`,
      created: iso(BEGIN - i * DAY),
    }),
  )
  const said = () => exampleSession().asks('From now on keep rule 50 about topic 50.').ends()
  const [one] = ofKind(organised(said(), buildMemoryMap(...many)), 'preference')
  const [other] = ofKind(organised(said(), buildMemoryMap(...many.toReversed())), 'preference')
  expect(other!.importance).toBe(one!.importance)
})
