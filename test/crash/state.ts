// The state of a store as its readers see it, to compare two stores.
import type { Store } from '../../src/broker/open/openStore.ts'
import { listCoveredMemories, loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { recallMemories } from '../../src/broker/search/recallMemories.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { loadMemories } from '../testData.ts'

const QUESTIONS = [
  { text: 'npm test fails', command: 'npm test', error: 'Error: prices are not built' },
  { text: 'money in cents' },
  { text: 'what about the stock?', files: ['src/stock.ts'] },
]

/** Memories, the learned policy and its history, pending sessions, event ids, and results of queries at `now`. */
export function stateOf(store: Store, now: number) {
  const { projection } = loadProjection(store)
  return {
    memories: loadMemories(store),
    shelved: listCoveredMemories(store)
      .map((memory) => memory.id)
      .sort(),
    learned: projection.learned,
    history: projection.history,
    judged: projection.judged,
    baselines: projection.baselines,
    pending: [...projection.sessions.values()].map(({ id, pending, ended, told }) => ({ id, ended, told, pending })),
    events: readLog(realDisk, store.layout.events).events.map((event) => event.id),
    answers: QUESTIONS.map((question) =>
      recallMemories(store, { ...question, now }).shown.map(({ memory, score }) => [memory.id, score.toFixed(6)]),
    ),
  }
}

/** Opens the snapshot like a reader at this moment, and reads all of it. */
export const readThrough = (store: Store): number => listCoveredMemories(store).length
