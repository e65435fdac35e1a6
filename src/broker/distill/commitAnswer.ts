// Commits a model's answer about a session: the proposals that hold, as memories and one event that says so.
import { type CheckedAnswer, checkProposals, type DroppedProposal } from '../../distill/checkProposals.ts'
import type { ModelAnswer } from '../../distill/modelAnswer.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitize } from '../commands/newMemory.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import type { PreparedSession } from './prepareSession.ts'
import { proposalMemories } from './proposalMemories.ts'

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
  readonly stored: number
  readonly dropped: readonly DroppedProposal[]
  readonly tokens: { readonly input: number; readonly output: number }
}

/** Commits both events in one write. An answer that stores nothing is committed too: the session has been read. */
export function commitAnswer(store: Store, prepared: PreparedSession, origin: AnswerOrigin): DistillResult {
  const { session, events, digest } = prepared
  const { answer, by, model, tokens, now } = origin
  const checked = checkProposals(answer, digest)
  // Without what open sessions would keep if they ended now: a proposal must not count as known because of them.
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  const stored = proposalMemories(checked, events, loaded.projection.memories)
  const { headline, leftOpen } = sanitize({ headline: checked.summary, leftOpen: listOpenTasks(checked) })
  const through = events.at(-1)?.id
  if (through === undefined) throw new MemoryError('NOT_FOUND', `Session ${session} has no events`, { hint: NO_EVENTS })
  const body = {
    kind: 'session.distilled',
    by,
    model,
    through,
    ...(headline !== '' && { headline }),
    ...(leftOpen.length > 0 && { leftOpen }),
    tokens,
    dropped: checked.dropped.length,
  } as const
  commitEvents(store, [
    ...(stored.length === 0
      ? []
      : [systemEvent({ kind: 'memory.batch', stored, changes: [] } as const, { now, session, key: [through] })]),
    systemEvent(body, { now, session, key: [through] }),
  ])
  const memories = stored.map(({ id, kind, content }) => ({ id, kind, content }))
  return { session, by, model, headline, memories, leftOpen, stored: stored.length, dropped: checked.dropped, tokens }
}

const NO_EVENTS = 'Run `memctl sessions` to list the sessions of this store.'

const listOpenTasks = ({ leftOpen }: CheckedAnswer): string[] => leftOpen.map(({ proposal }) => proposal.text)
