import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAYLOAD_BYTES_MAX } from '../../src/model/limits.ts'
import type { HookPayload } from '../../src/record/hookPayload.ts'
import { sanitizePayload } from '../../src/record/sanitizePayload.ts'
import { cutLongStrings, hasCut, trimCuts } from '../../src/text/cutString.ts'

/** As a hook shortens a long payload. */
const shorten = (value: unknown): unknown => cutLongStrings(value, { chars: PAYLOAD_BYTES_MAX })

const payload = (fields: Readonly<Record<string, unknown>>): HookPayload =>
  ({ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', ...fields }) as HookPayload

describe('record: a long payload is shortened', () => {
  test('record: what is not long stays as it is', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        expect(shorten(JSON.parse(json))).toEqual(JSON.parse(json))
      }),
    )
  })

  test('record: head and tail of a long text are kept, in English and Japanese', () => {
    for (const part of ['a quick test. ', '日本語の文章。', '"', '\\', '\n', '😀']) {
      const { error } = shorten({ error: `first ${part.repeat(60_000)} last` }) as { error: string }
      expect(error.length).toBeLessThan(60_000)
      expect(error.startsWith('first')).toBe(true)
      expect(error.endsWith(' last')).toBe(true)
      expect(hasCut(error)).toBe(true)
    }
  })

  test('record: the fields after a long one are kept', () => {
    const long = { stdout: 'x'.repeat(300_000), lists: Array(90).fill(Array(90_000).fill('item')) }
    const read = shorten(payload({ tool_response: long, tool_use_id: 'c' })) as HookPayload
    expect(read['tool_use_id']).toBe('c')
    expect(JSON.stringify(read).length).toBeLessThan(2 * PAYLOAD_BYTES_MAX)
  })

  test.each([
    ['nesting', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
    ['fields', Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, 1]))],
    ['names', { ['k'.repeat(300_000)]: 1 }],
    ['numbers', Array(200_000).fill(1)],
    ['texts', { tool_input: { edits: Array(900).fill('e'.repeat(9_000)) } }],
  ])('record: the result is short for many %s', (_, value) => {
    expect(JSON.stringify(shorten(value)).length).toBeLessThan(2 * PAYLOAD_BYTES_MAX)
  })

  test('record: a secret that the cut splits is removed on both sides', () => {
    const secret = Array.from({ length: 300 }, (_, i) => `Zq9${i}xW`).join('')
    for (const at of [31_000, 32_000, 32_700]) {
      const text = `head ${'a b. '.repeat(at / 5)}${secret}${' c d'.repeat(90_000)}${secret.slice(900)} tail`
      const clean = JSON.stringify(
        sanitizePayload(shorten(payload({ tool_response: { stdout: text } })) as HookPayload),
      )
      expect(clean).toContain('head')
      expect(clean).not.toContain(secret.slice(0, 24))
      expect(hasCut(clean)).toBe(false)
    }
  })

  test('record: what is private in the cut part is not made public by the cut', () => {
    const text = `${'a '.repeat(40_000)}<Private>${'b '.repeat(60_000)}my diary</private> end`
    expect((shorten({ prompt: text }) as { prompt: string }).prompt).not.toContain('diary')
  })

  test('record: a text without a cut stays', () => {
    expect(trimCuts({ a: ['b', 1, null] })).toEqual({ a: ['b', 1, null] })
  })

  test('record: a payload of any depth keeps its first levels', () => {
    let deep: unknown = 'end'
    for (let i = 0; i < 20_000; i += 1) deep = [deep]
    const fields = payload({ tool_input: { command: 'ls', deep } })
    for (const given of [fields, shorten(fields) as HookPayload])
      expect(sanitizePayload(given)['tool_input']).toMatchObject({ command: 'ls' })
  })
})
