// A folder of Markdown notes, as Obsidian and basic-memory keep them: a note, or each section of a long one, is an
// entry. Observations (`- [category] text #tag`) and relations (`- type [[Note]]`) stay in the text.
import { CONTENT_CHARS_MAX } from '../../../model/limits.ts'
import type { Provenance } from '../../../model/memory.ts'
import { MemoryError } from '../../../model/memoryError.ts'
import { objectOf } from '../../../model/unknownJson.ts'
import { parseCalendarTime } from '../../../text/isoTime.ts'
import { readYaml } from '../../open/configFile.ts'
import type { ImportItem, ReadSource } from '../planImport.ts'
import {
  describePath,
  isFolder,
  isOfProject,
  readMarkdownFiles,
  readNamedFile,
  type SourceContext,
  type SourceFile,
} from './sourceFiles.ts'

/** Who wrote the notes, where the person says so. Else a program did, or the project's repository brought them. */
export type NotesAuthor = Extract<Provenance, 'person' | 'assistant' | 'outside'>

/** Characters of a title and headings before the text. */
const TITLE_CHARS_MAX = 200

/** Reads the notes of a folder, or one note. Throws NOT_FOUND, USAGE without a path, and INPUT_INVALID. */
export function readMarkdownSource(context: SourceContext, author?: NotesAuthor): ReadSource {
  const { path } = context
  if (path === undefined) {
    throw new MemoryError('USAGE', 'No folder of notes was named', {
      hint: 'Name it: `memctl import markdown ~/notes`.',
    })
  }
  const isOne = !isFolder(path, context)
  const { files, faults } = isOne
    ? { files: [readNamedFile(path, context)], faults: [] }
    : readMarkdownFiles(path, context)
  const provenance = author ?? (isOfProject(path, context) ? 'outside' : 'assistant')
  const base = isOne ? path.slice(0, path.lastIndexOf('/')) : path
  const location = describePath(path, context)
  const where = isOne ? location.slice(0, Math.max(0, location.lastIndexOf('/'))) : location
  const items = files.flatMap((file) => itemsOfNote(file, file.path.slice(base.length + 1), { where, provenance }))
  return { name: 'markdown', location, items, faults, notes: [] }
}

interface NoteOrigin {
  /** The folder as memories name it. */
  readonly where: string
  readonly provenance: Provenance
}

/** A note as items: one if it is short, else one for each section, or part of a section. */
function itemsOfNote(file: SourceFile, name: string, origin: NoteOrigin): ImportItem[] {
  const { front, body } = splitFrontMatter(file.text)
  const [first = ''] = /^#\s+(.*)$/m.exec(body)?.slice(1) ?? []
  const title = readText(front, 'title') ?? (first || name.replace(/^.*\//, '').replace(/\.\w+$/, ''))
  const about = readText(front, 'description')
  const created = readDate(front, 'created', 'created_at', 'date', 'modified', 'updated', 'updated_at') ?? file.modified
  const latest = file.modified > created ? file.modified : created
  const updated = readDate(front, 'modified', 'updated', 'updated_at', 'last_modified') ?? latest
  const type = readText(front, 'type')
  const common = {
    tags: [...(type ? [type] : []), ...readTags(front), ...findHashTags(body)],
    created,
    updated,
    provenance: origin.provenance,
  }
  const sections = groupSections(body, title)
  return sections.flatMap(({ headings, text }) => {
    const head = [title, ...headings.filter((heading) => heading !== title)].join(' › ').slice(0, TITLE_CHARS_MAX)
    const lead = about && headings.length === 0 ? `${head}: ${about}` : head
    const pieces = splitToFit(text, CONTENT_CHARS_MAX - lead.length - 2)
    return pieces.map((piece, i) => {
      const place = [name, ...headings].join('#') + (i === 0 ? '' : ` (part ${i + 1})`)
      return { ...common, key: `${origin.where}\0${place}`, item: place, content: `${lead}\n${piece}` }
    })
  })
}

/** The whole note as one section if it fits in a memory. */
function groupSections(body: string, title: string): readonly MarkdownSection[] {
  const text = body
    .trim()
    .replace(/^#\s+.*\n?/, '')
    .trim()
  if (text === '') return []
  if (text.length + title.length < CONTENT_CHARS_MAX - TITLE_CHARS_MAX) return [{ headings: [], text }]
  const seen = new Map<string, number>()
  return splitSections(body).map(({ headings, text: part }) => {
    const key = headings.join('#')
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    // Two sections may have the same headings.
    return {
      headings: count === 1 ? headings : [...headings.slice(0, -1), `${headings.at(-1) ?? ''} (${count})`],
      text: part,
    }
  })
}

/** Longer front matter is content, in characters. */
const FRONT_CHARS_MAX = 64_000

function splitFrontMatter(text: string) {
  const match = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/.exec(text.slice(0, FRONT_CHARS_MAX))
  if (!match) return { front: {}, body: text }
  return { front: objectOf(readYaml(match[1] ?? '').value), body: text.slice(match[0].length) }
}

interface MarkdownSection {
  /** The headings above the text, the outermost first; empty before the first heading. */
  readonly headings: readonly string[]
  /** Trimmed, without the heading. */
  readonly text: string
}

/** The sections of a text that have one, in order. Headings inside of fenced code are code. */
function splitSections(body: string): MarkdownSection[] {
  const sections: MarkdownSection[] = []
  const open: { readonly level: number; readonly title: string }[] = []
  let lines: string[] = []
  const close = (): void => {
    const text = lines.join('\n').trim()
    if (text !== '') sections.push({ headings: open.map(({ title }) => title), text })
    lines = []
  }
  for (const { line, isCode } of markCode(body)) {
    const heading = isCode ? null : /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    if (!heading) {
      lines.push(line)
      continue
    }
    close()
    const level = heading[1]?.length ?? 1
    while ((open.at(-1)?.level ?? 0) >= level) open.pop()
    open.push({ level, title: heading[2] ?? '' })
  }
  close()
  return sections
}

/** The lines of a text, and whether each is inside of fenced code, the fences included. */
function markCode(text: string): { readonly line: string; readonly isCode: boolean }[] {
  let fence: string | undefined
  return text.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const wasCode = fence !== undefined
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    return { line, isCode: wasCode || fence !== undefined }
  })
}

/** Between which a long text is cut: paragraphs where that is enough, else lines, words, and at last characters. */
const SEPARATORS: readonly string[] = ['\n\n', '\n', ' ', '']

function splitToFit(text: string, charsMax: number, [separator, ...finer] = SEPARATORS): string[] {
  if (text.length <= charsMax || separator === undefined) return [text]
  // By code points, so that no character is cut.
  const parts = separator === '' ? Array.from(text) : text.split(separator)
  const pieces: string[] = []
  let current: string | undefined
  for (const part of parts.flatMap((each) => splitToFit(each, charsMax, finer))) {
    const joined = current === undefined ? part : current + separator + part
    if (current === undefined || joined.length <= charsMax) current = joined
    else {
      pieces.push(current)
      current = part
    }
  }
  return current === undefined ? pieces : [...pieces, current]
}

/** The first of these fields that is a date or a time, ISO; one without a zone is UTC. */
function readDate(front: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = front[name]
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
    if (typeof value !== 'string') continue
    const ms = parseCalendarTime(value.trim().replace(/^(\d{4}-\d\d-\d\d) +/, '$1T'))
    if (ms !== undefined) return new Date(ms).toISOString()
  }
  return undefined
}

function readText(front: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = front[name]
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text
}

/** Tags as a list, or as one text with commas or blanks between them; without `#`. */
function readTags(front: Readonly<Record<string, unknown>>): string[] {
  const value = front['tags'] ?? front['tag']
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\s]+/) : []
  return list.flatMap((tag) => (typeof tag === 'string' || typeof tag === 'number' ? [`${tag}`.replace(/^#/, '')] : []))
}

/** Tags in the text, `#like-this`, outside of code. */
const findHashTags = (body: string): string[] => [
  ...new Set(
    markCode(body)
      .filter(({ isCode }) => !isCode)
      .flatMap(({ line }) => [...line.replace(/`[^`]*`/g, '').matchAll(HASH_TAG)].map(([, tag = '']) => tag)),
  ),
]

const HASH_TAG = /(?<=^|\s)#([\p{L}_][\p{L}\p{N}_/-]{0,49})(?=$|[\s.,;:!?)。、])/gu
