// The developer benchmarks leave the store consistent and its log unchanged.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFixture, type FixtureStore } from '../../../bench/fixture/fixtureStore.ts'
import { benchGrowth, sizesUpTo } from '../../../bench/perf/benchGrowth.ts'
import { benchRebuild } from '../../../bench/perf/benchRebuild.ts'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'

const SIZE = { memories: 40, events: 300 }
const NOW = Date.UTC(2026, 1, 1)

let top: string
let small: FixtureStore
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-perf-test-')))
  small = buildFixture(path.join(top, 'one'), SIZE, '0.1.0')
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

const logOf = ({ store }: FixtureStore): string =>
  fs
    .readdirSync(store.layout.events)
    .map((name) => fs.readFileSync(path.join(store.layout.events, name), 'utf8'))
    .join('')

function silentHooks(): string {
  const folder = fs.mkdtempSync(path.join(top, 'hooks-'))
  for (const { script } of HOOK_REGISTRATIONS) fs.writeFileSync(path.join(folder, `${script}.cjs`), '')
  return folder
}

test('bench: a rebuild reads every event', () => {
  const result = benchRebuild(small, NOW)
  expect(result.events).toBeGreaterThan(SIZE.events)
  expect(result.memories).toBeGreaterThanOrEqual(SIZE.memories)
  expect(checkStore(small.store, NOW).filter((check) => check.state !== 'ok')).toEqual([])
})

test('bench: growth compares every hook with itself in the base store, and changes neither log', {
  timeout: 60_000,
}, () => {
  const other = buildFixture(path.join(top, 'two'), SIZE, '0.1.0')
  const before = [logOf(small), logOf(other)]
  const results = benchGrowth(small, other, { runs: 1, env: process.env, now: NOW, hooksFolder: silentHooks() })
  expect(results.map((result) => result.event).sort()).toEqual(HOOK_REGISTRATIONS.map((hook) => hook.event).sort())
  for (const result of results) expect(result.within).toBe(result.ratio <= 1.2)
  expect([logOf(small), logOf(other)]).toEqual(before)
  expect(sizesUpTo(1_000_000, 7).map((size) => size.events)).toEqual([1_000, 100_000, 1_000_000])
})
