// Where a project stands with its hub, for status, doctor, top and the report. Reads files; never asks the hub.
//
// How the last exchange of each project ended is in hub.json of memctl's home. That is only a report: what was sent and
// received is in the logs.
import { MemoryError } from '../../model/memoryError.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { readHubConfig, withoutPassword } from '../hub/hubConfig.ts'
import type { Environment, Store } from '../open/openStore.ts'
import type { Projection } from '../projection/projection.ts'
import { readLearnerState } from '../projection/projectionFiles.ts'
import { loadTeam, type TeamProjection } from '../projection/teamProjection.ts'
import { listUnsent } from '../projection/teamReducer.ts'

export type HubStatus = Readonly<NonNullable<ReturnType<typeof readHubStatus>>>

/** Why an exchange with the hub ended early. */
export interface HubFault {
  readonly code: string
  readonly message: string
  readonly hint: string
}

interface HubResult {
  /** When it ended, ISO; absent before the first one. */
  readonly at?: string
  /** Changes that could not be sent. */
  readonly waiting?: number | undefined
  readonly reviews?: number | undefined
  /** False if this role may only read. */
  readonly canWrite?: boolean | undefined
  /** When it last ended without a fault, ISO; absent if never. */
  readonly lastOk?: string | undefined
  /** Absent if it went well. */
  readonly fault?: HubFault | undefined
}

/**
 * Undefined if no hub is configured and the project has joined none. With the projection of a caller that has it, what
 * has changed since the last snapshot waits too.
 */
export function readHubStatus(store: Store, env: Environment, projection?: Projection) {
  const team = projection ? summarizeTeam(projection.team) : readTeam(store)
  const { config, fault } = readConfig(store, env, team?.project)
  if (config === undefined && fault === undefined && (team === undefined || team.hasLeft)) return undefined
  const result = team && readAll(store)[storeKey(store)]
  const unsent = projection && result?.canWrite !== false ? (listUnsent(projection)?.memories.length ?? 0) : 0
  return {
    /** Without its password; null if no hub is configured, but the project has joined one. */
    url: config ? withoutPassword(config.url) : null,
    /** What the team calls this person. */
    name: config?.name ?? team?.name ?? '',
    /** The project's name on the hub; null if it has not joined, or has left. */
    project: team === undefined || team.hasLeft ? null : team.project,
    /** Changes that the hub does not have yet; of a role that may only read, without what it has counted. */
    waiting: Math.max((team?.waiting ?? 0) + unsent, result?.waiting ?? 0),
    /** Texts that wait on the hub until somebody accepts them: this person's, or all if they may accept them. */
    reviews: result?.reviews ?? 0,
    newKinds: team?.newKinds ?? [],
    /** When everything was last exchanged, ISO; null if never. */
    lastSync: result?.lastOk ?? null,
    /** How the last sync failed, or what is wrong with the config. */
    fault: fault ?? result?.fault ?? null,
    lost: team?.lost ?? [],
  }
}

function readConfig(store: Store, env: Environment, project?: string) {
  try {
    return { config: readHubConfig(store, env, project) }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error
    return { fault: { code: error.code, message: error.message, hint: error.hint } }
  }
}

type TeamSummary = Readonly<NonNullable<ReturnType<typeof summarizeTeam>>>

/** Whether and as whom a store shares its memories; undefined if it never joined, or its snapshot cannot be read. */
export function readTeam(store: Store): TeamSummary | undefined {
  try {
    const manifest = readManifest(store.files, store.layout)
    if (manifest.generation === 0) return undefined
    return summarizeTeam(loadTeam(readLearnerState(store, manifest).team))
  } catch {
    return undefined // The next maintenance writes it again.
  }
}

/** What `memctl status` and the worker need to know, as of the snapshot. */
export function summarizeTeam(team: TeamProjection | undefined) {
  if (team === undefined) return undefined
  const { membership, hasLeft, isLeaving, deleted, unsentForgets, lost, kinds = [] } = team
  const newKinds = kinds.filter((kind) => membership.kinds?.includes(kind) === false)
  return {
    ...membership,
    hasLeft,
    /** Texts of this person that teammates have replaced, which can be taken back. */
    lost,
    /** Kinds that the team shares by now, and that this machine sends after another `memctl hub join`. */
    newKinds,
    /** What a person has deleted or forgotten, or that the project has left, and the hub does not know yet. */
    waiting: deleted.length + unsentForgets.length + Number(isLeaving),
  }
}

/** Whether there is something to exchange with the hub. */
export const isInTeam = (team: TeamSummary | undefined): team is TeamSummary =>
  team !== undefined && (!team.hasLeft || team.waiting > 0)

const hubResultFile = (home: string): string => `${home}/hub.json`

/** The lock of the process that exchanges with the hub: one at a time for all projects. */
export const hubLockFile = (home: string): string => `${home}/hub.lock`

/** Stores how an exchange ended, or that one is to come; undefined for a project that has left its hub. */
export function writeHubResult(store: Store, result: Omit<HubResult, 'lastOk'> | undefined): void {
  const { files, home } = store
  const { [storeKey(store)]: before, ...others } = readAll(store)
  if (home === undefined || (result === undefined && before === undefined)) return
  const lastOk = (result?.fault ? undefined : result?.at) ?? before?.lastOk
  const own = result && { [storeKey(store)]: { ...result, ...(lastOk !== undefined && { lastOk }) } }
  writeJsonFile(files, hubResultFile(home), { projects: { ...others, ...own } })
}

/** The results by the name of the store's folder. The next exchange writes a damaged file again. */
function readAll({ files, home }: Store): Readonly<Record<string, HubResult>> {
  type Results = { readonly projects?: Readonly<Record<string, HubResult>> }
  return (home === undefined ? undefined : readJsonIfIntact<Results>(files, hubResultFile(home)))?.projects ?? {}
}

const storeKey = ({ layout }: Store): string => layout.folder.slice(layout.folder.lastIndexOf('/') + 1)
