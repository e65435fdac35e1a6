// A report's data for tests: empty, of a small project in English and Japanese, and of one whose texts are attacks.

import { gatherReport, type MemoryPage, type ReportData } from '../../../src/broker/queries/reportData.ts'
import { countObedience } from '../../../src/knowledge/obedience.ts'
import type { SessionId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { buildKnowledge } from '../../knowledge/knowledgeData.ts'
import { BEGIN, buildMemory, createTestStore, DAY, iso, testMemoryId } from '../../testData.ts'

/** What a report of a project without a session has. */
export const emptyReport = (): ReportData =>
  gatherReport(createTestStore(), { now: BEGIN + DAY, pagesMax: 300, withPrivate: false })

const pageOf = (memory: Memory): MemoryPage => ({
  memory,
  showings: [
    {
      at: iso(BEGIN),
      session: 'session-one',
      moment: 'call',
      cue: memory.content,
      score: 0,
      withheld: false,
      blocked: false,
    },
  ],
  showingsLeftOut: 0,
  sources: [
    { id: memory.id as never, at: iso(BEGIN), session: 'session-one' as never, kind: 'prompt', text: memory.content },
  ],
  predecessors: [],
})

const SUMMARY = buildMemory(90, {
  ...{ kind: 'summary', leftOpen: ['Describe it'], session: 'session-one' as SessionId },
  content: 'The totals are rounded.\nOpen: Describe it',
})

/** A report with every part, whose memories have these texts. */
export function reportWith(texts: readonly string[]): ReportData {
  const memories = texts.map((content, i) =>
    buildMemory(i + 1, {
      ...{ content, kind: i % 2 === 0 ? 'lesson' : 'preference', files: [content.slice(0, 50)] },
      help: { shown: 4, used: i % 2, contribution: i % 3 === 0 ? 0.4 : -0.3 },
      knowledge: buildKnowledge({
        ...{ type: i % 2 === 0 ? 'lesson' : 'rule', author: 'person', state: 'standing', reason: content },
        ...{
          line: content.slice(0, 300),
          quote: content,
          when: [{ at: 'call', tool: 'Bash', has: [content], unless: ['pnpm'] }],
        },
        record: { keptBefore: 1, brokenBefore: 2, obeyed: 3, shown: 3, met: 2, failed: 5, lastMet: iso(BEGIN) },
      }),
    }),
  )
  const empty = emptyReport()
  const [first] = memories
  const periods = ['2026-03-02', '2026-03-03', '2026-03-04'].map((start, i) => ({
    ...{ start, sessions: i + 1, prompts: 4, calls: 30, failed: 5, knownFailed: i, notes: 6, tokens: 400 },
  }))
  return {
    ...empty,
    status: { ...empty.status, project: { ...empty.status.project, name: first?.content.slice(0, 60) ?? 'shop' } },
    periods,
    totals: {
      ...empty.totals,
      sessions: 6,
      notes: 18,
      sessionsWithNotes: 5,
      first: iso(BEGIN),
      last: iso(BEGIN + 2 * DAY),
    },
    moments: [
      { moment: 'call', shown: 10, withheld: 1, notes: 14, tokens: 900, judged: 14, used: 3, interval: [0.08, 0.48] },
      { moment: 'start', shown: 4, withheld: 0, notes: 4, tokens: 300, judged: 4, used: 2, interval: [0.15, 0.85] },
    ],
    use: { judged: 18, used: 5, interval: [0.12, 0.51] },
    failures: {
      ...{ met: 15, known: 3, noted: 2 },
      again: [
        { line: "Error: Cannot find module 'prices.json'", calls: 5, sessions: 3, last: iso(BEGIN), isOfClient: false },
      ],
    },
    hooks: [{ kind: 'prompt', count: 20, medianMs: 25, p95Ms: 40, maxMs: 60 }],
    obedience: countObedience(memories),
    knowledge: {
      ...{ said: memories, learned: memories, retired: memories.slice(1, 2) },
      superseded: memories.slice(0, 1).map((memory) => ({ ...memory, supersededBy: testMemoryId(2) })),
    },
    summaries: [SUMMARY],
    pages: memories.map(pageOf),
    contents: new Map([...memories, SUMMARY].map(({ id, content }) => [id, content])),
  }
}

export const PLAIN_TEXTS = [
  'Run `npm ci` before `npm test`: the lock file changed.',
  '変更をコミットする前に、必ず `npm run lint` を実行してください。',
  'Prices are integers, in cents.',
  'テストは tests/ フォルダーに置く。',
]

/** Texts that try to be markup, to run, to load, and to break the layout. */
export const HOSTILE_TEXTS = [
  '<script>document.title = "run"</script><img src=x onerror="document.title=\'run\'">',
  '</style></title></head><body onload="document.title=\'run\'"><svg onload=alert(1)>',
  '"><iframe src="https://example.com/"></iframe><link rel=stylesheet href="https://example.com/a.css">',
  "' onmouseover='document.title=1' style='position:fixed;inset:0;background:url(https://example.com/x.png)'",
  '[click](javascript:document.title="run") <a href="javascript:document.title=1">x</a>',
  '\u202Egnp.exe\u202C \u2066right to left\u2069 \u200Bzero\u200Bwidth \u0000\u001b[31mred\u001b[0m',
  '<!--><meta http-equiv="refresh" content="0;url=https://example.com/"> ]]> <![CDATA[',
  'w'.repeat(100_000),
  '🤖'.repeat(20_000),
  '&lt;script&gt;document.title=1&lt;/script&gt; &#60;b&#62;',
]
