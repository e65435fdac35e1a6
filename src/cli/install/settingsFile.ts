// Claude Code's settings files: read whole, written whole, in the style they had.
//
// They belong to a person. What cannot be read is left untouched, and what is written is written aside and renamed, so
// that the client never reads half of it.
import fs from 'node:fs'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from '../../store/disk/files.ts'
import type { JsonObject } from './hookSettings.ts'
import { findJsonError } from './jsonError.ts'

interface SettingsFile {
  /** As it stands on disk, symlinks followed. */
  readonly file: string
  /** Undefined where there is no file. */
  readonly text: string | undefined
  readonly settings: JsonObject | undefined
}

/** A settings file; an empty one counts as `{}`. Throws SETTINGS_INVALID, naming line and column, for anything but one JSON object. */
export function readSettings(file: string): SettingsFile {
  const real = realFile(file)
  let text: string
  try {
    text = fs.readFileSync(real, 'utf8')
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return { file: real, text: undefined, settings: undefined }
    throw new MemoryError('SETTINGS_INVALID', `${real} cannot be read`, {
      hint: 'Give yourself the right to read it, then run the command again.',
      cause: error,
    })
  }
  return { file: real, text, settings: parsed(text, real) }
}

/**
 * Writes settings in the style the file has now: indentation, line ends, last newline, byte order mark, mode. A new file
 * is indented by 2. Reads the file first, and throws SETTINGS_INVALID rather than write over what is broken.
 */
export function writeSettings(file: string, settings: JsonObject): void {
  const { file: real, text } = readSettings(file)
  const aside = `${real}.${process.pid}.aside`
  try {
    fs.mkdirSync(path.dirname(real), { recursive: true })
    // The mode goes on before the text: settings may hold keys, and the file aside must not be more open than the old.
    const mode = text === undefined ? undefined : fs.statSync(real).mode & 0o7777
    const fd = fs.openSync(aside, 'w', mode === undefined ? 0o666 : mode & 0o700)
    try {
      if (mode !== undefined) fs.fchmodSync(fd, mode)
      fs.writeFileSync(fd, formatSettings(settings, text))
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
    fs.renameSync(aside, real)
  } catch (error) {
    fs.rmSync(aside, { force: true })
    throw new MemoryError('STORE_UNWRITABLE', `${real} cannot be written`, {
      hint: 'Give yourself the right to write the file and its folder, or choose another settings file (--user, --local).',
      cause: error,
    })
  }
}

/** Settings as text, in the style of the text that stands there now. */
export function formatSettings(settings: JsonObject, before = ''): string {
  const indent = /^([ \t]+)\S/m.exec(before)?.[1] ?? '  '
  const ending = before.trim() === '' || /\n\s*$/.test(before) ? '\n' : ''
  const text = JSON.stringify(settings, null, indent) + ending
  return (before.startsWith(BOM) ? BOM : '') + (before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text)
}

const BOM = '\ufeff'

function parsed(text: string, file: string): JsonObject {
  const json = text.startsWith(BOM) ? text.slice(1) : text
  if (json.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const found = findJsonError(json)
    const where = found ? `, line ${found.line}, column ${found.column}: ${found.problem}` : ''
    throw new MemoryError('SETTINGS_INVALID', `${file} is not JSON${where}`, {
      hint: 'Mend the file (JSON has no comments and no comma before a closing bracket), then run the command again. It was not changed.',
      cause: error,
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new MemoryError('SETTINGS_INVALID', `${file}, line 1, column 1: the settings are not a JSON object`, {
    hint: 'Settings begin with "{" and end with "}". Mend the file, then run the command again. It was not changed.',
  })
}

/** The file a path leads to, also where it is not there yet: a link into somebody's dotfiles stays a link. */
function realFile(file: string): string {
  try {
    return fs.realpathSync(file)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') return path.resolve(file)
  }
  try {
    return path.resolve(path.dirname(file), fs.readlinkSync(file))
  } catch {
    // No link either: then it is simply not there.
    return path.resolve(file)
  }
}
