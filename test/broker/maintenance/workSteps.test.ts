// A step in which workers had to be ended does not keep the others from being done.
import { describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { commitEvents } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import {
  readFailedSteps,
  recordFailedStep,
  sessionStep,
  startWorkRun,
} from '../../../src/broker/maintenance/workSteps.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { logFileName } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, HOUR, recordEvents } from '../../testData.ts'

const NOW = BEGIN + 2 * DAY

/** A store with two ended sessions; workers were ended in the first one. */
function storeWithFailures(count: number): Store {
  const store = createTestStore()
  for (const [id, start] of [
    ['poison', BEGIN],
    ['good', BEGIN + HOUR],
  ] as const)
    commitEvents(store, recordEvents(exampleSession(id, start).starts().asks('Fix the cart').runs('npm test').recorded))
  for (let i = 0; i < count; i += 1) recordFailedStep(store, sessionStep('poison'), 'it took longer than 120 s', NOW)
  return store
}

function work(store: Store, now: number): string[] {
  const run = startWorkRun(store, now, () => {})
  runMaintenance(store, { now, steps: run, sessions: 'all' })
  run.finish()
  const { sessions } = loadProjection(store).projection
  return [...sessions.values()].filter(({ pending }) => pending.length === 0).map(({ id }) => id)
}

describe('maintenance: steps that never end', () => {
  test('maintenance: a session that failed twice is tried again, and forgotten when it ends', () => {
    const store = storeWithFailures(2)
    expect(work(store, NOW)).toEqual(['poison', 'good'])
    expect(readFailedSteps(store)).toEqual([])
  })

  test('maintenance: a session that failed three times is skipped for a day, and the others are organized', () => {
    const store = storeWithFailures(3)
    expect(work(store, NOW + HOUR)).toEqual(['good'])
    expect(readFailedSteps(store)).toMatchObject([{ step: 'session:poison', count: 3 }])
    expect(work(store, NOW + DAY + HOUR)).toEqual(['poison', 'good'])
  })

  test('maintenance: doctor reports it, with the command that does it', () => {
    const store = storeWithFailures(3)
    expect(checkStore(store, NOW).find(({ name }) => name === 'worker')).toMatchObject({
      state: 'warn',
      what: expect.stringContaining('session:poison (3 times'),
      hint: expect.stringContaining('memctl organize --session poison'),
    })
  })

  test('maintenance: when the time is over, no further session is begun, and what was done is saved', () => {
    const store = storeWithFailures(0)
    let sessions = 0
    const steps = { begin: (step: string) => (step.startsWith('session:') ? ++sessions > 0 : true) }
    runMaintenance(store, { now: NOW, steps, sessions: 'all', isOverdue: () => sessions > 0 })
    const { projection, manifest } = loadProjection(store)
    expect([...projection.sessions.values()].filter(({ pending }) => pending.length > 0)).toHaveLength(1)
    expect(manifest.generation).toBe(1)
  })

  test('maintenance: a long log is applied in several runs, and organizes nothing before it has reached its end', () => {
    const store = storeWithFailures(0)
    runMaintenance(store, { now: NOW, sessions: 'all' })
    const whole = loadProjection(store).projection
    const { layout, files } = store
    const { events } = readLog(files, layout.events)
    // Each event in a file of its own, and a manifest that is lost.
    const lines = (files.read(`${layout.events}/${logFileName(1)}`) ?? '').toString().split('\n').slice(0, -1)
    files.remove(`${layout.events}/${logFileName(1)}`)
    for (const [i, line] of lines.entries())
      files.append(`${layout.events}/${logFileName(i + 1)}`, Buffer.from(`${line}\n`), false)
    files.remove(layout.manifest)
    for (const name of files.list(layout.folder).filter((file) => file.startsWith('work.')))
      files.remove(`${layout.folder}/${name}`)
    for (let run = 1; run <= lines.length; run++) {
      expect(loadProjection(store).projection.cursor.file).toBe(run - 1)
      runMaintenance(store, { now: NOW, sessions: 'all', isOverdue: () => true })
    }
    const { projection } = loadProjection(store)
    expect([...projection.memories]).toEqual([...whole.memories])
    expect([...projection.sessions]).toEqual([...whole.sessions])
    expect(readLog(files, layout.events).events).toEqual(events)
  })

  test('maintenance: a log that is not applied after three workers were ended is not begun again', () => {
    const store = storeWithFailures(0)
    for (let i = 0; i < 3; i += 1) recordFailedStep(store, 'log', 'it took longer than 120 s', NOW)
    expect(work(store, NOW)).toEqual([])
    expect(loadProjection(store).manifest.generation).toBe(0)
  })

  test('maintenance: a damaged list of failed steps counts as empty', () => {
    const store = storeWithFailures(3)
    for (const text of ['', '{', '{}', '[1,{"step":1}]', 'null']) {
      store.files.replace(store.layout.worker, Buffer.from(text))
      expect(readFailedSteps(store)).toEqual([])
    }
  })
})
