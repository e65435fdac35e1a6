// A command that is given a device, which never ends, says so instead of reading it.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newWorld, type World } from './testContext.ts'

let world: World
beforeEach(() => {
  world = newWorld()
})
afterEach(() => world.end())

const DEVICE = '/dev/zero'

const COMMANDS: readonly (readonly string[])[] = [
  ['rebuild', '--from', DEVICE],
  ['policy', 'validate', DEVICE],
  ['policy', 'import', DEVICE],
  ['list', '--claude-md', DEVICE],
]

test.skipIf(!fs.existsSync(DEVICE)).each(COMMANDS)('cli: a device is refused by %s %s', async (...words) => {
  fs.symlinkSync(DEVICE, path.join(world.folder, 'project', 'endless'))
  const { status, err } = await world.memctl(...words)
  expect({ status, lines: err.trimEnd().split('\n').length }).toEqual({ status: 2, lines: 1 })
})
