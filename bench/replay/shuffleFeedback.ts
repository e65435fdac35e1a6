// A control for learning: the same verdicts, given to the wrong memories. What is learned then is learned from noise.
import type { AttributedMemory, AttributedRecall } from '../../src/improve/attribution.ts'
import { createRandomNumbers } from '../../src/text/hash.ts'

type Verdict = Omit<AttributedMemory, 'memory' | 'kind' | 'features'>

/**
 * Gives each memory of a recall the verdict of another memory that was shown at the same moment, in this session or
 * before; each verdict is given once. The same seed gives the same order.
 */
export function createFeedbackShuffler(seed: number): (recalls: readonly AttributedRecall[]) => AttributedRecall[] {
  const random = createRandomNumbers(seed)
  const pools = new Map<string, Verdict[]>()
  const poolOf = ({ moment }: AttributedRecall): Verdict[] => {
    const pool = pools.get(moment) ?? []
    pools.set(moment, pool)
    return pool
  }
  return (recalls) => {
    for (const recall of recalls) poolOf(recall).push(...recall.memories.map(selectVerdict))
    return recalls.map((recall) => ({
      ...recall,
      memories: recall.memories.map((memory) => ({ ...memory, ...draw(poolOf(recall), random) })),
    }))
  }
}

/** All that says what followed. Absent fields are set, so that they replace those of another verdict. */
const selectVerdict = ({
  memory: _memory,
  kind: _kind,
  features: _features,
  ...verdict
}: AttributedMemory): Verdict => ({
  evidence: undefined,
  discounted: undefined,
  measured: undefined,
  impacts: undefined,
  ...verdict,
})

/** Some verdicts stay in the pool, so that a session's verdicts mix with those of earlier sessions. */
const POOL_MIN = 40

/** A random verdict of the pool; taken out while enough others remain. */
function draw(pool: Verdict[], random: () => number): Verdict | undefined {
  const index = Math.floor(random() * pool.length)
  return pool.length > POOL_MIN ? pool.splice(index, 1)[0] : pool[index]
}
