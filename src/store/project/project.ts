// Resolves the project of a folder. Every worktree, clone and subfolder of a repository has the same project.
//
// Hot path: reads a few small files and never starts git. A project is identified by the first of these that exists:
//   .memctl/project.yaml (id: …), confirmed  >  origin's URL  >  the git common directory  >  the folder itself
//   and then: a link of the person from that project's store to another one
//
// An id in project.yaml comes from the author of the repository, and it decides which memories are read. So it is
// ignored until the user confirms this repository (`memctl project confirm`).
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { findUserHome, IS_WINDOWS, toSystemPath } from '../disk/paths.ts'
import { readSmallUntrusted } from '../disk/untrustedFiles.ts'
import { commonFolder, type Git, gitAt, hasBareLayout, readOrigin, realPath } from './gitFolder.ts'

export interface Project {
  /** 12 hex digits: a hash of what identifies the project. */
  readonly id: string
  /** For people, and safe in file names. From the same source as the id, so that all clones have the same name. */
  readonly name: string
  /** The real path of the work tree; without git that of project.yaml's folder, else of the folder. */
  readonly root: string
  readonly identity: 'project.yaml' | 'origin' | 'git' | 'folder'
  /** The folder's own store, `<name>-<id>`, where a link of the person's home leads from it to this project. */
  readonly linkedFrom?: string
}

/** A folder's own project, and the one that its project.yaml claims. */
export type FolderIdentity = ReturnType<typeof resolveIdentity>

export interface ProjectIdClaim {
  /** The claimed project. */
  readonly project: Project
  /** The own project of the repository that claims it, the same for all its clones and worktrees. */
  readonly by: Project
}

/**
 * The project of a folder. Without memctl's `home` claims are ignored, because confirmations are stored there. Never
 * throws: a folder that is missing or unreadable is its own project.
 *
 * If a `.git` file points to nothing (a worktree of a moved repository), its folder is the project. A submodule is its
 * own project. A bare repository is a project by its path, unless it lies in a work tree; its origin is not read,
 * because a clone may contain such a folder. `GIT_DIR` and git configuration outside of the repository are ignored.
 */
export function resolveProject(folder: string, home?: string): Project {
  const { own, claim } = resolveIdentity(folder)
  if (home === undefined) return own
  return followLink(home, claim !== undefined && existsSync(trustFilePath(home, claim)) ? claim.project : own)
}

/** The name of a project's store in memctl's home. */
export const storeNameOf = ({ name, id }: Pick<Project, 'name' | 'id'>): string => `${name}-${id}`

/** The project's name and id in the name of its store. */
export function splitStoreName(store: string): Pick<Project, 'name' | 'id'> {
  const end = store.lastIndexOf('-')
  return { id: store.slice(end + 1), name: store.slice(0, end) }
}

/** The file in a project's own store that names the store used in its place (`memctl project link`). */
export const LINK_NAME = 'link'

/** The project that a link in memctl's home leads to; a link to a store that is gone is ignored. */
function followLink(home: string, own: Project): Project {
  let project = own
  for (let links = 0; links < LINKS_MAX; links++) {
    const folder = projectFolderPath(home, project)
    if (!existsSync(`${folder}/${LINK_NAME}`)) break
    const to = readSmallUntrusted(folder, LINK_NAME, CLAIM_BYTES_MAX)?.trim() ?? ''
    if (!existsSync(`${home}/projects/${to}/events`)) break
    project = { ...own, ...splitStoreName(to), linkedFrom: storeNameOf(own) }
  }
  return project
}

/** Both projects, for a command that asks the user to confirm a claim. */
export function resolveIdentity(folder: string) {
  const { root, git, claim } = findRepository(realPath(folder))
  const own = ownProject(root, git)
  if (claim === undefined) return { own }
  const by = claim.root === root ? own : ownProject(claim.root)
  return { own, claim: { project: project('project.yaml', claim.id, claim.id, claim.root), by } }
}

/** A file in the store of the claimed project. It exists once the user has confirmed the other repository. */
export const trustFilePath = (home: string, { project, by }: ProjectIdClaim): string =>
  `${trustFolderPath(projectFolderPath(home, project))}/${by.id}`

export const trustFolderPath = (storeFolder: string): string => `${storeFolder}/members`

function ownProject(root: string, git?: RepositoryGit): Project {
  if (git === undefined) return project('folder', root, basename(root), root)

  const common = commonFolder(git)
  const origin = git.bare ? undefined : readOrigin(common, root)
  if (origin !== undefined) return project('origin', origin, basename(origin), root)
  const real = realPath(common)
  return project('git', real, repositoryName(real), root)
}

/**
 * The absolute path of memctl's folder: `$MEMCTL_HOME`, else `~/.memctl`. A leading `~/` in the variable is expanded,
 * because in a settings file nothing else does. Throws CONFIG_INVALID if there is no home folder.
 */
export function resolveMemctlHome(env: Readonly<Record<string, string | undefined>>): string {
  // Not os.homedir(): importing node:os takes a hook 0.25 ms, and the client always passes HOME on.
  const userHome = findUserHome(env)
  const configured = env['MEMCTL_HOME']
  const isInUserHome = configured === '~' || configured?.startsWith('~/') || configured?.startsWith('~\\')
  if (configured && !isInUserHome) return toSystemPath(resolve(toSystemPath(configured)))
  if (userHome) return toSystemPath(join(resolve(userHome), configured ? configured.slice(1) : '.memctl'))
  throw new MemoryError('CONFIG_INVALID', 'There is no home folder: neither MEMCTL_HOME nor HOME is set', {
    hint: 'Set MEMCTL_HOME to a folder where memctl may store its data.',
  })
}

/** The same; undefined if neither MEMCTL_HOME nor HOME is set. */
export function findMemctlHome(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    return resolveMemctlHome(env)
  } catch {
    return undefined
  }
}

export const projectFolderPath = (home: string, project: Project): string => `${home}/projects/${storeNameOf(project)}`

/** Length of the name in a folder's name, in code points. With four bytes each it is below the limit of 255 bytes. */
const NAME_LENGTH_MAX = 48

/** Folders above that are searched for a repository, at most. */
const PARENTS_MAX = 128

/** Links in a row: a project that was merged into another one, which was merged. */
const LINKS_MAX = 4

const CLAIM_BYTES_MAX = 65_536

interface RepositoryGit extends Git {
  /** Found without a `.git`. */
  readonly bare?: boolean
}

interface Location {
  readonly root: string
  readonly git?: RepositoryGit | undefined
  /** The nearest claimed id, and its work tree; without git the folder of its project.yaml. */
  readonly claim?: { readonly id: string; readonly root: string } | undefined
}

function findRepository(start: string): Location {
  let claim: Location['claim']
  let bare: string | undefined
  for (let at = start, parents = 0; parents < PARENTS_MAX; at = dirname(at), parents++) {
    if (claim === undefined) {
      const id = claimAt(at)
      if (id !== undefined) claim = { id, root: at }
    }
    const git = gitAt(at)
    if (git !== undefined) return { root: at, git: git ?? undefined, claim: claim && { id: claim.id, root: at } }
    if (bare === undefined && hasBareLayout(at)) bare = at
    if (dirname(at) === at) break
  }
  if (bare === undefined) return { root: start, claim }
  const git = { folder: bare, linked: false, bare: true }
  return { root: bare, git, claim: claim && { id: claim.id, root: bare } }
}

function claimAt(folder: string): string | undefined {
  if (!existsSync(`${folder}/.memctl/project.yaml`)) return undefined
  const text = readSmallUntrusted(`${folder}/.memctl`, 'project.yaml', CLAIM_BYTES_MAX)
  return text === undefined ? undefined : projectIdFromYaml(text)
}

function project(identity: Project['identity'], key: string, name: string, root: string): Project {
  return { id: hashId(`${identity}\n${key}`), name: toSafeName(name), root, identity }
}

/**
 * 48 bits of cyrb53's two lanes (public domain, by bryc), over UTF-16 code units. Not sha256: importing node:crypto
 * takes a hook 2.7 ms, this 0.05 ms. It separates the projects of one user. It is no protection against an origin URL
 * that was constructed for a certain id.
 */
function hashId(key: string): string {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i)
    low = Math.imul(low ^ unit, 2_654_435_761)
    high = Math.imul(high ^ unit, 1_597_334_677)
  }
  const mixedLow = mix(low) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  const mixedHigh = mix(high) ^ Math.imul(mixedLow ^ (mixedLow >>> 13), 3_266_489_909)
  return hex(mixedHigh).slice(4) + hex(mixedLow)
}

const mix = (bits: number): number => Math.imul(bits ^ (bits >>> 16), 2_246_822_507)
const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0')

// Usually `<name>/.git`. A bare repository is `<name>.git`, or `<name>/.bare` with worktrees beside it.
function repositoryName(common: string): string {
  const own = basename(common)
  return own.startsWith('.') ? basename(dirname(common)) : own.replace(/\.git$/, '')
}

// Lists forbidden characters, not allowed ones: compiling /\p{L}/u takes 1.6 ms in a new process, this 0.03 ms.
// Forbidden are characters that file systems refuse, white space, and invisible characters, which make different names
// look equal.
function toSafeName(name: string): string {
  if (isSafe(name)) return name
  const plain = name
    .normalize('NFC')
    .replace(/[\0-\x20\x7f-\xa0"*/:<>?\\|\u3000\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+/g, '-')
    .replace(/^[.-]+/, '')
  const bounded = plain.length > NAME_LENGTH_MAX ? Array.from(plain).slice(0, NAME_LENGTH_MAX).join('') : plain
  const trimmed = bounded.replace(/[.-]+$/, '') || 'project'
  // `aux.shop` is a device on Windows, with any extension.
  return IS_WINDOWS ? trimmed.replace(/^(con|prn|aux|nul|com\d|lpt\d)\./i, '$1-') : trimmed
}

function isSafe(name: string): boolean {
  if (name === '' || name.length > NAME_LENGTH_MAX || name.startsWith('-') || name.endsWith('-')) return false
  for (let i = 0; i < name.length; i++) if (!isPlainCharCode(name.charCodeAt(i))) return false
  return true
}

// Reads the id from a project.yaml without a YAML parser, for which a hook has no time.

/** The value of `id:` in the text, plain or quoted; undefined if there is none or it is empty. */
export function projectIdFromYaml(text: string): string | undefined {
  const match = /^\ufeff?id:[ \t]+(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s#"'][^\r\n]*?))[ \t]*(?:[ \t]#.*)?\r?$/m.exec(
    text,
  )
  return match?.slice(1).find(Boolean)?.trim() || undefined
}

/** Letters, digits, `-` and `_`. */
const isPlainCharCode = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 45 || unit === 95

// The home folder of an installed runtime, by the path of its scripts.
//
// `memctl init` installs the scripts into the home: they use this home even if the environment of the client does not
// name it.
//
//   /data/memctl/runtime/0.1.0/hooks/stop.cjs
//   └── home ──┘         └ version

/** The home that a script's folder belongs to; undefined if the script is elsewhere, as in a package or a plugin. */
export const runtimeHome = (folder: string): string | undefined =>
  /^(.+)[\\/]runtime[\\/]\d[^\\/]*(?:[\\/](?:hooks|shared))?$/.exec(folder)?.[1]

/** An environment that names the home of the runtime in `folder`, unless it names one already. */
export function withRuntimeHome<Env extends Readonly<Record<string, string | undefined>>>(
  env: Env,
  folder: string,
): Env {
  const home = runtimeHome(folder)
  return home === undefined || env['MEMCTL_HOME'] ? env : { ...env, MEMCTL_HOME: home }
}
