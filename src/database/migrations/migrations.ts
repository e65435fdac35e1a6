// All migrations, in the order of their versions. A new one is one file and one line here. Number 5 was never released.
import { AGENT_MEMORY } from './agentMemory.ts'
import { HUB_ACCESS } from './hubAccess.ts'
import { HUB_EPOCH } from './hubEpoch.ts'
import { HUB_TABLES } from './hubTables.ts'
import { HUB_VECTORS } from './hubVectors.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [AGENT_MEMORY, HUB_TABLES, HUB_ACCESS, HUB_VECTORS, HUB_EPOCH]
