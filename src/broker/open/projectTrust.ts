// Project trust: which project a folder belongs to, whether its content is trusted, which project its project.yaml
// claims, and whether the user has confirmed that claim.
import { MemoryError } from '../../model/memoryError.ts'
import { parseObject } from '../../model/unknownJson.ts'
import { realDisk } from '../../store/disk/files.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { hasContent, readTrust } from '../../store/project/contentTrust.ts'
import { type EarlierProject, findEarlierProjects, readEarlier } from '../../store/project/earlierProject.ts'
import { type FolderEvidence, readEvidence, readMatchingPlaces } from '../../store/project/folderEvidence.ts'
import {
  type FolderIdentity,
  type Project,
  type ProjectIdClaim,
  projectFolderPath,
  resolveIdentity,
  resolveMemctlHome,
  storeNameOf,
  trustFilePath,
  trustFolderPath,
} from '../../store/project/project.ts'
import { type Environment, openStore, type Store } from './openStore.ts'

export type ProjectTrust = ReturnType<typeof readProjectTrust>

type TrustedFolder = Pick<Project, 'name' | 'id' | 'root'>

/** The project of a folder and its claim. Writes nothing. */
export function readProjectTrust(folder: string, env: Environment) {
  const home = resolveMemctlHome(env)
  const store = openStore(folder, env)
  const { project } = store
  const { claim } = resolveIdentity(folder)
  return {
    project,
    content: readTrust(store),
    hasContent: hasContent(store),
    namedProject: claim?.project ?? null,
    confirmed: claim !== undefined && isConfirmed(home, claim),
    members: listMembers(projectFolderPath(home, project)),
  }
}

/** The claim of a folder that nobody has confirmed; undefined without a claim, or with a confirmed one. */
export function findUnconfirmedClaim(folder: string, home: string): ProjectIdClaim | undefined {
  const { claim } = resolveIdentity(folder)
  return claim === undefined || isConfirmed(home, claim) ? undefined : claim
}

/** Confirms the claim in a folder's project.yaml, for all clones and worktrees of its repository. Throws NOT_FOUND. */
export function confirmProjectId(folder: string, env: Environment): void {
  const { project, by } = requireClaim(resolveIdentity(folder), folder)
  const member: TrustedFolder = { name: by.name, id: by.id, root: by.root }
  writeJsonFile(realDisk, trustFilePath(resolveMemctlHome(env), { project, by }), member)
}

/** Undoes the confirmation: the folder is a project by itself again. Its events in the other log stay there. */
export function revokeProjectId(folder: string, env: Environment): void {
  realDisk.remove(trustFilePath(resolveMemctlHome(env), requireClaim(resolveIdentity(folder), folder)))
}

const isConfirmed = (home: string, claim: ProjectIdClaim): boolean =>
  realDisk.size(trustFilePath(home, claim)) !== undefined

function listMembers(storeFolder: string): TrustedFolder[] {
  const folder = trustFolderPath(storeFolder)
  return realDisk.list(folder).map((id) => {
    const member = parseObject(realDisk.read(`${folder}/${id}`)?.toString('utf8') ?? '')
    // The file confirms the folder even if its content is corrupt.
    return (member as TrustedFolder | undefined) ?? { name: '', id, root: '' }
  })
}

function requireClaim({ claim }: FolderIdentity, folder: string): ProjectIdClaim {
  if (claim !== undefined) return claim
  throw new MemoryError('NOT_FOUND', `No project.yaml of ${folder} names a project`, {
    hint: 'Write `id: NAME` into .memctl/project.yaml of every folder that belongs to the project.',
  })
}

/** The name of the store of the folder's own project, without a link. */
export const ownStoreName = (project: Project): string => project.linkedFrom ?? storeNameOf(project)

/** The projects that this folder belonged to before, without those that the person has separated from it. */
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
  return found.filter(({ store }) => {
    const hasMemory = files.list(`${home}/projects/${store}/events`).length > 0
    return hasMemory && store !== storeNameOf(project) && !declined.includes(store)
  })
}
