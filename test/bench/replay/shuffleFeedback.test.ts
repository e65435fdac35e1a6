// Shuffled feedback: the same verdicts, given to other memories of the same moment.
import { expect, test } from 'vitest'
import { createFeedbackShuffler } from '../../../bench/replay/shuffleFeedback.ts'
import type { AttributedRecall } from '../../../src/improve/attribution.ts'
import type { EventId } from '../../../src/model/id.ts'
import { BEGIN, iso, testMemoryId } from '../../testData.ts'

/** Recalls of two memories at two moments; the first memory of a recall is used, at starts by .3, at calls by .7. */
const recalls = Array.from({ length: 200 }, (_, n): AttributedRecall => {
  const moment = n % 2 === 0 ? 'start' : 'call'
  return {
    ...{ recall: `recall-${n}` as EventId, moment, at: iso(BEGIN + n), withheld: false },
    memories: [0, 1].map((i) => ({
      ...{ memory: testMemoryId(2 * n + i), features: { files: 1 - i }, traces: [] },
      ...{ used: i === 0 ? (moment === 'start' ? 0.3 : 0.7) : 0, contribution: 0 },
      parts: { success: 0, time: 0, calls: 0, errors: 0 },
    })),
  }
})

const shuffleAll = (seed: number): AttributedRecall[] => {
  const shuffle = createFeedbackShuffler(seed)
  return Array.from({ length: 50 }, (_, i) => shuffle(recalls.slice(4 * i, 4 * i + 4))).flat()
}

test('replay: shuffled feedback keeps recalls and features, and says nothing about a memory any more', () => {
  const shuffled = shuffleAll(1)
  expect(shuffled.map(({ memories }) => memories.map(({ memory, features }) => [memory, features]))).toEqual(
    recalls.map(({ memories }) => memories.map(({ memory, features }) => [memory, features])),
  )
  const calls = shuffled.filter(({ moment }) => moment === 'call')
  const used = (place: number) => calls.filter(({ memories }) => (memories[place]?.used ?? 0) > 0).length
  expect(Math.abs(used(0) - used(1))).toBeLessThan(30)
  expect(new Set(calls.flatMap(({ memories }) => memories.map((memory) => memory.used)))).toEqual(new Set([0, 0.7]))
})

test('replay: the same seed shuffles in the same way', () => {
  expect(shuffleAll(2)).toEqual(shuffleAll(2))
  expect(shuffleAll(2)).not.toEqual(shuffleAll(3))
})
