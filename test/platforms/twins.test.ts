// The same session leaves the same memories, and is shown the same notes, on Linux, macOS and Windows.
import { beforeAll, describe, expect, test } from 'vitest'
import { type RecordedPayload, replaySessions } from '../../bench/fixture/replaySessions.ts'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import { newFolder } from '../tempFolders.ts'
import { loadMemories, loadRecordings, ROOT } from '../testData.ts'
import { LINUX_ROOT, MAC_ROOT, toLinux, toWindows, withRoot } from './windowsTwin.ts'

/** Thirteen sessions are replayed. */
const TIMEOUT_MS = 120_000

const recordings = loadRecordings().map(({ session }) => withRoot(session, ROOT, LINUX_ROOT))

/** What the sessions leave and are shown, with the paths of Linux and without ids, which depend on the texts. */
function outcome(root: string, sessions: readonly (readonly RecordedPayload[])[]) {
  const store = openStoreAt(newFolder(), root)
  const notes: string[] = []
  replaySessions(store, sessions, { onOutput: (_, { context }) => notes.push(clean(context ?? '')) })
  const memories = Object.values(loadMemories(store)).map((memory) => clean(JSON.stringify(memory)))
  return { notes, memories: memories.sort() }
}

const clean = (text: string): string =>
  toLinux(text)
    .replaceAll('PowerShell', 'Bash')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}|\b[0-9a-f]{16}\b/g, '<id>')

describe('platforms: the same sessions elsewhere', () => {
  let linux: ReturnType<typeof outcome>
  beforeAll(() => {
    linux = outcome(LINUX_ROOT, recordings)
  })

  test('platforms: the recordings leave memories and notes, so that there is something to compare', () => {
    expect(linux.memories.length).toBeGreaterThan(10)
    expect(linux.notes.filter(Boolean).length).toBeGreaterThan(10)
  })

  test('platforms: on macOS the same memories arise and the same notes are shown', { timeout: TIMEOUT_MS }, () => {
    const sessions = recordings.map((session) => withRoot(session, LINUX_ROOT, MAC_ROOT))
    expect(outcome(MAC_ROOT, sessions)).toEqual(linux)
  })

  test.each(['Bash', 'PowerShell'] as const)('platforms: on Windows with %s, too', { timeout: TIMEOUT_MS }, (shell) => {
    const sessions = recordings.map((session) => toWindows(session, shell))
    expect(JSON.stringify(sessions)).toContain('src\\\\cart.js')
    expect(outcome('C:/Users/太郎/my shop', sessions)).toEqual(linux)
  })
})
