// One process of the race for entries: it saves, evicts, restores, or edits files as other programs do.
//
// A writer notes each write in its own file before (`try`) and after (`ack`). Both are on the disk at once, so that a
// killed process leaves exact notes.
import fs from 'node:fs'
import path from 'node:path'
import { maintainEntries } from '../../src/broker/entries/entryMaintenance.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { invokeTool } from '../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../src/tools/definition/toolContext.ts'
import { findTool } from '../../src/tools/toolRegistry.ts'
import { type Random, seededRandom } from '../fixture/seededRandom.ts'

export const RACE_ROLES = ['saver', 'evictor', 'restorer', 'renaming-editor', 'in-place-editor', 'checkout'] as const
export type RaceRole = (typeof RACE_ROLES)[number]

export interface RaceProcess {
  readonly role: RaceRole
  /** Names its keys and its notes. */
  readonly name: string
  readonly project: string
  readonly home: string
  /** The folder of the notes, and of the file `stop`. */
  readonly notes: string
  readonly seed: number
  /** Entries that a saver creates. Others run until `stop` exists. */
  readonly entries: number
}

/** Entries that a folder may hold in the race: few, so that every save evicts. */
const ACTIVE_MAX = 8

/** Keys that an editor writes again and again. */
const EDITED_KEYS = 12

/** Time between two steps of a process other than a saver, on average: longer for steps that read everything. */
const PAUSES_MS: Readonly<Record<RaceRole, number>> = {
  saver: 0,
  evictor: 600,
  restorer: 400,
  'renaming-editor': 200,
  'in-place-editor': 200,
  checkout: 200,
}

/** Entries that are restored after the archive was listed. */
const RESTORED = 8

/** Every second save repeats one of the last keys of the same saver: those that are archived next. */
const REPEATED_KEYS = 6

/** Runs until its work is done. */
export async function runRaceProcess(options: RaceProcess): Promise<void> {
  const racer = createRacer(options)
  if (options.role === 'saver') return saveEntries(racer, options)
  while (!fs.existsSync(path.join(options.notes, 'stop'))) {
    await noteErrors(racer, () => workOnce(racer, options))
    // Without a pause, the editors would write a hundred times as often as the savers.
    await new Promise((next) => setTimeout(next, racer.random.below(2 * PAUSES_MS[options.role])))
  }
}

interface Racer {
  readonly random: Random
  readonly context: ToolContext
  readonly env: Readonly<Record<string, string>>
  readonly note: (what: 'try' | 'ack' | 'error', key: string, token: string) => void
}

function createRacer({ role, name, project, home, notes, seed }: RaceProcess): Racer {
  const env = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl'), MCP_MEMORY_MAX_ENTRIES: String(ACTIVE_MAX) }
  const context = createToolContext({ store: openStore(project, env), role: 'owner', env, now: Date.now })
  const file = path.join(notes, `${role}-${name}.txt`)
  const note = (what: string, key: string, token: string) => fs.appendFileSync(file, `${what} ${key} ${token}\n`)
  return { random: seededRandom(seed), context, env, note }
}

async function saveEntries(racer: Racer, { name, entries }: RaceProcess): Promise<void> {
  const { random, context, note } = racer
  for (let i = 0, created = 0; created < entries; i++) {
    const isRepeated = created > 0 && random.below(2) === 0
    const key = `${name}-${isRepeated ? Math.max(0, created - 1 - random.below(REPEATED_KEYS)) : created++}`
    const token = `${name}.${i}.token`
    note('try', key, token)
    await noteErrors(racer, async () => {
      const { kind } = await invokeTool(findTool('save_to_memory')!, { key, content: `The text ${token}` }, context)
      if (kind === 'answer') note('ack', key, token)
    })
  }
}

/** Notes an error that no tool should throw, and goes on. */
async function noteErrors({ note }: Racer, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    note('error', '', JSON.stringify((error as Error).message))
  }
}

let writes = 0

async function workOnce({ random, context, env, note }: Racer, { role, name, project }: RaceProcess): Promise<void> {
  if (role === 'saver' || role === 'evictor') return maintainEntries(context.store, env, Date.now())
  if (role === 'restorer') return restoreSome(context, random)
  const key = `${name}-${random.below(EDITED_KEYS)}`
  const token = `${name}.${writes++}.token`
  const file = path.join(project, '.memctl/memory', `${key}.md`)
  const text = `---\nkey: ${key}\n---\n\nThe text ${token}\n`
  fs.mkdirSync(path.dirname(file), { recursive: true })
  note('try', key, token)
  EDITS[role](file, text)
  note('ack', key, token)
}

async function restoreSome(context: ToolContext, random: Random): Promise<void> {
  const listed = await invokeTool(findTool('list_memory_archive')!, { limit: 1000 }, context)
  if (listed.kind !== 'answer') return
  const entries = listed.output['entries'] as { key: string }[]
  for (let i = 0; i < RESTORED && entries.length > 0; i++)
    await invokeTool(findTool('restore_from_memory_archive')!, { key: random.pick(entries).key }, context)
}

/** How other programs write a file: most editors by renaming, some in place; git removes the old file first. */
const EDITS: Readonly<Record<Exclude<RaceRole, 'saver' | 'evictor' | 'restorer'>, typeof fs.writeFileSync>> = {
  'renaming-editor': (file, text) => {
    fs.writeFileSync(`${String(file)}.swp`, text)
    fs.renameSync(`${String(file)}.swp`, String(file))
  },
  'in-place-editor': (file, text) => fs.writeFileSync(file, text),
  checkout: (file, text) => {
    fs.rmSync(String(file), { force: true })
    fs.writeFileSync(file, text)
  },
}
