// A bounded heap of the best.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TopK } from '../../../src/store/index/topK.ts'

test('index top k: the best k are the first k of the sorted list, in the same order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(12), (worths, max) => {
      const all = worths.map((worth, place) => ({ worth, place }))
      const compare = (a: (typeof all)[number], b: (typeof all)[number]): number =>
        b.worth - a.worth || a.place - b.place
      const best = new TopK(max, compare)
      for (const item of all) best.push(item)
      const sorted = all.toSorted(compare).slice(0, max)
      expect(best.toArray()).toEqual(sorted)
      expect(best.worst).toEqual(all.length < max || max === 0 ? undefined : sorted.at(-1))
    }),
  )
})
