// A secret in any parameter of any tool, generated from the schemas, so new tools are included.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { sessionOfDir } from '../../../src/entries/entryDirs.ts'
import { openMemory } from '../../../src/index.ts'
import { buildJsonSchema } from '../../../src/tools/definition/field.ts'
import { TOOLS } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

interface Schema {
  readonly type: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** The value of a parameter: the token wherever there is room for it. Ids are those of the memories `ids`. */
function withToken(schema: Schema, name: string, ids: readonly unknown[]): unknown {
  const { type, minimum = 1, items, properties = {} } = schema
  if (/(?:^|memory_)ids?$/.test(name)) return type === 'array' ? ids : ids[0]
  if (type === 'array') return items && [withToken(items, name, ids)]
  if (type === 'string') return schema.enum || schema.format ? undefined : TOKEN
  if (type === 'number' || type === 'integer') return minimum
  if (type !== 'object') return undefined
  if (Object.keys(properties).length === 0) return { [TOKEN]: TOKEN, login: { password: 'hunter2xyzzBJ' } }
  return Object.fromEntries(Object.entries(properties).map(([own, item]) => [own, withToken(item, own, ids)]))
}

/** The names and the texts of all files below a folder; names of sessions as they were given. */
const everythingIn = (folder: string): string =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return `${sessionOfDir(entry.name)}\n${entry.isFile() ? fs.readFileSync(file, 'utf8') : ''}`
    })
    .join('\n')

test('tools: a secret in any parameter, or in the name of the caller, is in no file', async () => {
  const folder = newFolder('secrets')
  const agent = { agentId: `agent-${TOKEN}`, role: TOKEN }
  await using memory = openMemory({ store: folder, project: folder, env: {}, session: `session-${TOKEN}`, agent })
  const store = (content: string) => memory.call('memory_store', { content, memory_tier: 'working' })
  const ids = [(await store('the lamp is on'))['id'], (await store('the door is open'))['id']]
  // Working memories belong to the session: the caller is the same in all calls.
  expect(await memory.call('memory_get', { id: String(ids[0]) })).toMatchObject({ content: 'the lamp is on' })
  const failed: string[] = []
  const isLast = (name: string): boolean => name.includes('delete')
  for (const { name, input } of [...TOOLS].sort((a, b) => Number(isLast(a.name)) - Number(isLast(b.name)))) {
    const given = withToken(buildJsonSchema(input) as unknown as Schema, '', ids) as Record<string, unknown>
    await memory.call(name, given).catch(() => failed.push(name))
  }
  // Nothing is archived.
  expect(failed.sort()).toEqual(['restore_from_global_memory_archive', 'restore_from_memory_archive'])
  await memory.organize()
  expect(everythingIn(folder)).not.toMatch(/ghp_|hunter2/)
})
