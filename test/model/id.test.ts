// Beginnings of ids: one that a single item has names it, and printed ids stay different.
import { describe, expect, test } from 'vitest'
import { listByPrefix, selectByPrefix, shortIdChars } from '../../src/model/id.ts'

const kind = { noun: 'memory', hint: 'List them.' }
const items = ['abcdef0123', 'abcdef0456', 'b', 'b7', 'Ünï-1'].map((id) => ({ id }))

describe('ids: a beginning', () => {
  test.each([
    ['abcdef01', 'abcdef0123'],
    ['ABCDEF04', 'abcdef0456'],
    ['b7', 'b7'],
    ['ünï', 'Ünï-1'],
  ])('ids: %j is %s', (prefix, id) => {
    expect(selectByPrefix(items, prefix, kind).id).toBe(id)
  })

  test('ids: a whole id is only itself, also if others begin with it', () => {
    expect(listByPrefix(items, 'b')).toEqual([{ id: 'b' }])
  })

  test('ids: several are an error on one line with those ids, none is an error, and so is an empty text', () => {
    expect(() => selectByPrefix(items, 'abc', kind)).toThrow(
      expect.objectContaining({ message: '2 ids begin with "abc": abcdef01, abcdef04', hint: 'Give more of the id.' }),
    )
    for (const prefix of ['', 'zz'])
      expect(() => selectByPrefix(items, prefix, kind)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })

  test('ids: 8 characters are printed, and more where ids begin alike', () => {
    expect(shortIdChars([])).toBe(8)
    expect(shortIdChars(['12345678aa', '12345679aa', '12345678aa'])).toBe(8)
    expect(shortIdChars(['12345678aa', '12345678ab', 'f'])).toBe(10)
  })
})
