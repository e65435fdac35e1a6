// The report as one HTML file: no network, no script, and nothing of a store that could become markup. The policy for
// content allows the one style sheet by its hash and nothing else. It begins with what the person has of the memory;
// how memctl measured itself comes after that.
import { createHash } from 'node:crypto'
import type { ReportData } from '../../broker/queries/reportData.ts'
import { daysBetween } from '../../model/strength.ts'
import { formatCount } from '../formatNumber.ts'
import { isEnglish, translate } from '../translation.ts'
import { formatDay } from './figure.ts'
import { escapeHtml, type Html, html, inlineText, trustedHtml } from './html.ts'
import {
  renderDays,
  renderEnded,
  renderFailures,
  renderFixed,
  renderKnowledge,
  renderLearned,
  renderNext,
  renderOpen,
} from './knowledge.ts'
import { decideVerdict, type LeavesMachine, renderCosts, renderMeasured } from './measured.ts'
import { renderMemoryPages } from './memoryPage.ts'
import { STYLE } from './style.ts'
import { renderTopics } from './topics.ts'

/** The beginning of every report: a file with another one is not overwritten. */
export const REPORT_MARK = '<!doctype html>\n<!-- memctl report -->'

/** What is in the report beside the data of the project's memory. */
export interface ReportExtras extends LeavesMachine {
  /** What the hook of a start would inject now; empty if nothing. */
  readonly next: string
}

type Section = readonly [id: string, title: string, render: (data: ReportData, extras: ReportExtras) => Html]

const SECTIONS: readonly Section[] = [
  ['next', 'What the next session gets', renderNext],
  ['knowledge', 'What people said', renderKnowledge],
  ['failures', 'What failed, and what helps', renderFailures],
  ['fixed', 'What was fixed, and how', renderFixed],
  ['learned', 'What else was learned', renderLearned],
  ['ended', 'What no longer holds, since when, and what holds instead', renderEnded],
  ['topics', 'By topic, and by file', renderTopics],
  ['open', 'What was left open', renderOpen],
  ['days', 'What was done, day by day', renderDays],
  ['costs', 'What it costs, and what leaves this machine', renderCosts],
  ['measured', 'How memctl measured itself', renderMeasured],
]

/** The whole file, in the language of the terminal. */
export function renderReport(data: ReportData, extras: ReportExtras = { next: '' }): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const { name } = data.status.project
  return `${REPORT_MARK}
${translatePage(
  html`<html lang="${translate('en')}">
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
${renderTop(data)}
<nav class="contents" aria-label="Contents"><ol>${SECTIONS.map(
    ([id, title]) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ol></nav>
<main id="content" tabindex="-1">
<div class="sections">${SECTIONS.map(
    ([id, title, render]) => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${render(data, extras)}
</section>
`,
  )}</div>
${renderMemoryPages(data)}</main>
${renderFooter(data)}
</div>
</body>
</html>`.html,
)}
`
}

/** Days without a session from which the page says how old it is. */
const QUIET_DAYS = 14

function renderTop(data: ReportData): Html {
  const { totals, since, status, madeAt } = data
  const { first, last, sessions, timed } = totals
  const [from, to] = [first && formatDay(first), last && formatDay(last)]
  const quietDays = Math.floor(daysBetween(Date.parse(last ?? madeAt), Date.parse(madeAt)))
  const period =
    from === undefined
      ? 'Nothing is recorded yet.'
      : `${formatCount(sessions, 'session')} ${from === to ? `on ${from}` : `from ${from} to ${to}`}`
  return html`<header class="top">
<p class="brand">memctl report</p>
<h1>${inlineText(status.project.name, 80)}</h1>
<p class="meta">${period}${since !== undefined && `, since ${formatDay(since)}`} · made ${formatDay(madeAt)}</p>
${
  sessions > timed &&
  html`<p class="meta">${formatCount(sessions - timed, 'session was', 'sessions were')} imported or replayed: Claude
did not see their notes.</p>`
}
${quietDays >= QUIET_DAYS && html`<p class="meta">Nothing new for ${formatCount(quietDays, 'day')}.</p>`}
${sessions > 0 && html`<p class="meta">${decideVerdict(data).headline}</p>`}
</header>`
}

function renderFooter({ includesPrivate, status }: ReportData): Html {
  const hidden = includesPrivate ? 'It includes private memories: do not share it.' : 'Private memories are left out.'
  return html`<footer><p>Made by <code>memctl report</code> from ${status.store}. This file is a copy: it loads nothing,
sends nothing, and does not change when the memory does. ${hidden}</p>
<p>What a list names and what a session was shown has a page; <code>memctl list</code> has all.</p></footer>`
}

// The page in the language of the terminal. A block of text is translated as a whole: links, code and texts of the
// store stand in it as marks, which keep their place in the sentence. What has no row stays English.

/** What stays as it is: the style sheet, texts of several lines, and the tags between blocks. */
const BETWEEN = /(<style>.*?<\/style>|<div class="text".*?<\/div>|<(?!\/?(?:a|bdi|code|s|span|strong)\b)[^>]*>)/s

// 1 the tag with its attributes   2 its name
const INLINE = /(<(a|bdi|code|s|span|strong)\b[^>]*>).*?<\/\2>/gs

/** Stands for an element; a text of the store has no such characters. */
const MARK = /\ue000(\d+)\ue001/g

const translatePage = (page: string): string =>
  isEnglish()
    ? page
    : page.split(BETWEEN).reduce((done, part, i) => done + (i % 2 === 0 ? translateBlock(part) : translateLabel(part)))

function translateBlock(block: string): string {
  const elements: string[] = []
  const text = block.replaceAll(INLINE, (element, open: string, name: string) => {
    const [content, close] = [element.slice(open.length, -name.length - 3), `</${name}>`]
    const isOfStore = name === 'bdi' || name === 'code'
    return `\ue000${elements.push(isOfStore ? element : open + translateBlock(content) + close) - 1}\ue001`
  })
  const line = toLine(text)
  const translated = translate(line)
  return (translated === line ? text : translated).replaceAll(MARK, (_, at) => elements[Number(at)] ?? '')
}

/** The text as a row of the table has it. These two signs need no escape outside of attributes. */
const toLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

/** The name of an element for those who do not see it. */
const translateLabel = (tag: string): string =>
  tag.replace(/(?<= aria-label=")[^"]*/, (label) => escapeHtml(translate(toLine(label))))
