// The head of the report: does the memory help? One sentence, and four figures.
import type { HoldoutEffect } from '../../broker/queries/effectReports.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { WarningFigures } from '../../broker/queries/reportFigures.ts'
import { countOf, formatDay, formatInteger, formatShare, formatShareInterval } from './formatFigures.ts'
import { type Html, html, withCode } from './html.ts'
import { WARNINGS_MIN } from './sectionFailures.ts'
import { inlineText } from './storeText.ts'

export interface Verdict {
  readonly tone: 'good' | 'bad' | 'open'
  readonly headline: string
  readonly reason: string
}

const EFFECT_WORDS: Readonly<Record<HoldoutEffect['name'], readonly [less: string, more: string]>> = {
  'failure rate': ['fewer tasks with a failed call', 'more tasks with a failed call'],
  'known errors again': ['fewer tasks with a known error', 'more tasks with a known error'],
  'tool calls': ['fewer tool calls', 'more tool calls'],
  time: ['less time', 'more time'],
}

/** What notes are for. Calls and time alone do not decide: more work may be better work. */
const DECIDING: ReadonlySet<HoldoutEffect['name']> = new Set(['failure rate', 'known errors again'])

/** The answer that the experiment supports, and nothing beyond it. */
export function decideVerdict({ experiment, totals }: Pick<ReportData, 'experiment' | 'totals'>): Verdict {
  const { effects, shown, withheld, neededPerArm } = experiment
  if (totals.sessions === 0) {
    const reason = 'Sessions appear here as soon as hooks have recorded one; `memctl init` installs the hooks.'
    return { tone: 'open', headline: 'Nothing is recorded yet.', reason }
  }
  if (!effects) {
    const reason =
      'memctl holds back a few notes by chance and compares the tasks with and without a note. A comparison needs ' +
      `${neededPerArm} of each; so far ${countOf(shown, 'note was', 'notes were')} shown and ` +
      `${formatInteger(withheld)} held back.`
    return { tone: 'open', headline: 'It is too early to say whether it helps.', reason }
  }
  const deciding = effects.filter(({ name }) => DECIDING.has(name))
  const better = deciding.filter(({ verdict }) => verdict === 'helps')
  const worse = deciding.filter(({ verdict }) => verdict === 'harms')
  const basis =
    `Chance held back ${countOf(withheld, 'note')}. ` +
    `Compared with these, the tasks after ${countOf(shown, 'shown note')} had `
  const words = [...better.map(({ name }) => EFFECT_WORDS[name][0]), ...worse.map(({ name }) => EFFECT_WORDS[name][1])]
  if (words.length === 0)
    return { tone: 'open', headline: 'No effect is certain yet.', reason: openReason(basis, effects) }
  const reason = `${basis}${words.join(' and ')}.`
  if (worse.length === 0) return { tone: 'good', headline: 'Yes: with notes, less fails.', reason }
  if (better.length === 0) return { tone: 'bad', headline: 'No: with notes, more fails.', reason }
  return { tone: 'open', headline: 'It helps in one way and harms in another.', reason }
}

function openReason(basis: string, effects: readonly HoldoutEffect[]): string {
  const beyond = effects.filter(({ verdict }) => verdict !== 'not known yet')
  const words = beyond.map(({ name, verdict }) => EFFECT_WORDS[name][verdict === 'helps' ? 0 : 1])
  if (words.length === 0) return `${basis}about as many failures; the difference may be chance.`
  return (
    `${basis}about as many failures. Another figure is beyond chance (${words.join(', ')}), but it does not decide: ` +
    'more work may be better work.'
  )
}

export function renderOverview(data: ReportData): Html {
  const { totals, since, status } = data
  const verdict = decideVerdict(data)
  const period =
    totals.first && totals.last
      ? `${countOf(totals.sessions, 'session')} from ${formatDay(totals.first)} to ${formatDay(totals.last)}`.replace(
          /from (.+) to \1$/,
          'on $1',
        )
      : 'no sessions yet'
  return html`<header class="top">
<p class="brand">memctl report</p>
<h1>${inlineText(status.project.name, 80)}</h1>
<p class="meta">${period}${since !== undefined && `, since ${formatDay(since)}`} · made ${formatDay(data.madeAt)}</p>
<section class="verdict ${verdict.tone}" aria-labelledby="answer">
<p class="question">Does the memory help?</p>
<h2 id="answer">${verdict.headline}</h2>
<p>${withCode(verdict.reason)}</p>
</section>
<dl class="tiles">${listTiles(data).map(
    ([
      label,
      value,
      detail,
    ]) => html`<div class="tile"><dt>${label}</dt><dd><b>${value}</b><span>${detail}</span></dd></div>
`,
  )}</dl>
</header>`
}

type Tile = readonly [label: string, value: string, detail: string]

function listTiles({ totals, use, failures, tokens }: ReportData): Tile[] {
  const { judged, used, interval } = use
  const { shown, withheld } = failures
  return [
    [
      'Notes shown',
      formatInteger(totals.notes),
      `in ${formatInteger(totals.sessionsWithNotes)} of ${countOf(totals.sessions, 'session')}`,
    ],
    interval === null
      ? ['Notes used', '–', 'no result is known yet']
      : [
          'Notes used',
          formatShare(used / judged),
          `${formatInteger(used)} of ${formatInteger(judged)}; 95\u00a0% interval ${formatShareInterval(interval)}`,
        ],
    shown.count < WARNINGS_MIN
      ? ['Error came back', '–', `known from ${WARNINGS_MIN} warnings on; so far ${shown.count}`]
      : ['Error came back', formatShare(shown.again / shown.count), warningDetail(shown, withheld)],
    [
      'Cost per session',
      totals.sessionsWithNotes === 0 ? '–' : `${formatInteger(tokens.median)} tokens`,
      totals.sessionsWithNotes === 0
        ? 'no note was shown yet'
        : `median; 9 of 10 sessions below ${formatInteger(tokens.p90)}`,
    ],
  ]
}

function warningDetail({ count }: WarningFigures, withheld: WarningFigures): string {
  const share = formatShare(withheld.again / withheld.count)
  const control = withheld.count === 0 ? '' : `; ${share} of ${formatInteger(withheld.count)} held back`
  return `after ${countOf(count, 'warning')}${control}`
}
