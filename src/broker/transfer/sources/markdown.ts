// A folder of Markdown notes, as Obsidian and basic-memory keep them: a note, or each section of a long one, is an
// entry. Observations (`- [category] text #tag`) and relations (`- type [[Note]]`) stay in the text.
import { CONTENT_CHARS_MAX } from '../../../model/limits.ts'
import type { Provenance } from '../../../model/memory.ts'
import { MemoryError } from '../../../model/memoryError.ts'
import type { ImportItem, ReadSource } from '../importItem.ts'
import {
  findHashTags,
  type MarkdownSection,
  readDate,
  readTags,
  readText,
  splitFrontMatter,
  splitSections,
  splitToFit,
} from './markdownText.ts'
import type { SourceContext } from './sourceFiles.ts'
import {
  describePath,
  isFolder,
  isOfProject,
  readMarkdownFiles,
  readNamedFile,
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
  readonly searchOnly?: boolean
}

/** A note as items: one if it is short, else one for each section, or part of a section. */
export function itemsOfNote(
  file: SourceFile,
  name: string,
  origin: NoteOrigin,
  tags: readonly string[] = [],
): ImportItem[] {
  const { front, body } = splitFrontMatter(file.text)
  const [first = ''] = /^#\s+(.*)$/m.exec(body)?.slice(1) ?? []
  const title = readText(front, 'title') ?? (first || name.replace(/^.*\//, '').replace(/\.\w+$/, ''))
  const about = readText(front, 'description')
  const created = readDate(front, 'created', 'created_at', 'date', 'modified', 'updated', 'updated_at') ?? file.modified
  const updated =
    readDate(front, 'modified', 'updated', 'updated_at', 'last_modified') ?? maxTime(created, file.modified)
  const type = readText(front, 'type')
  const common = {
    tags: [...tags, ...(type ? [type] : []), ...readTags(front), ...findHashTags(body)],
    created,
    updated,
    provenance: origin.provenance,
    ...(origin.searchOnly && { searchOnly: true }),
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

const maxTime = (a: string, b: string): string => (b > a ? b : a)
