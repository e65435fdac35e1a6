// Held back: what learned weights would be worth on recalls they were not learned from. The evidence the guard goes by.
//
//   sessions in time   ┌──1──┐┌──2──┐┌──3──┐┌──4──┐┌──5──┐
//   learned from        1 2 3 4    judged on   5            each part is judged by weights learned from the other four
//
// And a placebo: the same ranking judged by what helped in other recalls. Help that is dealt out at random among recalls fits
// another recall as well as its own, although it may well favour some memories over others and so move weights. Evidence
// counts only where it knows which recall it belongs to (a permutation control; Good 2005).
import type { MemoryId } from '../model/id.ts'
import { type Policy, policyWith } from '../model/policy.ts'
import { type Bound, boundOf, clusterOf } from './guard.ts'
import type { Judged } from './judge.ts'
import { helpOf, type Mode, scoresOf, telling, weightsFrom } from './lists.ts'

/** Parts that are held back in turn. */
const PARTS = 5

/** Places that a ranking's worth counts. */
const PLACES = 10

/** Other recalls whose help is the placebo of one. */
const PARTNERS = 3

/** Standard errors by which help must fit its own recall better than others do. 3: asked at every session's end, for months. */
const PLACEBO_SIGMAS = 3

export interface Held {
  /** Learned minus shipped, in shares of the best order there could be (nDCG), on recalls held back. */
  readonly advantage: Bound
  /** The learned ranking's worth by each recall's own help, minus by other recalls'. Measured when it is asked for. */
  readonly own: () => Bound
}

/** Judges learning itself: what these recalls would teach, judged where it was not taught. `sigmas` for the advantage's bound. */
export function heldBack(judged: readonly Judged[], mode: Mode, shipped: Policy, sigmas: number): Held {
  const seen = telling(judged, mode)
  const clusters = seen.map(clusterOf)
  const names = [...new Set(clusters)]
  const partOf = new Map(names.map((name, i) => [name, Math.floor((i * PARTS) / names.length)]))
  const advantages: number[] = []
  const orders: number[][] = []
  for (let part = 0; part < PARTS; part++) {
    const others = seen.filter((_, i) => partOf.get(clusters[i]!) !== part)
    const learned = policyWith(shipped, { version: 0, values: weightsFrom(others, mode, shipped) })
    seen.forEach((one, i) => {
      if (partOf.get(clusters[i]!) !== part) return
      const help = helpOf(one)
      const order = orderOf(scoresOf(one.memories, one.moment, learned))
      orders[i] = order
      advantages[i] = worthOf(order, help) - worthOf(orderOf(scoresOf(one.memories, one.moment, shipped)), help)
    })
  }
  const own = (): Bound => {
    const partners = partnersOf(seen)
    const owns = seen.map((one, i) => worthOf(orders[i]!, helpOf(one)) - placeboWorth(one, orders[i]!, partners[i]!))
    return boundOf(owns, clusters, PLACEBO_SIGMAS)
  }
  return { advantage: boundOf(advantages, clusters, sigmas), own }
}

/** Rows by score, best first; equal ones as they came. */
const orderOf = (scores: readonly number[]): number[] =>
  scores.map((_, row) => row).sort((a, b) => scores[b]! - scores[a]! || a - b)

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
function placeboWorth(one: Judged, order: readonly number[], partners: readonly Judged[]): number {
  if (partners.length === 0) return chanceWorth(helpOf(one))
  let sum = 0
  for (const partner of partners) {
    const helpByMemory = new Map<MemoryId, number>()
    const help = helpOf(partner)
    partner.memories.forEach(({ memory }, row) => helpByMemory.set(memory, help[row]!))
    sum += worthOf(
      order,
      one.memories.map(({ memory }) => helpByMemory.get(memory) ?? 0),
    )
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
function partnersOf(seen: readonly Judged[]): Judged[][] {
  const helpedIn = new Map<MemoryId, number[]>()
  seen.forEach((one, i) => {
    const help = helpOf(one)
    one.memories.forEach(({ memory }, row) => {
      if (help[row]! <= 0) return
      const known = helpedIn.get(memory)
      if (known) known.push(i)
      else helpedIn.set(memory, [i])
    })
  })
  return seen.map((one, i) => {
    const near = new Set(one.memories.flatMap(({ memory }) => helpedIn.get(memory) ?? []))
    return [...near]
      .filter((other) => clusterOf(seen[other]!) !== clusterOf(one))
      .sort((a, b) => ((a - i + seen.length) % seen.length) - ((b - i + seen.length) % seen.length))
      .slice(0, PARTNERS)
      .map((other) => seen[other]!)
  })
}
