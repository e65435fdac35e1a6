// The whole cycle through the real client: a session meets an error, mends it and hears a preference; the next one is told.
// Needs a built memctl (`npm run test:client` builds it) and a client; without a client the stories are skipped, visibly.

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { eachClient } from './eachClient.ts'
import { contextsOf, whereTold } from './find.ts'
import type { ClientResult } from './run.ts'
import { step, toolsOf } from './shop/session.ts'
import { endWorlds, memctl, organised, session, settledWorld, type World } from './world.ts'

const PREFERENCE = 'never add comments to tests'
const FIX = 'npm run build:prices'
const TOKEN = 'FAKEFAKE'

afterEach(endWorlds)

eachClient((claude) => {
  test('story: what one session learnt is told to the next, wired by init', async () => {
    const world = settledWorld(claude)
    memctl(world, 'init')
    await tellsTheNextSession(world)
  })

  test('story: what one session learnt is told to the next, wired as a plugin', async () => {
    await tellsTheNextSession(settledWorld(claude, ['--plugin-dir', REPOSITORY]))
  })

  test('story: a token in the output of a command reaches neither the memory nor the next session', async () => {
    const world = settledWorld(claude)
    memctl(world, 'init')
    const { bash } = toolsOf(world.project)
    const first = await session(world, 'Is the release ready?', [step('', bash('npm run release:check', 'Ask')), 'No.'])
    await organised(world)
    // The model itself saw it, so it was there to be kept.
    expect(whereTold(first.requests, TOKEN)).not.toEqual([])
    const kept = filesUnder(world.memory).map((file) => readFileSync(file, 'latin1'))
    expect(kept.some((text) => text.includes('npm run release:check'))).toBe(true)
    expect(kept.filter((text) => text.includes(TOKEN))).toEqual([])

    const second = await session(world, 'What did the release check say?', ['It failed.'])
    expect(whereTold(second.requests, TOKEN)).toEqual([])
    await organised(world) // The worker still writes while the folder would be removed.
  })

  test('story: with MEMCTL_OFF=1 nothing is told and nothing recorded', async () => {
    const world = settledWorld(claude)
    memctl(world, 'init')
    await firstSession(world)
    await organised(world)

    const off = await secondSession(world, { MEMCTL_OFF: '1' })
    expect(off.requests.length).toBeGreaterThan(1)
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure']) {
      expect(contextsOf(off.requests, event), event).toEqual([])
    }
    expect(whereTold(off.requests, PREFERENCE)).toEqual([])
    const kept = filesUnder(world.memory).map((file) => readFileSync(file, 'utf8'))
    expect(kept.some((text) => text.includes(PREFERENCE))).toBe(true)
    expect(kept.filter((text) => text.includes(SECOND_PROMPT))).toEqual([])
  })
})

const FIRST_PROMPT = `Please get npm test to run. Always answer in short sentences, and ${PREFERENCE}.`
const SECOND_PROMPT = 'A new morning in the shop: do the tests still run?'

async function tellsTheNextSession(world: World): Promise<void> {
  await firstSession(world)
  await organised(world)
  const { requests } = await secondSession(world)

  // The preference from the start: before the model has said a word.
  const atStart = contextsOf(requests, 'SessionStart')
  expect(atStart.map(({ request }) => request)).toContain(0)
  expect(atStart.map(({ text }) => text).join('\n')).toContain(PREFERENCE)

  // The fix with the failure: in the request that brings the failed call's result.
  const failed = whereTold(requests, 'Cannot find module').find(({ kind }) => kind === 'tool_result')
  const withFailure = contextsOf(requests, 'PostToolUseFailure')
  expect(withFailure.map(({ text }) => text).join('\n')).toContain(FIX)
  expect(withFailure[0]?.request).toBe(failed?.request)
  await organised(world)
}

// It meets the error, tries the wrong thing, mends it, and is told a preference.
function firstSession(world: World): Promise<ClientResult> {
  const { bash } = toolsOf(world.project)
  return session(world, FIRST_PROMPT, [
    step('', bash('npm test', 'Run the tests')),
    step('', bash('ls dist', 'Is it built')),
    step('dist/prices.json has to be built.', bash(FIX, 'Build it')),
    step('', bash('npm test', 'Run the tests')),
    'The tests pass: dist/prices.json was not built.',
  ])
}

// The next day in a clean folder: the same command fails as it did before.
function secondSession(world: World, env: Readonly<Record<string, string>> = {}): Promise<ClientResult> {
  rmSync(path.join(world.project, 'dist'), { recursive: true })
  const { bash } = toolsOf(world.project)
  return session(world, SECOND_PROMPT, [step('', bash('npm test', 'Run the tests')), 'They fail.'], env)
}

function filesUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
