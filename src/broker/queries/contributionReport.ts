// Contributions told: the verdicts on a memory's or a session's recalls with their sums. Final once a session is organised; of one
// that goes on they are provisional, and made when somebody asks: Stop's hook does no more than record the answer.
import { type AttributedMemory, type AttributedRecall, attributeRecalls } from '../../improve/attribution.ts'
import { SIGNAL_CONFIDENCE } from '../../improve/usageSignals.ts'
import type { ContributionWeights } from '../../model/contribution.ts'
import type { SessionId } from '../../model/id.ts'
import type { HelpStats, Memory } from '../../model/memory.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import { activePolicy } from '../projection/policyReducer.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { findMemoryByPrefix, findSessionByPrefix } from './browse.ts'

export interface RecallVerdict extends Omit<AttributedMemory, 'features' | 'tokens' | 'terms'> {
  readonly recall: AttributedRecall['recall']
  readonly session: SessionId | null
  readonly moment: AttributedRecall['moment']
  readonly at: string
  readonly withheld: boolean
  /** Its session goes on: what comes later in its task may change it. */
  readonly provisional: boolean
  /** How sure each of its traces alone makes us. */
  readonly confidences: Readonly<Record<string, number>>
  /** The memory's first words; empty for one that is gone. */
  readonly content: string
}

export interface ContributionReport {
  readonly verdicts: readonly RecallVerdict[]
  readonly weights: ContributionWeights
  /** What a shown memory without a trace of use costs. */
  readonly unusedCost: number
  /** The memory's record of helping over all its recalls, for one memory. */
  readonly help: HelpStats | null
}

/** The latest verdicts on the memory whose id begins with `prefix`, oldest first. Throws NOT_FOUND. */
export function reportMemoryContribution(store: Store, prefix: string): ContributionReport {
  const memory = findMemoryByPrefix(store, prefix)
  return contributions(store, (verdict) => verdict.memory === memory.id, memory)
}

/** The verdicts on the recalls of the session whose id begins with `prefix`, oldest first. Throws NOT_FOUND. */
export function reportSessionContribution(store: Store, prefix: string): ContributionReport {
  const session = findSessionByPrefix(store, prefix)
  return contributions(store, (verdict) => verdict.session === session)
}

function contributions(store: Store, wanted: (verdict: RecallVerdict) => boolean, memory?: Memory): ContributionReport {
  const loaded = loadProjection(store)
  applyLogTail(store, loaded) // In memory alone: looking writes nothing.
  const { projection } = loaded
  const policy = activePolicy(projection, DEFAULT_POLICY)
  const open = [...projection.sessions.values()].flatMap((session) => {
    const judged = session.improved
      ? []
      : attributeRecalls(session.pending, projection.memories, projection.baselines, policy.improve)
    const done = new Set(session.pending.slice(0, session.judged ?? 0).map((event) => event.id))
    return judged.filter((one) => !done.has(one.recall))
  })
  const contentOf = (id: Memory['id']): string => projection.memories.get(id)?.content ?? ''
  const told = (provisional: boolean) => (one: AttributedRecall) =>
    one.memories.map(({ features: _features, tokens: _tokens, terms: _terms, ...verdict }): RecallVerdict => {
      const { recall, session, moment, at, withheld } = one
      const sure: Readonly<Record<string, number>> = SIGNAL_CONFIDENCE[moment === 'start' ? 'start' : 'work']
      const confidences = Object.fromEntries(verdict.traces.map((trace) => [trace, sure[trace] ?? 0]))
      const content = contentOf(verdict.memory)
      return { ...verdict, recall, session: session ?? null, moment, at, withheld, provisional, confidences, content }
    })
  const verdicts = [...projection.judged.flatMap(told(false)), ...open.flatMap(told(true))].filter(wanted)
  const { contribution: weights, unusedCost } = policy.improve
  return { verdicts, weights, unusedCost, help: memory?.help ?? null }
}
