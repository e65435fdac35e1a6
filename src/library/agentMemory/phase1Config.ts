// Phase1Config: every number of seed 000's parameter table, in TypeScript's spelling. docs/library.md has the table.

import type { MemoryScope } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import {
  computeConsolidationLevel,
  computeTaskRetention,
  IMPACT_KINDS,
  type ImpactKind,
  impactValue,
  type StrengthPolicy,
} from '../../model/strength.ts'

export interface ScoreWeights {
  readonly similarity: number
  readonly strength: number
  readonly recency: number
}

/** What of a Phase1Config may be given. */
export type Phase1Values = {
  readonly [Name in keyof Phase1Config as Phase1Config[Name] extends Method ? never : Name]: Phase1Config[Name]
}
type Method = (...given: never[]) => unknown

/** What must be a share of one, and what must be a whole number from 1 up. */
const SHARES = ['similarityThreshold', 'impactToStrengthRatio'] as const
const COUNTS = [
  'expectedTasksPerDay',
  'candidateLimit',
  'topKResults',
  'maxActiveMemories',
  'embeddingDimension',
] as const

/** What use, impact, decay and search go by. Throws CONFIG_INVALID for a value nothing could be reckoned with. */
export class Phase1Config {
  readonly initialStrength: number = 1.0
  /** Of what was only read. */
  readonly initialStrengthEducation: number = 0.5
  readonly strengthIncrementOnUse: number = 0.1
  readonly perspectiveStrengthIncrement: number = 0.15
  /** Archived at this strength or below. */
  readonly archiveThreshold: number = 0.1
  readonly reactivationStrength: number = 0.5
  readonly expectedTasksPerDay: number = 10
  /** Uses from which each consolidation level begins, rising from 0. */
  readonly consolidationThresholds: readonly number[] = [0, 5, 15, 30, 60, 100]
  /** The share of strength that each level keeps in a day. */
  readonly dailyDecayTargets: Readonly<Record<number, number>> = {
    0: 0.95,
    1: 0.97,
    2: 0.98,
    3: 0.99,
    4: 0.995,
    5: 0.998,
  }
  readonly similarityThreshold: number = 0.3
  readonly candidateLimit: number = 50
  readonly topKResults: number = 10
  readonly scoreWeights: ScoreWeights = { similarity: 0.5, strength: 0.3, recency: 0.2 }
  readonly impactUserPositive: number = 2.0
  readonly impactTaskSuccess: number = 1.5
  readonly impactPreventedError: number = 2.0
  readonly impactToStrengthRatio: number = 0.2
  /** Active memories of one agent; over it the weakest are archived. */
  readonly maxActiveMemories: number = 5000
  readonly embeddingModel: string = 'text-embedding-3-small'
  readonly embeddingDimension: number = 1536
  readonly currentProjectId: string = 'llm-persistent-memory-phase1'
  /** Domains whose memories are searched too, whoever's they are. */
  readonly relatedDomains: readonly string[] = []
  readonly defaultScopeLevel: MemoryScope = 'project'

  /** The document's defaults, with `changes` over them. */
  constructor(changes: Partial<Phase1Values> = {}) {
    const names = Object.keys(this)
    for (const [name, value] of Object.entries(changes)) {
      if (!names.includes(name)) throw invalid(name, 'is not known', `There is ${names.join(', ')}`)
      if (value !== undefined) Object.assign(this, { [name]: value })
    }
    check(this)
  }

  /** What a memory of this consolidation level, 0 to 5, keeps of its strength in one task: daily target ^ (1 / tasks a day). */
  getDecayRate(consolidationLevel: number): number {
    const daily = this.dailyDecayTargets[consolidationLevel]
    if (daily !== undefined) return computeTaskRetention(daily, this.expectedTasksPerDay)
    throw new MemoryError('INPUT_INVALID', `there is no consolidation level ${consolidationLevel}`, {
      hint: `Use one of ${Object.keys(this.dailyDecayTargets).join(', ')}.`,
    })
  }

  /** The consolidation level of a memory used so many times. */
  getConsolidationLevel(accessCount: number): number {
    return computeConsolidationLevel(accessCount, this.consolidationThresholds)
  }

  /** What an impact of this kind adds to the impact score. Throws INPUT_INVALID for another kind. */
  impactValue(kind: string): number {
    return impactValue(impactNamed(kind), strengthPolicyOf(this))
  }
}

/** The impact of this name. Throws INPUT_INVALID for another name. */
export function impactNamed(name: string): ImpactKind {
  const impact = IMPACT_KINDS.find((kind) => kind === name)
  if (impact) return impact
  throw new MemoryError('INPUT_INVALID', `there is no impact ${JSON.stringify(name)}`, {
    hint: `Use one of ${IMPACT_KINDS.join(', ')}.`,
  })
}

/** The same numbers under the names of a policy, as the strength reducer takes them. */
export const strengthPolicyOf = (values: Phase1Config): StrengthPolicy => ({
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

function check(values: Phase1Config): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number' && !(Number.isFinite(value) && value >= 0)) {
      throw invalid(name, `is ${value}`, 'Use a number from 0 up')
    }
  }
  for (const name of SHARES) if (values[name] > 1) throw invalid(name, `is ${values[name]}`, 'Use a number from 0 to 1')
  for (const name of COUNTS) {
    if (!Number.isInteger(values[name]) || values[name] < 1) {
      throw invalid(name, `is ${values[name]}`, 'Use a whole number from 1 up')
    }
  }
  const { consolidationThresholds: uses, dailyDecayTargets } = values
  if (uses[0] !== 0 || uses.some((one, i) => i > 0 && one <= uses[i - 1]!)) {
    throw invalid('consolidationThresholds', `is [${uses.join(', ')}]`, 'Begin with 0 and rise')
  }
  for (const level of uses.keys()) {
    const kept = dailyDecayTargets[level]
    if (!(kept !== undefined && kept > 0 && kept <= 1)) {
      throw invalid(`dailyDecayTargets.${level}`, `is ${kept}`, 'Give each level a share above 0, up to 1')
    }
  }
}

const invalid = (name: string, what: string, hint: string): MemoryError =>
  new MemoryError('CONFIG_INVALID', `${name} ${what}`, { hint: `${hint}.` })

/** The document's defaults. */
export const config = new Phase1Config()
