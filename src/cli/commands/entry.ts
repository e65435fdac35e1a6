// memctl entry promote and import: copy entries between folders. The other commands for entries come from the tools.
import path from 'node:path'
import { type Command, Option } from 'commander'
import type { EntryWriter } from '../../broker/entries/entryWriter.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { ROLES, type Role } from '../../tools/definition/role.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { isForAgent } from '../context/forPerson.ts'
import { publishChanges } from '../context/publishChanges.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { findOrAddGroup } from './tools.ts'

interface EntryOptions extends StoreOptions {
  readonly role: Role
  readonly sessionId?: string
  readonly global?: boolean
}

export function registerEntry(program: Command, io: CliContext): void {
  const entry = findOrAddGroup(program, 'entry')
  withEntryOptions(entry.command('promote').description('move a project entry to the global entries'))
    .argument('<key>', 'the key of the entry')
    .option('--session-id <id>', 'promote an entry of this session')
    .action(async (key: string, options: EntryOptions) => {
      if (options.role === 'worker') {
        throw new MemoryError('NOT_ALLOWED', 'entry promote is not for a worker', {
          hint: 'Ask one of admin, owner to do it.',
        })
      }
      const context = await createContext(options, io)
      const { promoteEntry } = await import('../../broker/entries/transferEntries.ts')
      const writers = { project: context.entryWriter('project'), global: context.entryWriter('global') }
      await sync(writers.project, writers.global)
      promoteEntry(writers, { layer: 'project', session: options.sessionId }, key)
      await finish(context)
      printResult(io, options.json, { success: true, key, layer: 'global' }, () => [`${key} is global now.`])
    })
  withEntryOptions(entry.command('import').description('import entries of .multi-agent-mcp, or of a folder'))
    .argument('[folder]', 'a folder with entries (default: the folders of .multi-agent-mcp)')
    .option('--global', "import into the global entries (default: the project's)")
    .action(async (folder: string | undefined, options: EntryOptions) => {
      const context = await createContext(options, io)
      const { importEntries } = await import('../../broker/entries/transferEntries.ts')
      const layer = options.global ? 'global' : 'project'
      const writer = context.entryWriter(layer)
      await sync(writer)
      const result = importEntries(writer, layer, folder === undefined ? undefined : path.resolve(io.cwd, folder))
      await finish(context)
      printResult(io, options.json, result, ({ imported, present, invalid }) => [
        `${formatCount(imported.length, 'entry', 'entries')} imported, ${present.length} already present.`,
        ...invalid.map(({ file, line, what, hint }) => `${file}, line ${line}: ${what}. ${hint}`),
      ])
    })
}

const withEntryOptions = (command: Command): Command =>
  withStoreOptions(command).addOption(
    new Option('--role <role>', 'rights of the caller').choices(ROLES).default('owner'),
  )

async function createContext(options: EntryOptions, io: CliContext): Promise<ToolContext> {
  const { createToolContext } = await import('../../tools/definition/toolContext.ts')
  const session = io.env['CLAUDE_CODE_SESSION_ID'] || undefined
  const store = await openSelectedStore(options, io)
  return createToolContext({
    store,
    role: options.role,
    session,
    isForAgent: isForAgent(io),
    env: io.env,
    now: Date.now,
  })
}

async function sync(...writers: readonly EntryWriter[]): Promise<void> {
  const { syncEntries } = await import('../../broker/entries/syncEntries.ts')
  for (const writer of writers) syncEntries(writer)
}

/** Adds new global entries to the project's memories, and writes the snapshot for other commands and sessions. */
async function finish(context: ToolContext): Promise<void> {
  await sync(context.entryWriter('project'))
  context.close()
  await publishChanges(context.store, context.now())
}
