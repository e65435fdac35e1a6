// Reads Claude Code's settings files, and changes them: a change is planned, shown as a diff and then applied.
//
// They belong to the user: an invalid file is never changed, and a new version is written to a temporary file and
// renamed, so that the client never reads an incomplete file. All characters stay but those of values that change.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
import { closing, makeFolderFor, renameWithRetry, systemErrorCode } from '../../store/disk/diskCalls.ts'
import { isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Settings without our parts, and as they should be; undefined for no file. */
export interface SettingsUpdate {
  readonly without: JsonObject | undefined
  readonly wanted: JsonObject | undefined
}

export interface SettingsChange {
  /** The file as it was named, which may be a link. */
  readonly named: string
  /** The settings file, symlinks followed. */
  readonly file: string
  readonly textBefore: string | undefined
  /** The text before, without our parts. */
  readonly textWithout: string | undefined
  /** Undefined: the file is removed. */
  readonly textAfter: string | undefined
  readonly changed: boolean
  /** Unified, empty where nothing changes. */
  readonly diff: string
}

/** Where the settings are used, and where the text before a change is kept. */
type SettingsOwner = Readonly<{ project: string; home: string }>

/**
 * The change of a settings file by `update`. Writes nothing. Our parts are removed first, so that those of an older
 * version leave no traces. If the file is as init has left it, the exact text from before comes back, from the backup.
 */
export function planChange(
  selected: string,
  home: string,
  update: (settings: JsonObject | undefined) => SettingsUpdate,
): SettingsChange {
  const { file, text, settings } = readSettings(selected)
  const { without, wanted } = update(settings)
  if (wanted === settings) {
    return { named: selected, file, textBefore: text, textWithout: text, textAfter: text, changed: false, diff: '' }
  }
  const textWithout =
    without === settings ? text : (findBackup(file, text, home) ?? (without && changeSettingsText(text, without)))
  const textAfter = wanted === without ? textWithout : wanted && changeSettingsText(textWithout, wanted)
  const name = /(?:\.claude[\\/])?[^\\/]*$/.exec(file)?.[0]
  const diff = unifiedDiff(text ?? '', textAfter ?? '', name)
  return { named: selected, file, textBefore: text, textWithout, textAfter, changed: textAfter !== text, diff }
}

/** Applies a planned change. Returns the path of a backup, if there was a file: of the settings before init. */
export function applyChange(change: SettingsChange, options: SettingsOwner): string | undefined {
  if (!change.changed) return undefined
  assertNoLinkOut(change.named, options.project)
  const { textBefore, textWithout, textAfter } = change
  const kept = textAfter === textWithout ? textBefore : textWithout
  const backup = kept === undefined ? undefined : writeBackup(change, kept, options)
  if (textAfter !== undefined) writeSettings(change.file, textAfter)
  else fs.rmSync(change.file, { force: true })
  return backup
}

/**
 * Throws SETTINGS_INVALID if a file of the project is a link out of it, or is in a folder that is one: a clone can
 * bring a link to the settings of all projects, or to any file of the person, in the place of its own.
 */
export function assertNoLinkOut(named: string, project: string): void {
  const file = resolveFile(named)
  const isBelow = (each: string, folder: string): boolean => each.startsWith(folder + path.sep)
  if (!isBelow(named, project) || isBelow(file, fs.realpathSync(project))) return
  throw new MemoryError('SETTINGS_INVALID', `${named} is a link out of the project, to ${file}`, {
    hint: 'Remove the link, or name another place: --user means your own settings. Nothing was changed.',
  })
}

/** The text that was in the file before init wrote `text`; undefined if there was none, or it was changed since. */
function findBackup(file: string, text: string | undefined, home: string): string | undefined {
  const folder = path.join(home, 'backups')
  if (text === undefined || !fs.existsSync(folder)) return undefined
  const name = fs.readdirSync(folder).find((entry) => entry.endsWith(`-${digestOf(file, text)}.json`))
  return name === undefined ? undefined : fs.readFileSync(path.join(folder, name), 'utf8')
}

/** The name contains a hash of the new content, by which uninstall finds the backup. */
function writeBackup({ file, textAfter = '' }: SettingsChange, text: string, options: SettingsOwner): string {
  const owner =
    path.dirname(path.dirname(file)) === options.project ? path.basename(options.project).slice(0, 40) : 'user'
  const name = `${owner}-${path.basename(file, '.json')}-${digestOf(file, textAfter)}.json`
  const backup = path.join(options.home, 'backups', name)
  makeFolderFor(path.dirname(backup), 'owner')
  // Settings may contain keys in `env`, so only the user may read the backup.
  fs.writeFileSync(backup, text, { mode: 0o600 })
  return backup
}

const digestOf = (file: string, text: string): string =>
  createHash('sha256').update(`${file}\n${text}`).digest('hex').slice(0, 12)

/** Lines shown around a change. */
const CONTEXT_LINES = 3

/** A unified diff from `before` to `after`; empty where they are equal. `file` is the name in its header. */
export function unifiedDiff(before: string, after: string, file = 'settings.json'): string {
  if (before === after) return ''
  const oldName = before === '' ? '/dev/null' : `a/${file}`
  const patch = structuredPatch(oldName, `b/${file}`, before, after, undefined, undefined, { context: CONTEXT_LINES })
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

/** Settings larger than this are not read, in bytes. */
const SETTINGS_BYTES_MAX = 16_777_216

/**
 * Reads a settings file, symlinks followed; an empty one is `{}`, a missing one undefined. Throws SETTINGS_INVALID,
 * with its line, if it is no JSON object.
 */
export function readSettings(file: string) {
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
    closing(fs.openSync(aside, 'w', mode === undefined ? 0o666 : mode & 0o700), (fd) => {
      if (mode !== undefined) fs.fchmodSync(fd, mode)
      fs.writeFileSync(fd, changed)
      fs.fsyncSync(fd)
    })
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
    const where = describeJsonError(json)
    throw new MemoryError('SETTINGS_INVALID', `${file} is not JSON${where && `, ${where}`}`, {
      hint:
        'Fix the file (JSON has no comments and no comma before a closing bracket), then run the command again. ' +
        'It was not changed.',
      cause: error,
    })
  }
  if (measureDepth(json) > DEPTH_MAX) {
    throw new MemoryError('SETTINGS_INVALID', `${file} is nested more than ${DEPTH_MAX} levels deep`, {
      hint: 'No settings of the client are. Fix the file, then run the command again. It was not changed.',
    })
  }
  if (isObject(value)) return value as JsonObject
  throw new MemoryError('SETTINGS_INVALID', `${file}, line 1, column 1: the settings are not a JSON object`, {
    hint: 'Settings begin with "{" and end with "}". Fix the file, then run the command again. It was not changed.',
  })
}

/** Levels of lists and objects, at most: what edits the text calls itself for each. */
const DEPTH_MAX = 200

function measureDepth(json: string): number {
  let [depth, deepest] = [0, 0]
  for (const [bracket] of json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** The file that a path leads to, which need not exist: a symlink into a dotfiles folder stays a symlink. */
export function resolveFile(file: string): string {
  try {
    return fs.realpathSync(file)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') return path.resolve(file)
  }
  const folder = path.dirname(path.resolve(file))
  try {
    return path.resolve(folder, fs.readlinkSync(file))
  } catch {
    // Not a symlink either: the file does not exist, and its folder may be behind one.
    return path.join(folder === path.dirname(folder) ? folder : resolveFile(folder), path.basename(file))
  }
}

/**
 * The position of the first error in a text that JSON.parse rejects, and what is wrong: `line 3, column 1: property name
 * expected`. JSON.parse names the position only in some versions of Node. Empty if the text is nested too deeply.
 */
export function describeJsonError(text: string): string {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  const [first] = errors.sort((a, b) => a.offset - b.offset)
  if (!first) return ''
  const lines = text.slice(0, first.offset).split('\n')
  const problem = printParseErrorCode(first.error).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}:${problem}`
}

export const isJsonObject = (value: Json | undefined): value is JsonObject => isObject(value)

/** `text`, which is valid JSON without a byte order mark, with the value `wanted`. What is new is indented alike. */
function editJson(text: string, wanted: JsonObject): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const [eol] = /\r?\n/.exec(text.trim()) ?? []
  const edited = listChanges(JSON.parse(text) as JsonObject, wanted).reduce((result, { path, value }) => {
    const newLine = eol === undefined ? '' : eol + indent.repeat(path.length)
    const printed = eol === undefined ? '' : (JSON.stringify(value, null, indent)?.replaceAll('\n', newLine) ?? '')
    const edits = modify(result, [...path], value, {}).map(({ content, ...range }) => {
      const onItsLine = content.replace(/^,/, `,${newLine}`)
      return { ...range, content: printed === '' ? onItsLine : onItsLine.replace(JSON.stringify(value), () => printed) }
    })
    return applyEdits(result, edits)
  }, text)
  // Of a name that occurs twice the first one has been edited, and the last one counts.
  return isDeepStrictEqual(JSON.parse(edited), wanted) ? edited : `${JSON.stringify(wanted, null, indent)}\n`
}

interface ValueChange {
  readonly path: readonly string[]
  /** Undefined: it is removed. */
  readonly value: Json | undefined
}

/** What differs in two objects: inner objects are compared by their properties, lists as a whole. */
function listChanges(before: JsonObject, wanted: JsonObject, path: readonly string[] = []): ValueChange[] {
  const ownValue = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined)
  return [...new Set([...Object.keys(before), ...Object.keys(wanted)])].flatMap((name) => {
    const [from, to] = [ownValue(before, name), ownValue(wanted, name)]
    if (isDeepStrictEqual(from, to)) return []
    const at = [...path, name]
    return isJsonObject(from) && isJsonObject(to) ? listChanges(from, to, at) : [{ path: at, value: to }]
  })
}
