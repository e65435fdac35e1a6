// eval retrieval --learn: learns a policy from questions with known answers and transfers it by export and import, as
// users do.
//
//   questions ─▶ ranked in their own conversations ─▶ logged in one project, with the helpful memories
//             ─▶ learner, guard ─▶ policy export ─▶ policy import into the projects of the other questions
import fs from 'node:fs'
import path from 'node:path'
import { exportPolicy, importPolicy } from '../../src/broker/commands/policyExchange.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { createTempHome } from '../../src/cli/context/storeOption.ts'
import { askEach, rankFor } from './conversations.ts'
import type { LabelledSet } from './labelledFiles.ts'
import { type RankedQuery, trainFromLabels } from './trainFromLabels.ts'

/** Memories ranked for each training question. */
const RANKED_MAX = 50

/** Returns the text of a policy file; `now` in milliseconds since 1970. */
export function learnPolicy(labels: LabelledSet, now: number): string {
  const queries: RankedQuery[] = []
  askEach(labels, now, (conversation, query) => {
    const memories = new Map([...conversation.ids].map(([memory, id]) => [id, memory]))
    queries.push({
      id: query.id,
      text: query.query,
      at: query.at ?? conversation.newest,
      ranked: rankFor(conversation, query, RANKED_MAX),
      helped: query.relevant.flatMap((id) => memories.get(id) ?? []),
    })
  })
  const home = createTempHome('learn')
  try {
    const store = openStoreAt(path.join(home, 'store'), path.join(home, 'lessons'))
    trainFromLabels(store, queries, now)
    return exportPolicy(store, now).text
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** Imports a policy file into the project that the next questions search. */
export function importLearned(store: Store, policy: string, now: number): void {
  importPolicy(store, { text: policy, file: 'what was learned', now })
}
