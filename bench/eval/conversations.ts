// Runs labelled questions on a temporary store for each conversation, with the product's own import and recall.
import path from 'node:path'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import type { MemoryId } from '../../src/model/id.ts'
import { groupBy } from '../../src/model/sorting.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { type CorpusDocument, importCorpus } from './importCorpus.ts'
import type { LabelledQuery, LabelledSet } from './labelledFiles.ts'
import { type RankedCandidate, rankQuestion } from './rankQuestion.ts'

/** A conversation's memories in a temporary store, which exists only during the callback that receives it. */
interface Conversation {
  readonly store: Store
  /** The corpus's id of each memory. */
  readonly ids: ReadonlyMap<MemoryId, string>
  /** The time of questions without a time of their own, in milliseconds since 1970: the newest time in the corpus. */
  readonly newest: number
}

/** Calls `ask` for every question with its conversation. */
export function askEach(
  { corpus, queries }: LabelledSet,
  now: number,
  ask: (conversation: Conversation, query: LabelledQuery) => void,
): void {
  using home = createTempHome('eval')
  const queriesByConv = groupBy(queries, ({ conv }) => conv)
  let count = 0
  for (const [conv, lines] of groupBy(corpus, (line) => line.conv)) {
    const ownQueries = queriesByConv.get(conv)
    if (!ownQueries) continue
    const store = openStoreAt(path.join(home.path, String(++count)), path.join(home.path, `project-${count}`))
    withConversation(store, lines, now, (conversation) => {
      for (const query of ownQueries) ask(conversation, query)
    })
  }
}

/** The best `limit` memories for a question (0: all candidates), before any threshold and budget. */
export function rankFor(conversation: Conversation, query: LabelledQuery, limit: number): RankedCandidate[] {
  const question = { text: query.query, now: query.at ?? conversation.newest }
  return rankQuestion(conversation.store, question, limit).slice(0, limit || undefined)
}

function withConversation(
  store: Store,
  lines: readonly CorpusDocument[],
  now: number,
  use: (conversation: Conversation) => void,
): void {
  const ids = importCorpus(store, lines, now)
  const newest = lines.reduce((latest, { at }) => Math.max(latest, at ?? 0), 0) || now
  use({ store, ids, newest })
}
