// Credit in simulated projects: what a note only names, repeats or accompanies earns nothing; what it changes does.
import { describe, expect, test } from 'vitest'
import { applyEvent } from '../../src/broker/projection/applyEvent.ts'
import { emptyProjection, type Projection } from '../../src/broker/projection/projection.ts'
import type { Event, EventOf } from '../../src/model/event.ts'
import type { EventId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { RecallMoment } from '../../src/model/recallQuery.ts'
import { commandShape } from '../../src/text/command.ts'
import { errorSignature } from '../../src/text/errorSignature.ts'
import { BEGIN, buildMemory, DAY, type ExampleSession, exampleSession, iso, recordEvents } from '../testData.ts'

type Steps = (session: ExampleSession, day: number) => unknown

interface SimulatedProject {
  readonly note: Memory
  readonly moment: RecallMoment
  /** The session up to the recall, without the result of the call that a recall before a call comes with. */
  readonly before: Steps
  /** The session after the recall, if the note is shown, and if it is withheld. */
  readonly after: Steps
  readonly withheld?: Steps
  /** Text of the query. */
  readonly cue?: string
}

/** How often every fifth recall is a holdout, as in a project that measures more than the default policy. */
const isHoldout = (day: number): boolean => day % 5 === 4

interface Credit {
  readonly shown: number
  readonly used: number
  readonly memory: Memory
  readonly projection: Projection
}

/** Sessions of a project, a day apart, and what the note got. `projection` is what the project knows already. */
function simulate(project: SimulatedProject, sessions = 30, projection = emptyProjection()): Credit {
  projection.memories.set(project.note.id, project.note)
  const first = projection.sessions.size
  for (let day = first; day < first + sessions; day++) {
    const withheld = isHoldout(day)
    const session = exampleSession(`day-${day}`, BEGIN + day * DAY)
    project.before(session, day)
    const count = recordEvents(session.recorded).length
    const after = withheld ? (project.withheld ?? project.after) : project.after
    after(session, day)
    const events = recordEvents(session.recorded)
    // A call's start comes before the recall, its result after it.
    const at = project.moment === 'call' ? count - 1 : count
    const recalled = recallOf(project, events, at, withheld)
    for (const event of [...events.slice(0, at), recalled, ...events.slice(at)]) applyEvent(projection, event)
    applyEvent(projection, { ...recalled, id: `improved-${day}` as EventId, kind: 'session.improved' } as Event)
  }
  const memory = projection.memories.get(project.note.id)!
  return { shown: memory.help.shown, used: memory.help.used, memory, projection }
}

function recallOf(
  { note, moment, cue = '' }: SimulatedProject,
  events: readonly Event[],
  at: number,
  withheld: boolean,
): EventOf<'recalled'> {
  const before = events[at - 1]!
  return {
    ...{ id: `recall-${before.id}` as EventId, at: before.at, session: before.session, role: 'main' },
    ...{ outcome: 'unknown', lessons: [], privacy: 'public', kind: 'recalled', moment, cue, withheld },
    ...('call' in before && { call: before.call }),
    ...{ shown: [{ memory: note.id, score: 1, features: {} }], share: 0.2, others: [], policy: 0 },
  }
}

const CHECK = 'npm run check'
const RARE = 'Error: connect ECONNREFUSED 127.0.0.1:5432'
const entry = (content: string, more: Partial<Memory> = {}): Memory =>
  buildMemory(1, { kind: 'entry', content, created: iso(BEGIN - DAY), ...more })

/** Notes that name the call they come with and nothing else. */
const UNUSED: Readonly<Record<string, SimulatedProject>> = {
  'names the command that is about to run': {
    note: entry(`\`${CHECK}\` checks formatting, types and tests of the whole project.`),
    moment: 'call',
    before: (session) => session.asks('Add a discount to the cart.').edits('src/cart.js').runs(CHECK),
    after: (session) => session.answers('The discount is there, and all checks pass.'),
  },
  'names a command that runs again and again': {
    note: entry(`\`${CHECK}\` checks formatting, types and tests of the whole project.`),
    moment: 'call',
    before: (session) => session.asks('Make the cart faster.').runs(CHECK),
    after: (session) =>
      session.edits('src/cart.js').runs(CHECK).edits('src/cart.js').runs(CHECK).runs(CHECK).answers('It is faster.'),
  },
  'describes a rare error of the command': {
    note: entry(`\`${CHECK}\` failed: ${RARE}`, {
      kind: 'lesson',
      commandShape: commandShape(CHECK),
      errorSignature: errorSignature('Bash', RARE),
    }),
    moment: 'call',
    before: (session) => session.asks('Rename the total.').edits('src/total.js').runs(CHECK),
    after: (session) => session.runs(CHECK).answers('Renamed.').asks('Thanks, great!'),
  },
  'names the file that is being edited': {
    note: entry('The prices are computed in src/prices.js.', { files: ['src/prices.js'] }),
    moment: 'call',
    before: (session) => session.asks('Round the prices.').edits('src/prices.js'),
    after: (session) => session.edits('src/prices.js').edits('src/prices.js', 'round').answers('Rounded the prices.'),
  },
  'is repeated by a Japanese answer': {
    note: entry('`npm run deploy` は検証環境へ店舗の画面を配備するための命令である。'),
    moment: 'call',
    before: (session) => session.asks('画面を配備して。').runs('npm run deploy'),
    after: (session) =>
      session.answers('検証環境へ店舗の画面を配備するための命令である npm run deploy を実行しました。'),
  },
  'repeats the failure that it comes with': {
    note: entry(`\`${CHECK}\` failed: ${RARE}\nThe database of the tests was not running.`, {
      kind: 'lesson',
      commandShape: commandShape(CHECK),
      errorSignature: errorSignature('Bash', RARE),
      files: ['src/db.js'],
    }),
    moment: 'failure',
    before: (session) => session.asks('Run the checks.').fails(CHECK, `Exit code 1\n${RARE}\n at src/db.js:3`),
    after: (session) =>
      session.edits('src/db.js').runs(CHECK).answers('The database of the tests was not running; now it is.'),
  },
}

describe('a note that only names the call it comes with', () => {
  for (const [name, project] of Object.entries(UNUSED)) {
    test(`improve: a note that ${name} is never credited`, () => {
      const { shown, used, memory } = simulate(project)
      expect(shown).toBe(24)
      expect([used, memory.accessCount, memory.impactScore, memory.strength]).toEqual([0, 0, 0, project.note.strength])
    })
  }
})

/** Notes that change what is done: without them the work goes another way. */
const FOLLOWED: Readonly<Record<string, SimulatedProject>> = {
  'a command to run first': {
    note: entry(`Before \`${CHECK}\`, run \`npm run prepare:prices\`.`, { kind: 'lesson' }),
    moment: 'call',
    before: (session) => session.asks('Add a price list.').edits('src/list.js').runs(CHECK),
    after: (session) => session.runs('npm run prepare:prices').runs(CHECK).answers('Done.'),
    withheld: (session) => session.runs(CHECK).answers('Done.'),
  },
  'a file to change': {
    note: entry('A new price must also be in config/currencies.json.', { files: ['config/currencies.json'] }),
    moment: 'prompt',
    before: (session) => session.asks('Add the price of the new plan.'),
    after: (session) => session.edits('src/plans.js').edits('config/currencies.json').answers('Added.'),
    withheld: (session) => session.edits('src/plans.js').answers('Added.'),
  },
  'a fix of an error': {
    note: entry('`npm test` failed: Error: no fixtures\nFix: `npm run make:fixtures`.', {
      kind: 'lesson',
      lessons: ['Fix: `npm run make:fixtures`.'],
      commandShape: commandShape('npm test'),
      errorSignature: errorSignature('Bash', 'Error: no fixtures'),
    }),
    moment: 'failure',
    before: (session) => session.asks('Are the tests green?').fails('npm test', 'Exit code 1\nError: no fixtures'),
    after: (session) => session.runs('npm run make:fixtures').runs('npm test').answers('Green.'),
    withheld: (session) => session.fails('npm test', 'Exit code 1\nError: no fixtures').answers('Still red.'),
  },
  'a Japanese answer to a question': {
    note: entry('検証環境の接続先は四三一二番の待受口であり、週末には停止する。'),
    moment: 'prompt',
    before: (session) => session.asks('ステージングはどこにつなげばよいですか？'),
    after: (session) => session.answers('検証環境の接続先は四三一二番の待受口であり、週末には停止します。'),
    withheld: (session) => session.answers('わかりません。'),
  },
}

describe('a note that is followed', () => {
  for (const [name, project] of Object.entries(FOLLOWED)) {
    test(`improve: ${name} is credited nearly every time`, () => {
      const { shown, used, memory } = simulate(project)
      expect(shown).toBe(24)
      expect(used).toBeGreaterThanOrEqual(22)
      expect(memory.strength).toBeGreaterThan(project.note.strength)
    })
  }
})

describe('what would be done anyway', () => {
  test('improve: holdouts teach that a trace occurs without the note, and then it is no evidence', () => {
    const anyway: Steps = (session) => session.edits('src/plans.js').edits('config/currencies.json').answers('Added.')
    const project = { ...FOLLOWED['a file to change']!, after: anyway, withheld: anyway }
    const [early, late] = [simulate(project, 20), simulate(project, 60)]
    expect(late.used).toBe(early.used)
    expect(late.used).toBeLessThan(0.3 * late.shown)
  })
})

test('improve: a holdout earns nothing, and its traces are counted as chance', () => {
  const { projection, memory } = simulate(FOLLOWED['a command to run first']!)
  const holdouts = projection.judged.filter((recall) => recall.withheld)
  expect(holdouts.length).toBe(6)
  for (const { memories } of holdouts) {
    expect(memories[0]).toMatchObject({ used: 0, contribution: 0, impacts: [] })
  }
  expect(memory.help.shown).toBe(24)
  const { shown, withheld } = projection.baselines.traces!
  expect(shown!['work']!.command![1]).toBe(24)
  expect(withheld!['work']!.command).toEqual([6, 0])
})
