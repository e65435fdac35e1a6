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
    setImmediate(() => {
      turnStart = undefined
    })
  }
  return performance.now() - turnStart < TURN_MS ? undefined : nextTurn()
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
