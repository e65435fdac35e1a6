// The second pass over the log: late findings are in no file of the store, and nothing else changes.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore, restoreLog } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { applyLogTail, loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, exampleSession, runHookPayloads } from '../../testData.ts'

const PASSWORD = 'Harbor4711-velvet'
const COMMAND = `echo '${PASSWORD}' | sudo -S systemctl restart shop`

function allText({ layout }: Store): string {
  const names = fs.readdirSync(layout.folder, { recursive: true, encoding: 'utf8' })
  const files = names.map((name) => path.join(layout.folder, name)).filter((name) => fs.statSync(name).isFile())
  return files.map((name) => fs.readFileSync(name, 'latin1')).join('\n')
}

const session = () =>
  exampleSession('first', BEGIN)
    .starts()
    .asks('Restart the shop, please.')
    .fails(COMMAND, 'Exit code 1\nError: unit shop failed')

test('second pass: a secret that hooks have stored is in no file after the worker has run', () => {
  const store = createTestStore()
  const work = session().runs(COMMAND, 'ok').ends()
  runHookPayloads(store, work.recorded)
  const before = readLog(store.files, store.layout.events)
  expect(allText(store)).toContain(PASSWORD)
  runMaintenance(store, { now: work.now() })
  expect(allText(store)).not.toContain(PASSWORD)
  expect(allText(store)).toContain('systemctl restart shop')
  const after = readLog(store.files, store.layout.events).events
  expect(after.slice(0, before.events.length).map(({ id }) => id)).toEqual(before.events.map(({ id }) => id))
})

test('second pass: what open sessions have learned has no such secret either', () => {
  const store = createTestStore()
  const work = session().runs('systemctl status shop', 'ok').runs(COMMAND, 'ok')
  runHookPayloads(store, work.recorded)
  expect(refreshRecent(store, work.now())).toBe('refreshed')
  expect(allText(store)).not.toContain(PASSWORD)
})

test('second pass: events that an earlier run has seen are not rewritten', () => {
  const store = createTestStore()
  const work = session().ends()
  runHookPayloads(store, work.recorded)
  runMaintenance(store, { now: work.now() })
  const log = path.join(store.layout.events, '000001.jsonl')
  const bytes = fs.readFileSync(log)
  runMaintenance(store, { now: work.now() + 1 })
  expect(fs.readFileSync(log).subarray(0, bytes.length).equals(bytes)).toBe(true)
})

test('second pass: what another window appends while a session is organized is searched before it is saved', () => {
  const store = createTestStore()
  const work = session().runs('systemctl status shop', 'ok').ends()
  runHookPayloads(store, work.recorded)
  const other = exampleSession('other', BEGIN).starts().asks('Restart the shop.').runs(COMMAND, 'ok').ends()
  let appended = false
  const complete = (): void => {
    if (!appended) runHookPayloads(store, other.recorded)
    appended = true
  }
  expect(runMaintenance(store, { now: work.now(), complete }).organized.toSorted()).toEqual(['first', 'other'])
  expect(allText(store)).toContain('systemctl restart shop')
  expect(allText(store)).not.toContain(PASSWORD)
})

test.each([
  ['it saves first', refreshRecent, false],
  ['it saves all first', saveWith, false],
  ['another process has removed it', refreshRecent, true],
  ['another process has removed it, and all is saved', saveWith, true],
])('second pass: a process that had read a secret saves nothing of it: %s', (_, save, isRemovedBefore) => {
  const store = createTestStore()
  runMaintenance(store, { now: BEGIN })
  const work = session().asks(`Run ${COMMAND}`).runs(COMMAND, 'ok').runs('systemctl status shop', 'ok')
  runHookPayloads(store, work.recorded)
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  if (isRemovedBefore) refreshRecent(store, work.now())
  runHookPayloads(store, exampleSession('first', work.now()).runs('systemctl status shop', 'ok').recorded)
  save(store, work.now() + 1, loaded)
  expect(allText(store)).toContain('systemctl status shop')
  expect(allText(store)).not.toContain(PASSWORD)
})

function saveWith(store: Store, now: number, loaded: ReturnType<typeof loadProjection>): void {
  runMaintenance(store, { now, sessions: 'all' }, loaded)
}

test('second pass: a rebuild searches what no worker has, a restore its copy and the log that it keeps', () => {
  const store = createTestStore()
  const work = session().runs(COMMAND, 'ok').ends()
  runHookPayloads(store, work.recorded)
  const copy = path.join(store.layout.folder, '..', 'copy.jsonl')
  fs.copyFileSync(path.join(store.layout.events, '000001.jsonl'), copy)
  rebuildStore(store, work.now())
  expect(allText(store)).not.toContain(PASSWORD)
  runHookPayloads(store, exampleSession('other', work.now()).starts().runs(COMMAND, 'ok').recorded)
  const { aside } = restoreLog(store, copy, { now: work.now() + 1, replace: true })
  expect(fs.existsSync(aside ?? '')).toBe(true)
  expect(allText(store)).not.toContain(PASSWORD)
})
