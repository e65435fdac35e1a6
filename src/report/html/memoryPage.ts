// The page of one memory: what it says, where it comes from, when it was shown, and what followed.
import type { MemoryPage, MemoryShowing, ReportData } from '../../broker/queries/reportData.ts'
import type { ScannedSource } from '../../broker/queries/reportScan.ts'
import type { EventKind } from '../../model/event.ts'
import type { Knowledge } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import { teamText } from '../../text/sanitizeText.ts'
import { formatCount } from '../formatNumber.ts'
import { describeRecord, describeWhen, explainImportance, SCOPE_NAMES } from '../knowledgeText.ts'
import { explainKnowledge } from '../noteReason.ts'
import { formatChange, formatDay, formatDecimal, formatInteger, formatShare, renderLongTable } from './figure.ts'
import { blockText, type Html, html, inlineText, type LinkMemory, memoryLinker, pageId, sessionLinker } from './html.ts'
import { MOMENT_NAMES } from './measured.ts'

export function renderMemoryPages(data: ReportData): Html {
  const links = { memory: memoryLinker(data), session: sessionLinker(data) }
  return html`${data.pages.map((page) => renderPage(page, links))}`
}

interface Links {
  readonly memory: LinkMemory
  readonly session: (session: string) => Html
}

/** Characters of a page's title. */
const TITLE_CHARS = 120

/** Whether the title says all: then the text is not repeated below it. */
const isTitleWhole = ({ content, knowledge }: MemoryPage['memory']): boolean => {
  const text = content.trim()
  return text.length <= TITLE_CHARS && !text.includes('\n') && (knowledge?.line ?? text) === text
}

function renderPage(page: MemoryPage, links: Links): Html {
  const { memory, successor, predecessors } = page
  const link = links.memory
  const id = pageId(memory.id)
  return html`<article class="memory" id="${id}" hidden="until-found" tabindex="-1" aria-labelledby="${id}-title">
<p class="back"><a href="#memories">← All memories</a></p>
<p class="brand">${memory.kind}${memory.status === 'archived' && ' · archived'}${
    successor !== undefined && ' · superseded'
  }${memory.knowledge?.state === 'retired' && ' · retired'}
</p>
<h1 id="${id}-title">${inlineText(memory.knowledge?.line ?? memory.content, TITLE_CHARS)}</h1>
${isTitleWhole(memory) ? '' : blockText(memory.content)}
${successor !== undefined && html`<p>Superseded by ${link(successor)}</p>`}
${predecessors.length > 0 && html`<p>Supersedes ${commaList(predecessors.map((older) => link(older)))}</p>`}
<dl class="fields">${listFields(page).map(renderField)}</dl>
<h2>Where it comes from</h2>
${renderSources(page, links)}
<h2>When it was shown, and what followed</h2>
${renderShowings(page, links)}
<details><summary>How it is kept and ranked</summary>
<dl class="fields">${listRankingFields(page).map(renderField)}</dl></details>
</article>
`
}

const commaList = (items: readonly Html[]): Html => html`${items.map((item, i) => html`${i > 0 && ', '}${item}`)}`

/** What is more than a word or a number gets a line of its own. */
const renderField = ([name, value]: readonly [string, Html | string]): Html =>
  html`<div${typeof value !== 'string' && html` class="whole"`}><dt>${name}</dt><dd>${value}</dd></div>`

const PROVENANCE_NAMES = {
  person: 'the person',
  assistant: 'the assistant',
  tool: 'tools of the client',
  outside: 'the output of commands or other outside content',
  team: 'a teammate',
} as const

function listFields({ memory }: MemoryPage): [string, Html | string][] {
  const fields: ([string, Html | string] | false)[] = [
    ['Words from', describeWords(memory)],
    ...listKnowledgeFields(memory),
    teamText(memory) !== '' && ['Team', inlineText(teamText(memory), 120)],
    ['First', formatDay(memory.created)],
    ['Updated', formatDay(memory.updated)],
    ['Shown', formatInteger(memory.help.shown)],
    memory.privacy !== 'public' && [
      'Visible to',
      memory.privacy === 'private' ? 'its own agent' : `agents of the role ${memory.role}`,
    ],
    memory.files.length > 0 && [
      'Files',
      html`${memory.files.slice(0, 6).map((file, i) => html`${i > 0 && ', '}${codeText(file)}`)}`,
    ],
    [
      'On the terminal',
      html`<code>memctl show ${memory.id}</code><br><code>memctl supersede ${memory.id} "what is right now"</code><br>
<code>memctl forget ${memory.id}</code> (for good)`,
    ],
  ]
  return fields.filter((field) => field !== false)
}

/** What a person said may be in the words of a model; their own are the quote. */
const describeWords = (memory: Memory): string =>
  memory.knowledge?.quote !== undefined && memory.knowledge.author === 'model'
    ? 'a model, about what the person said'
    : PROVENANCE_NAMES[memoryProvenance(memory)]

const listRankingFields = ({ memory }: MemoryPage): [string, Html | string][] => [
  ['Tier', memory.tier],
  ['Sessions it is from', formatInteger(memory.sessionCount)],
  ['Strength', formatDecimal(memory.strength)],
  ['Contribution', formatChange(memory.help.contribution)],
  ['Importance', html`${explainImportance(memory)}`],
]

function listKnowledgeFields({ knowledge }: Memory): [string, Html | string][] {
  if (!knowledge) return []
  const { type, scope, state, reason, quote, when } = knowledge
  const fields: ([string, Html | string] | false)[] = [
    quote !== undefined && ['The person said', inlineText(`“${quote}”`, 300)],
    ['Type', type],
    ['State', state === 'standing' ? describeStanding(knowledge) : STATE_NAMES[state]],
    ['Holds for', SCOPE_NAMES[scope]],
    when.length > 0 && ['When', inlineText(describeWhen(when), 300)],
    ['Record', html`${describeRecord(knowledge)}`],
    reason !== undefined && ['Reason', inlineText(reason, 240)],
  ]
  return fields.filter((field) => field !== false)
}

const describeStanding = ({ author, asked, record: { met } }: Knowledge): string =>
  author === 'person' || asked
    ? 'standing: said by the person'
    : `standing: ${met > 1 ? `met in ${formatCount(met, 'session')}` : 'confirmed by a later session, or stored on purpose'}`

const STATE_NAMES: { readonly [State in Exclude<Knowledge['state'], 'standing'>]: string } = {
  proposed: 'proposed: not met or confirmed in another session yet',
  superseded: 'superseded: a later entry counts',
  retired: 'retired: no longer true',
}

const codeText = (text: string): Html => html`<code>${inlineText(text, 200)}</code>`

/** Events on one page. */
const SOURCES_MAX = 6

const SOURCE_NAMES: Readonly<Partial<Record<EventKind, string>>> = {
  prompt: 'prompt',
  answer: 'answer',
  'call.started': 'call',
  'call.succeeded': 'call passed',
  'call.failed': 'call failed',
  'agent.stopped': 'subagent’s report',
}

function renderSources({ memory, sources }: MemoryPage, links: Links): Html {
  if (sources.length === 0) {
    const source = memory.entrySource
      ? 'It was read from an entry file.'
      : 'Its events are not in the log, or it was stored by a tool.'
    return html`<p>${source}${memory.session !== undefined && html` Session ${links.session(memory.session)}.`}</p>`
  }
  return renderLongTable({
    caption: 'Events it was derived from, the latest first',
    heads: ['time (UTC)', 'event', 'text', 'session'],
    rows: sources
      .slice(-SOURCES_MAX)
      .reverse()
      .map(({ at, kind, text, session }: ScannedSource) => [
        formatTime(at),
        SOURCE_NAMES[kind] ?? kind,
        inlineText(text, 160),
        links.session(session),
      ]),
  })
}

function renderShowings({ showings, showingsLeftOut, memory }: MemoryPage, links: Links): Html {
  if (showings.length === 0) {
    const total = memory.help.shown
    const before = `It was shown ${formatCount(total, 'time')}, before the time of this report.`
    return html`<p>${total === 0 ? 'It has not been shown yet.' : before}</p>`
  }
  return html`${renderLongTable({
    caption: 'Times it was shown, the latest first',
    heads: ['time (UTC)', 'moment', 'because of', 'what followed', 'session'],
    rows: showings.map((showing) => [
      formatTime(showing.at),
      MOMENT_NAMES[showing.moment],
      describeCause(showing, memory),
      describeResult(showing),
      links.session(showing.session),
    ]),
  })}${showingsLeftOut > 0 && html`<p class="rest">${formatCount(showingsLeftOut, 'earlier time')} not listed.</p>`}`
}

function describeCause({ moment, cue, score }: MemoryShowing, memory: Memory): Html | string {
  if (cue !== '') return inlineText(cue, 120)
  if (moment !== 'start' && moment !== 'agent') return '–'
  return memory.knowledge ? explainKnowledge({ moment, score, memory }) : 'it was the last work'
}

const TRACE_NAMES: Readonly<Record<string, string>> = {
  command: 'its command ran',
  file: 'its file was changed',
  errorGone: 'its error stayed away',
  answer: 'an answer repeats it',
  words: 'its words were used',
}

function describeResult({ withheld, blocked, verdict }: MemoryShowing): string {
  if (withheld) return 'held back by chance, for comparison'
  const blocking = blocked ? 'the call was blocked once; ' : ''
  if (!verdict) return `${blocking}no result known`
  const traces = verdict.traces.map((trace) => TRACE_NAMES[trace] ?? trace)
  if (traces.length === 0) return `${blocking}no trace of use`
  const surely = verdict.used < 0.005 ? 'as often as by chance' : `used with ${formatShare(verdict.used)} confidence`
  return `${blocking}${traces.join(', ')}; ${surely}`
}

const formatTime = (iso: string): string => `${formatDay(iso)}, ${iso.slice(11, 16)}`
