// eval retrieval --learn: what a project's own learning makes of questions with known answers, carried over as a person
// would do it.
//
//   questions ─▶ each asked of its own conversation ─▶ logged in one project, with what helped ─▶ its learning, its guard
//                                                        └─▶ policy export ─▶ policy import where the others are asked
import fs from 'node:fs'
import path from 'node:path'
import { exportPolicy, importPolicy } from '../../src/broker/commands/policyExchange.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { createTempHome } from '../../src/cli/context/storeOption.ts'
import { askEach, rankFor } from './conversations.ts'
import type { LabelledSet } from './labelledFiles.ts'
import { type RankedQuery, trainFromLabels } from './trainFromLabels.ts'

/** Memories ranked for a question that is learned from. */
const RANKED_MAX = 50

/** The text of a policy file; `now` in milliseconds since 1970. */
export function learnPolicy(labels: LabelledSet, now: number): string {
  const lessons: RankedQuery[] = []
  askEach(labels, now, (conversation, query) => {
    const memories = new Map([...conversation.ids].map(([memory, id]) => [id, memory]))
    lessons.push({
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
    trainFromLabels(store, lessons, now)
    return exportPolicy(store, now).text
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

/** Imports a policy file into the project whose questions are asked next. */
export function importLearned(store: Store, policy: string, now: number): void {
  importPolicy(store, { text: policy, file: 'what was learned', now })
}
