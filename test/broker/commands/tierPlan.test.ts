// Tiers: what an aging pass archives is still listed, and undo restores it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseRecording, type RecordedPayload, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { undoTransition } from '../../../src/broker/commands/agingCommands.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { acquireReader, openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { hookPayloadFromValue } from '../../../src/record/hookPayload.ts'

const DAY_MS = 86_400_000
const LAST = Date.parse('2026-03-13T18:00:00.000Z')
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

test('broker: archived memories are not recalled but still listed, and their month is summarized', () => {
  const store = shopStore()
  replaySessions(store, [laterSession(LAST + 40 * DAY_MS)])
  const archived = listMemories(store, { status: 'archived' })
  expect(archived.length).toBeGreaterThan(10)
  expect(archived.every((memory) => memory.kind === 'experience')).toBe(true)

  const reader = acquireReader(store)
  const inRecall = reader.manifest.segments
    .filter((entry) => !entry.archive)
    .reduce((sum, entry) => sum + entry.memories, 0)
  reader.close()
  expect(inRecall).toBeLessThan(listMemories(store).length)
  const month = listMemories(store).find((memory) => memory.monthlyRollup?.month === '2026-03')
  expect(month?.kind).toBe('consolidated')
  expect(month?.content).toContain('integer cents')
})

test('broker: an undone transition stays undone, over further sessions and a rebuild', () => {
  const store = shopStore()
  const later = LAST + 40 * DAY_MS
  replaySessions(store, [laterSession(later)])
  const restored = undoTransition(store, later + 1_000)
  expect(restored.length).toBeGreaterThan(0)
  const active = () => new Set(listMemories(store, { status: 'active' }).map((memory) => memory.id))
  for (const id of restored) expect(active()).toContain(id)

  replaySessions(store, [laterSession(later + DAY_MS)])
  for (const id of restored) expect(active()).toContain(id)
  const before = listMemories(store)
  for (const name of fs.readdirSync(store.layout.folder)) {
    if (name !== 'events') fs.rmSync(path.join(store.layout.folder, name), { recursive: true })
  }
  rebuildStore(store, later + 2 * DAY_MS)
  expect(listMemories(store)).toEqual(before)
})

test('broker: undo without any archived memory is an error', () => {
  expect(() => undoTransition(emptyStore(), LAST)).toThrowError(expect.objectContaining({ code: 'NOT_FOUND' }))
})

function emptyStore(): Store {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-tiers-'))
  folders.push(folder)
  return openStoreAt(path.join(folder, 'store'), '/home/dev/shop')
}

/** Two weeks of the shop. */
function shopStore(): Store {
  const store = emptyStore()
  const folder = path.join(import.meta.dirname, '../../../recordings')
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
  replaySessions(
    store,
    files.map((name) => parseRecording(fs.readFileSync(path.join(folder, name), 'utf8'), name)),
  )
  return store
}

/** A short session at a later time, because memories age when a session ends. */
function laterSession(at: number): RecordedPayload[] {
  const payload = (fields: object) =>
    hookPayloadFromValue({ session_id: `later-${at}`, cwd: '/home/dev/shop', ...fields })!
  return [
    { at, payload: payload({ hook_event_name: 'SessionStart', source: 'startup' }) },
    {
      at: at + 1_000,
      payload: payload({ hook_event_name: 'UserPromptSubmit', prompt: 'Is the shop still open today?' }),
    },
    { at: at + 2_000, payload: payload({ hook_event_name: 'SessionEnd', reason: 'other' }) },
  ]
}
