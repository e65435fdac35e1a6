// Finds the project whose memory a folder had before it changed: a new origin, another path, a copy.
//
//   same file system identity  ─▶ automatic, unless the change may be somebody else's
//   same path, history, origin ─▶ a question to the person
//
// docs/projects.md has the table of all cases, docs/security.md what an attacker could bring.

import type { Files } from '../disk/files.ts'
import { readJsonIfIntact } from '../disk/readJson.ts'
import { belongsTo, type FolderEvidence, localOrigin, type Place, type PlacesFile } from './folderEvidence.ts'
import { LINK_NAME } from './project.ts'

/** What connects the folder with the project, from strong to weak. */
const REASONS = ['git folder', 'folder', 'history', 'origin', 'path'] as const
type Reason = (typeof REASONS)[number]

export interface EarlierProject {
  /** The name of its store. */
  readonly store: string
  readonly reason: Reason
  /** Nothing that a repository or an archive brings could have caused this. */
  readonly isCertain: boolean
  /** When the project was last used there, in ISO 8601. */
  readonly at: string
}

/** Folders of a project that are checked for whether they still belong to it, at most. */
const CHECKED_MAX = 8

/** The projects that had this folder's memory before, the most likely first. `own` is the folder's store. */
export function findEarlierProjects(
  evidence: readonly FolderEvidence[],
  places: PlacesFile,
  own: string,
): EarlierProject[] {
  const found = Object.entries(places).flatMap(([store, { places: known }]): EarlierProject[] => {
    if (store === own) return []
    const matches = known.flatMap((place) => evidence.flatMap((each) => match(each, place) ?? []))
    const [best] = matches.sort(compareMatches)
    if (best === undefined) return []
    const { place, reason, isCertain, isChange } = best
    // A project that lives on in another folder has lost nothing here, and a new origin may be a new project.
    const isUsed = (reason === 'path' || isChange) && isUsedElsewhere(store, known, evidence)
    if (reason === 'path' && isUsed) return []
    return [{ store, reason, isCertain: isCertain && !isUsed, at: place.at }]
  })
  return found.sort((a, b) => compareMatches(a, b) || (a.at < b.at ? 1 : -1))
}

interface Match {
  readonly place: Place
  readonly reason: Reason
  readonly isCertain: boolean
  /** One origin was replaced by another. */
  readonly isChange: boolean
}

type Strength = Pick<Match, 'reason' | 'isCertain'>

/** The stronger connection first. */
const compareMatches = (a: Strength, b: Strength): number =>
  Number(b.isCertain) - Number(a.isCertain) || REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason)

function match(now: FolderEvidence, place: Place): Match | undefined {
  const reason = findReason(now, place)
  if (reason === undefined) return undefined
  const isChange = now.origin !== undefined && place.origin !== undefined && now.origin !== place.origin
  return { place, reason, isCertain: place.identity !== 'project.yaml' && isCertain(reason, now, place), isChange }
}

function findReason(now: FolderEvidence, place: Place): Reason | undefined {
  if (isSame(now.gitMark, place.gitMark) || isSame(now.gitMark, place.commonMark)) return 'git folder'
  if (isSame(now.commonMark, place.gitMark) || isSame(now.commonMark, place.commonMark)) return 'git folder'
  if (isSame(now.mark, place.mark)) return 'folder'
  if (isSame(now.history, place.history)) return 'history'
  const origin = localOrigin(now)
  if (origin !== undefined && (origin === place.folder || origin === place.gitFolder)) return 'origin'
  return now.folder === place.folder ? 'path' : undefined
}

/** Missing evidence is the same as nothing. */
const isSame = (a: string | undefined, b: string | undefined): boolean => a !== undefined && a === b

function isCertain(reason: Reason, now: FolderEvidence, place: Place): boolean {
  // `git submodule sync` gives a submodule the origin that its parent's .gitmodules names.
  if (reason === 'git folder') return now.kind !== 'linked' && place.kind !== 'linked'
  // A folder can be emptied and filled by `git clone URL .`; without an origin it is as trustworthy as the path.
  if (reason !== 'folder' || place.kind !== 'plain') return false
  return now.kind === 'plain' || (now.kind === 'repository' && now.origin === undefined)
}

/** Whether another folder that still exists belongs to the project. */
function isUsedElsewhere(store: string, places: readonly Place[], evidence: readonly FolderEvidence[]): boolean {
  const others = new Set(
    places.map(({ folder }) => folder).filter((folder) => !evidence.some((e) => e.folder === folder)),
  )
  return [...others].slice(-CHECKED_MAX).some((folder) => belongsTo(folder, store))
}

// What a project's own store knows about the project whose memory its folder had before: the question that is open, and
// the projects that the person does not want. A file of the person's home, beside the link.

interface EarlierFile {
  /** The store that the person is asked about; absent if nothing is open. */
  readonly store?: string
  /** Stores that the person has separated from this one. Nobody asks for them again. */
  readonly declined?: readonly string[]
}

const earlierFilePath = (storeFolder: string): string => `${storeFolder}/earlier.json`

/** Empty if there is none, or a damaged one. */
export const readEarlier = (files: Files, storeFolder: string): EarlierFile =>
  readJsonIfIntact(files, earlierFilePath(storeFolder)) ?? {}

export const writeEarlier = (files: Files, storeFolder: string, content: EarlierFile): void =>
  files.replace(earlierFilePath(storeFolder), Buffer.from(`${JSON.stringify(content)}\n`))

/** The same for a hook, which does not wait for the disk: an earlier content stays as it is. */
export const noteEarlier = (files: Files, storeFolder: string, store: string): void =>
  void files.create(earlierFilePath(storeFolder), Buffer.from(`${JSON.stringify({ store })}\n`))

/** Makes the projects of one store use another one. Whoever opens it next does. */
export const writeLink = (files: Files, storeFolder: string, to: string): void =>
  files.replace(`${storeFolder}/${LINK_NAME}`, Buffer.from(`${to}\n`))

/** The same for a hook, in a store without a link. Returns whether this call created it. */
export const createLink = (files: Files, storeFolder: string, to: string): boolean =>
  files.create(`${storeFolder}/${LINK_NAME}`, Buffer.from(`${to}\n`))

export const removeLink = (files: Files, storeFolder: string): void => files.remove(`${storeFolder}/${LINK_NAME}`)

/** The store that a link names; undefined without one. */
export const readLink = (files: Files, storeFolder: string): string | undefined =>
  files.read(`${storeFolder}/${LINK_NAME}`)?.toString('utf8').trim()

/** The file that counts how often the person was asked about the earlier project. */
export const earlierRequestFile = (storeFolder: string): string => `${storeFolder}/earlier.asked`
