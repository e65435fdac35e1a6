// A session start shows no entry as its file no longer is: edited soon after a sync, unreadable, or deleted.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { findOutdated, isMtimeCacheStale } from '../../../src/entries/entryDirs.ts'
import { entryMemoryId } from '../../../src/text/hash.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'

const home = newFolder('stale')
afterAll(() => fs.rmSync(home, { recursive: true, force: true }))

const env = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl') }
const project = path.join(home, 'shop')
const file = path.join(project, '.memctl/memory/deploy.md')
const id = entryMemoryId('project', undefined, 'deploy')

async function call(tool: string, input: Record<string, unknown> = {}): Promise<unknown> {
  const store = openStore(project, env)
  return invokeTool(findTool(tool)!, input, createToolContext({ store, role: 'owner', env, now: Date.now }))
}

/** Whether a start leaves the entry out, and whether it starts the worker. */
function atStart(): { isLeftOut: boolean; isWorkerDue: boolean } {
  const store = openStore(project, env)
  return { isLeftOut: findOutdated(store, new Set([id])).has(id), isWorkerDue: isMtimeCacheStale(store) }
}

beforeEach(async () => {
  fs.rmSync(home, { recursive: true, force: true })
  await call('save_to_memory', { key: 'deploy', content: 'On Tuesdays' })
})

test('entries: an entry that is edited right after a save is left out, until the worker has read it', async () => {
  expect(atStart().isLeftOut).toBe(false)
  fs.writeFileSync(file, '---\nkey: deploy\n---\n\nOn Fridays\n')
  fs.utimesSync(file, new Date(), new Date(Date.now() + 100))
  expect(atStart()).toEqual({ isLeftOut: true, isWorkerDue: true })
  await call('list_memory_entries')
  expect(atStart().isLeftOut).toBe(false)
})

test('entries: an unreadable file keeps the last readable text, and takes it along when it is deleted', async () => {
  fs.writeFileSync(file, '---\nkey: deploy\ntags: [a\n---\n\nOn Fridays\n')
  const hourAgo = new Date(Date.now() - 3_600_000)
  fs.utimesSync(file, hourAgo, hourAgo)
  await call('list_memory_entries')
  // The worker is not started again and again for a file that it cannot read.
  expect(atStart()).toEqual({ isLeftOut: false, isWorkerDue: false })
  fs.rmSync(file)
  expect(atStart()).toEqual({ isLeftOut: true, isWorkerDue: true })
  expect(await call('get_memory_entry', { key: 'deploy' })).toMatchObject({ kind: 'failure' })
})
