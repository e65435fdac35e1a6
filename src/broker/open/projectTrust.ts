// Membership: which project a folder is, whom its project.yaml says it is, and whether a person has let it in.
import { MemoryError } from '../../model/memoryError.ts'
import { type Files, realDisk } from '../../store/disk/files.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import {
  type FolderIdentity,
  type Project,
  type ProjectIdClaim,
  projectFolderPath,
  resolveIdentity,
  resolveMemctlHome,
  resolveProject,
  trustFilePath,
  trustFolderPath,
} from '../../store/project/project.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface ProjectTrust {
  /** The project whose memories serve here. */
  readonly project: Project
  /** The one that project.yaml names, whether it counts or not; null where it names none. */
  readonly namedProject: Project | null
  readonly confirmed: boolean
  /** Who was let into the project that serves, as they were called then. */
  readonly members: readonly TrustedFolder[]
}

interface TrustedFolder {
  readonly name: string
  readonly id: string
  readonly root: string
}

/** How a folder stands. */
export function readProjectTrust(folder: string, env: Environment, files: Files = realDisk): ProjectTrust {
  const home = resolveMemctlHome(env)
  const project = resolveProject(folder, home)
  const { claim } = resolveIdentity(folder)
  const confirmed = claim !== undefined && isMember(files, home, claim)
  return {
    project,
    namedProject: claim?.project ?? null,
    confirmed,
    members: membersOf(files, projectFolderPath(home, project)),
  }
}

/** The claim of a folder that nobody has confirmed; undefined where it makes none, or was let in. */
export function findUnconfirmedClaim(
  folder: string,
  home: string,
  files: Files = realDisk,
): ProjectIdClaim | undefined {
  const { claim } = resolveIdentity(folder)
  return claim === undefined || isMember(files, home, claim) ? undefined : claim
}

/** Lets a folder, with all clones and worktrees of its repository, into the project that its project.yaml names. */
export function confirmProjectId(folder: string, env: Environment, files: Files = realDisk): void {
  const { project, by } = claimOf(resolveIdentity(folder), folder)
  const member: TrustedFolder = { name: by.name, id: by.id, root: by.root }
  writeJsonFile(files, trustFilePath(resolveMemctlHome(env), { project, by }), member)
}

/** Takes that back: from now on the folder is a project by itself again. What it has told the other stays there. */
export function revokeProjectId(folder: string, env: Environment, files: Files = realDisk): void {
  files.remove(trustFilePath(resolveMemctlHome(env), claimOf(resolveIdentity(folder), folder)))
}

const isMember = (files: Files, home: string, claim: ProjectIdClaim): boolean =>
  files.size(trustFilePath(home, claim)) !== undefined

function membersOf(files: Files, storeFolder: string): TrustedFolder[] {
  const folder = trustFolderPath(storeFolder)
  return files.list(folder).flatMap((id) => {
    try {
      return [JSON.parse(files.read(`${folder}/${id}`)!.toString('utf8')) as TrustedFolder]
    } catch {
      return [{ name: '', id, root: '' }] // Its being there is what counts.
    }
  })
}

function claimOf({ claim }: FolderIdentity, folder: string): ProjectIdClaim {
  if (claim !== undefined) return claim
  throw new MemoryError('NOT_FOUND', `No project.yaml of ${folder} names a project`, {
    hint: 'Write `id: NAME` into .memctl/project.yaml of every folder that is to be one project.',
  })
}
