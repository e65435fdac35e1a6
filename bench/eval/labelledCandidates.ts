// Lessons: each labelled question with its candidates and their features, as the store's own recall gives them.

import { asked, withConversations } from './conversations.ts'
import type { Lesson } from './fitWeights.ts'
import type { CorpusLine } from './importCorpus.ts'
import type { QueryLine } from './labelledFiles.ts'

/** The questions that have an answer, asked one after the other; `step` hears of each. */
export async function lessonsOf(
  corpus: readonly CorpusLine[],
  queries: readonly QueryLine[],
  now: number,
  step: (conv: string) => void = () => {},
): Promise<Lesson[]> {
  const lessons: Lesson[] = []
  await withConversations(corpus, now, (conversation) => {
    for (const query of queries) {
      if (query.conv !== conversation.conv || query.relevant.length === 0) continue
      const candidates = asked(conversation, query, 0).map(({ id, features }) => ({
        features,
        relevant: query.relevant.includes(conversation.ids.get(id)!),
      }))
      lessons.push({ conv: conversation.conv, candidates, relevantCount: query.relevant.length })
      step(conversation.conv)
    }
  })
  return lessons
}
