// What somebody stores as it is stands alone: what is stored beside it changes nothing in how it is found.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openMemory } from '../../../src/index.ts'
import { newFolder } from '../../tempFolders.ts'

const WORDS = ['lock', 'cache', 'invoice', 'harbour', 'retry', 'deploy', 'kayak', 'schema', 'token', '設定', '砂浜']
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 6 }).map((words) => `${words.join(' ')}.`)
const texts = fc.uniqueArray(text, { minLength: 4, maxLength: 14 })

/** Score and features of each text, without what differs between two stores: names and the time. */
async function searchStore(sessions: readonly (readonly string[])[], question: string): Promise<Map<string, string>> {
  const folder = newFolder('independent')
  for (const [i, contents] of sessions.entries()) {
    const memory = openMemory({ store: folder, project: folder, env: {}, session: `session-${i}`, now: () => 1e12 })
    await memory.call('memory_batch_store', { items: contents.map((content) => ({ content })) })
    await memory.close()
  }
  const memory = openMemory({ store: folder, project: folder, env: {}, now: () => 1e12 })
  const found = await memory.search(question, { limit: 50 })
  await memory.close()
  return new Map(found.map(({ memory: { content }, score }) => [content, score.toFixed(9)]))
}

test('search: a text of a batch is found as if it had been stored in a session of its own, in any order', () =>
  fc.assert(
    fc.asyncProperty(texts, text, async (contents, question) => {
      const together = await searchStore([contents], question)
      expect(await searchStore([contents.toReversed()], question)).toEqual(together)
      expect(
        await searchStore(
          contents.map((content) => [content]),
          question,
        ),
      ).toEqual(together)
    }),
    { numRuns: 15 },
  ))

test('search: a text without a word of the question is not found because of what was stored beside it', async () => {
  const neighbours = ['The harbour is closed in winter.', 'Invoices are rounded to cents.', 'The cache has 500 places.']
  const found = await searchStore([neighbours], 'When is the harbour closed?')
  expect([...found.keys()]).toEqual([neighbours[0]])
})
