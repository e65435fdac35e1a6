// A server's session: whose memories it serves, and what is left to do when its client has gone.
import type { Store } from '../broker/store.ts'
import type { ToolSet } from '../tools/registry.ts'
import type { Role } from '../tools/role.ts'
import { endWorking } from '../tools/working.ts'
import { worldOf } from '../tools/world.ts'
import { serve } from './serve.ts'

interface SessionOptions {
  readonly store: Store
  readonly tools: ToolSet
  readonly role: Role
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

/** Serves a client for as long as it keeps stdin open. */
export async function serveSession({ store, tools, role, version, env, now }: SessionOptions): Promise<void> {
  // Where the client tells its session, its hooks tell of its end. Else a server's life is the session.
  const told = env['CLAUDE_CODE_SESSION_ID'] || undefined
  const session = told ?? `mcp-${process.pid}-${now()}`
  const world = worldOf({ store, role, session, env, now })
  await serve({ world, tools, version })
  if (told === undefined) endWorking(world)
  world.end()
}
