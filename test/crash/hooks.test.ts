// Concurrent hooks, and hooks on a disk with errors: the session never notices, no acknowledged event is lost.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ended, type Refusal, refusingDisk } from '../../bench/fixture/processes.ts'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { logFileName } from '../../src/store/log/eventLog.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { verifyLog } from '../../src/store/log/verifyLog.ts'
import { runHooks } from '../hook/hookRuns.ts'
import { createTestProject, homeLike } from '../tempFolders.ts'
import { DAY, exampleSession } from '../testData.ts'
import { built, started, stoppedClock } from './processes.ts'
import { weeksAndTwoWaiting } from './shop.ts'

const { folder, project, home: base } = createTestProject('hooks')
let home: string
let store: Store
let now: number
let clock: string
let refusing: string

beforeAll(async () => {
  // Hooks lie a folder below the watchdog, which must not start here: its work would run beside what is looked at.
  await built(
    path.join(folder, 'built', 'hooks'),
    HOOK_REGISTRATIONS.map(({ script }) => `hooks/${script}.ts`),
  )
  fs.writeFileSync(path.join(folder, 'built', 'watchdog.cjs'), '')
  refusing = refusingDisk(folder)
  now = weeksAndTwoWaiting(openStore(project, { MEMCTL_HOME: base })) + DAY
  clock = stoppedClock(folder, now)
})
beforeEach(() => {
  home = homeLike(base)
  store = openStore(project, { MEMCTL_HOME: home })
})

/** One payload of each hook, as the client sends it. */
const payloads = () => {
  const session = exampleSession('now', now)
    .starts()
    .asks('Why are the prices not built?')
    .fails('npm test', 'Error: prices are not built\n  at stock-1')
    .runs('npm run build:prices')
    .sends('reviewer', 'agent-1', (sent) => sent.runs('npm test'))
    .tells('PreCompact', { trigger: 'manual' })
    .tells('PostCompact', { trigger: 'manual', compact_summary: 'We mend prices.' })
    .answers('They are built now.')
    .ends()
  const first = new Map(session.recorded.map(({ payload }) => [payload.hook_event_name, payload]))
  return HOOK_REGISTRATIONS.map(({ event, script }) => ({ script, payload: first.get(event)! }))
}

const hook = (script: string, payload: object, refusal?: Refusal): Promise<Ended> =>
  started(
    [...['-r', clock], ...(refusal ? ['-r', refusing] : []), path.join(folder, 'built', 'hooks', `${script}.cjs`)],
    { MEMCTL_HOME: home, HOME: folder, CLAUDE_PROJECT_DIR: project, REFUSE: JSON.stringify(refusal ?? {}) },
    `${JSON.stringify(payload)}\n`,
  ).ended

/** All eleven hooks at once; what a session would notice of any of them. */
async function concurrentHooks(refusal?: Refusal): Promise<{ spoke: string[]; noticed: unknown[] }> {
  const result = payloads()
  const ends = await Promise.all(result.map(({ script, payload }) => hook(script, payload, refusal)))
  return {
    spoke: ends.flatMap(({ stdout }, i) => (stdout !== '' && isAnswer(stdout) ? [result[i]!.script] : [])),
    noticed: ends.flatMap((end, i) => (end.stderr === '' && isQuiet(end) ? [] : [{ ...result[i], ...end }])),
  }
}

/** All eleven hooks, one after the other in one process; what a session would notice of any of them. */
function allHooks(refusal?: Refusal, date = clock): unknown[] {
  const env = { MEMCTL_HOME: home, HOME: folder, CLAUDE_PROJECT_DIR: project, REFUSE: JSON.stringify(refusal ?? {}) }
  const preloads = refusal ? [date, refusing] : [date]
  const runs = payloads().map(({ script, payload }) => ({ ...{ script, payload, env, preloads }, cwd: project }))
  const { results, ...process } = runHooks(folder, runs, 30_000)
  expect({ ...process, runs: results.length }).toEqual({ stderr: '', signal: null, runs: runs.length })
  return results.flatMap((result, i) => (isQuiet(result) ? [] : [{ ...runs[i], ...result }]))
}

const isQuiet = ({ status, stdout }: Pick<Ended, 'status' | 'stdout'>): boolean =>
  status === 0 && (stdout === '' || isAnswer(stdout))

function isAnswer(text: string): boolean {
  try {
    return typeof JSON.parse(text).hookSpecificOutput.additionalContext === 'string'
  } catch {
    return false
  }
}

const faults = (): { where: string; what: string; hint: string; code?: string }[] =>
  (fs.existsSync(store.layout.faults) ? fs.readFileSync(store.layout.faults, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

const events = () => readLog(realDisk, store.layout.events).events
const keptOfNow = () => events().filter((event) => event.kind !== 'recalled' && event.session === 'now')
const idsBefore = () => new Set<string>(events().map((event) => event.id))
const logOf = () => path.join(store.layout.events, logFileName(6))

describe('crash: hooks at once', () => {
  test('crash: of eleven concurrent hooks each is recorded, and those that recall print', async () => {
    const before = idsBefore()
    const { spoke, noticed } = await concurrentHooks()
    expect(noticed).toEqual([])
    expect(spoke).toEqual(expect.arrayContaining(['session-start', 'subagent-start']))
    expect(faults()).toEqual([])
    const kinds = events().flatMap((event) => (before.has(event.id) || event.kind === 'recalled' ? [] : [event.kind]))
    expect(kinds.length).toBe(HOOK_REGISTRATIONS.length)
  })

  test('crash: ten concurrent PostToolUse hooks record ten events, also in a new log', async () => {
    for (const gone of [false, true]) {
      if (gone) fs.rmSync(store.layout.folder, { recursive: true })
      const session = exampleSession('parallel', now)
      for (let i = 0; i < 10; i++) session.runs(`npm run part-${i}`, `part ${i} is done`)
      const calls = session.recorded.filter(({ payload }) => payload.hook_event_name === 'PostToolUse')
      const ends = await Promise.all(calls.map(({ payload }) => hook('post-tool-use', payload)))
      for (const end of ends) expect(end).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })
      const stored = events().filter((event) => event.session === 'parallel')
      expect(new Set(stored.flatMap((event) => ('call' in event ? [event.call] : []))).size).toBe(10)
      expect(stored.length).toBe(10)
    }
  })
})

describe('crash: disk errors', () => {
  const every = ['writeSync', 'writeFileSync', 'openSync', 'mkdirSync', 'linkSync', 'renameSync', 'rmSync']
  test.each<[string, Refusal, { notes?: RegExp; keeps?: boolean }]>([
    ['is full', { calls: ['writeSync', 'writeFileSync'], code: 'ENOSPC', path: '/projects/' }, {}],
    [
      'is full for the log alone',
      { calls: ['writeSync'], code: 'ENOSPC', path: 'events/' },
      { notes: /Free some disk space/ },
    ],
    [
      'takes half a line and is full',
      { calls: ['writeSync'], code: 'SHORT', path: 'events/' },
      { notes: /Free some disk space/ },
    ],
    ['is mounted to be read', { calls: every, code: 'EROFS', path: '/projects/' }, {}],
    ['lets nobody write', { calls: every, code: 'EACCES', path: '/projects/' }, {}],
    ['lets nobody write events', { calls: every, code: 'EACCES', path: 'events' }, { notes: /writable/ }],
    ['cannot be read any more', { calls: ['openSync', 'readSync'], code: 'EIO', path: 'events/' }, { notes: /disk/ }],
    [
      'cannot read the view',
      { calls: ['openSync', 'readSync', 'readFileSync'], code: 'EIO', path: 'manifest|segments|hot' },
      { notes: /disk/, keeps: true },
    ],
    [
      'loses a folder for a moment',
      { calls: ['readdirSync', 'statSync'], code: 'ESTALE', path: 'events', times: 1 },
      { notes: /network/ },
    ],
    [
      'is busy at every rename',
      { calls: ['renameSync', 'linkSync'], code: 'EBUSY', path: '/projects/' },
      { keeps: true },
    ],
  ])('crash: when the disk %s no session notices, and what was there stays', async (_, refusal, expected) => {
    const before = events()
    expect(allHooks(refusal)).toEqual([])
    const after = events()
    expect(after.slice(0, before.length)).toEqual(before)
    const seen = new Set(before.map((event) => event.id))
    const fresh = after.filter((event) => !seen.has(event.id) && event.kind !== 'recalled')
    if (expected.keeps) expect(fresh.length).toBe(HOOK_REGISTRATIONS.length)
    if (expected.notes) {
      expect(faults().length).toBeGreaterThan(0)
      for (const fault of faults()) {
        expect(fault).toMatchObject({ where: expect.stringMatching(/\w/), what: expect.stringMatching(/\w/) })
        expect(fault.hint).toMatch(expected.notes)
      }
    }
    // And once it takes writes again, so do we.
    expect(await hook('stop', exampleSession('later', now).answers('Good again.').recorded[0]!.payload)).toMatchObject({
      status: 0,
    })
    expect(events().at(-1)).toMatchObject({ session: 'later', kind: 'answer' })
  })

  test('crash: if links and renames fail, the missing log is reported and created later', async () => {
    fs.rmSync(store.layout.folder, { recursive: true })
    const refusal = { calls: ['linkSync'], code: 'ESTALE', path: '/projects/' }
    expect(allHooks(refusal)).toEqual([])
    expect(faults()[0]!.hint).toMatch(/network disk/)
    expect(await hook('stop', payloads().find(({ script }) => script === 'stop')!.payload)).toMatchObject({ status: 0 })
    expect(events().length).toBe(1)
  })

  test('crash: without hard links ten concurrent hooks still create one log', async () => {
    fs.rmSync(store.layout.folder, { recursive: true })
    const refusal = { calls: ['linkSync'], code: 'EPERM', path: '/projects/' }
    expect((await concurrentHooks(refusal)).noticed).toEqual([])
    expect(events().filter((event) => event.kind !== 'recalled').length).toBe(HOOK_REGISTRATIONS.length)
    expect(verifyLog(realDisk, store.layout.events, Date.now())).toMatchObject({ truncated: 0, corrupt: 0 })
  })
})

describe('crash: blocked paths', () => {
  const folderInPlaceOf = (file: () => string) => () => {
    fs.rmSync(file(), { recursive: true, force: true })
    fs.mkdirSync(file(), { recursive: true })
  }
  const fileInPlaceOf = (place: () => string) => () => {
    fs.rmSync(place(), { recursive: true, force: true })
    fs.mkdirSync(path.dirname(place()), { recursive: true })
    fs.writeFileSync(place(), 'in the way')
  }
  /** Whether events are still kept, and whether a fault can be written down. */
  test.each<[string, () => void, { keeps: boolean; notes: boolean }]>([
    ['a folder lies where the log file should be', folderInPlaceOf(logOf), { keeps: false, notes: true }],
    [
      'a folder lies where the manifest should be',
      folderInPlaceOf(() => store.layout.manifest),
      { keeps: true, notes: true },
    ],
    ['a folder lies where hot.json should be', folderInPlaceOf(() => store.layout.hot), { keeps: true, notes: false }],
    [
      'a folder lies where policy.json should be',
      folderInPlaceOf(() => store.layout.policy),
      { keeps: true, notes: false },
    ],
    ['a folder lies where the lock should be', folderInPlaceOf(() => store.layout.lock), { keeps: true, notes: false }],
    [
      'a folder lies where faults.jsonl should be',
      folderInPlaceOf(() => store.layout.faults),
      { keeps: true, notes: false },
    ],
    ['a file lies where the events should be', fileInPlaceOf(() => store.layout.events), { keeps: false, notes: true }],
    [
      'a file lies where the segments should be',
      fileInPlaceOf(() => store.layout.segments),
      { keeps: true, notes: true },
    ],
    ['the manifest is half of itself', () => fs.truncateSync(store.layout.manifest, 40), { keeps: true, notes: true }],
    ['every file of the view is empty', () => emptied(store.layout.segments), { keeps: true, notes: true }],
  ])('crash: when %s no session notices, and doctor says what is wrong and the hint', (_, spoil, expected) => {
    spoil()
    expect(allHooks()).toEqual([])
    const wrong = checkStore(store, now).filter((check) => check.state === 'fail')
    expect(wrong.length).toBeGreaterThan(0)
    for (const check of wrong)
      expect(check).toMatchObject({ hint: expect.stringMatching(/move it away|Move it away|rebuild/i) })
    if (expected.notes) {
      expect(faults().length).toBeGreaterThan(0)
      for (const { what, where, hint } of faults())
        for (const result of [what, where, hint]) expect(result).toMatch(/\w{3}/)
      expect(
        faults()
          .map((fault) => fault.hint)
          .join(),
      ).not.toContain('A bug of memctl')
    }
    if (expected.keeps) {
      expect(keptOfNow().length).toBe(HOOK_REGISTRATIONS.length)
    }
  })

  test.each<[string, () => void]>([
    ['home is a file', () => fileInPlaceOf(() => home)()],
    [
      "home's parent is a file",
      () => {
        fs.writeFileSync(path.join(folder, 'parent'), '')
        home = path.join(folder, 'parent', 'home')
      },
    ],
    ['the projects are a file', () => fileInPlaceOf(() => path.join(home, 'projects'))()],
    ["the project's folder is a file", () => fileInPlaceOf(() => store.layout.folder)()],
  ])('crash: when %s no session notices', (_, spoil) => {
    spoil()
    expect(allHooks()).toEqual([])
  })

  test('crash: after the clock is set back hooks continue, and doctor reports future events', () => {
    expect(allHooks(undefined, stoppedClock(folder, now - 20 * 365 * DAY))).toEqual([])
    expect(keptOfNow().length).toBe(HOOK_REGISTRATIONS.length)
    expect(faults()).toEqual([])
    const checks = checkStore(store, now - 20 * 365 * DAY)
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'clock', state: 'warn', hint: expect.stringContaining('clock') }),
    )
  })
})

function emptied(place: string): void {
  for (const name of fs.readdirSync(place)) fs.truncateSync(path.join(place, name))
}
