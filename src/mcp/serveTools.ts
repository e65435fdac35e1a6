// The MCP server: a toolset over stdin and stdout, as long as the client keeps stdin open. No timers, no port, no
// daemon. All agents of a session share one server, and a call must not name itself.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  type JSONRPCMessage,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { hideSecrets } from '../broker/commands/newMemory.ts'
import { listVisible } from '../broker/live/liveStore.ts'
import type { Store } from '../broker/open/openStore.ts'
import { HOOK_TOOL, SERVER_NAME } from '../model/hookEvents.ts'
import type { SessionId } from '../model/id.ts'
import type { Fields } from '../model/unknownJson.ts'
import { readTailEvents } from '../store/log/eventLog.ts'
import { sanitizeInline } from '../text/sanitizeText.ts'
import { buildJsonSchema } from '../tools/definition/field.ts'
import { invokeTool } from '../tools/definition/invokeTool.ts'
import type { ModelTool } from '../tools/definition/tool.ts'
import { type CallingAgent, createToolContext, type Role, type ToolContext } from '../tools/definition/toolContext.ts'
import { listTools, type Toolset } from '../tools/toolRegistry.ts'
import { type HookServer, runHookTool } from './hookTool.ts'

/** Serves until stdin closes. */
async function serveTools(context: ToolContext, options: ServerSessionOptions): Promise<void> {
  const tools = listTools(options.toolset)
  // Tools that the role may not call are not listed; invokeTool refuses such calls.
  const offered = tools.filter(({ roles }) => !roles || roles.includes(context.role))
  const server = new Server(
    { name: SERVER_NAME, title: SERVER_NAME, version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(definitionOf) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    // A call of the model names its id; a hook has none.
    if (params.name === HOOK_TOOL && params._meta?.[CALL_ID] === undefined)
      return { content: [{ type: 'text' as const, text: runHookTool(params.arguments ?? {}, options) }] }
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name} here`)
    // A cancellation that has arrived with the call is read first: without an answer nothing must be written.
    await new Promise(setImmediate)
    return resultOf(tool, params.arguments, context.forCall(signal, findCallingAgent(context, params._meta)))
  })
  await connectStdio(server)
}

/** What the client tells its model about this server. Short, because it is read in every session. */
const INSTRUCTIONS =
  'What earlier sessions of this project knew. Search before work that may have been done before; ' +
  'store what later sessions should know.'

/** With what Claude Code asks for, which loads the definitions of other tools only when it looks for one of them. */
function definitionOf({ name, title, description, input, effect, isIdempotent = false, ...tool }: ModelTool) {
  const { alwaysLoad, searchHint = `memctl memory: ${title.toLowerCase()}` } = tool
  return {
    name,
    title,
    description,
    inputSchema: buildJsonSchema(input) as { type: 'object' },
    // The hints of the MCP specification. The last two mean nothing for a tool that only reads.
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'changes',
      idempotentHint: effect === 'reads' || isIdempotent,
      openWorldHint: false,
    },
    _meta: alwaysLoad ? { 'anthropic/alwaysLoad': true } : { 'anthropic/searchHint': searchHint },
  }
}

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

interface ServerSessionOptions extends HookServer {
  readonly store: Store
  readonly toolset: Toolset
  readonly role: Role
  readonly version: string
}

/** Serves a client as long as it keeps stdin open. */
export async function serveSession(options: ServerSessionOptions): Promise<void> {
  const { store, role, env, now } = options
  // Claude Code names its session, and its hooks record the session's end. Otherwise the server's life is the session.
  const clientSession = env['CLAUDE_CODE_SESSION_ID'] || undefined
  const session = clientSession ?? `mcp-${process.pid}-${now()}`
  const context = createToolContext({ store, role, session, isForAgent: true, env, now })
  await serveTools(context, options)
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
export function findCallingAgent({ store, session }: ToolContext, meta: Fields | undefined): CallingAgent | undefined {
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

// ── The two pipes to the client, for as long as it keeps stdin open ──

/** Bytes in a line of a client: a hundred memories as long as they may be, in characters of three bytes. */
const LINE_BYTES_MAX = 24 * 1024 * 1024

/** Serves until stdin ends. A line that is no message is answered with an error; one that is too long ends the server. */
async function connectStdio(server: Server): Promise<void> {
  const transport = new StdioServerTransport(undefined, undefined, { maxBufferSize: LINE_BYTES_MAX })
  transport.onerror = (error) => void transport.send(refusalOf(error))
  const ended = new Promise<void>((done) => {
    // A pipe that breaks ends like one that is closed.
    for (const event of ['end', 'error', 'close']) process.stdin.once(event, done)
    server.onclose = done
  })
  await server.connect(transport)
  // Of a client that asks faster than it reads, the SDK waits for stdout once for each answer. One that is gone reads
  // nothing more.
  process.stdout.setMaxListeners(0).on('error', () => process.stdin.destroy())
  await ended
}

/** As JSON-RPC 2.0 has it for what cannot be read: an error with the id null. */
function refusalOf(error: Error): JSONRPCMessage {
  const [code, message] =
    error instanceof SyntaxError
      ? [ErrorCode.ParseError, 'This line is no JSON']
      : [ErrorCode.InvalidRequest, 'This is no JSON-RPC message, or its line is too long']
  return { jsonrpc: '2.0', id: null, error: { code, message } } as unknown as JSONRPCMessage
}
