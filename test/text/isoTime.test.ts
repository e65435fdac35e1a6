// ISO times, as hooks write them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from '../../src/text/isoTime.ts'

test('iso: any time is written as Date writes it, and an invalid time throws', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true }), (date) => {
      expect(isoTime(date.getTime())).toBe(date.toISOString())
    }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => {
      expect(isoTime(ms)).toBe(new Date(ms).toISOString())
    }),
  )
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
})
