// Moves the events of one store into another one: a project that goes on under another identity, or `project merge`.
//
//   from: events ──▶ those that `into` lacks are appended to its log ──▶ link from ─▶ into
//
// An event has the same id in both, so a move that was killed goes on where it stopped. Nothing is removed from `from`:
// without the link it is what it was.
import type { Event } from '../../model/event.ts'
import { acquireLock } from '../../store/disk/lock.ts'
import { readLogCopy } from '../../store/log/readLogCopy.ts'
import { readEarlier, writeEarlier, writeLink } from '../../store/project/earlierProject.ts'
import { readEvidence } from '../../store/project/folderEvidence.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { findEarlierMemory } from '../open/earlierMemory.ts'
import { openNamedStore, openStore, type Store } from '../open/openStore.ts'
import { storeFolderName } from '../projection/personFile.ts'

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
export function openJoinedStore(folder: string, env: Readonly<Record<string, string | undefined>>): Store {
  const store = openStore(folder, env)
  const { files, home, layout, project } = store
  if (home === undefined || project.linkedFrom !== undefined) return store
  const [earlier] = findEarlierMemory(store, folder, readEvidence(folder, project))
  const known = readEarlier(files, layout.folder)
  // A project that was organized before has a memory of its own, which the person may not want to mix.
  if (earlier?.isCertain && readManifest(files, layout).generation === 0) {
    if (join(store, openNamedStore(store, earlier.store))) return openStore(folder, env)
  } else if (known.store !== earlier?.store) {
    const { store: _, ...rest } = known
    writeEarlier(files, layout.folder, earlier === undefined ? rest : { ...rest, store: earlier.store })
  }
  return store
}

function join(from: Store, into: Store): boolean {
  const lock = acquireLock(from.files, into.layout.lock)
  if (!lock) return false
  try {
    moveEvents(from, into)
    return true
  } finally {
    lock.release()
  }
}
