// The result page of the demo: headings of a start stay headings, and an entry is explained by its record.
import { expect, test } from 'vitest'
import { type DemoResult, formatDemoPage } from '../../../bench/replay/demoPage.ts'
import { createPalette } from '../../../src/report/textOutput.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'

const FACT = '- Run `a` before `b`: it has failed without (2, last 2026-03-04)'

test('demo: headings of a start are not continuations of notes, and an entry has its record instead of a score', () => {
  const memory = buildEntry(1, {
    when: [{ at: 'failure', has: ['no prices'] }],
    record: { calls: 40, fired: 3, failed: 3 },
  })
  const page = formatDemoPage(
    {
      ...EMPTY,
      start: ['memctl.', 'What has cost calls here:', FACT, 'The person said:', '- Use pnpm', '  and more'].join('\n'),
      failure: { command: 'b', injected: '', first: { memory, features: { unranked: 1 } } },
    },
    { palette: createPalette({ write: () => true }, {}), columns: 120, shortId: (id) => id.slice(0, 8) },
  )
  expect(page).toContain('  The person said:')
  expect(page).toContain('    and more')
  expect(page).toContain(`Why: the trigger of this fact fires (${memory.id.slice(0, 8)})`)
  const text = page.join(' ').replace(/\s+/g, ' ')
  expect(text).toContain(
    'It is shown when a call fails with `no prices`. Its record: fires at 3 of 40 calls, 3 failed.',
  )
})

const EMPTY = {
  replayed: { payloads: 0, sessions: 0, events: 0, memories: {}, injected: 0, faults: { count: 0 }, store: '', ms: 0 },
  formula: 'default',
  policy: { version: 0, numbers: [], judged: 0 },
  helpfulMemories: [],
  ms: { hook: 1, bareNode: 1, hooks: 1 },
  home: '',
} as unknown as DemoResult
