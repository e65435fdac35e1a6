// The memories that help most and least, the list of all with a page, and the pages.
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { Memory, MemoryKind } from '../../model/memory.ts'
import { renderEmpty, renderFigure, renderTable } from './figure.ts'
import { countOf, formatChange, formatDay, formatInteger } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { type LinkMemory, memoryLinker } from './memoryLink.ts'
import { drawNamedBars } from './rowChart.ts'
import { plainLine } from './storeText.ts'

export function renderHelp(data: ReportData): Html {
  const { helpful, unhelpful } = data
  if (helpful.length + unhelpful.length === 0) {
    return renderEmpty('When sessions with notes have ended, the memories that help most and least are listed here.')
  }
  const most =
    helpful.length === 0
      ? renderEmpty('No shown memory has helped measurably yet.')
      : renderRanking(data, helpful, { id: 'help-chart', rank: 'most' })
  const least =
    unhelpful.length === 0
      ? renderEmpty('No memory has cost more than it gave.')
      : renderRanking(data, unhelpful, { id: 'cost-chart', rank: 'least' })
  return html`${most}${least}`
}

function renderRanking(
  data: ReportData,
  memories: readonly Memory[],
  { id, rank }: { readonly id: string; readonly rank: 'most' | 'least' },
): Html {
  const link = memoryLinker(data)
  const [first] = memories
  const title = `${formatInteger(memories.length)} memories that help ${rank}`
  const sum = memories.reduce((total, { help }) => total + help.contribution, 0)
  return renderFigure({
    id,
    finding: memories.length === 1 ? `The memory that helps ${rank}` : `The ${title} (${formatChange(sum)} in all)`,
    draw: drawNamedBars({
      label: sum < 0 ? 'cost: contribution below zero' : 'contribution',
      rows: memories.map(({ content, knowledge, help }) => ({
        name: plainLine(knowledge?.line ?? content, 140),
        value: help.contribution,
        label: formatChange(help.contribution),
      })),
    }),
    alternative:
      `Bars: contribution of ${countOf(memories.length, 'memory', 'memories')}, ` +
      `the greatest ${formatChange(first?.help.contribution ?? 0)}. The table below names them.`,
    counted:
      sum < 0
        ? 'as above; the bars show how far a sum is below zero.'
        : 'each showing contributes between −1 and 1; the bars are sums. Contribution = use × (success, time, ' +
          'calls and errors of the task, compared with what is usual here) − a small cost if it was not used. ' +
          'Preferences, decisions and entries cost nothing when unused.',
    table: {
      caption: `Memories that help ${rank}`,
      heads: ['memory', 'kind', 'shown', 'used', 'contribution'],
      rows: memories.map((memory) => helpRow(memory, link)),
      numeric: [2, 3, 4],
    },
    isTableOpen: true,
  })
}

const helpRow = ({ id, kind, help }: Memory, link: LinkMemory): (Html | string)[] => [
  link(id),
  kind,
  formatInteger(help.shown),
  formatInteger(help.used),
  formatChange(help.contribution),
]

const KIND_TITLES: Readonly<Record<MemoryKind, string>> = {
  lesson: 'Lessons: an error and what fixed it',
  fact: 'Facts',
  preference: 'Preferences',
  decision: 'Decisions',
  entry: 'Entries that somebody wrote',
  summary: 'Summaries of sessions',
  experience: 'Experiences: one task or one failed call',
  consolidated: 'Consolidated memories',
}

export function renderMemoryList(data: ReportData): Html {
  const { pages, pagesLeftOut } = data
  if (pages.length === 0)
    return renderEmpty('Each memory gets a page of its own: where it comes from, when it was shown, what followed.')
  const link = memoryLinker(data)
  const kinds = (Object.keys(KIND_TITLES) as MemoryKind[]).filter((kind) =>
    pages.some(({ memory }) => memory.kind === kind),
  )
  return html`<p>${countOf(pages.length, 'memory has', 'memories have')} a page: choose its text.${
    pagesLeftOut > 0 &&
    html` ${formatInteger(pagesLeftOut)} more are left out to keep this file small; <code>memctl report --pages N</code>
takes more, and <code>memctl list</code> has all.`
  }</p>
${kinds.map((kind) => {
  const memories = pages.map(({ memory }) => memory).filter((memory) => memory.kind === kind)
  const count = html`<span class="count">${formatInteger(memories.length)}</span>`
  return html`<details class="kind"><summary>${KIND_TITLES[kind]} ${count}</summary>${renderTable({
    caption: KIND_TITLES[kind],
    heads: ['memory', 'updated', 'shown', 'used', 'contribution'],
    rows: memories.map(({ id, updated, help }) => [
      link(id),
      formatDay(updated),
      ...[help.shown, help.used].map(formatInteger),
      help.shown === 0 ? '–' : formatChange(help.contribution),
    ]),
    numeric: [2, 3, 4],
  })}</details>`
})}`
}
