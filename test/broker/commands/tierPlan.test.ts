// Tiers: what an aging pass archives is still listed.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseRecording, type RecordedPayload, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { hookPayloadFromValue } from '../../../src/record/hookPayload.ts'
import { openSnapshotReader } from '../../../src/store/snapshot/snapshotReader.ts'

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

  const reader = openSnapshotReader(store.files, store.layout)
  const inRecall = reader.manifest.segments
    .filter((entry) => !entry.archive)
    .reduce((sum, entry) => sum + entry.memories, 0)
  reader.close()
  expect(inRecall).toBeLessThan(listMemories(store).length)
  const month = listMemories(store).find((memory) => memory.monthlyRollup?.month === '2026-03')
  expect(month?.kind).toBe('consolidated')
  expect(month?.content).toContain('integer cents')
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
