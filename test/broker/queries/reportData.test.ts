import { describe, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { gatherReport } from '../../../src/broker/queries/reportData.ts'
import { countFailures } from '../../../src/broker/queries/reportFigures.ts'
import { selectPages } from '../../../src/broker/queries/reportPages.ts'
import type { ReportScan, ScannedCall, ScannedRecall } from '../../../src/broker/queries/reportScan.ts'
import { failureOccasion } from '../../../src/knowledge/when.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { choosePeriodUnit, listPeriods, startOfPeriod } from '../../../src/text/dates.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import {
  BEGIN,
  buildMemory,
  buildMemoryMap,
  createTestStore,
  DAY,
  exampleSession,
  iso,
  runHookPayloads,
  sessionId,
} from '../../testData.ts'

const OPTIONS = { now: BEGIN + 9 * DAY, pagesMax: 300, withPrivate: false }

/** Two sessions on two days; the second meets the error of the first again. */
function storeWithTwoSessions(): Store {
  const store = createTestStore()
  for (const [name, start] of [
    ['one', BEGIN],
    ['two', BEGIN + 3 * DAY],
  ] as const) {
    const session = exampleSession(`session-${name}`, start)
      .starts()
      .asks('Always run the tests with `npm test`, never with jest. Fix the price.')
      .fails('npm test', "Error: Cannot find module 'left-pad'\n    at price.js:3")
      .runs('npm install left-pad', 'added 1 package')
      .runs('npm test', 'passed')
      .answers('値段を直しました。')
      .ends()
    runHookPayloads(store, session.recorded)
    runMaintenance(store, { now: session.now() + 1000 })
  }
  return store
}

describe('what is gathered', () => {
  test('report: sessions, calls and failures are counted where they happened, each once', () => {
    const store = storeWithTwoSessions()
    // Plugin and settings may record the same session twice.
    runHookPayloads(store, exampleSession('session-two', BEGIN + 3 * DAY).starts().recorded)
    const report = gatherReport(store, OPTIONS)
    expect(report.totals).toMatchObject({ sessions: 2, prompts: 2, calls: 6 })
    expect(report.unit).toBe('day')
    const days = report.periods.map(({ start, sessions, failed, knownFailed }) => [
      start,
      sessions,
      failed,
      knownFailed,
    ])
    expect(days).toEqual([
      ['2026-03-02', 1, 1, 0],
      ['2026-03-03', 0, 0, 0],
      ['2026-03-04', 0, 0, 0],
      ['2026-03-05', 1, 1, 1],
    ])
    expect(report.failures).toMatchObject({ met: 2, known: 1 })
  })

  test('report: with --since, earlier sessions and failures are left out, and memories stay', () => {
    const store = storeWithTwoSessions()
    const report = gatherReport(store, { ...OPTIONS, since: iso(BEGIN + 2 * DAY) })
    expect(report.totals.sessions).toBe(1)
    expect(report.failures).toMatchObject({ met: 1, known: 1 })
    expect(report.contents.size).toBe(gatherReport(store, OPTIONS).contents.size)
  })

  test('report: a page says from which events a memory was derived', () => {
    const { pages } = gatherReport(storeWithTwoSessions(), OPTIONS)
    const lesson = pages.find(({ memory }) => memory.kind === 'lesson')
    expect(lesson?.sources.map(({ kind }) => kind)).toContain('call.failed')
    expect(lesson?.sources.some(({ text }) => text.startsWith('Bash npm test: Error'))).toBe(true)
  })

  test('report: it holds at most the wanted number of pages, and says how many are left out', () => {
    const store = storeWithTwoSessions()
    const { contents, pages, pagesLeftOut } = gatherReport(store, { ...OPTIONS, pagesMax: 2 })
    expect(pages).toHaveLength(2)
    expect(pagesLeftOut).toBe(contents.size - 2)
  })

  test('report: an empty store gives empty lists', () => {
    const report = gatherReport(createTestStore(), OPTIONS)
    expect(report).toMatchObject({ periods: [], moments: [], pages: [], pagesLeftOut: 0 })
    expect(report.knowledge).toEqual({ said: [], learned: [], superseded: [], retired: [] })
    expect(report.experiment.effects).toBeNull()
  })
})

describe('which memories get a page', () => {
  const shown = (n: number): Memory => buildMemory(n, { help: { shown: n, used: 0, contribution: -n } })

  test('report: first those that the report names, then what was shown and the others in turn', () => {
    const named = buildMemory(90, { kind: 'experience' })
    const lessons = [1, 2, 3].map((n) => buildMemory(n))
    const facts = [4, 5].map((n) => buildMemory(n, { kind: 'fact' }))
    const all = [...lessons, ...facts, shown(50), shown(60), named]
    const kinds = selectPages(all, [named], 4).map(({ id }) => id)
    expect(kinds).toEqual([named, shown(60), lessons[0], shown(50)].map((memory) => memory?.id))
  })
})

describe('failures that were met', () => {
  const lesson = buildMemory(1, { kind: 'lesson', errorSignature: 'E1', commandShape: 'npm test' })
  const npmTest = { tool: 'Bash', input: { command: 'npm test' } }
  const failureOf = (signature: string) => ({
    signature,
    line: 'Error: no prices',
    failure: failureOccasion(npmTest, 'Error: no prices', signature),
  })
  const at = (minute: number): string => iso(BEGIN + minute * 60_000)
  const call = (minute: number, session: string, signature?: string): ScannedCall => ({
    ...{ at: at(minute), session: sessionId(session), call: `call-${session}-${minute}` },
    ...(signature !== undefined && { failure: failureOf(signature) }),
  })
  const recall = (session: string, more: Partial<ScannedRecall>): ScannedRecall => ({
    ...{ id: `recall-${session}` as never, at: at(1), session: sessionId(session), moment: 'call', cue: '' },
    ...{ shown: [lesson.id], scores: [0], withheld: false, blocked: false, tokens: 10 },
    ...more,
  })
  const scan = (calls: readonly ScannedCall[], recalls: readonly ScannedRecall[]): ReportScan => ({
    ...{ sessions: [], calls, recalls, sources: new Map(), hookTimes: new Map(), events: 0 },
  })
  const memories = buildMemoryMap(lesson)

  test('report: a failed call is known if an earlier entry has its text, and noted if it was shown right then', () => {
    const entry = buildEntry(1, { when: [{ at: 'failure', has: ['no prices'] }] })
    const calls = [call(5, 'a', 'E8'), call(6, 'a', 'E8'), call(5, 'b')]
    const shown = recall('a', { moment: 'failure', call: 'call-a-5' })
    expect(countFailures(scan(calls, [shown]), buildMemoryMap(entry))).toMatchObject({ met: 2, known: 2, noted: 1 })
  })

  test('report: errors of several sessions are listed once, whatever tool printed them; general ones are not', () => {
    const [prices, general] = ['payroll tables lack the harbour column', 'exit status #']
    const calls = [
      ...[call(1, 'a', `bash|${prices}`), call(2, 'a', `bash|${prices}`), call(3, 'b', `edit|${prices}`)],
      ...[call(4, 'a', `bash|${general}`), call(5, 'b', `bash|${general}`)],
      call(6, 'c', 'bash|port already taken by another server'),
    ]
    expect(countFailures(scan(calls, []), memories).again).toEqual([
      { line: 'Error: no prices', calls: 3, sessions: 2, last: at(3), isOfClient: false },
    ])
    // Those of the client are apart, however many there are.
    const refused = Array.from({ length: 12 }, (_, n) => `edit|file ${'abcdefghijkl'[n]} has not been read yet`)
    const ofClient = refused.flatMap((signature) =>
      [call(7, 'a', signature), call(8, 'b', signature)].map((each) => ({
        ...each,
        failure: each.failure && { ...each.failure, line: 'File has not been read yet' },
      })),
    )
    const { again } = countFailures(scan([...ofClient, ...calls], []), memories)
    expect(again.map(({ isOfClient }) => isOfClient)).toEqual([false, ...Array.from({ length: 10 }, () => true)])
    // What an entry is about is in the list of what helps.
    const entry = buildEntry(1, { when: [{ at: 'failure', has: ['no prices'] }] })
    expect(countFailures(scan(calls, []), buildMemoryMap(entry)).again).toEqual([])
  })
})

describe('the time axis', () => {
  test('report: days up to a month, weeks up to a year, then months', () => {
    const units = [10, 90, 800].map((days) => choosePeriodUnit(iso(BEGIN), iso(BEGIN + days * DAY)))
    expect(units).toEqual(['day', 'week', 'month'])
  })

  test('report: a week begins on Monday, and periods without sessions are there too', () => {
    expect(startOfPeriod('2026-03-08T23:59:59.999Z', 'week')).toBe('2026-03-02')
    expect(listPeriods(['2026-03-22T00:00:00Z', '2026-03-02T00:00:00Z'], 'week')).toEqual([
      '2026-03-02',
      '2026-03-09',
      '2026-03-16',
    ])
    expect(listPeriods(['2025-12-31T00:00:00Z', '2026-02-01T00:00:00Z'], 'month')).toEqual([
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ])
  })
})
