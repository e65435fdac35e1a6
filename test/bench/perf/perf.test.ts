// The developer benchmarks leave the store consistent.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFixture, type FixtureStore } from '../../../bench/fixture/fixtureStore.ts'
import { benchRebuild } from '../../../bench/perf/benchRebuild.ts'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'

const SIZE = { memories: 40, events: 300 }
const NOW = Date.UTC(2026, 1, 1)

let top: string
let small: FixtureStore
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-perf-test-')))
  small = buildFixture(path.join(top, 'one'), SIZE, '0.1.0')
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

test('bench: a rebuild reads every event', () => {
  const result = benchRebuild(small, NOW)
  expect(result.events).toBeGreaterThan(SIZE.events)
  expect(result.memories).toBeGreaterThanOrEqual(SIZE.memories)
  expect(checkStore(small.store, NOW).filter((check) => check.state !== 'ok')).toEqual([])
})
