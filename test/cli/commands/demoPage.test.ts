// The result page of the demo: headings of a start stay headings, and a fact is explained by its evidence.
import { expect, test } from 'vitest'
import { type DemoResult, formatDemoPage } from '../../../src/cli/commands/demoPage.ts'
import type { ProjectFact } from '../../../src/model/fact.ts'
import type { FactNote } from '../../../src/model/factNote.ts'
import { toRecalledFact } from '../../../src/recall/projectFacts.ts'
import { createPalette } from '../../../src/report/palette.ts'

const FACT = '- Run `a` before `b`: it has failed without (2, last 2026-03-04)'

test('demo: headings of a start are not continuations of notes, and a fact has its evidence instead of a score', () => {
  const { memory: recalled, features } = toRecalledFact(NOTE)
  const memory = { ...recalled, fact: { failures: 3 } as ProjectFact }
  const page = formatDemoPage(
    {
      ...EMPTY,
      start: ['memctl.', 'What has cost calls here:', FACT, 'The person said:', '- Use pnpm', '  and more'].join('\n'),
      failure: { command: 'b', injected: '', first: { memory, features } },
    },
    { palette: createPalette({ write: () => true }, {}), columns: 120, shortId: (id) => id.slice(0, 8) },
  )
  expect(page).toContain('  The person said:')
  expect(page).toContain('    and more')
  expect(page).toContain('Why: fact ffffffff is about this failure')
  expect(page).toContain('  It explains 3 failed calls in 2 sessions. Facts come before memories that are ranked.')
})

const NOTE = {
  id: 'f'.repeat(36),
  line: 'Run `a` before `b`',
  sessions: 2,
  lastMet: '2026-03-04T09:00:00.000Z',
  worth: 1,
} as unknown as FactNote

const EMPTY = {
  replayed: { payloads: 0, sessions: 0, events: 0, memories: {}, injected: 0, faults: { count: 0 }, store: '', ms: 0 },
  weights: { weights: {}, boosts: {} },
  policy: { version: 0, numbers: [], judged: 0, evidenceMin: 1 },
  helpfulMemories: [],
  ms: { hook: 1, bareNode: 1, hooks: 1 },
  home: '',
} as unknown as DemoResult
