// An entry's file as text: YAML front matter, a blank line, the body. Law: what is written is read back, to the letter.
//
//   ---
//   key: api-design-decision
//   tags:
//     - architecture
//   created_at: 2024-01-15T10:30:00        in UTC
//   updated_at: 2024-01-15T10:30:00
//   ---
//
//   the body
import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { ENTRY_CHARS_MAX, ENTRY_KEY_CHARS_MAX, type Entry, type InvalidEntry } from './entry.ts'

const FENCE = '---'

/** A body may have any number of characters in a file; front matter is some lines. */
const FRONT_CHARS_MAX = 64_000

/** An entry as text. What the front matter of `before` has that is not ours stays, put through `clean`. */
export function formatEntry(entry: Entry, before?: string, clean: <T>(value: T) => T = (value) => value): string {
  const kept = before === undefined ? undefined : frontOf(before)
  const front = mapOf(parseDocument(kept?.front ?? '', { logLevel: 'silent' }))
  cleanForeign(front, clean)
  const { key, tags, createdAt, updatedAt, content } = entry
  const values = { key, tags, created_at: stamp(createdAt), updated_at: stamp(updatedAt) }
  for (const [name, value] of Object.entries(values)) if (value !== undefined) front.set(name, front.createNode(value))
  return `${FENCE}\n${cleanText(front, clean)}${FENCE}\n\n${content}\n`
}

/** The front matter as text, without its comments where one of them holds what may not be kept. */
function cleanText(front: Document, clean: <T>(value: T) => T): string {
  const text = front.toString({ lineWidth: 0 })
  return clean(text) === text ? text : new Document(front.toJS()).toString({ lineWidth: 0 })
}

/** The document where it is a list of names and values, else an empty one. */
function mapOf(document: Document): Document {
  return document.errors.length === 0 && isMap(document.contents) ? document : new Document({})
}

const OURS: ReadonlySet<string> = new Set(['key', 'tags', 'created_at', 'updated_at'])

function cleanForeign(front: Document, clean: <T>(value: T) => T): void {
  if (!isMap(front.contents)) return
  const values = front.toJS() as Record<string, unknown>
  const cleaned = clean(values)
  for (const name of Object.keys(values)) {
    if (OURS.has(name) || JSON.stringify(values[name]) === JSON.stringify(cleaned[name])) continue
    if (cleaned[name] === undefined) front.delete(name)
    else front.set(name, front.createNode(cleaned[name]))
  }
}

/** Whole seconds of UTC, without a zone: as the document's own program writes and reads it. */
const stamp = (at: string | undefined): string | undefined => at?.slice(0, 19)

/** Reads an entry's file; `stem`, its name without the ending, is the key where the front matter has none. */
export function parseEntry(text: string, file: string, stem: string): Entry | InvalidEntry {
  const parts = frontOf(text)
  const broken = (line: number, what: string, hint: string): InvalidEntry => ({ file, line, what, hint: hint })
  if (!parts) {
    const begun = withoutMark(text).startsWith(FENCE)
    return begun
      ? broken(1, 'the front matter that begins here has no end', 'Close it with a line of ---.')
      : broken(
          1,
          'there is no front matter',
          'Begin the file with a line of ---, key: and a name, and another line of ---.',
        )
  }
  const { front, content } = parts
  const conflict = front.split('\n').findIndex((line) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(line))
  if (conflict !== -1)
    return broken(conflict + 2, 'a merge was left unfinished', 'Finish the merge: keep one of both sides.')
  const lines = new LineCounter()
  const document = parseDocument(front, { lineCounter: lines, logLevel: 'silent' })
  const [error] = document.errors
  if (error) return broken((error.linePos?.[0].line ?? 1) + 1, firstLine(error.message), 'Mend the YAML of this line.')
  const unresolved = unresolvedIn(document)
  if (unresolved !== undefined) return broken(2, unresolved, 'Write the values out.')
  if (document.contents !== null && !isMap(document.contents)) {
    return broken(2, 'the front matter is no list of names and values', 'Write `key: name`, one a line.')
  }
  if (content.length > ENTRY_CHARS_MAX) {
    return broken(1, `the body has ${content.length} characters`, `Use at most ${ENTRY_CHARS_MAX}, or several entries.`)
  }
  const lineOf = (name: string): number => {
    const range = (document.get(name, true) as Node | undefined)?.range
    return range ? lines.linePos(range[0]).line + 1 : 2
  }
  const wrong = (name: string, wanted: string): InvalidEntry =>
    broken(lineOf(name), `${name} is not ${wanted}`, `Give ${name} ${wanted}.`)
  const named = scalarOf(document.get('key', true))
  const key = named === undefined ? stem : named
  if (key === null || findKeyProblem(key)) return wrong('key', 'a text of one line')
  const tags = tagsIn(document.get('tags', true))
  if (!tags) return wrong('tags', 'a list of texts')
  const times = { createdAt: momentIn(document, 'created_at'), updatedAt: momentIn(document, 'updated_at') }
  if (times.createdAt === null) return wrong('created_at', 'a time like 2024-01-15T10:30:00')
  if (times.updatedAt === null) return wrong('updated_at', 'a time like 2024-01-15T10:30:00')
  return { key: key.normalize('NFC'), tags, content, createdAt: times.createdAt, updatedAt: times.updatedAt }
}

/** What is wrong with the front matter's references; undefined where they lead somewhere, and not to ever more. */
function unresolvedIn(document: Document): string | undefined {
  try {
    document.toJS()
    return undefined
  } catch (error) {
    return firstLine((error as Error).message)
  }
}

export const isInvalidEntry = (read: Entry | InvalidEntry): read is InvalidEntry => 'line' in read

/** What is wrong with a key; undefined where nothing is. */
export function findKeyProblem(key: string): string | undefined {
  if (key.trim() === '') return 'is empty'
  if (key !== key.trim()) return 'begins or ends with a blank'
  if (key.length > ENTRY_KEY_CHARS_MAX) return `has ${key.length} characters, and may have ${ENTRY_KEY_CHARS_MAX}`
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Cs}/u.test(key) ? 'has characters that are no text' : undefined
}

interface Parts {
  readonly front: string
  readonly content: string
}

/** Front matter and body; undefined where there is no front matter, or no end of it. */
function frontOf(given: string): Parts | undefined {
  const first = withoutMark(given)
  // A file that git has given Windows' line ends.
  const text = first.startsWith(`${FENCE}\r\n`) ? first.replaceAll('\r\n', '\n') : first
  if (!text.startsWith(`${FENCE}\n`)) return undefined
  // The end of an empty front matter begins where the front matter does.
  const end = /^---[ \t]*$/m.exec(text.slice(FENCE.length + 1, FRONT_CHARS_MAX))
  if (!end) return undefined
  const front = text.slice(FENCE.length + 1, FENCE.length + 1 + end.index)
  const rest = text.slice(FENCE.length + 1 + end.index + end[0].length)
  const content = rest.replace(/^\n/, '').replace(/^\n/, '').replace(/\n$/, '')
  return { front, content }
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

const firstLine = (text: string): string => text.split('\n')[0]!.replace(/ at line \d+.*$/, '')

/** A scalar as it was written: `007` is a key, not 7. Null for what is none; undefined for nothing. */
function scalarOf(node: unknown): string | null | undefined {
  if (node === undefined || node === null) return undefined
  if (!isScalar(node)) return null
  if (typeof node.value === 'string') return node.value
  return node.value === null ? undefined : (node.source ?? String(node.value))
}

function tagsIn(node: unknown): readonly string[] | undefined {
  if (!isSeq(node)) return scalarOf(node) === undefined ? [] : undefined
  const tags = node.items.map(scalarOf)
  return tags.every((tag) => typeof tag === 'string') ? tags : undefined
}

/** A time without a zone is UTC. Null for what is no time. */
function momentIn(document: Document, name: string): string | null | undefined {
  const text = scalarOf(document.get(name, true))
  if (typeof text !== 'string') return text
  const iso = text.trim().replace(/^(\d{4}-\d\d-\d\d) +/, '$1T')
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(iso)) return null
  const ms = Date.parse(/T[\d:.]+$/.test(iso) ? `${iso}Z` : iso)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
