// A server's session: the memories it serves, and what to do when its client has disconnected.
import { listVisible } from '../broker/live/liveStore.ts'
import type { Store } from '../broker/open/openStore.ts'
import type { Role } from '../tools/definition/role.ts'
import { createToolContext, type ToolContext } from '../tools/definition/toolContext.ts'
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

/** Serves a client as long as it keeps stdin open. */
export async function serveSession({ store, toolset, role, version, env, now }: ServerSessionOptions): Promise<void> {
  // Claude Code names its session, and its hooks record the session's end. Otherwise the server's life is the session.
  const clientSession = env['CLAUDE_CODE_SESSION_ID'] || undefined
  const session = clientSession ?? `mcp-${process.pid}-${now()}`
  const context = createToolContext({ store, role, session, isForAgent: true, env, now })
  await serveTools({ context, toolset, version })
  if (clientSession === undefined) expireWorking(context)
  context.close()
}

/** Expires the working memories of the caller's session now. */
export function expireWorking(context: ToolContext): void {
  const { session } = context
  // Without a live store no tool was called, so there are none.
  if (session === undefined || context.openedStores.length === 0) return
  const now = context.now()
  const working = listVisible(context.liveStore, { session, now }).filter((memory) => memory.retention === 'working')
  if (working.length === 0) return
  const expires = new Date(now).toISOString()
  context.commit({ kind: 'memory.batch', stored: [], changes: working.map(({ id }) => ({ memory: id, expires })) })
}
