// The hooks that recall: at a prompt, before a call, at a failure, at a subagent's start. Each records first.
import type { Moment } from '../../model/cue.ts'
import type { Event } from '../../model/event.ts'
import { MICRO_TAIL_BYTES, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { recall } from '../../recall/recall.ts'
import { type Payload, textField } from '../../record/payload.ts'
import { bytesPast } from '../../store/log.ts'
import { readManifest } from '../../store/shelf.ts'
import { candidatesFor, forMoment } from '../search/candidates.ts'
import { closeReader, readerFor } from '../search/indexReaderCache.ts'
import { relatedIn } from '../search/relatedWork.ts'
import { cueOf } from './cue.ts'
import { filesOf } from './fileFacts.ts'
import { goneSince } from './gone.ts'
import { heldBack } from './hold.ts'
import { toldOf } from './tell.ts'
import { type Answer, append, eventOf, type Handler, recent, SILENT, toldIn, type Visit } from './visit.ts'

/**
 * UserPromptSubmit: the prompt is an event, and what may bear on it is told. Once a turn is often enough to see that the log has
 * outgrown the view; then a new one is written in the background, so that no hook's reading grows with a long session.
 */
export const onPrompt: Handler = (payload, visit) => {
  const event = eventOf(payload, visit, ['prompt'])
  if (!event) return SILENT
  const answer = recordAndTell('prompt', { event, payload, visit })
  const { files, layout } = visit.store
  const { cursor } = readManifest(files, layout)
  return { ...answer, background: bytesPast(files, layout.events, cursor) > SNAPSHOT_TAIL_BYTES }
}

/**
 * PreToolUse: what is known of the file or command at hand. The client shows it after the tool's result; a call that is held does
 * not come to one.
 */
export const onCall: Handler = (payload, visit) =>
  recordAndTell('call', { event: eventOf(payload, visit)!, payload, visit }, { hold: heldBack })

/** PostToolUseFailure: the fix that worked last time, even if this session has been told of it before. */
export const onFailure: Handler = (payload, visit) => {
  const event = eventOf(payload, visit, ['call.failed'])!
  if (event.kind === 'call.failed' && (event.interrupted || event.errorSignature === undefined)) {
    append(visit, event)
    return SILENT
  }
  return recordAndTell('failure', { event, payload, visit })
}

/** SubagentStart: what its role may see, about the task it was given by the latest call of Agent without an answer. */
export const onAgentStart: Handler = (payload, visit) => {
  const event = eventOf(payload, visit)!
  const task = latestAgentTask(payload, visit)
  return recordAndTell('agent', { event, payload, visit }, { words: task })
}

/** What a hook got, and its event. */
interface Recorded {
  readonly event: Event
  readonly payload: Payload
  readonly visit: Visit
}

interface Telling {
  /** What is asked with, in place of the event's own words. */
  readonly words?: string
  /** Given only by who may hold a call, so that the other hooks' bundles have nothing of it. */
  readonly hold?: typeof heldBack
}

/** Appends the event first, so that nothing that goes wrong in recalling can lose it; then what was shown and why. */
function recordAndTell(moment: Moment, { event, payload, visit }: Recorded, given: Telling = {}): Answer {
  const { words, hold } = given
  append(visit, event)
  const shelf = readerFor(visit.store)
  try {
    const branch = textField(payload, 'git_branch')
    const asked = cueOf(moment, event, visit.now, branch)
    const cue = words === undefined ? asked : { ...asked, text: `${event.role}\n${words}` }
    const candidates = candidatesFor(cue, shelf, forMoment(visit.policy, moment), relatedIn(visit.store))
    const gone = goneSince(visit.store, shelf.manifest.cursor)
    const found = gone.size === 0 ? candidates : candidates.filter(({ memory }) => !gone.has(memory.id))
    const held = hold?.(found, cue, payload, visit)
    const told = () => toldIn(visit, payload, shelf.manifest.cursor)
    const result = held ?? recall(cue, found, visit.policy, told, undefined, filesOf(visit.store))
    const { text, event: recalled } = toldOf({
      recall: result,
      cue,
      cause: event,
      policy: visit.policy,
      policyVersion: visit.policyVersion,
      call: 'call' in event ? event.call : undefined,
      isHeld: held !== undefined,
    })
    // Appended before the call is held: where that fails nothing is, for nobody would know that it was held already.
    append(visit, held && text && recalled ? { ...recalled, held: true } : recalled)
    return text ? (held ? { hold: text } : { context: text }) : SILENT
  } finally {
    closeReader(shelf)
  }
}

/** The task of the latest Agent call that has no result yet; its description and prompt. */
function latestAgentTask(payload: Payload, visit: Visit): string {
  const calls = recent(visit, payload, {
    bytesMax: MICRO_TAIL_BYTES,
    kinds: ['call.started', 'call.succeeded', 'call.failed'],
  })
  const ended = new Set(calls.flatMap((call) => (call.kind !== 'call.started' && 'call' in call ? [call.call] : [])))
  const open = calls.flatMap((call) =>
    call.kind === 'call.started' && ['Agent', 'Task'].includes(call.tool) && !ended.has(call.call) ? [call] : [],
  )
  // Of several agents started at once the type tells which call is this one's.
  const own = open.findLast((call) => call.input['subagent_type'] === payload['agent_type']) ?? open.at(-1)
  if (!own) return ''
  return [own.input['description'], own.input['prompt']].filter((text) => typeof text === 'string').join('\n')
}
