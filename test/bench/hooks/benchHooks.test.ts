// Bench: the made-up world is the same everywhere, the store is a true one, and measuring leaves it as it was.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildFixture, type FixtureStore, readLogSizes, truncateLog } from '../../../bench/fixture/fixtureStore.ts'
import { seededRandom } from '../../../bench/fixture/seededRandom.ts'
import { generateSession } from '../../../bench/fixture/syntheticSession.ts'
import { benchConcurrentHooks } from '../../../bench/hooks/benchConcurrentHooks.ts'
import { benchHooks } from '../../../bench/hooks/benchHooks.ts'
import { cleanEnvironment, comparePaired, median, quantile } from '../../../bench/hooks/pairedTiming.ts'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'

const SIZE = { memories: 40, events: 300 }
const NOW = Date.UTC(2026, 1, 1)

let top: string
let small: FixtureStore
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-bench-test-')))
  small = buildFixture(path.join(top, 'one'), SIZE, '0.1.0')
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

const logOf = ({ store }: FixtureStore): string =>
  fs
    .readdirSync(store.layout.events)
    .map((name) => fs.readFileSync(path.join(store.layout.events, name), 'utf8'))
    .join('')

/** The events without their folder. */
const historyOf = ({ store }: FixtureStore): string[] =>
  readLog(store.files, store.layout.events).events.map((event) =>
    event.kind === 'memory.stored' ? JSON.stringify(event.memory) : `${event.at} ${event.id} ${event.kind}`,
  )

describe('bench: random numbers', () => {
  test('bench: a seed gives the same numbers each time, all within their range', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 100_000 }), (seed, limit) => {
        const [random, other] = [seededRandom(seed), seededRandom(seed)]
        for (let i = 0; i < 20; i++) {
          const drawn = [random.below(limit), random.rank(limit)]
          expect([other.below(limit), other.rank(limit)]).toEqual(drawn)
          for (const value of drawn) expect(value).toSatisfy((n: number) => Number.isInteger(n) && n >= 0 && n < limit)
        }
      }),
    )
  })

  test('bench: the first rank is drawn far more often than the thousandth', () => {
    const chance = seededRandom(1)
    const ranks = Array.from({ length: 20_000 }, () => chance.rank(2_000))
    expect(ranks.filter((rank) => rank === 0).length).toBeGreaterThan(20 * ranks.filter((rank) => rank === 999).length)
  })
})

describe('bench: figures', () => {
  const values = fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1 })

  test('bench: quantiles rise with the share from minimum to maximum, for any order of the input', () => {
    fc.assert(
      fc.property(
        values,
        fc.double({ noNaN: true, min: 0, max: 1 }),
        fc.double({ noNaN: true, min: 0, max: 1 }),
        (all, a, b) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)]
          expect(quantile(all, 0)).toBe(Math.min(...all))
          expect(quantile(all, 1)).toBe(Math.max(...all))
          expect(quantile(all, low)).toBeLessThanOrEqual(quantile(all, high) + 1e-6)
          expect(quantile([...all].reverse(), low)).toBe(quantile(all, low))
        },
      ),
    )
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  test('bench: the ratio is computed per pair, so a slower machine does not change it', () => {
    const order: string[] = []
    const at = (name: string, ms: number) => (i: number) => {
      order.push(`${name}${i}`)
      return ms * (i + 1)
    }
    expect(comparePaired(5, at('hook', 12), at('bare', 10))).toMatchObject({
      ms: 36,
      bareMs: 30,
      ratio: 1.2,
      quartiles: [1.2, 1.2],
    })
    expect(order.slice(0, 4)).toEqual(['hook0', 'bare0', 'bare1', 'hook1'])
  })

  test("bench: the user's memory and certificates do not affect measurements", () => {
    const env = {
      PATH: '/bin',
      MEMCTL_HOME: '/mine',
      MEMCTL_OFF: '1',
      NODE_EXTRA_CA_CERTS: '/ca',
      CLAUDE_PROJECT_DIR: '/p',
    }
    expect(cleanEnvironment(env, { MEMCTL_HOME: '/scratch' })).toEqual({ PATH: '/bin', MEMCTL_HOME: '/scratch' })
  })
})

describe('bench: the generated history', () => {
  test('bench: a session starts and ends, and every started call ends once', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 6, max: 120 }), (seed, events) => {
        const result = generateSession(seededRandom(seed), { root: '/p', session: 's', branch: 'main' }, events, 0).map(
          (item) => item.payload,
        )
        expect(result[0]!.hook_event_name).toBe('SessionStart')
        expect(result.at(-1)!.hook_event_name).toBe('SessionEnd')
        expect(Math.abs(result.length - events)).toBeLessThanOrEqual(5)
        const ended = result
          .filter((item) => /^PostToolUse/.test(item.hook_event_name))
          .map((item) => item['tool_use_id'])
        expect(new Set(ended).size).toBe(ended.length)
        for (const item of result)
          if (item.hook_event_name === 'PreToolUse') expect(ended).toContain(item['tool_use_id'])
      }),
      { numRuns: 20 },
    )
  })

  test('bench: the same size gives the same history in every folder', () => {
    expect(historyOf(buildFixture(path.join(top, 'two'), SIZE, '0.1.0'))).toEqual(historyOf(small))
  })

  test('bench: the store is valid, organized, of the given size, and answers queries', () => {
    expect(checkStore(small.store, NOW).filter((check) => check.state !== 'ok')).toEqual([])
    const kinds = readLog(small.store.files, small.store.layout.events).events.map((event) => event.kind)
    expect(kinds.filter((kind) => kind === 'memory.stored')).toHaveLength(SIZE.memories)
    expect(kinds.filter((kind) => kind === 'session.organized')).toHaveLength(Math.ceil(SIZE.events / 120))
    expect(recallMemories(small.store, { text: 'invoice rounding test fails', now: NOW }).shown.length).toBeGreaterThan(
      0,
    )
  })

  test('bench: an existing store is reused, and another version creates its own', () => {
    const before = fs.statSync(small.store.layout.manifest).mtimeMs
    buildFixture(path.join(top, 'one'), SIZE, '0.1.0', () => expect.unreachable())
    expect(fs.statSync(small.store.layout.manifest).mtimeMs).toBe(before)
    const lines: string[] = []
    buildFixture(path.join(top, 'two'), SIZE, '0.2.0', (what) => lines.push(what))
    expect(lines).not.toEqual([])
  })

  test('bench: a folder that is not from the benchmark is not changed', () => {
    const folder = path.join(top, 'theirs', 'm1-e1')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'thesis.txt'), 'mine')
    expect(() => buildFixture(path.join(top, 'theirs'), { memories: 1, events: 1 }, '0.1.0')).toThrow(
      /not created by a bench/,
    )
    expect(fs.readdirSync(folder)).toEqual(['thesis.txt'])
  })

  test('bench: appended bytes are removed exactly, in old and new files', () => {
    const { store } = small
    const before = logOf(small)
    const mark = readLogSizes(store)
    appendEvents(store.files, store.layout.events, readLog(store.files, store.layout.events).events.slice(0, 3))
    fs.writeFileSync(path.join(store.layout.events, '000009.jsonl'), 'x')
    truncateLog(store, mark)
    expect(logOf(small)).toBe(before)
  })
})

describe('bench: hooks', () => {
  const bench = { runs: 2, memories: 40, env: process.env, now: NOW }

  function hooksSaying(script: string): string {
    const folder = fs.mkdtempSync(path.join(top, 'hooks-'))
    for (const { script: name } of HOOK_REGISTRATIONS) fs.writeFileSync(path.join(folder, `${name}.cjs`), script)
    return folder
  }

  test('bench: every hook is compared with plain Node, and the log stays unchanged', { timeout: 60_000 }, () => {
    const before = logOf(small)
    const log = path.join(small.store.layout.events, '000001.jsonl')
    const script = `require('fs').appendFileSync(${JSON.stringify(log)}, 'appended\\n'); process.stdout.write('said')`
    const results = benchHooks(small, {
      ...bench,
      hooksFolder: hooksSaying(script),
      only: ['SessionStart', 'PreToolUse', 'Stop'],
    })
    expect(results.map((item) => item.event)).toEqual(['SessionStart', 'PreToolUse', 'Stop'])
    for (const item of results) {
      expect(item).toMatchObject({ runs: 2, injected: 2 })
      expect(item.ms).toBeGreaterThan(0)
      expect(item.isWithinLimit).toBe(item.ratioMax === undefined ? undefined : item.ratio <= item.ratioMax)
    }
    expect(logOf(small)).toBe(before)
  })

  test('bench: against another build, no limit counts, and both logs stay unchanged', { timeout: 60_000 }, () => {
    const other = buildFixture(path.join(top, 'against'), { memories: 1, events: 10 }, '0.1.0')
    const before = [small, other].map(logOf)
    const against = { fixture: other, hooksFolder: hooksSaying('setTimeout(() => {}, 400)') }
    const results = benchHooks(small, { ...bench, hooksFolder: hooksSaying(''), against, only: ['PostToolUse'] })
    expect(results).toMatchObject([{ event: 'PostToolUse', ratioMax: undefined, isWithinLimit: undefined }])
    expect(results[0]!.ratio).toBeLessThan(1)
    expect([small, other].map(logOf)).toEqual(before)
  })

  test('bench: a hook that fails is not measured', { timeout: 60_000 }, () => {
    const hooksFolder = hooksSaying('throw new Error("broken")')
    expect(() => benchHooks(small, { ...bench, hooksFolder, only: ['Stop'] })).toThrow(/broken/)
  })

  test('bench: ten concurrent hooks that lose an event fail, at any speed', { timeout: 60_000 }, async () => {
    const lazy = await benchConcurrentHooks(small, { ...bench, runs: 1, hooksFolder: hooksSaying('') })
    expect(lazy).toMatchObject({ hooks: 10, recorded: 0, isWithinLimit: false })
    const log = path.join(small.store.layout.events, '000001.jsonl')
    const before = logOf(small)
    // Writes the last line of the log again for its own call: what a hook that keeps its event leaves.
    const keeps = `const fs = require('fs'); const { tool_use_id } = JSON.parse(fs.readFileSync(0, 'utf8'))
      const body = JSON.stringify({ id: tool_use_id, at: new Date(0).toISOString(),
      kind: 'call.succeeded', session: 's', tool: 'Bash', call: tool_use_id, input: {} }).slice(0, -1)
      let c = -1
      for (const byte of Buffer.from(body)) { c ^= byte; for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1 }
      const crc = (~c >>> 0).toString(16).padStart(8, '0')
      fs.appendFileSync(${JSON.stringify(log)}, body + ',"crc":"' + crc + '"}\\n')`
    const busy = await benchConcurrentHooks(small, { ...bench, runs: 1, hooksFolder: hooksSaying(keeps) })
    expect(busy).toMatchObject({ hooks: 10, recorded: 10, isWithinLimit: busy.ratio <= 2 })
    expect(logOf(small)).toBe(before)
  })
})
