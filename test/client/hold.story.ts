// Held calls through the real client: who chose it has a call that is known to fail held once, with the fix; the same call again
// goes through.

import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { eachClient } from './eachClient.ts'
import { whereTold } from './find.ts'
import { step, toolsOf } from './shop/session.ts'
import { endWorlds, memctl, organised, session, settledWorld } from './world.ts'

const FIX = 'npm run build:prices'
const HELD = 'memctl held this call once'
const ERROR = 'Cannot find module'

afterEach(endWorlds)

eachClient((claude) => {
  test('story: a call that is known to fail is held once with its fix, and goes through when it is made again', async () => {
    const world = settledWorld(claude)
    appendFileSync(path.join(world.memory, 'config.yaml'), 'warnings: hold\n')
    memctl(world, 'init')
    const { bash } = toolsOf(world.project)
    const runsTests = bash('npm test', 'Run the tests')
    const first = await session(world, 'Please get npm test to run.', [
      step('', runsTests),
      step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
      step('', runsTests),
      'The tests pass.',
    ])
    expect(whereTold(first.requests, HELD)).toEqual([])
    await organised(world)

    // The next day in a clean folder: the command would fail as it did.
    rmSync(path.join(world.project, 'dist'), { recursive: true })
    const second = await session(world, 'Do the tests still run?', [
      step('', runsTests),
      step('I want to see it.', runsTests),
      step('', bash(FIX, 'Build it')),
      step('', runsTests),
      'They do, once the prices are built.',
    ])
    // Held: the model is told why in place of a result, with the fix, and nothing ran.
    const [held, ...more] = whereTold(second.requests, HELD)
    expect(held).toMatchObject({ kind: 'tool_result', request: 1 })
    expect(more).toEqual([])
    expect(whereTold(second.requests, `Fix: \`${FIX}\``).some(({ request }) => request === 1)).toBe(true)
    const failed = whereTold(second.requests, ERROR).filter(({ kind }) => kind === 'tool_result')
    // The second try went through, and failed as the note said; after the fix the tests passed.
    expect(failed.some(({ request }) => request === 2)).toBe(true)
    expect(whereTold(second.requests, /^# pass [1-9]|ℹ pass [1-9]/).map(({ request }) => request)).toContain(4)
    await organised(world)
  })
})
