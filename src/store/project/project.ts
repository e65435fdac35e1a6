// Which project a folder belongs to, so that its memories are found again from every worktree, clone and subfolder.
//
// Hot path: read from a few small files, git is never started. What identifies a project, the first that is there:
//   .memctl/project.yaml (id: …), confirmed  >  origin's URL  >  the git common directory  >  the folder itself
//
// An id in project.yaml is the word of whoever wrote the repository, and it names whose memories are read: it counts only
// where a person has let this repository in (`memctl project confirm`). Until then it is as if it were not there.
import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { normalizeRemoteUrl, parseOriginUrl } from './gitRemote.ts'
import { isPlainCharCode, projectIdFromYaml } from './projectIdFromYaml.ts'

export interface Project {
  /** 12 hex digits, made of what identifies the project and nothing else. */
  readonly id: string
  /** For people, and safe as part of a file name. Made of the same thing as the id: all clones agree on it. */
  readonly name: string
  /** The real path of the work tree; without git the folder of project.yaml, else the folder. */
  readonly root: string
  readonly identity: 'project.yaml' | 'origin' | 'git' | 'folder'
}

/** What a folder is by itself, and what its project.yaml says it is. */
export interface FolderIdentity {
  readonly own: Project
  readonly claim?: ProjectIdClaim
}

/** An id in a project.yaml. */
export interface ProjectIdClaim {
  /** The project that is named. */
  readonly project: Project
  /** What the one that names it is by itself: one repository for all its clones and worktrees. */
  readonly by: Project
}

/**
 * The project of a folder; without memctl's `home` no claim counts, since nobody can have confirmed it. Never throws: a folder
 * that is not there or may not be read is a project of its own.
 *
 * A `.git` file that leads nowhere (a worktree whose repository was moved away) makes a project of the folder it lies in.
 * A submodule is a project of its own. `GIT_DIR` and git's own configuration outside the repository do not count.
 */
export function resolveProject(folder: string, home?: string): Project {
  const { own, claim } = resolveIdentity(folder)
  return claim !== undefined && home !== undefined && isThere(trustFilePath(home, claim)) ? claim.project : own
}

/** Both, for who asks a person. */
export function resolveIdentity(folder: string): FolderIdentity {
  const { root, git, claim } = lookUpwards(realPath(folder))
  const own = ownProject(root, git)
  if (claim === undefined) return { own }
  const by = claim.root === root ? own : ownProject(claim.root)
  return { own, claim: { project: project('project.yaml', claim.id, claim.id, claim.root), by } }
}

/** Lies in the store of the project that is named, and is there once a person has let the other in. */
export const trustFilePath = (home: string, { project, by }: ProjectIdClaim): string =>
  `${trustFolderPath(projectFolderPath(home, project))}/${by.id}`

export const trustFolderPath = (storeFolder: string): string => `${storeFolder}/members`

function ownProject(root: string, git?: Git): Project {
  if (git === undefined) return project('folder', root, basename(root), root)

  const common = commonFolder(git)
  const config = textOf(`${common}/config`)
  const origin = config === undefined ? undefined : parseOriginUrl(config)
  if (origin !== undefined) {
    const from = normalizeRemoteUrl(origin, root)
    return project('origin', from, basename(from), root)
  }
  const real = realPath(common)
  return project('git', real, repositoryName(real), root)
}

/** The branch checked out in the work tree at `root`, also one without a commit yet; undefined for a detached HEAD or no git. */
export function readGitBranch(root: string): string | undefined {
  const git = gitAt(root)
  const head = git && textOf(`${git.folder}/HEAD`)
  const branch = head && /^ref: *refs\/heads\/(.+?)\s*$/.exec(head)?.[1]
  // What a repository with reftables writes there: its true HEAD is not in a file we read.
  return branch === '.invalid' ? undefined : branch || undefined
}

/**
 * The folder of all memctl keeps, absolute: `$MEMCTL_HOME`, else `~/.memctl`. A leading `~/` in the variable is the home
 * folder too, since nobody expands it in a settings file. Without any home it throws CONFIG_INVALID.
 */
export function resolveMemctlHome(env: Readonly<Record<string, string | undefined>>): string {
  // Not os.homedir(): importing node:os alone costs a hook 0.25 ms, and the client always hands on HOME.
  const person = env['HOME'] || env['USERPROFILE']
  const chosen = env['MEMCTL_HOME']
  if (chosen && !(chosen[0] === '~' && (chosen.length === 1 || '/\\'.includes(chosen[1]!)))) return resolve(chosen)
  if (person) return join(resolve(person), chosen ? chosen.slice(1) : '.memctl')
  throw new MemoryError('CONFIG_INVALID', 'There is no home folder: neither MEMCTL_HOME nor HOME is set', {
    hint: 'Set MEMCTL_HOME to the folder memctl may keep its memories in.',
  })
}

/** Where the log and the indexes of a project live. */
export function projectFolderPath(home: string, project: Project): string {
  return `${home}/projects/${project.name}-${project.id}`
}

/** Name in front of the id, in code points: at four bytes each it stays under the 255 bytes a file name may have. */
const NAME_LENGTH_MAX = 48

interface Git {
  /** Where HEAD is: `.git`, or for a worktree `.git/worktrees/<name>`. */
  readonly folder: string
  /** Reached through a `.git` file: a worktree or a submodule. */
  readonly linked: boolean
}

interface Found {
  readonly root: string
  readonly git?: Git | undefined
  /** The nearest id claimed, and the work tree it is about; without git the folder of its project.yaml. */
  readonly claim?: { readonly id: string; readonly root: string } | undefined
}

function lookUpwards(start: string): Found {
  let claim: Found['claim']
  for (let at = start; ; at = dirname(at)) {
    if (claim === undefined) {
      const id = claimAt(at)
      if (id !== undefined) claim = { id, root: at }
    }
    const git = gitAt(at)
    if (git !== undefined) return { root: at, git: git ?? undefined, claim: claim && { id: claim.id, root: at } }
    if (dirname(at) === at) return { root: start, claim }
  }
}

/** The repository whose work tree (or bare folder) is just here; null where a `.git` file leads nowhere. */
function gitAt(folder: string): Git | null | undefined {
  const door = `${folder}/.git`
  // existsSync first, all along: a Stats object or a thrown ENOENT costs a cold hook 0.1 ms each, this 0.02 ms.
  if (isThere(`${door}/HEAD`)) return { folder: door, linked: false }
  if (isThere(door) && statOf(door)?.isFile()) {
    const target = /^gitdir: *(.+?)\s*$/.exec(textOf(door) ?? '')?.[1]
    const linked = target && resolve(folder, target)
    return linked && isThere(`${linked}/HEAD`) ? { folder: linked, linked: true } : null
  }
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => isThere(`${folder}/${name}`))
  return isBare ? { folder, linked: false } : undefined
}

function commonFolder(git: Git): string {
  const common = git.linked ? textOf(`${git.folder}/commondir`)?.trim() : undefined
  return common ? resolve(git.folder, common) : git.folder
}

function claimAt(folder: string): string | undefined {
  const file = `${folder}/.memctl/project.yaml`
  return isThere(file) ? projectIdFromYaml(textOf(file) ?? '') : undefined
}

function project(identity: Project['identity'], key: string, name: string, root: string): Project {
  return { id: idOf(`${identity}\n${key}`), name: safeName(name), root, identity }
}

/**
 * 48 bits of cyrb53's two lanes (public domain, by bryc), over UTF-16 code units. Not sha256: importing node:crypto costs
 * a cold hook 2.7 ms, this 0.05 ms. Whom it keeps apart are projects of one person: it does not withstand somebody who makes up
 * an origin's URL for the id that comes of it.
 */
function idOf(key: string): string {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i)
    low = Math.imul(low ^ unit, 2_654_435_761)
    high = Math.imul(high ^ unit, 1_597_334_677)
  }
  const mixedLow = mixed(low) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  const mixedHigh = mixed(high) ^ Math.imul(mixedLow ^ (mixedLow >>> 13), 3_266_489_909)
  return hex(mixedHigh).slice(4) + hex(mixedLow)
}

const mixed = (bits: number): number => Math.imul(bits ^ (bits >>> 16), 2_246_822_507)
const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0')

// A repository's folder is mostly `<name>/.git`; a bare one `<name>.git`, or `<name>/.bare` with worktrees around it.
function repositoryName(common: string): string {
  const own = basename(common)
  return own.startsWith('.') ? basename(dirname(common)) : own.replace(/\.git$/, '')
}

// Forbidden characters are named, not the allowed ones: compiling /\p{L}/u takes 1.6 ms in a cold process, this 0.03 ms.
// Out go what a file system refuses, white space, and the invisible ones that make two names look alike.
function safeName(name: string): string {
  if (isSafe(name)) return name
  const plain = name
    .normalize('NFC')
    .replace(/[\0-\x20\x7f-\xa0"*/:<>?\\|\u3000\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g, '-')
    .replace(/^[.-]+/, '')
  const bounded = plain.length > NAME_LENGTH_MAX ? Array.from(plain).slice(0, NAME_LENGTH_MAX).join('') : plain
  return bounded.replace(/[.-]+$/, '') || 'project'
}

function isSafe(name: string): boolean {
  if (name === '' || name.length > NAME_LENGTH_MAX || name.startsWith('-') || name.endsWith('-')) return false
  for (let i = 0; i < name.length; i++) if (!isPlainCharCode(name.charCodeAt(i))) return false
  return true
}

// Whatever goes wrong here (gone meanwhile, no permission, a loop of links) is absence to us.
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

const isThere = (file: string): boolean => existsSync(file)

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return resolve(folder)
  }
}
