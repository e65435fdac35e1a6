// What an import stores when it is interrupted, and how it goes on.
import { expect, test } from 'vitest'
import { rememberStatement } from '../../../src/broker/commands/statements.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStoreAt } from '../../../src/broker/open/openStore.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { commitImport, isMetHere, planImport, type ReadSource } from '../../../src/broker/transfer/planImport.ts'
import { statementsOfPrompts } from '../../../src/broker/transfer/sources/claudeMem.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, exampleSession, iso, ROOT, runHookPayloads } from '../../testData.ts'

const sourceOf = (count: number, content = (i: number): string => `The part ${i} is painted.`): ReadSource => ({
  ...{ name: 'markdown', location: '~/notes', faults: [], notes: [] },
  items: Array.from({ length: count }, (_, i) => ({
    ...{ key: `part ${i}`, item: `part ${i}`, content: content(i), created: iso(BEGIN), provenance: 'assistant' },
  })),
})

test('import: after a write that failed, another run stores what is missing, and nothing twice', () => {
  const folder = newFolder()
  let appends = 0
  const failing: Files = {
    ...realDisk,
    append(file, bytes, sync) {
      appends++
      if (appends === 2) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      realDisk.append(file, bytes, sync)
    },
  }
  // More than one write has.
  const source = sourceOf(4_100)
  const full = openStoreAt(folder, ROOT, failing)
  expect(() => commitImport(full, planImport(full, source), BEGIN)).toThrow(/ENOSPC/)
  const store = openStoreAt(folder, ROOT)
  const stored = listMemories(store).length
  expect(stored).toBeGreaterThan(0)
  expect(stored).toBeLessThan(4_100)
  const plan = planImport(store, source)
  expect([plan.added.length, plan.unchanged]).toEqual([4_100 - stored, stored])
  commitImport(store, plan, BEGIN + 1)
  expect(listMemories(store).length).toBe(4_100)
  expect(commitImport(store, planImport(store, source), BEGIN + 2)).toBeUndefined()
}, 60_000)

test('import: too many items are one clear error before anything is stored', () => {
  const store = openStoreAt(newFolder(), ROOT)
  expect(() => planImport(store, sourceOf(50_001))).toThrow(/has 50001 items/)
})

test('import: an imported statement supersedes an earlier one', () => {
  const store = openStoreAt(newFolder(), ROOT)
  const liveStore = openLiveStore(store)
  const now = BEGIN - 100
  const writer = {
    ...{ liveStore, session: undefined, now: () => now },
    commit: (body: Parameters<typeof liveStore.commit>[0]) => liveStore.commit(body, { now, nonce: 'a' }),
  }
  const { memory } = rememberStatement(writer, { text: 'Always use npm for the scripts of this project' })
  const text = 'From now on always use pnpm for the scripts of this project.'
  const items = statementsOfPrompts([{ at: iso(BEGIN), session: 's1', text }])
  const source: ReadSource = { name: 'claude-mem', location: '~/x.db#shop', items, faults: [], notes: [] }
  commitImport(store, planImport(store, source), BEGIN + 1)
  expect(listMemories(store).find((each) => each.id === memory.id)).toMatchObject({ status: 'archived' })
  expect(planImport(store, source)).toMatchObject({ added: [], changed: [], superseding: [] })
})

test('import: what the person has said again in a session since stays when its source is gone or forgotten', () => {
  const store = openStoreAt(newFolder(), ROOT)
  const text = 'From now on always use pnpm for the scripts of this project.'
  const items = statementsOfPrompts([{ at: iso(BEGIN), session: 's1', text }])
  const source: ReadSource = { name: 'claude-mem', location: '~/x.db#shop', items, faults: [], notes: [] }
  commitImport(store, planImport(store, source), BEGIN + 1)
  runHookPayloads(
    store,
    exampleSession('s2', BEGIN + DAY)
      .starts()
      .asks(text)
      .answers('Done.')
      .ends().recorded,
  )
  runMaintenance(store, { now: BEGIN + 2 * DAY, sessions: 'all' })
  const said = () => listMemories(store, { kinds: ['preference'] })
  expect(said()).toMatchObject([{ provenance: 'person', importSource: { origin: 'import:claude-mem' } }])
  expect(planImport(store, { ...source, items: [] }).gone).toEqual([])
  // What `forget --origin` leaves out.
  expect(said().every(isMetHere)).toBe(true)
})
