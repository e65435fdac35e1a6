// The MCP server: a toolset over stdin and stdout, as long as the client keeps stdin open. No timers, no port, no
// daemon. All agents of a session share one server, and a call must not name itself.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { hideSecrets } from '../broker/commands/newMemory.ts'
import { listVisible } from '../broker/live/liveStore.ts'
import type { Store } from '../broker/open/openStore.ts'
import { HOOK_TOOL, SERVER_NAME } from '../model/hookEvents.ts'
import type { SessionId } from '../model/id.ts'
import { readTailEvents } from '../store/log/eventLog.ts'
import { sanitizeInline } from '../text/sanitizeText.ts'
import { buildJsonSchema } from '../tools/definition/field.ts'
import { invokeTool } from '../tools/definition/invokeTool.ts'
import type { ModelTool } from '../tools/definition/tool.ts'
import { type CallingAgent, createToolContext, type Role, type ToolContext } from '../tools/definition/toolContext.ts'
import { listTools, type Toolset } from '../tools/toolRegistry.ts'
import { type HookServer, runHookTool } from './hookTool.ts'
import { connectStdio } from './stdioTransport.ts'

interface ServerOptions {
  readonly context: ToolContext
  readonly toolset: Toolset
  readonly version: string
  readonly hooks: HookServer
}

/** Serves until stdin closes. */
async function serveTools({ context, toolset: set, version, hooks }: ServerOptions): Promise<void> {
  const tools = listTools(set)
  // Tools that the role may not call are not listed; invokeTool refuses such calls.
  const offered = tools.filter(({ roles }) => !roles || roles.includes(context.role))
  const server = new Server(
    { name: SERVER_NAME, title: SERVER_NAME, version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(definitionOf) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    // A call of the model names its id; a hook has none.
    if (params.name === HOOK_TOOL && params._meta?.[CALL_ID] === undefined)
      return { content: [{ type: 'text' as const, text: runHookTool(params.arguments ?? {}, hooks) }] }
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name} here`)
    // A cancellation that has arrived with the call is read first: without an answer nothing must be written.
    await new Promise(setImmediate)
    const caller = context.forCall(signal)
    return resultOf(tool, params.arguments, caller.forAgent(findCallingAgent(context, params._meta)))
  })
  await connectStdio(server)
}

/** What the client tells its model about this server. Short, because it is read in every session. */
const INSTRUCTIONS =
  'What earlier sessions of this project knew. Search before work that may have been done before; ' +
  'store what later sessions should know.'

/** With what Claude Code asks for, which loads the definitions of other tools only when it looks for one of them. */
function definitionOf(tool: ModelTool) {
  const { name, title, description, input, alwaysLoad, searchHint = `memctl memory: ${title.toLowerCase()}` } = tool
  return {
    name,
    title,
    description,
    inputSchema: buildJsonSchema(input) as { type: 'object' },
    annotations: annotate(tool),
    _meta: alwaysLoad ? { 'anthropic/alwaysLoad': true } : { 'anthropic/searchHint': searchHint },
  }
}

/** The hints of the MCP specification. The last two mean nothing for a tool that only reads. */
const annotate = ({ title, effect, isIdempotent = false }: ModelTool) => ({
  title,
  readOnlyHint: effect === 'reads',
  destructiveHint: effect === 'changes',
  idempotentHint: effect === 'reads' || isIdempotent,
  openWorldHint: false,
})

/** What the client gets: no secrets, hidden characters and forged marks in any text. */
const clean = <T>(answer: T): T =>
  JSON.parse(
    JSON.stringify(answer, (_, value) => (typeof value === 'string' ? sanitizeInline(hideSecrets(value)) : value)),
  ) as T

/** A tool's output as data and as text, for clients of either kind. A failure is an output with `isError`. */
async function resultOf(tool: ModelTool, input: unknown, context: ToolContext) {
  const result = await invokeTool(tool, input, context)
  const isError = result.kind === 'failure'
  const output = clean(isError ? result.failure : (tool.shorten?.(result.output) ?? result.output))
  return { content: [{ type: 'text' as const, text: JSON.stringify(output) }], structuredContent: output, isError }
}

interface ServerSessionOptions {
  readonly store: Store
  readonly toolset: Toolset
  readonly role: Role
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** The script beside the program that starts workers. */
  readonly watchdog: string
}

/** Serves a client as long as it keeps stdin open. */
export async function serveSession(options: ServerSessionOptions): Promise<void> {
  const { store, toolset, role, version, env, now, watchdog } = options
  // Claude Code names its session, and its hooks record the session's end. Otherwise the server's life is the session.
  const clientSession = env['CLAUDE_CODE_SESSION_ID'] || undefined
  const session = clientSession ?? `mcp-${process.pid}-${now()}`
  const context = createToolContext({ store, role, session, isForAgent: true, env, now })
  await serveTools({ context, toolset, version, hooks: { env, now, watchdog } })
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

/** Field of a call's `_meta` (measured in 2.1.197). */
const CALL_ID = 'claudecode/toolUseId'

/** How far back in the log the call may be, in bytes: parallel agents write between its hook and its arrival. */
const TAIL_BYTES_MAX = 1_048_576

/** The subagent that made this call; undefined for the main conversation and where no hook has recorded the call. */
export function findCallingAgent(
  { store, session }: ToolContext,
  meta: Readonly<Record<string, unknown>> | undefined,
): CallingAgent | undefined {
  const call = meta?.[CALL_ID]
  if (typeof call !== 'string' || call === '' || session === undefined) return undefined
  const events = readTailEvents(
    store.files,
    store.layout.events,
    { session: session as SessionId, bytesMax: TAIL_BYTES_MAX, kinds: ['call.started'] },
    { newest: 0, containing: [`"call":${JSON.stringify(call)}`], containingMax: 1 },
  )
  const event = events.find((started) => started.kind === 'call.started' && started.call === call)
  return event?.agentId === undefined ? undefined : { agentId: event.agentId, role: event.role }
}
