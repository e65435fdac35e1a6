// Ids that begin alike: a list prints enough of each, and a command that could mean either changes nothing.
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { memoryStore } from '../../../src/tools/memory/storeTools.ts'
import { newWorld } from '../testContext.ts'

test('cli: an id that several memories begin with erases nothing', async () => {
  const world = newWorld()
  let count = 0
  const env = { MEMCTL_HOME: path.join(world.folder, 'home') }
  const store = openStore(path.join(world.folder, 'project'), env)
  const context = createToolContext({
    ...{ store, role: 'owner', session: undefined, env, now: Date.now },
    newId: () => {
      count += 1
      return `aaaaaaaa-0000-4000-8000-00000000000${count}` as MemoryId
    },
  })
  for (const content of ['The first lamp', 'The second lamp']) await invokeTool(memoryStore, { content }, context)
  context.close()
  const erased = await world.memctl('forget', 'aaaaaaaa', '--yes')
  expect(erased).toMatchObject({ status: 2, out: '' })
  expect(erased.err).toContain('2 ids begin with "aaaaaaaa"')
  const { out } = await world.memctl('list')
  const shown = out.match(/^aaaaaaaa-\S+/gm) ?? []
  expect(new Set(shown)).toHaveProperty('size', 2)
  for (const id of shown) expect((await world.memctl('memory', 'get', id)).out).toMatch(/The (?:first|second) lamp/)
  expect((await world.memctl('memory', 'delete', 'aaaa', '--yes')).err).toContain('2 ids begin with "aaaa"')
  world.end()
})
