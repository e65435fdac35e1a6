// What the person said in prompts that another program has recorded: the same statements as in prompts that hooks
// record. A later one among them supersedes an earlier one.
import type { Event, EventOf } from '../../../model/event.ts'
import type { SessionId } from '../../../model/id.ts'
import { splitTasks } from '../../../model/sessionTask.ts'
import { MemoryTable } from '../../../organize/memoryTable.ts'
import { extractKnowledge } from '../../../organize/sessionKnowledge.ts'
import { isClientPrompt } from '../../../text/clientPrompt.ts'
import { sanitize } from '../../commands/newMemory.ts'
import { eventEnvelope, eventId } from '../../commit/systemEvent.ts'
import { DEFAULT_POLICY } from '../../policy/activePolicy.ts'
import type { ImportItem } from '../importItem.ts'

export interface TypedPrompt {
  /** ISO. */
  readonly at: string
  readonly session: string
  readonly text: string
}

/** The statements that still stand, in the order of the prompts. */
export function statementsOfPrompts(prompts: readonly TypedPrompt[]): ImportItem[] {
  const events = prompts.filter(({ text }) => !isClientPrompt(text)).map(toEvent)
  const slice = { session: '' as SessionId, events }
  const said = extractKnowledge(slice, splitTasks(events), new MemoryTable(), DEFAULT_POLICY.knowledge)
  return said.flatMap(({ id, kind, content, knowledge, created, session, tags, status }) => {
    if (!knowledge || status === 'archived') return []
    return [
      {
        key: `said\0${id}`,
        item: `prompt of ${created.slice(0, 10)}`,
        content,
        tags: ['claude-mem', ...tags],
        created,
        ...(session !== undefined && { session }),
        provenance: 'person',
        said: { kind, knowledge },
      },
    ]
  })
}

function toEvent({ at, session, text }: TypedPrompt): Event {
  const id = eventId([session, at, text])
  const envelope = eventEnvelope({ id, now: Date.parse(at), session: session as SessionId })
  const prompt: EventOf<'prompt'> = { ...envelope, kind: 'prompt', text: sanitize(text), signals: [] }
  return prompt
}
