import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonShortener, PayloadText } from '../../src/hook/shortenPayload.ts'
import type { HookPayload } from '../../src/record/hookPayload.ts'
import { sanitizePayload } from '../../src/record/sanitizePayload.ts'
import { hasCut, trimCuts } from '../../src/text/cutString.ts'

/** The shortened text of some bytes that arrive in parts of `size` bytes. */
function shorten(text: string | Buffer, size = 65_536): string | undefined {
  const bytes = Buffer.from(text as string)
  const shortener = new JsonShortener()
  for (let at = 0; at < bytes.length; at += size) shortener.push(bytes.subarray(at, at + size))
  return shortener.finish()
}

const payload = (fields: Readonly<Record<string, unknown>>): HookPayload =>
  ({ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', ...fields }) as HookPayload

describe('hook: a long payload is shortened while it arrives', () => {
  test('record: what is not long stays as it is, in parts of any size', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.integer({ min: 1, max: 9 }), (json, size) => {
        expect(JSON.parse(shorten(`${json} `, size) ?? '')).toEqual(JSON.parse(json))
      }),
    )
  })

  test('hook: a payload that ends anywhere is JSON all the same', () => {
    const json = JSON.stringify(payload({ a: ['é"\\', 1.5, true, { 'n\n': null }], b: '😀日本', c: {} }))
    const bytes = Buffer.from(json)
    for (let end = 1; end <= bytes.length; end += 1) {
      const text = shorten(bytes.subarray(0, end), 3)
      expect(() => JSON.parse(text ?? '{}')).not.toThrow()
    }
  })

  test('record: head and tail of a long text are kept, in English and Japanese, at any byte', () => {
    for (const part of ['a quick test. ', '日本語の文章。', '"', '\\', '\n', '😀']) {
      for (let shift = 0; shift < 7; shift += 1) {
        const long = `first ${'x'.repeat(shift)}${part.repeat(60_000)} last`
        const { error } = JSON.parse(shorten(JSON.stringify({ error: long })) ?? '')
        expect(error.length).toBeLessThan(60_000)
        expect(error.startsWith('first')).toBe(true)
        if (!'"\\\n'.includes(part)) expect(error.endsWith(' last')).toBe(true)
        expect(hasCut(error)).toBe(true)
      }
    }
  })

  test('record: the fields after a long one are kept', () => {
    const fields = {
      tool_response: { stdout: 'x'.repeat(300_000), list: Array(90_000).fill('item') },
      tool_use_id: 'c',
    }
    const read = JSON.parse(shorten(JSON.stringify(payload(fields))) ?? '')
    expect(read.tool_use_id).toBe('c')
    expect(read.tool_response.list.length).toBeLessThan(60_000)
  })

  test.each([
    ['nesting', '['.repeat(200_000)],
    ['fields', `{${Array.from({ length: 90_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['names', JSON.stringify({ ['k'.repeat(300_000)]: 1 })],
    ['numbers', `[${'1,'.repeat(200_000)}1]`],
    ['one number', '1'.repeat(300_000)],
    ['quotes', '"'.repeat(300_000)],
    ['words', 'x'.repeat(300_000)],
    ['brackets', ']}'.repeat(150_000)],
  ])('record: the result is short and JSON, or nothing, for many %s', (_, text) => {
    const short = shorten(text)
    if (short === undefined) return
    expect(short.length).toBeLessThan(400_000)
    expect(() => JSON.parse(short)).not.toThrow()
  })

  test('record: a secret that the cut splits is removed on both sides', () => {
    const secret = Array.from({ length: 300 }, (_, i) => `Zq9${i}xW`).join('')
    for (const at of [31_000, 32_000, 32_700]) {
      const text = `head ${'a b. '.repeat(at / 5)}${secret}${' c d'.repeat(90_000)}${secret.slice(900)} tail`
      const long = new PayloadText()
      long.push(Buffer.from(JSON.stringify(payload({ tool_response: { stdout: text } }))))
      const clean = JSON.stringify(sanitizePayload(JSON.parse(long.finish())))
      expect(clean).toContain('head')
      expect(clean).not.toContain(secret.slice(0, 24))
      expect(hasCut(clean)).toBe(false)
    }
  })

  test('record: what is private in the cut part is not made public by the cut', () => {
    const text = `${'a '.repeat(40_000)}<Private>${'b '.repeat(60_000)}my diary</private> end`
    const { prompt } = JSON.parse(shorten(JSON.stringify({ prompt: text })) ?? '')
    expect(prompt).not.toContain('diary')
  })

  test('record: a text without a cut stays', () => {
    expect(trimCuts({ a: ['b', 1, null] })).toEqual({ a: ['b', 1, null] })
  })

  test('record: a payload of any depth keeps its first levels', () => {
    let deep: unknown = 'end'
    for (let i = 0; i < 20_000; i += 1) deep = [deep]
    expect(sanitizePayload(payload({ tool_input: { command: 'ls', deep } }))['tool_input']).toMatchObject({
      command: 'ls',
    })
  })
})
