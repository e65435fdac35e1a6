// What a reader may not see does not touch what they see: neither by taking a place nor by standing near.
import { expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import type { EventOf } from '../../../src/model/event.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { BEGIN, buildMemory, createTestStore, DAY, HOUR, iso, sessionId, testMemoryId } from '../../testData.ts'

const stored = (memory: Memory): EventOf<'memory.stored'> => ({
  id: memory.id.replaceAll('-', '').slice(16) as EventOf<'memory.stored'>['id'],
  at: memory.created,
  session: sessionId('import'),
  role: 'main',
  outcome: 'unknown',
  lessons: [],
  privacy: 'public',
  kind: 'memory.stored',
  memory,
})

function storeWith(...memories: readonly Memory[]): Store {
  const store = createTestStore()
  appendEvents(store.files, store.layout.events, memories.map(stored))
  runMaintenance(store, { now: BEGIN + HOUR })
  return store
}

const testMemory = (n: number, of: string, given: Partial<Memory> = {}): Memory =>
  buildMemory(n, {
    kind: 'lesson',
    content: 'The discount of the cart is rounded to cents.',
    session: sessionId(of),
    ...given,
  })
const question = { text: 'How is the discount of the cart rounded?', now: BEGIN + DAY }
const HIDDEN: Readonly<Record<string, Partial<Memory>>> = {
  'another role’s': { privacy: 'agent-only', role: 'Explore' },
  private: { privacy: 'private', role: 'Explore', agentId: 'a1' },
  archived: { status: 'archived' },
  expired: { expires: iso(BEGIN + DAY - 1) },
  working: { retention: 'working' },
}

for (const [name, hidden] of Object.entries(HIDDEN)) {
  test(`broker: ${name} memories take no rank, also if many match the query better`, () => {
    const better = Array.from({ length: 120 }, (_, i) =>
      testMemory(100 + i, 'theirs', { content: 'discount cart rounded discount cart rounded', ...hidden }),
    )
    const { shown, others } = recallMemories(storeWith(testMemory(1, 'ours'), ...better), question)
    expect(shown.map((item) => item.memory.id)).toEqual([testMemoryId(1)])
    expect(others).toEqual([])
  })

  test(`broker: ${name} memories do not change the score of their neighbours`, () => {
    const beside = testMemory(2, 'one', { content: 'discount cart rounded discount cart rounded', ...hidden })
    const { shown } = recallMemories(
      storeWith(
        testMemory(1, 'one'),
        beside,
        testMemory(3, 'two'),
        testMemory(4, 'three', { content: 'Nothing of it.' }),
      ),
      question,
    )
    const [first, second] = [testMemoryId(1), testMemoryId(3)].map(
      (id) => shown.find((scored) => scored.memory.id === id)!,
    )
    expect(first!.features).toEqual(second!.features)
  })
}
