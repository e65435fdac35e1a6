// Changes of projects: link, unlink, merge, forget.
import { MemoryError } from '../../model/memoryError.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { storeBusyError, withLockOrThrow } from '../../store/disk/lock.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { readEarlier, readLink, removeLink, writeEarlier, writeLink } from '../../store/project/earlierProject.ts'
import { readRecord } from '../../store/project/folderEvidence.ts'
import { sanitize } from '../commands/newMemory.ts'
import { eraseEverywhere } from '../forget/eraseEverywhere.ts'
import { assertLogUnchanged } from '../maintenance/loadFromLog.ts'
import {
  changeRecord,
  listMissingEvents,
  moveEvents,
  recordPlaces,
  writePlaces,
} from '../maintenance/projectFolders.ts'
import { rebuildStore } from '../maintenance/rebuild.ts'
import { type Environment, openGlobalStore, openNamedStore, openStore, type Store } from '../open/openStore.ts'
import { findEarlierMemory, ownStoreName } from '../open/projectTrust.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { forgetPersonKnowledge } from '../projection/publishPerson.ts'
import { countEvents } from '../queries/storeStatus.ts'
import { summarizeProject } from './projectList.ts'

// Links: the memory of another project is used in the place of a project's own, until the link is removed.

interface LinkedFolder {
  readonly folder: string
  readonly env: Environment
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Makes this folder's project use the store of this name. Throws INPUT_INVALID for its own store. */
export function linkProject(store: Store, name: string, { folder, env, now }: LinkedFolder): void {
  const { files, home, project } = store
  const own = ownStoreName(project)
  const ownFolder = `${home}/projects/${own}`
  const target = followLinks(store, name)
  if (target === own) {
    throw new MemoryError('INPUT_INVALID', `${name} is the memory that this folder has without a link`, {
      hint: project.linkedFrom === undefined ? 'Nothing needs to be linked.' : 'Run `memctl project unlink` here.',
    })
  }
  const { declined = [] } = readEarlier(files, ownFolder)
  writeLink(files, ownFolder, target)
  writeEarlier(files, ownFolder, { declined: declined.filter((other) => other !== target && other !== name) })
  recordPlaces(openStore(folder, env), folder, now)
}

/**
 * Gives this folder's project its own memory again. Without a link, nobody is asked any more about the projects whose
 * memory the folder had before. Returns the stores that it is separated from. Throws NOT_FOUND if there are none.
 */
export function unlinkProject(store: Store, folder: string): string[] {
  const { files, home, project } = store
  const ownFolder = `${home}/projects/${ownStoreName(project)}`
  const { store: asked, declined = [] } = readEarlier(files, ownFolder)
  const earlier = findEarlierMemory(store, folder).map((other) => other.store)
  const separated = new Set([readLink(files, ownFolder), asked, ...earlier].filter((name) => name !== undefined))
  if (separated.size === 0) {
    throw new MemoryError('NOT_FOUND', 'This folder uses its own memory: no link leads to another project', {
      hint: 'Run `memctl project show` to see which project it is.',
    })
  }
  // First, so that no start joins them again.
  writeEarlier(files, ownFolder, { declined: [...new Set([...declined, ...separated])] })
  removeLink(files, ownFolder)
  return [...separated]
}

/** Gives a project the name that lists and messages show. Its store and its id stay. Throws STORE_BUSY. */
export function renameProject(store: Store, name: string, title: string): void {
  const record = readRecord(store.files, `${store.home}/projects/${name}`)
  if (!changeRecord(store, name, { ...record, title: sanitize(title) })) throw storeBusyError()
}

/** The store that is used in the place of this one. */
export function followLinks({ files, home }: Store, name: string): string {
  let target = name
  for (const seen = new Set<string>(); !seen.has(target); ) {
    seen.add(target)
    target = readLink(files, `${home}/projects/${target}`) ?? target
  }
  return target
}

// Merges one project into another: its events are copied, what is derived from them is rebuilt, and a link leads from
// it to the other. It stays as it was until the person forgets it.

export type MergeResult = ReturnType<typeof mergeProjects>

interface MergeOptions {
  /** Names of stores. */
  readonly from: string
  readonly into: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly dryRun: boolean
}

/** A merge that was killed is completed by the next one. Throws INPUT_INVALID, STORE_BUSY and STORE_INVALID. */
export function mergeProjects(current: Store, { from, into, now, dryRun }: MergeOptions) {
  const source = openNamedStore(current, from)
  const target = openNamedStore(current, into)
  if (from === into) {
    throw new MemoryError('INPUT_INVALID', `${from} cannot be merged into itself`, { hint: 'Name another project.' })
  }
  assertLogUnchanged(target)
  const move = (): number => {
    // A link in the other direction would lead in circles.
    removeLink(target.files, target.layout.folder)
    return moveEvents(source, target)
  }
  const events = dryRun
    ? listMissingEvents(source, target).length
    : withLockOrThrow(target.files, target.layout.lock, move)
  if (!dryRun && rebuildStore(target, now).busy) throw storeBusyError()
  return { from: summarizeProject(current, from), into: summarizeProject(current, into), events, dryRun }
}

// Erases a project with everything that memctl's home has of it: its store with log, memories and files set aside, its
// statements in person.json, the copies that other projects share, links to it, and the record of its folders.
//
// The store is renamed before it is deleted, so that a deletion that was killed leaves nothing that is still used. What
// was merged into another project belongs to that one.

export type ForgottenProject = ReturnType<typeof forgetProject>

/** Names of stores that are being deleted. */
const FORGOTTEN = '.forgotten-'

/** Whether a store is being deleted, or its deletion was killed. */
export const isForgotten = (name: string): boolean => name.startsWith(FORGOTTEN)

/** Erases the project of the store of this name, or with `dryRun` only counts. Throws STORE_BUSY. */
export function forgetProject(current: Store, name: string, now: number, dryRun: boolean) {
  const store = openNamedStore(current, name)
  const { files, home, layout } = store
  const links = files.list(`${home}/projects`).filter((other) => readLink(files, `${home}/projects/${other}`) === name)
  const shared = listShared(store)
  const result = {
    project: summarizeProject(current, name),
    events: countEvents(store),
    // Statements about the person's work in every project, which other projects are shown.
    statements: forgetPersonKnowledge(store, name, true),
    shared: shared.length,
    links,
    dryRun,
  }
  if (dryRun || home === undefined) return result
  removeForgotten(current)
  withLockOrThrow(files, layout.lock, () => {
    if (shared.length > 0) eraseEverywhere(openGlobalStore(current), { memories: shared }, { now })
    forgetPersonKnowledge(store, name, false)
    forgetDistillRun(store, home)
    files.rename(layout.folder, `${home}/projects/${FORGOTTEN}${store.project.id}`)
  })
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

function listShared(store: Store): string[] {
  const globalStore = openGlobalStore(store)
  if (store.files.list(globalStore.layout.events).length === 0) return []
  const memories = [...loadProjection(globalStore).projection.memories.values()]
  return memories.filter(({ originProject }) => originProject === store.project.id).map(({ id }) => id)
}

/** The last call of a model names the project. */
function forgetDistillRun({ files, project }: Store, home: string): void {
  const file = `${home}/distill.json`
  const usage = readJsonIfIntact<{ lastRun?: { project?: string } }>(files, file)
  if (usage?.lastRun?.project !== project.name) return
  const { lastRun: _, ...rest } = usage
  writeJsonFile(files, file, rest)
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
