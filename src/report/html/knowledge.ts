// What the person has of the memory: what the next session gets, how their rules are kept, what people said, what was
// learned, and what was left open.
import { shownLine } from '../../broker/projection/knowledgeFile.ts'
import { isUnmet, type ReportData } from '../../broker/queries/reportData.ts'
import {
  describeObedience,
  type RuleCounts,
  type RuleObedience,
  UNCLEAR_SESSIONS_MIN,
} from '../../knowledge/obedience.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { formatCount } from '../formatNumber.ts'
import { AUTHOR_NAMES, describeRecord, SCOPE_NAMES } from '../knowledgeText.ts'
import { explainKnowledge } from '../noteReason.ts'
import { formatDay, formatInteger, renderEmpty, renderLongTable, renderMethod, renderTable } from './figure.ts'
import { type Html, html, inlineText, type LinkMemory, memoryLinker, pageId, sessionLinker } from './html.ts'

/** Rows of a list; the rest is counted. */
const ROWS_MAX = 500

export const renderNext = (data: ReportData, { next }: { readonly next: string }): Html =>
  next.trim() === ''
    ? renderEmpty('Nothing yet. What a session is shown at its start appears here after the first sessions.')
    : html`<p>At its start, as Claude reads it (<code>memctl recall --moment start</code>):</p>${linkLines(next, data)}
${renderReasons(next, data)}
<p class="counted">Choose a line for its page, which has the commands that change and remove it. Prompts, calls and
failures bring other notes.</p>`

/** Why each entry is in that text: its author, and what the log says of it. */
function renderReasons(text: string, data: ReportData): Html | false {
  const link = memoryLinker(data)
  const lines = new Set(text.split('\n').map(withoutMarks))
  const named = data.pages.filter(({ memory: { knowledge } }) => knowledge && lines.has(shownLine(knowledge)))
  return (
    named.length > 0 &&
    html`<details><summary>Why these: first what people want, then what should save most calls</summary>${renderTable({
      caption: 'Entries of the next start',
      heads: ['entry', 'because', 'from', 'what the log says of it'],
      rows: named.map(({ memory }) => [
        link(memory.id),
        explainKnowledge({ moment: 'start', score: data.worths.get(memory.id), memory }),
        memory.knowledge ? `${AUTHOR_NAMES[memory.knowledge.author]}, ${formatDay(memory.created)}` : '',
        memory.knowledge ? describeRecord(memory.knowledge) : '',
      ]),
    })}</details>`
  )
}

/** A line of a note without the mark of a list and what was added to it. */
const withoutMarks = (line: string): string => line.replace(/^- /, '').replace(/ \([^()]*\)$/, '')

/** The text as it is, with each entry of knowledge as a link to its page. */
function linkLines(text: string, { pages }: ReportData): Html {
  const byLine = new Map(
    pages.flatMap(({ memory: { id, knowledge } }) => (knowledge ? [[shownLine(knowledge), id]] : [])),
  )
  const lines = text.split('\n').map((line, i) => {
    const id = byLine.get(withoutMarks(line))
    const shown = inlineText(line, 400)
    return html`${i > 0 && '\n'}${id === undefined ? shown : html`<a href="#${pageId(id)}">${shown}</a>`}`
  })
  return html`<div class="text" dir="auto">${lines}</div>`
}

export function renderKnowledge(data: ReportData): Html {
  const link = memoryLinker(data)
  return html`${renderObedience(data, link)}${renderSaid(data, link)}`
}

/** The rules that the log has met; the others are in the list of what people said. */
function renderObedience({ obedience }: ReportData, link: LinkMemory): Html {
  const met = obedience.rules.filter(({ before, since }) => hasAny(before) || hasAny(since))
  const count = obedience.rules.length + obedience.unclear.length
  const rules = formatCount(count, 'rule')
  if (met.length === 0) {
    const none = count === 0 ? 'No rule of the person is known yet.' : `${rules} of the person.`
    return renderEmpty(`${none} How often a rule was kept and broken is counted here as soon as calls have met it.`)
  }
  const unmet = obedience.rules.length - met.length
  const unclear =
    obedience.unclear.length > 0 &&
    ` Left out are ${formatCount(obedience.unclear.length, 'rule')} that came up in ${UNCLEAR_SESSIONS_MIN} sessions or
more and look broken in nearly all: what memctl looks for there is the subject, not the breach.`
  const others = unmet > 0 && ` For the other ${unmet} rules no call shows whether they were kept.`
  return html`<p><strong>${rules} of the person. ${formatInteger(met.length)} of them came up:
${describeObedience(obedience)}; a session counts once for each rule.</strong>${unclear}${others} Two
periods differ in more than the notes, so this proves nothing; <a href="#measured">the experiment</a> says whether notes
help.</p>
${renderMostBroken(met[0], link)}
${renderLongTable({
  caption: 'Rules of the person: kept and broken',
  heads: ['rule', 'before: kept', 'before: broken', 'since: kept', 'since: broken'],
  rows: met.slice(0, ROWS_MAX).map((rule) => obedienceRow(rule, link)),
  numeric: [1, 2, 3, 4],
})}
${renderRest(met.length - ROWS_MAX, 'memctl list --kind preference --kind decision')}
${renderMethod(
  'in sessions, before and since a session was shown the rule; before are all earlier ones, also those that did not ' +
    'know it yet. A call breaks a rule if it has what the rule bans, or ' +
    'lacks what the rule demands. A session with such a call has broken the rule; one with only calls that keep it ' +
    'has kept it. What depends on the words of the person ("unless I ask") is not judged. ' +
    '`memctl forget ID` erases a rule for good, `memctl supersede ID TEXT` replaces it.',
)}`
}

const renderMostBroken = (rule: RuleObedience | undefined, link: LinkMemory): Html | false =>
  rule !== undefined && rule.since.broken > 0 && html`<p>Broken most since then: ${link(rule.memory.id, 180)}</p>`

const hasAny = ({ kept, broken }: RuleCounts): boolean => kept + broken > 0

const obedienceRow = ({ memory, before, since }: RuleObedience, link: LinkMemory): (Html | string)[] => [
  link(memory.id, 180),
  ...[before.kept, before.broken, since.kept, since.broken].map(formatInteger),
]

function renderSaid({ knowledge: { said, superseded } }: ReportData, link: LinkMemory): Html {
  if (said.length + superseded.length === 0) {
    return renderEmpty('Preferences, rules and decisions that a person states in a prompt are listed here.')
  }
  const olderThan = (id: MemoryId): Memory[] => superseded.filter(({ supersededBy }) => supersededBy === id)
  const were = formatCount(superseded.length, 'entry was', 'entries were')
  const entries = formatCount(said.length, 'entry', 'entries')
  return html`<p>${entries} of what people said; ${were} superseded by a later one.</p>
${
  said.length > 0 &&
  renderLongTable({
    caption: 'What people said and holds now, the latest first',
    heads: ['entry', 'type', 'holds for', 'words of', 'said'],
    rows: said.slice(0, ROWS_MAX).map((memory) => saidRow(memory, link, olderThan(memory.id))),
  })
}
${renderRest(said.length - ROWS_MAX, 'memctl list --kind preference --kind decision')}
${superseded.length > 0 && renderSuperseded(superseded, link)}`
}

function saidRow({ id, kind, knowledge, created }: Memory, link: LinkMemory, older: readonly Memory[]) {
  const before = older.map(
    (other) =>
      html`<span class="before">instead of: <s>${inlineText(other.knowledge?.line ?? other.content, 90)}</s></span>`,
  )
  const words = knowledge ? [SCOPE_NAMES[knowledge.scope], AUTHOR_NAMES[knowledge.author]] : ['', '']
  return [html`${link(id, 180)}${before}`, knowledge?.type ?? kind, ...words, formatDay(created)]
}

const renderSuperseded = (superseded: readonly Memory[], link: LinkMemory): Html =>
  html`<details><summary>What was superseded, and by what</summary>${renderTable({
    caption: 'Superseded entries, the latest first',
    heads: ['no longer holds', 'since then', 'first said'],
    rows: superseded
      .slice(0, ROWS_MAX)
      .map((memory) => [link(memory.id), link(memory.supersededBy as MemoryId), formatDay(memory.created)]),
  })}</details>`

export function renderLearned(data: ReportData): Html {
  const { learned: all, retired } = data.knowledge
  if (all.length + retired.length === 0) {
    return renderEmpty('What fails in this project, and what works instead, is collected here after a few sessions.')
  }
  const link = memoryLinker(data)
  const learned = all.filter((memory) => !isUnmet(memory))
  const standing = learned.filter(({ knowledge }) => knowledge?.state === 'standing').length
  return html`<p>${formatCount(standing, 'standing entry', 'standing entries')} (met or confirmed in another session),
${formatInteger(learned.length - standing)} proposed (not met again yet), ${formatInteger(retired.length)} retired (no
longer true). Those that are expected to save most calls come first.${
    all.length > learned.length &&
    ` ${formatInteger(all.length - learned.length)} failures that the log alone describes, and that no session has met
again, are left out: a session is shown them if it meets them.`
  }</p>
${
  learned.length > 0 &&
  renderLongTable({
    caption: 'Facts and lessons',
    heads: ['entry', 'state', 'sessions met', 'shown', 'last met'],
    rows: learned.slice(0, ROWS_MAX).map((memory) => learnedRow(memory, link)),
    numeric: [2, 3],
  })
}
${renderRest(learned.length - ROWS_MAX, 'memctl list --kind fact --kind lesson')}
${retired.length > 0 && renderRetired(retired, link)}`
}

/** How many a list leaves out, and the command that prints them. */
const renderRest = (left: number, command: string): Html | false =>
  left > 0 && html`<p class="rest">${formatCount(left, 'more entry', 'more entries')}: <code>${command}</code>.</p>`

function learnedRow({ id, knowledge }: Memory, link: LinkMemory): (Html | string)[] {
  const { state = '', record } = knowledge ?? {}
  const { met = 0, shown = 0, lastMet = '' } = record ?? {}
  return [link(id, 180), state, ...[met, shown].map(formatInteger), formatDay(lastMet)]
}

const renderRetired = (retired: readonly Memory[], link: LinkMemory): Html =>
  html`<details><summary>What was found to hold no longer</summary>${renderTable({
    caption: 'Retired entries, the latest first',
    heads: ['entry', 'learned', 'until', 'because'],
    rows: retired
      .slice(0, ROWS_MAX)
      .map(({ id, created, updated, knowledge }) => [
        link(id),
        ...[created, updated].map(formatDay),
        knowledge && knowledge.record.refuted > knowledge.record.met
          ? `${formatCount(knowledge.record.refuted, 'session')} went against it`
          : 'a model that read a later session said so',
      ]),
  })}</details>`

/** Sessions in the list by day; `memctl list --sessions` has all. */
const SESSIONS_MAX = 400

export function renderDays(data: ReportData): Html {
  const { summaries } = data
  if (summaries.length === 0) return renderEmpty('What each session did is listed here, in one line for each session.')
  const [link, sessionLink] = [memoryLinker(data), sessionLinker(data)]
  return html`${renderLongTable({
    caption: 'Sessions, the latest first, in UTC; memctl shown --session ID prints what one was shown',
    heads: ['time (UTC)', 'what was done', 'left open', 'session'],
    rows: summaries
      .slice(0, SESSIONS_MAX)
      .map(({ id, created, session = '', leftOpen = [] }) => [
        `${formatDay(created)}, ${created.slice(11, 16)}`,
        link(id, 200),
        leftOpen.length > 0 ? formatInteger(leftOpen.length) : '–',
        sessionLink(session),
      ]),
    numeric: [2],
  })}
${renderRest(summaries.length - SESSIONS_MAX, 'memctl list --sessions')}`
}

export function renderOpen(data: ReportData): Html {
  const { leftOpen } = data
  if (leftOpen.length === 0) return renderEmpty('What a session could not finish is listed here.')
  const link = memoryLinker(data)
  return renderLongTable({
    caption: 'What sessions left open, the latest first; ask Claude to close what is done',
    heads: ['task', 'in the session', 'of'],
    rows: leftOpen.flatMap(({ summary, tasks, at }) =>
      tasks.map((task) => [inlineText(task, 240), link(summary, 60), formatDay(at)]),
    ),
  })
}
