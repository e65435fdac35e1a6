// Seed 002's tools, through every door: every example of the document, its tables of roles, its life cycle.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'
import { DOORS, type Door, type Json, libraryDoor, mcpDoor } from '../callers.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)

const DECISION = `## API設計の決定事項

REST API は以下の方針で設計する:
- リソース指向のエンドポイント設計
- バージョニングは URL パスで（/api/v1/...）
- エラーレスポンスは RFC 7807 形式`

const keysOf = (answer: Json): unknown[] => (answer['entries'] as Json[]).map((item) => item['key'])

describe.each(Object.keys(DOORS))('entries through the %s', (name) => {
  let door: Door
  const call = (tool: string, input: Json = {}): Promise<Json> => door.call(tool, input)

  beforeAll(async () => {
    door = await DOORS[name]!()
  })
  afterAll(() => door.end())

  test('entries: saving and finding by word and tag follow the entries spec', async () => {
    const saved = await call('save_to_memory', {
      ...{ key: 'api-auth-decision', content: '認証方式は JWT を採用...', tags: ['api', 'auth', 'decision', 'jwt'] },
      caller_agent_id: 'admin_xxx',
    })
    const entry = {
      ...{ key: 'api-auth-decision', content: '認証方式は JWT を採用...', tags: ['api', 'auth', 'decision', 'jwt'] },
      ...{ created_at: TIME, updated_at: TIME },
    }
    expect(saved).toEqual({ success: true, entry })
    await call('save_to_memory', { key: 'deploy', content: 'Deploys go out on Tuesdays', tags: ['ops'] })
    expect(await call('retrieve_from_memory', { query: 'auth', tags: ['decision'] })).toEqual({
      ...{ success: true, entries: [entry], count: 1 },
    })
    expect(keysOf(await call('retrieve_from_memory', { query: '認証方式' }))[0]).toBe('api-auth-decision')
    expect(keysOf(await call('retrieve_from_memory', { query: 'auth', tags: ['ops'] }))).toEqual([])
    expect(keysOf(await call('retrieve_from_memory', { query: 'zzyzx' }))).toEqual([])
    expect(await call('get_memory_entry', { key: 'api-auth-decision' })).toEqual({
      ...{ success: true, layer: 'project', entry },
    })
  })

  test('entries: an entry is a memory, found by semantic search and read by its id', async () => {
    const found = await call('memory_search', { query: 'JWT 認証', kind: 'entry', top_k: 1 })
    const [hit] = found['results'] as Json[]
    expect(hit).toMatchObject({ content: 'api-auth-decision: 認証方式は JWT を採用...', memory_tier: 'long_term' })
    expect(await call('memory_update', { id: hit!['id'], content: 'x' })).toMatchObject({
      ...{ error_type: 'ValidationError', message: expect.stringContaining('api-auth-decision') },
    })
    expect(await call('memory_delete', { id: hit!['id'] })).toMatchObject({ error_type: 'ValidationError' })
    expect(await call('memory_delete', { older_than: '2099-01-01T00:00:00Z' })).toMatchObject({ deleted_count: 0 })
  })

  test('entries: updating a key keeps its creation time, and its tags unless new ones are given', async () => {
    const { entry: before } = await call('get_memory_entry', { key: 'deploy' })
    const { entry } = await call('save_to_memory', { key: 'deploy', content: 'Deploys go out on Fridays' })
    expect(entry).toMatchObject({ content: 'Deploys go out on Fridays', tags: ['ops'] })
    expect((entry as Json)['created_at']).toBe((before as Json)['created_at'])
    expect(keysOf(await call('retrieve_from_memory', { query: 'Fridays' }))).toEqual(['deploy'])
    expect(keysOf(await call('retrieve_from_memory', { query: 'Tuesdays' }))).toEqual([])
    expect(await call('list_memory_entries')).toMatchObject({ count: 2, total: 2 })
  })

  test('entries: entries of a session are separate, and found by its name', async () => {
    const session_id = '3f0c-session'
    await call('save_to_memory', { key: 'notes', content: 'セッション復帰時のコンテキスト', session_id })
    expect(await call('retrieve_from_memory', { query: session_id })).toMatchObject({
      ...{ count: 1, entries: [{ key: 'notes', session_id }] },
    })
    expect(keysOf(await call('list_memory_entries', { session_id }))).toEqual(['notes'])
    expect(keysOf(await call('list_memory_entries'))).toEqual(['api-auth-decision', 'deploy', 'notes'])
    expect(await call('get_memory_entry', { key: 'deploy', session_id })).toMatchObject({ error_type: 'NotFoundError' })
    // An id of any other kind gets a folder of its own, too; only one that is too long for a name is rejected.
    const before = keysOf(await call('list_memory_entries'))
    const others = ['../up', 'a/b', '.', 'memory', 'a\\b', 'con', 'nul', 'aux.txt', 'Case', 'case']
    for (const other of others)
      expect(await call('save_to_memory', { key: 'own', content: `of ${other}`, session_id: other })).toMatchObject({
        success: true,
      })
    for (const other of others)
      expect(await call('list_memory_entries', { session_id: other })).toMatchObject({
        ...{ total: 1, entries: [{ content: `of ${other}` }] },
      })
    expect(keysOf(await call('list_memory_entries'))).toHaveLength(before.length + others.length)
    expect(await call('save_to_memory', { key: 'x', content: 'x', session_id: '長\u3000'.repeat(60) })).toMatchObject({
      error_type: 'ValidationError',
    })
    expect(await call('delete_memory_entry', { key: 'notes', session_id })).toEqual({ success: true, key: 'notes' })
  })

  test('entries: global entries are separate, and found by the spec’s query for preferences', async () => {
    const content = 'ユーザーの好み: コミットメッセージは日本語で'
    const saved = { key: 'user-preferences', content, tags: ['preferences'] }
    expect(await call('save_to_global_memory', saved)).toMatchObject({ success: true, entry: saved })
    expect(await call('retrieve_from_global_memory', { query: 'preferences' })).toMatchObject({
      count: 1,
      entries: [saved],
    })
    expect(keysOf(await call('list_global_memory_entries', { tags: ['preferences'] }))).toEqual(['user-preferences'])
    expect(keysOf(await call('list_memory_entries'))).not.toContain('user-preferences')
    expect(await call('get_memory_entry', { key: 'user-preferences' })).toMatchObject({ layer: 'global', entry: saved })
    expect(await call('get_global_memory_summary')).toMatchObject({
      ...{ success: true, summary: { total_entries: 1, tags: { preferences: 1 }, max_entries: 1000, ttl_days: 90 } },
    })
    const found = await call('memory_search', { query: 'コミットメッセージは日本語で', top_k: 1 })
    expect(found['results']).toMatchObject([{ content: `user-preferences: ${content}` }])
    expect(await call('delete_global_memory_entry', { key: 'user-preferences' })).toEqual({
      ...{ success: true, key: 'user-preferences' },
    })
    expect(await call('list_global_memory_entries')).toMatchObject({ count: 0, total: 0 })
    expect(
      (await call('memory_search', { query: 'コミットメッセージは日本語で', top_k: 1 }))['results'],
    ).not.toMatchObject([{ content: expect.stringContaining('user-preferences') }])
  })

  test('entries: a deleted entry is removed, and not in the archive', async () => {
    await call('save_to_memory', { key: 'api-design-decision', content: DECISION, tags: ['architecture', 'api'] })
    expect(await call('get_memory_entry', { key: 'api-design-decision' })).toMatchObject({
      entry: { content: DECISION },
    })
    expect(await call('delete_memory_entry', { key: 'api-design-decision' })).toMatchObject({ success: true })
    expect(await call('get_memory_entry', { key: 'api-design-decision' })).toMatchObject({
      ...{ error: true, error_type: 'NotFoundError', hint: expect.stringContaining('search the archive') },
    })
    expect(await call('delete_memory_entry', { key: 'api-design-decision' })).toMatchObject({
      error_type: 'NotFoundError',
    })
    expect(await call('list_memory_archive')).toEqual({ success: true, entries: [], count: 0, total: 0 })
    expect(await call('search_memory_archive', { query: '探しているキーワード' })).toMatchObject({ count: 0 })
    expect((await call('memory_search', { query: 'RFC 7807', search_mode: 'keyword' }))['results']).toEqual([])
  })

  test('entries: invalid input is reported, and a missing entry cannot be restored', async () => {
    for (const [tool, input] of [
      ['save_to_memory', { content: 'x' }],
      ['save_to_memory', { key: '', content: 'x' }],
      ['save_to_memory', { key: 'two\nlines', content: 'x' }],
      ['save_to_memory', { key: 'x'.repeat(201), content: 'x' }],
      ['save_to_memory', { key: 'x', content: '' }],
      ['save_to_memory', { key: 'x', content: 'x', tags: 'a' }],
      ['save_to_global_memory', { key: 'x', content: 'x', session_id: 's' }],
      ['retrieve_from_memory', { query: ' ' }],
      ['retrieve_from_memory', { query: 'x', limit: 0 }],
      ['list_memory_entries', { offset: -1 }],
    ] as const)
      expect(await call(tool, input), JSON.stringify(input)).toMatchObject({ error_type: 'ValidationError' })
    for (const tool of ['restore_from_memory_archive', 'restore_from_global_memory_archive'])
      expect(await call(tool, { key: 'api-design-decision' })).toMatchObject({ error_type: 'NotFoundError' })
  })
})

const EVERYONE = ['worker', 'admin', 'owner'] as const
const KEEPERS = ['admin', 'owner'] as const

/** The document's tables, to the letter. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  save_to_memory: EVERYONE,
  retrieve_from_memory: EVERYONE,
  get_memory_entry: EVERYONE,
  list_memory_entries: EVERYONE,
  delete_memory_entry: KEEPERS,
  get_memory_summary: EVERYONE,
  search_memory_archive: EVERYONE,
  list_memory_archive: EVERYONE,
  restore_from_memory_archive: KEEPERS,
  get_memory_archive_summary: EVERYONE,
  save_to_global_memory: EVERYONE,
  retrieve_from_global_memory: EVERYONE,
  list_global_memory_entries: EVERYONE,
  get_global_memory_summary: EVERYONE,
  delete_global_memory_entry: KEEPERS,
  search_global_memory_archive: EVERYONE,
  list_global_memory_archive: EVERYONE,
  restore_from_global_memory_archive: KEEPERS,
  get_global_memory_archive_summary: EVERYONE,
}

const INPUTS: Readonly<Record<string, Json>> = {
  save: { key: 'a', content: 'b' },
  retrieve: { query: 'a' },
  search: { query: 'a' },
  get_memory_entry: { key: 'a' },
  delete: { key: 'a' },
  restore: { key: 'a' },
}
const inputOf = (tool: string): Json => INPUTS[Object.keys(INPUTS).find((begin) => tool.startsWith(begin)) ?? ''] ?? {}

test('entries: the nineteen tools of the spec exist, each only for the roles of its tables', async () => {
  expect(TOOLS.filter((tool) => tool.group === 'entries').map((tool) => tool.name)).toEqual(Object.keys(TABLE))
  for (const role of EVERYONE) {
    const door = libraryDoor({ role })
    for (const [tool, roles] of Object.entries(TABLE)) {
      // The caller in the call does not matter.
      const answer = await door.call(tool, { ...inputOf(tool), caller_agent_id: 'owner_1' })
      const refused = answer['error_type'] === 'PermissionError'
      expect([tool, role, refused]).toEqual([tool, role, !roles.includes(role)])
      if (refused)
        expect(answer).toMatchObject({ message: expect.stringContaining(role), hint: expect.stringContaining('admin') })
    }
    await door.end()
  }
})

test('entries: over MCP a worker neither sees nor can call tools of other roles', async () => {
  const door = await mcpDoor({ role: 'worker', folder: newFolder() }, '--tools', 'entries')
  expect(await door.call('save_to_memory', { key: 'a', content: 'b' })).toMatchObject({ success: true })
  expect(await door.call('delete_memory_entry', { key: 'a', caller_agent_id: 'owner' })).toMatchObject({
    ...{ error_type: 'PermissionError', message: 'The role worker may not call delete_memory_entry' },
  })
  expect(await door.call('get_memory_entry', { key: 'a' })).toMatchObject({ success: true })
  await door.end()
})
