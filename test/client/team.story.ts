// Two people share a project through a hub, each with a home, a memory and a client of their own. What a session of the
// first learned is shown in the next session of the second, with its author; forgotten by the first, it is nowhere.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { startTestDatabase, type TestDatabase } from '../database/server.ts'
import { REPOSITORY } from './binary.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import type { ClientResult } from './runClient.ts'
import { FIRST_PROMPT, FIX, firstSession, PREFERENCE } from './shop/twoSessions.ts'
import { createShopProject, removeStoryProjects, runMemctl, runSession, type StoryProject } from './storyProject.ts'

const RULE = 'Never push to main without a review'

/** The worker, and then at most a minute for the hub. */
const SYNC_MAX_MS = 90_000

let server: TestDatabase
let database: Database
// A database for each attempt: what a failed one has left would be found in the next.
beforeEach(async () => {
  server = await startTestDatabase()
  database = await openDatabase({ url: server.url })
})
afterEach(async () => {
  await database.close()
  await server.stop()
})
afterEach(removeStoryProjects)

describeEachClient((claude) => {
  test('story: what one person’s session learned is shown to a teammate, and forgotten for both', async () => {
    const aki = createShopProject(claude)
    const mika = createShopProject(claude)
    for (const [story, name] of [
      [aki, 'Aki'],
      [mika, '三木'],
    ] as const) {
      runMemctl(story, 'init')
      await runLater(story, 'hub', 'connect', server.url, '--name', name)
      await runLater(story, 'hub', 'migrate')
      await runLater(story, 'hub', 'join', '--project-key', `shop ${aki.memory}`, '--yes')
    }
    const begun = Date.now()
    await firstSession(aki, `${FIRST_PROMPT} ${RULE}.`)
    await waitUntilSynced(aki, begun)
    expect(await findTables(FIX)).not.toEqual([])

    // The session's end has sent it in the background; here the teammate asks for it.
    await runLater(mika, 'hub', 'sync')
    const morning = Date.now()
    const { requests } = await runSession(mika, 'Good morning.', ['Good morning.'])
    await waitUntilSynced(mika, morning)
    expect(linesAtStart(requests, FIX)).toEqual([
      expect.stringMatching(/^- Run `npm run build:prices` before `npm test`: .* \(learned by Aki\)$/),
    ])
    // What Aki has seen printed is outside text, and stays with Aki.
    expect(linesAtStart(requests, 'Cannot find module')).toEqual([])
    // What Aki wants in this project is a teammate's word. How Aki wants to be answered is Aki's.
    expect(linesAtStart(requests, RULE)).toEqual([expect.stringMatching(/\([\d-]+; said by Aki\)$/)])
    expect(linesAtStart(requests, PREFERENCE)).toEqual([])
    expect(await findTables(PREFERENCE)).toEqual([])
    expect(listFilesWith(mika, FIX)).not.toEqual([])

    const lessons = JSON.parse(await runLater(aki, 'search', FIX, '--json')).memories as { memory: { id: string } }[]
    for (const { memory } of lessons) await runLater(aki, 'forget', memory.id, '--yes').catch(expectErased)
    await runLater(aki, 'hub', 'sync')
    await runLater(mika, 'hub', 'sync')
    expect(await findTables(FIX)).toEqual([])
    expect(listFilesWith(mika, FIX)).toEqual([])
    const evening = Date.now()
    const again = await runSession(mika, 'Good evening.', ['Good evening.'])
    expect(linesAtStart(again.requests, FIX)).toEqual([])
    await waitUntilSynced(mika, evening)
  }, 300_000) // Three sessions, and eleven commands beside them.
})

/** The lines with a text that the hook added at the session's start. */
const linesAtStart = (requests: ClientResult['requests'], text: string): readonly string[] =>
  findInjectedContexts(requests, 'SessionStart').flatMap((context) =>
    context.text.split('\n').filter((line) => line.includes(text)),
  )

/** What was derived from the same events is erased with the first. */
const expectErased = (error: unknown): void => expect(String(error)).toContain('No memory')

/** `memctl` in a process that leaves this one free: the database runs in it. */
async function runLater({ project, home, memory }: StoryProject, ...words: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: home, MEMCTL_HOME: memory }
  const cli = path.join(REPOSITORY, 'dist/cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words], { cwd: project, env })
  return stdout
}

/** Waits until the session is organized, and the background process of its end has exchanged everything. */
async function waitUntilSynced(story: StoryProject, begun: number): Promise<void> {
  const until = Date.now() + SYNC_MAX_MS
  for (;;) {
    const { hub, unorganized } = JSON.parse(await runLater(story, 'status', '--json'))
    if (unorganized === 0 && hub.waiting === 0 && Date.parse(hub.lastSync ?? '') > begun) return
    if (Date.now() > until) throw new Error(`Not synced after ${SYNC_MAX_MS} ms: ${JSON.stringify(hub)}`)
    await new Promise((done) => setTimeout(done, 250))
  }
}

/** The tables of the hub with this text anywhere in a row. */
async function findTables(text: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = current_schema()`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const hits = await database.query(`select 1 from ${name} as t where position($1 in t::text) > 0 limit 1`, [text])
    if (hits.rowCount > 0) found.push(name)
  }
  return found
}

/** The files of a person's memory that contain a text; those of the program are none. */
const listFilesWith = ({ memory }: StoryProject, text: string): readonly string[] =>
  (existsSync(memory) ? readdirSync(memory, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(path.join(memory, 'runtime')))
    .filter((file) => readIfThere(file).includes(text))

/** A background process may remove its lock or a temporary file between the listing and the reading. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
