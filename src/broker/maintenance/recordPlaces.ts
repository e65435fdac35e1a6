// Records in which folders a project is used, in its store and for all projects: later its memory is found by them.
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { acquireLock } from '../../store/disk/lock.ts'
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
import type { Store } from '../open/openStore.ts'
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
  const lock = acquireLock(files, `${placesFilePath(home)}.lock`)
  if (!lock) return false
  try {
    writeJsonFile(files, recordFilePath(`${home}/projects/${name}`), next)
    writePlaces(files, home)
    return true
  } finally {
    lock.release()
  }
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
