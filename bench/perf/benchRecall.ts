// bench recall: the time of one recall in a long-running process, such as the MCP server: the question is embedded,
// candidates are found and ranked.
import { performance } from 'node:perf_hooks'
import { recallMemories } from '../../src/broker/search/recallMemories.ts'
import { createBuiltinEmbedder } from '../../src/embed/builtinEmbedder.ts'
import type { FixtureStore } from '../fixture/fixtureStore.ts'
import { seededRandom } from '../fixture/seededRandom.ts'
import { randomFilePath, randomSentence } from '../fixture/syntheticText.ts'
import { median, quantile } from '../hooks/pairedTiming.ts'

export interface RecallResult {
  readonly memories: number
  readonly runs: number
  readonly kinds: readonly {
    readonly kind: string
    readonly medianMs: number
    readonly p95Ms: number
    /** CPU time of one recall, the mean over all: other programs influence it less than elapsed time. */
    readonly cpuMs: number
    readonly found: number
  }[]
}

/** Warm-up questions that are not counted. After them V8 has compiled the code, as in a long-running process. */
const WARM_UP = 30

/** Runs `runs` different questions of each kind. */
export function benchRecall({ store }: FixtureStore, memories: number, runs: number, now: number): RecallResult {
  const chance = seededRandom(7)
  const embedder = createBuiltinEmbedder()
  const kinds = {
    question: () => ({ text: `What about ${randomSentence(chance, 4 + chance.below(6))}`, now }),
    prompt: () => ({ text: `${randomSentence(chance, 12)} ${randomFilePath(chance)}`, moment: 'prompt' as const, now }),
    'long prompt': () => ({ text: Array.from({ length: 12 }, () => randomSentence(chance, 12)).join(' '), now }),
  }
  const results = Object.entries(kinds).map(([kind, makeQuestion]) => {
    const times: number[] = []
    let found = 0
    let cpu = 0
    for (let run = -WARM_UP; run < runs; run++) {
      const question = makeQuestion()
      const busy = process.cpuUsage()
      const began = performance.now()
      embedder.embed([question.text])
      const { shown, others } = recallMemories(store, question)
      const count = shown.length + others.length
      if (run < 0) continue
      times.push(performance.now() - began)
      const { user, system } = process.cpuUsage(busy)
      cpu += user + system
      found += count
    }
    const [medianMs, p95Ms] = [median(times), quantile(times, 0.95)]
    return { kind, cpuMs: cpu / runs / 1000, medianMs, p95Ms, found: Math.round(found / runs) }
  })
  return { memories, runs, kinds: results }
}
