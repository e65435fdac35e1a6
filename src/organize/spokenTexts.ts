// What a person said in a session, in order: prompts, and reasons given with a rejected call.

import { callCommand, type Event, type EventOf, isCallResult } from '../model/event.ts'
import { listCallResults } from '../model/sessionTask.ts'
import { pattern } from '../text/pattern.ts'
import type { SpokenAfter, SpokenContext, SpokenEffect } from '../text/statement/statementFeatures.ts'
import { PLAN_PROMPT } from '../text/statement/typedText.ts'
import { listEditedFiles } from './taskFacts.ts'

export interface SpokenText {
  readonly event: EventOf<'prompt'> | EventOf<'call.failed'>
  readonly text: string
  readonly context: SpokenContext
  /** The answer that it replies to; empty if there was none. */
  readonly answer: string
}

const REJECTED = pattern(
  `^The user doesn't want to (?:proceed with this tool use|take this action)|^(?:User|The user) rejected`,
)
/** The reason follows; what a client adds about its questions is not the person's. */
const REASON = /(?:the user said|provided the following reason(?: for the rejection)?):\s*/i
const CLIENT_REASON = /^The user wants to clarify these questions/
const INTERRUPTED = /^\s*\[Request interrupted/

/** The server of an MCP tool writes its own errors, and could write one that looks like the client's. */
const canForgeRejection = (tool: string): boolean => tool.startsWith('mcp__')

/** The texts of the main conversation. */
export function listSpokenTexts(events: readonly Event[]): readonly SpokenText[] {
  const spoken: SpokenText[] = []
  let after: SpokenAfter = 'start'
  let answer = ''
  for (const event of events) {
    if (event.role !== 'main') continue
    if (event.kind === 'prompt') {
      if (INTERRUPTED.test(event.text)) {
        if (after !== 'rejection') after = 'interruption'
        continue
      }
      const isPlan = PLAN_PROMPT.test(event.text)
      spoken.push({ event, text: event.text, context: { after, isPlan }, answer })
      after = 'work'
      answer = ''
    } else if (event.kind === 'answer') {
      answer = event.text
      after = asks(event.text) ? 'question' : 'answer'
    } else if (event.kind === 'call.failed' && REJECTED.test(event.error) && !canForgeRejection(event.tool)) {
      const reason = event.error.split(REASON).slice(1).join(' ').trim()
      if (reason !== '' && !CLIENT_REASON.test(reason))
        spoken.push({ event, text: reason, context: { after: 'rejection' }, answer: '' })
      after = 'rejection'
    } else if (event.kind === 'call.failed' && event.interrupted) {
      after = 'interruption'
    } else if (isCallResult(event) && after !== 'start') {
      after = 'work'
    }
  }
  return spoken.map((text, i) => {
    const from = events.indexOf(text.event)
    const next = spoken[i + 1]
    const until = next ? events.indexOf(next.event) : events.length
    return { ...text, context: { ...text.context, effects: listEffects(events.slice(from + 1, until)) } }
  })
}

const AGREES = pattern(
  String.raw`\b(?:you(?:'|’)re (?:absolutely |completely |totally |quite )?(?:right|correct)|
    you are (?:absolutely )?(?:right|correct)|good (?:point|catch|question|idea|thinking|call)|
    great (?:point|catch|question|idea|insight)|excellent (?:point|question)|fair point|makes sense|
    agreed|understood|noted|got it|my mistake|i apologize|i misunderstood)\b|その通り|おっしゃる通り|ご指摘|承知|なるほど|
    失礼しました|申し訳|du hast recht|stimmt|tu as raison|vous avez raison|tienes razón|你说得对|您说得对|明白了`,
  'i',
)

function listEffects(events: readonly Event[]): readonly SpokenEffect[] {
  const main = events.filter((event) => event.role === 'main')
  const answers = main.flatMap((event) => (event.kind === 'answer' ? [event.text] : []))
  const edited = listEditedFiles(main)
  const effects: SpokenEffect[] = []
  if (answers.some((answer) => AGREES.test(answer.slice(0, 400)))) effects.push('agrees')
  if (asks(answers.at(-1) ?? '')) effects.push('asks')
  if (edited.length > 0) effects.push('edits')
  if (edited.some((file) => /\.(?:md|mdx|txt|rst|adoc)$/i.test(file))) effects.push('documents')
  if (listCallResults(main).some((call) => /\bgit (?:commit|push)\b/.test(callCommand(call)))) effects.push('commits')
  if (listCallResults(main).length === 0) effects.push('nothing')
  return effects
}

/** Whether an answer ends with a question. */
const asks = (answer: string): boolean => /[?？]\s*[*_)]*\s*$/.test(answer.trimEnd().slice(-400))
