// The period in which a recall may be used: after it, up to the user's next prompt, because later work is another
// task. A recall at the session's start is for the whole session; one of a subagent for that subagent.
import { type Event, type EventOf, isCallResult } from '../model/event.ts'
import { type ConversationText, readConversation } from './conversationText.ts'
import { listCalls, type UsePeriod } from './usageSignals.ts'

export interface RecallPeriod extends UsePeriod {
  /** The prompt of its task; absent at a start. */
  readonly prompt: EventOf<'prompt'> | undefined
  readonly trigger?: ReturnType<typeof findTrigger>
  /** All events of the session in the period. */
  readonly after: readonly Event[]
  /** The user's next words are thanks. */
  readonly isThanked: boolean
}

/** Finds the periods of one session's recalls. Each conversation is read once. */
export function createPeriodFinder(
  events: readonly Event[],
): (index: number, recalled: EventOf<'recalled'>) => RecallPeriod {
  const conversations = new Map<string | undefined, ConversationText>()
  const conversationOf = (agentId: string | undefined): ConversationText => {
    const known = conversations.get(agentId)
    if (known) return known
    const read = readConversation(events, agentId)
    conversations.set(agentId, read)
    return read
  }
  return (index, recalled) => {
    const { at, end, prompt, isThanked } = findBounds(events, index, recalled)
    const conversation = conversationOf(recalled.agentId)
    const calls = listCalls(conversation, at, end)
    const trigger = findTrigger(events, recalled)
    const isTrigger = (event: Event): boolean => isCallResult(event) && event.call === recalled.call
    return {
      recalled,
      conversation,
      at,
      end,
      prompt,
      isThanked,
      trigger,
      calls: calls.filter(([, call]) => !isTrigger(call)),
      triggerResult: calls.find(([, call]) => isTrigger(call))?.[1],
      after: events.slice(at + 1, end),
    }
  }
}

type Bounds = Pick<RecallPeriod, 'at' | 'end' | 'prompt' | 'isThanked'>

function findBounds(events: readonly Event[], index: number, recalled: EventOf<'recalled'>): Bounds {
  if (recalled.moment === 'start') return { at: index, end: events.length, prompt: undefined, isThanked: false }
  // The recall at a prompt is logged before or after the prompt; in both cases the next other prompt ends the task.
  const ownIndex =
    recalled.moment === 'prompt'
      ? events.findIndex((event, i) => i > index && event.kind === 'prompt' && event.at === recalled.at)
      : -1
  const at = Math.max(index, ownIndex)
  const prompt = events.slice(0, at + 1).findLast((event) => event.kind === 'prompt')
  const nextIndex = events.findIndex((event, i) => i > at && event.kind === 'prompt')
  const next = events[nextIndex]
  const isThanked = next?.kind === 'prompt' && next.signals.some(({ kind }) => kind === 'thanks')
  return { at, end: nextIndex === -1 ? events.length : nextIndex, prompt, isThanked }
}

/** The call that a recall came with, as it was at the recall: its start, or its failure. */
function findTrigger(
  events: readonly Event[],
  { call }: EventOf<'recalled'>,
): EventOf<'call.started'> | EventOf<'call.failed'> | EventOf<'call.succeeded'> | undefined {
  if (call === undefined) return undefined
  for (const event of events) {
    if ((event.kind === 'call.started' || isCallResult(event)) && event.call === call) return event
  }
  return undefined
}
