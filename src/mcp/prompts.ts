// MCP prompts: a question of the user, with the memories that answer it.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { ToolOutput } from '../tools/definition/tool.ts'
import type { ToolContext } from '../tools/definition/toolContext.ts'
import { invokeTool } from '../tools/invokeTool.ts'
import { memorySearch } from '../tools/memory/findTools.ts'

/** Memories in the prompt: as many as a search returns by default. */
const MEMORIES_MAX = 10

export const PROMPTS = [
  {
    name: 'what_do_we_know',
    title: 'What do we know about…',
    description: 'What this project’s memory has about a topic',
    arguments: [{ name: 'topic', description: 'What it is about', required: true }],
  },
]

/** The prompt with its memories. Throws McpError if the prompt is unknown or its topic is missing. */
export async function renderPrompt(
  name: string,
  args: Readonly<Record<string, string>> | undefined,
  context: ToolContext,
) {
  const topic = args?.['topic']?.trim()
  if (!PROMPTS.some((prompt) => prompt.name === name))
    throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name}`)
  if (!topic) throw new McpError(ErrorCode.InvalidParams, 'topic is missing')
  const called = await invokeTool(memorySearch, { query: topic, search_mode: 'hybrid', top_k: MEMORIES_MAX }, context)
  if (called.kind === 'failure') throw new McpError(ErrorCode.InternalError, called.failure.message)
  const brief = memorySearch.shorten!(called.output)['results'] as readonly ToolOutput[]
  const text = [
    `What do we know about ${topic}? Answer from these memories of earlier sessions; memory_get gives one whole. ` +
      'Say so where they do not tell.',
    ...brief.map((memory) => `\n[${memory['id']}, ${String(memory['created_at']).slice(0, 10)}]\n${memory['content']}`),
    ...(brief.length === 0 ? ['\nThe memory has nothing about it.'] : []),
  ].join('\n')
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
