// Which project a folder belongs to, so that its memories are found again from every worktree, clone and subfolder.
//
// Hot path: read from a few small files, git is never started. What identifies a project, the first that is there:
//   .memctl/project.yaml (id: …)  >  origin's URL  >  the git common directory  >  the folder itself
import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MemoryError } from '../model/errors.ts'
import { normalised, originIn } from './origin.ts'

export interface Project {
  /** 12 hex digits, made of what identifies the project and nothing else. */
  readonly id: string
  /** For people, and safe as part of a file name. Made of the same thing as the id: all clones agree on it. */
  readonly name: string
  /** The real path of the work tree; without git the folder of project.yaml, else the folder. */
  readonly root: string
  readonly identity: 'project.yaml' | 'origin' | 'git' | 'folder'
}

/**
 * The project of a folder. Never throws: a folder that is not there or may not be read is a project of its own.
 *
 * A `.git` file that leads nowhere (a worktree whose repository was moved away) makes a project of the folder it lies in.
 * A submodule is a project of its own. `GIT_DIR` and git's own configuration outside the repository do not count.
 */
export function projectOf(folder: string): Project {
  const { root, git, claim } = lookUpwards(realPath(folder))
  if (claim !== undefined) return project('project.yaml', claim, claim, root)
  if (git === undefined) return project('folder', root, basename(root), root)

  const common = commonFolder(git)
  const config = textOf(`${common}/config`)
  const origin = config === undefined ? undefined : originIn(config)
  if (origin !== undefined) {
    const from = normalised(origin, root)
    return project('origin', from, basename(from), root)
  }
  const real = realPath(common)
  return project('git', real, repositoryName(real), root)
}

/** The branch checked out in the work tree at `root`, also one without a commit yet; undefined for a detached HEAD or no git. */
export function branchOf(root: string): string | undefined {
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
export function memctlHome(env: Readonly<Record<string, string | undefined>>): string {
  // Not os.homedir(): importing node:os alone costs a hook 0.25 ms, and the client always hands on HOME.
  const person = env['HOME'] || env['USERPROFILE']
  const chosen = env['MEMCTL_HOME']
  if (chosen && !(chosen[0] === '~' && (chosen.length === 1 || '/\\'.includes(chosen[1]!)))) return resolve(chosen)
  if (person) return join(resolve(person), chosen ? chosen.slice(1) : '.memctl')
  throw new MemoryError('CONFIG_INVALID', 'There is no home folder: neither MEMCTL_HOME nor HOME is set', {
    mend: 'Set MEMCTL_HOME to the folder memctl may keep its memories in.',
  })
}

/** Where the log and the indexes of a project live. */
export function projectFolder(home: string, project: Project): string {
  return `${home}/projects/${project.name}-${project.id}`
}

/** Name in front of the id, in code points: at four bytes each it stays under the 255 bytes a file name may have. */
const NAME_LENGTH_MAX = 48

/** A project.yaml larger than this is not one, in bytes. */
const CLAIM_BYTES_MAX = 65_536

interface Git {
  /** Where HEAD is: `.git`, or for a worktree `.git/worktrees/<name>`. */
  readonly folder: string
  /** Reached through a `.git` file: a worktree or a submodule. */
  readonly linked: boolean
}

function lookUpwards(start: string): { root: string; git?: Git | undefined; claim?: string | undefined } {
  let claim: string | undefined
  let claimedAt: string | undefined
  for (let at = start; ; at = dirname(at)) {
    if (claim === undefined) {
      claim = claimAt(at)
      claimedAt = claim && at
    }
    const git = gitAt(at)
    if (git !== undefined) return { root: at, git: git ?? undefined, claim }
    if (dirname(at) === at) return { root: claimedAt ?? start, claim }
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

/** The id a project.yaml here claims. One regular expression instead of a YAML parser, which a hook cannot afford. */
function claimAt(folder: string): string | undefined {
  const file = `${folder}/.memctl/project.yaml`
  if (!isThere(file)) return undefined
  const text = textOf(file) ?? ''
  if (text.length > CLAIM_BYTES_MAX) return undefined
  const plain = plainClaimIn(text)
  if (plain !== undefined) return plain
  const found = /^\ufeff?id:[ \t]+(?:"([^"\r\n]+)"|'([^'\r\n]+)'|([^\s#"'][^\r\n]*?))[ \t]*(?:[ \t]#.*)?\r?$/m.exec(
    text,
  )
  return found?.slice(1).find(Boolean)?.trim() || undefined
}

/** The id as memctl itself writes it, bare and on the first line: found without compiling a pattern, which takes 0.15 ms. */
function plainClaimIn(text: string): string | undefined {
  const end = text.indexOf('\n')
  if (!text.startsWith('id: ') || end === -1) return undefined
  for (let i = 4; i < end; i++) if (!isPlain(text.charCodeAt(i))) return undefined
  return end > 4 ? text.slice(4, end) : undefined
}

/** Letters, digits, `-` and `_`. */
const isPlain = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || unit === 45 || unit === 95

function project(identity: Project['identity'], key: string, name: string, root: string): Project {
  return { id: idOf(`${identity}\n${key}`), name: safeName(name), root, identity }
}

/**
 * 48 bits of cyrb53's two lanes (public domain, by bryc), over UTF-16 code units. Not sha256: importing node:crypto costs
 * a cold hook 2.7 ms, this 0.05 ms. It need not withstand an attacker, who could as well copy the key itself.
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
  for (let i = 0; i < name.length; i++) if (!isPlain(name.charCodeAt(i))) return false
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
