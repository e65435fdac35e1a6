// What `memctl forget` says before it erases.
import { expect, test } from 'vitest'
import type { ErasureResult } from '../../../src/broker/forget/erasurePlan.ts'
import { formatErasure } from '../../../src/cli/commands/forget.ts'

const memory = (kind: string, action: 'removed' | 'redacted' = 'removed') =>
  ({ action, id: `${kind}-id`, kind, text: 'x', store: 'projects/shop' }) as ErasureResult['memories'][number]

const preview = (memories: ErasureResult['memories'], ...named: readonly string[]): string[] =>
  formatErasure(
    { files: [], events: [], memories, otherFiles: [], entries: [], removed: 1, redacted: 0, left: [], dryRun: true },
    { memories: named, entries: false },
  )

test('cli: who forgets a summary reads how many rules go with it, and who forgets a rule does not', () => {
  const said = (memories: ErasureResult['memories'], ...named: readonly string[]) =>
    preview(memories, ...named).filter((line) => line.includes('erased with it'))
  const one = '1 rule or decision is erased with it: its words are in the same prompts.'
  expect(said([memory('summary'), memory('preference')], 'summary')).toEqual([one])
  const two = '2 rules and decisions are erased with it: their words are in the same prompts.'
  expect(said([memory('summary'), memory('preference'), memory('decision')], 'summary')).toEqual([two])
  expect(said([memory('summary'), memory('preference', 'redacted')], 'summary')).toEqual([])
  expect(said([memory('preference')])).toEqual([])
  expect(said([memory('summary'), memory('preference')], 'preference-id'), 'it was named itself').toEqual([])
  expect(said([memory('preference'), memory('decision')], 'preference'), 'of another one').toEqual([one])
})
