// memctl entry promote, entry import: what moves entries from one place to another. All else about entries are tools.
import path from 'node:path'
import { type Command, Option } from 'commander'
import { MemoryError } from '../model/errors.ts'
import { countText } from '../report/amount.ts'
import { ROLES, type Role } from '../tools/role.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, tell } from './io.ts'
import { groupOf } from './tools.ts'

interface Words extends StoreOptions {
  readonly role: Role
  readonly sessionId?: string
  readonly global?: boolean
}

export function registerEntry(program: Command, io: Io): void {
  const entry = groupOf(program, 'entry')
  about(entry.command('promote').description('move an entry of this project to the global ones'))
    .argument('<key>', 'its key')
    .option('--session-id <id>', 'an entry of this session')
    .action(async (key: string, words: Words) => {
      if (words.role === 'worker') throw notAllowed('entry promote')
      const world = await worldFor(words, io)
      const { promote } = await import('../broker/entries/carry.ts')
      const scribes = { project: world.scribe('project'), global: world.scribe('global') }
      takenUp(scribes, await import('../broker/entries/takeUp.ts'))
      promote(scribes, { layer: 'project', session: words.sessionId }, key)
      await settled(world)
      tell(io, words.json, { success: true, key, layer: 'global' }, () => [`${key} is global now.`])
    })
  about(
    entry.command('import').description('copy entries of .multi-agent-mcp, or of a folder, to where memctl keeps them'),
  )
    .argument('[folder]', 'a folder of entries (default: those of .multi-agent-mcp)')
    .option('--global', 'to the global entries (default: to those of the project)')
    .action(async (folder: string | undefined, words: Words) => {
      const world = await worldFor(words, io)
      const { importEntries } = await import('../broker/entries/carry.ts')
      const layer = words.global ? 'global' : 'project'
      const scribe = world.scribe(layer)
      takenUp({ scribe }, await import('../broker/entries/takeUp.ts'))
      const done = importEntries(scribe, layer, folder === undefined ? undefined : path.resolve(io.cwd, folder))
      await settled(world)
      tell(io, words.json, done, ({ imported, present, broken }) => [
        `${countText(imported.length, 'entry', 'entries')} imported, ${present.length} there already.`,
        ...broken.map(({ file, line, what, mend }) => `${file}, line ${line}: ${what}. ${mend}`),
      ])
    })
}

const about = (command: Command): Command =>
  aboutStore(command).addOption(new Option('--role <role>', 'whose rights').choices(ROLES).default('owner'))

async function worldFor(words: Words, io: Io) {
  const { worldOf } = await import('../tools/world.ts')
  const session = io.env['CLAUDE_CODE_SESSION_ID'] || undefined
  return worldOf({ store: await storeGiven(words, io), role: words.role, session, env: io.env, now: Date.now })
}

type World = Awaited<ReturnType<typeof worldFor>>
type Taking = typeof import('../broker/entries/takeUp.ts')

function takenUp(scribes: Readonly<Record<string, ReturnType<World['scribe']>>>, { takeUp }: Taking): void {
  for (const scribe of Object.values(scribes)) takeUp(scribe)
}

/** The project knows of what is global too; and the other commands and the next session read the view. */
async function settled(world: World): Promise<void> {
  const { takeUp } = await import('../broker/entries/takeUp.ts')
  takeUp(world.scribe('project'))
  world.end()
  const { upkeep } = await import('../broker/upkeep.ts')
  upkeep(world.store, { now: world.now(), sessions: [] })
}

const notAllowed = (what: string): MemoryError =>
  new MemoryError('NOT_ALLOWED', `${what} is not for a worker`, { mend: 'Ask one of admin, owner to do it.' })
