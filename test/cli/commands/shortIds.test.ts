// Ids that begin alike: a list prints enough of each, and a command that could mean either changes nothing.
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { invokeTool } from '../../../src/tools/invokeTool.ts'
import { memoryStore } from '../../../src/tools/memory/storeTools.ts'
import { newWorld } from '../testContext.ts'

test('cli: an id that several memories begin with erases nothing', async () => {
  const world = newWorld()
  const ids = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002']
  const env = { MEMCTL_HOME: path.join(world.folder, 'home') }
  const store = openStore(path.join(world.folder, 'project'), env)
  const context = createToolContext({
    ...{ store, role: 'owner', session: undefined, env, now: Date.now },
    newId: () => (ids.shift() ?? '') as MemoryId,
  })
  for (const content of ['The first lamp', 'The second lamp']) await invokeTool(memoryStore, { content }, context)
  context.close()
  const erased = await world.memctl('forget', 'aaaaaaaa', '--yes')
  expect(erased).toMatchObject({ status: 2, out: '' })
  expect(erased.err).toContain('aaaaaaaa-0000-4000-8000-000000000001, aaaaaaaa-0000-4000-8000-000000000002')
  const { out } = await world.memctl('list')
  expect(out).toContain('aaaaaaaa-0000-4000-8000-000000000001')
  expect((await world.memctl('memory', 'get', 'aaaaaaaa-0000-4000-8000-000000000001')).out).toContain('The first lamp')
  expect((await world.memctl('memory', 'delete', 'aaaa', '--yes')).err).toContain('2 ids begin with "aaaa"')
  world.end()
})
