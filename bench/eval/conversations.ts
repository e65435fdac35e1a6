// eval retrieval: labelled questions asked of a throw-away store for each conversation, through the ordinary import and recall.
import fs from 'node:fs'
import path from 'node:path'
import { keepShelf, releaseShelf } from '../../src/broker/hook/shelves.ts'
import { type Standing, standings } from '../../src/broker/search/ask.ts'
import { type Store, storeAt } from '../../src/broker/store.ts'
import { scratchHome } from '../../src/cli/scratch.ts'
import type { MemoryId } from '../../src/model/id.ts'
import { type CorpusLine, importLines } from './importCorpus.ts'
import type { QueryLine } from './labelledFiles.ts'

/** Recall over a conversation's memories, for as long as `withConversations` runs. */
export interface Conversation {
  readonly conv: string
  readonly store: Store
  /** The corpus's id of a memory. */
  readonly ids: ReadonlyMap<MemoryId, string>
  /** What now is to a question that has no time of its own: the corpus's newest moment. */
  readonly newest: number
}

/** A question's answer: a line of a RUN file. */
export interface RunLine {
  readonly id: string
  readonly ranked: readonly { readonly id: string; readonly score: number }[]
}

/** Runs `each` over every conversation, one after the other, each in a store of its own that goes afterwards. */
export async function withConversations(
  corpus: readonly CorpusLine[],
  now: number,
  each: (conversation: Conversation) => Promise<void> | void,
): Promise<void> {
  const home = scratchHome('eval')
  try {
    let number = 0
    for (const [conv, lines] of byConversation(corpus)) {
      const store = storeAt(path.join(home, String(++number)), path.join(home, `project-${number}`))
      const ids = importLines(store, lines, now)
      const newest = lines.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0) || now
      keepShelf(store)
      try {
        await each({ conv, store, ids, newest })
      } finally {
        releaseShelf(store)
      }
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** The best `top` memories for a question (0: every candidate), as ranking has them: before any threshold and budget. */
export function asked(conversation: Conversation, query: QueryLine, top: number): Standing[] {
  return standings(conversation.store, { text: query.query, now: query.at ?? conversation.newest }, top).slice(
    0,
    top || undefined,
  )
}

/** The answer by the corpus's own ids. */
export const runLine = (conversation: Conversation, query: QueryLine, standing: readonly Standing[]): RunLine => ({
  id: query.id,
  ranked: standing.map(({ id, score }) => ({ id: conversation.ids.get(id)!, score })),
})

function byConversation(corpus: readonly CorpusLine[]): Map<string, CorpusLine[]> {
  const groups = new Map<string, CorpusLine[]>()
  for (const line of corpus) {
    const group = groups.get(line.conv)
    if (group) group.push(line)
    else groups.set(line.conv, [line])
  }
  return groups
}
