// A person finds whatever a list shows by each word that is in it, in any script, however little it is about that word.
import { expect, test } from 'vitest'
import { openStoreAt } from '../../../src/broker/open/openStore.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { searchByWords } from '../../../src/broker/search/recallMemories.ts'
import { openMemory } from '../../../src/index.ts'
import { newFolder } from '../../tempFolders.ts'

const PROMPTS = [
  'やっぱり画像はWebPじゃなくてAVIFにして',
  '「冬の京都」の記事は途中まで。金閣寺の節は明日書く',
  'コミットメッセージは英語にして',
  'AVIFのAVIF変換のAVIF設定',
  'デプロイの手順を教えて',
]
const LONG = `The converter reads every file. ${'It copies what it does not know. '.repeat(50)}AVIF last.`

test('search: a memory that a list shows is found by each of its own words', async () => {
  const folder = newFolder('typed')
  const memory = openMemory({ store: folder, project: folder, env: {} })
  const session_id = 'session-1'
  for (const prompt of PROMPTS) {
    await memory.record({ session_id, hook_event_name: 'UserPromptSubmit', prompt })
    await memory.record({ session_id, hook_event_name: 'Stop', last_assistant_message: '了解しました。' })
  }
  await memory.record({ session_id, hook_event_name: 'SessionEnd', reason: 'exit' })
  await memory.organize()
  await memory.call('memory_store', { content: LONG })
  await memory.close()
  const store = openStoreAt(folder, folder)
  const find = (text: string): string[] =>
    searchByWords(store, { text, limit: 20, withListed: true, now: Date.now() }).map((hit) => hit.memory.content)
  const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })
  const listed = listMemories(store)
  expect(listed.length).toBeGreaterThanOrEqual(PROMPTS.length)
  for (const { content } of listed) {
    const words = [...segmenter.segment(content.slice(0, 100))].filter((word) => word.isWordLike)
    for (const { segment } of words)
      expect([segment, find(segment)]).toEqual([segment, expect.arrayContaining([content])])
  }
  for (const word of ['AVIF', 'ａｖｉｆ', '画像 avif']) expect(find(word)).toContain(PROMPTS[0])
  expect(find('AVIF')).toContain(LONG)
  // Of the sentence that is not its first.
  for (const word of ['金閣寺', '明日']) expect(find(word)).toContain('「冬の京都」の記事は途中まで')
})
