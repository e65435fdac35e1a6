// Reads what a repository may have brought: only regular files that really are below a folder, and never too much.
//
// Git carries links, and an archive carries any kind of file. So no link is followed below `root`, the size is checked
// before the content is read, and nothing waits: a FIFO is opened without waiting for its writer.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { closing, systemErrorCode } from './diskCalls.ts'

/** A file or folder that is not read, and why. */
export interface FileFault {
  /** The complete path. */
  readonly file: string
  /** A clause: `it is a link`. */
  readonly what: string
  readonly hint: string
}

export interface FolderNames {
  /** Sorted; at most as many as were asked for. */
  readonly names: readonly string[]
  /** Why the folder was not read, or not to its end. */
  readonly fault?: FileFault
  /** Whether there are more names. */
  readonly isCut?: boolean
}

/** Windows has neither of these flags. */
const NO_LINK = constants.O_NOFOLLOW ?? 0
const NO_WAIT = constants.O_NONBLOCK ?? 0

const CHUNK_BYTES = 65_536

/**
 * A folder of this size has a few thousand names, which one call lists. Listing in steps loads a module of Node, which
 * takes a cold hook more than a millisecond. File systems that give folders no size are read in one call.
 */
const SMALL_FOLDER_BYTES = 65_536

export const isFileFault = (read: Buffer | Stats | FileFault | true | undefined): read is FileFault =>
  typeof read === 'object' && 'hint' in read

/** The first link among the folders from below `root` to `path`, and `path` itself; undefined if there is none. */
export function findLinkBelow(root: string, path: string): string | undefined {
  if (!path.startsWith(`${root}/`)) return undefined
  for (let end = path.indexOf('/', root.length + 1); ; end = path.indexOf('/', end + 1)) {
    const part = end === -1 ? path : path.slice(0, end)
    const stats = inspect(part)
    if (stats === undefined) return undefined
    if (stats.isSymbolicLink()) return part
    if (end === -1) return undefined
  }
}

/**
 * The content of a regular file of at most `bytesMax` bytes; undefined if there is none. Without a `root` links are
 * followed: the folder belongs to the user, not to a repository. Throws nothing.
 */
export function readUntrusted(
  root: string | undefined,
  file: string,
  bytesMax: number,
): Buffer | FileFault | undefined {
  const link = root === undefined ? undefined : findLinkBelow(root, file)
  if (link !== undefined) return linkFault(file, link)
  try {
    return closing(openSync(file, constants.O_RDONLY | NO_WAIT | (root === undefined ? 0 : NO_LINK)), (fd) => {
      const stats = fstatSync(fd)
      if (!stats.isFile()) return kindFault(file, stats)
      return stats.size > bytesMax ? sizeFault(file, stats.size, bytesMax) : readUpTo(fd, stats.size)
    })
  } catch (error) {
    return isAbsent(error) ? undefined : errorFault(file, error)
  }
}

/**
 * A small text directly in `folder`, which is no link; undefined for whatever `readUntrusted` would report. Without a
 * stat, because every hook reads such a file, and the first stat of a process takes 0.3 ms.
 */
export function readSmallUntrusted(folder: string, name: string, bytesMax: number): string | undefined {
  const opened: number[] = []
  try {
    const isFolder = constants.O_DIRECTORY
    if (isFolder === undefined || NO_LINK === 0) {
      if (lstatSync(folder).isSymbolicLink() || !lstatSync(`${folder}/${name}`).isFile()) return undefined
    } else opened.push(openSync(folder, constants.O_RDONLY | NO_WAIT | NO_LINK | isFolder))
    const fd = openSync(`${folder}/${name}`, constants.O_RDONLY | NO_WAIT | NO_LINK)
    opened.push(fd)
    const bytes = readUpTo(fd, bytesMax + 1)
    return bytes.length > bytesMax ? undefined : bytes.toString('utf8')
  } catch {
    return undefined // A link, a folder, no permission, or gone meanwhile.
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

/**
 * Size and times of a regular file below `root`, with a fault for anything else; undefined if nothing is there. Only
 * the file itself is checked: `listUntrusted` has checked its folder. Throws nothing.
 */
export function inspectUntrusted(root: string | undefined, file: string): Stats | FileFault | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats === undefined || stats.isFile()) return stats
    return stats.isSymbolicLink() ? inspectLink(root, file) : kindFault(file, stats)
  } catch (error) {
    return isAbsent(error) ? undefined : errorFault(file, error)
  }
}

/**
 * True for a folder, undefined if nothing or something else is there, and a fault for a link. Only the folder itself is
 * checked. Throws nothing.
 */
export function inspectFolder(root: string | undefined, folder: string): true | FileFault | undefined {
  try {
    const stats =
      root === undefined ? statSync(folder, { throwIfNoEntry: false }) : lstatSync(folder, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) return linkFault(folder, folder)
    return stats?.isDirectory() || undefined
  } catch (error) {
    return isAbsent(error) ? undefined : errorFault(folder, error)
  }
}

/** The names in a folder, at most `namesMax` of them; none if there is no folder. Links as above. Throws nothing. */
export function listUntrusted(root: string | undefined, folder: string, namesMax: number): FolderNames {
  const link = root === undefined ? undefined : findLinkBelow(root, folder)
  if (link !== undefined) return { names: [], fault: linkFault(folder, link) }
  const names: string[] = []
  try {
    if ((inspect(folder)?.size ?? 0) <= SMALL_FOLDER_BYTES) return selectNames(folder, readdirSync(folder), namesMax)
    const opened = opendirSync(folder)
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        names.push(entry.name)
        if (names.length > namesMax) break
      }
    } finally {
      opened.closeSync()
    }
    return selectNames(folder, names, namesMax)
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { names }
    return { names: [], fault: errorFault(folder, error) }
  }
}

function selectNames(folder: string, names: readonly string[], namesMax: number): FolderNames {
  if (names.length <= namesMax) return { names: names.toSorted() }
  return { names: names.slice(0, namesMax).sort(), fault: countFault(folder, namesMax), isCut: true }
}

/** A config or HEAD larger than this is not read, in bytes. A config has one section for each remote and branch. */
const GIT_BYTES_MAX = 4_194_304

/**
 * A small text of a `.git` folder; undefined if it cannot be read, or is larger than that. Links are followed,
 * because git allows them and no clone contains a `.git`. Without a stat, because every hook reads such files.
 */
export function readGitText(file: string): string | undefined {
  try {
    const bytes = closing(openSync(file, constants.O_RDONLY | NO_WAIT), (fd) => readUpTo(fd, GIT_BYTES_MAX + 1))
    return bytes.length > GIT_BYTES_MAX ? undefined : bytes.toString('utf8')
  } catch {
    return undefined // Removed meanwhile, no permission, a folder, a loop of links: counts as missing.
  }
}

const inspect = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // The read that follows reports it.
  }
}

function inspectLink(root: string | undefined, file: string): Stats | FileFault | undefined {
  if (root !== undefined) return linkFault(file, file)
  try {
    const stats = closing(openSync(file, constants.O_RDONLY | NO_WAIT), (fd) => fstatSync(fd))
    return stats.isFile() ? stats : kindFault(file, stats)
  } catch (error) {
    return errorFault(file, error)
  }
}

/** Up to `length` bytes; fewer at the end of the file. Chunk by chunk, so that a wrong size needs no large buffer. */
function readUpTo(fd: number, length: number): Buffer {
  const chunks: Buffer[] = []
  for (let left = length; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, left))
    const read = readSync(fd, chunk, 0, chunk.length, null)
    if (read === 0) break
    chunks.push(chunk.subarray(0, read))
    left -= read
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')

const linkFault = (file: string, link: string): FileFault => ({
  file,
  what: link === file ? 'it is a link, and links are not followed' : `${link} is a link, and links are not followed`,
  hint: link === file ? 'Put the file itself there.' : 'Put the folder itself there.',
})

function kindFault(file: string, stats: Stats): FileFault {
  const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a named pipe' : stats.isSocket() ? 'a socket' : ''
  return { file, what: `it is ${kind || 'a device'}, not a file`, hint: 'Remove it, or put a file there.' }
}

const sizeFault = (file: string, bytes: number, bytesMax: number): FileFault => ({
  file,
  what: `it has ${bytes} bytes`,
  hint: `Use at most ${bytesMax}, or several files.`,
})

const countFault = (file: string, namesMax: number): FileFault => ({
  file,
  what: `it has more than ${namesMax} names, and the others are ignored`,
  hint: 'Remove those that are not needed.',
})

function errorFault(file: string, error: unknown): FileFault {
  const code = systemErrorCode(error) ?? 'error'
  if (code === 'ELOOP') return linkFault(file, file)
  if (code === 'ENXIO') return { file, what: 'it is a socket or a device, not a file', hint: 'Remove it.' }
  if (code === 'ENOTDIR') return { file, what: 'it is not a folder', hint: 'Remove it, or put a folder there.' }
  return { file, what: `it cannot be read (${code})`, hint: 'Grant yourself read permission, or remove it.' }
}
