// Answers and reports without what they repeat of outside text, and without sentences that address their reader. Every
// memory is made of what is left.
//
// A sequence of four words belongs to whoever had it first: what the assistant wrote into a file is its own when a
// command prints it, and what a page said is outside when an answer says it again.
import { type CallResult, callCommand, type Event, isShellTool } from '../model/event.ts'
import { provenanceOf } from '../model/provenance.ts'
import { addressesReader } from '../text/addressesReader.ts'
import { removePasted } from '../text/pastedText.ts'

/** The events with the text of answers, reports and titles in the assistant's own words. */
export function keepOwnWords(events: readonly Event[]): readonly Event[] {
  const origins = new WordOrigins()
  return events.map((event) => {
    switch (event.kind) {
      case 'prompt': {
        const typed = removePasted(event.text)
        origins.add(typed, 'own')
        if (typed !== event.text) origins.add(event.text, 'outside')
        return event
      }
      case 'answer':
      case 'agent.stopped': {
        const text = keepOwnSentences(event.text, origins)
        origins.add(text, 'own')
        return text === event.text ? event : { ...event, text }
      }
      case 'call.started':
        origins.addValues(event.input)
        return event
      case 'call.succeeded':
      case 'call.failed': {
        const output = event.kind === 'call.failed' ? event.error : event.output
        origins.addValues(event.input)
        if (provenanceOf(event) === 'outside') origins.add(output, 'outside')
        return withOwnTitles(event, origins)
      }
      default:
        return event
    }
  })
}

/** Fields of a call that become titles of memories: tasks of a list, plans, issues, what an agent is to do. */
const TITLES = new Set(['todos', 'tasks', 'subject', 'content', 'description', 'title', 'summary', 'activeForm'])
const TITLE_TOOLS = /^(?:Todo|Task|Agent$|mcp__)/

function withOwnTitles(call: CallResult, origins: WordOrigins): CallResult {
  if (isShellTool(call.tool)) return withOwnQuotations(call, origins)
  if (!TITLE_TOOLS.test(call.tool)) return call
  const clean = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, name))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner, key)]))
    return typeof value === 'string' && TITLES.has(name) && !isOwnText(value, origins) ? '' : value
  }
  return { ...call, input: clean(call.input, '') as CallResult['input'] }
}

const isOwnText = (text: string, origins: WordOrigins): boolean => origins.isOwn(text) && !addressesReader(text)

/** A command without quotations that are not own, such as a commit's message, and without git's repetition of it. */
function withOwnQuotations(call: CallResult, origins: WordOrigins): CallResult {
  const command = callCommand(call)
  if (!/["']/.test(command)) return call
  const own = command.replace(/(["'])([^"']{12,})\1/g, (whole, mark: string, text: string) =>
    isOwnText(text, origins) ? whole : `${mark}…${mark}`,
  )
  if (own === command) return call
  const input = { ...call.input, command: own }
  return call.kind === 'call.succeeded' ? { ...call, input, output: '' } : { ...call, input }
}

/** Lines and sentences that are not own are left out; code stays, because no memory takes sentences from it. */
function keepOwnSentences(text: string, origins: WordOrigins): string {
  let isCode = false
  const lines = text.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) return line
    const sentences = line.split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])/)
    const own = sentences.filter((sentence) => isOwnText(sentence, origins))
    return own.length === sentences.length ? line : own.join(' ')
  })
  return lines.join('\n')
}

/** Words of a sequence; characters of Japanese and Chinese, which have no spaces. */
const WORDS = 4
const CHARACTERS = 8

/** Of a sentence's sequences the share that makes it a repetition. */
const REPEATED_SHARE = 0.5

/** Outside text after this many sequences is not compared any more: a session of days has millions of words. */
const SEQUENCES_MAX = 400_000

type Origin = 'own' | 'outside'

/** Who had each sequence of words first. */
class WordOrigins {
  readonly #first = new Map<string, Origin>()

  add(text: string, origin: Origin): void {
    if (this.#first.size > SEQUENCES_MAX) return
    for (const sequence of listSequences(text)) if (!this.#first.has(sequence)) this.#first.set(sequence, origin)
  }

  /** Every text of an input, as the assistant's own. */
  addValues(value: unknown): void {
    if (typeof value === 'string') this.add(value, 'own')
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) this.addValues(inner)
  }

  /** Whether less than half of the text's sequences come from outside. */
  isOwn(text: string): boolean {
    const sequences = listSequences(text)
    if (sequences.length === 0) return true
    const outside = sequences.filter((sequence) => this.#first.get(sequence) === 'outside').length
    return outside / sequences.length < REPEATED_SHARE
  }
}

function listSequences(text: string): string[] {
  const sequences: string[] = []
  const words: string[] = []
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) {
    if (/[\u3040-\u30ff\u3400-\u9fff]/.test(word)) {
      for (let i = 0; i + CHARACTERS <= word.length; i++) sequences.push(word.slice(i, i + CHARACTERS))
    } else {
      words.push(word)
      if (words.length >= WORDS) sequences.push(words.slice(-WORDS).join(' '))
    }
  }
  return sequences
}
