// A search by meaning in a long process uses the graph of the vector index, and finds what comparing all finds.
import { expect, test } from 'vitest'
import { seededRandom } from '../../../bench/fixture/seededRandom.ts'
import { randomSentence } from '../../../bench/fixture/syntheticText.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { hybridSearch } from '../../../src/broker/search/hybridSearch.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { GRAPH_ROWS_MIN, loadHnswLibrary, openVectorSet } from '../../../src/store/vectors/vectorIndex.ts'
import { BEGIN, buildMemory, createTestStore } from '../../testData.ts'
import { storedEvent } from '../../tools/events.ts'

const COUNT = GRAPH_ROWS_MIN + 100
const isInstalled = (await loadHnswLibrary(undefined)) !== undefined

test.skipIf(!isInstalled)(
  'search: later searches of a process use the graph and find the same memories',
  async () => {
    const store = createTestStore()
    const chance = seededRandom(3)
    appendEvents(
      store.files,
      store.layout.events,
      Array.from({ length: COUNT }, (_, n) =>
        storedEvent(buildMemory(n, { content: randomSentence(chance, 6) }), BEGIN),
      ),
    )
    rebuildStore(store, BEGIN)
    const { files, layout } = store
    const { tiers } = openVectorSet(files, layout, await loadHnswLibrary(undefined)).current
    // A rebuild makes the complete graph.
    const [name] = Object.values(tiers)
    const described = JSON.parse(files.read(`${layout.vectors}/${name}.json`)?.toString('utf8') ?? '{}')
    expect(described.graph?.rows).toBe(COUNT)

    const liveStore = openLiveStore(store)
    const find = async (query: string, passes: (content: string) => boolean = () => true) => {
      const hits = await hybridSearch(liveStore, {
        ...{ query, mode: 'semantic', keywordWeight: 0, topK: 5, similarityMin: 0, sortBy: 'relevance' },
        ...{ importanceWeight: 0, now: BEGIN, session: undefined, passes: ({ content }) => passes(content) },
      })
      return hits.map(({ memory }) => memory.content)
    }
    const questions = Array.from({ length: 12 }, () => randomSentence(chance, 6))
    const exact = []
    // The first eight searches compare all vectors.
    for (const question of questions.slice(0, 8)) exact.push(await find(question))
    for (const [i, question] of questions.slice(0, 8).entries()) expect(await find(question)).toEqual(exact[i])
    const rare = exact[0]?.[4]
    expect(await find(questions[5] ?? '', (content) => content === rare)).toEqual([rare])
  },
  120_000,
)
