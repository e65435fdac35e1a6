import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SessionId } from '../../../src/model/id.ts'
import { pageId, sessionLinker } from '../../../src/report/html/html.ts'
import { decideVerdict } from '../../../src/report/html/measured.ts'
import { REPORT_MARK, renderReport } from '../../../src/report/html/page.ts'
import { listTopics } from '../../../src/report/html/topics.ts'
import { buildKnowledge } from '../../knowledge/knowledgeData.ts'
import { buildMemory } from '../../testData.ts'
import { emptyReport, HOSTILE_TEXTS, PLAIN_TEXTS, reportWith } from './reportFixtures.ts'

const experiment = emptyReport().experiment
const totals = { ...emptyReport().totals, sessions: 9 }

/** The effects of an experiment, of which only the rate of failures differs. */
const effectsWith = (lower: number, upper: number) =>
  (['failure rate', 'known errors again', 'tool calls', 'time'] as const).map((name) => {
    const [low, high] = name === 'failure rate' ? [lower, upper] : [-0.2, 0.2]
    const verdict = high < 0 ? 'helps' : low > 0 ? 'harms' : 'not known yet'
    return { name, shown: 0.2, withheld: 0.4, effect: (low + high) / 2, lower: low, upper: high, verdict } as const
  })

describe('the file', () => {
  test('report: it has no script and no event handler, and nothing in it is loaded', () => {
    for (const data of [emptyReport(), reportWith(PLAIN_TEXTS), reportWith(HOSTILE_TEXTS)]) {
      const page = renderReport(data)
      expect(page.startsWith(REPORT_MARK)).toBe(true)
      expect(/<(?:script|iframe|img|link|object|embed|base|form)\b/i.test(page)).toBe(false)
      expect(/@import|url\(/i.test(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '')).toBe(false)
      const tags = page.match(/<[a-z][^>]*>/gi) ?? []
      expect(tags.filter((tag) => /\son\w+=/i.test(tag.replace(/"[^"]*"/g, '""')))).toEqual([])
      expect(tags.filter((tag) => /\sstyle=/i.test(tag.replace(/"[^"]*"/g, '""')))).toEqual([])
      expect(tags.filter((tag) => /\s(?:href|src)="(?!#)/i.test(tag))).toEqual([])
    }
  })

  test('report: its content security policy allows the one style sheet by its hash, and nothing else', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS))
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    )
    expect(page.match(/<style/g)).toHaveLength(1)
  })

  test('report: hostile text is shown as text, short, and without hidden characters', () => {
    const page = renderReport(reportWith(HOSTILE_TEXTS))
    expect(page.includes('&lt;script&gt;document.title')).toBe(true)
    expect(/[\u0000\u001b\u200b\u202a-\u202e\u2066-\u2069]/.test(page)).toBe(false)
    expect(page.length).toBeLessThan(400_000)
  })

  test('report: an empty store says what will appear, in every part', () => {
    const page = renderReport(emptyReport())
    expect(page.includes('Nothing is recorded yet.')).toBe(true)
    expect(page.match(/class="empty"/g)?.length).toBeGreaterThanOrEqual(8)
    expect(/NaN|Infinity|undefined|null/.exec(page)?.[0]).toBeUndefined()
  })

  test('report: Japanese text is marked as Japanese, and English is not', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS))
    expect(page.includes('<bdi lang="ja">テストは tests/ フォルダーに置く。</bdi>')).toBe(true)
    expect(page.includes('<bdi>Prices are integers, in cents.</bdi>')).toBe(true)
  })

  test('report: every chart has a text alternative, a note on how it is counted, and a table', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS))
    const charts = page.match(/<figure id="/g) ?? []
    expect(charts.length).toBe(2)
    expect(page.match(/<p class="counted">/g)?.length).toBeGreaterThanOrEqual(5)
    expect(page.match(/<details(?: open)?><summary>Numbers as a table/g)).toHaveLength(charts.length)
    // Each chart is drawn twice: for wide and for narrow screens.
    expect(page.match(/<svg [^>]*role="img"[^>]*>/g)?.every((svg) => /aria-label="[^"]{10,}"/.test(svg))).toBe(true)
    expect(page.match(/<svg /g)).toHaveLength(2 * charts.length)
  })

  test('report: it begins with how often the rules of the person were kept, before and since', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS))
    expect(page).toContain('kept 6 of 6 times since memctl repeats them (before: 2 of 6);')
    expect(page.indexOf('Rules of the person: kept and broken')).toBeLessThan(page.indexOf('<h2 id="measured-title">'))
  })

  test('report: it begins with what the next session gets, as escaped text', () => {
    const data = reportWith(PLAIN_TEXTS)
    const [first] = data.pages
    const linked = renderReport(data, { next: `Known here:\n- ${first?.memory.knowledge?.line} (3 sessions)\n- Other` })
    expect(
      linked
        .split('Known here:')[1]
        ?.split('Other')[0]
        ?.match(/<a href="#m-/g),
    ).toHaveLength(1)
    const page = renderReport(data, { next: 'Use <b>pnpm</b>.' })
    expect(page).toContain('Use &lt;b&gt;pnpm&lt;/b&gt;.')
    expect(page.indexOf('Use &lt;b&gt;pnpm')).toBeLessThan(page.indexOf('Rules of the person: kept and broken'))
  })

  test('report: each line of the next start has its reason, each failure that came again what helps', () => {
    const data = reportWith(['Use pnpm', 'Never push to main'])
    const page = renderReport(data, { next: 'The person said:\n- Never push to main (2026-03-02)' })
    const reasons = page.split('<caption>Entries of the next start')[1]?.split('</table>')[0]
    expect(reasons).toContain('before it was shown: kept 1 of 3 times')
    expect(reasons).not.toContain('Use pnpm')
    const helps = page.split('<caption>What failed in several sessions, and what helps')[1]?.split('</table>')[0]
    expect(helps).toContain('Use pnpm')
    expect(helps).not.toContain('Never push to main')
    const unknown = page.split('<caption>Errors that came in several sessions')[1]?.split('</table>')[0]
    expect(unknown).toContain('Cannot find module')
  })

  test('report: a line that notes show without the text of its error has its reason, too', () => {
    const data = reportWith(['Use pnpm'])
    const line = 'Run `npm run build` before `npm test`: otherwise it fails with “TypeError: prices is undefined”'
    const pages = data.pages.map((page) => {
      const { knowledge } = page.memory
      return knowledge
        ? { ...page, memory: { ...page.memory, knowledge: { ...knowledge, author: 'rule' as const, line } } }
        : page
    })
    const next = 'Known here:\n- Run `npm run build` before `npm test`: otherwise it fails with TypeError'
    expect(renderReport({ ...data, pages }, { next })).toContain('<caption>Entries of the next start')
  })

  test('report: the page of an entry says when it is shown, and its record', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    expect(page).toContain('before Bash with <code>Never push to main</code>')
    expect(page).toContain('before it was shown: kept 1 of 3 times; shown in 3 sessions, obeyed in 3')
  })

  test('report: each session has a line, and what holds no longer is listed', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    const days = page.split('<caption>Sessions, the latest first')[1]?.split('</table>')[0]
    expect(days).toContain('The totals are rounded.')
    expect(days).toContain('<td class="number">1</td>')
    expect(days).toContain('<code>session-</code>')
    const [memory] = reportWith(['Use pnpm']).pages
    if (!memory) throw new Error('there is no page')
    const summary = { ...memory.memory, kind: 'summary' as const, session: 'session-one' as SessionId }
    expect(sessionLinker({ pages: [{ ...memory, memory: summary }] })('session-one').html).toContain(pageId(summary.id))
    expect(page.split('<caption>Retired entries')[1]?.split('</table>')[0]).toContain('Never push to main')
  })

  test('report: words that several entries share list these entries, and verbs and frequent words do not', () => {
    const lines = ['Deploy with `rails deploy`', 'Use the staging key to deploy', 'Use no `deploy` on Fridays']
    const others = Array.from({ length: 30 }, (_, i) => `Use ${'abcdefghij'[i % 10]}${i} of the shop`)
    const memories = [...lines, ...others].map((line, i) => buildMemory(i, { knowledge: buildKnowledge({ line }) }))
    expect(listTopics(memories).map(({ word, memories: about }) => [word, about.length])).toEqual([['deploy', 3]])
  })

  test('report: it says what the memory costs, and that nothing leaves the machine until somebody wants it', () => {
    const costs = (extras: object) =>
      renderReport(reportWith(PLAIN_TEXTS), { next: '', ...extras }).replace(/<[^>]+>|\s+/g, ' ')
    expect(costs({})).toContain('No model reads finished sessions')
    expect(costs({})).toContain('No hub: nothing is sent to other people')
    const reader = { by: 'claude', model: 'haiku', total: { sessions: 7, tokens: 21_000, stored: 12, changed: 3 } }
    expect(costs({ reader, hub: 'shop as Aki' })).toContain('7 for 21,000 tokens')
    expect(costs({ reader, hub: 'shop as Aki' })).toContain('shop as Aki')
  })

  test('report: every link inside leads to a part or to the page of a memory', () => {
    const page = renderReport(reportWith([...PLAIN_TEXTS, ...HOSTILE_TEXTS]))
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the answer at the top', () => {
  test('report: without enough holdouts it says that it is too early, and what is missing', () => {
    const verdict = decideVerdict({ totals, experiment: { ...experiment, shown: 30, withheld: 2 } })
    expect(verdict).toMatchObject({ headline: 'It is too early to say whether it helps.' })
    expect(verdict.reason).toContain('of the other notes 30 were shown and 2 held back so far')
  })

  test.each([
    [-0.4, -0.1, 'Yes: with notes, less fails.'],
    [0.1, 0.4, 'No: with notes, more fails.'],
    [-0.1, 0.2, 'No effect is certain yet.'],
  ])('report: an interval of %f to %f is answered with: %s', (lower, upper, headline) => {
    const effects = effectsWith(lower, upper)
    expect(decideVerdict({ totals, experiment: { ...experiment, effects } }).headline).toBe(headline)
  })

  test('report: tool calls and time alone never decide whether it helps', () => {
    const effects = effectsWith(-0.1, 0.1).map((effect) =>
      effect.name === 'tool calls' ? { ...effect, effect: 9, lower: 5, upper: 13, verdict: 'harms' as const } : effect,
    )
    const verdict = decideVerdict({ totals, experiment: { ...experiment, effects } })
    expect(verdict.headline).toBe('No effect is certain yet.')
    expect(verdict.reason).toContain('more tool calls')
  })
})
