// Slash commands: what a person types behind the name, as the arguments of a command.
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { runSlashCommand, toArguments } from '../../src/cli/slashCommands.ts'
import { exampleSession, loadMemories, runHookPayloads } from '../testData.ts'
import { newWorld, type World } from './testContext.ts'

let world: World
beforeEach(() => {
  world = newWorld({}, async ([name, text = ''], io) => {
    await runSlashCommand(name, text, io)
    return 0
  })
})
afterEach(() => world.end())

const store = () => openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })

test('cli: of a slash command, options come first, then an id, and the rest is one text as it is', () => {
  const remember = { name: 'remember', hasId: false }
  expect(toArguments(remember, '--scope person  Use `a`  and\n--b')).toEqual([
    ...['remember', '--scope', 'person', '--', 'Use `a`  and\n--b'],
  ])
  expect(toArguments(remember, '-- is no option')).toEqual(['remember', '--', '-- is no option'])
  expect(toArguments({ name: 'edit', hasId: true }, ' 3f2a  日本語 で ')).toEqual(['edit', '--', '3f2a', '日本語 で'])
  expect(toArguments({ name: 'supersede', hasId: true }, '--by 91ab 3f2a')).toEqual([
    ...['supersede', '--by', '91ab', '--', '3f2a'],
  ])
})

test('cli: a slash command changes the memory, and prints its answer and its errors on stdout', async () => {
  expect((await world.memctl('remember', 'ここでは pnpm を使う')).out).toMatch(
    /^Remembered for this project: ここでは pnpm を使う \([0-9a-f]{8}\)\n$/,
  )
  expect(Object.values(loadMemories(store()))).toMatchObject([{ content: 'ここでは pnpm を使う' }])
  expect(await world.memctl('edit', 'ffff text')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^memctl: No/),
  })
  expect((await world.memctl('remember', '')).out).toMatch(/^memctl: There is no text/)
})

test('cli: slash commands get no notes, and give no summary and no second statement', () => {
  const session = exampleSession().starts().asks('/memctl:remember Never use npm here').answers('Done.').ends()
  const outputs = runHookPayloads(store(), session.recorded)
  expect(outputs.map(({ context }) => context).join('')).toBe('')
  runMaintenance(store(), { now: session.now(), sessions: 'all' })
  expect(loadMemories(store())).toEqual({})
})
