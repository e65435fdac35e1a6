// The items of a session's digest: what the person said, what the assistant answered, what failed and what worked, in
// order. Only events that everyone in the project may see; every text is redacted again.
import { type Event, isCallResult } from '../model/event.ts'
import type { EventId } from '../model/id.ts'
import { isClientPrompt } from '../text/promptText.ts'
import { type CallHistory, callDrafts, type Draft, listRoots, newCallHistory } from './callItems.ts'
import type { DigestItem } from './digestItem.ts'

/** The items of these events, in order. `redact` removes secrets. */
export function listDigestItems(events: readonly Event[], redact: (text: string) => string): DigestItem[] {
  const items: DigestItem[] = []
  const start = events.find((event) => event.kind === 'session.started')
  const calls = newCallHistory(start?.kind === 'session.started' ? listRoots(start.cwd) : [])
  for (const event of events) {
    if (event.privacy !== 'public') continue
    for (const draft of draftsOf(event, calls, items.length)) {
      const text = redact(draft.text).trim()
      const last = items.at(-1)
      if (text === '') continue
      if (draft.kind === 'changed' && last?.kind === 'changed')
        items[items.length - 1] = addChange(last, text, event.id)
      else
        items.push({ ...draft, subject: redact(draft.subject), text, events: [draft.event ?? event.id], at: event.at })
    }
    // A failure that came again is the same item, with one more event.
    const again = isCallResult(event) ? calls.repeated.get(event.id) : undefined
    const item = again === undefined ? undefined : items[again]
    if (again !== undefined && item?.kind === 'failed')
      items[again] = { ...item, events: [...item.events, event.id].slice(0, EVENTS_MAX) }
  }
  return items
}

const APPROVED_PLAN = /^\s*Implement the following plan/

function draftsOf(event: Event, calls: CallHistory, index: number): Draft[] {
  if (event.kind === 'answer') return [{ kind: 'answer', subject: '', text: event.text }]
  if (isCallResult(event)) return callDrafts(event, calls, index)
  if (event.kind !== 'prompt') return []
  const { text } = event
  const kind = APPROVED_PLAN.test(text) ? 'plan' : isClientPrompt(text) ? 'client' : 'person'
  return [{ kind, subject: '', text }]
}

/** Events of one item, at most. */
const EVENTS_MAX = 12

const CHANGED_FILES_MAX = 12

function addChange(before: DigestItem, file: string, event: EventId): DigestItem {
  const files = before.text.split(', ')
  if (file === '' || files.includes(file) || files.length >= CHANGED_FILES_MAX) return before
  return { ...before, text: [...files, file].join(', '), events: [...before.events, event] }
}
