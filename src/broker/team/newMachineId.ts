// The id of a machine's copy of a store in a team: random, so that no two copies have the same.
import { randomUUID } from 'node:crypto'

/** A random UUID. */
export const newMachineId = (): string => randomUUID()
