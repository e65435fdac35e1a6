// The numbers of the agent-memory specification, recomputed from its text alone: this file imports nothing, so that
// it shares no formula and no constant with the library.

/** Consolidation levels: uses from which one begins, and the share of strength that a day leaves. */
const LEVELS = [
  { uses: 0, daily: 0.95 },
  { uses: 5, daily: 0.97 },
  { uses: 15, daily: 0.98 },
  { uses: 30, daily: 0.99 },
  { uses: 60, daily: 0.995 },
  { uses: 100, daily: 0.998 },
]
const TASKS_PER_DAY = 10
const USE = 0.1
const PERSPECTIVE_USE = 0.15
const ARCHIVED_AT = 0.1
const REACTIVATED = 0.5
const IMPACTS = { user_positive: 2.0, task_success: 1.5, prevented_error: 2.0 }
const IMPACT_SHARE = 0.2

export interface Recomputed {
  strength: number
  perspectives: Record<string, number>
  accessCount: number
  candidateCount: number
  impactScore: number
  level: number
  isActive: boolean
}

export type Step =
  | { readonly kind: 'candidate' | 'decay' | 'reactivate' }
  | { readonly kind: 'set'; readonly strength: number }
  | { readonly kind: 'use'; readonly perspective: string | undefined }
  | { readonly kind: 'impact'; readonly impact: keyof typeof IMPACTS }

export const newRecomputed = (strength: number): Recomputed => ({
  ...{ strength, perspectives: {}, accessCount: 0, candidateCount: 0, impactScore: 0, level: 0, isActive: true },
})

/** The share of strength that one task leaves at a level, by logarithms. */
export const taskShare = (level: number): number => Math.exp(Math.log(LEVELS[level]?.daily ?? 1) / TASKS_PER_DAY)

export function levelOfUses(uses: number): number {
  let level = 0
  for (let i = 0; i < LEVELS.length; i++) if (uses >= (LEVELS[i]?.uses ?? 0)) level = i
  return level
}

/** Applies one step of the document to a memory. A decay is a whole sleep phase: it also archives and sets levels. */
export function recompute(memory: Recomputed, step: Step): void {
  switch (step.kind) {
    case 'candidate':
      memory.candidateCount += 1
      return
    case 'set':
      memory.strength = step.strength
      return
    case 'use':
      memory.accessCount += 1
      memory.strength += USE
      if (step.perspective !== undefined)
        memory.perspectives[step.perspective] = (memory.perspectives[step.perspective] ?? 0) + PERSPECTIVE_USE
      memory.level = levelOfUses(memory.accessCount)
      return
    case 'impact':
      memory.impactScore += IMPACTS[step.impact]
      memory.strength += IMPACTS[step.impact] * IMPACT_SHARE
      return
    case 'decay':
      if (!memory.isActive) return
      memory.strength *= taskShare(memory.level)
      if (memory.strength <= ARCHIVED_AT) memory.isActive = false
      else memory.level = levelOfUses(memory.accessCount)
      return
    case 'reactivate':
      if (memory.isActive) return
      memory.isActive = true
      memory.strength = REACTIVATED
  }
}

/** score = similarity × 0.50 + normalized strength × 0.30 + recency × 0.20 */
export const finalScore = (similarity: number, strength: number, recency: number): number =>
  similarity * 0.5 + Math.min(1, strength / 2) * 0.3 + recency * 0.2

/** Steps that depend only on the seed (mulberry32). Some set a strength near the archive's, so that memories return. */
export function drawSteps(seed: number, count: number): { readonly memory: number; readonly step: Step }[] {
  let state = seed
  const draw = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const perspectives = ['コスト', '納期', undefined]
  const impacts = Object.keys(IMPACTS) as (keyof typeof IMPACTS)[]
  return Array.from({ length: count }, () => {
    const memory = draw(4)
    const kind = draw(20)
    if (kind < 9) return { memory, step: { kind: 'decay' } }
    if (kind < 16) return { memory, step: { kind: 'use', perspective: perspectives[draw(3)] } }
    if (kind < 17) return { memory, step: { kind: 'candidate' } }
    if (kind < 18) return { memory, step: { kind: 'impact', impact: impacts[draw(3)] ?? 'task_success' } }
    if (kind < 19) return { memory, step: { kind: 'set', strength: 0.1 + draw(20) / 10_000 } }
    return { memory, step: { kind: 'reactivate' } }
  })
}
