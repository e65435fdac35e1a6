import { describe, expect, test } from 'vitest'
import { parseWhen } from '../../src/knowledge/when.ts'
import type { Trigger } from '../../src/model/knowledge.ts'

describe('when as text', () => {
  test.each<[string, Trigger]>([
    ['start', { at: 'start' }],
    ['Bash: npm install, not pnpm', { at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] }],
    ['Edit|Write: src/api/', { at: 'call', tool: 'Edit|Write', has: ['src/api/'] }],
    ['call: deploy', { at: 'call', has: ['deploy'] }],
    ['failure: ENOENT, prices.json', { at: 'failure', has: ['ENOENT', 'prices.json'] }],
    ['prompt: 本番', { at: 'prompt', has: ['本番'] }],
  ])('when as text: %j is read', (text, trigger) => {
    expect(parseWhen([text])).toEqual([trigger])
  })

  test.each([
    ['npm install'],
    ['Bash:'],
    ['Bash: not pnpm'],
    [`Bash: ${'x'.repeat(81)}`],
    ['Bash: a, b, c, d, e, f, g'],
  ])('when as text: %j is refused with a hint', (text) => {
    expect(() => parseWhen([text])).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })
})
