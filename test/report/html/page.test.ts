import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ReportData } from '../../../src/broker/queries/reportData.ts'
import type { Outcome } from '../../../src/broker/queries/reportPages.ts'
import type { SessionId } from '../../../src/model/id.ts'
import { renderLongTable } from '../../../src/report/html/figure.ts'
import { escapeHtml, memoryLinker, pageId, sessionLinker } from '../../../src/report/html/html.ts'
import { decideVerdict, describeMissing } from '../../../src/report/html/measured.ts'
import { describeEnd } from '../../../src/report/html/memoryPage.ts'
import { REPORT_MARK, renderReport } from '../../../src/report/html/page.ts'
import { listFiles, listTopics } from '../../../src/report/html/topics.ts'
import { buildKnowledge } from '../../knowledge/knowledgeData.ts'
import { buildMemory, testMemoryId } from '../../testData.ts'
import { emptyReport, HOSTILE_TEXTS, PLAIN_TEXTS, reportWith } from './reportFixtures.ts'

const experiment = emptyReport().experiment
const totals = { ...emptyReport().totals, sessions: 9, timed: 9, notes: 9 }

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

  test('report: it says at the top how many sessions were imported or replayed, and did not see their notes', () => {
    const data = reportWith(PLAIN_TEXTS)
    const topWith = (sessions: number): string | undefined =>
      renderReport({ ...data, totals: { ...data.totals, sessions } }).split('</header>')[0]
    expect(topWith(7)).toContain('1 session was imported or replayed: Claude\ndid not see')
    expect(topWith(6)).not.toContain('imported')
  })

  test('report: it says at the top for how many days nothing is new, if they are many', () => {
    const data = reportWith(PLAIN_TEXTS)
    const topAt = (madeAt: string) => renderReport({ ...data, madeAt }).split('</header>')[0]
    expect(topAt('2026-05-01T09:00:00.000Z')).toContain('Nothing new for 58 days.')
    expect(topAt('2026-03-06T09:00:00.000Z')).not.toContain('Nothing new')
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

  test('report: it says first of how many rules calls prove whether they were kept', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS))
    expect(page).toContain('<h2 id="knowledge-title">What people said</h2>')
    expect(page).toContain(
      '4 rules and decisions of the person\nhold. For 3 of them, calls prove whether one was kept.',
    )
    expect(page.indexOf('<caption>Rules and decisions that calls have kept or broken')).toBeLessThan(
      page.indexOf('<h2 id="measured-title">'),
    )
  })

  test('report: it begins with what the next session gets, as escaped text', () => {
    const page = renderReport(reportWith(PLAIN_TEXTS), { next: 'Use <b>pnpm</b>.' })
    expect(page).toContain('Use &lt;b&gt;pnpm&lt;/b&gt;.')
    expect(page.indexOf('Use &lt;b&gt;pnpm')).toBeLessThan(
      page.indexOf('<caption>Rules and decisions that calls have kept or broken'),
    )
  })

  test('report: each line of the next start has its reason, each failure that came again what helps', () => {
    const data = reportWith(['Use pnpm', 'Never push to main'])
    const page = renderReport(data, { next: 'The person said:\n- Never push to main (2026-03-02)' })
    const reasons = page.split('<caption>Why each line is there')[1]?.split('</table>')[0]
    expect(reasons).toMatch(/<td>it is what the person wants<\/td><td>the person: .*“Never push to main”/)
    expect(reasons).not.toContain('Use pnpm')
    const ranking = page.split('<caption>What failed, first in most sessions')[1]?.split('</table>')[0]
    expect(ranking).toMatch(/Cannot find module .*passed then: .*npm run build.*nothing is known yet.*\n.*Use pnpm/)
    expect(ranking).not.toContain('Never push to main')
  })

  test('report: each line of the next start says what sorts it, and why this session is the last work', () => {
    const next = 'Known here:\n- Use pnpm (2×)\nLast work here:\n- The totals are rounded.'
    const reasonsOf = (data: ReportData) =>
      renderReport(data, { next }).split('<caption>Why each line is there')[1]?.split('</table>')[0]
    const data = reportWith(['Never push to main', 'Prices are integers', 'Use pnpm'])
    const pages = data.pages.map((page) => {
      const { kind, knowledge } = page.memory
      const memory =
        kind === 'summary' ? { leftOpen: [] } : { knowledge: buildKnowledge({ ...knowledge, type: 'lesson' }) }
      return { ...page, memory: { ...page.memory, ...memory } }
    })
    expect(reasonsOf(data)).toContain('<td>the latest session on this branch that left something open</td>')
    expect(reasonsOf({ ...data, pages })).toContain('<td>the latest session on this branch</td>')
    expect(reasonsOf(data)).toContain('<td>expected to save 2 calls a session</td>')
  })

  test('report: a failure without a line of its output is not listed, and what helps is with the others', () => {
    const data = reportWith(['Use pnpm', 'Never push to main', 'Build first'])
    const pages = data.pages.map((page) =>
      page.memory.content === 'Build first'
        ? { ...page, calls: page.calls.map((call) => ({ ...call, error: undefined })) }
        : page,
    )
    const [, failed = '', learned = ''] = renderReport({ ...data, pages }).split(/<section id="(?:failures|learned)"/)
    expect(failed).toContain('Use pnpm')
    expect(failed).not.toContain('Build first')
    expect(learned.split('</section>')[0]).toContain('Build first')
  })

  test('report: what failed is listed by its sessions, calls and day, with what helps', () => {
    const data = reportWith(['Use pnpm', 'Never push to main', 'Build first'])
    const pages = data.pages.map((page) => ({
      ...page,
      calls: page.calls.map((call) => ({
        ...call,
        at: page.memory.content === 'Build first' ? '2026-03-09' : call.at,
        call: page.memory.content,
      })),
    }))
    const failed = renderReport({ ...data, pages })
      .split('<caption>What failed, first in most sessions')[1]
      ?.split('</table>')[0]
    expect(failed).toMatch(/Build first.*9.Mar.2026.*\n.*Use pnpm.*2.Mar.2026/)
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
    expect(renderReport({ ...data, pages }, { next })).toContain('<caption>Why each line is there')
  })

  test('report: the page of an entry says when it is shown', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    expect(page).toContain('before Bash with <code>Never push to main</code>')
  })

  test('report: the page of an entry says who said it, whether it still holds, and when it was last confirmed', () => {
    const data = reportWith(['Use pnpm', 'About 80 tests fail'])
    const pages = data.pages.map((page, i) => {
      const knowledge = buildKnowledge({
        ...page.memory.knowledge,
        author: 'model',
        state: i === 0 ? 'standing' : 'proposed',
      })
      return i < 2 ? { ...page, memory: { ...page.memory, knowledge: { ...knowledge, type: 'fact' as const } } } : page
    })
    const [, first, second] = renderReport({ ...data, pages })
      .split('<article')
      .map((page) => page.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|'))
    expect(first).toContain('Said by|the person: |“Use pnpm”|')
    expect(first).toContain('Still true, as far as memctl knows|yes: said by the person, and nothing replaced it|')
    expect(first).toMatch(/Last confirmed\|2.Mar.2026/)
    expect(first).not.toContain('Numbers in it')
    expect(second).toContain('perhaps: not met or confirmed in another session yet')
    expect(second).toMatch(/Numbers in it are of 2.Mar.2026/)
  })

  test('report: an entry is not surely true if its calls passed more often without it than they failed', () => {
    const data = reportWith(['Use pnpm'])
    const pages = data.pages.map((page) => {
      const knowledge = { ...page.memory.knowledge, author: 'rule', quote: undefined } as const
      return { ...page, memory: { ...page.memory, knowledge: buildKnowledge(knowledge) } }
    })
    const passedAt = (count: number) => Array<string>(count).fill('2026-03-09T09:00:00.000Z')
    const stateWith = (goodUnshown: readonly string[]) =>
      /as memctl knows<\/dt><dd>(\w+: [^<]*)/.exec(
        renderReport({ ...data, pages: pages.map((page) => ({ ...page, goodUnshown })) }),
      )?.[1]
    expect(stateWith(passedAt(21))).toBe(
      'perhaps: last met on 2\u00a0Mar\u00a02026; without it, such a call passed on 9\u00a0Mar\u00a02026',
    )
    expect(stateWith(passedAt(2))).toBe('yes: such a call failed in 1 session, last on 2\u00a0Mar\u00a02026')
  })

  test('report: the calls that kept and broke a rule are counted beside it, and listed on its page', () => {
    const page = renderReport(reportWith(['Use pnpm', 'Never push to main']))
    const rules = page.split('<caption>Rules and decisions that calls have kept or broken')[1]?.split('</table>')[0]
    expect(rules).toMatch(/Never push to main.*<td>the person: .*<\/td>.*<td>0 of 1<\/td><td>1 of 1<\/td>.*>1<\/td>/)
    const own = page.split('<caption>Calls that it was judged by').map((part) => part.split('</table>')[0])
    expect(own[1]).toContain('<td>failed</td>')
    expect(own[2]).toContain('<td>kept it</td>')
    expect(page).toContain('<p><span>failed: 11</span> · <span>passed: 1</span></p>')
    expect(page).toContain('<p><span>broke it: 11</span> · <span>kept it: 1</span></p>')
    expect(page).toContain('1 more call not listed.')
  })

  test('report: a list of more than 500 rows counts the others', () => {
    const table = { caption: 'Prices', heads: ['price'], rows: Array.from({ length: 502 }, (_, i) => [`price ${i}`]) }
    const page = renderLongTable(table).html
    expect(page).toContain('price 499<')
    expect(page).not.toContain('price 500<')
    expect(page).toContain('2 more entries: <code>memctl list</code>.')
  })

  test('report: rules that calls met, other rules, and decisions are apart, with who said them', () => {
    const data = reportWith(['Use pnpm', 'Never push to main', 'Round prices up'])
    const types = ['rule', 'rule', 'decision'] as const
    const said = data.knowledge.said.map((memory, i) => {
      const author = i === 2 ? 'model' : 'person'
      const more = { line: memory.content, type: types[i] ?? 'rule', author, quote: 'Up!' } as const
      return { ...memory, knowledge: buildKnowledge(more) }
    })
    const pages = data.pages.map((page) => ({
      ...page,
      predecessors: page.memory.id === said[2]?.id ? [said[0]?.id ?? page.memory.id] : [],
      sessions: page.memory.id === said[0]?.id ? [{ isShown: true, bad: 0 }] : [],
    }))
    const knowledge = { ...data.knowledge, said, learned: [] }
    const page = renderReport({ ...data, pages, knowledge })
    const tables = ['Rules and decisions that calls', 'Rules and preferences', 'Decisions and facts'].map((caption) =>
      page
        .split(`<caption>${caption}`)[1]
        ?.split('</table>')[0]
        ?.replace(/(?:<[^>]+>)+/g, '|'),
    )
    expect(tables[0]).toMatch(/Use pnpm\|the person: \|“Up!”\|2.Mar.2026\|1 of 1\|–\|/)
    expect(tables[1]).toMatch(/Never push to main\|the person: \|“Up!”\|2.Mar.2026\|/)
    expect(tables[2]).toMatch(/Round prices up\|it replaced \|Use pnpm\|the person: \|“Up!”\|/)
    expect(tables[1]).not.toContain('Use pnpm')
  })

  test('report: a rule that no call proves is a perhaps, after the others; a ban without a breach is kept', () => {
    const data = reportWith([
      'Update the log in the commit of a feature',
      'Never push to main',
      'We use tabs for indentation',
    ])
    const when = [{ at: 'call', tool: 'Bash', has: ['git commit'], unless: ['CHANGELOG'] }] as const
    const ban = [{ at: 'call', tool: 'Bash', has: ['git push', 'main'] }] as const
    const said = data.knowledge.said.map((memory, i) => {
      const line = memory.content
      const more = { line, type: i === 2 ? 'decision' : 'rule', when: [when, ban, []][i] ?? [] } as const
      return { ...memory, session: 'session-one' as SessionId, knowledge: buildKnowledge(more) }
    })
    const pages = data.pages.map((page, i) => {
      return { ...page, memory: said[i] ?? page.memory, sessions: i === 0 ? [{ isShown: false, bad: 1 }] : [] }
    })
    const later = [...data.sessions.values()].map((each) => ({ ...each, last: '2026-03-09' }))
    const sessions = new Map(later.map((each) => [each.id, each]))
    const page = renderReport({ ...data, pages, sessions, knowledge: { ...data.knowledge, said, learned: [] } })
    const [judged, decisions] = ['Rules and decisions that calls', 'Decisions and facts'].map((caption) =>
      page
        .split(`<caption>${caption}`)[1]
        ?.split('</table>')[0]
        ?.replace(/<[^>]+>/g, ' '),
    )
    // A ban without a breach is kept.
    expect(judged).toMatch(/Never push to main.*no such call in 1 session.*Update the log .* perhaps: .* 0 of 1/s)
    expect(decisions).toContain('We use tabs for indentation')
    expect(page).toContain('3 rules and decisions of the person')
    expect(page).toContain('<td>perhaps broke it</td>')
  })

  test('report: an entry replaced by its own restatement is named only where it has a page', () => {
    const data = reportWith(['Use pnpm', 'Never push to main'])
    const pages = data.pages.map((page) => ({ ...page, predecessors: [testMemoryId(99)], sessions: [] }))
    const contents = new Map([...data.contents, [testMemoryId(99), 'Package manager: pnpm']])
    const rules = renderReport({ ...data, contents, pages })
      .split('<section id="knowledge"')[1]
      ?.split('</section>')[0]
    expect(rules).not.toContain('it replaced')
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
      '<summary><h3>2\u00a0Mar\u00a02026</h3>\n<span>1 session, 30 calls\n(5 failed), 6 notes</span>',
    )
    expect(days).toContain('The totals are rounded.')
    expect(days).toContain('<td><span>committed</span>, <span>pushed</span></td>')
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

  test('report: what a later entry quotes has not ended, and a replaced rule keeps the calls that broke it', () => {
    const data = reportWith(['Use pnpm', 'Never push to main'])
    const [old] = data.knowledge.superseded
    const pages = data.pages.map((page) => ({
      ...page,
      memory: {
        ...page.memory,
        knowledge: buildKnowledge({ ...page.memory.knowledge, quote: 'Fast - use pnpm - ok' }),
      },
    }))
    const endedIn = (report: ReportData) => renderReport(report).split('<section id="ended"')[1]?.split('</section>')[0]
    expect(endedIn(data)).toContain(`${old?.content}`)
    expect(endedIn({ ...data, pages })).not.toContain(`${old?.content}`)
    const knowledge = { ...data.knowledge, said: data.knowledge.said.slice(1) }
    const rules = renderReport({ ...data, knowledge })
      .split('<caption>Rules and decisions that calls have')[1]
      ?.split('</table>')[0]
    expect(rules).toContain(`${old?.content}`)
  })

  test('report: wherever an entry is named that was replaced, what holds instead now is named beside it', () => {
    const memories = [1, 2, 3].map((n) => buildMemory(n, n < 3 ? { supersededBy: testMemoryId(n + 1) } : {}))
    const pages = memories.map((memory) => ({ memory })) as unknown as ReturnType<typeof reportWith>['pages']
    const link = memoryLinker({ pages, contents: new Map(memories.map(({ id }, i) => [id, `Way ${i + 1}`])) })
    const texts = memories.map(({ id }) => link(id).html.replace(/<[^>]+>/g, ''))
    expect(texts).toEqual(['Way 1 (replaced by Way 3)', 'Way 2 (replaced by Way 3)', 'Way 3'])
    expect(link(testMemoryId(1), 140, false).html).not.toContain('replaced')
    const [first] = memories.map((memory) => ({ ...memory, supersededBy: undefined, metadata: { done: ['Way 1'] } }))
    const done = memoryLinker({ pages: [{ memory: first }] as never, contents: new Map([[testMemoryId(1), 'Way 1']]) })
    expect(done(testMemoryId(1)).html).toContain('(done since)')
  })

  test('report: topics are areas of work in both languages', () => {
    const lines = ['Deploy with `rails deploy`', '`deployments` need the staging key', '金曜日には `デプロイ` しない']
    const alike = ['Start it in Flint', 'Use the Splinter', 'Keep the advisory lock short', 'Ask the committee']
    const memories = [...lines, ...alike].map((line, i) => buildMemory(i, { knowledge: buildKnowledge({ line }) }))
    const topics = listTopics(memories).map(({ word, memories: about }) => [word, about.length])
    expect(topics.filter(([, count]) => count !== 0)).toEqual([['deploy', 3]])
    // What nothing is known of is named, too.
    expect(topics).toContainEqual(['releases', 0])
  })

  test('report: a file has the entries that name it, by any end of its path, and the sessions that edited it', () => {
    const entries = [
      { line: 'Round in `src/prices.ts`, not in total.ts' },
      { line: 'Test every price', when: [{ at: 'call' as const, has: ['prices.ts'] }] },
      { line: 'Keep README.md short; tests/ has no README' },
      { line: 'Read tax.ts first' },
    ].map((knowledge, i) => buildMemory(i, { knowledge: buildKnowledge(knowledge) }))
    const edited = [
      ['shop/src/prices.ts', 'src/prices.ts'],
      ['a/tax.ts', 'b/tax.ts', 'README.md', 'docs/README.md'],
      [],
    ]
    const sessions = edited.map((files, i) =>
      buildMemory(50 + i, { kind: 'summary', editedFiles: [...files, 'shop/cart.ts'] }),
    )
    const found = listFiles(entries, sessions).map(({ word, memories, sessions: by }) => [
      word,
      memories.length,
      by.length,
    ])
    expect(found).toEqual([
      ['README.md', 1, 1],
      ['shop/cart.ts', 0, 3],
      ['shop/src/prices.ts', 2, 1],
      ['tax.ts', 1, 0],
      ['tests/', 1, 0],
      ['total.ts', 1, 0],
    ])
  })

  test('report: a topic also has the sessions that name it first', () => {
    const lines = ['Deploy with `rails deploy`', 'Look at `deploy.log`', 'Stop the worker before a `deploy`']
    const entries = lines.map((line, i) => buildMemory(i, { knowledge: buildKnowledge({ line }) }))
    const sessions = ['Deployed the shop', 'Fixed a typo\nand deployed'].map((content, i) =>
      buildMemory(50 + i, { content }),
    )
    const deploy = listTopics(entries, sessions).find(({ word }) => word === 'deploy')
    expect(deploy?.sessions.map(({ content }) => content)).toEqual(['Deployed the shop'])
  })

  test('report: a file counts all sessions that edited it, and lists the latest', () => {
    const data = reportWith(['Round prices up'])
    const summaries = Array.from({ length: 6 }, (_, i) => {
      return buildMemory(60 + i, { kind: 'summary', content: `Session ${i}`, editedFiles: ['src/prices.ts'] })
    })
    const contents = new Map(summaries.map(({ id, content }) => [id, content]))
    const topics = renderReport({ ...data, contents, summaries }).split('<section id="topics"')[1]
    const file = topics?.split('src/prices.ts')[1]?.split('</details>')[0]
    expect(file).toContain('<span class="count">6 sessions</span>')
    expect(file?.match(/Session \d/g)).toHaveLength(4)
    expect(file).toContain('<li>2 earlier sessions</li>')
  })

  test('report: a topic has apart what holds, what holds no longer, and sessions', () => {
    const data = reportWith(['Deploy on Mondays', 'Never push to main', 'Build before a deploy'])
    const topics = renderReport(data).split('<section id="topics"')[1]
    const deploy = topics
      ?.split('<span>deploy</span>')[1]
      ?.split('</details>')[0]
      ?.replace(/<[^>]+>/g, '')
    expect(deploy).toMatch(/^ 4 hold · 1 holds no longer\s+4 hold.*Build before.*1 holds no longer\s+Deploy on/s)
  })

  test('report: below an entry stands what was said earlier about its subject, and not beside it', () => {
    const lines = ['Cut the release branch on Friday', 'Cut the release branch on Monday', 'Round prices up']
    const data = reportWith(lines)
    const said = data.knowledge.said.map((memory, i) => ({ ...memory, created: `2026-03-0${4 - i}T09:00:00.000Z` }))
    const pages = data.pages.map((page, i) => ({ ...page, memory: said[i] ?? page.memory, sessions: [] }))
    const knowledge = { ...data.knowledge, said, learned: [] }
    const subjects = new Map(said.flatMap(({ id }, i) => (i < 2 && said[0] ? [[id, said[0].id]] : [])))
    const page = renderReport({ ...data, pages, knowledge, subjects })
    const rules = page.split('<caption>Rules and preferences')[1]?.split('</table>')[0]
    expect(rules?.match(/<tr><th scope="row">/g)).toHaveLength(2)
    const text = page.replace(/<[^>]+>/g, '')
    expect(text).toMatch(/Cut the release branch on Fridayearlier, on 3.Mar.2026: Cut the release branch on Monday/)
    expect(text).toMatch(/2 rules and decisions of the person\s+hold\..*1 earlier one is below the one/s)
    expect(text).toMatch(/About the same subjectlater, on 4.Mar.2026: Cut the release branch on Friday/)
    expect(text).toContain('Still true, as far as memctl knowsperhaps: a later one is about the same subject')
  })

  test('report: below an entry stand all others about its subject, however many they are', () => {
    const lines = Array.from({ length: 9 }, (_, i) => `Cut the release branch on day ${i}`)
    const data = reportWith(lines)
    const pages = data.pages.map((page) => ({ ...page, sessions: [] }))
    const subjects = new Map(data.knowledge.said.map(({ id }, _, [first]) => [id, first?.id ?? id]))
    const page = renderReport({ ...data, pages, subjects, knowledge: { ...data.knowledge, learned: [] } })
    const rules = page.split('<caption>Rules and preferences')[1]?.split('</table>')[0]
    expect(page).toContain('8 earlier ones are below')
    expect(lines.filter((line) => !rules?.includes(line))).toEqual([])
  })

  test('report: entries about one failed call are in one row, and in no other list', () => {
    const data = reportWith(['Use pnpm', 'Never push to main', 'Build first'])
    const failing = data.pages[0]?.calls ?? []
    const pages = data.pages.map((page) => ({ ...page, calls: failing }))
    const page = renderReport({ ...data, pages, recurring: [] })
    const failed = page.split('<caption>What failed, first in most sessions')[1]?.split('</table>')[0]
    expect(failed?.match(/<tr><th scope="row">/g)).toHaveLength(1)
    expect(failed).toMatch(/<li>.*Use pnpm.*<li>.*Build first/)
    expect(page.split('<section id="learned"')[1]?.split('</section>')[0]).not.toContain('Build first')
  })

  test('report: what was left open, also by the first line of a summary, is apart from what is perhaps done', () => {
    const data = reportWith(['Use pnpm'])
    const [early, late] = ['Broke the logo; not pushed', 'The totals of prices are described'].map((content, i) =>
      buildMemory(70 + i, {
        ...{ kind: 'summary', content, session: `session-${i}` as SessionId },
        updated: `2026-03-0${i + 2}T09:00:00.000Z`,
      }),
    )
    if (!early || !late) throw new Error('there are no sessions')
    const leftOpen = ['Describe the totals of prices', 'Draw another picture']
    const contents = new Map([early, late].map(({ id, content }) => [id, content]))
    const page = renderReport({ ...data, contents, summaries: [late, { ...early, leftOpen }] })
    const [open, taken] = ['What sessions left open', 'Perhaps done'].map((caption) =>
      page
        .split(`<caption>${caption}`)[1]
        ?.split('</table>')[0]
        ?.replace(/<[^>]+>/g, ''),
    )
    expect(open).toContain('Draw another picture')
    expect(open).toMatch(/>?not pushed\s*Broke the logo/)
    expect(open).not.toContain('Describe the totals of prices')
    expect(taken).toContain('The totals of prices are described')
  })

  test('report: what was fixed is what commits, else a plan, else the first line say, with the cause', () => {
    const data = reportWith(['Use pnpm'])
    const texts = [
      'Totals are right; committed.\nCommitted "fix(cart): round totals" and 1 more; tests pass\nPlan: Fix the totals',
      'The banner stays.\nImplemented the plan "Bug fix: "Sale" banner hides"; lint passes\n- Root cause: it was late',
      'Read the docs, fixed a typo; not pushed',
      '値段の表示を修正。テストは成功',
      'All findings of the review fixed; committed.\nCommitted "Add fixed prices"',
    ]
    const summaries = texts.map((content, i) => buildMemory(60 + i, { kind: 'summary', content }))
    const contents = new Map(summaries.map(({ id, content }) => [id, content]))
    const fixed = renderReport({ ...data, contents, summaries })
      .split('<section id="fixed"')[1]
      ?.split('</section>')[0]
    const lines = [...(fixed ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, line]) => line?.replace(/<[^>]+>/g, ''))
    expect(lines).toEqual(['round totals', '"Sale" banner hides', 'fixed a typo', '値段の表示を修正'].map(escapeHtml))
    expect(fixed).toContain('Root cause: it was late')
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

  test('report: how memctl measured itself is a sentence, what notes came to, and the command for the figures', () => {
    const page = renderReport(reportWith(['Use pnpm']))
    const measured = page.split('<section id="measured"')[1]?.split('</section>')[0]
    expect(measured).toContain('It is too early to say whether it helps.')
    expect(measured?.replace(/\s+/g, ' ')).toMatch(
      /<\/h2> <p>A time is a moment, .* A showing is one note at one moment/,
    )
    expect(measured).toContain('What came of 6 showings: ')
    expect(measured).toContain('the rule was broken: 2</span> · <span>nothing came of it: 4</span>')
    expect(measured).toContain('<code>memctl report --effect</code>')
    expect(measured).not.toContain('<table')
  })
})

describe('the answer at the top', () => {
  test('report: without enough holdouts it says that it is too early, and what is missing', () => {
    const verdict = decideVerdict({ totals, experiment: { ...experiment, shown: 30, withheld: 2 } })
    expect(verdict).toMatchObject({ headline: 'It is too early to say whether it helps.' })
    expect(verdict.reason).toContain('others were shown 30 times and held back 2 times so far.')
    expect(describeMissing({ totals, experiment: { ...experiment, shown: 30, withheld: 2 } })).toContain(
      'about 81 more',
    )
  })

  test('report: of sessions that were imported or replayed nothing is an effect of notes', () => {
    const effects = effectsWith(-0.4, -0.1)
    const { headline, reason } = decideVerdict({
      totals: { ...totals, timed: 0 },
      experiment: { ...experiment, effects },
    })
    expect(headline).toBe('No session has seen a note yet.')
    expect(reason).toContain('Claude did not see the notes of imported and replayed sessions')
  })

  test('report: of live sessions without notes it says that there is nothing to compare, and no other reason', () => {
    expect(decideVerdict({ totals: { ...totals, notes: 0 }, experiment }).reason).toBe('There is nothing to compare.')
  })

  test('report: an open effect has the number of missing sessions, unless there are very many', () => {
    const effects = effectsWith(-0.1, 0.2)
    // The half of the interval is three times the effect: nine times as many sessions.
    expect(describeMissing({ totals, experiment: { ...experiment, effects } })).toContain('about 72 more sessions')
    expect(describeMissing({ totals, experiment: { ...experiment, effects: effectsWith(-0.1, 0.1001) } })).toBe(false)
  })

  test('report: only what is for a failure does not help yet, once enough of its live showings had a result', () => {
    const pageWith = (outcomes: Partial<Record<Outcome, number>>, timed = 6) => {
      const data = reportWith(['Use pnpm'])
      const counts = new Map(Object.entries(outcomes) as [Outcome, number][])
      const pages = data.pages.map((page) => ({ ...page, outcomes: counts }))
      return renderReport({ ...data, pages, totals: { ...data.totals, timed } })
    }
    const vain = pageWith({ failed: 4, nothing: 3, unknown: 9 })
    expect(vain.match(/does not help yet/g)).toHaveLength(1)
    expect(vain.split('<section id="failures"')[1]?.split('</section>')[0]).toContain('does not help yet')
    for (const few of [{ failed: 3, nothing: 3 }, { failed: 1 }, { failed: 4, unknown: 9 }])
      expect(pageWith(few)).not.toContain('does not help yet')
    expect(pageWith({ failed: 4, nothing: 3 }, 0)).not.toContain('does not help yet')
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
