// Contributions told: the verdicts on a memory's or a session's recalls with their sums. Final once a session is organised; of one
// that goes on they are provisional, and made when somebody asks: Stop's hook does no more than record the answer.
import { type Judged, type JudgedMemory, judge } from '../improve/judge.ts'
import { CONFIDENCE } from '../improve/used.ts'
import type { ContributionWeights } from '../model/contribution.ts'
import type { SessionId } from '../model/id.ts'
import type { HelpRecord, Memory } from '../model/memory.ts'
import { memoryNamed, sessionNamed } from './browse.ts'
import { SHIPPED } from './policy/served.ts'
import { catchUp } from './projection/catchUp.ts'
import type { Store } from './store.ts'
import { servingIn } from './view/foldPolicy.ts'
import { load } from './view/save.ts'

export interface Verdict extends Omit<JudgedMemory, 'features' | 'tokens' | 'terms'> {
  readonly recall: Judged['recall']
  readonly session: SessionId | null
  readonly moment: Judged['moment']
  readonly at: string
  readonly withheld: boolean
  /** Its session goes on: what comes later in its task may change it. */
  readonly provisional: boolean
  /** How sure each of its traces alone makes us. */
  readonly confidences: Readonly<Record<string, number>>
  /** The memory's first words; empty for one that is gone. */
  readonly content: string
}

export interface Contributions {
  readonly verdicts: readonly Verdict[]
  readonly weights: ContributionWeights
  /** What a shown memory without a trace of use costs. */
  readonly unusedCost: number
  /** The memory's record of helping over all its recalls, for one memory. */
  readonly help: HelpRecord | null
}

/** The latest verdicts on the memory whose id begins with `prefix`, oldest first. Throws NOT_FOUND. */
export function contributionsOfMemory(store: Store, prefix: string): Contributions {
  const memory = memoryNamed(store, prefix)
  return contributions(store, (verdict) => verdict.memory === memory.id, memory)
}

/** The verdicts on the recalls of the session whose id begins with `prefix`, oldest first. Throws NOT_FOUND. */
export function contributionsOfSession(store: Store, prefix: string): Contributions {
  const session = sessionNamed(store, prefix)
  return contributions(store, (verdict) => verdict.session === session)
}

function contributions(store: Store, wanted: (verdict: Verdict) => boolean, memory?: Memory): Contributions {
  const loaded = load(store)
  catchUp(store, loaded) // In memory alone: looking writes nothing.
  const { view } = loaded
  const policy = servingIn(view, SHIPPED)
  const open = [...view.sessions.values()].flatMap((session) => {
    const judged = session.improved ? [] : judge(session.pending, view.memories, view.baselines, policy.improve)
    const done = new Set(session.pending.slice(0, session.judged ?? 0).map((event) => event.id))
    return judged.filter((one) => !done.has(one.recall))
  })
  const contentOf = (id: Memory['id']): string => view.memories.get(id)?.content ?? ''
  const told = (provisional: boolean) => (one: Judged) =>
    one.memories.map(({ features: _features, tokens: _tokens, terms: _terms, ...verdict }): Verdict => {
      const { recall, session, moment, at, withheld } = one
      const sure: Readonly<Record<string, number>> = CONFIDENCE[moment === 'start' ? 'start' : 'work']
      const confidences = Object.fromEntries(verdict.traces.map((trace) => [trace, sure[trace] ?? 0]))
      const content = contentOf(verdict.memory)
      return { ...verdict, recall, session: session ?? null, moment, at, withheld, provisional, confidences, content }
    })
  const verdicts = [...view.judged.flatMap(told(false)), ...open.flatMap(told(true))].filter(wanted)
  const { contribution: weights, unusedCost } = policy.improve
  return { verdicts, weights, unusedCost, help: memory?.help ?? null }
}
