// Records in which folders a project is used, in its store and for all projects: later its memory is found by them.

import type { Event } from '../../model/event.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { withLock } from '../../store/disk/lock.ts'
import { readLogCopy } from '../../store/log/readLog.ts'
import { readEarlier, writeEarlier, writeLink } from '../../store/project/earlierProject.ts'
import {
  type FolderEvidence,
  type Place,
  type PlacesFile,
  type ProjectRecord,
  placesFilePath,
  readEvidence,
  readPlaces,
  readRecord,
  recordFilePath,
} from '../../store/project/folderEvidence.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { type Environment, openNamedStore, openStore, type Store } from '../open/openStore.ts'
import { findEarlierMemory } from '../open/projectTrust.ts'
import { storeFolderName } from '../projection/personFile.ts'

/** Folders kept of each project; more are forgotten, the oldest first. */
const PLACES_MAX = 60

/** A place is written again if its last use is older than this, in milliseconds. */
const USE_MS = 86_400_000

/** Records a folder, at `now` in milliseconds since 1970. If another process writes, the next worker records it. */
export function recordPlaces(store: Store, folder: string, now: number): void {
  const { files, home, layout, project } = store
  const name = storeFolderName(store)
  if (home === undefined || name === undefined || files.list(layout.events).length === 0) return
  const record = readRecord(files, layout.folder)
  const places = addPlaces(record.places, readEvidence(folder, project), project.identity, now)
  const next = { ...record, places }
  if (places === record.places && isSame(readPlaces(files, home)[name], next)) return
  changeRecord(store, name, next)
}

/** Replaces a project's record. Returns false if another process does the same now. */
export function changeRecord({ files, home }: Store, name: string, next: ProjectRecord): boolean {
  if (home === undefined) return false
  const written = withLock(files, `${placesFilePath(home)}.lock`, () => {
    writeJsonFile(files, recordFilePath(`${home}/projects/${name}`), next)
    writePlaces(files, home)
    return true
  })
  return written === true
}

/** Writes the records of all projects into one file. The caller holds its lock, or nobody else writes. */
export function writePlaces(files: Store['files'], home: string): void {
  const stores = files.list(`${home}/projects`).flatMap((name): [string, ProjectRecord][] => {
    const record = readRecord(files, `${home}/projects/${name}`)
    return record.places.length > 0 || record.title !== undefined ? [[name, record]] : []
  })
  writeJsonFile<{ stores: PlacesFile }>(files, placesFilePath(home), { stores: Object.fromEntries(stores) })
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The same list if nothing changes. */
function addPlaces(
  known: readonly Place[],
  evidence: readonly FolderEvidence[],
  identity: Place['identity'],
  now: number,
): readonly Place[] {
  let places = known
  for (const each of evidence) {
    const place: Place = { ...each, identity, at: new Date(now).toISOString() }
    const before = places.find(({ at: _, ...rest }) => isSame(rest, { ...each, identity }))
    if (before && now - Date.parse(before.at) < USE_MS) continue
    places = [...places.filter((other) => other !== before), place]
  }
  return places.slice(-PLACES_MAX).length === places.length ? places : places.slice(-PLACES_MAX)
}

// Moves the events of one store into another one: a project that goes on under another identity, or `project merge`.
//
//   from: events ──▶ those that `into` lacks are appended to its log ──▶ link from ─▶ into
//
// An event has the same id in both, so a move that was killed goes on where it stopped. Nothing is removed from `from`:
// without the link it is what it was.

/** The events of a store that another one lacks, oldest first. What a policy has learned stays where it was learned. */
export function listMissingEvents(from: Store, into: Store): Event[] {
  const existing = readLogCopy(into.files, into.layout.events).events
  const known = new Set(existing.map(({ id }) => id))
  const { events } = readLogCopy(from.files, from.layout.events)
  // A store belongs to one team at a time: the other's memberships and memories stay where they are.
  const isInTeam = existing.some(({ kind }) => kind === 'team.joined')
  const isOwn = (kind: string): boolean => kind.startsWith('policy.') || (isInTeam && kind.startsWith('team.'))
  return events.filter(({ id, kind }) => !known.has(id) && !isOwn(kind))
}

/** Appends them, then links. The caller holds the lock of `into`. Returns how many events were appended. */
export function moveEvents(from: Store, into: Store): number {
  const missing = listMissingEvents(from, into)
  commitEvents(into, missing)
  const name = storeFolderName(into)
  if (name !== undefined) writeLink(from.files, from.layout.folder, name)
  // What a hook has appended before it could see the link.
  const late = listMissingEvents(from, into)
  commitEvents(into, late)
  return missing.length + late.length
}

/**
 * For the worker: the store of a folder. If the project changed its identity during a session, the events since then
 * are moved to the memory from before. What only a person can decide is noted for the next start.
 */
export function openJoinedStore(folder: string, env: Environment): Store {
  const store = openStore(folder, env)
  const { files, home, layout, project } = store
  if (home === undefined || project.linkedFrom !== undefined) return store
  const [earlier] = findEarlierMemory(store, folder, readEvidence(folder, project))
  const known = readEarlier(files, layout.folder)
  // A project that was organized before has a memory of its own, which the person may not want to mix.
  if (earlier?.isCertain && readManifest(files, layout).generation === 0) {
    const into = openNamedStore(store, earlier.store)
    const isMoved = withLock(files, into.layout.lock, () => moveEvents(store, into)) !== undefined
    if (isMoved) return openStore(folder, env)
  } else if (known.store !== earlier?.store) {
    const { store: _, ...rest } = known
    writeEarlier(files, layout.folder, earlier === undefined ? rest : { ...rest, store: earlier.store })
  }
  return store
}
