// What a conversation contains, by the position of its events: only what is new to it can come from a note.
//
//   events      prompt   call   recall   call   answer   next prompt
//   position       0       1      2 = at   3       4        5 = end
//
// Known at the recall: everything up to `at`. Afterwards results of calls give more. New is what the assistant wrote
// between `at` and `end` and had not been given before it wrote it.
import { type CallFields, type Event, isCallResult } from '../model/event.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** The events of one conversation, each with its position in the session. */
export type ConversationEvents = readonly (readonly [position: number, event: Event])[]

export interface ConversationText {
  readonly events: ConversationEvents
  /** Where the assistant first wrote the term; undefined if it never did, or was given it before. */
  firstWritten(term: string): WrittenTerm | undefined
  /** Whether one text up to `at`, or one text given before `before`, has all of these terms. */
  hasTerms(terms: readonly string[], at: number, before: number): boolean
  /** Whether a text up to `at`, or one given before `before`, has this text as whole words. Ignores case. */
  hasText(text: string, at: number, before: number): boolean
}

export interface WrittenTerm {
  readonly position: number
  /** It was said in an answer, not written in a call. */
  readonly isSaid: boolean
}

/** The tools that send a subagent: its task is in the call of the conversation that sends it. */
const AGENT_TOOLS: ReadonlySet<string> = new Set(['Agent', 'Task'])

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

const isAgentCall = (event: Event): boolean => event.kind === 'call.started' && AGENT_TOOLS.has(event.tool)

/** What the assistant wrote: an answer, or the texts of a call's input. */
function writtenText(event: Event): string {
  if (isAnswer(event)) return event.text
  if (event.kind === 'call.started' || isCallResult(event)) return inputText(event)
  return ''
}

function inputText({ input, tool }: CallFields): string {
  const { command, new_string, content, description, prompt } = input
  const texts = [command, new_string, content, description, AGENT_TOOLS.has(tool) ? prompt : undefined]
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

export const isAnswer = (event: Event) => event.kind === 'answer' || event.kind === 'agent.stopped'

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

interface EventTerms {
  readonly given: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

/** All memories of all recalls are compared with the same events. */
const termsByEvent = new WeakMap<Event, EventTerms>()

function termsOf(event: Event): EventTerms {
  let terms = termsByEvent.get(event)
  if (!terms) {
    terms = { given: new Set(extractTerms(givenText(event))), written: new Set(extractTerms(writtenText(event))) }
    termsByEvent.set(event, terms)
  }
  return terms
}
