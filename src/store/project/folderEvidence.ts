// What identifies a folder on this machine besides its project: path, file system identity, git folder, history.
//
// A clone or an archive brings content. It cannot bring the inode and the time of creation of a folder that this person
// has used before. So only these decide without a question; paths, origins and histories lead to a question.
import { type BigIntStats, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { hashHex } from '../../text/hash.ts'
import { closing } from '../disk/diskCalls.ts'
import type { Files } from '../disk/files.ts'
import { readJsonIfIntact } from '../disk/readJson.ts'
import { commonFolder, type Git, gitAt, readOrigin, realPath } from './gitFolder.ts'
import { type Project, resolveProject, splitStoreName, storeNameOf } from './project.ts'

/**
 * `plain`: without `.git`. `linked`: its `.git` file names a folder of its own, as in a submodule. `broken`: its `.git`
 * names a repository that is gone or does not know it, as in a moved worktree. `part`: a session started in this
 * subfolder of a project.
 */
type FolderKind = 'plain' | 'repository' | 'worktree' | 'linked' | 'broken' | 'part'

export interface FolderEvidence {
  /** The real path. */
  readonly folder: string
  readonly kind: FolderKind
  /** The file system's identity of the folder, of its `.git`, and of the git folder that worktrees share. */
  readonly mark?: string | undefined
  readonly gitMark?: string | undefined
  readonly commonMark?: string | undefined
  /** The real path of the git folder that worktrees share. */
  readonly gitFolder?: string | undefined
  /** The origin, normalized. Absent for a URL that may have a password. */
  readonly origin?: string | undefined
  /** A hash of the first line of the reflog: copies of a repository have the same. */
  readonly history?: string | undefined
}

/** The evidence of a project's root, and of the subfolder in which the session started. */
export function readEvidence(folder: string, { root }: Pick<Project, 'root'>): FolderEvidence[] {
  const start = realPath(folder)
  const evidence = readFolder(root)
  // A session's folder may lie elsewhere: the client can be started with another project folder.
  if (!start.startsWith(root) || !/^[\\/]/.test(start.slice(root.length))) return [evidence]
  return [evidence, { folder: start, kind: 'part', mark: readMark(start) }]
}

function readFolder(root: string): FolderEvidence {
  const git = gitAt(root)
  const common = git ? realPath(commonFolder(git)) : undefined
  const kind = kindOf(git, common)
  const line = common && readFirstLine(`${common}/logs/HEAD`)
  return {
    folder: root,
    kind,
    mark: readMark(root),
    gitMark: git === undefined ? undefined : readMark(`${root}/.git`),
    gitFolder: common,
    commonMark: common !== undefined && kind === 'worktree' ? readMark(common) : undefined,
    origin: common && readHarmlessOrigin(common, root),
    history: line ? hashHex(line) : undefined,
  }
}

function kindOf(git: Git | null | undefined, common: string | undefined): FolderKind {
  if (git === undefined) return 'plain'
  if (git === null) return 'broken'
  if (!git.linked) return 'repository'
  return common === realPath(git.folder) ? 'linked' : 'worktree'
}

/** The path of an origin on this disk. */
export const localOrigin = ({ origin }: FolderEvidence): string | undefined =>
  origin !== undefined && isAbsolute(origin) ? origin : undefined

function readHarmlessOrigin(common: string, root: string): string | undefined {
  const origin = readOrigin(common, root)
  return origin === undefined || (!isAbsolute(origin) && /[@?#]/.test(origin)) ? undefined : origin
}

/** Whether the folder still exists and belongs to the store of this name, without links. */
export const belongsTo = (folder: string, store: string): boolean =>
  existsSync(folder) && storeNameOf(resolveProject(folder)) === store

/**
 * Inode and time of creation. An inode alone is used again for another file. Undefined for a link, and on file systems
 * that do not store when a file was created: there nothing is decided without a question.
 */
export const markOf = (
  stats: Pick<BigIntStats, 'ino' | 'birthtimeNs' | 'isSymbolicLink'> | undefined,
): string | undefined =>
  stats === undefined || stats.isSymbolicLink() || stats.ino <= 0n || stats.birthtimeNs <= 0n
    ? undefined
    : `${stats.ino.toString(36)}.${stats.birthtimeNs.toString(36)}`

/** The identity of a file or folder in its file system; undefined where there is none. A copy has another one. */
export function readMark(path: string): string | undefined {
  try {
    return markOf(lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  } catch {
    return undefined // No permission, or a file in the place of a folder.
  }
}

const LINE_BYTES_MAX = 1_024

/** The first line of a regular file; undefined if it is missing or longer. */
function readFirstLine(file: string): string | undefined {
  try {
    return closing(openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), (fd) => {
      if (!fstatSync(fd).isFile()) return undefined
      const bytes = Buffer.allocUnsafe(LINE_BYTES_MAX)
      const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, LINE_BYTES_MAX, 0))
      const end = text.indexOf('\n')
      return end === -1 ? undefined : text.slice(0, end)
    })
  } catch {
    return undefined // Without commits there is no reflog.
  }
}

// The folders in which each project was used, so that its memory is found after they change.
//
//   projects/<name>-<id>/identity.json   one project: its folders, and the name that the person gave it
//   places.json                          those of all projects, for the first session of an unknown project
//
// The worker writes both. A hook reads places.json only if the project of its folder has no memory yet.

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
  const record = readJsonIfIntact<Partial<ProjectRecord>>(files, recordFilePath(storeFolder))
  return { ...record, places: Array.isArray(record?.places) ? record.places : [] }
}

/** What a project is called: `shop-1a2b3c4d5e6f` is `shop`, unless the person gave it another name. */
export const titleOfStore = (files: Files, home: string | undefined, store: string): string =>
  readRecord(files, `${home}/projects/${store}`).title ?? splitStoreName(store).name

/** The records of all projects; none if the file is missing or damaged. */
export const readPlaces = (files: Files, home: string): PlacesFile =>
  readJsonIfIntact<{ stores?: PlacesFile }>(files, placesFilePath(home))?.stores ?? {}

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
