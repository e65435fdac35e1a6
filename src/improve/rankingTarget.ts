// The weights and least scores that a group's notes speak for: where learning moves to, step by step.
//
// Regularised least squares predict the value of a note from its configured score and its features:
//
//   value ≈ a + c · score + Σ δ · feature        only the δ are regularised, so without evidence nothing changes
//
// In units of the score each weight becomes (c · weight + δ) / c. The least score of a moment becomes the score at
// which the predicted value is 0, where a note is just worth its tokens.
import { getPolicyValue, type Policy, selectRankingModel } from '../model/policy.ts'
import { findNumberSpec } from '../model/policySchema.ts'
import { computeScore } from '../model/rankingScore.ts'
import { hash32 } from '../text/hash.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { GROUP_MOMENTS, LEARNABLE_WEIGHTS, type WeightGroup } from './learnableWeights.ts'
import { isRanked } from './noteValue.ts'
import { clusterKey, type PolicyValues } from './offPolicy.ts'
import { type ConfidenceBound, computeConfidenceBound, fitRidge, mean, SIGNIFICANCE_SIGMAS, sum } from './statistics.ts'

/** The regularisation of each δ, in notes: with fewer notes than this the configured weight prevails. */
const RIDGE = 30

/** The least c: where the configured score hardly tells anything, its weights shrink. */
const SCALE_MIN = 0.1

/** Parts of the sessions for cross-validation. */
const FOLDS = 5

/** A feature with less variance than this says nothing. */
const VARIANCE_MIN = 1e-4

interface Evidence {
  readonly notes: number
  readonly sessions: number
}

/** The distinct notes and the sessions of these recalls. */
export const countEvidence = (recalls: readonly AttributedRecall[]): Evidence => {
  const own = recalls.filter(({ memories }) => memories.some(isRanked))
  return {
    notes: new Set(own.flatMap(({ memories }) => memories.filter(isRanked).map(({ memory }) => memory))).size,
    sessions: new Set(own.map(clusterKey)).size,
  }
}

/** Whether recalls have as many notes and sessions as the policy demands before anything may be learned from them. */
export function isEnough(recalls: readonly AttributedRecall[], { notesMin, sessionsMin }: Policy['improve']): boolean {
  const { notes, sessions } = countEvidence(recalls)
  return notes >= notesMin && sessions >= sessionsMin
}

/** The weights that a group should have in the end, as path → value. The recalls are of this group and enough. */
export function computeTargetWeights(
  recalls: readonly AttributedRecall[],
  group: WeightGroup,
  configured: Policy,
): PolicyValues {
  const fit = fitValues(recalls, group, configured)
  const scale = Math.max(SCALE_MIN, fit.scale)
  return Object.fromEntries(
    fit.learnable.map(({ path, min, max }, i) => {
      const value = (fit.scale * (getPolicyValue(configured, path) ?? 0) + (fit.changes[i] ?? 0)) / scale
      return [path, Math.min(max, Math.max(min, value))]
    }),
  )
}

/** The least scores that the moments of a group should have with the weights of this policy, as path → value. */
export const computeTargetScores = (
  recalls: readonly AttributedRecall[],
  group: WeightGroup,
  policy: Policy,
): PolicyValues =>
  Object.fromEntries(
    GROUP_MOMENTS[group].flatMap((moment) => {
      const own = recalls.filter((recall) => recall.moment === moment)
      const value = isEnough(own, policy.improve) ? computeLeastScore(own, moment, policy) : undefined
      return value === undefined ? [] : [[`recall.moments.${moment}.scoreMin`, value]]
    }),
  )

interface ValueFit {
  readonly learnable: (typeof LEARNABLE_WEIGHTS)[WeightGroup]
  /** c and the δ of the learnable weights. */
  readonly scale: number
  readonly changes: readonly number[]
  /** The predicted value of a note, from the mean of the notes it was fitted to. */
  readonly predict: (note: AttributedMemory) => number
}

function fitValues(recalls: readonly AttributedRecall[], group: WeightGroup, configured: Policy): ValueFit {
  const model = selectRankingModel(configured.recall, GROUP_MOMENTS[group][0] ?? 'call')
  const notes = recalls.flatMap(({ memories }) => memories.filter(isRanked))
  const learnable = LEARNABLE_WEIGHTS[group].filter(({ feature }) => varianceOf(notes, feature) >= VARIANCE_MIN)
  const predictorsOf = ({ features }: AttributedMemory): number[] => [
    computeScore(features, model),
    ...learnable.map(({ feature }) => features[feature] ?? 0),
  ]
  const rows = notes.map((note) => ({ predictors: predictorsOf(note), value: note.contribution }))
  const coefficients = fitRidge(rows, [1e-6, ...learnable.map(() => RIDGE)])
  const [scale = 0, ...changes] = coefficients
  const linear = (predictors: readonly number[]) => sum(predictors.map((value, i) => value * (coefficients[i] ?? 0)))
  const center = mean(rows.map(({ predictors }) => linear(predictors)))
  return { learnable, scale, changes, predict: (note) => linear(predictorsOf(note)) - center }
}

/**
 * Whether the fit predicts values in sessions that it was not fitted to: the mean product of prediction and value, both
 * from their means, and its lower bound. Without a relation, as with noise, the mean product is 0 or less.
 */
export function crossValidate(
  recalls: readonly AttributedRecall[],
  group: WeightGroup,
  configured: Policy,
  sigmas: number,
): ConfidenceBound {
  const foldOf = (recall: AttributedRecall): number => hash32(clusterKey(recall)) % FOLDS
  const products: number[] = []
  const sessions: string[] = []
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = recalls.filter((recall) => foldOf(recall) !== fold)
    const { predict } = fitValues(others, group, configured)
    const usual = mean(others.flatMap(({ memories }) => memories.filter(isRanked).map((note) => note.contribution)))
    for (const recall of recalls.filter((other) => foldOf(other) === fold)) {
      for (const note of recall.memories.filter(isRanked)) {
        products.push(predict(note) * (note.contribution - usual))
        sessions.push(clusterKey(recall))
      }
    }
  }
  // One more session is assumed to contradict as much as any note agrees, so that a single note cannot decide.
  const assumed = Math.max(...products.map(Math.abs))
  return computeConfidenceBound([...products, -assumed], [...sessions, 'assumed'], sigmas)
}

function varianceOf(notes: readonly AttributedMemory[], feature: string): number {
  const values = notes.map(({ features }) => features[feature] ?? 0)
  const average = mean(values)
  return mean(values.map((value) => (value - average) ** 2))
}

/** The score at which a note is just worth its tokens; at least the configured one, at most the best score. */
function computeLeastScore(
  recalls: readonly AttributedRecall[],
  moment: AttributedRecall['moment'],
  policy: Policy,
): number | undefined {
  const path = `recall.moments.${moment}.scoreMin`
  const configured = getPolicyValue(policy, path)
  const spec = findNumberSpec(path)
  if (configured === undefined || !spec) return undefined
  const model = selectRankingModel(policy.recall, moment)
  const notes = recalls.flatMap((recall) =>
    recall.memories.filter(isRanked).map(({ features, contribution }) => ({
      score: computeScore(features, model),
      value: contribution,
      session: clusterKey(recall),
    })),
  )
  const values = notes.map(({ value }) => value)
  const sessions = notes.map(({ session }) => session)
  const best = Math.min(spec.max, Math.max(...notes.map(({ score }) => score)))
  const middle = mean(notes.map(({ score }) => score))
  const usual = mean(values)
  const products = notes.map(({ score, value }) => (score - middle) * (value - usual))
  if (computeConfidenceBound(products, sessions, policy.improve.guardSigmas).lower > 0) {
    const [slope = 0] = fitRidge(
      notes.map(({ score, value }) => ({ predictors: [score], value })),
      [1e-6],
    )
    return Math.min(best, Math.max(configured, middle - usual / slope))
  }
  // The score tells nothing: only if hardly any note is worth its tokens, just the best are shown.
  const losses = values.map((value) => -value)
  return computeConfidenceBound(losses, sessions, SIGNIFICANCE_SIGMAS).lower > 0 ? best : undefined
}
