// What the library has of the process: time, random ids and environment variables, for callers that pass none of their
// own, and the turns of its event loop.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>

/** Milliseconds since 1970. */
export const nowMs = (): number => Date.now()

/** A random UUID. */
export const newUuid = (): string => randomUUID()

export const processEnv = (): Env => process.env

/** How long one callback of the event loop may work at most, in milliseconds: servers answer after 50. */
const TURN_MS = 10

let turnStart: number | undefined

/** Lets the program's other callbacks run if this turn of the event loop has been long; else undefined. */
export function pauseIfLong(): Promise<void> | undefined {
  if (turnStart === undefined) {
    turnStart = performance.now()
    setImmediate(endTurn)
  }
  return performance.now() - turnStart < TURN_MS ? undefined : nextTurn()
}

function endTurn(): void {
  turnStart = undefined
}

/** What `map` gives for each item, with pauses between them; undefined is left out. */
export async function mapWithPauses<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result | undefined,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    const result = map(item)
    if (result !== undefined) results.push(result)
    const pausing = pauseIfLong()
    if (pausing) await pausing
  }
  return results
}

/** Items that are sorted at once: a millisecond. */
const SORTED_AT_ONCE = 1_000

/** The items in this order, with pauses; equal ones keep theirs. */
export async function sortWithPauses<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  if (items.length <= SORTED_AT_ONCE) return items.toSorted(compare)
  const half = Math.ceil(items.length / 2)
  const first = await sortWithPauses(items.slice(0, half), compare)
  const second = await sortWithPauses(items.slice(half), compare)
  let [i, j] = [0, 0]
  return mapWithPauses(items, () => {
    const [a, b] = [first[i], second[j]]
    const isFirst = b === undefined || (a !== undefined && compare(a, b) <= 0)
    if (isFirst) i++
    else j++
    return isFirst ? a : b
  })
}
