// Ratings: what a person says of a note outweighs what was computed, before and after the session was improved.
import { expect, test } from 'vitest'
import { rateNotes } from '../../src/broker/commands/statements.ts'
import { callerEvent, commitEvents } from '../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { listShownNotes, type ShownNote } from '../../src/broker/queries/sessionLog.ts'
import type { Rating } from '../../src/improve/attribution.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { newFolder } from '../tempFolders.ts'
import { BEGIN, DAY, exampleSession, loadMemories, ROOT, runHookPayloads } from '../testData.ts'

const FAILED = "Error: Cannot find module '../dist/prices.json'"
const NEXT = 'session-two' as SessionId

/** A store in which a session was shown a note that it does not follow. It is still open. */
function storeWithShownNote(): { store: Store; note: ShownNote; end: () => void } {
  const store = openStoreAt(newFolder('ratings'), ROOT)
  const first = exampleSession().starts().asks('Run the tests').fails('npm test', FAILED)
  first.runs('npm run build:prices').runs('npm test').answers('Done.').ends()
  runHookPayloads(store, first.recorded)
  runMaintenance(store, { now: first.now(), sessions: 'all' })
  const second = exampleSession(NEXT, BEGIN + DAY)
    .starts()
    .asks('テストを実行して')
    .fails('npm test', FAILED)
  runHookPayloads(store, second.recorded)
  const note = listShownNotes(store, NEXT).at(-1)
  if (!note) throw new Error('No note was shown')
  return {
    store,
    note,
    end: () => {
      const shown = second.recorded.length
      second.answers('It fails.').ends()
      runHookPayloads(store, second.recorded.slice(shown))
      runMaintenance(store, { now: second.now(), sessions: 'all' })
    },
  }
}

let nonce = 0
const rate = (store: Store, note: ShownNote, rating: Rating): void =>
  rateNotes(
    (body) =>
      commitEvents(store, [callerEvent(body, { now: BEGIN + DAY + 60_000, nonce: `${++nonce}`, session: NEXT })]),
    [note],
    rating,
  )

const helpOf = (store: Store, id: MemoryId) => {
  const memory = loadMemories(store)[id]
  if (!memory) throw new Error(`There is no memory ${id}`)
  return { ...memory.help, strength: memory.strength, impact: memory.impactScore }
}

const judgedOf = (store: Store, { recall, memory }: ShownNote) =>
  loadProjection(store)
    .projection.judged.find((attributed) => attributed.recall === recall)
    ?.memories.find((attributed) => attributed.memory === memory)

test.each(['before', 'after'])(
  'improve: a rating %s the session is improved gives the note its contribution',
  (when) => {
    const results = (['useful', 'not useful'] as const).map((rating) => {
      const { store, note, end } = storeWithShownNote()
      if (when === 'before') rate(store, note, rating)
      end()
      if (when === 'after') {
        expect(judgedOf(store, note)?.rating).toBe(undefined)
        rate(store, note, rating)
        runMaintenance(store, { now: BEGIN + 2 * DAY, sessions: 'all' })
      }
      expect(judgedOf(store, note)).toMatchObject({ rating, contribution: rating === 'useful' ? 1 : -1 })
      expect(listShownNotes(store, NEXT).find(({ memory }) => memory === note.memory)).toMatchObject({ rating })
      return helpOf(store, note.memory)
    })
    const [useful, useless] = results
    if (!useful || !useless) throw new Error('unreachable')
    expect(useful.shown).toBe(useless.shown)
    expect(useful.used - useless.used).toBe(1)
    expect(useful.contribution - useless.contribution).toBeCloseTo(2)
    expect(useful.strength).toBeGreaterThan(useless.strength)
    expect(useful.impact).toBeGreaterThan(useless.impact)
  },
)

test('improve: the last rating of a note counts, and notes that were not rated keep their computed use', () => {
  const { store, note, end } = storeWithShownNote()
  rate(store, note, 'useful')
  rate(store, note, 'not useful')
  end()
  expect(judgedOf(store, note)).toMatchObject({ rating: 'not useful', used: 0 })
  const others = loadProjection(store).projection.judged.flatMap(({ memories }) => memories)
  expect(others.filter(({ rating }) => rating !== undefined)).toHaveLength(1)
})
