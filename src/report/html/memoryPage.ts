// The page of one memory: what it says, where it comes from, what calls say of it, when it was shown, and what came of
// it. The page of a session's summary has what the session did, taught and was shown.
import type { ReportData } from '../../broker/queries/reportData.ts'
import { isUnproven, type MemoryPage, type MemoryShowing, type SessionPart } from '../../broker/queries/reportPages.ts'
import type { ScannedSource } from '../../broker/queries/reportScan.ts'
import type { EventKind } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { isAboutFailures, isOfPerson, type Knowledge, NO_SUCCESSOR } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { teamText } from '../../text/sanitizeText.ts'
import { formatCount, formatInteger } from '../formatNumber.ts'
import { dayOfNumbers, describeWhen, SCOPE_NAMES } from '../knowledgeText.ts'
import { explainKnowledge } from '../noteReason.ts'
import { translateStored } from '../translation.ts'
import { formatDay, formatTime, renderLongTable } from './figure.ts'
import {
  blockText,
  codeText,
  commaList,
  type Html,
  html,
  inlineText,
  type LinkMemory,
  memoryLinker,
  pageId,
  sessionLinker,
} from './html.ts'
import { OUTCOME_NAMES, renderOutcomes } from './measured.ts'
import { alikeRenderer } from './topics.ts'

export function renderMemoryPages(data: ReportData): Html {
  const links = {
    memory: memoryLinker(data),
    session: sessionLinker(data),
    alike: alikeRenderer(data),
    // Of what people said, the first of a subject is the latest.
    hasLater: ({ id, knowledge }: Memory) =>
      knowledge !== undefined && isOfPerson(knowledge) && (data.subjects.get(id) ?? id) !== id,
  }
  return html`${data.pages.map((page) => renderPage(page, links))}`
}

interface Links {
  readonly memory: LinkMemory
  readonly session: (session: string) => Html
  readonly alike: (memory: Memory) => readonly Html[]
  /** Whether a person said something later about its subject. */
  readonly hasLater: (memory: Memory) => boolean
}

const TITLE_CHARS = 120

/** Whether the title says all: then the text is not repeated below it. */
const isTitleWhole = ({ content, knowledge }: MemoryPage['memory']): boolean => {
  const { line, quote } = knowledge ?? {}
  // The quote has a field of its own.
  const text = content.replace(` ("${quote}")`, '').trim()
  return text.length <= TITLE_CHARS && !text.includes('\n') && (line ?? text) === text
}

function renderPage(page: MemoryPage, links: Links): Html {
  const { memory, successor, predecessors } = page
  const link = links.memory
  const id = pageId(memory.id)
  const day = dayOfNumbers(memory)
  // That is said by its edits: a command may have changed what the line before is about.
  const content = translateStored(memory.content.replace(/\nNothing was changed(?=\n|$)/, ''), memory.kind)
  return html`<article class="memory" id="${id}" hidden="until-found" tabindex="-1" aria-labelledby="${id}-title">
<p class="back"><a href="#content">← The whole report</a></p>
<p class="brand">${memory.knowledge?.type ?? memory.kind}${memory.status === 'archived' && ' · archived'}${
    successor !== undefined && ' · superseded'
  }${memory.knowledge?.state === 'retired' && ' · retired'}
</p>
<h1 id="${id}-title">${inlineText(memory.knowledge?.line ?? content, TITLE_CHARS)}</h1>
${isTitleWhole(memory) ? '' : blockText(content)}
${day !== undefined && html`<p class="rest">Numbers in it are of ${formatDay(day)}.</p>`}
${renderEnding(page, links)}
${predecessors.length > 0 && html`<p>Supersedes ${commaList(predecessors.map((older) => link(older, 140, false)))}</p>`}
<dl class="fields">${listFields(page, links).map(renderField)}</dl>
${page.session ? renderSession(page.session, links) : html`<h2>Where it comes from</h2>${renderSources(page, links)}`}
${renderCalls(page, links)}<h2>When it was shown, and what came of it</h2>
${renderShowings(page, links)}
</article>
`
}

/** What ended an entry: which later one, or why, when, and in which session. */
function renderEnding({ memory, successor, ending }: MemoryPage, links: Links): Html | false {
  if (successor === undefined && memory.knowledge?.state !== 'retired') return false
  const why = describeEnd(memory)
  const by = why === undefined ? html`Superseded by ${links.memory(memory.supersededBy as MemoryId)}` : 'No longer true'
  const where = ending?.session !== undefined && html`, in the session ${links.session(ending.session)}`
  return html`<p>${by} since ${formatTime(ending?.at ?? memory.updated)}${where}${why !== undefined && `: ${why}`}</p>`
}

/** Why nothing holds instead of it; undefined if a later entry does. */
export function describeEnd({ knowledge, supersededBy }: Memory): string | undefined {
  if (supersededBy !== undefined) return supersededBy === NO_SUCCESSOR ? 'somebody marked it as outdated' : undefined
  const { refuted, met } = knowledge?.record ?? { refuted: 0, met: 0 }
  return refuted > met
    ? `${formatCount(refuted, 'session')} went against it`
    : 'a model that read a later session said so'
}

function renderSession({ counts, showings, failed, knowledge }: SessionPart, links: Links): Html {
  const fields =
    counts &&
    ([
      ['From', `${formatTime(counts.started)} – ${formatTime(counts.last, counts.started)}`],
      ['Prompts', formatInteger(counts.prompts)],
      ['Tool calls', formatInteger(counts.calls)],
      ['Failed calls', formatInteger(counts.failed)],
    ] as const)
  return html`<h2>The session</h2>${fields && html`<dl class="fields">${fields.map(renderField)}</dl>`}
${
  knowledge.length > 0 &&
  html`<p>What it taught:</p><ul>${knowledge.map((id) => html`<li>${links.memory(id, 180)}</li>`)}</ul>`
}
${renderLongTable({
  caption: 'Calls of it that failed, the latest ones',
  heads: ['time (UTC)', 'call', 'error', 'passed then'],
  rows: failed.map(({ at, text, error = '', passed }) => [
    formatTime(at, counts?.started),
    codeText(text, 120),
    inlineText(error, 160),
    passed === undefined ? '–' : codeText(passed, 120),
  ]),
})}
${renderLongTable({
  caption: 'Notes that it was shown, and what came of them',
  heads: ['time (UTC)', 'note', 'what came of it'],
  rows: showings.map((showing) => [
    formatTime(showing.recall.at, counts?.started),
    links.memory(showing.memory, 120),
    describeResult(showing),
  ]),
})}`
}

/** What a judged call did: of a rule, of what is about failures. */
const verdictsOf = ({ knowledge }: Pick<Memory, 'knowledge'>): readonly [good: string, bad: string] =>
  isUnproven(knowledge)
    ? ['perhaps kept it', 'perhaps broke it']
    : knowledge && isAboutFailures(knowledge)
      ? ['passed', 'failed']
      : ['kept it', 'broke it']

function renderCalls({ memory, calls, bad, good }: MemoryPage, links: Links): Html | false {
  const left = bad.size + good - calls.length
  const [goodWord, badWord] = verdictsOf(memory)
  const [failed, passed] = [formatInteger(bad.size), formatInteger(good)]
  const sum = html`<span>${badWord}: ${failed}</span> · <span>${goodWord}: ${passed}</span>`
  return (
    calls.length > 0 &&
    html`<h2>What calls say of it</h2><p>${sum}</p>${renderLongTable({
      caption: 'Calls that it was judged by, with its triggers of today',
      heads: ['time (UTC)', 'verdict', 'call', 'session'],
      rows: calls.map(({ at, isBad, text, session }) => [
        ...[formatTime(at), isBad ? badWord : goodWord, codeText(text, 150), links.session(session)],
      ]),
    })}${left > 0 && html`<p class="rest">${formatCount(left, 'more call')} not listed.</p>`}`
  )
}

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

function listFields(page: MemoryPage, links: Links): [string, Html | string][] {
  const { memory } = page
  const alike = links.alike(memory)
  const fields: ([string, Html | string] | false)[] = [
    ['Said by', renderSpeaker(memory, 300)],
    ['Since', formatDay(memory.created)],
    ...listKnowledgeFields(page, links.hasLater(memory)),
    alike.length > 0 && ['About the same subject', html`${alike}`],
    memory.privacy !== 'public' && [
      'Visible to',
      memory.privacy === 'private' ? 'its own agent' : `agents of the role ${memory.role}`,
    ],
    memory.files.length > 0 && ['Files', commaList(memory.files.slice(0, 6).map((file) => codeText(file)))],
    [
      'On the terminal',
      html`<code>memctl show ${memory.id}</code><br><code>memctl supersede ${memory.id} "what is right now"</code><br>
<code>memctl forget ${memory.id}</code> (for good)`,
    ],
  ]
  return fields.filter((field) => field !== false)
}

/** Who said or wrote it: a person in their own words, if they are kept. */
export function renderSpeaker(memory: Memory, charsMax = 140): Html | string {
  const { knowledge } = memory
  if (teamText(memory) !== '') return inlineText(teamText(memory), 120)
  if (!knowledge) return PROVENANCE_NAMES[memoryProvenance(memory)]
  const words = knowledge.quote?.replace(/^"(.*)"$/s, '$1')
  if (words !== undefined) return html`the person: ${inlineText(`“${words}”`, charsMax)}`
  if (knowledge.author === 'model' && isOfPerson(knowledge)) return 'the person, in a model’s words'
  return SPEAKERS[knowledge.author]
}

const SPEAKERS: { readonly [Author in Knowledge['author']]: string } = {
  person: 'the person',
  model: 'a model',
  rule: 'the log of calls',
  teammate: 'a teammate',
}

function listKnowledgeFields(page: MemoryPage, hasLater: boolean): ([string, Html | string] | false)[] {
  const { knowledge } = page.memory
  if (!knowledge) return []
  const { scope, reason, when, record } = knowledge
  return [
    isAboutFailures(knowledge) && ['Last confirmed', formatDay(record.lastMet)],
    [
      'Still true, as far as memctl knows',
      hasLater ? 'perhaps: a later one is about the same subject' : describeState(knowledge, page),
    ],
    ['Holds for', SCOPE_NAMES[scope]],
    when.length > 0 && ['When', inlineText(describeWhen(when), 300)],
    reason !== undefined && ['Reason', inlineText(reason, 240)],
  ]
}

/** Whether an entry still holds, as far as memctl knows: also by its calls in sessions that had not been shown it. */
export function describeState(
  knowledge: Knowledge,
  page?: Pick<MemoryPage, 'goodUnshown' | 'calls' | 'bad' | 'memory' | 'ending'>,
): string {
  const { goodUnshown: passed = [], calls = [], bad = new Map() } = page ?? {}
  const latest = calls.find(({ isBad }) => isBad)
  const { state, author, asked, quote, record } = knowledge
  if (state === 'retired' && page) return `no longer true since ${formatDay(page.ending?.at ?? page.memory.updated)}`
  if (state !== 'standing') return STATE_NAMES[state]
  if (author === 'person' || asked || quote !== undefined) return 'yes: said by the person, and nothing replaced it'
  const [failedAt = record.lastMet, passedAt] = [latest?.at, passed[0]]
  const day = formatDay(failedAt)
  if (isAboutFailures(knowledge) && passedAt !== undefined && passedAt > failedAt && passed.length > bad.size)
    return `perhaps: last met on ${day}; without it, such a call passed on ${formatDay(passedAt)}`
  if (isAboutFailures(knowledge) && latest)
    return `yes: such a call failed in ${formatCount(new Set(bad.values()).size, 'session')}, last on ${day}`
  return record.met > 0
    ? `yes: met or confirmed in ${formatCount(record.met, 'session')}, last on ${formatDay(record.lastMet)}`
    : 'yes: stored on purpose'
}

const STATE_NAMES: { readonly [State in Exclude<Knowledge['state'], 'standing'>]: string } = {
  proposed: 'perhaps: not met or confirmed in another session yet',
  superseded: 'no: a later entry counts',
  retired: 'no: no longer true',
}

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

function renderShowings({ showings, outcomes, memory }: MemoryPage, links: Links): Html {
  if (showings.length === 0) {
    const total = memory.help.shown
    const before = `It was shown ${formatCount(total, 'time')}, before the time of this report.`
    return html`<p>${total === 0 ? 'It has not been shown yet.' : before}</p>`
  }
  const left = [...outcomes.values()].reduce((sum, count) => sum + count, 0) - showings.length
  return html`<p>${renderOutcomes(outcomes)}</p>${renderLongTable({
    caption: 'Times it was shown, the latest first',
    heads: ['time (UTC)', 'moment', 'because of', 'what came of it', 'session'],
    rows: showings.map((showing) => [
      formatTime(showing.recall.at),
      MOMENT_NAMES[showing.recall.moment],
      describeCause(showing, memory),
      describeResult(showing),
      links.session(showing.recall.session),
    ]),
  })}${left > 0 && html`<p class="rest">${formatCount(left, 'earlier time')} not listed.</p>`}`
}

const MOMENT_NAMES: Readonly<Record<RecallMoment, string>> = {
  start: 'session start',
  prompt: 'prompt',
  call: 'tool call',
  failure: 'failed call',
  agent: 'subagent start',
  ask: 'asked for',
}

/** The triggers that fired, and at what. */
function describeCause({ recall: { moment, cue }, score, triggers }: MemoryShowing, memory: Memory): Html | string {
  const { knowledge } = memory
  if (moment === 'start' || moment === 'agent') {
    if (knowledge) return explainKnowledge({ moment, score, memory })
    return cue === '' ? 'it was the last work' : inlineText(cue)
  }
  const at = html`<span class="before">${inlineText(cue, 100)}</span>`
  if (!knowledge) return at
  if (triggers.length === 0 && moment === 'call') return html`<span>it is about what this call works with</span>${at}`
  // Of a cause that is cut, one of these. At a failure, the call of a trigger is the one that failed.
  const listed = triggers.length > 0 ? triggers : knowledge.when.filter((trigger) => trigger.at === moment)
  const met = listed.map((trigger) => (moment === 'failure' ? { ...trigger, at: moment } : trigger))
  return html`${inlineText(describeWhen(met) || 'its trigger fired', 200)}${at}`
}

/** One plain verdict, then what it rests on. */
function describeResult({ outcome, recall, by }: MemoryShowing): Html {
  const call = by && html`<span class="before">${formatTime(by.at, recall.at)} ${codeText(by.text, 90)}</span>`
  const block = recall.blocked && html`<span>the call was blocked once</span>; `
  return html`${block}<span>${OUTCOME_NAMES[outcome]}</span>${call}`
}
