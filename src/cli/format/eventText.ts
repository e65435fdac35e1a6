// An event as one short line for a person.
import type { Event, EventOf } from '../../model/event.ts'
import { shortId } from '../../model/id.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { translate } from '../../report/translation.ts'
import { salientLine } from '../../text/errorSignature.ts'
import { firstLine } from '../../text/excerpt.ts'

/** Characters of an event's text that are used at most; a terminal shows fewer. */
const CHARS_MAX = 240

/** The event on one line, its kind first. */
export const formatEvent = (event: Event): string =>
  sanitizeForTerminal(`${event.kind}${prefixed(': ', formatEventDetail(event))}`)

/** The event without its kind, in the language of the terminal; empty if the kind says everything. */
export function formatEventDetail(event: Event): string {
  switch (event.kind) {
    case 'session.started':
      return [event.source, event.branch && `on ${event.branch}`].filter(Boolean).join(' ')
    case 'prompt':
    case 'answer':
    case 'agent.stopped':
      return firstLine(event.text, CHARS_MAX)
    case 'call.started':
    case 'call.succeeded':
      return formatCall(event)
    case 'call.failed':
      return `${formatCall(event)}${prefixed(' → ', firstLine(salientLine(event.error), CHARS_MAX))}`
    case 'compaction':
      return [event.phase, event.trigger, firstLine(event.summary, CHARS_MAX)].filter(Boolean).join(' ')
    case 'session.ended':
      return event.reason
    case 'recalled':
      return translate(`${event.moment}, ${event.shown.length} ${outcomeOf(event)}`) + prefixed(': ', event.cue)
    case 'session.distilled':
      return `${[event.by, event.model].filter(Boolean).join(' ')}${prefixed(': ', event.headline ?? '')}`
    case 'recall.judged':
      return event.by === 'person'
        ? translate(`rated by a person: ${event.helped.length} useful, ${event.unhelped?.length ?? 0} not useful`)
        : translate(`${event.helped.length} helped`)
    case 'policy.changed':
      return `version ${event.version}, ${event.reason}`
    case 'policy.chosen':
      return event.name
    case 'policy.frozen':
      return translate(event.frozen ? 'learning frozen' : 'learning unfrozen')
    case 'memory.stored':
      return `${translate(event.memory.kind)} ${firstLine(event.memory.content, CHARS_MAX)}`
    case 'memory.impact':
      return `${shortId(event.memory)}, ${event.impact}${prefixed(' for ', event.perspective ?? '')}`
    case 'memory.released':
      return `${shortId(event.memory)}, ${event.from} → ${event.to}`
    case 'memory.restored':
      return translate(`${event.memories.length} from the archive`)
    case 'memory.updated':
      return `${shortId(event.change.memory)} ${Object.keys(event.change).slice(1).join(', ')}`
    case 'memory.batch':
      return translate(`${event.stored.length} stored, ${event.changes.length} changed`)
    case 'memory.deleted':
    case 'memory.accessed':
      return event.memories.map(shortId).join(', ')
    case 'memory.scored':
      return `${shortId(event.memory)} ${event.previous} → ${event.score}: ${firstLine(event.reason, CHARS_MAX)}`
    case 'memory.strengthened':
      return event.changes.map((change) => shortId(change.memory)).join(', ')
    case 'agent.slept':
      return `${event.agent}: ${event.decayed} decayed, ${event.archived} archived, ${event.consolidated} consolidated`
    case 'memory.consolidated':
      return `${shortId(event.memory.id)} of ${event.from.length}${event.preserved ? ', which are kept' : ''}`
    case 'team.joined':
      return `${event.project} as ${event.name}`
    case 'team.published':
    case 'team.received':
      return translate(formatCount(event.operations.length, 'change'))
    case 'other':
      return event.name
    case 'agent.started':
    case 'session.improved':
    case 'memory.slept':
    case 'session.organized':
    case 'team.left':
      return ''
  }
}

const outcomeOf = ({ withheld, held }: EventOf<'recalled'>): string =>
  withheld ? 'withheld' : held ? 'shown, call blocked' : 'shown'

function formatCall(call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }): string {
  const { command, file_path, pattern, description, prompt } = call.input
  const first = [command, file_path, pattern, description, prompt].find((value) => typeof value === 'string')
  return `${call.tool}${prefixed(' ', firstLine(String(first ?? ''), CHARS_MAX))}`
}

const prefixed = (prefix: string, text: string): string => (text === '' ? '' : prefix + text)
