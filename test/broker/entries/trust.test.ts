// Trust: what a repository brings is used only once the person trusts it; what their own tools write, always.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { changeTrust, maintainEntries } from '../../../src/broker/entries/entryMaintenance.ts'
import { openHookContext } from '../../../src/broker/handlers/hookContext.ts'
import { findHookHandler } from '../../../src/broker/handlers/hookHandlers.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { readTrust } from '../../../src/store/project/contentTrust.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY } from '../../testData.ts'

let project: string
let env: { HOME: string; MEMCTL_HOME: string }
let store: Store
beforeEach(() => {
  const made = createTestProject('trust')
  project = made.project
  env = { HOME: made.folder, MEMCTL_HOME: made.home }
  store = openStore(project, env)
})

const bring = (file: string, key: string): void => {
  fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
  fs.writeFileSync(path.join(project, file), `---\nkey: ${key}\n---\n\nBrought: ${key}\n`)
}
const context = (now = BEGIN): ToolContext => createToolContext({ store, role: 'owner', env, now: () => now })
async function keys(): Promise<string[]> {
  const done = await invokeTool(findTool('list_memory_entries')!, {}, context())
  const { entries } = (done as unknown as { output: { entries: { key: string }[] } }).output
  return entries.map(({ key }) => key)
}
const save = (key: string): Promise<unknown> =>
  invokeTool(findTool('save_to_memory')!, { key, content: `Saved: ${key}` }, context())
const start = (session: string) =>
  findHookHandler('SessionStart')(
    { hook_event_name: 'SessionStart', session_id: session, source: 'startup', cwd: project },
    openHookContext(store, BEGIN),
  )

test('entries: what a repository brings is used between trust and untrust, and its files stay', async () => {
  bring('.memctl/memory/a.md', 'a')
  bring('.memctl/earlier/memory/b.md', 'b')
  bring('.multi-agent-mcp/memory/c.md', 'c')
  expect([readTrust(store), await keys()]).toEqual(['undecided', []])
  await save('own')
  expect([readTrust(store), await keys()]).toEqual(['undecided', ['own']])
  changeTrust(store, 'trusted', BEGIN)
  expect((await keys()).sort()).toEqual(['a', 'b', 'c', 'own'])
  changeTrust(store, 'untrusted', BEGIN)
  expect([readTrust(store), await keys()]).toEqual(['untrusted', ['own']])
  expect(fs.readdirSync(path.join(project, '.memctl/memory')).sort()).toEqual(['a.md', 'own.md'])
})

test('entries: a folder that brought nothing is trusted by the first save of a tool', async () => {
  await save('own')
  expect(readTrust(store)).toBe('trusted')
})

test('entries: an empty folder for entries brings nothing', async () => {
  fs.mkdirSync(path.join(project, '.memctl/memory'), { recursive: true })
  await save('own')
  expect(readTrust(store)).toBe('trusted')
})

test('entries: without trust the limits hold for what the person’s tools saved, and move nothing else', async () => {
  for (const key of ['a', 'b', 'c']) bring(`.memctl/memory/${key}.md`, key)
  Object.assign(env, { MCP_MEMORY_MAX_ENTRIES: '2' })
  for (const key of ['own 1', 'own 2', 'own 3', 'own 4']) await save(key)
  expect(await keys()).toHaveLength(2)
  expect(fs.readdirSync(path.join(project, '.memctl/memory/archive'))).toHaveLength(2)
  expect(fs.readdirSync(path.join(project, '.memctl/memory'))).toEqual(expect.arrayContaining(['a.md', 'b.md', 'c.md']))
})

test('entries: a folder whose entries an earlier version has read stays trusted', async () => {
  bring('.memctl/memory/a.md', 'a')
  changeTrust(store, 'trusted', BEGIN)
  fs.rmSync(path.join(store.layout.folder, 'trust'), { recursive: true })
  expect(readTrust(store)).toBe('trusted')
  maintainEntries(store, env, BEGIN)
  expect(fs.readdirSync(path.join(store.layout.folder, 'trust'))).toHaveLength(1)
})

test('entries: a session start asks for trust three times at most, and never once there is an answer', () => {
  expect(start('none').context).toBeUndefined()
  bring('.memctl/memory/a.md', 'a')
  const asked = ['one', 'two', 'three', 'four'].map((session) => start(session))
  expect(asked.map(({ message = '' }) => message.includes('memctl project trust'))).toEqual([true, true, true, false])
  expect(asked[0]?.context ?? '').not.toContain('Brought')
})

test('entries: after untrust a session start asks no more', () => {
  bring('.memctl/memory/a.md', 'a')
  changeTrust(store, 'untrusted', BEGIN)
  expect(start('one').context).toBeUndefined()
})

test('entries: clean-up moves what tools have saved, and no file that came with the repository', async () => {
  for (let i = 0; i < 20; i++) bring(`.memctl/memory/${i}.md`, `k${i}`)
  changeTrust(store, 'trusted', BEGIN)
  await save('own')
  maintainEntries(store, { ...env, MCP_MEMORY_MAX_ENTRIES: '5' }, BEGIN + 200 * DAY)
  const folder = path.join(project, '.memctl/memory')
  expect(fs.readdirSync(path.join(folder, 'archive'))).toEqual(['own.md'])
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.md'))).toHaveLength(20)
})

test('entries: a clean-up that another process runs is not run twice', () => {
  bring('.memctl/memory/a.md', 'a')
  changeTrust(store, 'trusted', BEGIN)
  bring('.memctl/memory/b.md', 'b')
  fs.writeFileSync(store.layout.entriesLock, `${JSON.stringify({ pid: process.pid })}\n`)
  const before = fs.readFileSync(store.layout.entries, 'utf8')
  maintainEntries(store, env, BEGIN)
  expect(fs.readFileSync(store.layout.entries, 'utf8')).toBe(before)
})
