// The head of the report: does the memory help? One sentence, and four figures.
import type { HoldoutEffect } from '../../improve/experiment.ts'
import { wilsonInterval } from '../../improve/experiment.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import { countOf, formatDay, formatInteger, formatShare, formatShareInterval } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { inlineText } from './storeText.ts'

export interface Verdict {
  readonly tone: 'good' | 'bad' | 'open'
  readonly headline: string
  readonly reason: string
}

const EFFECT_WORDS: Readonly<Record<HoldoutEffect['name'], readonly [less: string, more: string]>> = {
  'failure rate': ['fewer tasks with a failed call', 'more tasks with a failed call'],
  'known errors again': ['known errors come back less often', 'known errors come back more often'],
  'tool calls': ['fewer tool calls', 'more tool calls'],
  time: ['less time', 'more time'],
}

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
      `${neededPerArm} of each; so far ${countOf(shown, 'note was', 'notes were')} shown and ${formatInteger(withheld)} held back.`
    return { tone: 'open', headline: 'It is too early to say whether it helps.', reason }
  }
  const better = effects.filter(({ verdict }) => verdict === 'helps').map(({ name }) => EFFECT_WORDS[name][0])
  const worse = effects.filter(({ verdict }) => verdict === 'harms').map(({ name }) => EFFECT_WORDS[name][1])
  const basis =
    `Compared with ${countOf(withheld, 'task', 'tasks')} whose note was held back by chance, ` +
    `${countOf(shown, 'task', 'tasks')} with a note had `
  if (better.length > 0 && worse.length === 0)
    return { tone: 'good', headline: 'Yes, it helps.', reason: `${basis}${better.join(', ')}.` }
  if (worse.length > 0 && better.length === 0)
    return { tone: 'bad', headline: 'No, it costs more than it gives.', reason: `${basis}${worse.join(', ')}.` }
  if (worse.length > 0)
    return { tone: 'open', headline: 'It helps and it harms.', reason: `${basis}${[...better, ...worse].join(', ')}.` }
  return { tone: 'open', headline: 'No effect is certain yet.', reason: `${basis}no difference beyond chance.` }
}

export function renderOverview(data: ReportData): Html {
  const { totals, since, status } = data
  const verdict = decideVerdict(data)
  const period =
    totals.first && totals.last
      ? `${countOf(totals.sessions, 'session')} from ${formatDay(totals.first)} to ${formatDay(totals.last)}`
      : 'no sessions yet'
  return html`<header class="top">
<p class="brand">memctl report</p>
<h1>${inlineText(status.project.name, 80)}</h1>
<p class="meta">${period}${since !== undefined && `, since ${formatDay(since)}`} · made ${formatDay(data.madeAt)}</p>
<section class="verdict ${verdict.tone}" aria-labelledby="answer">
<p class="question">Does the memory help?</p>
<h2 id="answer">${verdict.headline}</h2>
<p>${verdict.reason}</p>
</section>
<dl class="tiles">${listTiles(data).map(
    ([label, value, detail]) => html`<div class="tile"><dt>${label}</dt><dd><b>${value}</b><span>${detail}</span></dd></div>
`,
  )}</dl>
</header>`
}

type Tile = readonly [label: string, value: string, detail: string]

function listTiles({ totals, moments, failures, tokens }: ReportData): Tile[] {
  const judged = moments.reduce((sum, moment) => sum + moment.judged, 0)
  const used = moments.reduce((sum, moment) => sum + moment.used, 0)
  const followed = failures.shown.avoided + failures.shown.again
  return [
    [
      'Notes shown',
      formatInteger(totals.notes),
      `in ${formatInteger(totals.sessionsWithNotes)} of ${countOf(totals.sessions, 'session')}`,
    ],
    judged === 0
      ? ['Notes used', '–', 'no result is known yet']
      : [
          'Notes used',
          formatShare(used / judged),
          `${formatInteger(used)} of ${formatInteger(judged)}; 95\u00a0% interval ${formatShareInterval(wilsonInterval(used, judged))}`,
        ],
    followed === 0
      ? ['Error stayed away', '–', 'no warned call was tried again yet']
      : [
          'Error stayed away',
          formatShare(failures.shown.avoided / followed),
          `after ${countOf(followed, 'warning')} whose call was tried again`,
        ],
    [
      'Cost per session',
      totals.sessionsWithNotes === 0 ? '–' : `${formatInteger(tokens.median)} tokens`,
      totals.sessionsWithNotes === 0 ? 'no note was shown yet' : `median; 9 of 10 sessions below ${formatInteger(tokens.p90)}`,
    ],
  ]
}
