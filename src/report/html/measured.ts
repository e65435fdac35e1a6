// How memctl measured itself: failures that were met, whether notes help, what was shown and used; and what it costs in
// tokens, time and space, and what leaves the machine.
import type { DistillStatus } from '../../broker/distill/distillSessions.ts'
import type { HoldoutEffect } from '../../broker/queries/effectReports.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import type { Outcome } from '../../broker/queries/reportPages.ts'
import { isAboutFailures } from '../../model/knowledge.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { formatBytes, formatCount } from '../formatNumber.ts'
import {
  formatChange,
  formatDay,
  formatDecimal,
  formatInteger,
  formatShare,
  renderEmpty,
  renderLongTable,
  renderMethod,
  renderTable,
} from './figure.ts'
import { codeText, type Html, html, inlineText, memoryLinker, withCode } from './html.ts'

export function renderFailures(data: ReportData): Html {
  const { met, known, noted } = data.failures
  if (met === 0) return renderEmpty('No tool call has failed yet. Failures appear here.')
  const method = renderMethod(
    'a tool call that failed and was not interrupted. Its error was known if an entry from an earlier session ' +
      `names it; one call may be in several rows. For ${formatInteger(noted)} of the ${formatInteger(known)} known ` +
      'ones a note was shown right at the failure.',
  )
  return html`${renderRanking(data)}<p><strong>${formatShare(known / met)} of ${formatCount(met, 'failed call')}
had an error that was known already</strong></p>${method}`
}

/** Failures of the ranking, at most. */
const RANKED_MAX = 40

/** What failed in several sessions: by the entry about it, which may be about many messages, else by the message. */
function renderRanking(data: ReportData): Html {
  const link = memoryLinker(data)
  const pages = new Map(data.pages.map((page) => [page.memory.id, page]))
  const known = data.knowledge.learned.flatMap(({ id, knowledge }) => {
    if (!knowledge || !isAboutFailures(knowledge) || knowledge.record.met < 2) return []
    const { met: sessions, failed: calls, shown, lastMet: last } = knowledge.record
    const latest = pages.get(id)?.calls.find(({ isBad }) => isBad)
    const line = latest?.failure && html`<span class="before">${inlineText(latest.failure.line, 120)}</span>`
    const example = latest ? html`${codeText(latest.text, 80)}${line}` : '–'
    return [{ example, helps: link(id, 180), sessions, calls, shown, last }]
  })
  const others = data.failures.again.map(({ line, isOfClient, ...counts }) => ({
    ...counts,
    example: inlineText(line, 160),
    helps: isOfClient ? 'the message says what to do' : 'nothing is known yet',
    shown: undefined,
  }))
  const ranked = [...known, ...others].sort((a, b) => b.sessions - a.sessions || b.calls - a.calls)
  return renderLongTable({
    caption: 'What failed in several sessions, the most frequent first, and what helps',
    heads: [
      'what failed, for example',
      'what helps',
      'sessions',
      'failed calls',
      'sessions that were shown it',
      'last',
    ],
    rows: ranked
      .slice(0, RANKED_MAX)
      .map(({ example, helps, sessions, calls, shown, last }) => [
        example,
        helps,
        sessions,
        calls,
        shown,
        formatDay(last),
      ]),
  })
}

const PARTS: readonly (readonly [title: string, render: (data: ReportData) => Html])[] = [
  ['Does it help?', renderVerdict],
  ['What was shown, and what came of it', renderUse],
  ['What learning has changed', renderPolicy],
]

export const renderMeasured = (data: ReportData): Html =>
  html`<details><summary>${decideVerdict(data).headline} The experiment, notes and their use, learning</summary>
${PARTS.map(([title, render]) => html`<h3>${title}</h3>${render(data)}`)}</details>`

interface Verdict {
  readonly headline: string
  readonly reason: string
}

const EFFECT_WORDS: Readonly<Record<HoldoutEffect['name'], readonly [less: string, more: string]>> = {
  'failure rate': ['fewer tasks with a failed call', 'more tasks with a failed call'],
  'known errors again': ['fewer tasks with a known error', 'more tasks with a known error'],
  'tool calls': ['fewer tool calls', 'more tool calls'],
  time: ['less time', 'more time'],
}

/** What notes are for. Calls and time alone do not decide: more work may be better work. */
const DECIDING: ReadonlySet<HoldoutEffect['name']> = new Set(['failure rate', 'known errors again'])

/** The answer that the experiment supports, and nothing beyond it. */
export function decideVerdict({ experiment, totals }: Pick<ReportData, 'experiment' | 'totals'>): Verdict {
  const { effects, shown, withheld, neededPerArm } = experiment
  if (totals.sessions === 0) {
    const reason = 'Sessions appear here as soon as hooks have recorded one; `memctl init` installs the hooks.'
    return { headline: 'Nothing is recorded yet.', reason }
  }
  if (!effects) {
    if (totals.notes + shown + withheld === 0)
      return { headline: 'No session has seen a note yet.', reason: 'There is nothing to compare.' }
    const reason =
      'memctl holds back a few notes by chance and compares the tasks with and without a note. A comparison needs ' +
      `${neededPerArm} of each. What people said is never held back; of the other notes ` +
      `${formatCount(shown, 'was', 'were')} shown and ${formatInteger(withheld)} held back so far.`
    return { headline: 'It is too early to say whether it helps.', reason }
  }
  const deciding = effects.filter(({ name }) => DECIDING.has(name))
  const better = deciding.filter(({ verdict }) => verdict === 'helps')
  const worse = deciding.filter(({ verdict }) => verdict === 'harms')
  const basis =
    `Chance held back ${formatCount(withheld, 'note')}. ` +
    `Compared with these, the tasks after ${formatCount(shown, 'shown note')} had `
  const words = [...better.map(({ name }) => EFFECT_WORDS[name][0]), ...worse.map(({ name }) => EFFECT_WORDS[name][1])]
  if (words.length === 0) return { headline: 'No effect is certain yet.', reason: openReason(basis, effects) }
  const reason = `${basis}${words.join(' and ')}.`
  if (worse.length === 0) return { headline: 'Yes: with notes, less fails.', reason }
  if (better.length === 0) return { headline: 'No: with notes, more fails.', reason }
  return { headline: 'It helps in one way and harms in another.', reason }
}

function openReason(basis: string, effects: readonly HoldoutEffect[]): string {
  const beyond = effects.filter(({ verdict }) => verdict !== 'not known yet')
  const words = beyond.map(({ name, verdict }) => EFFECT_WORDS[name][verdict === 'helps' ? 0 : 1])
  if (words.length === 0) return `${basis}about as many failures; the difference may be chance.`
  return (
    `${basis}about as many failures. Another figure is beyond chance (${words.join(', ')}), but it does not decide: ` +
    'more work may be better work.'
  )
}

function renderVerdict(data: ReportData): Html {
  const { headline, reason } = decideVerdict(data)
  const { effects } = data.experiment
  return html`<p><strong>${headline}</strong> ${withCode(reason)}</p>${
    effects !== null &&
    html`${renderTable({
      caption: 'Effect of showing notes',
      heads: ['per task', 'with note', 'without', 'difference', 'interval'],
      rows: effects.map(effectRow),
      numeric: [1, 2, 3, 4],
    })}${renderMethod(
      'tasks are compared up to the next prompt. Below zero is better. If an interval contains zero, the difference ' +
        'may be chance: 2,000 new draws of the held-back notes among the same recalls tell what chance gives.',
    )}`
  }`
}

function effectRow({ name, shown, withheld, effect, lower, upper }: HoldoutEffect): string[] {
  const isCalls = name === 'tool calls'
  const [scale, unit] = isCalls ? [1, ''] : [100, name === 'time' ? '\u00a0%' : ' points']
  const value = (amount: number): string =>
    name === 'time' ? `${formatDecimal(amount)} s` : isCalls ? formatDecimal(amount) : formatShare(amount)
  const change = (amount: number): string => `${formatChange(scale * amount)}${unit}`
  return [name, value(shown), value(withheld), change(effect), `${change(lower)} … ${change(upper)}`]
}

export const MOMENT_NAMES: Readonly<Record<RecallMoment, string>> = {
  start: 'session start',
  prompt: 'prompt',
  call: 'tool call',
  failure: 'failed call',
  agent: 'subagent start',
  ask: 'asked for',
}

/** What came of showing a note. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  kept: 'the rule was kept',
  broken: 'the rule was broken',
  passed: 'it did not fail again',
  failed: 'it failed again',
  used: 'it was used',
  nothing: 'nothing came of it',
  unknown: 'no result known',
  withheld: 'held back by chance, for comparison',
}

/** How many showings ended in each way: `the rule was kept: 7 · the rule was broken: 5`; a dash for none. */
export function renderOutcomes(outcomes: ReadonlyMap<Outcome, number>): Html {
  const counts = (Object.keys(OUTCOME_NAMES) as Outcome[]).flatMap((outcome) => {
    const count = outcomes.get(outcome)
    return count === undefined ? [] : [html`<span>${OUTCOME_NAMES[outcome]}: ${formatInteger(count)}</span>`]
  })
  return counts.length === 0 ? html`–` : html`${counts.map((count, i) => html`${i > 0 && ' · '}${count}`)}`
}

function renderUse({ moments, outcomes }: ReportData): Html {
  if (moments.length === 0) return renderEmpty('As soon as a note is shown, this part says when, and what came of it.')
  return html`<p>${renderOutcomes(outcomes)}</p>${renderTable({
    caption: 'Notes by moment',
    heads: ['moment', 'times shown', 'times held back', 'notes', 'tokens'],
    rows: moments.map(({ moment, shown, withheld, notes, tokens }) => [
      MOMENT_NAMES[moment],
      ...[shown, withheld, notes, tokens],
    ]),
  })}${renderMethod(
    'each showing of a note counts by the first of these that is true: a later call of the session broke the rule, ' +
      'or failed as the note says; a later call kept it, or passed; something else followed that the note says, was ' +
      'not known before and is more frequent than chance: its command ran, its file was changed, its error stayed ' +
      'away, or an answer repeats it. Most notes are about what then does not come up: nothing came of them.',
  )}`
}

function renderPolicy({ policy: { name, version, frozen, exclusions, judged, numbers } }: ReportData): Html {
  const excluded = formatCount(exclusions.length, 'memory or kind is', 'memories or kinds are')
  const moved = numbers.filter(({ difference }) => difference !== 0).length
  return html`<p>The policy is <b>${inlineText(name, 60)}</b>${
    version === 0 ? ', as it was configured' : `, version ${version}: ${formatCount(moved, 'number')} of it moved`
  }${frozen && '; learning is switched off'}. ${formatCount(judged, 'recall')} with a known result kept as evidence.${
    exclusions.length > 0 && ` ${excluded} not shown at some moments: never of use there.`
  } <code>memctl policy history</code> has each change and its reason.</p>`
}

/** Who reads finished sessions, and how changes get to a team. Absent: nobody, and no hub. */
export interface LeavesMachine {
  readonly reader?: Pick<DistillStatus, 'by' | 'model'> | undefined
  /** The state of the hub in one line. */
  readonly hub?: string | undefined
}

const SECRETS =
  'Replaced by a mark before anything is stored; a second search in the background replaces what the first missed.'

export const renderCosts = (data: ReportData, extras: LeavesMachine): Html =>
  html`<dl class="fields">${[
    ['Tokens', describeTokens(data)],
    ['Time', describeTimes(data)],
    ['Faults', describeFaults(data)],
    ['What came of notes', renderOutcomes(data.outcomes)],
    ['Model', describeReader(extras)],
    ['Read so far', describeReading(data)],
    ['Leaves the machine', describeTeam(extras)],
    ['Space', describeSpace(data)],
    ['Secrets', SECRETS],
  ].map(([name, text]) => html`<div class="whole"><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`

const describeTokens = ({ tokens, totals: { sessionsWithNotes, sessions } }: ReportData): string =>
  sessionsWithNotes === 0
    ? 'No session got a note yet.'
    : `${formatInteger(sessionsWithNotes)} of ${formatCount(sessions, 'session')} got notes: half of them at most ` +
      `${formatInteger(tokens.median)} tokens, nine of ten at most ${formatInteger(tokens.p90)}, all together ` +
      `${formatInteger(tokens.total)}.`

/** What a session waits for most often: its calls. */
function describeTimes({ hooks }: ReportData): string {
  const times = (['call.started', 'call.succeeded'] as const).flatMap((kind) => hooks.get(kind) ?? [])
  if (times.length === 0) return 'Not recorded here: imports and replays have no times.'
  const sum = times.reduce((total, time) => total + time)
  return `${formatInteger(sum)} ms for a tool call that passes, in the median. Nothing runs between hooks.`
}

const describeFaults = ({ status: { faults } }: ReportData): Html =>
  faults.latest
    ? html`${formatCount(faults.count, 'fault')} of hooks in all. The latest:
${inlineText(`${faults.latest.where}: ${faults.latest.what}`, 200)}. <code>memctl doctor</code> says what to do.`
    : html`No hook has had a fault.`

const describeReader = ({ reader }: LeavesMachine): Html =>
  reader === undefined
    ? html`No model reads finished sessions at present. <code>memctl init
--read-sessions yes</code> lets Claude read them.`
    : html`${inlineText(`${reader.by} ${reader.model}`, 80)} reads finished sessions. An excerpt of the session, without
secrets, goes to this model.`

function describeReading({ reading: { sessions, input, output }, knowledge: { said, learned } }: ReportData): string {
  if (sessions === 0) return 'No session was read by a model yet.'
  const written = [...said, ...learned].filter(({ knowledge }) => knowledge?.author === 'model').length
  const [all, read, answered, entries] = [input + output, input, output, written].map(formatInteger)
  const tokens = `${all} tokens (${read} read, ${answered} written)`
  return `${formatCount(sessions, 'session')} for ${tokens}; ${entries} entries that hold now are by a model.`
}

const describeTeam = ({ hub }: LeavesMachine): Html =>
  hub === undefined
    ? html`No hub: nothing is sent to other people. Notes are part of the conversation, which Claude Code sends to its
model.`
    : html`Hub: ${inlineText(hub, 400)}`

const describeSpace = ({ status: { store, bytes, memories }, vectorBytes }: ReportData): Html =>
  html`${formatBytes(bytes.log + bytes.memories + vectorBytes)} for
${formatCount(memories.total, 'memory', 'memories')} in <code>${store}</code>: log ${formatBytes(bytes.log)}, memories
${formatBytes(bytes.memories)}, vectors ${formatBytes(vectorBytes)}.`
