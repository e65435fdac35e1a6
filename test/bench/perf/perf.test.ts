// The benchmarks of developers leave the store they measure sound, and its log as it was.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { benchGrowth, sizesUpTo } from '../../../bench/perf/benchGrowth.ts'
import { benchRebuild } from '../../../bench/perf/benchRebuild.ts'
import { checkStore } from '../../../src/broker/check/store.ts'
import { type Grown, grown } from '../../../src/cli/bench/fixtureStore.ts'
import { hookTable } from '../../../src/hook/events.ts'

const SIZE = { memories: 40, events: 300 }
const NOW = Date.UTC(2026, 1, 1)

let top: string
let small: Grown
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-perf-test-')))
  small = grown(path.join(top, 'one'), SIZE, '0.1.0')
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

const logOf = ({ store }: Grown): string =>
  fs
    .readdirSync(store.layout.events)
    .map((name) => fs.readFileSync(path.join(store.layout.events, name), 'utf8'))
    .join('')

function silentHooks(): string {
  const folder = fs.mkdtempSync(path.join(top, 'hooks-'))
  for (const { script } of hookTable) fs.writeFileSync(path.join(folder, `${script}.cjs`), '')
  return folder
}

test('bench: a rebuild finds every event again', () => {
  const result = benchRebuild(small, NOW)
  expect(result.events).toBeGreaterThan(SIZE.events)
  expect(result.memories).toBeGreaterThanOrEqual(SIZE.memories)
  expect(checkStore(small.store, NOW).filter((check) => check.state !== 'ok')).toEqual([])
})

test('bench: growth pairs every hook with itself in the smaller history, and leaves both logs as they were', {
  timeout: 60_000,
}, () => {
  const other = grown(path.join(top, 'two'), SIZE, '0.1.0')
  const before = [logOf(small), logOf(other)]
  const results = benchGrowth(small, other, { runs: 1, env: process.env, now: NOW, hooksFolder: silentHooks() })
  expect(results.map((one) => one.event).sort()).toEqual(hookTable.map((one) => one.event).sort())
  for (const one of results) expect(one.within).toBe(one.ratio <= 1.2)
  expect([logOf(small), logOf(other)]).toEqual(before)
  expect(sizesUpTo(1_000_000, 7).map((size) => size.events)).toEqual([1_000, 100_000, 1_000_000])
})
