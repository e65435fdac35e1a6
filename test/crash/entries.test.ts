// Entry operations die at every write: no entry is lost or incomplete, and repeating gives the same result.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { maintainEntries } from '../../src/broker/entries/entryMaintenance.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { invokeTool } from '../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../src/tools/definition/toolContext.ts'
import { findTool } from '../../src/tools/toolRegistry.ts'
import { newFolder, trustFolder } from '../tempFolders.ts'
import { BEGIN, DAY } from '../testData.ts'
import { burdenDead, DEATHS, Died, dyingDisk } from './dying.ts'

const folder = newFolder('entries')
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const home = path.join(folder, 'home')
const project = path.join(home, 'shop')
const env = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl') }
const NOW = BEGIN + 100 * DAY

const worldWith = (files = undefined as Parameters<typeof openStore>[2], now = NOW): ToolContext =>
  createToolContext({ store: openStore(project, env, files), role: 'owner', env, now: () => now })

async function called(context: ToolContext, tool: string, input: Record<string, unknown>): Promise<void> {
  const done = await invokeTool(findTool(tool)!, input, context)
  if (done.kind === 'failure') throw done.cause
}

/** The operations, and whether repeating one may find it done already. */
const WORK: Readonly<Record<string, (context: ToolContext) => unknown>> = {
  'a new entry': (world) => called(world, 'save_to_memory', { key: 'new', content: 'Something new' }),
  'an entry saved again': (world) => called(world, 'save_to_memory', { key: 'kept', content: 'Said otherwise' }),
  'a global entry': (world) => called(world, 'save_to_global_memory', { key: 'all', content: 'For all' }),
  'a deletion': (world) => called(world, 'delete_memory_entry', { key: 'kept' }),
  'a clean-up': (world) => maintainEntries(world.store, env, NOW),
  'a restoration': (world) => called(world, 'restore_from_memory_archive', { key: 'old' }),
}

/** A home with a recently read entry, an unread one, an archived one and one of the entries spec's program. */
async function begun(): Promise<void> {
  fs.rmSync(home, { recursive: true, force: true })
  for (const [file, key] of [
    ['.memctl/memory/archive/old.md', 'old'],
    ['.multi-agent-mcp/memory/theirs.md', 'theirs'],
  ] as const) {
    fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
    fs.writeFileSync(path.join(project, file), `---\nkey: ${key}\n---\n\nWhat is ${key}\n`)
  }
  trustFolder(project, env.MEMCTL_HOME)
  const before = worldWith(undefined, BEGIN)
  for (const key of ['kept', 'unread']) await called(before, 'save_to_memory', { key, content: `What is ${key}` })
  await called(worldWith(undefined, NOW - DAY), 'get_memory_entry', { key: 'kept' })
}

const filesIn = (at: string): string[] =>
  fs.existsSync(at)
    ? fs
        .readdirSync(at)
        .filter((name) => name.endsWith('.md'))
        .sort()
    : []

/** Every entry file with its text. */
const entries = (): Record<string, string> =>
  Object.fromEntries(
    [`${project}/.memctl/memory`, `${project}/.memctl/memory/archive`, `${home}/.memctl/global/memory`].flatMap((at) =>
      filesIn(at).map((name) => [
        path.relative(home, path.join(at, name)),
        fs.readFileSync(path.join(at, name), 'utf8'),
      ]),
    ),
  )

const listed = async (): Promise<unknown> => {
  const done = await invokeTool(findTool('list_memory_entries')!, {}, worldWith())
  return done.kind === 'answer' ? done.output : done.failure
}

test.each(Object.keys(WORK))(
  'crash: %s that dies at any write loses no entry, and gives the same when repeated',
  async (name) => {
    const work = WORK[name]!
    await begun()
    const before = entries()
    await work(worldWith())
    maintainEntries(worldWith().store, env, NOW)
    const [after, result] = [entries(), await listed()]
    expect(after).not.toEqual(before)
    const bodies = (all: Record<string, string>) =>
      new Set(Object.values(all).map((text) => text.split('\n---\n\n')[1]))
    let writes = 0
    for (let at = 1; ; at++) {
      const death = DEATHS[at % DEATHS.length]!
      await begun()
      const dying = dyingDisk(at, death)
      burdenDead(worldWith().store.layout.entriesLock)
      await Promise.resolve()
        .then(() => work(worldWith(dying.files)))
        .catch((error: unknown) => {
          // The tool may return any error; the disk knows that the process died.
          if (!(error instanceof Died) && !dying.isDead()) throw error
        })
      if (!dying.isDead()) break
      writes++
      const now = entries()
      for (const [file, text] of Object.entries(now))
        expect([before[file], after[file]], `${file} at ${at}`).toContain(text)
      const there = bodies(now)
      for (const body of bodies(before)) if (bodies(after).has(body)) expect([...there], `write ${at}`).toContain(body)
      expect(await listed()).not.toHaveProperty('broken')
      // If it is done already, the tool reports that.
      await Promise.resolve()
        .then(() => work(worldWith()))
        .catch(() => {})
      const { store } = worldWith()
      burdenDead(store.layout.entriesLock)
      maintainEntries(store, env, NOW)
      expect(entries(), `again after write ${at}, ${death}`).toEqual(after)
      expect(await listed()).toEqual(result)
    }
    expect(writes).toBeGreaterThan(2)
  },
)
