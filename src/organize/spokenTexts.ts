// What a person said in a session, in order: prompts, and reasons given with a rejected call.
import type { Event, EventOf } from '../model/event.ts'
import { isRefusable } from '../model/provenance.ts'

export interface SpokenText {
  readonly event: EventOf<'prompt'> | EventOf<'call.failed'>
  readonly text: string
  /** What the person or the assistant said just before, which may announce a pasted text. */
  readonly before: string
}

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)|^(?:User|The user) rejected/
/** The reason follows; what a client adds about its questions is not the person's. */
const REASON = /(?:the user said|provided the following reason(?: for the rejection)?):\s*/i
const CLIENT_REASON = /^The user wants to clarify these questions/
/** A plan that the client hands over as the prompt of a new context: the assistant wrote it. */
const PLAN_PROMPT = /^\s*Implement the following plan\b:?/
const INTERRUPTED = /^\s*\[Request interrupted/

/** The texts of the main conversation. */
export function listSpokenTexts(events: readonly Event[]): SpokenText[] {
  let [prompt, answer] = ['', '']
  const spoken: SpokenText[] = []
  for (const event of events) {
    if (event.role !== 'main') continue
    const text = findText(event)
    if (text !== undefined) spoken.push({ event: event as SpokenText['event'], text, before: `${prompt}\n${answer}` })
    if (event.kind === 'prompt') [prompt, answer] = [event.text, '']
    else if (event.kind === 'answer') answer = event.text
  }
  return spoken
}

function findText(event: Event): string | undefined {
  if (event.kind === 'prompt')
    return INTERRUPTED.test(event.text) || PLAN_PROMPT.test(event.text) ? undefined : event.text
  if (event.kind !== 'call.failed' || !REJECTED.test(event.error) || !isRefusable(event.tool)) return undefined
  const reason = event.error.split(REASON).slice(1).join(' ').trim()
  return reason === '' || CLIENT_REASON.test(reason) ? undefined : reason
}
