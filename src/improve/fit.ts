// Fit: weights from recalls in which something helped more than the rest. A listwise softmax, pulled to where it starts.
//
// Each recall says: of these memories, that one. The loss is the cross entropy between the shares of help and softmax(β · score)
// (ListNet's top-one probability, Cao et al. 2007), plus ½ Σ (Δ/σ)²: a normal prior around the start's weights, so that what the
// evidence does not speak of stays. It is convex, so Newton's method finds the one minimum, the same for the same recalls.

/** One recall as numbers: row i of `features` is memory i's, `columns` wide. */
export interface List {
  readonly columns: number
  readonly features: Float64Array
  /** The score each memory has by what is not learned here. */
  readonly start: Float64Array
  /** How the help is shared out: 0 or more, adding up to 1. */
  readonly shares: Float64Array
  /** How much this recall says, 0 or more. */
  readonly weight: number
}

export interface FitOptions {
  /** β: how steeply a higher score is chosen. Scores lie mostly within 0 to 2, so at 8 a tenth more is chosen about twice as often. */
  readonly steepness: number
  /** σ: how far from its start each weight is expected to be right; at 0 it stays there. */
  readonly spreads: readonly number[]
}

/** Newton's steps at most; five or six are enough for six digits. */
const STEPS_MAX = 12

/** A step that moves no weight by more than this is the last. */
const MOVE_MIN = 1e-5

/** No step moves a weight by more than this: far from the minimum Newton's may be wild. */
const MOVE_MAX = 0.5

/** What to add to each column's weight. All 0 where no list has anything to say. */
export function fitted(all: readonly List[], { steepness, spreads }: FitOptions): Float64Array {
  const free = spreads.flatMap((spread, i) => (spread > 0 ? [i] : []))
  const lists = all.map((list) => ({ ...list, ...columnsOf(list, free) }))
  const change = new Float64Array(free.length)
  const pulls = free.map((i) => 1 / spreads[i]! ** 2)
  for (let step = 0; step < STEPS_MAX; step++) {
    const { slope, curve } = derivatives(lists, change, steepness, pulls)
    const move = solved(curve, slope, change.length)
    let most = 0
    for (let i = 0; i < change.length; i++) most = Math.max(most, Math.abs(move[i]!))
    if (most < MOVE_MIN) break
    const share = Math.min(1, MOVE_MAX / most)
    for (let i = 0; i < change.length; i++) change[i] = change[i]! - share * move[i]!
  }
  const whole = new Float64Array(spreads.length)
  free.forEach((column, i) => {
    whole[column] = change[i]!
  })
  return whole
}

/** Only these columns of a list: the time a step takes goes by their square. */
function columnsOf({ columns, features, start }: List, kept: readonly number[]): Pick<List, 'columns' | 'features'> {
  const some = new Float64Array(start.length * kept.length)
  for (let row = 0; row < start.length; row++) {
    for (let i = 0; i < kept.length; i++) some[row * kept.length + i] = features[row * columns + kept[i]!]!
  }
  return { columns: kept.length, features: some }
}

/** The loss of one recall by these scores: how little its help was to be expected, in natural units. */
export function surpriseOf({ shares, weight }: List, scores: Float64Array, steepness: number): number {
  let best = Number.NEGATIVE_INFINITY
  for (const score of scores) best = Math.max(best, score)
  let sum = 0
  let helped = 0
  for (let row = 0; row < scores.length; row++) {
    const above = steepness * (scores[row]! - best)
    sum += Math.exp(above)
    helped += shares[row]! * above
  }
  return weight * (Math.log(sum) - helped)
}

/** First and second derivatives of the loss, the second as a full matrix. */
function derivatives(lists: readonly List[], change: Float64Array, steepness: number, pulls: readonly number[]) {
  const columns = change.length
  const slope = new Float64Array(columns)
  const curve = new Float64Array(columns * columns)
  const mean = new Float64Array(columns)
  for (const list of lists) {
    const chosen = choices(list, change, steepness)
    const rows = chosen.length
    mean.fill(0)
    const scale = list.weight * steepness
    for (let row = 0; row < rows; row++) {
      const at = row * columns
      const share = chosen[row]!
      const pullOf = scale * (share - list.shares[row]!)
      for (let i = 0; i < columns; i++) {
        const value = list.features[at + i]!
        mean[i] = mean[i]! + share * value
        slope[i] = slope[i]! + pullOf * value
      }
    }
    const square = scale * steepness
    for (let row = 0; row < rows; row++) {
      const share = square * chosen[row]!
      if (share < 1e-9) continue
      const at = row * columns
      for (let i = 0; i < columns; i++) {
        const value = share * (list.features[at + i]! - mean[i]!)
        if (value === 0) continue
        const line = i * columns
        for (let j = 0; j <= i; j++) {
          curve[line + j] = curve[line + j]! + value * (list.features[at + j]! - mean[j]!)
        }
      }
    }
  }
  for (let i = 0; i < columns; i++) {
    slope[i] = slope[i]! + pulls[i]! * change[i]!
    curve[i * columns + i] = curve[i * columns + i]! + pulls[i]!
  }
  return { slope, curve }
}

/** softmax(β · score) over a list's memories. */
function choices(list: List, change: Float64Array, steepness: number): Float64Array {
  const { start, features } = list
  const columns = change.length
  const out = new Float64Array(start.length)
  let best = Number.NEGATIVE_INFINITY
  for (let row = 0; row < out.length; row++) {
    let score = start[row]!
    const at = row * columns
    for (let i = 0; i < columns; i++) score += change[i]! * features[at + i]!
    out[row] = steepness * score
    best = Math.max(best, out[row]!)
  }
  let sum = 0
  for (let row = 0; row < out.length; row++) {
    out[row] = Math.exp(out[row]! - best)
    sum += out[row]!
  }
  for (let row = 0; row < out.length; row++) out[row] = out[row]! / sum
  return out
}

/** Solves curve · x = slope by Cholesky's factors; `curve` is symmetric, positive definite, its lower half given. */
function solved(curve: Float64Array, slope: Float64Array, n: number): Float64Array {
  const factor = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = curve[i * n + j]!
      for (let k = 0; k < j; k++) sum -= factor[i * n + k]! * factor[j * n + k]!
      factor[i * n + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / factor[j * n + j]!
    }
  }
  const x = new Float64Array(slope)
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] = x[i]! - factor[i * n + k]! * x[k]!
    x[i] = x[i]! / factor[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] = x[i]! - factor[k * n + i]! * x[k]!
    x[i] = x[i]! / factor[i * n + i]!
  }
  return x
}
