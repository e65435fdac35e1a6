// How memctl measured itself: whether notes help, and what came of them; and what it costs in tokens and time, and what
// leaves the machine.
import type { DistillStatus } from '../../broker/distill/distillSessions.ts'
import type { HoldoutEffect } from '../../broker/queries/effectReports.ts'
import { type ReportData, sumOutcomes } from '../../broker/queries/reportData.ts'
import type { Outcome } from '../../broker/queries/reportPages.ts'
import { formatCount, formatInteger } from '../formatNumber.ts'
import { renderMethod } from './figure.ts'
import { type Html, html, inlineText, withCode } from './html.ts'

export function renderMeasured(data: ReportData): Html {
  const [{ headline, reason }, missing] = [decideVerdict(data), describeMissing(data)]
  const outcomes = sumOutcomes(data.pages)
  const showings = [...outcomes.values()].reduce((sum, count) => sum + count, 0)
  const units = html`<p>A time is a moment, such as a prompt or a call, at which chance decided whether notes are
shown. A showing is one note at one moment, also where chance had no part.</p>\n`
  return html`${showings > 0 && units}<p><strong>${headline}</strong> ${withCode(reason)}</p>
<p class="rest">${missing && html`<span>${missing}</span> `}<code>memctl report --effect</code> prints the
figures.</p>${
    showings > 0 && html`<p>What came of ${formatCount(showings, 'showing')}: ${renderOutcomes(outcomes)}</p>`
  }${renderMethod(
    'each showing of a note counts by the first of these that is true: a later call of the session broke the rule, ' +
      'or failed as the note says; a later call kept it, or passed; something else that the note says followed, more ' +
      'often than by chance. Most notes are about what then does not come up: nothing came of them.',
  )}`
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
export function decideVerdict({ experiment, totals }: Pick<ReportData, 'experiment' | 'totals'>) {
  const { effects, shown, withheld, neededPerArm } = experiment
  if (totals.sessions === 0) {
    const reason = 'Sessions appear here as soon as hooks have recorded one; `memctl init` installs the hooks.'
    return { headline: 'Nothing is recorded yet.', reason }
  }
  if (totals.timed === 0 || totals.notes + shown + withheld === 0) {
    const imported =
      'There is nothing to compare: Claude did not see the notes of imported and replayed sessions, so that nothing ' +
      'below is an effect of them.'
    const reason = totals.timed < totals.sessions ? imported : 'There is nothing to compare.'
    return { headline: 'No session has seen a note yet.', reason }
  }
  if (!effects) {
    const reason =
      'memctl holds back a few notes by chance and compares the tasks with and without a note. A comparison needs ' +
      `${neededPerArm} of each. What people said is never held back; others were shown ` +
      `${formatCount(shown, 'time')} and held back ${formatCount(withheld, 'time')} so far.`
    return { headline: 'It is too early to say whether it helps.', reason }
  }
  const deciding = effects.filter(({ name }) => DECIDING.has(name))
  const better = deciding.filter(({ verdict }) => verdict === 'helps')
  const worse = deciding.filter(({ verdict }) => verdict === 'harms')
  const basis =
    `Chance held notes back ${formatCount(withheld, 'time')}. Compared with the tasks after that, those after the ` +
    `${formatCount(shown, 'time')} that notes were shown had `
  const words = [...better.map(({ name }) => EFFECT_WORDS[name][0]), ...worse.map(({ name }) => EFFECT_WORDS[name][1])]
  if (words.length === 0) return { headline: 'No effect is certain yet.', reason: openReason(basis, effects) }
  const reason = `${basis}${words.join(' and ')}.`
  if (worse.length === 0) return { headline: 'Yes: with notes, less fails.', reason }
  if (better.length === 0) return { headline: 'No: with notes, more fails.', reason }
  return { headline: 'It helps in one way and harms in another.', reason }
}

/** More sessions than these are not worth a sentence: the estimate is rough, and nobody waits for them. */
const MISSING_MAX = 1000

/** About how many more sessions it takes until the effect is certain; false if it is, or for more than MISSING_MAX. */
export function describeMissing({ experiment, totals }: Pick<ReportData, 'experiment' | 'totals'>): string | false {
  const { effects, shown, withheld, neededPerArm } = experiment
  const deciding = (effects ?? []).filter(({ name }) => DECIDING.has(name))
  if (deciding.some(({ verdict }) => verdict !== 'not known yet')) return false
  // An interval shrinks with the root of the sessions.
  const factors = deciding.map(({ effect, lower, upper }) => ((upper - lower) / 2 / effect) ** 2)
  const factor = effects ? Math.min(...factors) : neededPerArm / Math.min(shown, withheld)
  const count = Math.round(totals.timed * (factor - 1))
  const isLikely = count > 0 && count <= MISSING_MAX
  return isLikely && `At this rate it takes about ${formatCount(count, 'more session')} to know.`
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

/** What came of showing a note. */
export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  kept: 'the rule was kept',
  broken: 'the rule was broken',
  passed: 'such a call passed then',
  failed: 'a call failed as it says',
  used: 'it was used',
  nothing: 'nothing came of it',
  unknown: 'no result known',
}

/** How many showings ended in each way: `the rule was kept: 7 · the rule was broken: 5`; a dash for none. */
export function renderOutcomes(outcomes: ReadonlyMap<Outcome, number>): Html {
  const counts = (Object.keys(OUTCOME_NAMES) as Outcome[]).flatMap((outcome) => {
    const count = outcomes.get(outcome)
    return count === undefined ? [] : [html`<span>${OUTCOME_NAMES[outcome]}: ${formatInteger(count)}</span>`]
  })
  return counts.length === 0 ? html`–` : html`${counts.map((count, i) => html`${i > 0 && ' · '}${count}`)}`
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
    ['Model', describeReader(extras)],
    ['Read so far', describeReading(data)],
    ['Leaves the machine', describeTeam(extras)],
    ['Secrets', SECRETS],
  ].map(([name, text]) => html`<div class="whole"><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`

const describeTokens = ({ totals: { sessionsWithNotes, sessions, tokens } }: ReportData): string =>
  sessionsWithNotes === 0
    ? 'No session got a note yet.'
    : `${formatInteger(sessionsWithNotes)} of ${formatCount(sessions, 'session')} got notes, of ` +
      `${formatInteger(tokens / sessionsWithNotes)} tokens on average.`

/** What a session waits for most often: its calls. */
function describeTimes({ hooks }: ReportData): string {
  const times = (['call.started', 'call.succeeded'] as const).flatMap((kind) => hooks.get(kind) ?? [])
  if (times.length === 0) return 'Not recorded here: imports and replays have no times.'
  const sum = times.reduce((total, time) => total + time)
  return `${formatInteger(sum)} ms for a tool call that passes, in the median. Nothing runs between hooks.`
}

const describeReader = ({ reader }: LeavesMachine): Html =>
  reader === undefined
    ? html`No model reads finished sessions at present. <code>memctl init
--read-sessions yes</code> lets Claude read them.`
    : html`${inlineText(`${reader.by} ${reader.model}`, 80)} reads finished sessions. An excerpt of the session, without
secrets, goes to this model.`

function describeReading({ reading: { sessions, input, output } }: ReportData): string {
  if (sessions === 0) return 'No session was read by a model yet.'
  const [all, read, answered] = [input + output, input, output].map(formatInteger)
  return `${formatCount(sessions, 'session')} for ${all} tokens (${read} read, ${answered} written).`
}

const describeTeam = ({ hub }: LeavesMachine): Html =>
  hub === undefined
    ? html`No hub: nothing is sent to other people. Notes are part of the conversation, which Claude Code sends to its
model.`
    : html`Hub: ${inlineText(hub, 400)}`
