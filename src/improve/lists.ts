// Lists: judged recalls as numbers that weights can be fitted to. What each recall says is which of its memories helped more.
import type { Features, Moment } from '../model/cue.ts'
import { FEATURES, type Policy, QUESTION_FEATURES, WORK_FEATURES, weighing } from '../model/policy.ts'
import { BOOSTS, scoreUnder } from '../model/score.ts'
import { fitted, type List, surpriseOf } from './fit.ts'
import type { Judged } from './judge.ts'

/** Weights hold for questions in words, for prompts, or for the other moments of work. */
export const MODES = ['work', 'prompt', 'ask'] as const
export type Mode = (typeof MODES)[number]

export const modeOf = (moment: Moment): Mode => (moment === 'ask' || moment === 'prompt' ? moment : 'work')

/** A number that is learned from a feature. */
export interface Column {
  readonly feature: string
  /** Where it stands in the policy. */
  readonly path: string
  readonly min: number
  readonly max: number
}

/** What may be learned in a mode. Boosts are of both modes; they are learned at work, where they are meant. */
export const COLUMNS: Readonly<Record<Mode, readonly Column[]>> = {
  work: [
    ...FEATURES.map((feature) => ({ feature, path: `recall.weights.${feature}`, min: -1, max: 2 })),
    ...BOOSTS.map((feature) => ({ feature, path: `recall.boosts.${feature}`, min: 0, max: 1 })),
  ],
  prompt: [...FEATURES, ...WORK_FEATURES].map((feature) => ({
    ...{ feature, path: `recall.prompted.${feature}`, min: -1, max: 2 },
  })),
  ask: [...FEATURES, ...QUESTION_FEATURES].map((feature) => ({
    ...{ feature, path: `recall.asked.${feature}`, min: -1, max: 2 },
  })),
}

/**
 * What a weight's change is expected to move the memories of a recall by at most, in units of score: its σ (see FitOptions) is this
 * by how much its feature differs within the recalls. Measured: docs/improve.md.
 */
const SPREAD_SCORE = 0.03

/** A feature that differs less than this says so little that its weight would be anybody's guess. */
const DIFFERENCE_MIN = 0.05

/**
 * How steeply a higher score may be chosen: whichever of these tells the recalls best with the weights as they are (temperature
 * scaling, Guo et al. 2017). A policy's scale is its own; at a wrong steepness fitting would only stretch or shrink all its weights.
 */
const STEEPNESSES = [1, 1.5, 2, 3, 4, 6, 8, 12, 16]

/**
 * What examination costs a place: a note that stands p-th among those shown is looked at p ^ -.5 as surely as the first, so its
 * help counts that much more (inverse propensity, Joachims, Swaminathan & Schnabel 2017), three times at most (clipped, as their
 * variance asks). Of what was withheld nothing was looked at: all places are alike.
 */
const PLACE_POWER = 0.5
const PLACE_WEIGHT_MAX = 3

/**
 * What a recall says of its memories: how much each helped more than the least, by place; 0 where none did. Harm counts as much
 * as help: what is above the harmful gains.
 */
export function helpOf({ memories, withheld, moment }: Judged): number[] {
  const least = memories.reduce((low, { contribution }) => Math.min(low, contribution), Number.POSITIVE_INFINITY)
  const looked = !withheld && moment !== 'ask'
  return memories.map(({ contribution }, place) => {
    const propensity = looked ? Math.min(PLACE_WEIGHT_MAX, (place + 1) ** PLACE_POWER) : 1
    return (contribution - least) * propensity
  })
}

/** A recall that says something, with its numbers. */
export interface Told {
  readonly judged: Judged
  readonly help: readonly number[]
  readonly list: List
}

/** The recalls of a mode in which something helped more than something else, by the policy's scores. */
export const told = (judged: readonly Judged[], mode: Mode, policy: Policy): Told[] =>
  judged.flatMap((one) => {
    if (modeOf(one.moment) !== mode || one.memories.length < 2) return []
    const help = helpOf(one)
    return help.some((value) => value > 0) ? [{ judged: one, help, list: listOf(one, help, mode, policy) }] : []
  })

/** What recalls have taught. */
export interface Taught {
  /** What to add to each column's weight. */
  readonly change: Float64Array
  /** How steeply a higher score was taken to be chosen. */
  readonly steepness: number
}

/** What these recalls teach. */
export function taughtBy(all: readonly Told[], mode: Mode): Taught {
  const lists = all.map(({ list }) => list)
  let steepness = STEEPNESSES[0]!
  let least = Number.POSITIVE_INFINITY
  for (const tried of STEEPNESSES) {
    const loss = lists.reduce((sum, list) => sum + surpriseOf(list, list.start, tried), 0)
    if (loss < least) [least, steepness] = [loss, tried]
  }
  // A feature that is the same everywhere says nothing of its weight.
  const spreads = [...differencesIn(lists, COLUMNS[mode].length)].map((difference) =>
    difference > 0 ? SPREAD_SCORE / Math.max(DIFFERENCE_MIN, difference) : 0,
  )
  return { change: fitted(lists, { steepness, spreads }), steepness }
}

/** By how much each column differs among the memories of one recall: the root of its mean variance. */
function differencesIn(lists: readonly List[], columns: number): Float64Array {
  const squares = new Float64Array(columns)
  for (const { features, start } of lists) {
    const rows = start.length
    for (let i = 0; i < columns; i++) {
      let [sum, square] = [0, 0]
      for (let at = i; at < features.length; at += columns) {
        const value = features[at]!
        sum += value
        square += value * value
      }
      squares[i]! += square / rows - (sum / rows) ** 2
    }
  }
  // Rounding leaves a hair where a feature is the same everywhere.
  return squares.map((square) => (square > 1e-9 * lists.length ? Math.sqrt(square / lists.length) : 0))
}

/** The weights these recalls speak for, as path → value, starting from `policy`. */
export function weightsFrom(all: readonly Told[], mode: Mode, policy: Policy): Record<string, number> {
  const { change } = taughtBy(all, mode)
  const start = weighing(policy.recall, mode === 'work' ? 'call' : mode)
  return Object.fromEntries(
    COLUMNS[mode].map(({ feature, path, min, max }, i) => {
      const value = Math.min(max, Math.max(min, startOf(feature, start) + change[i]!))
      return [path, Math.round(value * 10_000) / 10_000]
    }),
  )
}

/** The scores of a list's memories with `change` added to the weights. */
export function scoresWith({ list: { start, features, columns } }: Told, change: Float64Array): Float64Array {
  return start.map((from, row) => {
    let score = from
    for (let i = 0; i < columns; i++) score += change[i]! * features[row * columns + i]!
    return score
  })
}

function startOf(feature: string, { weights, boosts }: ReturnType<typeof weighing>): number {
  return (weights as Features)[feature] ?? (boosts as Features)[feature] ?? 0
}

function listOf({ memories, moment }: Judged, help: readonly number[], mode: Mode, { recall }: Policy): List {
  const columns = COLUMNS[mode]
  const features = new Float64Array(memories.length * columns.length)
  memories.forEach((memory, row) => {
    columns.forEach(({ feature }, i) => {
      features[row * columns.length + i] = memory.features[feature] ?? 0
    })
  })
  const weights = weighing(recall, moment)
  const sum = help.reduce((total, value) => total + value, 0)
  const most = help.reduce((high, value) => Math.max(high, value), 0)
  return {
    ...{ columns: columns.length, features },
    start: Float64Array.from(memories, (memory) => scoreUnder(memory.features, weights)),
    shares: Float64Array.from(help, (value) => value / sum),
    // A hair's difference is no verdict.
    weight: Math.min(1, most),
  }
}
