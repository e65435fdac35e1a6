// How the last exchange with the hub ended, per project: hub.json in memctl's home. `memctl status` prints it.
//
// It is only a report: what was sent and received is in the logs.
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { Store } from '../open/openStore.ts'

/** Why an exchange with the hub ended early. */
export interface HubFault {
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface HubResult {
  /** When it ended, ISO. */
  readonly at: string
  /** Changes that the hub took from this machine, and that came from others. */
  readonly sent: number
  readonly received: number
  /** When it last ended without a fault, ISO; absent if never. */
  readonly lastOk?: string | undefined
  /** Absent if it went well. */
  readonly fault?: HubFault | undefined
}

interface HubResultFile {
  /** By the name of the store's folder. */
  readonly projects: Readonly<Record<string, HubResult>>
}

const hubResultFile = (home: string): string => `${home}/hub.json`

/** The lock of the process that exchanges with the hub: one at a time for all projects. */
export const hubLockFile = (home: string): string => `${home}/hub.lock`

/** The last result of this store's project; undefined before the first one, and for a damaged file. */
export const readHubResult = (store: Store): HubResult | undefined => readAll(store)[storeKey(store)]

/** Stores how an exchange ended. */
export function writeHubResult(store: Store, result: Omit<HubResult, 'lastOk'>): void {
  const { files, home } = store
  if (home === undefined) return
  const lastOk = result.fault === undefined ? result.at : readHubResult(store)?.lastOk
  const projects = { ...readAll(store), [storeKey(store)]: { ...result, ...(lastOk !== undefined && { lastOk }) } }
  writeJsonFile(files, hubResultFile(home), { projects } satisfies HubResultFile)
}

/** Forgets the result of a project that has left its hub. */
export function removeHubResult(store: Store): void {
  const { files, home } = store
  const { [storeKey(store)]: removed, ...projects } = readAll(store)
  if (home !== undefined && removed !== undefined) writeJsonFile(files, hubResultFile(home), { projects })
}

function readAll({ files, home }: Store): HubResultFile['projects'] {
  try {
    return (home === undefined ? undefined : readJson<HubResultFile>(files, hubResultFile(home)))?.projects ?? {}
  } catch {
    return {} // The next exchange writes it again.
  }
}

const storeKey = ({ layout }: Store): string => layout.folder.slice(layout.folder.lastIndexOf('/') + 1)
