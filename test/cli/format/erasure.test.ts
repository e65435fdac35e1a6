// What `memctl forget` says before it erases.
import { expect, test } from 'vitest'
import type { ErasureResult } from '../../../src/broker/forget/erasurePlan.ts'
import { formatErasure } from '../../../src/cli/commands/forget.ts'

const memory = (kind: string, action: 'removed' | 'redacted' = 'removed') =>
  ({ action, id: `${kind}-id`, kind, text: 'x', store: 'projects/shop' }) as ErasureResult['memories'][number]

const preview = (...memories: ErasureResult['memories']): string[] =>
  formatErasure(
    { files: [], events: [], memories, otherFiles: [], entries: [], removed: 1, redacted: 0, left: [], dryRun: true },
    false,
  )

test('cli: who forgets a summary reads how many rules go with it, and who forgets a rule does not', () => {
  const warning = /^(.*) erased with it: their words are in the same prompts\.$/
  const said = (...memories: ErasureResult['memories']) =>
    preview(...memories).flatMap((line) => warning.exec(line)?.[1] ?? [])
  expect(said(memory('summary'), memory('preference'))).toEqual(['1 rule or decision is'])
  expect(said(memory('summary'), memory('preference'), memory('decision'))).toEqual(['2 rules and decisions are'])
  expect(said(memory('summary'), memory('preference', 'redacted'))).toEqual([])
  expect(said(memory('preference'))).toEqual([])
})
