// The format of an entry file: YAML front matter, an empty line, the body. What is written is read back exactly.
//
//   ---
//   key: api-design-decision
//   tags:
//     - architecture
//   created_at: 2024-01-15T10:30:00        in UTC
//   updated_at: 2024-01-15T10:30:00        until a tool saves it again: see saveEntry
//   ---
//
//   the body
import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { parseCalendarTime } from '../text/isoTime.ts'
import { ENTRY_CHARS_MAX, ENTRY_KEY_CHARS_MAX, type Entry, type InvalidEntry } from './entry.ts'

const FENCE = '---'

/** Length of the front matter, in characters: it has a few lines. */
const FRONT_CHARS_MAX = 64_000

/**
 * An entry as text. Other fields of the front matter of `before` stay, sanitized by `clean`. Lines whose value stays
 * are not written anew, so that git merges them.
 */
export function formatEntry(entry: Entry, before?: string, clean: <T>(value: T) => T = (value) => value): string {
  const previous = before === undefined ? undefined : splitFront(before)
  const parsed = parseDocument(previous?.front ?? '', { logLevel: 'silent' })
  const front = parsed.errors.length === 0 && isMap(parsed.contents) ? parsed : new Document({})
  cleanOtherFields(front, clean)
  const { key, tags, createdAt, updatedAt, content } = entry
  const values = { key, tags, created_at: formatTime(createdAt), updated_at: formatTime(updatedAt) }
  for (const [name, value] of Object.entries(values)) setField(front, name, value)
  return `${FENCE}\n${formatFront(front, clean)}${FENCE}\n\n${content}\n`
}

function setField(front: Document, name: string, value: string | readonly string[] | undefined): void {
  const node = front.get(name, true)
  const before = name === 'tags' ? readTags(node) : readScalar(node)
  if (value === undefined) front.delete(name)
  else if (JSON.stringify(before) !== JSON.stringify(value) || node === undefined)
    front.set(name, front.createNode(value))
}

/** The front matter as text, without its comments if one of them must not be stored. */
function formatFront(front: Document, clean: <T>(value: T) => T): string {
  const text = front.toString({ lineWidth: 0 })
  return clean(text) === text ? text : new Document(front.toJS()).toString({ lineWidth: 0 })
}

const OWN_FIELDS: ReadonlySet<string> = new Set(['key', 'tags', 'created_at', 'updated_at'])

function cleanOtherFields(front: Document, clean: <T>(value: T) => T): void {
  if (!isMap(front.contents)) return
  const values = front.toJS() as Record<string, unknown>
  const cleaned = clean(values)
  for (const name of Object.keys(values)) {
    if (OWN_FIELDS.has(name) || JSON.stringify(values[name]) === JSON.stringify(cleaned[name])) continue
    if (cleaned[name] === undefined) front.delete(name)
    else front.set(name, front.createNode(cleaned[name]))
  }
}

/** Seconds in UTC without a zone, as the program of the entries spec reads and writes them. */
const formatTime = (at: string | undefined): string | undefined => at?.slice(0, 19)

/** Reads an entry file; `stem`, the file name without extension, is the key if the front matter has none. */
export function parseEntry(text: string, file: string, stem: string): Entry | InvalidEntry {
  const conflict = findConflict(text)
  if (conflict !== undefined) return { file, line: conflict, ...UNFINISHED_MERGE }
  const parts = splitFront(text)
  const result = parts ? parseParts(parts, stem) : missingFrontProblem(text)
  return 'line' in result ? { file, ...result } : result
}

/** The line of the first conflict that a merge has left, from 1; undefined if there is none. */
export function findConflict(text: string): number | undefined {
  if (!text.includes('<<<<<<<')) return undefined
  const lines = text.split(/\r?\n/)
  const begin = lines.findIndex((line) => /^<{7}(?: |$)/.test(line))
  const middle = lines.findIndex((line, i) => i > begin && line === '=======')
  const hasEnd = middle !== -1 && lines.some((line, i) => i > middle && /^>{7}(?: |$)/.test(line))
  return begin !== -1 && hasEnd ? begin + 1 : undefined
}

const UNFINISHED_MERGE = { what: 'a merge was left unfinished', hint: 'Finish the merge: keep one of both sides.' }

type EntryProblem = Omit<InvalidEntry, 'file'>

const missingFrontProblem = (text: string): EntryProblem =>
  withoutByteOrderMark(text).startsWith(FENCE)
    ? { line: 1, what: 'the front matter that begins here has no end', hint: 'Close it with a line of ---.' }
    : {
        line: 1,
        what: 'there is no front matter',
        hint: 'Begin the file with a line of ---, key: and a name, and another line of ---.',
      }

function parseParts({ front, content }: Parts, stem: string): Entry | EntryProblem {
  const lines = new LineCounter()
  const document = parseDocument(front, { lineCounter: lines, logLevel: 'silent' })
  const problem = findFrontProblem(front, document)
  if (problem) return problem
  if (content.length > ENTRY_CHARS_MAX) {
    const hint = `Use at most ${ENTRY_CHARS_MAX}, or several entries.`
    return { line: 1, what: `the body has ${content.length} characters`, hint }
  }
  const notA = (name: string, expected: string): EntryProblem => {
    const range = (document.get(name, true) as Node | undefined)?.range
    const line = range ? lines.linePos(range[0]).line + 1 : 2
    return { line, what: `${name} is not ${expected}`, hint: `Give ${name} ${expected}.` }
  }
  const scalar = readScalar(document.get('key', true))
  const key = scalar === undefined ? stem : scalar
  if (key === null || findKeyProblem(key)) return notA('key', 'a text of one line')
  const tags = readTags(document.get('tags', true))
  if (!tags) return notA('tags', 'a list of texts')
  const createdAt = readTime(document, 'created_at')
  if (createdAt === null) return notA('created_at', 'a time like 2024-01-15T10:30:00')
  const updatedAt = readTime(document, 'updated_at')
  if (updatedAt === null) return notA('updated_at', 'a time like 2024-01-15T10:30:00')
  return { key: key.normalize('NFC'), tags, content, createdAt, updatedAt }
}

/** What prevents the front matter from being read; undefined if nothing does. */
function findFrontProblem(front: string, document: Document): EntryProblem | undefined {
  const conflict = front.split('\n').findIndex((line) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(line))
  if (conflict !== -1) return { line: conflict + 2, ...UNFINISHED_MERGE }
  const [error] = document.errors
  if (error) {
    const line = (error.linePos?.[0].line ?? 1) + 1
    return { line, what: firstLine(error.message), hint: 'Correct the YAML of this line.' }
  }
  const unresolved = findUnresolved(document)
  if (unresolved !== undefined) return { line: 2, what: unresolved, hint: 'Write the values out.' }
  if (document.contents === null || isMap(document.contents)) return undefined
  return { line: 2, what: 'the front matter is no list of names and values', hint: 'Write `key: name`, one a line.' }
}

/** What is wrong with the references in the front matter: they are missing or expand too far. Else undefined. */
function findUnresolved(document: Document): string | undefined {
  try {
    document.toJS()
    return undefined
  } catch (error) {
    return firstLine((error as Error).message)
  }
}

export const isInvalidEntry = (read: Entry | InvalidEntry): read is InvalidEntry => 'line' in read

/** What is wrong with a key; undefined for a valid one. */
export function findKeyProblem(key: string): string | undefined {
  if (key.trim() === '') return 'is empty'
  if (key !== key.trim()) return 'begins or ends with a blank'
  if (key.length > ENTRY_KEY_CHARS_MAX) return `has ${key.length} characters, and may have ${ENTRY_KEY_CHARS_MAX}`
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Cs}/u.test(key) ? 'has characters that are no text' : undefined
}

type Parts = NonNullable<ReturnType<typeof splitFront>>

/** Front matter and body; undefined if there is no front matter, or it has no end. */
function splitFront(fileText: string) {
  const raw = withoutByteOrderMark(fileText)
  // Git may have converted the line ends for Windows.
  const text = raw.startsWith(`${FENCE}\r\n`) ? raw.replaceAll('\r\n', '\n') : raw
  if (!text.startsWith(`${FENCE}\n`)) return undefined
  // In an empty front matter this matches at once.
  const end = /^---[ \t]*$/m.exec(text.slice(FENCE.length + 1, FRONT_CHARS_MAX))
  if (!end) return undefined
  const front = text.slice(FENCE.length + 1, FENCE.length + 1 + end.index)
  const rest = text.slice(FENCE.length + 1 + end.index + end[0].length)
  const content = rest.replace(/^\n/, '').replace(/^\n/, '').replace(/\n$/, '')
  return { front, content }
}

const withoutByteOrderMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

const firstLine = (text: string): string => text.replace(/\n.*/s, '').replace(/ at line \d+.*$/, '')

/** A scalar as it was written: `007` is a key, not 7. Null if the node is not a scalar; undefined if there is none. */
function readScalar(node: unknown): string | null | undefined {
  if (node === undefined || node === null) return undefined
  if (!isScalar(node)) return null
  if (typeof node.value === 'string') return node.value
  return node.value === null ? undefined : (node.source ?? String(node.value))
}

/** A list, or one tag without a list; undefined for anything else. */
function readTags(node: unknown): readonly string[] | undefined {
  if (!isSeq(node)) {
    const tag = readScalar(node)
    return tag === null ? undefined : tag ? [tag] : []
  }
  const tags = node.items.map(readScalar)
  return tags.every((tag) => typeof tag === 'string') ? tags : undefined
}

/** A time without a zone is UTC. Null for an invalid time. */
function readTime(document: Document, name: string): string | null | undefined {
  const text = readScalar(document.get(name, true))
  if (typeof text !== 'string') return text
  const iso = text.trim().replace(/^(\d{4}-\d\d-\d\d) +/, '$1T')
  const ms = /^\d{4}-\d\d-\d\d(?:T|$)/.test(iso) ? parseCalendarTime(iso) : undefined
  return ms === undefined ? null : new Date(ms).toISOString()
}
