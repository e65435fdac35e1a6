// memctl entry promote, entry import: what moves entries from one place to another. All else about entries are tools.
import path from 'node:path'
import { type Command, Option } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { ROLES, type Role } from '../../tools/definition/role.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { findOrAddGroup } from './tools.ts'

interface Words extends StoreOptions {
  readonly role: Role
  readonly sessionId?: string
  readonly global?: boolean
}

export function registerEntry(program: Command, io: CliContext): void {
  const entry = findOrAddGroup(program, 'entry')
  about(entry.command('promote').description('move an entry of this project to the global ones'))
    .argument('<key>', 'its key')
    .option('--session-id <id>', 'an entry of this session')
    .action(async (key: string, options: Words) => {
      if (options.role === 'worker') throw notAllowed('entry promote')
      const world = await worldFor(options, io)
      const { promoteEntry } = await import('../../broker/entries/transferEntries.ts')
      const scribes = { project: world.entryWriter('project'), global: world.entryWriter('global') }
      takenUp(scribes, await import('../../broker/entries/syncEntries.ts'))
      promoteEntry(scribes, { layer: 'project', session: options.sessionId }, key)
      await settled(world)
      printResult(io, options.json, { success: true, key, layer: 'global' }, () => [`${key} is global now.`])
    })
  about(
    entry.command('import').description('copy entries of .multi-agent-mcp, or of a folder, to where memctl keeps them'),
  )
    .argument('[folder]', 'a folder of entries (default: those of .multi-agent-mcp)')
    .option('--global', 'to the global entries (default: to those of the project)')
    .action(async (folder: string | undefined, options: Words) => {
      const world = await worldFor(options, io)
      const { importEntries } = await import('../../broker/entries/transferEntries.ts')
      const layer = options.global ? 'global' : 'project'
      const scribe = world.entryWriter(layer)
      takenUp({ scribe }, await import('../../broker/entries/syncEntries.ts'))
      const done = importEntries(scribe, layer, folder === undefined ? undefined : path.resolve(io.cwd, folder))
      await settled(world)
      printResult(io, options.json, done, ({ imported, present, invalid }) => [
        `${formatCount(imported.length, 'entry', 'entries')} imported, ${present.length} there already.`,
        ...invalid.map(({ file, line, what, hint }) => `${file}, line ${line}: ${what}. ${hint}`),
      ])
    })
}

const about = (command: Command): Command =>
  withStoreOptions(command).addOption(new Option('--role <role>', 'whose rights').choices(ROLES).default('owner'))

async function worldFor(options: Words, io: CliContext) {
  const { createToolContext } = await import('../../tools/definition/toolContext.ts')
  const session = io.env['CLAUDE_CODE_SESSION_ID'] || undefined
  return createToolContext({
    store: await openSelectedStore(options, io),
    role: options.role,
    session,
    env: io.env,
    now: Date.now,
  })
}

type World = Awaited<ReturnType<typeof worldFor>>
type Taking = typeof import('../../broker/entries/syncEntries.ts')

function takenUp(scribes: Readonly<Record<string, ReturnType<World['entryWriter']>>>, { syncEntries }: Taking): void {
  for (const scribe of Object.values(scribes)) syncEntries(scribe)
}

/** The project knows of what is global too; and the other commands and the next session read the view. */
async function settled(world: World): Promise<void> {
  const { syncEntries: takeUp } = await import('../../broker/entries/syncEntries.ts')
  takeUp(world.entryWriter('project'))
  world.close()
  const { runMaintenance } = await import('../../broker/maintenance/maintenance.ts')
  runMaintenance(world.store, { now: world.now(), sessions: [] })
}

const notAllowed = (what: string): MemoryError =>
  new MemoryError('NOT_ALLOWED', `${what} is not for a worker`, { hint: 'Ask one of admin, owner to do it.' })
