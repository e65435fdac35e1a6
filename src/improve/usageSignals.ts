// Usage signals: what a shown memory may leave in the work done and the text written after it.
//
// A trace is evidence only if the conversation did not have it already: the call that the memory came with, the same
// command again, a file that was being worked on and words that were given are no evidence. How much a trace says is
// decided in usageCredit.ts.
import {
  type CallFields,
  type CallResult,
  EDIT_TOOLS,
  type Event,
  type EventOf,
  isAgentCall,
  isAgentTool,
  isCallResult,
} from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import { commandShape } from '../text/command.ts'
import { keepByObject, keepByText } from '../text/pattern.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** Minimum confidence, 0 to 1, for a memory to count as used: the note is more likely the cause than chance. */
export const USED_THRESHOLD = 0.5

/**
 * command: a command that the memory names in backticks ran. errorGone: its command passed and its error, which
 * usually occurs, did not. file: a file of the memory was changed. answer: an answer repeats a run of its words.
 * words: a third of its words were said, written or run (the agent-memory spec's signal).
 */
const USAGE_SIGNALS = ['command', 'errorGone', 'file', 'answer', 'words'] as const
export type UsageSignal = (typeof USAGE_SIGNALS)[number]

/**
 * Why a trace is no evidence. trigger: the memory came with it. known: the conversation had it before. rare: the error
 * is so rare that its absence says nothing.
 */
type DiscountReason = 'trigger' | 'known' | 'rare'

interface TraceFinding {
  readonly signal: UsageSignal
  /** Absent if the trace is evidence. */
  readonly discounted?: DiscountReason | undefined
  /** Only answers have it: what was said, not done. */
  readonly isSaid?: true | undefined
}

/** The time in which a recall may have been used. */
export interface UsePeriod {
  readonly recalled: EventOf<'recalled'>
  readonly conversation: ConversationText
  /** Events up to this position were known at the recall, and those from `end` on belong to another task. */
  readonly at: number
  readonly end: number
  /** The calls after the recall without the one that it came with. */
  readonly calls: readonly (readonly [position: number, call: CallResult])[]
  /** The call that the recall came with: its start or its failure; and its result if that came after the recall. */
  readonly trigger?: { readonly commandShape?: string | undefined; readonly files: readonly string[] } | undefined
  readonly triggerResult?: CallResult | undefined
}

/** How often the memory's error occurs without the note, 0 to 1; undefined if too little is known. */
type RecurrenceOf = (memory: Memory) => number | undefined

/** An error that occurs in fewer cases is rare: that it stays away says nothing. */
const RECURRENCE_MIN = 0.5

/** Length of a run that is unlikely by chance: in words, or in pairs of Japanese characters. */
const RUN_LENGTH = { words: 4, pairs: 6 }

/** Minimum share of a memory's own words for the signal `words`, and minimum number of own words. */
const WORDS_SHARE_MIN = 0.34
const OWN_WORDS_MIN = 4

/** Only the beginning of a memory is compared with what came after it. */
const COMPARED_CHARS = 1_000

/** What a memory could leave in a period, and what it left. */
export function findTraces(memory: Memory, period: UsePeriod, recurrenceOf: RecurrenceOf) {
  const results: Readonly<Record<UsageSignal, SignalResult>> = {
    command: findNamedCommand(memory, period),
    errorGone: findAvoidedError(memory, period, recurrenceOf),
    file: findChangedFile(memory, period),
    answer: findQuote(memory, period),
    words: findWords(memory, period),
  }
  return {
    // What they look for was new to the conversation.
    possible: USAGE_SIGNALS.filter((signal) => results[signal].isPossible),
    found: USAGE_SIGNALS.flatMap((signal) => {
      const { isPossible: _, isFound, ...finding } = results[signal]
      return isFound ? [{ signal, ...finding }] : []
    }),
  }
}

interface SignalResult extends Omit<TraceFinding, 'signal'> {
  readonly isPossible: boolean
  readonly isFound: boolean
}

const IMPOSSIBLE: SignalResult = { isPossible: false, isFound: false }

/** The command shapes that a memory names, without its own command: running what failed again is no signal. */
function listNamedShapes(memory: Memory): string[] {
  const text = memory.lessons.length > 0 ? memory.lessons.join('\n') : memory.content
  const shapes = new Set([...text.matchAll(/`([^`\n]{2,200})`/g)].map(([, command = '']) => commandShape(command)))
  if (memory.commandShape) shapes.delete(memory.commandShape)
  return [...shapes].filter((shape) => shape !== '')
}

function findNamedCommand(memory: Memory, period: UsePeriod): SignalResult {
  const shapes = listNamedShapes(memory)
  if (shapes.length === 0) return IMPOSSIBLE
  const { conversation, at, trigger, triggerResult } = period
  const discountOf = (shape: string, before: number): DiscountReason | undefined =>
    shape === trigger?.commandShape
      ? 'trigger'
      : didRun(conversation, shape, at) || conversation.hasText(shape, at, before)
        ? 'known'
        : undefined
  const isPossible = shapes.some((shape) => discountOf(shape, at + 1) === undefined)
  const runs = period.calls.filter(
    ([, call]) => call.kind === 'call.succeeded' && shapes.includes(call.commandShape ?? ''),
  )
  const discounts = runs.map(([position, { commandShape: shape = '' }]) => discountOf(shape, position))
  if (triggerResult?.kind === 'call.succeeded' && shapes.includes(triggerResult.commandShape ?? ''))
    discounts.push('trigger')
  return summarize(isPossible, discounts)
}

/** Whether a command of this shape was started up to a position. */
const didRun = ({ events }: ConversationText, shape: string, at: number): boolean =>
  events.some(([position, event]) => position <= at && 'commandShape' in event && event.commandShape === shape)

function findChangedFile(memory: Memory, period: UsePeriod): SignalResult {
  if (memory.files.length === 0) return IMPOSSIBLE
  const { conversation, at, trigger, triggerResult } = period
  const discountOf = (file: string): DiscountReason | undefined =>
    trigger?.files.includes(file)
      ? 'trigger'
      : wasTouched(conversation, file, at) || conversation.hasText(file, at, 0)
        ? 'known'
        : undefined
  const edited = [...period.calls.map(([, call]) => call), ...(triggerResult ? [triggerResult] : [])].flatMap((call) =>
    EDIT_TOOLS.has(call.tool) ? call.files.filter((file) => memory.files.includes(file)) : [],
  )
  const isPossible = memory.files.some((file) => discountOf(file) === undefined)
  const files = [...new Set(edited)]
  return summarize(isPossible, files.map(discountOf))
}

const wasTouched = ({ events }: ConversationText, file: string, at: number): boolean =>
  events.some(([position, event]) => position <= at && 'files' in event && event.files.includes(file))

function findAvoidedError(memory: Memory, period: UsePeriod, recurrenceOf: RecurrenceOf): SignalResult {
  const { errorSignature, commandShape: shape } = memory
  if (!errorSignature || !shape) return IMPOSSIBLE
  const { calls, triggerResult } = period
  const isSame = (call: CallResult | undefined): boolean => call?.commandShape === shape
  const hasError = (call: CallResult): boolean => call.kind === 'call.failed' && call.errorSignature === errorSignature
  const passedAt = calls.findIndex(([, call]) => isSame(call) && call.kind === 'call.succeeded')
  const isFound = passedAt !== -1 && !calls.slice(0, passedAt).some(([, call]) => hasError(call))
  const didTriggerPass = isSame(triggerResult) && triggerResult?.kind === 'call.succeeded'
  const rate = didTriggerPass ? undefined : recurrenceOf(memory)
  const isRare = rate === undefined || rate < RECURRENCE_MIN
  if (!isFound) return didTriggerPass ? summarize(false, ['trigger']) : { isPossible: !isRare, isFound }
  return summarize(!isRare && !didTriggerPass, [didTriggerPass ? 'trigger' : isRare ? 'rare' : undefined])
}

/** Found if there is any trace, and evidence if one of them is not discounted. */
function summarize(isPossible: boolean, discounts: readonly (DiscountReason | undefined)[]): SignalResult {
  if (discounts.length === 0) return { isPossible, isFound: false }
  const [reason] = discounts
  return { isPossible, isFound: true, ...(reason && !discounts.includes(undefined) && { discounted: reason }) }
}

/** An answer that repeats a run of the memory's words which neither the query nor the conversation contained. */
function findQuote(memory: Memory, { recalled, conversation, at, end }: UsePeriod): SignalResult {
  const queryRuns = listRuns(recalled.cue)
  const runs = [...listRuns(memory.content.slice(0, COMPARED_CHARS))].filter((run) => !queryRuns.has(run))
  if (runs.length === 0) return IMPOSSIBLE
  const discounts = conversation.events.flatMap(([position, event]) => {
    if (position <= at || position >= end || !isAnswer(event)) return []
    const answered = listRuns(event.text)
    return runs
      .filter((run) => answered.has(run))
      .map((run) => (conversation.hasTerms(run.split(' '), at, position) ? 'known' : undefined))
  })
  return { ...summarize(true, discounts), isSaid: true }
}

/** The same answers and queries are compared with every memory of a recall. */
const TEXTS_MAX = 256

/** Every run of meaningful terms in a text. */
const listRuns = keepByText((text): ReadonlySet<string> => {
  const runs = new Set<string>()
  const terms = extractTerms(text).filter(isMeaningful)
  for (const [i, term] of terms.entries()) {
    const length = term.charCodeAt(0) >= 0x2e80 ? RUN_LENGTH.pairs : RUN_LENGTH.words
    if (i + length <= terms.length) runs.add(terms.slice(i, i + length).join(' '))
  }
  return runs
}, TEXTS_MAX)

/** Whether the assistant wrote a third of the memory's words that neither the query nor the conversation contained. */
function findWords(memory: Memory, { recalled, conversation, at, end }: UsePeriod): SignalResult {
  const queryTerms = new Set(extractTerms(recalled.cue))
  const terms = extractTerms(memory.content.slice(0, COMPARED_CHARS))
  const own = new Set(terms.filter((term) => isMeaningful(term) && !queryTerms.has(term)))
  if (own.size < OWN_WORDS_MIN) return IMPOSSIBLE
  const written = [...own].flatMap((term) => {
    const first = conversation.firstWritten(term)
    return first && first.position > at && first.position < end ? [first] : []
  })
  const areEnough = (count: number): boolean => count / own.size >= WORDS_SHARE_MIN
  const isDone = areEnough(written.filter(({ isSaid }) => !isSaid).length)
  return { isPossible: true, isFound: areEnough(written.length), ...(!isDone && { isSaid: true }) }
}

/** A word of three letters, or a pair of Japanese characters that is more than grammar, which two hiragana are. */
const isMeaningful = (term: string): boolean => term.length > 2 || /^(?![\u3041-\u309f]{2})[^\0-\u2e7f]{2}$/.test(term)

/** The calls of a period that ended, with their positions. */
export const listCalls = ({ events }: ConversationText, at: number, end: number): UsePeriod['calls'] =>
  events.flatMap(([position, event]) =>
    position > at && position < end && isCallResult(event) ? [[position, event] as const] : [],
  )

// What a conversation contains, by the position of its events: only what is new to it can come from a note.
//
//   events      prompt   call   recall   call   answer   next prompt
//   position       0       1      2 = at   3       4        5 = end
//
// Known at the recall: everything up to `at`. Afterwards results of calls give more. New is what the assistant wrote
// between `at` and `end` and had not been given before it wrote it.

/** The events of one conversation, each with its position in the session. */
type ConversationEvents = readonly (readonly [position: number, event: Event])[]

export interface ConversationText {
  readonly events: ConversationEvents
  /** Where the assistant first wrote the term; undefined if it never did, or was given it before. */
  firstWritten(term: string): WrittenTerm | undefined
  /** Whether one text up to `at`, or one text given before `before`, has all of these terms. */
  hasTerms(terms: readonly string[], at: number, before: number): boolean
  /** Whether a text up to `at`, or one given before `before`, has this text as whole words. Ignores case. */
  hasText(text: string, at: number, before: number): boolean
}

interface WrittenTerm {
  readonly position: number
  /** It was said in an answer, not written in a call. */
  readonly isSaid: boolean
}

/** The text of a session's conversations: the one of a subagent, or with `undefined` the session as a whole. */
export function readConversation(events: readonly Event[], agentId: string | undefined): ConversationText {
  const own = [...events.entries()].filter(
    ([, event]) => agentId === undefined || event.agentId === agentId || isAgentCall(event),
  )
  const given = new Map<string, number>()
  const written = new Map<string, WrittenTerm>()
  let indexed = false
  const index = (): void => {
    if (indexed) return
    indexed = true
    for (const [position, event] of own) {
      const terms = termsOf(event)
      const entry = { position, isSaid: isAnswer(event) }
      for (const term of terms.written) if (!written.has(term)) written.set(term, entry)
      for (const term of terms.given) if (!given.has(term)) given.set(term, position)
    }
  }
  return {
    events: own,
    firstWritten(term) {
      index()
      const first = written.get(term)
      return first && (given.get(term) ?? Number.POSITIVE_INFINITY) < first.position ? undefined : first
    },
    hasTerms: (terms, at, before) =>
      own.some(([position, event]) => {
        const known = termsOf(event)
        return (
          (position < Math.max(at + 1, before) && terms.every((term) => known.given.has(term))) ||
          (position <= at && terms.every((term) => known.written.has(term)))
        )
      }),
    hasText(text, at, before) {
      const words = text.toLowerCase()
      return own.some(
        ([position, event]) =>
          (position < Math.max(at + 1, before) && hasWords(givenText(event), words)) ||
          (position <= at && hasWords(writtenText(event), words)),
      )
    },
  }
}

/** What the assistant wrote: an answer, or the texts of a call's input. */
function writtenText(event: Event): string {
  if (isAnswer(event)) return event.text
  if (event.kind === 'call.started' || isCallResult(event)) return inputText(event)
  return ''
}

function inputText({ input, tool }: CallFields): string {
  const { command, new_string, content, description, prompt } = input
  const texts = [command, new_string, content, description, isAgentTool(tool) ? prompt : undefined]
  return texts.filter((text) => typeof text === 'string').join('\n')
}

/** What the conversation was given: prompts, the results of calls, and what a compaction kept. */
function givenText(event: Event): string {
  switch (event.kind) {
    case 'prompt':
      return event.text
    case 'call.succeeded':
      return event.output
    case 'call.failed':
      return event.error
    case 'compaction':
      return event.summary
    default:
      return ''
  }
}

const isAnswer = (event: Event) => event.kind === 'answer' || event.kind === 'agent.stopped'

/** Whether `text` has these lower-case words, not as part of a longer word. */
function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(words); at !== -1; at = lower.indexOf(words, at + 1)) {
    if (!isWordChar(lower.charCodeAt(at - 1)) && !isWordChar(lower.charCodeAt(at + words.length))) return true
  }
  return false
}

/** An ASCII letter, a digit or `_`; false for NaN, which is beyond an end of the text. */
const isWordChar = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f

/** All memories of all recalls are compared with the same events. */
const termsOf = keepByObject((event: Event) => ({
  given: new Set(extractTerms(givenText(event))),
  written: new Set(extractTerms(writtenText(event))),
}))
