// What the person has of the memory: what the next session gets, how their rules are kept, what people said, what was
// learned, and what was left open.
import { shownLine } from '../../broker/projection/knowledgeFile.ts'
import { isUnmet, listEntries, type ReportData } from '../../broker/queries/reportData.ts'
import { type RuleCounts, type RuleObedience, UNCLEAR_SESSIONS_MIN } from '../../knowledge/obedience.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { isAboutFailures, isOfPerson, type Knowledge } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import { formatCount, formatInteger } from '../formatNumber.ts'
import { dayOfNumbers, describeMeetings, SCOPE_NAMES } from '../knowledgeText.ts'
import { explainKnowledge } from '../noteReason.ts'
import { formatDay, formatShare, renderEmpty, renderLongTable, renderMethod, renderTable } from './figure.ts'
import { blockText, type Html, html, inlineText, type LinkMemory, memoryLinker, sessionLinker } from './html.ts'
import { renderOutcomes } from './measured.ts'
import { describeEnd, renderSpeaker } from './memoryPage.ts'
import { alikeRenderer, laterWorkFinder } from './topics.ts'

/** Rows of a list; the rest is counted. */
const ROWS_MAX = 500

export const renderNext = (data: ReportData, { next }: { readonly next: string }): Html =>
  next.trim() === ''
    ? renderEmpty('Nothing yet. What a session is shown at its start appears here after the first sessions.')
    : html`<p>At its start, as Claude reads it (<code>memctl recall --moment start</code>):</p>${blockText(next)}
${renderReasons(next, data)}
<p class="counted">Choose a line for its page, which has the commands that change and remove it. Prompts, calls and
failures bring other notes.</p>`

/** Why each entry is at its place in that text: its rank, what gave it, and what the log says of it. */
function renderReasons(text: string, data: ReportData): Html | false {
  const link = memoryLinker(data)
  const byId = new Map(data.pages.map(({ memory }) => [memory.id, memory]))
  // In the order of a start. Wishes are the first half of it.
  const ranked = [...data.worths].flatMap(([id, worth]) => (worth > 0 ? (byId.get(id) ?? []) : []))
  const halves = groupBy(ranked, isWish)
  const rows = text.split('\n').flatMap((line) => {
    const memory = [...byId.values()].find(({ knowledge }) => knowledge && shownLine(knowledge) === withoutMarks(line))
    return memory?.knowledge ? [{ memory, knowledge: memory.knowledge, own: halves.get(isWish(memory)) ?? [] }] : []
  })
  return (
    rows.length > 0 &&
    html`${renderTable({
      caption: 'Why each line has its place',
      heads: ['line', 'place', 'because', 'who said it', 'said', 'what the log says of it'],
      rows: rows.map(({ memory, knowledge, own }) => [
        link(memory.id),
        `${own.indexOf(memory) + 1} of ${own.length}`,
        describePlace(memory, knowledge, data.worths.get(memory.id)),
        ...[renderSpeaker(memory), formatDay(memory.created)],
        describeMeetings(knowledge),
      ]),
    })}${renderMethod(
      'first what people want: rules and preferences are worth more than decisions, and so is what is expected in ' +
        'more sessions, what was broken, and what is young. Then what was learned: it is worth the calls that it ' +
        'should save in a session. What does not fit into the space of a start waits for its triggers.',
    )}`
  )
}

const isWish = ({ knowledge }: Memory): boolean =>
  knowledge !== undefined && isOfPerson(knowledge) && !isAboutFailures(knowledge)

function describePlace(memory: Memory, { expected, record: { firedIn = 0 } }: Knowledge, score?: number): string {
  if (firedIn > 0 && !isWish(memory)) return `${formatCount(firedIn, 'session')} since then had a call that it is about`
  const reason = explainKnowledge({ moment: 'start', score, memory })
  return expected === undefined ? reason : `${reason}; expected in ${formatShare(expected)} of sessions`
}

/** A line of a note without the mark of a list and what was added to it. */
const withoutMarks = (line: string): string => line.replace(/^- /, '').replace(/ \([^()]*\)$/, '')

export function renderKnowledge(data: ReportData): Html {
  const { said, superseded } = data.knowledge
  if (said.length + superseded.length === 0) {
    return renderEmpty('Preferences, rules and decisions that a person states in a prompt are listed here.')
  }
  const renderEntry = entryRenderer(data)
  const cellsOf = (memory: Memory) => [renderEntry(memory), renderSpeaker(memory), formatDay(memory.created)]
  const met = data.obedience.rules.filter(isMet)
  const others = said.filter(({ id }) => !met.some(({ memory }) => memory.id === id))
  const isOfProduct = ({ knowledge }: Memory): boolean => knowledge?.type === 'decision' || knowledge?.type === 'fact'
  const [rules, decisions] = [others.filter((memory) => !isOfProduct(memory)), others.filter(isOfProduct)]
  const left = [rules, decisions].reduce((sum, { length }) => sum + Math.max(0, length - ROWS_MAX), 0)
  return html`${renderObedience(data)}
${renderLongTable({
  caption: 'Rules and decisions that calls have kept or broken, in sessions: first those that were broken most',
  heads: ['rule', ...SAID_HEADS, 'kept when shown', 'kept otherwise', 'calls that broke it'],
  rows: met.map(({ memory, since, before }) => [
    ...[...cellsOf(memory), describeKept(since), describeKept(before)],
    data.pages.find((page) => page.memory.id === memory.id)?.sessions.reduce((sum, { bad }) => sum + bad.length, 0),
  ]),
  numeric: [3, 4],
})}${renderLongTable({
  caption: 'Other rules and preferences that hold, the latest first',
  heads: ['rule', ...SAID_HEADS],
  rows: rules.slice(0, ROWS_MAX).map(cellsOf),
})}${renderLongTable({
  caption: 'Decisions and facts that people stated, and that hold, the latest first',
  heads: ['decision', ...SAID_HEADS],
  rows: decisions.slice(0, ROWS_MAX).map(cellsOf),
})}
${renderRest(left, 'memctl list --kind preference --kind decision')}
<p class="counted">Below an entry is what else is known about its subject: of two that differ, the later one probably
counts.</p>
${renderEnded(data, memoryLinker(data))}${renderMethod(
  'in sessions, by their calls after the rule was said: those after the session had been shown the rule count as ' +
    'shown, those before it apart, so one session may count on both sides. A call breaks a rule if it has what the ' +
    'rule bans, or lacks what the rule demands. A session with such a call has broken the rule; one with only ' +
    'calls that keep it has kept it. What depends on the words of the person ("unless I ask") is not judged. ' +
    '`memctl forget ID` erases a rule for good, `memctl supersede ID TEXT` replaces it.',
)}`
}

const SAID_HEADS = ['who said it', 'said']

const describeKept = ({ kept, broken }: RuleCounts): string => (kept + broken > 0 ? `${kept} of ${kept + broken}` : '–')

/** Whether calls have kept or broken it. */
const isMet = ({ before, since }: RuleObedience): boolean => before.kept + before.broken + since.kept + since.broken > 0

/** How often the rules were kept, all together. */
function renderObedience({ obedience }: ReportData): Html {
  const met = obedience.rules.filter(isMet)
  const count = obedience.rules.length + obedience.unclear.length
  const rules = formatCount(count, 'rule or decision', 'rules and decisions')
  if (met.length === 0) {
    const none = count === 0 ? 'No rule of the person is known yet.' : `${rules} of the person.`
    return renderEmpty(`${none} How often a rule was kept and broken is counted here as soon as calls have met it.`)
  }
  const unmet = obedience.rules.length - met.length
  const unclear =
    obedience.unclear.length > 0 &&
    ` Left out are ${formatCount(obedience.unclear.length, 'rule')} that came up in ${UNCLEAR_SESSIONS_MIN} sessions or
more and look broken in nearly all: what memctl looks for there is the subject, not the breach.`
  const rest = unmet > 0 && ` For the other ${unmet} no call shows whether they were kept.`
  const [shown, others] = [obedience.since, obedience.before].map(
    ({ kept, broken }) => kept + broken > 0 && `${kept} of ${kept + broken} times`,
  )
  return html`<p><strong>${rules} of the person. For ${formatInteger(met.length)} of them, later calls show whether they
were kept.
${shown ? `Sessions that had been shown them kept them ${shown}` : 'No session that had been shown one met it'};
${others ? `others kept them ${others}` : 'no other session met one'}.</strong>${unclear}${rest} The
two kinds of sessions differ in more than the notes, so this proves nothing; <a href="#measured">the experiment</a> says
whether notes help. The page of a rule has the calls that kept and broke it.</p>`
}

/** An entry with where it holds, the day of its numbers, what it replaced, and others about its subject. */
function entryRenderer(data: ReportData): (memory: Memory) => Html {
  const link = memoryLinker(data)
  const replaced = new Map(data.pages.map(({ memory, predecessors }) => [memory.id, predecessors]))
  const renderAlike = alikeRenderer(data)
  return (memory) => {
    const { id, knowledge } = memory
    const day = dayOfNumbers(memory)
    const lines = [
      knowledge !== undefined && knowledge.scope !== 'project' && html`holds for: ${SCOPE_NAMES[knowledge.scope]}`,
      day !== undefined && html`numbers of ${formatDay(day)}`,
      ...(replaced.get(id) ?? []).map((older) => html`it replaced ${link(older, 120, false)}`),
    ]
    const first = lines.map((line) => line && html`<span class="before">${line}</span>`)
    return html`${link(id, 180)}${first}${renderAlike(memory)}`
  }
}

export function renderLearned(data: ReportData): Html {
  const { learned: all, retired } = data.knowledge
  if (all.length + retired.length === 0) {
    return renderEmpty('What fails in this project, and what works instead, is collected here after a few sessions.')
  }
  const renderEntry = entryRenderer(data)
  const learned = all.filter((memory) => !isUnmet(memory))
  const outcomes = new Map(data.pages.map((page) => [page.memory.id, page.outcomes]))
  const standing = learned.filter(({ knowledge }) => knowledge?.state === 'standing').length
  return html`<p>${formatCount(standing, 'standing entry', 'standing entries')} (met or confirmed in another session),
${formatInteger(learned.length - standing)} proposed (not met again yet), ${formatInteger(retired.length)} retired (no
longer true). Those that are expected to save most calls come first.${
    all.length > learned.length &&
    ` ${formatInteger(all.length - learned.length)} failures that the log alone describes, and that no session has met
again, are left out: a session is shown them if it meets them.`
  }</p>
${renderLongTable({
  caption: 'Facts and lessons',
  heads: ['entry', 'state', 'sessions met', 'last confirmed', 'what came of showing it'],
  rows: learned
    .slice(0, ROWS_MAX)
    .map((memory) => [
      renderEntry(memory),
      memory.knowledge?.state ?? '',
      memory.knowledge?.record.met ?? 0,
      formatDay(memory.knowledge?.record.lastMet ?? ''),
      renderOutcomes(outcomes.get(memory.id) ?? new Map()),
    ]),
})}
${renderRest(learned.length - ROWS_MAX, 'memctl list --kind fact --kind lesson')}`
}

/** How many a list leaves out, and the command that prints them. */
const renderRest = (left: number, command: string): Html | false =>
  left > 0 && html`<p class="rest">${formatCount(left, 'more entry', 'more entries')}: <code>${command}</code>.</p>`

/** What holds no longer: since when, by which session, what holds instead, and the person's words about that. */
function renderEnded({ knowledge: { superseded, retired }, pages }: ReportData, link: LinkMemory): Html | false {
  const sessionLink = sessionLinker({ pages })
  const pageOf = new Map(pages.map((page) => [page.memory.id as string, page]))
  const ended = [...superseded, ...retired].map((memory) => ({
    memory,
    ending: pageOf.get(memory.id)?.ending ?? { at: memory.updated },
    quote: pageOf.get(memory.supersededBy ?? '')?.memory.knowledge?.quote,
  }))
  ended.sort((a, b) => (a.ending.at < b.ending.at ? 1 : -1))
  return (
    ended.length > 0 &&
    html`<details><summary>What no longer holds, since when, and what holds instead</summary>${renderTable({
      caption: 'Superseded and retired entries, the latest end first',
      heads: ['no longer holds', 'first said', 'until', 'ended in', 'what holds instead, or why'],
      rows: ended
        .slice(0, ROWS_MAX)
        .map(({ memory, ending, quote }) => [
          link(memory.id, 140, false),
          ...[memory.created, ending.at].map(formatDay),
          ending.session === undefined ? '–' : sessionLink(ending.session),
          describeEnd(memory) ??
            html`${link(memory.supersededBy as MemoryId)}${
              quote !== undefined && html`<span class="before">${inlineText(`“${quote}”`, 140)}</span>`
            }`,
        ]),
    })}</details>`
  )
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
  // Of a session that goes on past midnight, the day on which it began has the numbers.
  const rows = summaries.map((memory) => ({
    ...memory,
    counts: dayOf(memory.created) === day ? data.sessions.get(memory.session as SessionId) : undefined,
  }))
  const sum = (count: 'calls' | 'failed' | 'notes'): string =>
    formatInteger(rows.reduce((total, { counts }) => total + (counts?.[count] ?? 0), 0))
  const ofDay = listEntries(data.knowledge).filter(({ created }) => dayOf(created) === day)
  return html`<details${isOpen && html` open`}><summary><h3>${formatDay(day)}</h3> <span>${formatCount(
    rows.length,
    'session',
  )}, ${sum('calls')} calls (${sum('failed')} failed), ${sum('notes')} notes</span></summary>${renderTable({
    caption: `Sessions of ${formatDay(day)}`,
    heads: ['began', 'what was done', 'calls', 'failed', 'left open', 'session'],
    rows: rows.map(({ id, created, session = '', counts, leftOpen = [] }) => [
      dayOf(created) === day ? created.slice(11, 16) : formatDay(created),
      link(id, 200),
      ...[counts?.calls, counts?.failed, leftOpen.length || undefined],
      sessionLink(session),
    ]),
  })}${
    ofDay.length > 0 &&
    html`<details><summary>Said and learned that day <span class="count">${ofDay.length}</span></summary>
<ul>${ofDay.map(({ id }) => html`<li>${link(id, 180)}</li>`)}</ul></details>`
  }</details>
`
}

export function renderOpen(data: ReportData): Html {
  const link = memoryLinker(data)
  const findLater = laterWorkFinder(data.summaries)
  const items = data.summaries.flatMap(({ id, updated, leftOpen = [] }) =>
    leftOpen.map((task) => ({ summary: id, at: updated, task, later: findLater(task, updated) })),
  )
  if (items.length === 0) return renderEmpty('What a session could not finish is listed here.')
  const linkDated = (id: MemoryId, at: string): Html => html`${link(id)} <span class="gone">${formatDay(at)}</span>`
  const cellsOf = ({ task, summary, at }: (typeof items)[number]): Html[] => [
    inlineText(task, 240),
    linkDated(summary, at),
  ]
  return html`${renderLongTable({
    caption: 'What sessions left open, and no later session is known to have worked on, the latest first',
    heads: ['task', 'in the session'],
    rows: items.filter(({ later }) => !later).map(cellsOf),
  })}${renderLongTable({
    caption: 'What a later session worked on: it may be done',
    heads: ['task', 'in the session', 'later session'],
    rows: items.flatMap((item) =>
      item.later ? [[...cellsOf(item), linkDated(item.later.id, item.later.updated)]] : [],
    ),
  })}${renderMethod(
    'as the session named it. It goes when a later session says that it is done, when its check passes, or when you ' +
      'ask Claude to close it. A later session worked on it if its results name most words of the task, and every ' +
      'number.',
  )}`
}
