// The MCP server: a set of tools over stdin and stdout, for as long as the client keeps stdin open. No timers, no port, no daemon.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { buildJsonSchema } from '../tools/definition/field.ts'
import type { Tool } from '../tools/definition/tool.ts'
import type { ToolContext } from '../tools/definition/toolContext.ts'
import { invokeTool } from '../tools/invokeTool.ts'
import { listTools, type Toolset } from '../tools/toolRegistry.ts'
import { PROMPTS, renderPrompt } from './prompts.ts'
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import { connectStdio } from './stdioTransport.ts'

interface ServerOptions {
  readonly context: ToolContext
  readonly toolset: Toolset
  readonly version: string
}

/** Serves until stdin closes. */
export async function serveTools({ context, toolset: set, version }: ServerOptions): Promise<void> {
  const tools = listTools(set)
  // Who may not call one is not offered it, and is refused where it calls all the same.
  const offered = tools.filter(({ roles }) => !roles || roles.includes(context.role))
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
    return resultOf(tool, params.arguments, context)
  })
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => listResources(context, params?.cursor))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
    contents: [await readResource(params.uri, context)],
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => renderPrompt(params.name, params.arguments, context))
  await connectStdio(server)
}

/** What the client may tell its model of this server. Short: it is read in every session. */
const INSTRUCTIONS =
  'What earlier sessions of this project knew. Search before work that may have been done before; store what later sessions should know.'

function definitionOf({ name, title, description, input, coreFields, effect }: Tool, short: boolean) {
  const fields = Object.entries(input).filter(([field]) => !short || (coreFields?.includes(field) ?? true))
  const schema = buildJsonSchema(Object.fromEntries(fields)) as { type: 'object' }
  return {
    ...{ name, title, description },
    // The fields that are not shown may be given all the same.
    inputSchema: fields.length < Object.keys(input).length ? { ...schema, additionalProperties: true } : schema,
    annotations: { readOnlyHint: effect === 'reads', destructiveHint: effect === 'destroys', openWorldHint: false },
  }
}

/** A tool's answer as data and as text, for clients of either kind. A failure is an answer too, marked as one. */
async function resultOf(tool: Tool, given: unknown, context: ToolContext) {
  const called = await invokeTool(tool, given, context)
  const isError = called.kind === 'failure'
  const said = isError ? called.failure : (tool.shorten?.(called.output) ?? called.output)
  return { content: [{ type: 'text' as const, text: JSON.stringify(said) }], structuredContent: { ...said }, isError }
}
