// Lessons over sessions: which fix counts, and how a lesson reads.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory, MemoryMap } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import {
  BEGIN,
  buildMemoryMap,
  DAY,
  type ExampleSession,
  exampleSession,
  recordEvents,
  sessionId,
} from '../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"

/** The one lesson after these sessions, a day apart; each tells what followed the failure of `npm test`. */
function lessonAfter(...sessions: readonly ((session: ExampleSession) => ExampleSession)[]): Memory {
  let known: MemoryMap = new Map()
  sessions.forEach((tell, i) => {
    const session = exampleSession(`session-${i}`, BEGIN + i * DAY).asks('Test it.')
    const { recorded } = tell(session.fails('npm test', NO_MODULE)).ends()
    const slice = { session: sessionId(session.session), events: recordEvents(recorded) }
    known = buildMemoryMap(...known.values(), ...organizeSession(slice, known, DEFAULT_POLICY))
  })
  const lessons = [...known.values()].filter(({ kind }) => kind === 'lesson')
  expect(lessons).toHaveLength(1)
  return lessons[0]!
}

const builds = (session: ExampleSession) => session.runs('npm run build:prices').runs('npm test')
const makes = (session: ExampleSession) => session.runs('make prices').runs('npm test')

test('organize: the fix is the one that worked in most sessions; of equal ones the newest', () => {
  expect(lessonAfter(builds, builds, makes).lessons).toEqual(['Fix: `npm run build:prices`.'])
  expect(lessonAfter(builds, makes).lessons).toEqual(['Fix: `make prices`.'])
  const { lesson } = lessonAfter(builds, makes, makes)
  expect(lesson!.candidates!.map(({ fix, sessions }) => [fix.steps[0]!.what, sessions])).toEqual([
    ['make prices', 2],
    ['npm run build:prices', 1],
  ])
})

test('organize: a fix counts once per session, and what two sessions both did is what mattered', () => {
  const twice = (session: ExampleSession) => builds(builds(session).fails('npm test', NO_MODULE))
  expect(lessonAfter(twice).lesson!.candidates!.map(({ sessions }) => sessions)).toEqual([1])
  const more = (session: ExampleSession) => builds(session.runs('npm run build:prices-index'))
  const { lesson } = lessonAfter(more, builds)
  expect(lesson!.candidates).toMatchObject([{ sessions: 2, fix: { steps: [{ what: 'npm run build:prices' }] } }])
})

test('organize: a lesson says what to do first, how often it was seen and when; one session is no rule', () => {
  const once = lessonAfter(builds).content
  expect(once).toBe(
    'Once (2026-03-02): `npm run build:prices` made `npm test` pass, which had failed with ' +
      "“Error: Cannot find module '../dist/prices.json'”.",
  )
  expect(lessonAfter(builds, builds, builds).content).toBe(
    "Run `npm run build:prices` first: `npm test` failed with “Error: Cannot find module '../dist/prices.json'” " +
      '(3 sessions, last 2026-03-04).',
  )
  const twice = lessonAfter(builds, makes).content
  expect(twice).toMatch(/^Once \(2026-03-03\): `make prices` made .*\(2 sessions, last 2026-03-03\)\.$/m)
  expect(twice).toContain('Also worked (1 session): `npm run build:prices`.')
})

test('organize: a step of the fix is not also among what did not help', () => {
  const late = (session: ExampleSession) =>
    session.runs('npm run build:prices').fails('npm test', NO_MODULE).runs('make prices').runs('npm test')
  const { content, lessons } = lessonAfter(builds, builds, late)
  expect(lessons).toEqual(['Fix: `npm run build:prices`.'])
  expect(content).not.toContain('Did not help: `npm run build:prices`')
})

test('organize: a lesson without counted fixes, as older versions wrote it, keeps its fix as one candidate', () => {
  const [first] = [lessonAfter(builds)]
  const { candidates: _, sessions: _sessions, lastMet: _lastMet, ...old } = first.lesson!
  const session = exampleSession('later', BEGIN + 9 * DAY)
    .asks('Test it.')
    .fails('npm test', NO_MODULE)
  const events = recordEvents(builds(session).ends().recorded)
  const known = buildMemoryMap({ ...first, lesson: old })
  const made = organizeSession({ session: sessionId('later'), events }, known, DEFAULT_POLICY)
  const lesson = made.find(({ kind }) => kind === 'lesson')
  expect(lesson!.lesson).toMatchObject({ candidates: [{ sessions: 2 }], sessions: ['session-0', 'later'] })
})

test('organize: equal failures are one lesson that says how often, over sessions too', () => {
  const eleven = (session: ExampleSession) => {
    for (let i = 0; i < 11; i++) session.fails('npm test', NO_MODULE)
    return session
  }
  const once = lessonAfter(eleven)
  expect(once.lesson!.failures).toBe(12)
  expect(once.content).toContain('12 times')
  expect(lessonAfter(eleven, eleven).lesson!.failures).toBe(24)
  expect(lessonAfter((session) => session).content).not.toContain('times')
})
