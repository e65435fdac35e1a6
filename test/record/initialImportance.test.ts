// Initial importance: each term that a hook can know at once changes it.
import { expect, test } from 'vitest'
import { IMPORTANCE_WEIGHTS, type ImportanceTerms } from '../../src/model/importance.ts'
import { type ExampleSession, exampleSession, MINUTE, recordEvents } from '../testData.ts'

interface Case {
  readonly term: keyof ImportanceTerms
  readonly of: string
  readonly tells: (told: ExampleSession) => ExampleSession
  readonly expected: number
}

const NO_MODULE = "Error: Cannot find module '../dist/prices.json'"

/** The expected term of the last event of each session. */
const CASES: readonly Case[] = [
  { term: 'outcome', of: 'a failure', tells: (told) => told.fails('npm test', NO_MODULE), expected: 0.8 },
  {
    term: 'outcome',
    of: 'an interruption',
    tells: (told) => told.fails('npm test', 'interrupted', { is_interrupt: true }),
    expected: 0.2,
  },
  { term: 'outcome', of: 'a check that passed', tells: (told) => told.runs('npm test'), expected: 0.6 },
  { term: 'outcome', of: 'another success', tells: (told) => told.runs('node pay.js'), expected: 0.3 },
  { term: 'outcome', of: 'a prompt', tells: (told) => told.asks('Add a discount.'), expected: 0.1 },
  { term: 'novelty', of: 'something new', tells: (told) => told.asks('Add a discount.'), expected: 1 },
  {
    term: 'novelty',
    of: 'the same again',
    tells: (told) => told.asks('Add a discount.').asks('Add a discount!'),
    expected: 0,
  },
  {
    term: 'novelty',
    of: 'half the same',
    tells: (told) => told.asks('cart discount').asks('cart rounding'),
    expected: 0.667,
  },
  { term: 'userSignal', of: 'plain words', tells: (told) => told.asks('Add a discount.'), expected: 0 },
  { term: 'userSignal', of: 'remember', tells: (told) => told.asks('Remember that prices are cents.'), expected: 1 },
  { term: 'userSignal', of: 'a preference', tells: (told) => told.asks('From now on answer shortly.'), expected: 0.9 },
  { term: 'userSignal', of: 'a preference', tells: (told) => told.asks('今後は短く答えてください。'), expected: 0.9 },
  { term: 'userSignal', of: 'thanks', tells: (told) => told.asks('Thanks, that works.'), expected: 0.6 },
  { term: 'costSaved', of: 'a first pass', tells: (told) => told.runs('npm test'), expected: 0 },
  {
    term: 'costSaved',
    of: 'a pass five minutes after its failure',
    tells: (told) =>
      told
        .fails('npm test', NO_MODULE)
        .waits(5 * MINUTE - 7_000)
        .runs('npm test'),
    expected: 0.5,
  },
]

for (const { term, of, tells, expected } of CASES) {
  test(`record: the initial ${term} of ${of} is ${expected}`, () => {
    const event = recordEvents(tells(exampleSession()).recorded).at(-1)!
    expect(event.terms?.[term] ?? 0).toBeCloseTo(expected, 3)
  })
}

test('record: initial importance is the weighted sum of its terms, without reuse and cross impact', () => {
  const events = recordEvents(
    exampleSession().asks('Remember that prices are cents.').fails('npm test', NO_MODULE).runs('npm test').recorded,
  )
  for (const event of events) {
    if (event.kind === 'call.started') continue
    const sum = Object.entries(event.terms ?? {}).reduce(
      (total, [name, value]) => total + IMPORTANCE_WEIGHTS[name as keyof ImportanceTerms] * value,
      0,
    )
    expect(event.importance).toBeCloseTo(sum, 2)
    expect(event.terms).not.toHaveProperty('reuse')
    expect(event.terms).not.toHaveProperty('crossImpact')
  }
})
