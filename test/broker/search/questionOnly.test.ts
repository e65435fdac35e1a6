// A question is not answered with itself: what only repeats a question is a result of no search.
import { expect, test } from 'vitest'
import { openMemory, type ProjectMemory } from '../../../src/index.ts'
import { newFolder } from '../../tempFolders.ts'

const QUESTION = 'Which port does the staging database listen on?'
const ANSWER = 'The staging database listens on port 6543, behind the bouncer.'

/** A session in which somebody only asks; the client was closed before an answer, or its answer is `answer`. */
async function ask(memory: ProjectMemory, session_id: string, answer?: string): Promise<void> {
  await memory.record({ session_id, hook_event_name: 'SessionStart', source: 'startup' })
  await memory.record({ session_id, hook_event_name: 'UserPromptSubmit', prompt: QUESTION })
  if (answer) await memory.record({ session_id, hook_event_name: 'Stop', last_assistant_message: answer })
  await memory.record({ session_id, hook_event_name: 'SessionEnd', reason: 'exit' })
}

const open = (folder: string): ProjectMemory => openMemory({ store: folder, project: folder, env: {} })

async function results(memory: ProjectMemory): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {
    search: (await memory.search(QUESTION)).map(({ memory: { content } }) => content),
    recall: (await memory.recall(QUESTION)).shown.map(({ memory: { content } }) => content),
  }
  for (const search_mode of ['keyword', 'semantic', 'hybrid']) {
    const answer = await memory.call('memory_search', { query: QUESTION, search_mode })
    found[search_mode] = (answer as { results: { content: string }[] }).results.map(({ content }) => content)
  }
  return found
}

test('search: however often a question was asked, only the memory with the answer is a result', async () => {
  const memory = open(newFolder('asked'))
  await memory.call('memory_store', { content: ANSWER })
  for (let i = 0; i < 6; i++) await ask(memory, `session-${i}`)
  await memory.organize()
  for (const [path, contents] of Object.entries(await results(memory)))
    expect([path, contents]).toEqual([path, [ANSWER]])
  await memory.rebuild()
  for (const [path, contents] of Object.entries(await results(memory)))
    expect([path, contents]).toEqual([path, [ANSWER]])
  await memory.close()
})

test('search: a question with its answer is a result, the summary that nothing was changed is none', async () => {
  const memory = open(newFolder('asked'))
  await ask(memory, 'session-1', ANSWER)
  await memory.organize()
  for (const [path, contents] of Object.entries(await results(memory))) {
    expect([path, contents.length]).toEqual([path, 1])
    expect(contents[0]).toContain('port 6543')
  }
  await memory.close()
})
