// Commits a model's answer about a session: the entries that hold, the changes of others, and one event that says so.
import { checkAnswer } from '../../distill/checkAnswer.ts'
import type { DroppedProposal, ModelAnswer } from '../../distill/modelAnswer.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitize } from '../commands/newMemory.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { answerChanges } from './answerChanges.ts'
import { type PreparedSession, readCommittedMemories } from './prepareSession.ts'

interface AnswerOrigin {
  readonly answer: ModelAnswer
  /** claude, anthropic, openai, or import. */
  readonly by: string
  readonly model: string
  readonly tokens: { readonly input: number; readonly output: number }
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface DistillResult {
  readonly session: SessionId
  readonly by: string
  readonly model: string
  readonly headline: string
  readonly memories: readonly Pick<Memory, 'id' | 'kind' | 'content'>[]
  readonly leftOpen: readonly string[]
  /** Entries that were stored, and known ones that were confirmed, replaced or retired. */
  readonly stored: number
  readonly changed: number
  readonly dropped: readonly DroppedProposal[]
  readonly tokens: { readonly input: number; readonly output: number }
}

/** Dropped proposals that a result lists. */
const DROPPED_MAX = 20

/** Commits both events in one write. An answer that stores nothing is committed too: the session has been read. */
export function commitAnswer(store: Store, prepared: PreparedSession, origin: AnswerOrigin): DistillResult {
  const { session, events, digest, known, calls } = prepared
  const { answer, by, model, tokens, now } = origin
  const through = events.at(-1)?.id
  if (through === undefined) throw new MemoryError('NOT_FOUND', `Session ${session} has no events`, { hint: NO_EVENTS })
  const { stored, changes, dropped } = answerChanges(checkAnswer(answer, digest), {
    session,
    events,
    known,
    memories: readCommittedMemories(store),
    calls,
    numbers: readActivePolicy(store).policy.knowledge,
  })
  const { headline, leftOpen } = sanitize({ headline: answer.summary, leftOpen: [...answer.open] })
  const body = {
    kind: 'session.distilled',
    by,
    model,
    through,
    ...(headline !== '' && { headline }),
    ...(leftOpen.length > 0 && { leftOpen }),
    tokens,
    dropped: dropped.length,
  } as const
  commitEvents(store, [
    ...(stored.length + changes.length === 0
      ? []
      : [systemEvent({ kind: 'memory.batch', stored, changes } as const, { now, session, key: [through] })]),
    systemEvent(body, { now, session, key: [through] }),
  ])
  return {
    session,
    by,
    model,
    headline,
    memories: stored.map(({ id, kind, content }) => ({ id, kind, content })),
    leftOpen,
    stored: stored.length,
    changed: changes.length,
    dropped: dropped.slice(0, DROPPED_MAX),
    tokens,
  }
}

const NO_EVENTS = 'Run `memctl list --sessions` to list the sessions of this store.'
