// What the memory costs, in tokens, time, money and space, and what leaves the machine.
import type { DistillStatus } from '../../broker/distill/distillStatus.ts'
import type { ReportData } from '../../broker/queries/reportData.ts'
import { formatBytes, formatCount } from '../formatNumber.ts'
import { formatInteger } from './figure.ts'
import { type Html, html, inlineText } from './html.ts'

/** Who reads finished sessions, and how changes get to a team. Absent: nobody, and no hub. */
export interface LeavesMachine {
  readonly reader?: Pick<DistillStatus, 'by' | 'model' | 'total'> | undefined
  /** The state of the hub in one line. */
  readonly hub?: string | undefined
}

const SECRETS =
  'Replaced by a mark before anything is stored; a second search in the background replaces what the first missed.'

export const renderCosts = (data: ReportData, extras: LeavesMachine): Html =>
  html`<dl class="fields">${[
    ['Tokens', describeTokens(data)],
    ['Time', describeTimes(data)],
    ['Model', describeReader(extras, countWritten(data))],
    ['Leaves the machine', describeTeam(extras)],
    ['Space', describeSpace(data)],
    ['Secrets', SECRETS],
  ].map(([name, text]) => html`<div class="whole"><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`

const describeTokens = ({ tokens, periods, totals: { sessionsWithNotes, sessions } }: ReportData): string =>
  sessionsWithNotes === 0
    ? 'No session got a note yet.'
    : `${formatInteger(sessionsWithNotes)} of ${formatCount(sessions, 'session')} got notes: half of them at most ` +
      `${formatInteger(tokens.median)} tokens, nine of ten at most ${formatInteger(tokens.p90)}, all together ` +
      `${formatInteger(periods.reduce((sum, period) => sum + period.tokens, 0))}.`

/** What a session waits for most often: its calls. */
function describeTimes({ hooks }: ReportData): string {
  const times = hooks.filter(({ kind }) => kind === 'call.started' || kind === 'call.succeeded')
  if (times.length === 0) return 'Not recorded here: imports and replays have no times.'
  const sum = times.reduce((total, { medianMs }) => total + medianMs, 0)
  return `${formatInteger(sum)} ms for a tool call that passes, in the median. Nothing runs between hooks.`
}

const describeReader = ({ reader }: LeavesMachine, written: number): Html =>
  reader === undefined
    ? html`No model reads finished sessions at present; ${formatInteger(written)} entries are by one. <code>memctl init
--read-sessions yes</code> lets Claude read them.`
    : html`${inlineText(`${reader.by} ${reader.model}`, 80)} reads finished sessions: ${formatInteger(
        reader.total.sessions,
      )} for ${formatInteger(reader.total.tokens)} tokens in all projects, which gave ${formatCount(
        reader.total.stored,
        'entry',
        'entries',
      )}. An excerpt of the session, without secrets, goes to this model.`

const countWritten = ({ knowledge: { said, learned } }: ReportData): number =>
  [...said, ...learned].filter(({ knowledge }) => knowledge?.author === 'model').length

const describeTeam = ({ hub }: LeavesMachine): Html =>
  hub === undefined
    ? html`No hub: nothing is sent to other people. Notes are part of the conversation, which Claude Code sends to its
model.`
    : html`Hub: ${inlineText(hub, 400)}`

const describeSpace = ({ status: { store, bytes, memories }, vectorBytes }: ReportData): Html =>
  html`${formatBytes(bytes.log + bytes.memories + vectorBytes)} for
${formatCount(memories.total, 'memory', 'memories')} in <code>${store}</code>.`
