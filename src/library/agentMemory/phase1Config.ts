// Phase1Config: every number in the parameter table of the agent-memory spec, in camelCase. docs/library.md has the
// table.
import { MEMORY_SCOPES, type MemoryScope } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import {
  computeConsolidationLevel,
  computeTaskRetention,
  IMPACT_KINDS,
  type ImpactKind,
  impactValue,
  isAmount,
  type StrengthPolicy,
} from '../../model/strength.ts'
import { excerptOf } from '../../text/plainJson.ts'

/** The weight of each part of a score, 0 to 1,000,000,000 each; by default they add up to 1. */
export interface ScoreWeights {
  /** Of the similarity to the query; default: 0.5. */
  readonly similarity: number
  /** Of the strength; default: 0.3. */
  readonly strength: number
  /** Of the time since the last use; default: 0.2. */
  readonly recency: number
}

/** The values of a Phase1Config, without its methods. */
export type Phase1Values = Omit<Phase1Config, 'getDecayRate' | 'getConsolidationLevel' | 'impactValue'>

/** Values from 0 to 1, and whole numbers from 1 up. */
const SHARES = ['similarityThreshold', 'impactToStrengthRatio'] as const
const COUNTS = [
  'expectedTasksPerDay',
  'candidateLimit',
  'topKResults',
  'maxActiveMemories',
  'embeddingDimension',
] as const

/** The numbers for use, impact, decay and search. Throws CONFIG_INVALID for a value out of range. */
export class Phase1Config {
  /** The strength of a new memory, from 0. */
  readonly initialStrength: number = 1.0
  /** The strength of a new memory from education, from 0. */
  readonly initialStrengthEducation: number = 0.5
  /** Added to the strength at each use, from 0. */
  readonly strengthIncrementOnUse: number = 0.1
  /** Added to the strength of the perspective at each use, from 0. */
  readonly perspectiveStrengthIncrement: number = 0.15
  /** Memories of this strength or below are archived; from 0. */
  readonly archiveThreshold: number = 0.1
  /** The strength of a reactivated memory, from 0. */
  readonly reactivationStrength: number = 0.5
  /** Tasks per day, a whole number from 1: the decay of a day is divided among them. */
  readonly expectedTasksPerDay: number = 10
  /** The number of uses at which each consolidation level begins; ascending from 0. */
  readonly consolidationThresholds: readonly number[] = [0, 5, 15, 30, 60, 100]
  /** The share of strength that a memory of each level retains per day, above 0 and up to 1. */
  readonly dailyDecayTargets: Readonly<Record<number, number>> = {
    0: 0.95,
    1: 0.97,
    2: 0.98,
    3: 0.99,
    4: 0.995,
    5: 0.998,
  }
  /** The lowest similarity of a candidate, 0 to 1. */
  readonly similarityThreshold: number = 0.3
  /** Candidates of a search, a whole number from 1. */
  readonly candidateLimit: number = 50
  /** Memories that a task is given, a whole number from 1. */
  readonly topKResults: number = 10
  /** The weights of the score; all of them. */
  readonly scoreWeights: ScoreWeights = { similarity: 0.5, strength: 0.3, recency: 0.2 }
  /** The impact of praise by a user, from 0. */
  readonly impactUserPositive: number = 2.0
  /** The impact of a task that succeeded, from 0. */
  readonly impactTaskSuccess: number = 1.5
  /** The impact of an error that was prevented, from 0. */
  readonly impactPreventedError: number = 2.0
  /** The share of an impact that is added to the strength, 0 to 1. */
  readonly impactToStrengthRatio: number = 0.2
  /** Active memories of one agent, a whole number from 1; beyond it the weakest are archived. */
  readonly maxActiveMemories: number = 5000
  /** The model that made the vectors that a program stores. */
  readonly embeddingModel: string = 'text-embedding-3-small'
  /** Numbers in a vector, a whole number from 1. */
  readonly embeddingDimension: number = 1536
  /** The specification's name of the project; memctl finds the project itself. */
  readonly currentProjectId: string = 'llm-persistent-memory-phase1'
  /** Domains with memories that are searched for every agent. */
  readonly relatedDomains: readonly string[] = []
  /** The scope of a new memory. */
  readonly defaultScopeLevel: MemoryScope = 'project'

  /** The spec's defaults with these changes. */
  constructor(changes: Partial<Phase1Values> = {}) {
    const names = Object.keys(this)
    for (const [name, value] of Object.entries(changes)) {
      if (!names.includes(name)) throw invalid(name, 'is not known', `Names: ${names.join(', ')}`)
      if (value === undefined) continue
      const usual = this[name as keyof Phase1Values]
      if (typeof usual === 'number' && !isAmount(value)) throw wrong(name, value, 'Use a number from 0 up')
      if (typeof usual === 'string' && (typeof value !== 'string' || value === ''))
        throw wrong(name, value, 'Use a text')
      Object.assign(this, { [name]: value })
    }
    check(this)
  }

  /** The share of strength that level 0 to 5 retains per task: daily target ^ (1 / tasks per day). */
  getDecayRate(consolidationLevel: number): number {
    const daily = this.dailyDecayTargets[consolidationLevel]
    if (daily !== undefined) return computeTaskRetention(daily, this.expectedTasksPerDay)
    throw new MemoryError('INPUT_INVALID', `there is no consolidation level ${consolidationLevel}`, {
      hint: `Use one of ${Object.keys(this.dailyDecayTargets).join(', ')}.`,
    })
  }

  /** The consolidation level for a number of uses. */
  getConsolidationLevel(accessCount: number): number {
    return computeConsolidationLevel(accessCount, this.consolidationThresholds)
  }

  /** The increment of the impact score for an impact. Throws INPUT_INVALID for another impact. */
  impactValue(kind: string): number {
    return impactValue(parseImpactKind(kind), toStrengthPolicy(this))
  }
}

/** Throws INPUT_INVALID for another name. */
export function parseImpactKind(name: string): ImpactKind {
  const impact = IMPACT_KINDS.find((kind) => kind === name)
  if (impact) return impact
  throw new MemoryError('INPUT_INVALID', `there is no impact ${JSON.stringify(name)}`, {
    hint: `Use one of ${IMPACT_KINDS.join(', ')}.`,
  })
}

/** The numbers as a strength policy, for the strength reducer. */
export const toStrengthPolicy = (values: Phase1Config): StrengthPolicy => ({
  initial: values.initialStrength,
  initialEducation: values.initialStrengthEducation,
  incrementOnUse: values.strengthIncrementOnUse,
  perspectiveIncrement: values.perspectiveStrengthIncrement,
  archiveAt: values.archiveThreshold,
  reactivated: values.reactivationStrength,
  impactRatio: values.impactToStrengthRatio,
  impact: {
    userPositive: values.impactUserPositive,
    taskSuccess: values.impactTaskSuccess,
    preventedError: values.impactPreventedError,
  },
  levelUses: values.consolidationThresholds,
  dailyRetention: values.consolidationThresholds.map((_, level) => values.dailyDecayTargets[level] ?? 1),
  tasksPerDay: values.expectedTasksPerDay,
})

/** Weights of the score, all of them: without one every score would be NaN. */
const WEIGHTS = ['similarity', 'strength', 'recency'] as const

function check(values: Phase1Config): void {
  const { scoreWeights, consolidationThresholds: uses, dailyDecayTargets, relatedDomains, defaultScopeLevel } = values
  for (const name of SHARES) if (values[name] > 1) throw wrong(name, values[name], 'Use a number from 0 to 1')
  for (const name of COUNTS)
    if (!Number.isInteger(values[name]) || values[name] < 1)
      throw wrong(name, values[name], 'Use a whole number from 1 up')
  for (const name of WEIGHTS)
    if (!isAmount(scoreWeights?.[name]))
      throw wrong(`scoreWeights.${name}`, scoreWeights?.[name], 'Give all of them as numbers')
  const isAscending = (count: unknown, i: number): boolean =>
    isAmount(count) && (i === 0 ? count === 0 : count > (uses[i - 1] ?? 0))
  if (!Array.isArray(uses) || uses.length === 0 || !uses.every(isAscending))
    throw wrong('consolidationThresholds', uses, 'Use ascending numbers that start with 0')
  for (const level of uses.keys()) {
    const retained = dailyDecayTargets?.[level]
    if (!isAmount(retained) || retained === 0 || retained > 1)
      throw wrong(`dailyDecayTargets.${level}`, retained, 'Give each level a share above 0, up to 1')
  }
  if (!Array.isArray(relatedDomains) || !relatedDomains.every((domain) => typeof domain === 'string'))
    throw wrong('relatedDomains', relatedDomains, 'Use a list of texts')
  if (!MEMORY_SCOPES.includes(defaultScopeLevel))
    throw wrong('defaultScopeLevel', defaultScopeLevel, `Use one of ${MEMORY_SCOPES.join(', ')}`)
}

const wrong = (name: string, value: unknown, hint: string): MemoryError => invalid(name, `is ${excerptOf(value)}`, hint)

const invalid = (name: string, what: string, hint: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', `${name} ${what}`, { hint: `${hint}.` })

/** The spec's defaults. */
export const config = new Phase1Config()
