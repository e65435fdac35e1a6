// A verdict on a recalled memory in plain words: which traces count, how often each is chance, which do not count.
import type { ContributionReport, RecallVerdict } from '../../broker/queries/effectReports.ts'
import { formatNumber } from '../../report/formatNumber.ts'

type Signal = RecallVerdict['traces'][number]
type Discounted = NonNullable<RecallVerdict['discounted']>[number]
type Reason = NonNullable<Discounted['discounted']>

const TRACES: Readonly<Record<Signal, string>> = {
  command: 'a command that it names ran',
  errorGone: 'its command passed without its error',
  file: 'one of its files was changed',
  answer: 'an answer repeats its words',
  words: 'a third of its words were said, written or run',
}

const REASONS: Readonly<Record<Reason, string>> = {
  trigger: 'the memory came with that call',
  known: 'the conversation had it before',
  rare: 'the error is too rare here, or too little is known',
}

/** The lines that say whether a memory was used, and why. */
export function explainUse(verdict: RecallVerdict, { answerConfidenceMax }: ContributionReport): string[] {
  const { used, withheld, traces, evidence = [], discounted = [], rating } = verdict
  if (rating) return [`used ${used}: a person rated it ${rating}`]
  const lines = [
    ...evidence.map(
      ({ signal, chance, confidence }) =>
        `${signal}: ${TRACES[signal]}; without the note in ${formatShare(chance)}, so the note is the cause with ` +
        `${formatNumber(confidence)}`,
    ),
    ...discounted.map(
      ({ signal, discounted: reason }) =>
        `${signal} does not count: ${TRACES[signal]}, but ${REASONS[reason ?? 'known']}`,
    ),
  ]
  if (withheld) return ['used 0: it was withheld, so nobody saw it; its traces show what is chance', ...lines]
  if (traces.length === 0) {
    const none = discounted.length > 0 ? 'no trace counts' : 'no trace was found'
    return [`used 0: ${none}; showing an unused note costs (what a person wrote costs nothing)`, ...lines]
  }
  // Verdicts of earlier versions have no chances.
  if (evidence.length === 0) return [`used ${formatNumber(used)}: ${traces.join(', ')}`]
  const all = evidence.map(({ confidence }) => confidence)
  const combined = 1 - all.reduce((doubt, confidence) => doubt * (1 - confidence), 1)
  const isLimited = combined - used > 0.005
  return [
    `used ${formatNumber(used)} = 1 − Π (1 − cause)${
      isLimited ? `; answers alone prove at most ${formatNumber(answerConfidenceMax)}, unless a question was asked` : ''
    }`,
    ...lines,
  ]
}

const formatShare = (share: number): string => `${Math.round(100 * share)} %`
