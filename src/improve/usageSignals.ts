// Was it used? A shown memory's traces in what was done and said afterwards, each kind with its own confidence.

import { type CallResult, EDIT_TOOLS, type Event, isCallResult } from '../model/event.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallMoment } from '../model/recallQuery.ts'
import { commandShape } from '../text/command.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'

/** From this confidence up a memory counts as used, 0 to 1. */
export const USED_THRESHOLD = 0.5

/** How sure each trace alone makes us that the memory was used, 0 to 1. Two traces together: 1 − Π (1 − c). docs/improve.md tells why. */
export const SIGNAL_CONFIDENCE = {
  work: {
    /** A command the memory names in backticks was run. */
    command: 0.7,
    /** The failed call's aim passed afterwards, without the memory's error coming back. */
    errorGone: 0.5,
    /** A file of the memory was changed afterwards. */
    file: 0.7,
    /** The answer's own words: it says a run of the memory's words again, that the cue had not. */
    answer: 0.6,
    /** Seed 000's way: a third of the memory's own words turn up in what was said, written or run afterwards. */
    words: 0.3,
  },
  /** What was told at a session's start has the whole session to meet its own by chance. */
  start: { command: 0.4, errorGone: 0.25, file: 0.5, answer: 0.3, words: 0.05 },
} as const

export type UsageSignal = keyof (typeof SIGNAL_CONFIDENCE)['work']

export interface UsageEvidence {
  /** 0 to 1. */
  readonly confidence: number
  readonly traces: readonly UsageSignal[]
}

/** So many telling words in a row are no chance. Japanese is told by pairs of characters: six of them are seven characters. */
const RUN = { words: 4, pairs: 6 }

/** A share of a memory's own words this large in what came after is no chance. */
const WORDS_SHARE = 0.34

/** Whether the memory was used in `after`, the events between its recall and the end of its task; `cue` is what it was asked with. */
export function detectUse(
  memory: Memory,
  after: readonly Event[],
  cue: string,
  moment: RecallMoment = 'prompt',
): UsageEvidence {
  const calls = after.filter(isCallResult)
  const traces: UsageSignal[] = []
  if (ranItsCommand(memory, calls)) traces.push('command')
  if (errorGone(memory, calls)) traces.push('errorGone')
  if (calls.some((call) => EDIT_TOOLS.has(call.tool) && call.files.some((file) => memory.files.includes(file))))
    traces.push('file')
  if (quoted(memory, after, cue)) traces.push('answer')
  if (echoed(memory, after, cue)) traces.push('words')
  const sure = SIGNAL_CONFIDENCE[moment === 'start' ? 'start' : 'work']
  return { confidence: 1 - traces.reduce((doubt, trace) => doubt * (1 - sure[trace]), 1), traces }
}

function ranItsCommand(memory: Memory, calls: readonly CallResult[]): boolean {
  const text = memory.lessons.length > 0 ? memory.lessons.join('\n') : memory.content
  const shapes = new Set([...text.matchAll(/`([^`\n]{2,200})`/g)].map((match) => commandShape(match[1]!)))
  // The command that failed is named too; running that one again is no sign.
  if (memory.commandShape) shapes.delete(memory.commandShape)
  return calls.some(
    (call) => call.kind === 'call.succeeded' && call.commandShape !== undefined && shapes.has(call.commandShape),
  )
}

function errorGone(memory: Memory, calls: readonly CallResult[]): boolean {
  if (!memory.errorSignature || !memory.commandShape) return false
  const passed = calls.findIndex((call) => call.kind === 'call.succeeded' && call.commandShape === memory.commandShape)
  if (passed === -1) return false
  return !calls
    .slice(0, passed)
    .some((call) => call.kind === 'call.failed' && call.errorSignature === memory.errorSignature)
}

/** The memory's words that the cue did not have, found again in answers, commands and new text. */
function echoed(memory: Memory, after: readonly Event[], cue: string): boolean {
  const asked = new Set(extractTerms(cue))
  const own = new Set(
    extractTerms(memory.content.slice(0, 1_000)).filter((term) => isTelling(term) && !asked.has(term)),
  )
  if (own.size < 4) return false
  const said = wordsSaid(after)
  let found = 0
  for (const term of own) if (said.has(term)) found++
  return found / own.size >= WORDS_SHARE
}

/** Of all that a recall showed the same is asked: its aftermath is taken apart once, which is half of what judging costs. */
const words = new WeakMap<readonly Event[], ReadonlySet<string>>()

function wordsSaid(after: readonly Event[]): ReadonlySet<string> {
  const known = words.get(after)
  if (known) return known
  const said = new Set<string>()
  for (const event of after) for (const term of extractTerms(wordsAfter(event))) said.add(term)
  words.set(after, said)
  return said
}

/** A run of the memory's telling words that an answer says again, and that the cue did not ask with. */
function quoted(memory: Memory, after: readonly Event[], cue: string): boolean {
  const answers = after.flatMap((event) =>
    event.kind === 'answer' || event.kind === 'agent.stopped' ? [event.text] : [],
  )
  if (answers.length === 0) return false
  const asked = runsOf(cue)
  const own = [...runsOf(memory.content.slice(0, 1_000))].filter((run) => !asked.has(run))
  if (own.length === 0) return false
  const said = new Set(answers.flatMap((text) => [...runsOf(text)]))
  return own.some((run) => said.has(run))
}

/** Every run of telling words in a text. */
function runsOf(text: string): ReadonlySet<string> {
  const terms = extractTerms(text).filter(isTelling)
  const runs = new Set<string>()
  for (let i = 0; i < terms.length; i++) {
    const length = terms[i]!.charCodeAt(0) >= 0x2e80 ? RUN.pairs : RUN.words
    if (i + length <= terms.length) runs.add(terms.slice(i, i + length).join(' '))
  }
  return runs
}

/** A word of three letters, or a pair of Japanese characters that is more than grammar (two hiragana are). */
const isTelling = (term: string): boolean => term.length > 2 || /^(?![\u3041-\u309f]{2})[^\0-\u2e7f]{2}$/.test(term)

function wordsAfter(event: Event): string {
  if (event.kind === 'answer' || event.kind === 'agent.stopped') return event.text
  if (!isCallResult(event)) return ''
  const { command, new_string, content, description } = event.input
  return [command, new_string, content, description].filter((text) => typeof text === 'string').join('\n')
}
