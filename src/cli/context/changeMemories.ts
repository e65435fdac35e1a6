// A command that changes memories: the store with its caller, and the snapshot afterwards.
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import type { CliContext } from './cliContext.ts'
import { isForAgent } from './forPerson.ts'
import { publishChanges } from './publishChanges.ts'
import { openSelectedStore, type StoreOptions } from './storeOption.ts'

/** The selected store, as the caller of this command sees and changes it. */
export async function openToolContext(options: StoreOptions, io: CliContext): Promise<ToolContext> {
  const { createToolContext } = await import('../../tools/definition/toolContext.ts')
  const store = await openSelectedStore(options, io)
  const session = io.env['CLAUDE_CODE_SESSION_ID'] || undefined
  return createToolContext({ store, role: 'owner', session, isForAgent: isForAgent(io), env: io.env, now: Date.now })
}

/** Makes one change, and writes the snapshot, which the other commands and the next session read. */
export async function changeMemories<T>(
  options: StoreOptions,
  io: CliContext,
  make: (context: ToolContext) => T | Promise<T>,
): Promise<T> {
  const context = await openToolContext(options, io)
  const result = await make(context)
  await publishChanges(context.store, Date.now())
  return result
}
