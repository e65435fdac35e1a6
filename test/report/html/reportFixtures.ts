// A report's data for tests: empty, of a small project in English and Japanese, and of one whose texts are attacks.

import { gatherReport, groupSubjects, type ReportData } from '../../../src/broker/queries/reportData.ts'
import type { MemoryPage, MemoryShowing } from '../../../src/broker/queries/reportPages.ts'
import { promptOccasion } from '../../../src/knowledge/when.ts'
import type { SessionId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { buildKnowledge } from '../../knowledge/knowledgeData.ts'
import { BEGIN, buildMemory, createTestStore, DAY, iso, testMemoryId } from '../../testData.ts'

/** What a report of a project without a session has. */
export const emptyReport = (): ReportData =>
  gatherReport(createTestStore(), { now: BEGIN + DAY, pagesMax: 300, withPrivate: false })

const at = iso(BEGIN)
const session = 'session-one' as SessionId

const showingOf = ({ id, content }: Memory): MemoryShowing => ({
  memory: id,
  recall: {
    ...{
      id: 'recall' as never,
      at,
      session,
      moment: 'call',
      call: undefined,
      cue: content,
      shown: [id],
      scores: [0],
      tokens: 9,
    },
    blocked: false,
  },
  ...{ score: 0, triggers: [{ at: 'call', has: [content] }], outcome: 'broken' },
  by: callOf(content, true),
})

const callOf = (text: string, isBad: boolean) => ({ at, session, call: 'call', text, isBad, error: 'Error' })

const pageOf = (memory: Memory): MemoryPage => ({
  memory,
  showings: [showingOf(memory)],
  outcomes: new Map([
    ['broken', 1],
    ['nothing', 2],
  ]),
  calls: [...Array(10).fill(callOf(memory.content, true)), callOf('npm test', false)],
  ...{ bad: new Map(Array.from({ length: 11 }, (_, i) => [`call-${i}`, session])), good: 1 },
  ...{ goodUnshown: [at], predecessors: [], ending: { at, session } },
  sessions: [
    { isShown: true, bad: 1 },
    { isShown: false, bad: 0 },
  ],
  sources: [{ id: memory.id as never, at, session, kind: 'prompt', text: memory.content }],
})

const SUMMARY = buildMemory(90, {
  ...{ kind: 'summary', leftOpen: ['Describe it'], session: 'session-one' as SessionId },
  content: 'The totals are rounded.\nOpen: Describe it',
})

const COUNTS = {
  ...{ id: session, started: at, last: at, prompts: 4, calls: 30, failed: 5, notes: 6, tokens: 400 },
  ...{ isTimed: true, done: new Set(['pushed', 'committed'] as const) },
}

const summaryPage = (memories: readonly Memory[]): MemoryPage => ({
  ...pageOf(SUMMARY),
  session: {
    counts: COUNTS,
    showings: memories.map(showingOf),
    failed: memories.map(({ content }) => failedCall(content)),
    knowledge: memories.map(({ id }) => id),
  },
})

const failedCall = (line: string) => ({
  ...{ ...callOf(line, true), error: line, passed: 'npm run build' },
  failure: promptOccasion(line),
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
  return {
    ...empty,
    status: { ...empty.status, project: { ...empty.status.project, name: first?.content.slice(0, 60) ?? 'shop' } },
    totals: {
      ...empty.totals,
      ...{ sessions: 6, timed: 6 },
      notes: 18,
      sessionsWithNotes: 5,
      tokens: 400,
      first: iso(BEGIN),
      last: iso(BEGIN + 2 * DAY),
    },
    reading: { sessions: 7, input: 20_000, output: 1000 },
    worths: new Map(memories.map(({ id }, i) => [id, i])),
    sessions: new Map([[session, COUNTS]]),
    days: new Map([[`${session} 2026-03-02`, COUNTS]]),
    recurring: [{ latest: failedCall("Error: Cannot find module 'prices.json'"), sessions: 3, calls: 4 }],
    hooks: new Map([['call.started', 25]]),
    knowledge: {
      ...{ said: memories, learned: memories, retired: memories.slice(1, 2) },
      superseded: memories.slice(0, 1).map((memory) => ({ ...memory, supersededBy: testMemoryId(2) })),
    },
    subjects: groupSubjects(memories),
    summaries: [{ ...SUMMARY, leftOpen: ['Describe it', texts[0] ?? ''] }],
    pages: [...memories.map(pageOf), summaryPage(memories)],
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
