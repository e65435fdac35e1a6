// What the person has of the memory: what the next session gets, how their rules are kept, what people said, what was
// learned, and what was left open.
import { shownLine } from '../../broker/projection/knowledgeFile.ts'
import { isUnmet, type ReportData } from '../../broker/queries/reportData.ts'
import type { SessionCalls } from '../../broker/queries/reportPages.ts'
import { type RuleCounts, UNCLEAR_SESSIONS_MIN } from '../../knowledge/obedience.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { isAboutFailures, isOfPerson, type Knowledge } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import { formatCount } from '../formatNumber.ts'
import { AUTHOR_NAMES, describeMeetings, SCOPE_NAMES } from '../knowledgeText.ts'
import { explainKnowledge } from '../noteReason.ts'
import {
  formatDay,
  formatDecimal,
  formatInteger,
  formatShare,
  formatTime,
  renderEmpty,
  renderLongTable,
  renderMethod,
  renderTable,
} from './figure.ts'
import {
  blockText,
  codeText,
  type Html,
  html,
  inlineText,
  type LinkMemory,
  memoryLinker,
  sessionLinker,
} from './html.ts'
import { renderOutcomes } from './measured.ts'
import { describeEnd } from './memoryPage.ts'

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
      heads: ['line', 'place', 'worth', 'because', 'from', 'what the log says of it'],
      rows: rows.map(({ memory, knowledge, own }) => [
        link(memory.id),
        `${own.indexOf(memory) + 1} of ${own.length}`,
        formatDecimal(data.worths.get(memory.id) ?? 0),
        describePlace(memory, knowledge, data.worths.get(memory.id)),
        `${AUTHOR_NAMES[knowledge.author]}, ${formatDay(memory.created)}`,
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
  const link = memoryLinker(data)
  return html`${renderObedience(data, link)}${renderSaid(data, link)}${renderEnded(data, link)}`
}

/** The rules that the log has met; the others are in the list of what people said. */
function renderObedience(data: ReportData, link: LinkMemory): Html {
  const { obedience } = data
  const sessionsOf = new Map(data.pages.map(({ memory, sessions }) => [memory.id, sessions]))
  const met = obedience.rules.filter(({ before, since }) => before.kept + before.broken + since.kept + since.broken > 0)
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
  const rest = unmet > 0 && ` For the other ${unmet} rules no call shows whether they were kept.`
  const times = ({ kept, broken }: RuleCounts): string => `${kept} of ${kept + broken} times`
  const [shown, others] = [obedience.since, obedience.before].map(
    (counts) => counts.kept + counts.broken > 0 && times(counts),
  )
  return html`<p><strong>${rules} of the person. For ${formatInteger(met.length)} of them, later calls show whether they
were kept.
${shown ? `Sessions that had been shown them kept them ${shown}` : 'No session that had been shown one met it'};
${others ? `others kept them ${others}` : 'no other session met one'}.</strong>${unclear}${rest} The
two kinds of sessions differ in more than the notes, so this proves nothing; <a href="#measured">the experiment</a> says
whether notes help.</p>
${renderLongTable({
  caption: 'Rules of the person: how many sessions kept and broke them, those first that were broken most though shown',
  heads: ['rule', 'shown: kept', 'shown: broken', 'not shown: kept', 'not shown: broken', 'calls that broke it'],
  rows: met.map(({ memory, before, since }) => [
    link(memory.id, 180),
    ...[since.kept, since.broken, before.kept, before.broken, countBad(sessionsOf.get(memory.id))],
  ]),
})}
${met.map(({ memory }, i) => renderBreaches(memory, i + 1, sessionsOf.get(memory.id) ?? [], data))}
${renderMethod(
  'in sessions, by their calls after the rule was said: those after the session had been shown the rule count as ' +
    'shown, those before it apart, so one session may count on both sides. A call breaks a rule if it has what the ' +
    'rule bans, or lacks what the rule demands. A session with such a call has broken the rule; one with only calls ' +
    'that keep it has kept it. What depends on the words of the person ("unless I ask") is not judged. ' +
    '`memctl forget ID` erases a rule for good, `memctl supersede ID TEXT` replaces it.',
)}`
}

const countBad = (sessions: readonly SessionCalls[] = []): number =>
  sessions.reduce((sum, { bad }) => sum + bad.length, 0)

/** The sessions that broke a rule: as many as the table above counts, with as many calls. */
function renderBreaches(
  { id }: Memory,
  place: number,
  sessions: readonly SessionCalls[],
  data: ReportData,
): Html | false {
  const sessionLink = sessionLinker(data)
  const rows = sessions.flatMap(({ isShown, bad }) => {
    const [latest] = bad
    if (!latest) return []
    const { at, text, session } = latest
    return [[formatTime(at), isShown ? 'yes' : 'no', bad.length, codeText(text, 150), sessionLink(session)]]
  })
  return (
    rows.length > 0 &&
    html`<details><summary>${inlineText(data.contents.get(id) ?? '', 120)} <span>${formatCount(rows.length, 'time')}
broken</span></summary>${renderTable({
      caption: `Sessions that broke rule ${place} of the table, first those that had been shown it`,
      heads: ['time (UTC)', 'had been shown it', 'calls that broke it', 'the latest of them', 'session'],
      rows,
    })}</details>`
  )
}

function renderSaid({ knowledge: { said, superseded } }: ReportData, link: LinkMemory): Html {
  if (said.length + superseded.length === 0) {
    return renderEmpty('Preferences, rules and decisions that a person states in a prompt are listed here.')
  }
  const were = formatCount(superseded.length, 'entry was', 'entries were')
  const entries = formatCount(said.length, 'entry', 'entries')
  return html`<p>${entries} of what people said; ${were} superseded by a later one.</p>
${renderLongTable({
  caption: 'What people said and holds now, the latest first',
  heads: ['entry', 'type', 'holds for', 'words of', 'said'],
  rows: said
    .slice(0, ROWS_MAX)
    .map(({ id, kind, knowledge, created }) => [
      link(id, 180),
      ...(knowledge ? [knowledge.type, SCOPE_NAMES[knowledge.scope], AUTHOR_NAMES[knowledge.author]] : [kind, '', '']),
      formatDay(created),
    ]),
})}
${renderRest(said.length - ROWS_MAX, 'memctl list --kind preference --kind decision')}`
}

export function renderLearned(data: ReportData): Html {
  const { learned: all, retired } = data.knowledge
  if (all.length + retired.length === 0) {
    return renderEmpty('What fails in this project, and what works instead, is collected here after a few sessions.')
  }
  const link = memoryLinker(data)
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
  heads: ['entry', 'state', 'sessions met', 'last met', 'what came of showing it'],
  rows: learned
    .slice(0, ROWS_MAX)
    .map(({ id, knowledge }) => [
      link(id, 180),
      knowledge?.state ?? '',
      knowledge?.record.met ?? 0,
      formatDay(knowledge?.record.lastMet ?? ''),
      renderOutcomes(outcomes.get(id) ?? new Map()),
    ]),
})}
${renderRest(learned.length - ROWS_MAX, 'memctl list --kind fact --kind lesson')}`
}

/** How many a list leaves out, and the command that prints them. */
const renderRest = (left: number, command: string): Html | false =>
  left > 0 && html`<p class="rest">${formatCount(left, 'more entry', 'more entries')}: <code>${command}</code>.</p>`

/** What holds no longer: since when, by which session, and what holds instead. */
function renderEnded({ knowledge: { superseded, retired }, pages }: ReportData, link: LinkMemory): Html | false {
  const sessionLink = sessionLinker({ pages })
  const endings = new Map(pages.map(({ memory, ending }) => [memory.id, ending]))
  const ended = [...superseded, ...retired].map((memory) => ({
    memory,
    ending: endings.get(memory.id) ?? { at: memory.updated },
  }))
  ended.sort((a, b) => (a.ending.at < b.ending.at ? 1 : -1))
  return (
    ended.length > 0 &&
    html`<details><summary>What no longer holds, since when, and what holds instead</summary>${renderTable({
      caption: 'Superseded and retired entries, the latest end first',
      heads: ['no longer holds', 'first said', 'until', 'ended in', 'what holds instead, or why'],
      rows: ended
        .slice(0, ROWS_MAX)
        .map(({ memory, ending }) => [
          link(memory.id),
          ...[memory.created, ending.at].map(formatDay),
          ending.session === undefined ? '–' : sessionLink(ending.session),
          describeEnd(memory) ?? link(memory.supersededBy as MemoryId),
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
  const { said, learned, superseded, retired } = data.knowledge
  const [link, sessionLink] = [memoryLinker(data), sessionLinker(data)]
  // Of a session that goes on past midnight, the day on which it began has the numbers.
  const rows = summaries.map((memory) => ({
    ...memory,
    counts: dayOf(memory.created) === day ? data.sessions.get(memory.session as SessionId) : undefined,
  }))
  const sum = (count: 'calls' | 'failed' | 'notes'): string =>
    formatInteger(rows.reduce((total, { counts }) => total + (counts?.[count] ?? 0), 0))
  const ofDay = [...said, ...superseded, ...retired, ...learned.filter((memory) => !isUnmet(memory))].filter(
    ({ created }) => dayOf(created) === day,
  )
  return html`<details${isOpen && html` open`}><summary><h3>${formatDay(day)}</h3> <span>${formatCount(
    rows.length,
    'session',
  )}, ${sum('calls')} calls (${sum('failed')} failed), ${sum('notes')} notes</span></summary>${renderTable({
    caption: `Sessions of ${formatDay(day)}`,
    heads: ['began', 'what was done', 'calls', 'failed', 'left open', 'session'],
    rows: rows.map(({ id, created, session = '', counts }) => [
      dayOf(created) === day ? created.slice(11, 16) : formatDay(created),
      link(id, 200),
      ...[counts?.calls, counts?.failed, data.leftOpen.find(({ summary }) => summary === id)?.tasks.length],
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
  const { leftOpen } = data
  if (leftOpen.length === 0) return renderEmpty('What a session could not finish is listed here.')
  const link = memoryLinker(data)
  return html`${renderLongTable({
    caption: 'What sessions left open, the latest first; ask Claude to close what is done',
    heads: ['task', 'in the session', 'of'],
    rows: leftOpen.flatMap(({ summary, tasks, at }) =>
      tasks.map((task) => [inlineText(task, 240), link(summary, 120), formatDay(at)]),
    ),
  })}${renderMethod(
    'as the session named it. It goes when a later session says that it is done, when its check passes, or when you ' +
      'ask Claude to close it. Nothing else closes it: an old one may be done.',
  )}`
}
