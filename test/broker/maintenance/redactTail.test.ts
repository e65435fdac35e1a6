// The second pass over the log: late findings are in no file of the store, and nothing else changes.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
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
