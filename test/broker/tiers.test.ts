import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { memoriesOf } from '../../src/broker/browse.ts'
import { type Recorded, recordingOf, replay } from '../../src/broker/replay.ts'
import { readerFor } from '../../src/broker/search/indexReaderCache.ts'
import { type Store, storeAt } from '../../src/broker/store.ts'
import { outlookOf, tiersOf, undoMove } from '../../src/broker/tiers.ts'
import { rebuild } from '../../src/broker/upkeep.ts'
import { asPayload } from '../../src/record/payload.ts'

const DAY_MS = 86_400_000
const LAST = Date.parse('2026-03-13T18:00:00.000Z')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

test('broker: a dry run says what the next look at age moves, and writes nothing', () => {
  const store = shopStore()
  const later = LAST + 40 * DAY_MS
  const before = snapshotOf(store)
  const outlook = outlookOf(store, later)
  expect(snapshotOf(store)).toEqual(before)

  const experiences = memoriesOf(store).filter((memory) => memory.kind === 'experience' && memory.status === 'active')
  expect(new Set(outlook.archived)).toEqual(new Set(experiences.map((memory) => memory.id)))
  replay(store, [laterSession(later)])
  expect(new Set(tiersOf(store).moves[0]?.archived)).toEqual(new Set(outlook.archived))
})

test('broker: what folds leaves recall, stays to be asked for, and its month is summed up', () => {
  const store = shopStore()
  replay(store, [laterSession(LAST + 40 * DAY_MS)])
  const archived = memoriesOf(store, { status: 'archived' })
  expect(archived.length).toBeGreaterThan(10)
  expect(archived.every((memory) => memory.kind === 'experience')).toBe(true)

  const shelf = readerFor(store)
  const inRecall = shelf.manifest.segments
    .filter((entry) => !entry.archive)
    .reduce((sum, entry) => sum + entry.memories, 0)
  shelf.close()
  expect(inRecall).toBeLessThan(memoriesOf(store).length)
  const month = memoriesOf(store).find((memory) => memory.monthlyRollup?.month === '2026-03')
  expect(month?.kind).toBe('consolidated')
  expect(month?.content).toContain('integer cents')
})

test('broker: a move taken back stays taken back, over further sessions and a rebuild', () => {
  const store = shopStore()
  const later = LAST + 40 * DAY_MS
  replay(store, [laterSession(later)])
  const restored = undoMove(store, later + 1_000)
  expect(restored.length).toBeGreaterThan(0)
  const active = () => new Set(memoriesOf(store, { status: 'active' }).map((memory) => memory.id))
  for (const id of restored) expect(active()).toContain(id)

  replay(store, [laterSession(later + DAY_MS)])
  for (const id of restored) expect(active()).toContain(id)
  const before = memoriesOf(store)
  for (const name of fs.readdirSync(store.layout.folder)) {
    if (name !== 'events') fs.rmSync(path.join(store.layout.folder, name), { recursive: true })
  }
  rebuild(store, later + 2 * DAY_MS)
  expect(memoriesOf(store)).toEqual(before)
})

test('broker: with nothing in the archive there is nothing to take back, and the error says so', () => {
  expect(() => undoMove(emptyStore(), LAST)).toThrowError(expect.objectContaining({ code: 'NOT_FOUND' }))
})

function emptyStore(): Store {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-tiers-'))
  folders.push(folder)
  return storeAt(path.join(folder, 'store'), '/home/dev/shop')
}

/** Two weeks of the shop. */
function shopStore(): Store {
  const store = emptyStore()
  const folder = path.join(import.meta.dirname, '../../recordings')
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
  replay(
    store,
    files.map((name) => recordingOf(fs.readFileSync(path.join(folder, name), 'utf8'), name)),
  )
  return store
}

/** A short session at a later time: age is looked at when a session ends. */
function laterSession(at: number): Recorded[] {
  const payload = (fields: object) => asPayload({ session_id: `later-${at}`, cwd: '/home/dev/shop', ...fields })!
  return [
    { at, payload: payload({ hook_event_name: 'SessionStart', source: 'startup' }) },
    {
      at: at + 1_000,
      payload: payload({ hook_event_name: 'UserPromptSubmit', prompt: 'Is the shop still open today?' }),
    },
    { at: at + 2_000, payload: payload({ hook_event_name: 'SessionEnd', reason: 'other' }) },
  ]
}

/** Every file of the store with its bytes. */
function snapshotOf(store: Store): Record<string, string> {
  const names = fs.readdirSync(store.layout.folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => fs.statSync(path.join(store.layout.folder, name)).isFile())
  return Object.fromEntries(
    files.map((name) => [name, fs.readFileSync(path.join(store.layout.folder, name), 'latin1')]),
  )
}
