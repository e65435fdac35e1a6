// Simulated projects for learning: recalls under the policy that is active at the time, judged by a known worth,
// with a session's end after every ten.
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedMemory, AttributedRecall } from '../../src/improve/attribution.ts'
import { computePolicyStep } from '../../src/improve/policyStep.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import { applyLearnedPolicy, EMPTY_LEARNED_POLICY, type LearnedPolicy, type Policy } from '../../src/model/policy.ts'
import type { RecallMoment } from '../../src/model/recallQuery.ts'
import { createRandom } from '../random.ts'
import { BEGIN, HOUR, iso, testMemoryId } from '../testData.ts'

/** The contribution of the memory at a place (from 0). */
export type WorthAt = (place: number, chance: () => number) => number

export interface Project {
  readonly moment: RecallMoment
  readonly worth: WorthAt
  readonly recalls: number
  /** Tokens of each memory. */
  readonly tokens?: number
  readonly shipped: Policy
}

const RANKED = 8

/** The default policy with four places at a prompt, so that a limit can fall and rise. */
export const FOUR_PLACES: Policy = {
  ...DEFAULT_POLICY,
  recall: {
    ...DEFAULT_POLICY.recall,
    moments: { ...DEFAULT_POLICY.recall.moments, prompt: { ...DEFAULT_POLICY.recall.moments.prompt, topK: 4 } },
  },
}
const SESSION = 10

export interface Lived {
  /** The active policy at the end. */
  readonly policy: Policy
  readonly learned: LearnedPolicy
  /** The active policy after each session. */
  readonly served: readonly Policy[]
}

/** A project from its first recall to its last. */
export function lived(seed: number, project: Project): Lived {
  const { recalls, shipped } = project
  const chance = createRandom(seed)
  const judged: AttributedRecall[] = []
  let learned = EMPTY_LEARNED_POLICY
  const served: Policy[] = []
  for (let n = 0; n < recalls; n++) {
    judged.push(recallUnder(served.at(-1) ?? shipped, n, project, chance))
    if (n % SESSION !== SESSION - 1) continue
    const step = computePolicyStep(judged, shipped, learned)
    if (step) learned = { version: learned.version + 1, values: step.values }
    served.push(applyLearnedPolicy(shipped, learned))
  }
  return { policy: served.at(-1) ?? shipped, learned, served }
}

/** The n-th recall under this policy. */
export function recallUnder(
  policy: Policy,
  n: number,
  { moment, worth, tokens = 40 }: Project,
  chance: () => number,
): AttributedRecall {
  const { topK, budgetTokens } = policy.recall.moments[moment]
  const ranked = Array.from({ length: RANKED }, (_, place): AttributedMemory => {
    const contribution = Math.min(1, Math.max(-1, worth(place, chance)))
    return {
      memory: testMemoryId(RANKED * n + place),
      features: { error: 1, files: 1, command: 1, words: 1 - place / 100 },
      used: contribution > 0 ? 1 : 0,
      traces: [],
      parts: { success: 0, time: 0, calls: 0, errors: 0 },
      ...{ contribution, tokens },
    }
  })
  const places = Math.max(1, Math.min(topK, Math.floor(budgetTokens / tokens)))
  return {
    recall: `recall-${n}` as EventId,
    session: `session-${Math.floor(n / SESSION)}` as SessionId,
    ...{ moment, at: iso(BEGIN + n * HOUR), withheld: false },
    memories: ranked.slice(0, places),
    next: ranked[places],
  }
}
