// The MCP server: a set of tools over stdin and stdout, for as long as the client keeps stdin open. No timers, no port, no daemon.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { call } from '../tools/call.ts'
import { schemaOf } from '../tools/field.ts'
import { type ToolSet, toolsOf } from '../tools/registry.ts'
import type { Tool } from '../tools/tool.ts'
import type { World } from '../tools/world.ts'
import { PROMPTS, promptNamed } from './prompts.ts'
import { RESOURCE_TEMPLATES, resourceAt, resourcesOf } from './resources.ts'
import { wholeLines } from './wholeLines.ts'

export interface Serving {
  readonly world: World
  readonly tools: ToolSet
  readonly version: string
}

/** Serves until stdin closes. */
export async function serve({ world, tools: set, version }: Serving): Promise<void> {
  const tools = toolsOf(set)
  // Who may not call one is not offered it, and is refused where it calls all the same.
  const offered = tools.filter(({ roles }) => !roles || roles.includes(world.role))
  const server = new Server(
    { name: 'memctl', title: 'memctl', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: offered.map((tool) => definitionOf(tool, set === 'core')),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name} here`)
    return resultOf(tool, params.arguments, world)
  })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => resourcesOf(world, params?.cursor))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
    contents: [await resourceAt(params.uri, world)],
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => promptNamed(params.name, params.arguments, world))
  const refuse = (said: Refusal): void => void transport.send(refusalOf(said))
  const lines = wholeLines(LINE_BYTES_MAX, () => refuse(TOO_LONG))
  // The SDK gives up a client whose line is longer than it likes; here no line is that comes to it.
  const transport = new StdioServerTransport(lines, undefined, { maxBufferSize: Number.POSITIVE_INFINITY })
  transport.onerror = (error) => refuse(error instanceof SyntaxError ? NO_JSON : NO_MESSAGE)
  const ended = new Promise<void>((done) => {
    lines.once('end', done)
    server.onclose = done
  })
  await server.connect(transport)
  // Of a client that asks faster than it reads, the SDK waits for stdout once for each answer. One that is gone reads nothing more.
  process.stdout.setMaxListeners(0).on('error', () => process.stdin.destroy())
  // A pipe that breaks ends like one that is closed.
  process.stdin.once('error', () => lines.end()).once('close', () => lines.end())
  process.stdin.pipe(lines)
  await ended
}

/** One line of a client, in bytes: a batch of a hundred memories as long as they may be, in characters of three bytes, and its JSON. */
const LINE_BYTES_MAX = 24 * 1024 * 1024

interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

const NO_JSON: Refusal = { code: ErrorCode.ParseError, message: 'This line is no JSON' }
const NO_MESSAGE: Refusal = { code: ErrorCode.InvalidRequest, message: 'This is no JSON-RPC message' }
const TOO_LONG: Refusal = { code: ErrorCode.InvalidRequest, message: `This line has more than ${LINE_BYTES_MAX} bytes` }

/** What the client may tell its model of this server. Short: it is read in every session. */
const INSTRUCTIONS =
  'What earlier sessions of this project knew. Search before work that may have been done before; store what later sessions should know.'

function definitionOf({ name, title, description, input, coreFields, effect }: Tool, short: boolean) {
  const fields = Object.entries(input).filter(([field]) => !short || (coreFields?.includes(field) ?? true))
  const schema = schemaOf(Object.fromEntries(fields)) as { type: 'object' }
  return {
    ...{ name, title, description },
    // The fields that are not shown may be given all the same.
    inputSchema: fields.length < Object.keys(input).length ? { ...schema, additionalProperties: true } : schema,
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect === 'destroys', openWorldHint: false },
  }
}

/** A tool's answer as data and as text, for clients of either kind. A failure is an answer too, marked as one. */
async function resultOf(tool: Tool, given: unknown, world: World) {
  const called = await call(tool, given, world)
  const isError = called.kind === 'failure'
  const said = isError ? called.failure : (tool.brief?.(called.answer) ?? called.answer)
  return { content: [{ type: 'text' as const, text: JSON.stringify(said) }], structuredContent: { ...said }, isError }
}

/** What is no JSON, or JSON but no message, is answered as JSON-RPC 2.0 has it: with an error and no id. */
const refusalOf = (error: Refusal): JSONRPCMessage => ({ jsonrpc: '2.0', id: null, error }) as unknown as JSONRPCMessage
