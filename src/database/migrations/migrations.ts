// All migrations, in the order of their versions. A new one is one file and one line here.
import { AGENT_MEMORY } from './agentMemory.ts'
import type { Migration } from './migration.ts'

export const MIGRATIONS: readonly Migration[] = [AGENT_MEMORY]
