// Where a project stands with its hub, for status, doctor, top and the report. Reads files; never asks the hub.
import { MemoryError } from '../../model/memoryError.ts'
import { readHubConfig, withoutPassword } from '../hub/hubConfig.ts'
import type { Store } from '../open/openStore.ts'
import { type HubFault, readHubResult } from './hubResult.ts'
import { readTeam } from './teamStore.ts'

export interface HubStatus {
  /** Without its password; null if no hub is configured, but the project has joined one. */
  readonly url: string | null
  /** What the team calls this person. */
  readonly name: string
  /** The project's name on the hub; null if it has not joined, or has left. */
  readonly project: string | null
  /** Changes that the hub does not have yet, as of the last snapshot. */
  readonly waiting: number
  /** When everything was last exchanged, ISO; null if never. */
  readonly lastSync: string | null
  /** How the last sync failed, or what is wrong with the config. */
  readonly fault: HubFault | null
}

/** Undefined if no hub is configured and the project has joined none. */
export function readHubStatus(store: Store, env: Readonly<Record<string, string | undefined>>): HubStatus | undefined {
  const { config, fault } = readConfig(store, env)
  const team = readTeam(store)
  if (config === undefined && fault === undefined && (team === undefined || team.hasLeft)) return undefined
  const result = team && readHubResult(store)
  return {
    url: config ? withoutPassword(config.url) : null,
    name: config?.name ?? team?.name ?? '',
    project: team === undefined || team.hasLeft ? null : team.project,
    waiting: team?.waiting ?? 0,
    lastSync: result?.lastOk ?? null,
    fault: fault ?? result?.fault ?? null,
  }
}

function readConfig({ home }: Store, env: Readonly<Record<string, string | undefined>>) {
  try {
    return { config: readHubConfig(home, env) }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return { fault: { code: error.code, message: error.message, hint: error.hint } }
  }
}
