// Membership: which project a folder is, whom its project.yaml says it is, and whether a person has let it in.
import { MemoryError } from '../model/errors.ts'
import { disk, type Files } from '../store/files.ts'
import { writeJsonFile } from '../store/json.ts'
import {
  type Claim,
  type Identity,
  identityOf,
  memberFile,
  membersFolder,
  memctlHome,
  type Project,
  projectFolder,
  projectOf,
} from '../store/project.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Membership {
  /** The project whose memories serve here. */
  readonly project: Project
  /** The one that project.yaml names, whether it counts or not; null where it names none. */
  readonly named: Project | null
  readonly confirmed: boolean
  /** Who was let into the project that serves, as they were called then. */
  readonly members: readonly Member[]
}

interface Member {
  readonly name: string
  readonly id: string
  readonly root: string
}

/** How a folder stands. */
export function membershipOf(folder: string, env: Environment, files: Files = disk): Membership {
  const home = memctlHome(env)
  const project = projectOf(folder, home)
  const { claim } = identityOf(folder)
  const confirmed = claim !== undefined && isMember(files, home, claim)
  return { project, named: claim?.project ?? null, confirmed, members: membersOf(files, projectFolder(home, project)) }
}

/** The claim of a folder that nobody has confirmed; undefined where it makes none, or was let in. */
export function unconfirmed(folder: string, home: string, files: Files = disk): Claim | undefined {
  const { claim } = identityOf(folder)
  return claim === undefined || isMember(files, home, claim) ? undefined : claim
}

/** Lets a folder, with all clones and worktrees of its repository, into the project that its project.yaml names. */
export function confirmClaim(folder: string, env: Environment, files: Files = disk): void {
  const { project, by } = claimOf(identityOf(folder), folder)
  const member: Member = { name: by.name, id: by.id, root: by.root }
  writeJsonFile(files, memberFile(memctlHome(env), { project, by }), member)
}

/** Takes that back: from now on the folder is a project by itself again. What it has told the other stays there. */
export function withdrawClaim(folder: string, env: Environment, files: Files = disk): void {
  files.remove(memberFile(memctlHome(env), claimOf(identityOf(folder), folder)))
}

const isMember = (files: Files, home: string, claim: Claim): boolean =>
  files.size(memberFile(home, claim)) !== undefined

function membersOf(files: Files, storeFolder: string): Member[] {
  const folder = membersFolder(storeFolder)
  return files.list(folder).flatMap((id) => {
    try {
      return [JSON.parse(files.read(`${folder}/${id}`)!.toString('utf8')) as Member]
    } catch {
      return [{ name: '', id, root: '' }] // Its being there is what counts.
    }
  })
}

function claimOf({ claim }: Identity, folder: string): Claim {
  if (claim !== undefined) return claim
  throw new MemoryError('NOT_FOUND', `No project.yaml of ${folder} names a project`, {
    mend: 'Write `id: NAME` into .memctl/project.yaml of every folder that is to be one project.',
  })
}
