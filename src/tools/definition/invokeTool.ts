// Calls a tool for every entry point: checks the role, reads the input, runs the handler, and turns errors into one
// shape.
import { readEvictionLimits } from '../../broker/entries/entryMaintenance.ts'
import { syncEntries } from '../../broker/entries/syncEntries.ts'
import { isMtimeCacheStale } from '../../entries/entryDirs.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { toMemoryError } from '../../store/disk/diskCalls.ts'
import { readInput } from './field.ts'
import { isWriting, type ModelTool, type ToolFailure, type ToolOutput, toToolFailure } from './tool.ts'
import type { ToolContext } from './toolContext.ts'

export type ToolResult =
  | { readonly kind: 'answer'; readonly output: ToolOutput }
  | { readonly kind: 'failure'; readonly failure: ToolFailure; readonly cause: MemoryError }

/** The output of a tool. Throws what it answers as a failure. */
export async function callTool(tool: ModelTool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const result = await invokeTool(tool, input, context)
  if (result.kind === 'failure') throw result.cause
  return result.output
}

/** What a call of a tool that deletes would delete, with the same checks. It deletes nothing. */
export const previewTool = (tool: ModelTool, input: unknown, context: ToolContext): Promise<ToolResult> =>
  invokeTool({ ...tool, handle: tool.preview ?? (() => ({})) }, input, context)

/** Calls a tool with unchecked input. A failure that the caller can correct is a value; a bug is thrown. */
export async function invokeTool(tool: ModelTool, input: unknown, context: ToolContext): Promise<ToolResult> {
  try {
    assertAllowed(tool, context)
    const fields = readInput(tool.input, input ?? {})
    // Invalid ones are reported before anything is written: they are needed after it.
    if (tool.group === 'entries' && isWriting(tool)) readEvictionLimits(context.env)
    // Files of entries that have changed are read first, so that every tool sees them.
    if (isMtimeCacheStale(context.store)) syncEntries(context.entryWriter('project'))
    context.assertNotCancelled()
    return { kind: 'answer', output: await tool.handle(fields, context) }
  } catch (error) {
    const cause = toMemoryError(error)
    if (!cause) throw error
    return { kind: 'failure', failure: toToolFailure(cause), cause }
  }
}

function assertAllowed({ name, roles }: ModelTool, { role }: ToolContext): void {
  if (!roles || roles.includes(role)) return
  throw new MemoryError('NOT_ALLOWED', `The role ${role} may not call ${name}`, {
    hint: `Ask ${roles.length > 1 ? 'one of' : 'the'} ${roles.join(', ')} to do it, or start the server with --role.`,
  })
}
