// Held back: what learned weights would be worth on recalls they were not learned from. The evidence the guard goes by.
//
//   sessions in time   ┌──1──┐┌──2──┐┌──3──┐┌──4──┐┌──5──┐
//   learned from        1 2 3 4    judged on   5            each part is judged by weights learned from the other four
//
// And a placebo: the same ranking judged by what helped in other recalls. Help that is dealt out at random among recalls fits
// another recall as well as its own, although it may well favour some memories over others and so move weights. Evidence
// counts only where it knows which recall it belongs to (a permutation control; Good 2005).
import type { MemoryId } from '../model/id.ts'
import { surpriseOf } from './fit.ts'
import { type Bound, boundOf, clusterOf } from './guard.ts'
import { type Mode, scoresWith, type Told, taughtBy } from './lists.ts'

/** Parts that are held back in turn. */
const PARTS = 5

/** Places that a ranking's worth counts. */
const PLACES = 10

/** Other recalls whose help is the placebo of one. */
const PARTNERS = 3

/**
 * Standard errors by which help must fit its own recall better than others do. 5, because it is asked at every session's end, for months, and
 * lists share their memories only in part: dealt out anew, help has come to 4.3 on recorded sessions. Help that is real came to 6 to 13.
 */
const PLACEBO_SIGMAS = 5

export interface Held {
  /**
   * Learned minus shipped, on recalls held back: how much less their help surprises (the fit's loss, natural units). It sees every
   * place of a list and how surely it was given, so it tells from fifty recalls what an order's worth tells from hundreds.
   */
  readonly advantage: Bound
  /** The same in shares of the best order there could be (nDCG), in the mean. */
  readonly worth: number
  /** The learned ranking's worth by each recall's own help, minus by other recalls'. Measured when it is asked for. */
  readonly own: () => Bound
}

/** Judges learning itself: what these recalls would teach, judged where it was not taught. `sigmas` for the advantage's bound. */
export function heldBack(seen: readonly Told[], mode: Mode, sigmas: number): Held {
  const clusters = seen.map(({ judged }) => clusterOf(judged))
  const names = [...new Set(clusters)]
  const partOf = new Map(names.map((name, i) => [name, Math.floor((i * PARTS) / names.length)]))
  const advantages: number[] = []
  const worths: number[] = []
  const orders: number[][] = []
  for (let part = 0; part < PARTS; part++) {
    const { change, steepness } = taughtBy(
      seen.filter((_, i) => partOf.get(clusters[i]!) !== part),
      mode,
    )
    seen.forEach((one, i) => {
      if (partOf.get(clusters[i]!) !== part) return
      const scores = scoresWith(one, change)
      orders[i] = orderOf(scores)
      advantages[i] = surpriseOf(one.list, one.list.start, steepness) - surpriseOf(one.list, scores, steepness)
      worths[i] = worthOf(orders[i]!, one.help) - worthOf(orderOf(one.list.start), one.help)
    })
  }
  const own = (): Bound => {
    const partners = partnersOf(seen)
    const owns = seen.map((one, i) => worthOf(orders[i]!, one.help) - placeboWorth(one, orders[i]!, partners[i]!))
    return boundOf(owns, clusters, PLACEBO_SIGMAS)
  }
  const worth = worths.reduce((sum, value) => sum + value, 0) / Math.max(1, worths.length)
  return { advantage: boundOf(advantages, clusters, sigmas), worth, own }
}

/** Rows by score, best first; equal ones as they came. */
const orderOf = (scores: Float64Array): number[] =>
  Array.from(scores, (_, row) => row).sort((a, b) => scores[b]! - scores[a]! || a - b)

/** nDCG over the first places (Järvelin & Kekäläinen 2002), of help as it is. */
function worthOf(order: readonly number[], help: readonly number[]): number {
  const best = gain([...help].sort((a, b) => b - a))
  return best > 0 ? gain(order.map((row) => help[row]!)) / best : 0
}

function gain(help: readonly number[]): number {
  let sum = 0
  for (let place = 0; place < Math.min(PLACES, help.length); place++) sum += help[place]! / Math.log2(place + 2)
  return sum
}

/** The order's worth by the help of other recalls, in the mean; where no other knows any of these memories, in any order of its own help. */
function placeboWorth({ judged, help }: Told, order: readonly number[], partners: readonly Told[]): number {
  if (partners.length === 0) return chanceWorth(help)
  let sum = 0
  for (const partner of partners) {
    const there = new Map(partner.judged.memories.map(({ memory }, row) => [memory, partner.help[row]!]))
    const helpThere = judged.memories.map(({ memory }) => there.get(memory) ?? 0)
    sum += worthOf(order, helpThere)
  }
  return sum / partners.length
}

/** The worth of an order by lot. */
function chanceWorth(help: readonly number[]): number {
  const best = gain([...help].sort((a, b) => b - a))
  const mean = help.reduce((sum, value) => sum + value, 0) / help.length
  return best > 0 ? gain(help.map(() => mean)) / best : 0
}

/** For each recall the next ones, in a circle, of other sessions, in which one of its memories helped. */
function partnersOf(seen: readonly Told[]): Told[][] {
  const helpedIn = new Map<MemoryId, number[]>()
  seen.forEach(({ judged, help }, i) => {
    judged.memories.forEach(({ memory }, row) => {
      if (help[row]! <= 0) return
      const known = helpedIn.get(memory)
      if (known) known.push(i)
      else helpedIn.set(memory, [i])
    })
  })
  const n = seen.length
  return seen.map(({ judged }, i) => {
    const near = new Set(judged.memories.flatMap(({ memory }) => helpedIn.get(memory) ?? []))
    return [...near]
      .filter((other) => clusterOf(seen[other]!.judged) !== clusterOf(judged))
      .sort((a, b) => ((a - i + n) % n) - ((b - i + n) % n))
      .slice(0, PARTNERS)
      .map((other) => seen[other]!)
  })
}
