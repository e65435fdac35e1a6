// The names on disk of what people name freely: safe on every file system, and readable if the name is.
//
//   key                                file, unique; with a hash if a file system could reject or confuse it
//     設計方針                           設計方針.md
//     api-design                       api-design.md
//     API Design: v2                   api-design-v2~3f2a90c17b5d8e64.md
//   session                            folder, from which the id can be read again
//     3f2a90c1-7b5d                    3f2a90c1-7b5d
//     API review                       %0041%0050%0049%0020review      one code for each such character
//     aux.txt                          %0061ux.txt                     a device on Windows
import { hashHex } from '../text/hash.ts'
import { type EntryContext, isSessionDirName, sessionOfDir } from './entryDirs.ts'

/**
 * In code points: at four bytes each, with the hash and the suffix of a temporary file, a name stays below 255 bytes.
 */
const NAME_CHARS_MAX = 40

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])$/i

/** Whether a name is a device on Windows, with any extension. */
export const isDeviceName = (name: string): boolean => DEVICE.test(name.replace(/ *[.:].*/s, ''))

/** Separators of paths, characters that some file system rejects, invisible ones, and the sign before the hash. */
const UNSAFE = /[\s"*/:<>?\\|~\p{C}\p{Z}]+/gu

/** The name of a key's file; `withHash` if another key has the plain name. */
export function entryFileName(key: string, withHash = false): string {
  const plain = Array.from(
    foldCase(key)
      .replace(UNSAFE, '-')
      .replace(/^[.-]+/, ''),
  )
    .slice(0, NAME_CHARS_MAX)
    .join('')
    .replace(/[.-]+$/, '')
  if (!withHash && plain === key && !isDeviceName(plain)) return `${plain}.md`
  const name = `${plain || 'entry'}~${hashHex(key)}.md`
  return isDeviceName(name) ? `entry-${name}` : name
}

/** Folds case as a case-insensitive file system does: up and down, because some letters come back as others. */
const foldCase = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC')

/** The longest name of a folder in bytes is 255 on most file systems. */
export const SESSION_DIR_BYTES_MAX = 240

/** Names in `.memctl` with another meaning. */
const RESERVED: ReadonlySet<string> = new Set(['memory', 'archive', 'project.yaml'])

/** The name of a session's folder. Two ids never have names that differ only by case or by Unicode normalization. */
export function sessionDirName(session: string): string {
  const isComposed = session === session.normalize('NFC')
  const units = session.split('')
  const isReserved = RESERVED.has(session) || isDeviceName(session)
  return units
    .map((unit, i) => {
      const isEdge = i === 0 || i === units.length - 1
      const isPlain = /[a-z0-9_-]/.test(unit) || (unit === '.' && !isEdge) || (isComposed && isCaselessLetter(unit))
      return isPlain && !(isReserved && i === 0) ? unit : encodeUnit(unit)
    })
    .join('')
}

/** A letter or number that is not ASCII and that no file system changes. */
const isCaselessLetter = (unit: string): boolean =>
  unit > '\u007f' && /[\p{L}\p{N}]/u.test(unit) && foldCase(unit) === unit

const encodeUnit = (unit: string): string => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The folder of a session in `.memctl` as it is there, else that of a new one. Earlier versions encoded nothing. */
export function chooseSessionDir({ files, project }: EntryContext, session: string): string {
  const name = sessionDirName(session)
  const names = files.list(`${project.root}/.memctl`)
  const existing = names.includes(name)
    ? name
    : names.find((other) => isSessionDirName(other) && sessionOfDir(other) === session)
  if (existing !== undefined) return existing
  // Some file systems would take the folder of another session for this one.
  const isTaken = names.some((other) => foldCase(other) === name)
  return isTaken ? encodeUnit(session.charAt(0)) + sessionDirName(session.slice(1)) : name
}
