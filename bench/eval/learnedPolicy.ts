// eval --learn: what a project's own learning makes of questions with known answers, carried over as a person would carry it.
//
//   questions ─▶ each asked of its own conversation ─▶ logged in one project, with what helped ─▶ its learning, its guard
//                                                        └─▶ policy export ─▶ policy import where the others are asked
import fs from 'node:fs'
import path from 'node:path'
import { exported, imported } from '../../src/broker/policy/carry.ts'
import { storeAt } from '../../src/broker/store.ts'
import { scratchHome } from '../../src/cli/scratch.ts'
import { asked, type Conversation, withConversations } from './conversations.ts'
import type { CorpusLine } from './importCorpus.ts'
import type { QueryLine } from './labelledFiles.ts'
import { type Lesson, learnFrom } from './trainFromLabels.ts'

/** Memories ranked for a question that is learned from. */
const TOP = 50

/** The text of a policy file; `now` in milliseconds since 1970. */
export async function learnedFrom(
  corpus: readonly CorpusLine[],
  questions: readonly QueryLine[],
  now: number,
): Promise<string> {
  const lessons = await lessonsOf(corpus, questions, now)
  const home = scratchHome('learn')
  try {
    const store = storeAt(path.join(home, 'store'), path.join(home, 'lessons'))
    learnFrom(store, lessons, now)
    return exported(store, now).text
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** Puts what was learned into the project whose questions are asked next. */
export function takeLearned({ store }: Conversation, text: string, now: number): void {
  imported(store, text, 'what was learned', now)
}

async function lessonsOf(
  corpus: readonly CorpusLine[],
  questions: readonly QueryLine[],
  now: number,
): Promise<Lesson[]> {
  const convs = new Set(questions.map(({ conv }) => conv))
  const own = corpus.filter(({ conv }) => convs.has(conv))
  const lessons: Lesson[] = []
  await withConversations(own, now, (conversation) => {
    const memories = new Map([...conversation.ids].map(([memory, id]) => [id, memory]))
    for (const question of questions) {
      if (question.conv !== conversation.conv) continue
      lessons.push({
        ...{ id: question.id, text: question.query, at: question.at ?? conversation.newest },
        ranked: asked(conversation, question, TOP),
        helped: question.relevant.flatMap((id) => memories.get(id) ?? []),
      })
    }
  })
  return lessons
}
