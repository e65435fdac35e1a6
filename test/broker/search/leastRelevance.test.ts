// A search finds what is about its words: nothing that only stands beside it, or that has one of many words.
import { expect, test } from 'vitest'
import { openMemory } from '../../../src/index.ts'
import { newFolder } from '../../tempFolders.ts'

const PROMPTS = [
  'From now on, always use pnpm and never npm in this project.',
  '本番DBには絶対に直接接続しないでください。',
  'Please always run the codegen script before the tests.',
  'Never change the public names of the billing package without asking me.',
  'Keep every date in the reports in the format of ISO 8601, always.',
]

async function searchAfterSession(...questions: readonly string[]): Promise<(readonly string[])[]> {
  const folder = newFolder('relevance')
  const memory = openMemory({ store: folder, project: folder, env: {} })
  const session_id = 'session-1'
  await memory.record({ session_id, hook_event_name: 'SessionStart', source: 'startup' })
  for (const prompt of PROMPTS) {
    await memory.record({ session_id, hook_event_name: 'UserPromptSubmit', prompt })
    await memory.record({ session_id, hook_event_name: 'Stop', last_assistant_message: 'Understood, I will do so.' })
  }
  await memory.record({ session_id, hook_event_name: 'SessionEnd', reason: 'exit' })
  await memory.organize()
  const found: (readonly string[])[] = []
  for (const question of questions) {
    const hits = await memory.search(question, { limit: 20 })
    found.push(hits.map(({ memory: { content } }) => content))
  }
  await memory.close()
  return found
}

test('search: a word finds what has it, and nothing else that was said in the same session', async () => {
  const [pnpm = [], codegen = [], database = []] = await searchAfterSession('pnpm', 'codegen', '本番')
  for (const [found, word] of [
    [pnpm, 'pnpm'],
    [codegen, 'codegen'],
    [database, '本番'],
  ] as const) {
    expect(found.length).toBeGreaterThan(0)
    for (const content of found) expect(content).toContain(word)
  }
})

test('search: of several words, a memory with one of them is not found beside one with all', async () => {
  const [found = []] = await searchAfterSession(
    'in which format do reports of this project keep a date, is it ISO 8601',
  )
  expect(found[0]).toContain('ISO 8601')
  expect(found.some((content) => content.includes('pnpm'))).toBe(false)
})
