// The report as one HTML file: no network, no script, and nothing of a store that could become markup. The policy for
// content allows the one style sheet by its hash and nothing else.
import { createHash } from 'node:crypto'
import type { ReportData } from '../../broker/queries/reportData.ts'
import { type Html, html, trustedHtml } from './html.ts'
import { renderMemoryPages } from './memoryPage.ts'
import { renderNotes, renderSessions } from './sectionActivity.ts'
import { renderFailures } from './sectionFailures.ts'
import { renderKnowledge } from './sectionKnowledge.ts'
import { renderHelp, renderMemoryList } from './sectionMemories.ts'
import { renderOverview } from './sectionOverview.ts'
import { renderPolicy } from './sectionPolicy.ts'
import { renderHooks, renderSizes, renderTokens } from './sectionStore.ts'
import { inlineText } from './storeText.ts'
import { STYLE } from './style.ts'

/** The beginning of every report: a file with another one is not overwritten. */
export const REPORT_MARK = '<!doctype html>\n<!-- memctl report -->'

interface Section {
  readonly id: string
  readonly title: string
  readonly render: (data: ReportData) => Html
}

const SECTIONS: readonly Section[] = [
  { id: 'knowledge', title: 'What this project knows', render: renderKnowledge },
  { id: 'sessions', title: 'Sessions over time', render: renderSessions },
  { id: 'notes', title: 'What was shown, and what came of it', render: renderNotes },
  { id: 'failures', title: 'Failures met and avoided', render: renderFailures },
  { id: 'help', title: 'Memories that help most and least', render: renderHelp },
  { id: 'policy', title: 'Policy over time', render: renderPolicy },
  { id: 'tokens', title: 'Tokens', render: renderTokens },
  { id: 'sizes', title: 'Tiers and sizes', render: renderSizes },
  { id: 'hooks', title: 'Times of hooks', render: renderHooks },
  { id: 'memories', title: 'All memories', render: renderMemoryList },
]

/** The whole file. `hub` is the state of the hub in one line; absent without one. */
export function renderReport(data: ReportData, hub?: string): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const { name } = data.status.project
  return `${REPORT_MARK}
${
  html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustedHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>memctl report: ${name}</title>
<style>${trustedHtml(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
${renderOverview(data)}
<nav class="contents" aria-label="Contents"><h2>Contents</h2><ol>${SECTIONS.map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ol></nav>
<main id="content" tabindex="-1">
<div class="sections">${SECTIONS.map((section) => renderSection(section, data))}</div>
${renderMemoryPages(data)}</main>
${renderFooter(data, hub)}
</div>
</body>
</html>`.html
}
`
}

const renderSection = (
  { id, title, render }: Section,
  data: ReportData,
): Html => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${render(data)}
</section>
`

function renderFooter({ includesPrivate, status }: ReportData, hub: string | undefined): Html {
  const hidden = includesPrivate ? 'It includes private memories: do not share it.' : 'Private memories are left out.'
  return html`<footer><p>Made by <code>memctl report</code> from ${status.store}. This file is a copy: it loads nothing,
sends nothing, and does not change when the memory does. ${hidden}</p>${hub !== undefined && html`<p>Hub: ${inlineText(hub, 400)}</p>`}</footer>`
}
