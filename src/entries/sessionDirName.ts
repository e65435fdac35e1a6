// The folder name of a session: safe on every file system, and the id can be read from it again.
//
//   3f2a90c1-7b5d      3f2a90c1-7b5d
//   設計               設計
//   API review         %0041%0050%0049%0020review      one code for each character that some file system confuses
//   aux.txt            %0061ux.txt                     a device on Windows
import type { EntryContext } from './entryDirs.ts'
import { isDeviceName } from './entryFileName.ts'
import { isSessionDirName, sessionOfDir } from './sessionOfDir.ts'

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
const isCaselessLetter = (unit: string): boolean => unit > '\u007f' && /[\p{L}\p{N}]/u.test(unit) && fold(unit) === unit

const encodeUnit = (unit: string): string => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const fold = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC')

/** The folder of a session in `.memctl` as it is there, else that of a new one. Earlier versions encoded nothing. */
export function chooseSessionDir({ files, project }: EntryContext, session: string): string {
  const name = sessionDirName(session)
  const names = files.list(`${project.root}/.memctl`)
  const existing = names.includes(name)
    ? name
    : names.find((other) => isSessionDirName(other) && sessionOfDir(other) === session)
  if (existing !== undefined) return existing
  // Some file systems would take the folder of another session for this one.
  const isTaken = names.some((other) => fold(other) === name)
  return isTaken ? encodeUnit(session.charAt(0)) + sessionDirName(session.slice(1)) : name
}
