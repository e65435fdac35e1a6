// A call: input checked, rights checked, handled, and whatever a caller can mend answered in one shape. All doors call through here.
import { isMtimeCacheStale } from '../entries/mtimeCache.ts'
import { MemoryError } from '../model/memoryError.ts'
import { systemErrorCode } from '../store/disk/files.ts'
import { ioErrorHint } from '../store/disk/ioErrorHint.ts'
import { readInput } from './definition/field.ts'
import type { Tool, ToolOutput } from './definition/tool.ts'
import type { ToolContext } from './definition/toolContext.ts'
import { type ToolFailure, toToolFailure } from './definition/toolFailure.ts'

export type ToolResult =
  | { readonly kind: 'answer'; readonly output: ToolOutput }
  | { readonly kind: 'failure'; readonly failure: ToolFailure; readonly cause: MemoryError }

/** Calls a tool. A failure a caller can mend is a value; a bug of ours is thrown. */
export async function invokeTool(tool: Tool, given: unknown, context: ToolContext): Promise<ToolResult> {
  try {
    mayCall(tool, context)
    const input = readInput(tool.input, given ?? {})
    await syncChangedEntries(context)
    return { kind: 'answer', output: await tool.handle(input, context) }
  } catch (error) {
    const cause = mendable(error)
    if (!cause) throw error
    return { kind: 'failure', failure: toToolFailure(cause), cause }
  }
}

/** An entry's file that somebody has written since is seen by the next call, whichever tool it is. */
export async function syncChangedEntries(context: ToolContext): Promise<void> {
  if (!isMtimeCacheStale(context.store)) return
  const { syncEntries } = await import('../broker/entries/syncEntries.ts')
  syncEntries(context.entryWriter('project'))
}

function mayCall({ name, roles }: Tool, { role }: ToolContext): void {
  if (!roles || roles.includes(role)) return
  throw new MemoryError('NOT_ALLOWED', `${name} is not for a ${role}`, {
    hint: `Ask ${roles.length > 1 ? 'one of' : 'the'} ${roles.join(', ')} to do it, or start the server with --role.`,
  })
}

function mendable(error: unknown): MemoryError | undefined {
  if (error instanceof MemoryError) return error
  const hint = ioErrorHint(systemErrorCode(error))
  return hint ? new MemoryError('STORE_UNWRITABLE', (error as Error).message, { hint, cause: error }) : undefined
}
