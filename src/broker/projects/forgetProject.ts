// Erases a project with everything that memctl's home has of it: its store with log, memories and files set aside, its
// statements in person.json, the copies that other projects share, links to it, and the record of its folders.
//
// The store is renamed before it is deleted, so that a deletion that was killed leaves nothing that is still used. What
// was merged into another project belongs to that one.
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readEarlier, readLink, removeLink, writeEarlier } from '../../store/project/earlierFile.ts'
import { openGlobalStore } from '../entries/entryWriter.ts'
import { eraseEverywhere } from '../forget/eraseEverywhere.ts'
import { writePlaces } from '../maintenance/recordPlaces.ts'
import { openNamedStore, type Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { forgetPersonKnowledge } from '../projection/publishPerson.ts'
import { countEvents } from '../queries/storeStatus.ts'
import { type ProjectSummary, summarizeProject } from './projectList.ts'

export interface ForgottenProject {
  readonly project: ProjectSummary
  readonly events: number
  /** Statements about the person's work in every project, which other projects are shown. */
  readonly statements: number
  /** Memories that other projects share. */
  readonly shared: number
  /** Stores whose link leads to it: they use their own memory again. */
  readonly links: readonly string[]
  readonly dryRun: boolean
}

/** Names of stores that are being deleted. */
const FORGOTTEN = '.forgotten-'

/** Whether a store is being deleted, or its deletion was killed. */
export const isForgotten = (name: string): boolean => name.startsWith(FORGOTTEN)

/** Erases the project of the store of this name, or with `dryRun` only counts. Throws STORE_BUSY. */
export function forgetProject(current: Store, name: string, now: number, dryRun: boolean): ForgottenProject {
  const store = openNamedStore(current, name)
  const { files, home, layout } = store
  const links = files.list(`${home}/projects`).filter((other) => readLink(files, `${home}/projects/${other}`) === name)
  const shared = listShared(store)
  const result = {
    project: summarizeProject(current, name),
    events: countEvents(store),
    statements: forgetPersonKnowledge(store, name, true),
    shared: shared.length,
    links,
    dryRun,
  }
  if (dryRun || home === undefined) return result
  removeForgotten(current)
  const lock = acquireLock(files, layout.lock)
  if (!lock) throw storeBusyError()
  try {
    if (shared.length > 0) eraseEverywhere(openGlobalStore(current), { memories: shared }, { now })
    forgetPersonKnowledge(store, name, false)
    forgetDistillRun(store, home)
    files.rename(layout.folder, `${home}/projects/${FORGOTTEN}${store.project.id}`)
  } finally {
    lock.release()
  }
  for (const other of files.list(`${home}/projects`)) forgetReferences(store, `${home}/projects/${other}`, name)
  writePlaces(files, home)
  removeForgotten(current)
  return result
}

/** Completes deletions that were killed. Returns how many there were. */
export function removeForgotten({ files, home }: Store): number {
  const left = files.list(`${home}/projects`).filter(isForgotten)
  for (const name of left) files.removeFolder(`${home}/projects/${name}`)
  if (left.length > 0 && home !== undefined) writePlaces(files, home)
  return left.length
}

/** The ids of its memories in the store for all projects. */
function listShared(store: Store): string[] {
  const globalStore = openGlobalStore(store)
  if (store.files.list(globalStore.layout.events).length === 0) return []
  const memories = [...loadProjection(globalStore).projection.memories.values()]
  return memories.filter(({ originProject }) => originProject === store.project.id).map(({ id }) => id)
}

/** The last call of a model names the project. */
function forgetDistillRun({ files, project }: Store, home: string): void {
  const file = `${home}/distill.json`
  try {
    const usage = readJson<{ lastRun?: { project?: string } }>(files, file)
    if (usage?.lastRun?.project !== project.name) return
    const { lastRun: _, ...rest } = usage
    writeJsonFile(files, file, rest)
  } catch {
    // A damaged file names nothing; the next call writes it again.
  }
}

/** Removes what another store says of it. A store that was nothing but a link disappears. */
function forgetReferences({ files }: Store, folder: string, name: string): void {
  const isLink = readLink(files, folder) === name
  if (isLink) removeLink(files, folder)
  const { store, declined = [] } = readEarlier(files, folder)
  if (store === name || declined.includes(name)) {
    const rest = declined.filter((other) => other !== name)
    writeEarlier(files, folder, { ...(store !== undefined && store !== name && { store }), declined: rest })
  }
  if (isLink && files.list(`${folder}/events`).length === 0) files.removeFolder(folder)
}
