// A project for one story: a folder with a small shop, an empty home and a memory of its own. All are removed when the story ends.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { type ClientResult, type ClientRun, runClient } from './runClient.ts'
import { makeShop } from './shop/project.ts'

export interface StoryProject {
  readonly claude: string
  readonly project: string
  readonly home: string
  readonly memory: string
  /** Arguments of every session in it. */
  readonly args: readonly string[]
}

const CLI = path.join(REPOSITORY, 'dist/cli.js')
const ORGANIZED_MAX_MS = 20_000
const POLL_MS = 250
const folders: string[] = []

/** The plugin as a release would have it, built from the sources. */
export function buildPlugin(): string {
  const plugin = path.join(REPOSITORY, '.cache/plugin')
  execFileSync(process.execPath, ['build.mjs', 'plugin', plugin], { cwd: REPOSITORY })
  return plugin
}

/** Removes the folders of all stories so far, once their workers have ended. */
export async function removeStoryProjects(): Promise<void> {
  for (const folder of folders) await waitForWorkers(path.join(folder, 'memory'))
  for (const folder of folders.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Waits until no worker holds a lock there. A worker starts a moment after its session, and ends within 50 s. */
async function waitForWorkers(memory: string): Promise<void> {
  for (let quietPolls = 0, polls = 0; quietPolls < 4 && polls < 240; polls++) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const files = existsSync(memory) ? readdirSync(memory, { recursive: true, encoding: 'utf8' }) : []
    quietPolls = files.some((file) => /^(?:lock|\w+\.lock)$/.test(path.basename(file))) ? 0 : quietPolls + 1
  }
}

/** A project with the shop in it. `args` are given to the client in every session. */
export function createShopProject(claude: string, args: readonly string[] = []): StoryProject {
  const story = createEmptyProject(claude, args)
  makeShop(story.project, new Date().toISOString())
  return story
}

/** A project that is an empty repository. Its memory has no holdout. */
export function createEmptyProject(claude: string, args: readonly string[] = []): StoryProject {
  if (!existsSync(CLI)) throw new Error('dist/cli.js is missing. Run `npm run build` first.')
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'memctl-story-')))
  folders.push(scratch)
  const project = path.join(scratch, 'shop')
  const memory = path.join(scratch, 'memory')
  mkdirSync(path.join(project, '.git'), { recursive: true })
  mkdirSync(memory)
  // The holdout is drawn from the session id, which the client chooses: one story in twenty would wait for a note in vain.
  writeFileSync(path.join(memory, 'all.yaml'), 'name: all\nextends: default\nrecall: { withholdShare: 0 }\n')
  writeFileSync(path.join(memory, 'config.yaml'), 'policy: ./all.yaml\n')
  return { claude, project, home: path.join(scratch, 'home'), memory, args }
}

/** Runs one session of the client. It must exit with 0 and write nothing about hooks to stderr. */
export async function runSession(
  story: StoryProject,
  prompt: string | readonly string[],
  turns: ClientRun['turns'],
  { env, routes = [] }: Pick<ClientRun, 'env' | 'routes'> = {},
): Promise<ClientResult> {
  const result = await runClient({ ...story, prompt, turns, routes, env: { ...env, MEMCTL_HOME: story.memory } })
  // The client reports a hook that fails or takes too long on stderr.
  expect(result.code, result.stderr).toBe(0)
  expect(result.stderr).not.toMatch(/hook/i)
  return result
}

/** The processes that still work in the story's folders, other than clients: their command lines. Linux only. */
export function listOwnProcesses({ project, memory }: StoryProject): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return [] // It has ended.
      }
    })
    .filter((command) => command.includes(project) || command.includes(memory))
}

/** Waits until none of them is left, for 20 s at most. */
export async function waitForProcesses(story: StoryProject): Promise<readonly string[]> {
  for (let polls = 0; polls < 80 && listOwnProcesses(story).length > 0; polls++)
    await new Promise((done) => setTimeout(done, POLL_MS))
  return listOwnProcesses(story)
}

/** The output of `memctl` with these arguments in the project. */
export function runMemctl({ project, home, memory }: StoryProject, ...words: readonly string[]): string {
  const env = { PATH: process.env['PATH'], HOME: home, MEMCTL_HOME: memory }
  return execFileSync(process.execPath, [CLI, ...words, '--project', project], { cwd: project, env, encoding: 'utf8' })
}

/**
 * Waits for the detached worker. It organizes after the client has exited (`status` counts the sessions left), then it builds the
 * hooks' code caches in a temporary folder of the memory.
 */
export async function waitUntilOrganized(story: StoryProject): Promise<void> {
  const until = Date.now() + ORGANIZED_MAX_MS
  for (;;) {
    const status = runMemctl(story, 'status', '--json')
    if (JSON.parse(status).unorganized === 0 && hasCodeCaches(story)) return
    if (Date.now() > until) throw new Error(`Not organized after ${ORGANIZED_MAX_MS} ms: ${status}`)
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
}

function hasCodeCaches({ memory }: StoryProject): boolean {
  const cache = path.join(memory, 'cache')
  const names = existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : []
  const scripts = readdirSync(path.join(REPOSITORY, 'dist/hooks')).filter((name) => name.endsWith('.cjs'))
  return (
    names.filter((name) => name.endsWith('.bin')).length >= scripts.length &&
    !names.some((name) => name.includes('scratch'))
  )
}
