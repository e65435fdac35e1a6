// First importance of an event: seed 003's six terms, from what a hook can know at once.
//
// Reuse and cross impact start at 0: they are counted at session end, when the whole store is at hand. Novelty is
// against the log's last 64 KiB of this session, which the micro step has read anyway.
import { callCommand, type Event, type PromptSignal } from '../model/event.ts'
import { COST_HALF_MS, type ImportanceTerms, saturate } from '../model/importance.ts'
import { isCheckCommand } from '../text/command.ts'
import { jaccard, splitPlainWords } from '../text/similarity.ts'

/** What each signal of a person is worth, 0 to 1. */
const SIGNAL_WORTH: { readonly [Kind in PromptSignal['kind']]: number } = {
  remember: 1,
  correction: 1,
  preference: 0.9,
  decision: 0.9,
  complaint: 0.8,
  thanks: 0.6,
}

/** How many characters of an event's words novelty looks at: the beginning says what it is. */
const NOVELTY_CHARS = 400

/** Events of its kind that novelty compares an event with: the latest. */
export const NOVELTY_EVENTS_MAX = 8

/** The six terms of an event that has just happened; `recent` are this session's latest events, oldest first. */
export function computeInitialTerms(event: Event, recent: readonly Event[]): ImportanceTerms {
  return {
    outcome: outcomeTerm(event),
    reuse: 0,
    crossImpact: 0,
    novelty: noveltyTerm(event, recent),
    userSignal: event.kind === 'prompt' ? Math.max(0, ...event.signals.map((signal) => SIGNAL_WORTH[signal.kind])) : 0,
    costSaved: costTerm(event, recent),
  }
}

/** How telling the outcome is: a failure .8, a check that passed .6, other success .3, unknown .1. */
function outcomeTerm(event: Event): number {
  if (event.kind === 'call.failed') return event.interrupted ? 0.2 : 0.8
  if (event.kind !== 'call.succeeded') return 0.1
  return isCheckCommand(callCommand(event)) ? 0.6 : 0.3
}

/** 1 − the greatest likeness to one of the latest events of the same kind. */
function noveltyTerm(event: Event, recent: readonly Event[]): number {
  const text = wordsOf(event).slice(0, NOVELTY_CHARS)
  const alike = recent.filter((other) => other.kind === event.kind && other.id !== event.id).slice(-NOVELTY_EVENTS_MAX)
  const texts = alike.map((other) => wordsOf(other).slice(0, NOVELTY_CHARS))
  // The same command again: nothing new, and no words to take apart.
  if (text === '' || texts.includes(text)) return 0
  const words = splitPlainWords(text)
  let likest = 0
  for (const other of texts) likest = Math.max(likest, jaccard(words, splitPlainWords(other)))
  return 1 - likest
}

/** Time that knowing it would have saved: since the same command failed in this session, ms / (ms + 5 min). */
function costTerm(event: Event, recent: readonly Event[]): number {
  if (event.kind !== 'call.succeeded' || event.commandShape === undefined) return 0
  const failed = recent.find((other) => other.kind === 'call.failed' && other.commandShape === event.commandShape)
  return failed ? saturate(Date.parse(event.at) - Date.parse(failed.at), COST_HALF_MS) : 0
}

/** The words an event is told apart by. */
function wordsOf(event: Event): string {
  switch (event.kind) {
    case 'prompt':
    case 'answer':
    case 'agent.stopped':
      return event.text
    case 'call.failed':
      return `${inputWords(event.input).slice(0, NOVELTY_CHARS / 2)} ${event.error}`
    case 'call.succeeded':
      return inputWords(event.input)
    default:
      return ''
  }
}

const inputWords = (input: Readonly<Record<string, unknown>>): string =>
  Object.values(input)
    .filter((value) => typeof value === 'string')
    .join(' ')
