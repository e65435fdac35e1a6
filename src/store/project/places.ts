// The folders in which each project was used, so that its memory is found after they change.
//
//   projects/<name>-<id>/identity.json   one project: its folders, and the name that the person gave it
//   places.json                          those of all projects, for the first session of an unknown project
//
// The worker writes both. A hook reads places.json only if the project of its folder has no memory yet.
import type { Files } from '../disk/files.ts'
import { readJson } from '../disk/readJson.ts'
import { type FolderEvidence, localOrigin } from './folderEvidence.ts'
import type { Project } from './project.ts'

/** A folder of a project, as the project was used there. */
export interface Place extends FolderEvidence {
  readonly identity: Project['identity']
  /** ISO time of its last use; at most a day late. */
  readonly at: string
}

export interface ProjectRecord {
  /** The name that the person gave it (`memctl project rename`). */
  readonly title?: string
  /** The latest last; at most 60. */
  readonly places: readonly Place[]
}

/** The records of all projects, by the names of their stores. */
export type PlacesFile = Readonly<Record<string, ProjectRecord>>

export const placesFilePath = (home: string): string => `${home}/places.json`

export const recordFilePath = (storeFolder: string): string => `${storeFolder}/identity.json`

/** A project's record; an empty one if there is none, or a damaged one. */
export function readRecord(files: Files, storeFolder: string): ProjectRecord {
  const file = recordFilePath(storeFolder)
  try {
    const record = files.size(file) === undefined ? undefined : readJson<Partial<ProjectRecord>>(files, file)
    return { ...record, places: Array.isArray(record?.places) ? record.places : [] }
  } catch {
    return { places: [] } // The next worker writes it again.
  }
}

/** The records of all projects; none if the file is missing or damaged. */
export function readPlaces(files: Files, home: string): PlacesFile {
  try {
    return readJson<{ stores?: PlacesFile }>(files, placesFilePath(home))?.stores ?? {}
  } catch {
    return {} // The next worker writes it again.
  }
}

/** The same, without parsing the file if it has nothing of this evidence. */
export function readMatchingPlaces(files: Files, home: string, evidence: readonly FolderEvidence[]): PlacesFile {
  const file = placesFilePath(home)
  const bytes = files.size(file) === undefined ? undefined : files.read(file)
  if (bytes === undefined) return {}
  const isKnown = evidence.some((each) =>
    [each.mark, each.gitMark, each.commonMark, each.history, each.folder, each.gitFolder, localOrigin(each)].some(
      (value) => value !== undefined && bytes.includes(JSON.stringify(value)),
    ),
  )
  return isKnown ? readPlaces(files, home) : {}
}
