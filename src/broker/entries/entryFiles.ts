// The files of entries: their paths by label and in the archive, how they are read, and how they are moved while other
// processes, editors and git write them: nothing that somebody wrote is lost.
//
//   1. link    memory/a.md ──▶ memory/archive/a.md     the name must be free, so nothing is overwritten
//   2. rename  memory/a.md ──▶ memory/.a.md.<pid>.<n>.taken
//   3. compare both texts: equal: remove the taken file; not equal: somebody wrote meanwhile, put it back
//
// A process hides its own copy before it looks for the other one. So of two processes that move the same entry in
// opposite directions, at least one finds the other copy missing, and puts its own back.
import { ENTRY_FILE_BYTES_MAX, ENTRY_LIMITS } from '../../entries/entry.ts'
import { type EntryFile, globalEntriesFolder } from '../../entries/entryDirs.ts'
import type { Access } from '../../store/disk/diskCalls.ts'
import type { Files } from '../../store/disk/files.ts'
import { isOwnerAlive } from '../../store/disk/lock.ts'
import {
  type FileFault,
  type FolderNames,
  findLinkBelow,
  isFileFault,
  listUntrusted,
  readUntrusted,
} from '../../store/disk/untrustedFiles.ts'
import type { Store } from '../open/openStore.ts'

/** The label of a file in its memory: the same on every machine. */
export const entryLabel = ({ dir, name }: EntryFile): string => `${dir.label}/${name}`

/** The path of a label on this machine. */
export function entryPath(store: Store, label: string): string {
  if (label.startsWith('global/')) return globalEntriesFolder(store) + label.slice('global'.length)
  if (label.startsWith('~/')) return (store.userHome ?? '') + label.slice(1)
  return `${store.project.root}/${label}`
}

/**
 * The content of a file of entries; undefined if there is none. In a project only a regular file that no link leads
 * to: a link in a repository must not bring other files of this machine into memories. Links in the user's home are
 * trusted.
 */
export const readEntryFile = (store: Store, path: string): Buffer | FileFault | undefined =>
  readUntrusted(untrustedRoot(store, path), path, ENTRY_FILE_BYTES_MAX)

/** The same, undefined also for what cannot be read. */
export function readEntryBytes(store: Store, path: string): Buffer | undefined {
  const read = readEntryFile(store, path)
  return isFileFault(read) ? undefined : read
}

/** The link that a path in a folder of entries leads through; undefined without one. The file need not exist. */
export function findEntryLink(store: Store, path: string): string | undefined {
  const root = untrustedRoot(store, path)
  return root === undefined ? undefined : findLinkBelow(root, path)
}

/** The project's root for a path that a repository can bring; undefined for one in the user's home. */
const untrustedRoot = ({ project, home }: Store, path: string): string | undefined =>
  path.startsWith(`${project.root}/`) && !(home !== undefined && path.startsWith(`${home}/`)) ? project.root : undefined

export const listArchive = (store: Store, folder: string): FolderNames =>
  listUntrusted(untrustedRoot(store, folder), folder, ENTRY_LIMITS.filesMax)

/** Who may read an entry file: in a project as the umask says, since git shares it; in memctl's home only the user. */
export const entryAccess = ({ home }: Store, path: string): Access =>
  home !== undefined && path.startsWith(`${home}/`) ? 'owner' : 'umask'

export const archiveFolder = (folder: string): string => `${folder}/archive`

/** The names in the archive of a folder. It is listed once, so that moving many files takes linear time. */
export class ArchiveNames {
  /** Under the name of the active file: its archived names, the latest last. */
  readonly #versions = new Map<string, readonly string[]>()

  constructor(names: readonly string[]) {
    const numbered = names.map((name) => ({ name, ...splitVersion(name) }))
    for (const { name, active } of numbered.sort((a, b) => a.version - b.version)) this.#add(active, name)
  }

  /** `key.md`, `key~2.md`, `key~3.md` …, the latest last. */
  versionsOf(active: string): readonly string[] {
    return this.#versions.get(active) ?? []
  }

  /** The next unused name of an active file, from now on a used one. */
  takeNext(active: string): string {
    const last = this.versionsOf(active).at(-1)
    const next = last === undefined ? active : active.replace(/\.md$/, `~${splitVersion(last).version + 1}.md`)
    this.#add(active, next)
    return next
  }

  #add(active: string, name: string): void {
    this.#versions.set(active, [...this.versionsOf(active), name])
  }
}

/** The active file of an archived name, and its number: 1 without a number. */
function splitVersion(name: string): { active: string; version: number } {
  const [, stem = '', version = ''] = /^(.+)~([1-9]\d{0,5})\.md$/.exec(name) ?? []
  return stem === '' ? { active: name, version: 1 } : { active: `${stem}.md`, version: Number(version) }
}

/**
 * Step 1 for an active file: links it into the archive, or finds the copy that a killed process has left there.
 * Undefined if there is no file.
 */
export function linkIntoArchive(files: Files, path: string, archived: ArchiveNames, access: Access) {
  const { folder, name } = splitPath(path)
  const bytes = readRegular(path)
  if (!bytes) return undefined
  for (const version of archived.versionsOf(name)) {
    const copy = `${archiveFolder(folder)}/${version}`
    if (files.size(copy) === bytes.length && readRegular(copy)?.equals(bytes)) return { path, copy }
  }
  for (;;) {
    const copy = `${archiveFolder(folder)}/${archived.takeNext(name)}`
    const isLinked = files.link(path, copy, access)
    if (isLinked !== false) return isLinked ? { path, copy } : undefined
  }
}

/** Steps 2 and 3: removes a file whose `copy` has the same text. Returns whether it did. */
export function removeIfCopied(files: Files, path: string, copy: string): boolean {
  const taken = takenName(path)
  if (!files.rename(path, taken)) return false
  const bytes = readRegular(taken)
  if (bytes && !readRegular(copy)?.equals(bytes)) {
    putBack(files, taken, path)
    return false
  }
  files.remove(taken)
  return true
}

/** Gives a taken file its name again. If the name is used by now, the file goes into the archive. */
function putBack(files: Files, taken: string, path: string): void {
  const { folder, name } = splitPath(path)
  const bytes = readRegular(taken)
  if (!bytes) return
  if (!files.link(taken, path, 'umask') && !readRegular(path)?.equals(bytes)) {
    const archive = folder.endsWith('/archive') ? folder : archiveFolder(folder)
    const archived = new ArchiveNames(files.list(archive))
    const { active } = splitVersion(name)
    while (files.link(taken, `${archive}/${archived.takeNext(active)}`, 'umask') === false);
  }
  files.remove(taken)
}

/** The content of a regular file: anything else in an archive came with the repository, and is left alone. */
function readRegular(path: string): Buffer | undefined {
  const read = readUntrusted(splitPath(path).folder, path, ENTRY_FILE_BYTES_MAX)
  return Buffer.isBuffer(read) ? read : undefined
}

const TAKEN_FILE = /^\.(.+\.md)\.(\d+)\.\d+\.taken$/

/** Gives back the files that a killed process had taken, unless a copy of them is in the other folder. */
export function recoverTakenFiles(files: Files, folder: string): void {
  const other = folder.endsWith('/archive') ? folder.slice(0, -'/archive'.length) : archiveFolder(folder)
  for (const taken of files.list(folder)) {
    const [, name = '', pid = ''] = TAKEN_FILE.exec(taken) ?? []
    if (name === '' || isOwnerAlive({ pid: Number(pid) })) continue
    const bytes = readRegular(`${folder}/${taken}`)
    const { active } = splitVersion(name)
    const copies = [active, ...new ArchiveNames(files.list(other)).versionsOf(active)]
    if (bytes && copies.some((copy) => readRegular(`${other}/${copy}`)?.equals(bytes)))
      files.remove(`${folder}/${taken}`)
    else putBack(files, `${folder}/${taken}`, `${folder}/${name}`)
  }
}

/** The pid tells the files of two processes apart, the counter those of one process. */
let takenCount = 0
function takenName(path: string): string {
  const { folder, name } = splitPath(path)
  return `${folder}/.${name}.${process.pid}.${takenCount++}.taken`
}

export function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/')
  return { folder: path.slice(0, slash), name: path.slice(slash + 1) }
}
