// Initial importance of an event: the six terms of the self-improving-cycle spec, from what a hook knows at once.
//
// Reuse and cross impact start at 0; they are computed at session end from all memories. Novelty compares with the
// events of this session in the last 64 KiB of the log, which the hook has read anyway.
import { callCommand, type Event, type PromptSignal } from '../model/event.ts'
import { COST_HALF_MS, type ImportanceTerms, saturate } from '../model/importance.ts'
import { isCheckCommand } from '../text/command.ts'
import { jaccard, splitPlainWords } from '../text/similarity.ts'

/** What each signal of a user counts, 0 to 1. */
const SIGNAL_WORTH: { readonly [Kind in PromptSignal['kind']]: number } = {
  remember: 1,
  correction: 1,
  preference: 0.9,
  decision: 0.9,
  complaint: 0.8,
  thanks: 0.6,
}

/** Characters of an event's text that novelty compares: the beginning says what it is about. */
const NOVELTY_CHARS = 400

/** Novelty compares an event with the latest of its kind, at most this many. */
export const NOVELTY_EVENTS_MAX = 8

/** The six terms of a new event; `recent` are the latest events of its session, oldest first. */
export const computeInitialTerms = (event: Event, recent: readonly Event[]): ImportanceTerms => ({
  outcome: outcomeTerm(event),
  reuse: 0,
  crossImpact: 0,
  novelty: noveltyTerm(event, recent),
  userSignal: event.kind === 'prompt' ? Math.max(0, ...event.signals.map((signal) => SIGNAL_WORTH[signal.kind])) : 0,
  costSaved: costTerm(event, recent),
})

/** How much the outcome says: a failure .8, a check that passed .6, other success .3, unknown .1. */
function outcomeTerm(event: Event): number {
  if (event.kind === 'call.failed') return event.interrupted ? 0.2 : 0.8
  if (event.kind !== 'call.succeeded') return 0.1
  return isCheckCommand(callCommand(event)) ? 0.6 : 0.3
}

/** 1 − the greatest similarity to one of the latest events of the same kind. */
function noveltyTerm(event: Event, recent: readonly Event[]): number {
  const text = eventText(event).slice(0, NOVELTY_CHARS)
  const others = recent.filter((other) => other.kind === event.kind && other.id !== event.id).slice(-NOVELTY_EVENTS_MAX)
  const texts = others.map((other) => eventText(other).slice(0, NOVELTY_CHARS))
  // The same command again is not new, and needs no comparison of words.
  if (text === '' || texts.includes(text)) return 0
  const words = splitPlainWords(text)
  let similarity = 0
  for (const other of texts) similarity = Math.max(similarity, jaccard(words, splitPlainWords(other)))
  return 1 - similarity
}

/** Time this knowledge would have saved: since the same command failed in this session, ms / (ms + 5 min). */
function costTerm(event: Event, recent: readonly Event[]): number {
  if (event.kind !== 'call.succeeded' || event.commandShape === undefined) return 0
  const failed = recent.find((other) => other.kind === 'call.failed' && other.commandShape === event.commandShape)
  return failed ? saturate(Date.parse(event.at) - Date.parse(failed.at), COST_HALF_MS) : 0
}

/** The text by which events are compared. */
function eventText(event: Event): string {
  switch (event.kind) {
    case 'prompt':
    case 'answer':
    case 'agent.stopped':
      return event.text
    case 'call.failed':
      return `${inputText(event.input).slice(0, NOVELTY_CHARS / 2)} ${event.error}`
    case 'call.succeeded':
      return inputText(event.input)
    default:
      return ''
  }
}

const inputText = (input: Readonly<Record<string, unknown>>): string =>
  Object.values(input)
    .filter((value) => typeof value === 'string')
    .join(' ')
