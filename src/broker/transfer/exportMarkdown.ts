// An export for people: one section per memory, grouped by kind, the latest first. What a person does not read is in a
// comment below each heading, so that the file can be imported again with the same texts, kinds and dates.
//
//   ### 2026-03-05 · 1f3a9c02
//   <!-- memctl {"id":"…","kind":"preference","created":"…",…} -->
//   (empty line)
//   the text; a line that begins like a heading or a comment has a backslash before it
import { MEMORY_KINDS, type Memory, type MemoryKind } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import { EXPORT_VERSION, type ExportedMemories, parseMemory } from './exportFile.ts'

const HEADINGS: { readonly [Kind in MemoryKind]: string } = {
  preference: 'Preferences and rules',
  decision: 'Decisions',
  entry: 'Entries',
  fact: 'Project facts',
  lesson: 'Lessons',
  summary: 'Summaries of sessions and months',
  consolidated: 'Consolidated memories',
  experience: 'Experiences',
}

/** The fields in the comment: what list and search filter by. */
const KEPT = [
  'id',
  'kind',
  'created',
  'updated',
  'status',
  'tags',
  'lessons',
  'files',
  'branch',
  'privacy',
  'role',
  'outcome',
  'tier',
  'importance',
  'searchOnly',
  'questionOnly',
  'importSource',
  'supersededBy',
] as const satisfies readonly (keyof Memory)[]

const TITLE = '<!-- memctl-export '

export function formatMarkdownExport(exported: ExportedMemories): string {
  const { project, at, memories, list, private: isPrivate } = exported
  const header = { version: EXPORT_VERSION, at, project, memories, private: isPrivate }
  const groups = MEMORY_KINDS.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).flatMap((kind) => {
    const ofKind = list.filter((memory) => memory.kind === kind)
    if (ofKind.length === 0) return []
    const latest = ofKind.toSorted((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0))
    return [`## ${HEADINGS[kind]} (${ofKind.length})`, '', ...latest.map(formatSection)]
  })
  const intro = `Exported on ${at.slice(0, 10)}: ${memories} memories. \`memctl import memctl FILE\` imports this file.`
  return [`# Memory of ${project.name}`, '', comment(TITLE, header), '', intro, '', ...groups].join('\n')
}

const ORDER = Object.keys(HEADINGS) as readonly MemoryKind[]

function formatSection(memory: Memory): string {
  const fields = Object.fromEntries(KEPT.map((name) => [name, memory[name]]))
  const data = { ...fields, provenance: memoryProvenance(memory) }
  const state = memory.status === 'archived' ? ' · archived' : ''
  const lines = memory.content.split('\n').map((line) => (ESCAPED.test(line) ? `\\${line}` : line))
  const head = `### ${memory.updated.slice(0, 10)} · ${memory.id.slice(0, 8)}${state}`
  return [head, comment(SECTION, data), '', ...lines, ''].join('\n')
}

const SECTION = '<!-- memctl '

/** A line that the reader would take for its own, or that begins with the escape. */
const ESCAPED = /^\\*(?:#{1,6}\s|<!--)/

/** JSON in a comment, which must not contain its end. */
const comment = (start: string, value: unknown): string =>
  `${start}${JSON.stringify(value).replaceAll('>', '\\u003e')} -->`

/** Whether a text is an export as Markdown. */
export const isMarkdownExport = (text: string): boolean => text.slice(0, 4_000).includes(`\n${TITLE}`)

/** Reads it. Throws INPUT_INVALID with the line, and STORE_NEWER. */
export function parseMarkdownExport(text: string, file: string): ExportedMemories {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const header = parseComment(lines.find((line) => line.startsWith(TITLE)) ?? '', TITLE, file)
  const { version, at, project, private: isPrivate } = header
  if (typeof version !== 'number' || version > EXPORT_VERSION) {
    throw new MemoryError('STORE_NEWER', `${file} was exported by a later version of memctl (format ${version})`, {
      hint: `This version reads formats up to ${EXPORT_VERSION}: update memctl.`,
    })
  }
  const list: Memory[] = []
  for (const [i, line] of lines.entries()) {
    if (!line.startsWith(SECTION)) continue
    const place = `${file}, line ${i + 1}`
    const rest = lines.slice(i + 1)
    const end = rest.findIndex((each) => /^#{1,6}\s/.test(each))
    const body = (end === -1 ? rest : rest.slice(0, end)).map((each) =>
      /^\\+(?:#{1,6}\s|<!--)/.test(each) ? each.slice(1) : each,
    )
    const content = body.slice(1).join('\n').replace(/\n+$/, '')
    list.push(parseMemory({ ...parseComment(line, SECTION, place), content }, place))
  }
  const { id = '', name = '' } = (project ?? {}) as { id?: string; name?: string }
  return { at: String(at ?? ''), project: { id, name }, memories: list.length, private: isPrivate === true, list }
}

function parseComment(line: string, start: string, place: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line.slice(start.length, line.lastIndexOf('-->'))) as Record<string, unknown>
  } catch {
    throw new MemoryError('INPUT_INVALID', `${place}: the comment of a memory is damaged`, {
      hint: 'Leave the comments that begin with `<!-- memctl` as they are. Nothing was imported.',
    })
  }
}
