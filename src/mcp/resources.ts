// What a client can attach besides tools. Resources are memories by their address; an entry's address is its key. A
// prompt is a question of the user, with the memories that answer it.
//
//   memctl://memory/550e8400-e29b-41d4-a716-446655440000
//   memctl://entry/project/api-design-decision      memctl://entry/global/%E8%A8%AD%E8%A8%88
//   memctl://entry/project/notes?session=3f0c
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { findVisible, listVisible } from '../broker/live/liveStore.ts'
import { entryFromMemory } from '../entries/entry.ts'
import type { Memory } from '../model/memory.ts'
import { firstLine } from '../text/excerpt.ts'
import { entryMemoryId } from '../text/hash.ts'
import { invokeTool, syncChangedEntries } from '../tools/definition/invokeTool.ts'
import type { ToolOutput } from '../tools/definition/tool.ts'
import { type ToolContext, viewingSession } from '../tools/definition/toolContext.ts'
import { memorySearch } from '../tools/memory/memoryTools.ts'

const MEMORY = 'memctl://memory/'
const ENTRY = 'memctl://entry/'

/** Resources on one page of the list: a client shows them in a menu. */
const PAGE = 50

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${ENTRY}{layer}/{key}{?session}`,
    name: 'entry',
    title: 'An entry',
    description: 'One entry in full; layer is project or global, session one of the project’s sessions',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: `${MEMORY}{id}`,
    name: 'memory',
    title: 'A memory',
    description: 'One memory in full',
    mimeType: 'text/plain',
  },
]

/** Memories of kind `entry`, the latest first, page by page. Throws McpError for an invalid cursor. */
export async function listResources(context: ToolContext, cursor: string | undefined) {
  await syncChangedEntries(context)
  const written = listVisible(context.liveStore, viewingSession(context)).filter((memory) => memory.kind === 'entry')
  written.reverse()
  // The cursor is the last id of the page before, so that new memories do not move pages.
  const from = cursor === undefined ? 0 : written.findIndex((memory) => memory.id === cursor) + 1
  if (cursor !== undefined && from === 0) throw new McpError(ErrorCode.InvalidParams, `There is no page ${cursor}`)
  const page = written.slice(from, from + PAGE)
  const last = from + page.length < written.length ? page.at(-1) : undefined
  return { resources: page.map(resourceOf), ...(last && { nextCursor: last.id }) }
}

function resourceOf(memory: Memory) {
  const source = memory.entrySource
  if (!source) return { uri: MEMORY + memory.id, name: firstLine(memory.content, 80), mimeType: 'text/plain' }
  const session = source.session === undefined ? '' : `?session=${encodeURIComponent(source.session)}`
  const description = firstLine(entryFromMemory(memory).content.trim(), 80)
  const uri = `${ENTRY}${source.layer}/${encodeURIComponent(source.key)}${session}`
  return { uri, name: source.key, ...(description && { description }), mimeType: 'text/markdown' }
}

/** A resource's content. Throws McpError for an address without a memory that the caller may see. */
export async function readResource(uri: string, context: ToolContext) {
  await syncChangedEntries(context)
  const id = uri.startsWith(MEMORY) ? uri.slice(MEMORY.length) : uri.startsWith(ENTRY) ? entryIdOf(uri) : ''
  const memory = id === '' ? undefined : findVisible(context.liveStore, id, viewingSession(context))
  if (!memory) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}`)
  const isEntry = memory.entrySource !== undefined
  if (isEntry) context.commit({ kind: 'memory.accessed', memories: [memory.id] })
  return isEntry
    ? { uri, mimeType: 'text/markdown', text: entryFromMemory(memory).content }
    : { uri, mimeType: 'text/plain', text: memory.content }
}

/** The memory id of an entry's address; empty for an invalid one. */
function entryIdOf(uri: string): string {
  try {
    const match = /^memctl:\/\/entry\/(project|global)\/([^/?]+)(?:\?session=([^&]+))?$/.exec(uri)
    const [, layer, key = '', session] = match ?? []
    if (!layer) return ''
    const text = (part: string) => decodeURIComponent(part).normalize('NFC')
    return entryMemoryId(layer as 'project' | 'global', session && text(session), text(key))
  } catch {
    return '' // Another form, or invalid percent encoding.
  }
}

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
