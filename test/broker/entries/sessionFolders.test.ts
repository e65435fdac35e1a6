// The folders of sessions that earlier versions or people have made: they stay in use under their own names.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN } from '../../testData.ts'

const home = newFolder('sessions')
beforeEach(() => fs.rmSync(home, { recursive: true, force: true }))
afterAll(() => fs.rmSync(home, { recursive: true, force: true }))

const project = path.join(home, 'shop')
const env = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl') }

async function call(tool: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const store = openStore(project, env)
  const context = createToolContext({ store, role: 'owner', env, now: () => BEGIN })
  const done = await invokeTool(findTool(tool)!, input, context)
  return done.kind === 'answer' ? (done.output as Record<string, unknown>) : { ...done.failure }
}

const save = (key: string, session: string) =>
  call('save_to_memory', { key, content: `of ${key}`, session_id: session })
const sessionDirs = (): string[] => fs.readdirSync(path.join(project, '.memctl')).filter((name) => name !== 'memory')

test('entries: the folder that an earlier version has made for a session stays in use', async () => {
  // The first save makes the project that of the person's own tools.
  await call('save_to_memory', { key: 'own', content: 'x' })
  const folder = path.join(project, '.memctl', 'MySession', 'memory')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'old.md'), '---\nkey: old\n---\n\nof old\n')
  expect(await save('new', 'MySession')).toMatchObject({ success: true })
  expect(sessionDirs()).toEqual(['MySession'])
  expect(await call('list_memory_entries', { session_id: 'MySession' })).toMatchObject({ total: 2 })
  // The folder of an id that differs only by case must not be the same one on any disk.
  expect(await save('other', 'mysession')).toMatchObject({ success: true })
  expect(sessionDirs()).toEqual(['%006dysession', 'MySession'])
  expect(await call('list_memory_entries', { session_id: 'mysession' })).toMatchObject({ total: 1 })
  expect(await call('list_memory_entries', { session_id: 'MySession' })).toMatchObject({ total: 2 })
})

test('entries: an entry of a session with an awkward id can be archived, restored and deleted', async () => {
  for (const session_id of ['nul', 'A/B', '\ud800', 'x'.repeat(240)]) {
    await save('kept', session_id)
    const [dir = ''] = sessionDirs()
    const folder = path.join(project, '.memctl', dir, 'memory')
    fs.mkdirSync(path.join(folder, 'archive'))
    fs.renameSync(path.join(folder, 'kept.md'), path.join(folder, 'archive', 'kept.md'))
    expect(await call('list_memory_entries', { session_id })).toMatchObject({ total: 0 })
    expect(await call('restore_from_memory_archive', { key: 'kept', session_id })).toMatchObject({ success: true })
    expect(await call('get_memory_entry', { key: 'kept', session_id })).toMatchObject({ entry: { content: 'of kept' } })
    expect(await call('delete_memory_entry', { key: 'kept', session_id })).toMatchObject({ success: true })
    fs.rmSync(path.join(project, '.memctl', dir), { recursive: true })
  }
})

test('entries: sessions that differ only by a lone surrogate are separate', async () => {
  for (const session of ['a\ud800', 'a\udc00']) await save('kept', session)
  expect(sessionDirs()).toHaveLength(2)
  for (const session_id of ['a\ud800', 'a\udc00'])
    expect(await call('list_memory_entries', { session_id })).toMatchObject({ total: 1 })
})
