// Baselines per kind of work, shrunk towards the broader kind if there are few observations; and the kinds themselves.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addObservation,
  areaStratum,
  classifyTask,
  computeReliability,
  estimateErrorRate,
  estimateExpected,
  findErrorRate,
  listStrata,
  NO_BASELINES,
  updateBaselines,
  WHOLE_PROJECT,
} from '../../src/improve/baseline.ts'
import { isCallResult } from '../../src/model/event.ts'
import { arbitraryHistory } from '../arbitraries.ts'
import { exampleSession, recordEvents } from '../testData.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const kinds = fc.constantFrom('task mend', 'area src', 'npm test')

/** Means after these observations, in their order. */
const meansOf = (all: readonly (readonly [string, number])[]) =>
  all.reduce<ReturnType<typeof addObservation>>((means, [kind, value]) => addObservation(means, [kind], value), {})

test('improve: a baseline lies between the observed values and the prior', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, share), { maxLength: 60 }), share, (all, anywhere) => {
      const { value } = estimateExpected(meansOf(all), ['task mend', 'area src', 'npm test'], anywhere)!
      const known = [...all.map(([, one]) => one), anywhere]
      expect(value).toBeGreaterThanOrEqual(Math.min(...known) - 1e-9)
      expect(value).toBeLessThanOrEqual(Math.max(...known) + 1e-9)
    }),
  )
})

test('improve: the fewer observations a kind of work has, the closer its baseline is to the broader kind', () => {
  const project = Array.from({ length: 50 }, () => ['task other', 0.5] as const)
  const at = (n: number) =>
    estimateExpected(meansOf([...project, ...Array.from({ length: n }, () => ['npm test', 1] as const)]), ['npm test'])!
  const values = [0, 1, 3, 10, 40].map((n) => at(n).value)
  expect(values).toEqual([...values].sort((a, b) => a - b))
  expect([values[0], values[1]! < 0.62, values[4]! > 0.9]).toEqual([0.5, true, true])
  expect(at(10)).toMatchObject({ kind: 'npm test', n: 10, own: 1 })
  expect(at(0)).toMatchObject({ kind: WHOLE_PROJECT })
  expect([computeReliability(0), computeReliability(5), computeReliability(1e9)]).toEqual([
    0,
    0.5,
    expect.closeTo(1, 6),
  ])
})

test('improve: without observations there is no baseline, unless there is a prior', () => {
  expect(estimateExpected({}, ['npm test'])).toBeUndefined()
  expect(estimateExpected(undefined, [])).toBeUndefined()
  expect(estimateExpected({}, ['npm test'], 0.5)).toMatchObject({ value: 0.5, n: 0 })
})

test('improve: a narrower kind takes precedence over a broader one, and unknown kinds are skipped', () => {
  const means = meansOf([
    ...Array.from({ length: 20 }, () => ['task mend', 0] as const),
    ...Array.from({ length: 20 }, () => ['npm test', 1] as const),
  ])
  expect(estimateExpected(means, ['task mend', 'npm test'])!.value).toBeGreaterThan(0.75)
  expect(estimateExpected(means, ['task mend', 'area nowhere'])!.kind).toBe('task mend')
})

test('improve: old observations fade, and the number of kinds is bounded and includes the project’s mean', () => {
  let means = meansOf(Array.from({ length: 500 }, () => ['npm test', 0] as const))
  for (let i = 0; i < 100; i++) means = addObservation(means, ['npm test'], 1)
  expect(means['npm test']!.mean).toBeGreaterThan(0.8)
  for (let i = 0; i < 1_000; i++) means = addObservation(means, [`kind ${i}`], 0)
  expect(Object.keys(means).length).toBeLessThanOrEqual(400)
  expect(means[WHOLE_PROJECT]).toBeDefined()
})

test('improve: a task is classified by its prompt in English and Japanese, its files and its command', () => {
  const told: Record<string, string> = {
    'npm test is red, fix it': 'task mend',
    'テストが失敗します。直してください。': 'task mend',
    'Write tests for the cart': 'task test',
    'Rename Cart to Basket': 'task tidy',
    'Describe the API in the readme': 'task tell',
    'Where are the prices read?': 'task look',
    'Add a discount to the cart': 'task make',
    割引を追加する: 'task make',
    ok: 'task other',
  }
  for (const [prompt, kind] of Object.entries(told)) expect(classifyTask(prompt), prompt).toBe(kind)
  expect([areaStratum('src/cart/total/sum.js'), areaStratum('README.md')]).toEqual(['area src/cart', 'area .'])
  const events = recordEvents(
    exampleSession().asks('Fix the total.').edits('src/cart/total.js').runs('npm test').recorded,
  )
  const prompt = events.find((event) => event.kind === 'prompt')
  expect(listStrata(prompt, events.filter(isCallResult))).toEqual(['task mend', 'area src/cart', 'npm test'])
})

test('improve: one endless task does not set the baseline', () => {
  const quick = () =>
    exampleSession().asks('Fix the total.').edits('src/cart.js').runs('npm test').answers('Done.').recorded
  const endless = exampleSession()
    .asks('Fix the total.')
    .edits('src/cart.js')
    .waits(40 * 3_600_000)
    .runs('npm test')
    .answers('Done.').recorded
  let baselines = NO_BASELINES
  for (let i = 0; i < 9; i++) baselines = updateBaselines(baselines, recordEvents(quick()))
  const before = Math.expm1(estimateExpected(baselines.taskTime, ['task mend'])!.value)
  const after = Math.expm1(
    estimateExpected(updateBaselines(baselines, recordEvents(endless)).taskTime, ['task mend'])!.value,
  )
  expect(after / before).toBeLessThan(4) // The mean of the spans would be 600 times as long.
})

test('improve: every baseline is finite and in its range, whatever the sessions', () => {
  fc.assert(
    fc.property(arbitraryHistory, (sessions) => {
      const baselines = sessions.reduce((all, session) => updateBaselines(all, recordEvents(session)), NO_BASELINES)
      const { errors = {}, traces: _, ...running } = baselines
      for (const { n, met } of Object.values(errors)) {
        for (const count of Object.values(met)) expect(count).toBeLessThanOrEqual(n)
      }
      for (const [name, means] of Object.entries(running)) {
        for (const { n, mean } of Object.values(means as Record<string, { n: number; mean: number }>)) {
          expect([Number.isFinite(mean), mean >= 0, n >= 1]).toEqual([true, true, true])
          if (name === 'success' || name === 'repeats') expect(mean).toBeLessThanOrEqual(1)
        }
      }
    }),
    { numRuns: 30 },
  )
})

test.each(['constructor', '__proto__', 'toString'])('improve: a command may be called %s', (command) => {
  const events = recordEvents(exampleSession().asks('Fix the total.').fails(command, 'command not found').recorded)
  const baselines = updateBaselines(updateBaselines(NO_BASELINES, events), events)
  expect(Object.entries(baselines.errors ?? {})).toMatchObject([[command, { n: 2 }]])
  for (const { n, mean } of Object.values(baselines.taskTime ?? {}))
    expect([n, Number.isFinite(mean)]).toEqual([2, true])
  expect(estimateErrorRate({}, command, 'x').n + (findErrorRate({}, command, 'x') ?? 0)).toBe(0)
})
