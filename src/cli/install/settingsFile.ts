// Reads and writes Claude Code's settings files, and keeps every character that it does not have to change.
//
// They belong to the user: an invalid file is never changed, and a new version is written to a temporary file and
// renamed, so that the client never reads an incomplete file.
import fs from 'node:fs'
import path from 'node:path'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { MemoryError } from '../../model/memoryError.ts'
import { makeFolderFor, renameWithRetry } from '../../store/disk/diskCalls.ts'
import { systemErrorCode } from '../../store/disk/files.ts'
import { isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { editJson } from './editJson.ts'
import type { JsonObject } from './hookSettings.ts'

interface SettingsFile {
  /** The real path, symlinks followed. */
  readonly file: string
  /** Undefined where there is no file. */
  readonly text: string | undefined
  readonly settings: JsonObject | undefined
}

/** Settings larger than this are not read, in bytes. */
const SETTINGS_BYTES_MAX = 16_777_216

/** Reads a settings file; an empty one is `{}`. Throws SETTINGS_INVALID, with its line, if it is no JSON object. */
export function readSettings(file: string): SettingsFile {
  const real = resolveFile(file)
  // A repository can bring a pipe or a device in place of its settings.
  const read = readUntrusted(undefined, real, SETTINGS_BYTES_MAX)
  if (read === undefined) return { file: real, text: undefined, settings: undefined }
  if (isFileFault(read)) {
    throw new MemoryError('SETTINGS_INVALID', `${real} cannot be read: ${read.what}`, {
      hint: `${read.hint} Then run the command again.`,
    })
  }
  const text = read.toString('utf8')
  if (!Buffer.from(text).equals(read)) {
    throw new MemoryError('SETTINGS_INVALID', `${real} is not text in UTF-8`, {
      hint: 'Save it as UTF-8, then run the command again. It was not changed.',
    })
  }
  return { file: real, text, settings: parseSettings(text, real) }
}

/**
 * Writes the text of a settings file. The mode of the current file stays. Throws SETTINGS_INVALID if that one is
 * invalid, and does not change it.
 */
export function writeSettings(file: string, changed: string): void {
  const { file: real, text } = readSettings(file)
  const aside = `${real}.${process.pid}.aside`
  try {
    makeFolderFor(path.dirname(real), 'umask')
    // Set the mode before writing: settings may contain keys, and the temporary file must not be more readable.
    const mode = text === undefined ? undefined : fs.statSync(real).mode & 0o7777
    const fd = fs.openSync(aside, 'w', mode === undefined ? 0o666 : mode & 0o700)
    try {
      if (mode !== undefined) fs.fchmodSync(fd, mode)
      fs.writeFileSync(fd, changed)
      fs.fsyncSync(fd)
    } finally {
      fs.closeSync(fd)
    }
    renameWithRetry(aside, real)
  } catch (error) {
    fs.rmSync(aside, { force: true })
    throw new MemoryError('STORE_UNWRITABLE', `${real} cannot be written`, {
      hint: 'Grant yourself write permission for the file and its folder, or use --user or --local.',
      cause: error,
    })
  }
}

/** The text of a settings file after its value has changed to `wanted`: all other characters stay. */
export function changeSettingsText(text: string | undefined, wanted: JsonObject): string {
  const bom = text?.startsWith(BOM) ? BOM : ''
  const json = text?.slice(bom.length) ?? ''
  if (json.trim() !== '') return bom + editJson(json, wanted)
  const created = `${JSON.stringify(wanted, null, 2)}\n`
  return bom + (json.includes('\r\n') ? created.replaceAll('\n', '\r\n') : created)
}

const BOM = '\ufeff'

function parseSettings(text: string, file: string): JsonObject {
  const json = text.startsWith(BOM) ? text.slice(1) : text
  if (json.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    const found = findJsonError(json)
    const where = found ? `, line ${found.line}, column ${found.column}: ${found.problem}` : ''
    throw new MemoryError('SETTINGS_INVALID', `${file} is not JSON${where}`, {
      hint:
        'Fix the file (JSON has no comments and no comma before a closing bracket), then run the command again. ' +
        'It was not changed.',
      cause: error,
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw new MemoryError('SETTINGS_INVALID', `${file}, line 1, column 1: the settings are not a JSON object`, {
    hint: 'Settings begin with "{" and end with "}". Fix the file, then run the command again. It was not changed.',
  })
}

/** The file that a path leads to, which need not exist: a symlink into a dotfiles folder stays a symlink. */
function resolveFile(file: string): string {
  try {
    return fs.realpathSync(file)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') return path.resolve(file)
  }
  try {
    return path.resolve(path.dirname(file), fs.readlinkSync(file))
  } catch {
    // Not a symlink either: the file does not exist.
    return path.resolve(file)
  }
}

interface JsonErrorPosition {
  /** Both start at 1; the column counts UTF-16 code units, as editors do. */
  readonly line: number
  readonly column: number
  /** What is wrong, as a clause: `a comma is missing`. */
  readonly problem: string
}

/**
 * The first error in a text that JSON.parse rejects. JSON.parse names the position only in some versions of Node.
 * Undefined if the text is nested too deeply to locate one.
 */
export function findJsonError(text: string): JsonErrorPosition | undefined {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  const first = errors.reduce<ParseError | undefined>((a, b) => (a && a.offset <= b.offset ? a : b), undefined)
  if (!first) return undefined
  const before = text.slice(0, first.offset)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  return {
    line,
    column: first.offset - lineStart + 1,
    problem: PROBLEMS[printParseErrorCode(first.error)] ?? 'this is not valid here',
  }
}

const PROBLEMS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a JSON value',
  InvalidNumberFormat: 'this is not a JSON number',
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  EndOfFileExpected: 'the text should end here',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the closing quote is missing',
  UnexpectedEndOfNumber: 'the number is incomplete',
  InvalidUnicode: 'this is not a valid \\u escape',
  InvalidEscapeCharacter: 'this is not a valid escape',
  InvalidCharacter: 'this character is not allowed in a string',
}
