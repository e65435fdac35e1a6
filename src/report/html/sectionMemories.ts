// The memories that help most and least, the list of all with a page, and the pages.
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { Memory, MemoryKind } from '../../model/memory.ts'
import { renderEmpty, renderFigure, renderTable } from './figure.ts'
import { countOf, formatChange, formatDay, formatInteger } from './formatFigures.ts'
import { type Html, html } from './html.ts'
import { type LinkMemory, memoryLinker } from './memoryLink.ts'
import { drawBars } from './rowChart.ts'
import { plainLine } from './storeText.ts'

export function renderHelp(data: ReportData): Html {
  const { helpful, unhelpful } = data
  const ranked = [...helpful, ...[...unhelpful].reverse()]
  if (ranked.length === 0) {
    return renderEmpty('When sessions with notes have ended, the memories that help most and least are listed here.')
  }
  const link = memoryLinker(data)
  const finding =
    helpful.length === 0
      ? 'No shown memory has helped measurably yet; the ones below were shown and not used'
      : `${countOf(helpful.length, 'memory', 'memories')} at the top helped, ${formatInteger(unhelpful.length)} at the bottom cost more than they gave`
  return renderFigure({
    id: 'help-chart',
    finding,
    draw: drawBars({
      label: 'contribution, summed over all showings (−1 to 1 each)',
      rows: ranked.map(({ content, statement, help }) => ({
        name: plainLine(statement?.short ?? content, 90),
        value: help.contribution,
        label: formatChange(help.contribution),
      })),
    }),
    alternative: `Bars: contribution per memory, from ${formatChange(ranked[0]?.help.contribution ?? 0)} to ${formatChange(ranked.at(-1)?.help.contribution ?? 0)}. The table has the texts.`,
    counted:
      'contribution = use × (success, time, calls and errors of the task, each compared with what is usual here) − a ' +
      'small cost for every showing that was not used. Preferences, decisions and entries cost nothing when unused.',
    table: {
      caption: 'Memories that help most and least',
      heads: ['memory', 'kind', 'shown', 'used', 'contribution'],
      rows: ranked.map((memory) => helpRow(memory, link)),
      numeric: [2, 3, 4],
    },
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
  fact: 'Project facts',
  preference: 'Preferences',
  decision: 'Decisions',
  entry: 'Entries that somebody wrote',
  summary: 'Summaries of sessions',
  experience: 'Experiences: one task or one failed call',
  consolidated: 'Consolidated memories',
}

export function renderMemoryList(data: ReportData): Html {
  const { pages, pagesLeftOut } = data
  if (pages.length === 0) return renderEmpty('Each memory gets a page of its own: where it comes from, when it was shown, what followed.')
  const link = memoryLinker(data)
  const kinds = (Object.keys(KIND_TITLES) as MemoryKind[]).filter((kind) => pages.some(({ memory }) => memory.kind === kind))
  return html`<p>${countOf(pages.length, 'memory has', 'memories have')} a page: choose its text.${
    pagesLeftOut > 0 &&
    html` ${formatInteger(pagesLeftOut)} more are left out to keep this file small; <code>memctl report --pages N</code> takes
more, and <code>memctl list</code> has all.`
  }</p>
${kinds.map((kind) => {
  const memories = pages.map(({ memory }) => memory).filter((memory) => memory.kind === kind)
  return html`<details class="kind"><summary>${KIND_TITLES[kind]} <span class="count">${formatInteger(memories.length)}</span></summary>${renderTable(
    {
      caption: KIND_TITLES[kind],
      heads: ['memory', 'updated', 'shown', 'used', 'contribution'],
      rows: memories.map(({ id, updated, help }) => [
        link(id),
        formatDay(updated),
        ...[help.shown, help.used].map(formatInteger),
        help.shown === 0 ? '–' : formatChange(help.contribution),
      ]),
      numeric: [2, 3, 4],
    },
  )}</details>`
})}`
}
