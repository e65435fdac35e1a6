// A call: input checked, rights checked, handled, and whatever a caller can mend answered in one shape. All doors call through here.
import { haveChanged } from '../entries/stamps.ts'
import { MemoryError } from '../model/errors.ts'
import { diskMend } from '../store/diskMend.ts'
import { codeOf } from '../store/files.ts'
import { type Failure, failureOf } from './failure.ts'
import { readInput } from './field.ts'
import type { Answer, Tool } from './tool.ts'
import type { World } from './world.ts'

export type Called =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly cause: MemoryError }

/** Calls a tool. A failure a caller can mend is a value; a bug of ours is thrown. */
export async function call(tool: Tool, given: unknown, world: World): Promise<Called> {
  try {
    mayCall(tool, world)
    const input = readInput(tool.input, given ?? {})
    await takeUpChanged(world)
    return { kind: 'answer', answer: await tool.handle(input, world) }
  } catch (error) {
    const cause = mendable(error)
    if (!cause) throw error
    return { kind: 'failure', failure: failureOf(cause), cause }
  }
}

/** An entry's file that somebody has written since is seen by the next call, whichever tool it is. */
export async function takeUpChanged(world: World): Promise<void> {
  if (!haveChanged(world.store)) return
  const { takeUp } = await import('../broker/entries/takeUp.ts')
  takeUp(world.scribe('project'))
}

function mayCall({ name, roles }: Tool, { role }: World): void {
  if (!roles || roles.includes(role)) return
  throw new MemoryError('NOT_ALLOWED', `${name} is not for a ${role}`, {
    mend: `Ask ${roles.length > 1 ? 'one of' : 'the'} ${roles.join(', ')} to do it, or start the server with --role.`,
  })
}

function mendable(error: unknown): MemoryError | undefined {
  if (error instanceof MemoryError) return error
  const mend = diskMend(codeOf(error))
  return mend ? new MemoryError('STORE_UNWRITABLE', (error as Error).message, { mend, cause: error }) : undefined
}
