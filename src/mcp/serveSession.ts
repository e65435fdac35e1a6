// A server's session: whose memories it serves, and what is left to do when its client has gone.
import type { Store } from '../broker/open/openStore.ts'
import type { Role } from '../tools/definition/role.ts'
import { createToolContext } from '../tools/definition/toolContext.ts'
import { expireWorking } from '../tools/expireWorking.ts'
import type { Toolset } from '../tools/toolRegistry.ts'
import { serveTools } from './serveTools.ts'

interface ServerSessionOptions {
  readonly store: Store
  readonly toolset: Toolset
  readonly role: Role
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

/** Serves a client for as long as it keeps stdin open. */
export async function serveSession({ store, toolset, role, version, env, now }: ServerSessionOptions): Promise<void> {
  // Where the client tells its session, its hooks tell of its end. Else a server's life is the session.
  const told = env['CLAUDE_CODE_SESSION_ID'] || undefined
  const session = told ?? `mcp-${process.pid}-${now()}`
  const context = createToolContext({ store, role, session, env, now })
  await serveTools({ context: context, toolset: toolset, version })
  if (told === undefined) expireWorking(context)
  context.close()
}
