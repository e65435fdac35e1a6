// Names, parameters, limits and hints of all tools as MCP clients see them. Descriptions are not pinned.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { newFolder } from '../tempFolders.ts'
import { mcpClient } from '../tools/callers.ts'
import { expectPinned } from './pin.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** What `memctl mcp` offers with these words. */
async function offered(...words: readonly string[]) {
  const folder = newFolder('offered')
  const { client } = await mcpClient(folder, ...words)
  try {
    return (await client.listTools()).tools
  } finally {
    await client.close()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

test.each(['core', 'memory', 'entries'])(
  'tools: set %s keeps its names, parameters and hints, and everything is described',
  async (set) => {
    const tools = await offered('--tools', set)
    const pinned = tools.map(({ name, title, description, inputSchema, annotations, ...more }) => {
      expect([name, title, description]).toEqual([name, expect.stringMatching(/\w/), expect.stringMatching(/\w/)])
      expect(undescribed(inputSchema), name).toEqual([])
      return [name, { annotations, inputSchema: withoutWording(inputSchema), more }] as const
    })
    expectPinned(`tools-${set}`, Object.fromEntries(pinned))
  },
)

test('tools: the default tool set of each role stays the same for MCP clients', async () => {
  const namesFor = async (...words: readonly string[]) => (await offered(...words)).map(({ name }) => name).sort()
  const pinned = {
    'no options': await namesFor(),
    'owner, all tools': await namesFor('--role', 'owner', '--tools', 'all'),
    'worker, all tools': await namesFor('--role', 'worker', '--tools', 'all'),
    'admin, all tools': await namesFor('--role', 'admin', '--tools', 'all'),
  }
  expectPinned('toolNames', pinned)
})

/** A schema without `description` and `title`, those of its parameters too. Parameters that have such a name stay. */
function withoutWording(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWording)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([name]) => name !== 'description' && name !== 'title')
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'properties' ? mapValues(value, withoutWording) : withoutWording(value),
    ]),
  )
}

const mapValues = (value: object, change: (inner: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, change(inner)]))

/** The parameters of a tool that nothing is said about. */
const undescribed = ({ properties = {} }: { readonly properties?: JsonSchema | undefined }): string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    /\w/.test(String((schema as JsonSchema)['description'] ?? '')) ? [] : [name],
  )
