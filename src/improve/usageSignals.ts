// Usage signals: what a shown memory leaves in the work done and the text written after it, each kind with its own
// confidence.
import { type CallResult, EDIT_TOOLS, type Event, isCallResult } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallMoment } from '../model/recallQuery.ts'
import { commandShape } from '../text/command.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** Minimum confidence, 0 to 1, for a memory to count as used. */
export const USED_THRESHOLD = 0.5

/** Confidence that the memory was used, by each signal alone. Combined: 1 − Π (1 − c). Reasons: docs/improve.md. */
export const SIGNAL_CONFIDENCE = {
  work: {
    /** A command that the memory names in backticks was run. */
    command: 0.7,
    /** The memory's command passed afterwards, and the memory's error did not occur before that. */
    errorGone: 0.5,
    /** A file of the memory was changed. */
    file: 0.7,
    /** An answer repeats a run of the memory's words that the query did not contain. */
    answer: 0.6,
    /** A third of the memory's words occur in answers, commands or new text (the agent-memory spec's signal). */
    words: 0.3,
  },
  /** A note at the session's start has the whole session to match something by chance. */
  start: { command: 0.4, errorGone: 0.25, file: 0.5, answer: 0.3, words: 0.05 },
} as const

export type UsageSignal = keyof (typeof SIGNAL_CONFIDENCE)['work']

export interface UsageEvidence {
  /** 0 to 1. */
  readonly confidence: number
  readonly traces: readonly UsageSignal[]
}

/** Length of a run that is unlikely by chance: in words, or in pairs of Japanese characters. */
const RUN_LENGTH = { words: 4, pairs: 6 }

/** Minimum share of a memory's own words for the signal `words`, and minimum number of own words. */
const WORDS_SHARE_MIN = 0.34
const OWN_WORDS_MIN = 4

/** Only the beginning of a memory is compared with what came after it. */
const COMPARED_CHARS = 1_000

/** How sure it is that the memory was used in `after`, the events between its recall and the end of the task. */
export function detectUse(
  memory: Memory,
  after: readonly Event[],
  queryText: string,
  moment: RecallMoment = 'prompt',
): UsageEvidence {
  const calls = after.filter(isCallResult)
  const detected: Readonly<Record<UsageSignal, boolean>> = {
    command: ranNamedCommand(memory, calls),
    errorGone: avoidedError(memory, calls),
    file: calls.some((call) => EDIT_TOOLS.has(call.tool) && call.files.some((file) => memory.files.includes(file))),
    answer: isQuoted(memory, after, queryText),
    words: areWordsRepeated(memory, after, queryText),
  }
  const traces = (Object.keys(detected) as UsageSignal[]).filter((signal) => detected[signal])
  const confidences = SIGNAL_CONFIDENCE[moment === 'start' ? 'start' : 'work']
  return { confidence: 1 - traces.reduce((doubt, signal) => doubt * (1 - confidences[signal]), 1), traces }
}

function ranNamedCommand(memory: Memory, calls: readonly CallResult[]): boolean {
  const text = memory.lessons.length > 0 ? memory.lessons.join('\n') : memory.content
  const shapes = new Set([...text.matchAll(/`([^`\n]{2,200})`/g)].map(([, command = '']) => commandShape(command)))
  // The text also names the command that failed; running that one again is no signal.
  if (memory.commandShape) shapes.delete(memory.commandShape)
  return calls.some(
    (call) => call.kind === 'call.succeeded' && call.commandShape !== undefined && shapes.has(call.commandShape),
  )
}

function avoidedError(memory: Memory, calls: readonly CallResult[]): boolean {
  if (!memory.errorSignature || !memory.commandShape) return false
  const passed = calls.findIndex((call) => call.kind === 'call.succeeded' && call.commandShape === memory.commandShape)
  if (passed === -1) return false
  return !calls
    .slice(0, passed)
    .some((call) => call.kind === 'call.failed' && call.errorSignature === memory.errorSignature)
}

/** Whether an answer repeats a run of the memory's words that the query did not contain. */
function isQuoted(memory: Memory, after: readonly Event[], queryText: string): boolean {
  const answers = after.flatMap((event) => (isAnswer(event) ? [event.text] : []))
  if (answers.length === 0) return false
  const queryRuns = listRuns(queryText)
  const runs = [...listRuns(memory.content.slice(0, COMPARED_CHARS))].filter((run) => !queryRuns.has(run))
  if (runs.length === 0) return false
  const answerRuns = new Set(answers.flatMap((text) => [...listRuns(text)]))
  return runs.some((run) => answerRuns.has(run))
}

/** Every run of meaningful terms in a text. */
function listRuns(text: string): ReadonlySet<string> {
  const terms = extractTerms(text).filter(isMeaningful)
  const runs = new Set<string>()
  for (const [i, term] of terms.entries()) {
    const length = term.charCodeAt(0) >= 0x2e80 ? RUN_LENGTH.pairs : RUN_LENGTH.words
    if (i + length <= terms.length) runs.add(terms.slice(i, i + length).join(' '))
  }
  return runs
}

/** Whether the memory's words that the query did not contain occur in answers, commands and new text. */
function areWordsRepeated(memory: Memory, after: readonly Event[], queryText: string): boolean {
  const queryTerms = new Set(extractTerms(queryText))
  const terms = extractTerms(memory.content.slice(0, COMPARED_CHARS))
  const own = new Set(terms.filter((term) => isMeaningful(term) && !queryTerms.has(term)))
  if (own.size < OWN_WORDS_MIN) return false
  const written = collectTermsWritten(after)
  let count = 0
  for (const term of own) if (written.has(term)) count++
  return count / own.size >= WORDS_SHARE_MIN
}

/** All memories of a recall have the same events after it. Extracting terms once halves the time of attribution. */
const termsByEvents = new WeakMap<readonly Event[], ReadonlySet<string>>()

function collectTermsWritten(events: readonly Event[]): ReadonlySet<string> {
  const known = termsByEvents.get(events)
  if (known) return known
  const terms = new Set<string>()
  for (const event of events) for (const term of extractTerms(textWritten(event))) terms.add(term)
  termsByEvents.set(events, terms)
  return terms
}

function textWritten(event: Event): string {
  if (isAnswer(event)) return event.text
  if (!isCallResult(event)) return ''
  const { command, new_string, content, description } = event.input
  return [command, new_string, content, description].filter((text) => typeof text === 'string').join('\n')
}

const isAnswer = (event: Event) => event.kind === 'answer' || event.kind === 'agent.stopped'

/** A word of three letters, or a pair of Japanese characters that is more than grammar, which two hiragana are. */
const isMeaningful = (term: string): boolean => term.length > 2 || /^(?![\u3041-\u309f]{2})[^\0-\u2e7f]{2}$/.test(term)
