// Every released version of the log opens, folds and answers queries; a store of a later version is not changed.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { eventsNewestFirst, listSessions } from '../../src/broker/queries/browse.ts'
import { recallMemories } from '../../src/broker/search/recallMemories.ts'
import { runCli } from '../../src/cli/runCli.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { verifyLog } from '../../src/store/log/verifyLog.ts'
import { built, started } from '../crash/processes.ts'
import { copyFixtureStore, FIXTURES_FOLDER, listFixtures, FIXTURES_WRITTEN_AT as NOW } from '../fixtureStores.ts'
import { createTestProject } from '../tempFolders.ts'
import { exampleSession, loadMemories, runHookPayloads } from '../testData.ts'

describe.each(listFixtures('log'))('format %s', (name) => {
  let store: Store
  beforeEach(() => {
    store = copyFixtureStore(name)
  })

  test('format: an old log opens, and every line is read as before', () => {
    const survey = verifyLog(realDisk, store.layout.events, NOW)
    expect(survey).toMatchObject({
      truncated: 1,
      corrupt: 0,
      openBytes: 39,
      newerFiles: [],
      damagedFiles: [],
    })
    const { events } = readLog(realDisk, store.layout.events)
    expect(events.length).toBe(survey.events)
    expect([...eventsNewestFirst(store)].reverse()).toEqual(events)
    expect(new Set(events.map((event) => event.kind))).toEqual(
      new Set([
        ...['session.started', 'prompt', 'call.started', 'call.succeeded', 'call.failed', 'answer', 'agent.started'],
        ...['agent.stopped', 'compaction', 'session.ended', 'recalled', 'session.improved', 'session.organized'],
        ...['policy.changed', 'memory.stored', 'other'],
      ]),
    )
  })

  test('format: an old log gives its memories, and an incremental fold equals a complete one', () => {
    rebuildStore(store, NOW)
    const contents = Object.values(loadMemories(store)).map((memory) => `${memory.kind}: ${memory.content}`)
    for (const taught of [
      /^lesson: .*npm run build:prices/s,
      /^preference: .*integer cents/s,
      /^preference: .*日本語/s,
    ]) {
      expect(
        contents.some((content) => taught.test(content)),
        String(taught),
      ).toBe(true)
    }
    expect(contents).toContain('preference: Deploy on Thursdays only.')
    expect(listSessions(store).map((session) => session.id)).toEqual(['march', 'tuesday', 'monday'])
    expect(loadProjection(store).projection).toMatchObject({ learned: { version: 7 }, history: [{ by: 'person' }] })
    const before = loadMemories(store)
    expect(runMaintenance(store, { now: NOW }).organized).toEqual([])
    rebuildStore(store, NOW)
    expect(loadMemories(store)).toEqual(before)
  })

  test('format: an old log answers queries', () => {
    rebuildStore(store, NOW)
    const { shown } = recallMemories(store, {
      text: 'the tests fail',
      command: 'npm test',
      error: 'Error: prices are not built',
      now: NOW,
    })
    expect(shown[0]!.memory.content).toContain('npm run build:prices')
  })

  test('format: an old log can be appended to and organized', () => {
    runMaintenance(store, { now: NOW })
    const before = readLog(realDisk, store.layout.events).events.length
    const more = exampleSession('today', NOW).starts().asks('Remember: the VAT of books is 7 percent.').ends()
    runHookPayloads(store, more.recorded)
    const read = readLog(realDisk, store.layout.events)
    expect(read.events.filter((event) => event.session === 'today' && event.kind !== 'recalled').length).toBe(3)
    expect(read.events.length).toBeGreaterThanOrEqual(before + 3)
    // The line that was cut short is sealed now.
    expect(verifyLog(realDisk, store.layout.events, Date.now()).truncated).toBe(2)
    expect(runMaintenance(store, { now: NOW + 1 }).organized).toEqual(['today'])
  })
})

describe('format: a later version', () => {
  const { folder, project, home } = createTestProject('newer')
  let store: Store
  beforeAll(async () => {
    await built(path.join(folder, 'hooks'), [
      ...HOOK_REGISTRATIONS.map(({ script }) => `hooks/${script}.ts`),
      'src/hook/worker.ts',
    ])
    fs.mkdirSync(path.join(folder, 'hooks', 'hooks'))
    // The path where hooks look for the worker, which this test starts itself.
    fs.writeFileSync(path.join(folder, 'worker.cjs'), '')
  })
  beforeEach(() => {
    fs.rmSync(home, { recursive: true, force: true })
    store = openStore(project, { MEMCTL_HOME: home })
    fs.cpSync(path.join(FIXTURES_FOLDER, 'log-newer', 'store'), store.layout.folder, { recursive: true })
  })

  const env = () => ({ MEMCTL_HOME: home, HOME: folder, CLAUDE_PROJECT_DIR: project })
  const bytesIn = (name: string): Buffer => fs.readFileSync(path.join(store.layout.folder, name))
  const DERIVED = ['manifest.json', 'hot.json', 'policy.json', 'events/000001.jsonl']

  async function memctl(...words: string[]): Promise<{ status: number; answer: Record<string, string> }> {
    let out = ''
    const screen = { write: (text: string) => (out += text) }
    const status = await runCli([...words, '--json'], {
      out: screen,
      err: screen,
      env: env(),
      cwd: project,
      stdin: () => '',
    })
    return { status, answer: JSON.parse(out) }
  }

  test('format: hooks print nothing with a later store, and still append complete lines', async () => {
    const before = bytesIn('events/000002.jsonl')
    const derived = DERIVED.map(bytesIn)
    const session = exampleSession('now', NOW)
      .starts()
      .asks('Still there?')
      .fails('npm test', 'Error: no')
      .runs('npm run build')
      .sends('reviewer', 'agent-1', (sent) => sent.runs('ls'))
      .tells('PreCompact', { trigger: 'manual' })
      .tells('PostCompact', { trigger: 'manual', compact_summary: '' })
      .answers('Yes.')
      .ends()
    for (const { payload } of session.recorded) {
      const { script } = HOOK_REGISTRATIONS.find((item) => item.event === payload.hook_event_name)!
      const end = await started([path.join(folder, 'hooks', `${script}.cjs`)], env(), `${JSON.stringify(payload)}\n`)
        .ended
      expect({ script, ...end }).toEqual({ script, status: 0, signal: null, stdout: '', stderr: '' })
    }
    const after = bytesIn('events/000002.jsonl')
    expect(after.subarray(0, before.length)).toEqual(before)
    expect(DERIVED.map(bytesIn)).toEqual(derived)
    const survey = verifyLog(realDisk, store.layout.events, Date.now())
    expect(survey).toMatchObject({ newerFiles: ['000002.jsonl'], truncated: 1, corrupt: 0 })
    expect(survey.events).toBe(6 + session.recorded.length)
    expect(fs.readFileSync(store.layout.faults, 'utf8')).toContain('STORE_NEWER')
  })

  test('format: the worker does not change a later store, and reports why', async () => {
    const before = ['events/000002.jsonl', ...DERIVED].map(bytesIn)
    const worker = path.join(folder, 'hooks', 'worker.cjs')
    expect(await started([worker, project], env()).ended).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(['events/000002.jsonl', ...DERIVED].map(bytesIn)).toEqual(before)
    expect(fs.readFileSync(store.layout.faults, 'utf8')).toMatch(/STORE_NEWER.*Update memctl/)
  })

  test.each([
    ...[
      ['status'],
      ['recall', 'prices'],
      ['search', 'prices'],
      ['list'],
      ['show', 'a'],
      ['list', '--events'],
      ['list', '--sessions'],
    ],
    ...[['organize'], ['rebuild'], ['policy', 'show']],
  ])('format: memctl %s says STORE_NEWER with the hint', async (...words) => {
    const before = ['events/000002.jsonl', ...DERIVED].map(bytesIn)
    const { status, answer } = await memctl(...words)
    expect({ status, answer }).toMatchObject({
      status: 2,
      answer: { error: { code: 'STORE_NEWER', hint: expect.stringContaining('Update memctl') } },
    })
    expect(['events/000002.jsonl', ...DERIVED].map(bytesIn)).toEqual(before)
  })

  test('format: doctor reports what is newer, and its repair of the log does not change it', async () => {
    const failed = checkStore(store, NOW).filter((check) => check.state === 'fail')
    expect(failed.map((check) => check.name)).toEqual(expect.arrayContaining(['log', 'snapshot']))
    for (const check of failed)
      if (check.name !== 'policy') expect(check).toMatchObject({ hint: expect.stringContaining('Update memctl') })
    const check = await memctl('doctor', '--log')
    expect(check).toMatchObject({ status: 1, answer: { healthy: false } })
    const before = bytesIn('events/000002.jsonl')
    expect(await memctl('doctor', '--log', '--fix')).toMatchObject({
      status: 0,
      answer: { newerFiles: ['000002.jsonl'] },
    })
    expect(bytesIn('events/000002.jsonl')).toEqual(before)
  })

  test('format: rebuild replaces a newer snapshot, and keeps events of unknown kinds', async () => {
    fs.rmSync(path.join(store.layout.events, '000002.jsonl'))
    expect(await memctl('status')).toMatchObject({
      answer: { error: { code: 'STORE_NEWER', hint: expect.stringContaining('memctl rebuild') } },
    })
    expect((await memctl('rebuild')).status).toBe(0)
    expect((await memctl('status')).status).toBe(0)
    const { events } = readLog(realDisk, store.layout.events)
    expect(events[2]).toMatchObject({ kind: 'other', name: 'thought', weight: { kg: 2 } })
  })
})
