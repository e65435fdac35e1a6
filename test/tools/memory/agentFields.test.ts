// The fields of the shared schema of agents, through every door: privacy, role, task, outcome and lessons.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_DOORS, type Door, type Json } from '../callers.ts'

const LESSON = 'Run the migration first, then the seed.'

describe.each(Object.keys(ALL_DOORS))('agent fields through the %s', (name) => {
  let door: Door
  beforeAll(async () => {
    door = await ALL_DOORS[name]!()
  })
  afterAll(() => door.end())

  test('tools: a memory is stored and read with privacy, role, task, outcome and lessons', async () => {
    const fields = { privacy: 'public', role: 'reviewer', task_id: 'GH-42', outcome: 'failure', lessons: [LESSON] }
    const shown = { role: 'reviewer', task_id: '#42', outcome: 'failure', lessons: [LESSON] }
    const stored = await door.call('memory_store', {
      content: 'The seed needs the tables of the migration.',
      ...fields,
    })
    expect(stored).toMatchObject(shown)
    expect(await door.call('memory_get', { id: stored['id'] })).toMatchObject(shown)
    const search = { query: 'what has to run before the seed', search_mode: 'hybrid' }
    expect(await door.call('memory_search', search)).toMatchObject({ results: [shown] })
    expect(await door.call('memory_list')).toMatchObject({ memories: [shown] })
  })

  test('tools: without these fields an answer is what the memory-tools spec says', async () => {
    const stored = await door.call('memory_store', { content: 'Nothing else is known.' })
    expect(Object.keys(stored).sort()).toEqual(['content', 'created_at', 'id', 'memory_tier'])
  })

  test('tools: a batch stores them too', async () => {
    const item = { content: '移行の後に種を入れる。', lessons: ['移行を先に実行する。'], outcome: 'success' }
    const stored = await door.call('memory_batch_store', { items: [item] })
    const [id] = stored['stored_ids'] as string[]
    expect(await door.call('memory_get', { id })).toMatchObject({ lessons: item.lessons, outcome: 'success' })
  })

  test.each([
    [{ privacy: 'secret' }, 'Invalid privacy: "secret"', 'Use one of private, agent-only, public.'],
    [{ outcome: 'done' }, 'Invalid outcome: "done"', 'Use one of unknown, success, failure.'],
    [{ role: ' ' }, 'Role cannot be empty', 'Give role some text.'],
    [{ task_id: 'x'.repeat(201) }, 'Task_id has 201 characters', 'Use at most 200, or several memories.'],
    [{ lessons: [''] }, 'Lessons[0] cannot be empty', 'Give lessons[0] some text.'],
  ] as [Json, string, string][])('tools: %j is refused, with what to do', async (fields, message, hint) => {
    expect(await door.call('memory_store', { content: 'A text.', ...fields })).toEqual({
      error: true,
      error_type: 'ValidationError',
      message,
      hint,
    })
  })
})
