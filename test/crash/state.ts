// What a store comes to, as its readers see it: two stores are the same when this is.

import { ask } from '../../src/broker/search/ask.ts'
import { closeReader, readerFor } from '../../src/broker/search/indexReaderCache.ts'
import type { Store } from '../../src/broker/store.ts'
import { load } from '../../src/broker/view/save.ts'
import { disk } from '../../src/store/files.ts'
import { readLog } from '../../src/store/logRead.ts'
import { memoriesIn } from '../build.ts'

const QUESTIONS = [
  { text: 'npm test fails', command: 'npm test', error: 'Error: prices are not built' },
  { text: 'money in cents' },
  { text: 'what about the stock?', files: ['src/stock.ts'] },
]

/** Memories, the learned policy and its history, sessions left to do, the events' ids, and answers to some questions at `now`. */
export function stateOf(store: Store, now: number) {
  const { view } = load(store)
  const shelf = readerFor(store)
  try {
    return {
      memories: memoriesIn(store),
      shelved: [...shelf.all()].map((memory) => memory.id).sort(),
      learned: view.learned,
      history: view.history,
      judged: view.judged,
      baselines: view.baselines,
      pending: [...view.sessions.values()].map(({ id, pending, ended, told }) => ({ id, ended, told, pending })),
      events: readLog(disk, store.layout.events).events.map((event) => event.id),
      answers: QUESTIONS.map((question) =>
        ask(store, { ...question, now }).shown.map(({ memory, score }) => [memory.id, score.toFixed(6)]),
      ),
    }
  } finally {
    closeReader(shelf)
  }
}

/** Opens the view as a reader would who comes at this moment, and reads all of it. */
export function readThrough(store: Store): number {
  const shelf = readerFor(store)
  try {
    return [...shelf.all()].length
  } finally {
    closeReader(shelf)
  }
}
