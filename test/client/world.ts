// One person's machine for a story: a shop to work in, a home, and a memory of its own, gone again at the story's end.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { type ClientResult, type ClientRun, runClient } from './run.ts'
import { makeShop } from './shop/project.ts'

export interface World {
  readonly claude: string
  readonly project: string
  readonly home: string
  readonly memory: string
  /** Arguments of every session in it. */
  readonly args: readonly string[]
}

const CLI = path.join(REPOSITORY, 'dist/cli.js')
const ORGANISED_MAX_MS = 20_000
const POLL_MS = 250
const scratches: string[] = []

/** Removes what the stories so far have left, once their workers are gone. */
export async function endWorlds(): Promise<void> {
  for (const folder of scratches) await settled(path.join(folder, 'memory'))
  for (const folder of scratches.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Waits until no worker holds a store there any more: it starts a moment after its session, and ends after 50 s at the latest. */
async function settled(memory: string): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 4 && looks < 240; looks++) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const files = existsSync(memory) ? readdirSync(memory, { recursive: true, encoding: 'utf8' }) : []
    quiet = files.some((file) => path.basename(file) === 'lock') ? 0 : quiet + 1
  }
}

/** One with a shop in it, for this client; `args` go with every session there. */
export function settledWorld(claude: string, args: readonly string[] = []): World {
  const world = emptyWorld(claude, args)
  makeShop(world.project, new Date().toISOString())
  return world
}

/** One whose project is an empty repository, and whose memory withholds nothing. */
export function emptyWorld(claude: string, args: readonly string[] = []): World {
  if (!existsSync(CLI)) throw new Error('dist/cli.js is missing. Run `npm run build` first.')
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'memctl-story-')))
  scratches.push(scratch)
  const project = path.join(scratch, 'shop')
  const memory = path.join(scratch, 'memory')
  mkdirSync(path.join(project, '.git'), { recursive: true })
  mkdirSync(memory)
  // A client makes up a session's name, and by it the lot falls: one story in twenty would wait for words that are withheld.
  writeFileSync(path.join(memory, 'all.yaml'), 'name: all\nextends: default\nrecall: { withholdShare: 0 }\n')
  writeFileSync(path.join(memory, 'config.yaml'), 'policy: ./all.yaml\n')
  return { claude, project, home: path.join(scratch, 'home'), memory, args }
}

/** One session of the client, which must end well and without a word about hooks. */
export async function session(
  world: World,
  prompt: string,
  turns: ClientRun['turns'],
  env: Readonly<Record<string, string>> = {},
): Promise<ClientResult> {
  const result = await runClient({ ...world, prompt, turns, env: { ...env, MEMCTL_HOME: world.memory } })
  // A memory that breaks a session, or holds up its end, is worse than none: the client would say so on stderr.
  expect(result.code, result.stderr).toBe(0)
  expect(result.stderr).not.toMatch(/hook/i)
  return result
}

/** What `memctl` answers to these words there. */
export function memctl({ project, home, memory }: World, ...words: readonly string[]): string {
  const env = { PATH: process.env['PATH'], HOME: home, MEMCTL_HOME: memory }
  return execFileSync(process.execPath, [CLI, ...words, '--project', project], { cwd: project, env, encoding: 'utf8' })
}

/**
 * Waits for the worker: organising goes on in a detached process after the client has gone, and `status` tells how many sessions are
 * left to it; then it makes the hooks' code caches, in a scratch folder of the memory that goes afterwards.
 */
export async function organised(world: World): Promise<void> {
  const until = Date.now() + ORGANISED_MAX_MS
  for (;;) {
    const status = memctl(world, 'status', '--json')
    if (JSON.parse(status).unorganised === 0 && isWarm(world)) return
    if (Date.now() > until) throw new Error(`Not organised after ${ORGANISED_MAX_MS} ms: ${status}`)
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}

function isWarm({ memory }: World): boolean {
  const cache = path.join(memory, 'cache')
  const names = existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : []
  const codes = readdirSync(path.join(REPOSITORY, 'dist/hooks/code'))
  return (
    names.filter((name) => name.endsWith('.bin')).length >= codes.length &&
    !names.some((name) => name.includes('scratch'))
  )
}
