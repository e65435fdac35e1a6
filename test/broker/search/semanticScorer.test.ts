// A comparison by meaning reads what it needs of the store, and no more.
import { expect, test } from 'vitest'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { DocCache } from '../../../src/broker/search/liveIndex.ts'
import { createSemanticScorer } from '../../../src/broker/search/semanticScorer.ts'
import type { Files } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { BEGIN, buildMemory, createTestStore } from '../../testData.ts'
import { storedEvent } from '../../tools/events.ts'

test('search: without a configured embedder texts are compared, and no vectors are read', async () => {
  const store = createTestStore()
  const stored = storedEvent(buildMemory(1, { content: 'The carpenter repairs the roof.' }), BEGIN)
  appendEvents(store.files, store.layout.events, [stored])
  rebuildStore(store, BEGIN)
  const touched: string[] = []
  const files = new Proxy(store.files, {
    get: (target, name: keyof Files) => {
      const call = target[name]
      if (typeof call !== 'function') return call
      return (...given: readonly unknown[]) => {
        touched.push(String(given[0]))
        return Reflect.apply(call, target, given)
      }
    },
  })
  const liveStore = openLiveStore({ ...store, files })
  const docs = new DocCache(liveStore).all()
  touched.length = 0
  const [similarity] = await createSemanticScorer(liveStore).score('Who repairs the roof?', docs)
  expect(similarity).toBeGreaterThan(0.5)
  expect(touched.filter((file) => file.startsWith(store.layout.vectors))).toEqual([])
})
