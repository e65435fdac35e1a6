// The steps from one schema of the database to the next, in the order of their versions.
import { AGENT_MEMORY } from './agentMemory.ts'
import { AGENT_ACCESS, HUB_ROWS } from './hubRows.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [AGENT_MEMORY, HUB_ROWS, AGENT_ACCESS]

/** Steps of earlier versions of memctl, of whatever they have left. `HUB_ROWS` takes over what they have made. */
export const FORMER_VERSIONS: readonly number[] = [2, 3, 4, 6]

/** Versions of the tables that this memctl can share memories through. */
export const HUB_VERSIONS = { min: HUB_ROWS.version, max: AGENT_ACCESS.version }
