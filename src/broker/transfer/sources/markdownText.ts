// The parts of a Markdown text: front matter, sections by headings, and pieces that fit in a memory.
import { parseCalendarTime } from '../../../text/calendarTime.ts'
import { readYaml } from '../../open/yamlSource.ts'

export interface MarkdownNote {
  /** The front matter; empty without one, and for one that is no valid YAML. */
  readonly front: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Longer front matter is content, in characters. */
const FRONT_CHARS_MAX = 64_000

export function splitFrontMatter(text: string): MarkdownNote {
  const match = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/.exec(text.slice(0, FRONT_CHARS_MAX))
  if (!match) return { front: {}, body: text }
  const { value } = readYaml(match[1] ?? '')
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value)
  const front = isMapping ? (value as Record<string, unknown>) : {}
  return { front, body: text.slice(match[0].length) }
}

export interface MarkdownSection {
  /** The headings above the text, the outermost first; empty before the first heading. */
  readonly headings: readonly string[]
  /** Trimmed, without the heading. */
  readonly text: string
}

/** The sections of a text that have one, in order. Headings inside of fenced code are code. */
export function splitSections(body: string): MarkdownSection[] {
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
export function markCode(text: string): { readonly line: string; readonly isCode: boolean }[] {
  let fence: string | undefined
  return text.split('\n').map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    const wasCode = fence !== undefined
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    return { line, isCode: wasCode || fence !== undefined }
  })
}

/** The text in pieces of at most `charsMax`, cut between paragraphs where there are some, else between lines. */
export function splitToFit(text: string, charsMax: number): string[] {
  if (text.length <= charsMax) return [text]
  for (const separator of ['\n\n', '\n', ' ']) {
    const parts = text.split(separator)
    if (parts.length > 1 && parts.every((part) => part.length <= charsMax)) return joinToFit(parts, separator, charsMax)
  }
  const pieces = text.split('\n\n').flatMap((part) => {
    const lines = part.split('\n')
    return lines.flatMap((line) => (line.length <= charsMax ? [line] : cutLine(line, charsMax)))
  })
  return joinToFit(pieces, '\n', charsMax)
}

function joinToFit(parts: readonly string[], separator: string, charsMax: number): string[] {
  const pieces: string[] = []
  let current: string | undefined
  for (const part of parts) {
    const joined: string = current === undefined ? part : current + separator + part
    if (joined.length <= charsMax) current = joined
    else {
      if (current !== undefined) pieces.push(current)
      current = part
    }
  }
  return current === undefined ? pieces : [...pieces, current]
}

/** By code points, so that no character is cut. */
function cutLine(line: string, charsMax: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of line) {
    if (piece.length + character.length > charsMax) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}

/** The first of these fields that is a date or a time, ISO; one without a zone is UTC. */
export function readDate(front: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = front[name]
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
    if (typeof value !== 'string') continue
    const ms = parseCalendarTime(value.trim().replace(/^(\d{4}-\d\d-\d\d) +/, '$1T'))
    if (ms !== undefined) return new Date(ms).toISOString()
  }
  return undefined
}

/** A text field; undefined for anything else, and for an empty text. */
export function readText(front: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = front[name]
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text
}

/** Tags as a list, or as one text with commas or blanks between them; without `#`. */
export function readTags(front: Readonly<Record<string, unknown>>): string[] {
  const value = front['tags'] ?? front['tag']
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\s]+/) : []
  return list.flatMap((tag) => (typeof tag === 'string' || typeof tag === 'number' ? [`${tag}`.replace(/^#/, '')] : []))
}

/** Tags in the text, `#like-this`, outside of code. */
export const findHashTags = (body: string): string[] => [
  ...new Set(
    markCode(body)
      .filter(({ isCode }) => !isCode)
      .flatMap(({ line }) => [...line.replace(/`[^`]*`/g, '').matchAll(HASH_TAG)].map(([, tag = '']) => tag)),
  ),
]

const HASH_TAG = /(?<=^|\s)#([\p{L}_][\p{L}\p{N}_/-]{0,49})(?=$|[\s.,;:!?)。、])/gu
