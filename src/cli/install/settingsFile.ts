// Reads and writes Claude Code's settings files, and keeps every character that it does not have to change.
//
// They belong to the user: an invalid file is never changed, and a new version is written to a temporary file and
// renamed, so that the client never reads an incomplete file. What is new in a text comes after the last item of its
// object or list, in the style of the items there. Removing it again gives the first text, also if other items were
// edited or added meanwhile:
//
//   {"a":1}          ◀──▶  {"a":1,"hooks":{…}}
//           removed: from the end of the item before
import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser'
import { MemoryError } from '../../model/memoryError.ts'
import { makeFolderFor, renameWithRetry, systemErrorCode } from '../../store/disk/diskCalls.ts'
import { isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

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
  if (measureDepth(json) > DEPTH_MAX) {
    throw new MemoryError('SETTINGS_INVALID', `${file} is nested more than ${DEPTH_MAX} levels deep`, {
      hint: 'No settings of the client are. Fix the file, then run the command again. It was not changed.',
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
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

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `text`, which is valid JSON without a byte order mark, with the value `wanted`. */
function editJson(text: string, wanted: JsonObject): string {
  const root = parseTree(text)
  if (root === undefined) throw new Error('The text is not JSON.')
  const edits = editValue(root, wanted, { text, ...readStyle(text, root), depth: 0 })
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, inserted }) => result.slice(0, start) + inserted + result.slice(end), text)
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly inserted: string
}

interface Style {
  readonly newline: string
  /** One level of indentation. */
  readonly indent: string
  /** Whether empty objects and lists are filled on lines of their own. */
  readonly isMultiline: boolean
}

interface Place extends Style {
  readonly text: string
  /** How many objects and lists are around the value. */
  readonly depth: number
}

/** An item of an object or a list: its position, and of a property the name. */
interface Item {
  readonly start: number
  readonly end: number
  readonly value: Node
}

function readStyle(text: string, root: Node): Style {
  const inside = text.slice(root.offset + 1, root.offset + root.length - 1)
  return {
    newline: /\r?\n/.exec(text)?.[0] ?? '\n',
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
    isMultiline: inside.trim() === '' || inside.includes('\n'),
  }
}

function editValue(node: Node, wanted: Json, place: Place): Edit[] {
  const { offset, length } = node
  const before = JSON.parse(place.text.slice(offset, offset + length)) as Json
  if (isDeepStrictEqual(before, wanted)) return []
  const inner = { ...place, depth: place.depth + 1 }
  if (isJsonObject(before) && isJsonObject(wanted)) return editObject(node, wanted, inner)
  if (Array.isArray(before) && Array.isArray(wanted)) return editList(node, [before, wanted], inner)
  return [{ start: offset, end: offset + length, inserted: JSON.stringify(wanted) }]
}

function editObject(node: Node, wanted: JsonObject, place: Place): Edit[] {
  const properties = (node.children ?? []).map((child) => toItem(child, child.children?.[1] ?? child))
  const names = (node.children ?? []).map((child) => child.children?.[0]?.value as string)
  const isRemoved = names.map((name) => !Object.hasOwn(wanted, name))
  const added = Object.entries(wanted).filter(([name]) => !names.includes(name))
  // The last of several properties with the same name counts.
  const changed = properties.flatMap(({ value }, i) => {
    const name = names[i] ?? ''
    return isRemoved[i] || names.lastIndexOf(name) !== i ? [] : editValue(value, wanted[name] ?? null, place)
  })
  return [...changed, ...editItems(node, { items: properties, isRemoved, added }, place)]
}

function editList(node: Node, [before, wanted]: [readonly Json[], readonly Json[]], place: Place): Edit[] {
  const items = (node.children ?? []).map((child) => toItem(child, child))
  const isKept = findKept(before, wanted)
  let keptCount = 0
  const changed = items.flatMap(({ value }, i) =>
    isKept[i] ? editValue(value, wanted[keptCount++] ?? null, place) : [],
  )
  const added = wanted.slice(keptCount).map((value) => [undefined, value] as const)
  return [...changed, ...editItems(node, { items, isRemoved: isKept.map((kept) => !kept), added }, place)]
}

const toItem = ({ offset, length }: Node, value: Node): Item => ({ start: offset, end: offset + length, value })

interface ItemChanges {
  readonly items: readonly Item[]
  readonly isRemoved: readonly boolean[]
  readonly added: readonly (readonly [name: string | undefined, value: Json])[]
}

/** Removes items and adds others at the end. */
function editItems(container: Node, { items, isRemoved, added }: ItemChanges, place: Place): Edit[] {
  const kept = items.filter((_, i) => !isRemoved[i])
  const lastKept = kept.at(-1)
  if (lastKept === undefined) return refill(container, items, added, place)
  const removals = items.flatMap((item, i): Edit[] => {
    if (!isRemoved[i]) return []
    const before = items[i - 1]
    // With the comma before it; the first ones with the comma behind.
    const isFirst = item.start < (kept[0] ?? item).start
    const range = isFirst || before === undefined ? [item.start, items[i + 1]?.start] : [before.end, item.end]
    return [{ start: range[0] ?? item.start, end: range[1] ?? item.end, inserted: '' }]
  })
  if (added.length === 0) return removals
  const separator = findSeparator(container, items, place.text)
  const inserted = added.map((entry) => `,${separator}${formatItem(entry, separator, place)}`).join('')
  return [...removals, { start: lastKept.end, end: lastKept.end, inserted }]
}

/** Replaces all items of an object or a list. Spaces that an empty one had come after the new items. */
function refill(container: Node, items: readonly Item[], added: ItemChanges['added'], place: Place): Edit[] {
  const [start, end] = [container.offset + 1, container.offset + container.length - 1]
  const { text, newline, indent, depth, isMultiline } = place
  const closing = isMultiline ? newline + indent.repeat(depth - 1) : ''
  const spaces = text.slice(items.at(-1)?.end ?? start, end)
  const isAlreadyEmpty = items.length === 0
  const rest =
    isAlreadyEmpty || !spaces.startsWith(closing)
      ? spaces.replace(isAlreadyEmpty ? '' : CLOSING, '')
      : spaces.slice(closing.length)
  if (added.length === 0) return [{ start, end, inserted: rest }]
  const separator = isMultiline ? newline + indent.repeat(depth) : ''
  const inserted = added.map((entry) => separator + formatItem(entry, separator, place)).join(',')
  return [{ start, end, inserted: inserted + closing + rest }]
}

const CLOSING = /^\r?\n[ \t]*/

/** The space before an item, as other items of the object or list have it. */
function findSeparator(container: Node, items: readonly Item[], text: string): string {
  const [first, second] = items
  const end = second?.start ?? first?.start ?? container.offset + 1
  return /\s*$/.exec(text.slice(container.offset + 1, end))?.[0] ?? ''
}

function formatItem([name, value]: ItemChanges['added'][number], separator: string, place: Place): string {
  const isMultiline = separator.includes('\n')
  const base = separator.slice(separator.lastIndexOf('\n') + 1)
  const text = isMultiline
    ? JSON.stringify(value, null, place.indent).replaceAll('\n', place.newline + base)
    : JSON.stringify(value)
  const colon = isMultiline || separator !== '' ? ': ' : ':'
  return name === undefined ? text : `${JSON.stringify(name)}${colon}${text}`
}

/**
 * For each item of `before` whether it is still in `after`, maybe without some of its own items. `after` has those in
 * the same order, and then further ones.
 */
function findKept(before: readonly Json[], after: readonly Json[]): readonly boolean[] {
  let next = 0
  return before.map((item, i) => {
    const wanted = after[next]
    const isKept = next < after.length && (isDeepStrictEqual(item, wanted) || isReduced(wanted, before, i))
    if (isKept) next += 1
    return isKept
  })
}

/** Whether `wanted` is what is left of item `i`. A later item that is equal to it is the one that stays. */
const isReduced = (wanted: Json | undefined, before: readonly Json[], i: number): boolean =>
  isPart(wanted, before[i]) && !before.slice(i + 1).some((later) => isDeepStrictEqual(later, wanted))

/** Whether a value is another one without some of its items. */
function isPart(part: Json | undefined, whole: Json | undefined): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    let at = 0
    return part.every((item) => {
      while (at < whole.length && !isPart(item, whole[at])) at += 1
      at += 1
      return at <= whole.length
    })
  }
  if (!isJsonObject(part) || !isJsonObject(whole)) return part === whole
  return Object.entries(part).every(([name, value]) => Object.hasOwn(whole, name) && isPart(value, whole[name]))
}
