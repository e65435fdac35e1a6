// The memory that a folder had before it changed: found, joined without a question where that is safe, or named.
import type { Files } from '../../store/disk/files.ts'
import { storeLayout } from '../../store/disk/storeLayout.ts'
import { type EarlierProject, findEarlierProjects, readEarlier } from '../../store/project/earlierProject.ts'
import { type FolderEvidence, readEvidence, readMatchingPlaces } from '../../store/project/folderEvidence.ts'
import { type Project, storeNameOf } from '../../store/project/project.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from './openStore.ts'

/** The name of the store of the folder's own project, without a link. */
export const ownStoreName = (project: Project): string => project.linkedFrom ?? storeNameOf(project)

/** The projects whose memory this folder had before, without those that the person has separated from it. */
export function findEarlierMemory(
  { files, home, project }: Store,
  folder: string,
  evidence: readonly FolderEvidence[] = readEvidence(folder, project),
): EarlierProject[] {
  if (home === undefined) return []
  const own = ownStoreName(project)
  const found = findEarlierProjects(evidence, readMatchingPlaces(files, home, evidence), own)
  if (found.length === 0) return found
  const { declined = [] } = readEarlier(files, `${home}/projects/${own}`)
  return found.filter(
    ({ store }) => store !== storeNameOf(project) && !declined.includes(store) && hasMemory(files, home, store),
  )
}

const hasMemory = (files: Files, home: string, store: string): boolean =>
  files.list(`${home}/projects/${store}/events`).length > 0

/** The number of memories in a store, archived and private ones included; 0 if it cannot be read. */
export function countStoredMemories(files: Files, home: string, store: string): number {
  try {
    const { segments } = readManifest(files, storeLayout(`${home}/projects/${store}`))
    return segments.reduce((sum, { memories }) => sum + memories, 0)
  } catch {
    return 0
  }
}
