import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { pageId, sessionLinker } from '../../../src/report/html/html.ts'
import { decideVerdict } from '../../../src/report/html/measured.ts'
import { describeEnd } from '../../../src/report/html/memoryPage.ts'
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

  test('report: it begins with how often the rules of the person were kept, before and since', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS))
    expect(page).toContain('Sessions that had been shown them kept them 6 of 6 times;\nothers kept them 2 of 6 times.')
    expect(page.indexOf('Rules of the person: how many sessions')).toBeLessThan(
      page.indexOf('<h2 id="measured-title">'),
    )
  })

  test('report: it begins with what the next session gets, as escaped text', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS), { next: 'Use <b>pnpm</b>.' })
    expect(page).toContain('Use &lt;b&gt;pnpm&lt;/b&gt;.')
    expect(page.indexOf('Use &lt;b&gt;pnpm')).toBeLessThan(page.indexOf('Rules of the person: how many sessions'))
  })

  test('report: each line of the next start has its reason, each failure that came again what helps', () => {
    const data = reportWith(['Use pnpm', 'Never push to main'])
    const page = renderReport(data, { next: 'The person said:\n- Never push to main (2026-03-02)' })
    const reasons = page.split('<caption>Why each line has its place')[1]?.split('</table>')[0]
    expect(reasons).toContain('<td>1 of 1</td>')
    expect(reasons).toContain('it is what the person wants, and 2 sessions broke it')
    expect(reasons).toContain('shown in 3 sessions; met in 2 sessions')
    expect(reasons).not.toContain('Use pnpm')
    const ranking = page.split('<caption>What failed in several sessions')[1]?.split('</table>')[0]
    expect(ranking).toMatch(/Cannot find module .*nothing is known yet.*\n.*Use pnpm/)
    expect(ranking).not.toContain('Never push to main')
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
    expect(renderReport({ ...data, pages }, { next })).toContain('<caption>Why each line has its place')
  })

  test('report: the page of an entry says when it is shown, and its record', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    expect(page).toContain('before Bash with <code>Never push to main</code>')
    expect(page).toContain('shown in 3 sessions; met in 2 sessions')
  })

  test('report: the calls that kept and broke a rule are listed, on its page too', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    const rules = page.split('<caption>Sessions that broke rule 1 of')[1]?.split('</table>')[0]
    expect(rules).toContain('<td>yes</td><td class="number">1</td><td><code><bdi>Never push to main</bdi></code></td>')
    expect(rules).not.toContain('Use pnpm')
    const own = page.split('<caption>Calls that it was judged by').map((part) => part.split('</table>')[0])
    expect(own[1]).toContain('<td>failed</td>')
    expect(own[2]).toContain('<td>kept it</td>')
    expect(page).toContain('8 more calls not listed.')
  })

  test('report: each showing has one plain verdict, the trigger that fired, and their sum', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    const shown = page.split('<caption>Times it was shown')[1]?.split('</table>')[0]
    expect(shown).toContain('before a call with <code>Use pnpm</code>')
    expect(shown).toContain('<span>the rule was broken</span><span class="before">09:00 <code>')
    expect(page).toContain('<p><span>the rule was broken: 1</span> · <span>nothing came of it: 2</span></p>')
  })

  test('report: what came of a showing on a later day has its day', () => {
    const data = reportWith(['Use pnpm'])
    const pages = data.pages.map((page) => ({
      ...page,
      showings: page.showings.map((each) => ({
        ...each,
        by: each.by && { ...each.by, at: '2026-03-04T08:30:00.000Z' },
      })),
    }))
    const shown = renderReport({ ...data, pages }).split('<caption>Times it was shown')[1]
    expect(shown).toContain('<span class="before">4\u00a0Mar\u00a02026, 08:30 <code>')
  })

  test('report: each session has a line under its day, and a page with what it was shown and what failed', () => {
    const data = reportWith(['Use pnpm', 'Never push to main'])
    const page = renderReport(data)
    const days = page.split('<section id="days"')[1]?.split('</section>')[0]
    expect(days).toContain(
      '<summary><h3>2\u00a0Mar\u00a02026</h3> <span>1 session, 30 calls (5 failed), 6 notes</span>',
    )
    expect(days).toContain('The totals are rounded.')
    expect(days).toContain('Said and learned that day')
    const summary = data.summaries[0]
    if (!summary) throw new Error('there is no summary')
    expect(sessionLinker(data)('session-one').html).toContain(pageId(summary.id))
    expect(page).toContain('<caption>Calls of it that failed')
    expect(page).toContain('<caption>Notes that it was shown, and what came of them')
  })

  test('report: what holds no longer says since when, in which session it ended, and what holds instead', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    const ended = page.split('<caption>Superseded and retired entries')[1]?.split('</table>')[0]
    expect(ended?.match(/<tr><th scope="row">/g)).toHaveLength(2)
    expect(ended).toContain('a model that read a later session said so')
    const [first] = reportWith(['Use pnpm']).pages
    const outdated = (supersededBy: string) =>
      first && describeEnd({ ...first.memory, supersededBy: supersededBy as never })
    expect(['outdated', 'other'].map(outdated)).toEqual(['somebody marked it as outdated', undefined])
    expect(ended).toMatch(/<a href="#m-[^"]+"><code>session-<\/code><\/a>/)
  })

  test('report: words that several entries share list these entries, and verbs and frequent words do not', () => {
    const lines = ['Deploy with `rails deploy`', '`deployments` need the staging key', '金曜日には `デプロイ` しない']
    const others = Array.from({ length: 30 }, (_, i) => `Use ${'abcdefghij'[i % 10]}${i} of the shop`)
    const memories = [...lines, ...others].map((line, i) => buildMemory(i, { knowledge: buildKnowledge({ line }) }))
    expect(listTopics(memories).map(({ word, memories: about }) => [word, about.length])).toEqual([['Deploy', 3]])
  })

  test('report: it says what the memory costs, and that nothing leaves the machine until somebody wants it', () => {
    const costs = (extras: object) =>
      renderReport(reportWith(PLAIN_TEXTS), { next: '', ...extras }).replace(/<[^>]+>|\s+/g, ' ')
    expect(costs({})).toContain('No model reads finished sessions')
    expect(costs({})).toContain('No hub: nothing is sent to other people')
    const reader = { by: 'claude', model: 'haiku' }
    expect(costs({ reader, hub: 'shop as Aki' })).toContain('7 sessions for 21,000 tokens (20,000 read, 1,000 written)')
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
