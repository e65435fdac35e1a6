// Seed 001's tools, through every door: what they answer, to the letter of the document, and what they refuse.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DOORS, type Door, type Json } from '../callers.ts'
import { otherNote } from '../notes.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const ID = expect.stringMatching(UUID)
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

describe.each(Object.keys(DOORS))('tools through the %s', (name) => {
  let door: Door
  let ids: string[]
  const call = (tool: string, input: Json = {}): Promise<Json> => door.call(tool, input)
  const store = async (content: string, more: Json = {}): Promise<string> =>
    (await call('memory_store', { content, ...more }))['id'] as string
  const contents = (answer: Json): unknown[] =>
    ((answer['results'] ?? answer['memories']) as Json[]).map((item) => item['content'])

  beforeAll(async () => {
    door = await DOORS[name]!()
    ids = [
      await store('User prefers dark mode and large font sizes', {
        ...{ memory_tier: 'long_term', tags: ['preferences', 'ui'], metadata: { source: 'settings_page' } },
      }),
      await store('The deploy key lies with the platform team', { tags: ['deploy'] }),
      await store('const dark = theme === "night"', { content_type: 'code', tags: ['ui'], agent_id: 'painter' }),
    ]
  })
  afterAll(() => door.end())

  test('tools: storing and reading return what the memory-tools spec says', async () => {
    const stored = await call('memory_store', { content: 'User prefers dark mode' })
    expect(stored).toEqual({ id: ID, content: 'User prefers dark mode', memory_tier: 'long_term', created_at: TIME })
    expect(await call('memory_get', { id: ids[0] })).toEqual({
      id: ids[0],
      content: 'User prefers dark mode and large font sizes',
      content_type: 'text',
      memory_tier: 'long_term',
      tags: ['preferences', 'ui'],
      metadata: { source: 'settings_page' },
      created_at: TIME,
      updated_at: TIME,
      expires_at: null,
    })
    await call('memory_delete', { id: stored['id'] })
  })

  test('tools: semantic, keyword and hybrid search return the shape of the spec', async () => {
    const found = await call('memory_search', {
      ...{ query: 'user interface preferences', top_k: 5, memory_tier: 'long_term', min_similarity: 0.5 },
    })
    expect(found).toEqual({
      results: [
        {
          id: ids[0],
          content: 'User prefers dark mode and large font sizes',
          similarity: expect.any(Number),
          memory_tier: 'long_term',
          tags: ['preferences', 'ui'],
          created_at: TIME,
        },
      ],
      total: 1,
    })
    for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
      const dark = await call('memory_search', { query: 'dark mode', search_mode, keyword_weight: 0.7 })
      expect(contents(dark)[0], search_mode).toBe('User prefers dark mode and large font sizes')
      for (const item of dark['results'] as Json[]) {
        expect(item['similarity']).toBeGreaterThan(0)
        expect(item['similarity']).toBeLessThanOrEqual(1)
      }
      expect(await call('memory_search', { query: 'zzyzx', search_mode }), search_mode).toEqual({
        results: [],
        total: 0,
      })
    }
  })

  test('tools: search omits filtered results, and counts only returned ones', async () => {
    const dark = { query: 'dark' }
    expect(contents(await call('memory_search', { ...dark, content_type: 'code' }))).toEqual([
      'const dark = theme === "night"',
    ])
    expect(contents(await call('memory_search', { ...dark, agent_id: 'painter' }))).toHaveLength(1)
    expect(contents(await call('memory_search', { ...dark, tags: ['ui', 'preferences'] }))).toHaveLength(1)
    expect(contents(await call('memory_search', { ...dark, tags: ['ui', 'deploy'] }))).toEqual([])
    expect(contents(await call('memory_search', { ...dark, memory_tier: 'working' }))).toEqual([])
    expect(contents(await call('memory_search', { ...dark, created_before: '2020-01-01' }))).toEqual([])
    expect(contents(await call('memory_search', { ...dark, created_after: '2020-01-01', kind: 'entry' }))).toHaveLength(
      2,
    )
    expect(contents(await call('memory_search', { ...dark, age_tier: 'cold' }))).toEqual([])
    expect(await call('memory_search', { ...dark, top_k: 1 })).toMatchObject({ total: 1, results: [{}] })
    expect(contents(await call('memory_search', { ...dark, min_similarity: 1 }))).toEqual([])
  })

  test('tools: search can sort by importance or time, and weight by importance', async () => {
    const plain = await store('Lanterns are lit at dusk by the harbour master')
    const dear = await store(
      'Lanterns are lit at dusk by the harbour master, and put out at dawn by whoever comes first',
    )
    await call('memory_set_score', { id: dear, score: 1 })
    const first = async (more: Json): Promise<unknown> =>
      ((await call('memory_search', { query: 'lanterns lit at dusk', ...more }))['results'] as Json[])[0]!['id']
    expect(await first({})).toBe(plain)
    expect(await first({ sort_by: 'importance' })).toBe(dear)
    expect(await first({ sort_by: 'created_at' })).toBe(dear)
    expect(await first({ importance_weight: 0.9 })).toBe(dear)
    await call('memory_delete', { ids: [plain, dear] })
  })

  test('tools: an update replaces tags, merges metadata, and is searchable at once by its new text only', async () => {
    const id = await store('Quarterly numbers are due on the ninth', { tags: ['old'], metadata: { a: 1, b: 1 } })
    expect(await call('memory_update', { id, tags: ['preferences', 'ui', 'theme'] })).toEqual({
      ...{ id, updated: true, updated_at: TIME },
    })
    await call('memory_update', { id, content: 'Quarterly figures are due on Friday', metadata: { b: 2 } })
    const got = await call('memory_get', { id })
    expect(got).toMatchObject({
      content: 'Quarterly figures are due on Friday',
      tags: ['preferences', 'ui', 'theme'],
      metadata: { a: 1, b: 2 },
    })
    for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
      expect(contents(await call('memory_search', { query: 'figures Friday', search_mode }))[0]).toBe(got['content'])
      expect(contents(await call('memory_search', { query: 'ninth', search_mode })), search_mode).not.toContain(
        got['content'],
      )
    }
    await call('memory_delete', { id })
  })

  test('tools: short_term expires, at once with a ttl of 0, and stays if promoted to long_term', async () => {
    const gone = await store('Gone before it was said', { memory_tier: 'short_term', ttl_seconds: 0 })
    expect(await call('memory_get', { id: gone })).toMatchObject({ error_type: 'NotFoundError' })
    expect(contents(await call('memory_search', { query: 'gone before it was said' }))).toEqual([])
    const stored = await store('Coffee is in the kitchen until noon', { memory_tier: 'short_term', ttl_seconds: 3600 })
    const { created_at, expires_at } = await call('memory_get', { id: stored })
    expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).toBe(3_600_000)
    await call('memory_update', { id: stored, memory_tier: 'long_term' })
    expect(await call('memory_get', { id: stored })).toMatchObject({ memory_tier: 'long_term', expires_at: null })
    await call('memory_delete', { id: stored })
  })

  test('tools: memories deleted by id, ids, tier or age are never found again', async () => {
    const item = await store('Anchovies are in the cellar')
    const two = await store('Anchovies are in the attic')
    const three = await store('Anchovies are on the roof', { memory_tier: 'short_term' })
    const all = [item, two, three]
    expect(contents(await call('memory_search', { query: 'anchovies', search_mode: 'keyword' }))).toHaveLength(3)
    expect(await call('memory_delete', { older_than: '2024-01-01T00:00:00Z' })).toEqual({
      ...{ deleted_count: 0, deleted_ids: [] },
    })
    expect(await call('memory_delete', { id: item })).toEqual({ deleted_count: 1, deleted_ids: [item] })
    expect(await call('memory_delete', { id: item })).toEqual({ deleted_count: 0, deleted_ids: [] })
    expect(await call('memory_delete', { memory_tier: 'short_term' })).toEqual({
      deleted_count: 1,
      deleted_ids: [three],
    })
    expect(await call('memory_delete', { ids: [two, UNKNOWN] })).toEqual({ deleted_count: 1, deleted_ids: [two] })
    for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
      expect(contents(await call('memory_search', { query: 'anchovies', search_mode })), search_mode).toEqual([])
    }
    for (const id of all) expect(await call('memory_get', { id })).toMatchObject({ error_type: 'NotFoundError' })
  })

  test('tools: list filters and pages, and each memory is on one page', async () => {
    expect(await call('memory_list', { tags: ['ui'], limit: 1 })).toEqual({
      memories: [
        {
          id: ids[0],
          content: 'User prefers dark mode and large font sizes',
          content_type: 'text',
          memory_tier: 'long_term',
          tags: ['preferences', 'ui'],
          created_at: TIME,
        },
      ],
      total: 2,
      limit: 1,
      offset: 0,
    })
    expect(await call('memory_list')).toMatchObject({ total: 3, limit: 50, offset: 0 })
    const pages = [0, 1, 2, 3].map((offset) => call('memory_list', { limit: 1, offset }))
    expect((await Promise.all(pages)).map((page) => contents(page).length)).toEqual([1, 1, 1, 0])
    expect(await call('memory_list', { tags: ['preferences'], created_after: '2025-01-01T00:00:00Z' })).toMatchObject({
      total: 1,
    })
    expect(await call('memory_list', { created_before: '2025-01-01T00:00:00Z' })).toMatchObject({ total: 0 })
    expect(await call('memory_list', { content_type: 'code' })).toMatchObject({ total: 1 })
  })

  test('tools: a batch is stored and updated completely, partly or up to its error, by its mode', async () => {
    const items = ['First', 'Second', 'Third'].map((word) => ({ content: `${word} of a batch`, tags: ['batch'] }))
    const stored = await call('memory_batch_store', { items, on_error: 'rollback' })
    expect(stored).toEqual({ success: true, stored_count: 3, stored_ids: [ID, ID, ID], errors: [] })
    const [a, b] = stored['stored_ids'] as string[]
    const broken = [items[0]!, { content: '' }, items[2]!]
    const wrong = { index: 1, error_type: 'ValidationError', message: expect.stringMatching(/content cannot be empty/) }
    for (const [on_error, count] of Object.entries({ rollback: 0, stop: 1, continue: 2 })) {
      const answer = await call('memory_batch_store', { items: broken, on_error })
      expect(answer).toMatchObject({ success: false, stored_count: count, errors: [wrong] })
      expect((await call('memory_list', { tags: ['batch'] }))['total']).toBe(3 + count)
      if (count > 0) await call('memory_delete', { ids: answer['stored_ids'] })
    }
    const updates = [
      { id: a, tags: ['updated', 'important'] },
      { id: b, metadata: { reviewed: true } },
    ]
    expect(await call('memory_batch_update', { updates, on_error: 'continue' })).toEqual({
      ...{ success: true, updated_count: 2, updated_ids: [a, b], errors: [] },
    })
    expect(await call('memory_get', { id: b })).toMatchObject({ metadata: { reviewed: true }, tags: ['batch'] })
    const lost = [
      { id: a, tags: ['lost'] },
      { id: UNKNOWN, tags: ['lost'] },
    ]
    expect(await call('memory_batch_update', { updates: lost })).toMatchObject({
      ...{ success: false, updated_count: 0, updated_ids: [], errors: [{ index: 1, error_type: 'NotFoundError' }] },
    })
    expect(await call('memory_get', { id: a })).toMatchObject({ tags: ['updated', 'important'] })
    await call('memory_delete', { ids: stored['stored_ids'] })
  })

  test('tools: a score grows with use, unless it was set explicitly', async () => {
    const id = await store('Tide tables are on the second shelf')
    expect(await call('memory_get_score', { id })).toEqual({
      ...{ success: true, memory_id: id, importance_score: 0.5, access_count: 0, last_accessed_at: null },
    })
    for (let i = 0; i < 12; i++) await call('memory_get', { id })
    expect(await call('memory_get_score', { id })).toEqual({
      ...{ success: true, memory_id: id, importance_score: 0.75, access_count: 12, last_accessed_at: TIME },
    })
    const set = { id, score: 0.9, reason: 'Critical user preference' }
    expect(await call('memory_set_score', set)).toEqual({
      ...{ success: true, memory_id: id, previous_score: 0.75, new_score: 0.9 },
    })
    await call('memory_get', { id })
    expect(await call('memory_get_score', { id })).toMatchObject({ importance_score: 0.9, access_count: 13 })
    await call('memory_delete', { id })
  })

  test('tools: several memories are consolidated into one, and the originals stay or are deleted', async () => {
    const texts = [
      'The pier lamps run on paraffin. They are lit at dusk.',
      'Paraffin for the pier lamps is bought in May. The merchant is on Quay Street.',
      'The pier lamps were cleaned. It took two days.',
    ]
    const memory_ids = await Promise.all(texts.map((text) => store(text, { tags: ['pier'] })))
    const stored = await call('memory_consolidate', {
      ...{ memory_ids, summary_strategy: 'extractive', preserve_originals: true, tags: ['consolidated', 'summary'] },
    })
    const { content, tags } = await call('memory_get', { id: stored['consolidated_memory_id'] })
    expect(stored).toEqual({
      ...{ success: true, consolidated_memory_id: ID, original_count: 3, preserved: true },
      summary_length: String(content).length,
    })
    expect(tags).toEqual(['consolidated', 'summary'])
    for (const line of String(content).split('\n')) expect(texts.some((text) => text.includes(line))).toBe(true)
    for (const word of ['lit at dusk', 'May', 'cleaned']) expect(content).toContain(word)
    const merged = await call('memory_consolidate', { memory_ids: memory_ids.slice(0, 2), preserve_originals: false })
    expect(merged).toMatchObject({ success: true, original_count: 2, preserved: false })
    expect(await call('memory_get', { id: memory_ids[0] })).toMatchObject({ error_type: 'NotFoundError' })
    await call('memory_delete', {
      ids: [...memory_ids, stored['consolidated_memory_id'], merged['consolidated_memory_id']],
    })
  })

  test('tools: secrets and private parts are not stored, in any field', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const id = await store(`Deploy with ${token} <private>my diary</private>`, { metadata: { deep: [{ token }] } })
    const got = JSON.stringify(await call('memory_get', { id }))
    expect(got).toContain('Deploy with')
    for (const secret of [token, 'diary']) expect(got).not.toContain(secret)
    await call('memory_update', { id, content: `Now with ${token}`, tags: [token] })
    expect(JSON.stringify(await call('memory_get', { id }))).not.toContain(token)
    await call('memory_delete', { id })
  })

  test.each([
    ['memory_store', {}, 'Content is missing'],
    ['memory_store', { content: '' }, 'Content cannot be empty'],
    ['memory_store', { content: '  \n' }, 'Content cannot be empty'],
    ['memory_store', { content: 7 }, 'content must be a string'],
    ['memory_store', { content: 'x', ttl_seconds: -1 }, 'ttl_seconds must be 0 or greater'],
    ['memory_store', { content: 'x', ttl_seconds: 1.5 }, 'ttl_seconds must be a whole number'],
    ['memory_store', { content: 'x', memory_tier: 'forever' }, 'Invalid memory_tier'],
    ['memory_store', { content: 'x', content_type: 'video' }, 'Invalid content_type'],
    ['memory_store', { content: 'x', tags: 'ui' }, 'tags must be a list'],
    ['memory_store', { content: 'x', metadata: [] }, 'metadata must be an object'],
    ['memory_store', { content: 'x', tag: ['ui'] }, 'Unknown parameter: tag'],
    ['memory_search', {}, 'Query is missing'],
    ['memory_search', { query: 'x', top_k: 0 }, 'top_k must be between 1 and 1000'],
    ['memory_search', { query: 'x', top_k: 1001 }, 'top_k must be between 1 and 1000'],
    ['memory_search', { query: 'x', min_similarity: -0.1 }, 'min_similarity must be between 0 and 1'],
    ['memory_search', { query: 'x', min_similarity: 1.1 }, 'min_similarity must be between 0 and 1'],
    ['memory_search', { query: 'x', keyword_weight: 2 }, 'keyword_weight must be between 0 and 1'],
    ['memory_search', { query: 'x', importance_weight: 2 }, 'importance_weight must be between 0 and 1'],
    ['memory_search', { query: 'x', search_mode: 'psychic' }, 'Invalid search_mode'],
    ['memory_search', { query: 'x', sort_by: 'colour' }, 'Invalid sort_by'],
    ['memory_get', {}, 'Id is missing'],
    ['memory_update', { id: UNKNOWN, memory_tier: 'forever' }, 'Invalid memory_tier'],
    ['memory_delete', {}, 'There is nothing to delete'],
    ['memory_delete', { older_than: 'yesterday' }, 'older_than is not an ISO 8601 date'],
    ['memory_list', { limit: 1001 }, 'limit must be between 1 and 1000'],
    ['memory_list', { limit: 0 }, 'limit must be between 1 and 1000'],
    ['memory_list', { offset: -1 }, 'offset must be 0 or greater'],
    ['memory_list', { created_after: 'soon' }, 'created_after is not an ISO 8601 date'],
    ['memory_batch_store', { items: [] }, 'items has 0 items'],
    ['memory_batch_store', { items: Array(101).fill({ content: 'x' }) }, 'items has 101 items'],
    ['memory_batch_store', { items: [{ content: 'x' }], on_error: 'panic' }, 'Invalid on_error'],
    ['memory_batch_update', { updates: [] }, 'updates has 0 items'],
    ['memory_set_score', { id: UNKNOWN, score: 1.5 }, 'score must be between 0 and 1'],
    ['memory_set_score', { id: UNKNOWN, score: -0.5 }, 'score must be between 0 and 1'],
    ['memory_set_score', { id: UNKNOWN }, 'Score is missing'],
    ['memory_consolidate', { memory_ids: [UNKNOWN] }, 'memory_ids has 1 items'],
    ['memory_consolidate', { memory_ids: [UNKNOWN, UNKNOWN] }, 'memory_ids names one memory only'],
    ['memory_consolidate', { memory_ids: Array(51).fill(UNKNOWN) }, 'memory_ids has 51 items'],
    ['memory_consolidate', { memory_ids: [UNKNOWN, 'b'], summary_strategy: 'poetic' }, 'Invalid summary_strategy'],
  ])('tools: %s %j is a ValidationError: %s', async (tool, input, message) => {
    const failure = await call(tool, input)
    expect(failure).toEqual({
      error: true,
      error_type: 'ValidationError',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\S/),
    })
  })

  test.each([
    ['memory_get', { id: UNKNOWN }],
    ['memory_get', { id: '772a0622-g49d-63f6-c938-668877662222' }],
    ['memory_update', { id: UNKNOWN, tags: [] }],
    ['memory_get_score', { id: UNKNOWN }],
    ['memory_set_score', { id: UNKNOWN, score: 0.5 }],
    ['memory_consolidate', { memory_ids: [UNKNOWN, 'another'] }],
  ])('tools: %s %j is a NotFoundError', async (tool, input) => {
    expect(await call(tool, input)).toEqual({
      error: true,
      error_type: 'NotFoundError',
      message: expect.stringContaining('Memory not found'),
      hint: expect.stringMatching(/\S/),
    })
  })

  test('tools: 緊急調達のコスト is found first among 1,000 others', async () => {
    const wanted = '緊急調達では15%のコスト増を見込む'
    const id = await store(wanted)
    for (let batch = 0; batch < 10; batch++) {
      const items = Array.from({ length: 100 }, (_, i) => ({ content: otherNote(100 * batch + i) }))
      expect(await call('memory_batch_store', { items })).toMatchObject({ success: true, stored_count: 100 })
    }
    for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
      const { results } = await call('memory_search', { query: '緊急調達のコスト', search_mode })
      expect((results as Json[])[0], search_mode).toMatchObject({ id, content: wanted })
    }
    expect(await call('memory_list', { limit: 1 })).toMatchObject({ total: 1_004 })
    // The document's own examples of pages.
    const [first, second] = [await call('memory_list'), await call('memory_list', { limit: 50, offset: 50 })]
    expect(second).toMatchObject({ total: 1_004, limit: 50, offset: 50 })
    expect(new Set([...contents(first), ...contents(second)]).size).toBe(100)
    expect(contents(await call('memory_list', { memory_tier: 'long_term', limit: 20 }))).toEqual(
      contents(first).slice(0, 20),
    )
  })
})
