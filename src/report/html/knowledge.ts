// What the person has of the memory: what the next session gets, how their rules are kept, what people said, what
// failed and helps, what else was learned, and what was left open.
import { shownLine } from '../../broker/projection/knowledgeFile.ts'
import { findFixes, laterWorkFinder, listOpenTasks } from '../../broker/queries/laterWork.ts'
import { isUnmet, listEntries, type ReportData, sumOutcomes } from '../../broker/queries/reportData.ts'
import { countSessions, isBan, isUnproven, type PageCall } from '../../broker/queries/reportPages.ts'
import type { RuleCounts } from '../../knowledge/obedience.ts'
import type { MemoryId } from '../../model/id.ts'
import { isAboutFailures, isCurrent } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { sanitizeText } from '../../text/sanitizeText.ts'
import { formatCount, formatInteger } from '../formatNumber.ts'
import { dayOfNumbers, SCOPE_NAMES } from '../knowledgeText.ts'
import { explainKnowledge } from '../noteReason.ts'
import { translateStored } from '../translation.ts'
import {
  formatDay,
  renderEmpty,
  renderLongTable,
  renderMethod,
  renderRest,
  renderTable,
  type TableSpec,
} from './figure.ts'
import { blockText, codeText, commaList, type Html, html, inlineText, memoryLinker, sessionLinker } from './html.ts'
import { renderOutcomes } from './measured.ts'
import { describeEnd, describeState, renderSpeaker } from './memoryPage.ts'
import { alikeRenderer } from './topics.ts'

export const renderNext = (data: ReportData, { next }: { readonly next: string }): Html =>
  next.trim() === ''
    ? renderEmpty('Nothing yet. What a session is shown at its start appears here after the first sessions.')
    : html`<p>At its start, as Claude reads it (<code>memctl recall --moment start</code>):</p>${blockText(next)}
${renderReasons(next, data)}`

/** Entries that are named because they did not fit. */
const NEXT_MAX = 3

/** Why each entry is in that text, and who said it. */
function renderReasons(text: string, data: ReportData): Html | false {
  const link = memoryLinker(data)
  const memories = text.split('\n').flatMap((line) => {
    const isLine = (memory: Memory): boolean =>
      memory.knowledge
        ? shownLine(memory.knowledge) === withoutMarks(line)
        : memory.kind === 'summary' && isBeginning(memory, line)
    return data.pages.find(({ memory }) => isLine(memory))?.memory ?? []
  })
  const outcomesOf = new Map(data.pages.map(({ memory, outcomes }) => [memory.id, outcomes]))
  const isLeft = (memory: Memory): boolean => (data.worths.get(memory.id) ?? 0) > 0 && !memories.includes(memory)
  const left = data.knowledge.learned.filter(isLeft).slice(0, NEXT_MAX)
  return (
    memories.length > 0 &&
    html`${renderTable({
      caption: 'Why each line is there, in their order',
      heads: ['line', 'because', ...SAID_HEADS, 'what came of it'],
      rows: memories.map((memory) => [
        link(memory.id),
        explainPlace(memory, data.worths.get(memory.id)),
        ...saidCells(memory),
        renderOutcomes(outcomesOf.get(memory.id) ?? new Map()),
      ]),
    })}${
      left.length > 0 &&
      html`<p>The next ones, which a start does not show:</p><ul>${left.map(
        (memory) =>
          html`<li>${link(memory.id)}
<span class="gone">${explainPlace(memory, data.worths.get(memory.id))}</span></li>`,
      )}</ul>`
    }${renderMethod(
      'first what people want, then what was learned, each by the calls that it should save in a session, then the ' +
        'last work, if it is recent and of this branch. What does not fit waits for its triggers: prompts, calls and ' +
        'failures bring other notes.',
    )}`
  )
}

const explainPlace = (memory: Memory, score = 0): string =>
  memory.kind === 'summary'
    ? `the latest session on this branch${listOpenTasks(memory).length > 0 ? ' that left something open' : ''}`
    : explainKnowledge({ moment: 'start', score, memory })

/** Whether the line of a note is the first one of this summary, or its beginning. */
const isBeginning = ({ content }: Memory, line: string): boolean =>
  line.startsWith('- ') && sanitizeText(content).startsWith(line.replace(/^- |…$/g, ''))

/** A line of a note without the mark of a list and what was added to it. */
const withoutMarks = (line: string): string => line.replace(/^- /, '').replace(/ \([^()]*\)$/, '')

const SAID_HEADS = ['who said it', 'said']

const saidCells = (memory: Memory): (Html | string)[] => [renderSpeaker(memory), formatDay(memory.created)]

export function renderKnowledge(data: ReportData): Html {
  const { said } = data.knowledge
  if (said.length === 0) {
    return renderEmpty('Preferences, rules and decisions that a person states in a prompt are listed here.')
  }
  const renderEntry = entryRenderer(data)
  const sessionsOf = new Map(data.pages.map(({ memory, sessions }) => [memory.id, sessions]))
  const judged = [...said, ...data.knowledge.superseded].flatMap((memory) => {
    const sessions = sessionsOf.get(memory.id) ?? []
    const later = [...data.sessions.values()].filter(({ last, calls }) => calls > 0 && last > memory.created)
    const quiet = memory.knowledge && isCurrent(memory.knowledge) && isBan(memory.knowledge) ? later.length : 0
    const counts = countSessions(sessions)
    const more = { isOpen: isUnproven(memory.knowledge), broken: counts.since.broken + counts.before.broken }
    return sessions.length + quiet > 0 ? [{ memory, sessions, quiet, ...counts, ...more }] : []
  })
  // Those that calls prove come first.
  judged.sort((a, b) => +a.isOpen - +b.isOpen || b.broken - a.broken || a.quiet - b.quiet)
  const others = said.filter(({ id }) => !judged.some(({ memory }) => memory.id === id))
  const isOfProduct = ({ knowledge }: Memory): boolean => knowledge?.type === 'decision' || knowledge?.type === 'fact'
  const decisions = firstOfSubjects(data, others.filter(isOfProduct))
  const rules = firstOfSubjects(
    data,
    others.filter((memory) => !isOfProduct(memory)),
  )
  const earlier = others.length - rules.length - decisions.length
  const rows = said.length - earlier
  const renderSaid = (caption: string, entries: readonly Memory[]): Html =>
    renderEntries(data, entries, { caption, heads: ['entry', ...SAID_HEADS], cellsOf: saidCells })
  const count = said.length - others.length - said.filter(({ knowledge }) => isUnproven(knowledge)).length
  const proven = count > 0 ? `For ${count} of them, calls prove` : 'No call alone proves'
  return html`<p><strong>${formatCount(rows, 'rule or decision', 'rules and decisions')} of the person
${rows === 1 ? 'holds' : 'hold'}. ${proven} whether one was kept.</strong></p>
${renderLongTable({
  caption:
    'Rules and decisions that calls have kept or broken, in sessions: those broken most first, those perhaps last',
  heads: ['rule', ...SAID_HEADS, 'kept when shown', 'kept otherwise', 'calls that broke it'],
  rows: judged.map(({ memory, sessions, quiet, since, before }) => [
    ...[renderEntry(memory), ...saidCells(memory), describeKept(since)],
    sessions.length > 0 ? describeKept(before) : `no such call in ${formatCount(quiet, 'session')}`,
    sessions.reduce((sum, { bad }) => sum + bad, 0),
  ]),
})}${
  judged.length > 0 &&
  renderMethod(
    'by the calls of each session while the rule held, before and after it was shown the rule. One call that ' +
      'breaks it counts for the session, and only what a call alone proves: it runs what the rule bans, lacks an ' +
      'option that it demands, or edits where it bans edits.',
  )
}
${renderSaid('Rules and preferences that hold, the latest first', rules)}
${renderSaid('Decisions and facts that hold, the latest first', decisions)}${
  earlier > 0 &&
  html`<p class="counted">${formatCount(earlier, 'earlier one is', 'earlier ones are')} below the one that was said last
about its subject: where the two differ, the later one probably counts.</p>`
}`
}

const describeKept = ({ kept, broken }: RuleCounts): string => (kept + broken > 0 ? `${kept} of ${kept + broken}` : '–')

type EntriesTable = Omit<TableSpec, 'rows'> & { readonly cellsOf: (entry: Memory) => readonly (Html | string)[] }

function renderEntries(data: ReportData, entries: readonly Memory[], { cellsOf, ...table }: EntriesTable): Html {
  const renderEntry = entryRenderer(data)
  return renderLongTable({ ...table, rows: entries.map((entry) => [renderEntry(entry), ...cellsOf(entry)]) })
}

/** Of these entries the first one about each subject: the others are named below it. */
const firstOfSubjects = ({ subjects }: ReportData, memories: readonly Memory[]): Memory[] =>
  [...groupBy(memories, ({ id }) => subjects.get(id) ?? id).values()].flatMap((group) => group.slice(0, 1))

/** An entry with where it holds, the day of its numbers, what it replaced, and others about its subject. */
function entryRenderer(data: ReportData): (memory: Memory) => Html {
  const link = memoryLinker(data)
  const pages = new Map(data.pages.map((page) => [page.memory.id, page]))
  const renderAlike = alikeRenderer(data)
  return (memory) => {
    const { id, knowledge } = memory
    const day = dayOfNumbers(memory)
    const { predecessors = [], sessions = [] } = pages.get(id) ?? {}
    const lines = [
      knowledge !== undefined && knowledge.scope !== 'project' && html`holds for: ${SCOPE_NAMES[knowledge.scope]}`,
      day !== undefined && html`numbers of ${formatDay(day)}`,
      sessions.length > 0 && isUnproven(knowledge) && html`perhaps: it may have been done before, or not have been due`,
      ...predecessors.map((older) => pages.has(older) && html`it replaced ${link(older, 120, false)}`),
    ]
    const first = lines.map((line) => line && html`<span class="before">${line}</span>`)
    return html`${link(id, 180)}${first}${renderAlike(memory)}`
  }
}

export function renderFailures(data: ReportData): Html {
  const rows = listFailures(data)
  if (rows.length === 0) return renderEmpty('Failures that several sessions met, and what helps, are listed here.')
  return html`${renderLongTable({
    caption: 'What failed, first in most sessions, and what helps',
    heads: ['what failed last, and what passed then', 'what helps', 'last', 'sessions', 'calls', 'what came of it'],
    rows: rows.map(({ call, helps, sessions, calls, outcomes }) => [
      ...[renderFailed(call), helps, formatDay(call.at), sessions, calls, renderHelp(outcomes, data)],
    ]),
  })}${renderMethod(
    'the calls that failed so, by their exit status or by their output, and the sessions with such a call. A call ' +
      'counts in each row that is about its error.',
  )}`
}

/** Showings with a known result from which a row may say that nothing helps yet. */
const JUDGED_MIN = 5

function renderHelp(outcomes: ReturnType<typeof sumOutcomes>, { totals }: ReportData): Html {
  const judged = [...outcomes].reduce((sum, [outcome, count]) => (outcome === 'unknown' ? sum : sum + count), 0)
  // In a project without live sessions Claude saw no notes.
  const isVain = totals.timed > 0 && judged >= JUDGED_MIN && (outcomes.get('failed') ?? 0) > judged / 2
  return html`${isVain && html`<strong>does not help yet</strong>: `}${renderOutcomes(outcomes)}`
}

/** A failed call with its error, and the next such call of its session that passed. */
const renderFailed = ({ text, error = '', passed }: Pick<PageCall, 'text' | 'error' | 'passed'>): Html =>
  html`${codeText(text, 140)}<span class="before">${inlineText(error, 120)}</span>${
    passed !== undefined && html`<span class="before">passed then: ${codeText(passed, 140)}</span>`
  }`

/** By the latest call that failed: it may be what several entries are about. Else by the error, if it came again. */
function listFailures(data: ReportData) {
  const renderEntry = entryRenderer(data)
  const failed = listFailedCalls(data)
  const known = groupBy(data.knowledge.learned, ({ id }) => failed.get(id)?.call)
  known.delete(undefined)
  const rows = [...known.values()].flatMap((entries) => {
    const pages = data.pages.filter(({ memory }) => entries.includes(memory))
    const call = entries[0] && failed.get(entries[0].id)
    // Several entries may be about one call.
    const bad = new Map(pages.flatMap((page) => [...page.bad]))
    const [sessions, calls] = [new Set(bad.values()).size, bad.size]
    const firsts = firstOfSubjects(data, entries)
    const helps = html`<ul>${firsts.map((entry) => html`<li>${renderEntry(entry)}</li>`)}</ul>`
    return call ? [{ call, helps, sessions, calls, outcomes: sumOutcomes(pages) }] : []
  })
  const unknown = { helps: html`nothing is known yet`, outcomes: sumOutcomes([]) }
  const others = data.recurring.map(({ latest, ...counts }) => ({ ...unknown, ...counts, call: latest }))
  return [...rows, ...others].sort(
    (a, b) => b.sessions - a.sessions || b.calls - a.calls || compareValues(b.call.at, a.call.at),
  )
}

/** The latest call that failed as an entry says, with an output that says how. */
const listFailedCalls = ({ pages }: ReportData): ReadonlyMap<MemoryId, PageCall> =>
  new Map(
    pages.flatMap(({ memory: { id, knowledge }, calls }): [MemoryId, PageCall][] => {
      const latest = knowledge && isAboutFailures(knowledge) && calls.find(({ isBad, error }) => isBad && error)
      return latest ? [[id, latest]] : []
    }),
  )

const byTime = (a: { readonly summary: Memory }, b: { readonly summary: Memory }): number =>
  compareValues(b.summary.updated, a.summary.updated)

export function renderFixed(data: ReportData): Html {
  const [link, sessionLink] = [memoryLinker(data), sessionLinker(data)]
  const fixed = data.summaries.map((summary) => ({ summary, ...findFixes(summary) }))
  const rows = fixed.filter(({ fixes }) => fixes.length > 0).sort(byTime)
  if (rows.length === 0) return renderEmpty('What sessions fixed, by their commits and summaries, is listed here.')
  return renderLongTable({
    caption: 'What was fixed, the latest first',
    heads: ['what was fixed', 'how, and the cause', 'on', 'session'],
    rows: rows.map(({ summary, fixes, cause }) => [
      html`<ul>${fixes.map((fix) => html`<li>${inlineText(fix, 140)}</li>`)}</ul>`,
      html`${link(summary.id, 200)}${
        cause && html`<span class="before">${inlineText(cause.replace(/^- /, ''), 240)}</span>`
      }`,
      ...[formatDay(summary.updated), sessionLink(summary.session ?? '')],
    ]),
  })
}

export function renderLearned(data: ReportData): Html {
  const failed = listFailedCalls(data)
  const learned = data.knowledge.learned.filter((memory) => !isUnmet(memory) && !failed.has(memory.id))
  if (learned.length === 0) {
    return renderEmpty('What is true of this project, and nobody said, is collected here after a few sessions.')
  }
  const pages = new Map(data.pages.map((page) => [page.memory.id, page]))
  return renderEntries(data, firstOfSubjects(data, learned), {
    caption: 'Facts and lessons that no failed call is about, those that should save most calls first',
    heads: ['entry', 'still true?', 'last confirmed', 'what came of showing it'],
    cellsOf: ({ id, knowledge, updated }) => [
      knowledge ? describeState(knowledge, pages.get(id)) : 'stored on purpose',
      formatDay(knowledge?.record.lastMet ?? updated),
      renderOutcomes(pages.get(id)?.outcomes ?? new Map()),
    ],
  })
}

/** What holds no longer: since when, by which session, what holds instead, and the person's words about that. */
export function renderEnded(data: ReportData): Html {
  const [link, sessionLink] = [memoryLinker(data), sessionLinker(data)]
  const pageOf = new Map(data.pages.map((page) => [page.memory.id as string, page]))
  const ended = [...data.knowledge.superseded, ...data.knowledge.retired].flatMap((memory) => {
    const quote = pageOf.get(memory.supersededBy ?? '')?.memory.knowledge?.quote
    // A later entry that quotes its words has not ended them.
    const isQuoted = quote?.toLowerCase().includes((memory.knowledge?.line ?? memory.content).toLowerCase())
    return isQuoted ? [] : { memory, ending: pageOf.get(memory.id)?.ending ?? { at: memory.updated }, quote }
  })
  if (ended.length === 0) return renderEmpty('What a later entry replaced, or a later session refuted, is listed here.')
  ended.sort((a, b) => compareValues(b.ending.at, a.ending.at))
  return renderLongTable({
    caption: 'Superseded and retired entries, the latest end first',
    heads: ['no longer holds', 'first said', 'until', 'ended in', 'what holds instead, or why'],
    rows: ended.map(({ memory, ending, quote }) => [
      html`${link(memory.id, 140, false)} <span class="gone">${memory.knowledge?.type}</span>`,
      ...[memory.created, ending.at].map(formatDay),
      ending.session === undefined ? '–' : sessionLink(ending.session),
      describeEnd(memory) ??
        html`${link(memory.supersededBy as MemoryId)}${
          quote !== undefined && html`<span class="before">${inlineText(`“${quote}”`, 140)}</span>`
        }`,
    ]),
  })
}

/** Sessions in the list by day; `memctl list --sessions` has all. */
const SESSIONS_MAX = 400

/** Days that are not folded. */
const DAYS_OPEN = 2

export function renderDays(data: ReportData): Html {
  const { summaries } = data
  if (summaries.length === 0) return renderEmpty('What each session did is listed here, in one line for each session.')
  const listed = summaries.slice(0, SESSIONS_MAX)
  const days = [...new Set(listed.flatMap(({ created, updated }) => [dayOf(created), dayOf(updated)]))].sort().reverse()
  const isOf = (day: string) => (memory: Memory) => dayOf(memory.created) <= day && day <= dayOf(memory.updated)
  return html`<p>The latest day first, in UTC. The page of a session has what it taught and what it was shown.</p>
${days.map((day, i) => renderDay(day, listed.filter(isOf(day)), data, i < DAYS_OPEN))}
${renderRest(summaries.length - SESSIONS_MAX, 'memctl list --sessions')}`
}

const dayOf = (iso: string): string => iso.slice(0, 10)

function renderDay(day: string, summaries: readonly Memory[], data: ReportData, isOpen: boolean): Html {
  const [link, sessionLink] = [memoryLinker(data), sessionLinker(data)]
  const began = summaries.filter(({ created }) => dayOf(created) === day)
  const countsOf = ({ session }: Memory) => data.days.get(`${session} ${day}`)
  const sum = (count: 'calls' | 'failed' | 'notes'): string =>
    formatInteger(summaries.reduce((total, memory) => total + (countsOf(memory)?.[count] ?? 0), 0))
  const others = summaries.length - began.length
  return html`<details${isOpen && html` open`}><summary><h3>${formatDay(day)}</h3>
<span>${formatCount(began.length, 'session')}${others > 0 && ` and ${others} from before`}, ${sum('calls')} calls
(${sum('failed')} failed), ${sum('notes')} notes</span></summary>${renderTable({
    caption: `Sessions of ${formatDay(day)}`,
    heads: ['began', 'what was done', 'calls', 'failed', 'done by calls', 'left open', 'session'],
    rows: summaries.map((memory) => [
      began.includes(memory) ? memory.created.slice(11, 16) : formatDay(memory.created),
      link(memory.id, 200),
      ...[
        countsOf(memory)?.calls,
        countsOf(memory)?.failed,
        commaList([...(countsOf(memory)?.done ?? [])].sort().map((each) => html`<span>${each}</span>`)),
      ],
      listOpenTasks(memory).length || undefined,
      sessionLink(memory.session ?? ''),
    ]),
  })}</details>
`
}

export function renderOpen(data: ReportData): Html {
  const link = memoryLinker(data)
  const findLater = laterWorkFinder(data.summaries, listEntries(data.knowledge))
  const items = data.summaries.flatMap((summary) =>
    listOpenTasks(summary).map((task) => ({ summary, task, later: findLater(task, summary)[0] })),
  )
  if (items.length === 0) return renderEmpty('What a session could not finish is listed here.')
  const linkDated = ({ id, updated }: Memory): Html => html`${link(id)} <span class="gone">${formatDay(updated)}</span>`
  const cellsOf = ({ task, summary, later }: (typeof items)[number]): Html[] => [
    inlineText(translateStored(task, 'summary'), 240),
    ...[summary, later ?? []].flat().map(linkDated),
  ]
  return html`${renderLongTable({
    caption: 'What sessions left open, the latest first',
    heads: ['task', 'in the session'],
    rows: items.filter(({ later }) => !later).map(cellsOf),
  })}${renderLongTable({
    caption: 'Perhaps done: later work, or a decision, is about it',
    heads: ['task', 'in the session', 'perhaps done by'],
    rows: items.filter(({ later }) => later).map(cellsOf),
  })}${renderMethod(
    'it goes when a later session says that it is done, when its check passes, or when you ask Claude to close it. ' +
      'Perhaps done: the results of a later session, and what it learned, name most words of the task, or some of ' +
      'them if it was on its issue or file; or the person decided what was undecided.',
  )}`
}
