// The lines of a transcript of Claude Code, read leniently: fields differ between versions, and most types of lines are
// the client's own bookkeeping. A file is read in parts, so that memory is bounded by the longest line.
import { isObject, objectOf, parseObject } from '../../model/unknownJson.ts'
import type { Files } from '../../store/disk/files.ts'

/** A block of a message: text, tool_use, tool_result, image and others. */
export interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

/** What all lines that matter here have. */
export type TranscriptLine = Readonly<Exclude<ReturnType<typeof parseTranscriptLine>, 'broken' | undefined>>

type LineType = 'user' | 'assistant' | 'compacted' | 'queued'

/** The types of lines that may matter, as they stand in the text; other programs write JSON with spaces. */
const WANTED = ['"user"', '"assistant"', '"compact_boundary"', '"queued_command"'].map((text) => Buffer.from(text))

/** Whether a line may have a part of the conversation. Decided without parsing, because most bytes have none. */
export const mayMatter = (line: Buffer): boolean => WANTED.some((text) => line.includes(text))

/** The line; `broken` if it is no JSON object, undefined if it has no part of the conversation. */
export function parseTranscriptLine(text: string) {
  const fields = parseObject(text)
  if (!fields) return 'broken'
  const type = typeOf(fields)
  const at = typeof fields['timestamp'] === 'string' ? Date.parse(fields['timestamp']) : Number.NaN
  if (type === undefined || Number.isNaN(at)) return undefined
  const branch = textField(fields, 'gitBranch')
  return {
    type,
    uuid: textField(fields, 'uuid'),
    parent: textField(fields, 'parentUuid'),
    /** Milliseconds since 1970. */
    at,
    session: textField(fields, 'sessionId'),
    cwd: textField(fields, 'cwd'),
    /** Undefined for no branch, and where no branch is checked out. */
    branch: branch === 'HEAD' ? undefined : branch,
    promptId: textField(fields, 'promptId'),
    agentId: textField(fields, 'agentId'),
    isSidechain: fields['isSidechain'] === true,
    /** All fields, as the client wrote them. */
    fields,
    content: contentOf(type, fields),
  }
}

function typeOf(fields: Readonly<Record<string, unknown>>): LineType | undefined {
  const { type, subtype, attachment } = fields
  if (type === 'user' || type === 'assistant') return type
  if (type === 'system' && subtype === 'compact_boundary') return 'compacted'
  if (type === 'attachment' && isObject(attachment) && attachment['type'] === 'queued_command') return 'queued'
  return undefined
}

function contentOf(type: LineType, fields: Readonly<Record<string, unknown>>): string | readonly Block[] {
  const { message, attachment } = fields
  const content = type === 'queued' ? objectOf(attachment)['prompt'] : objectOf(message)['content']
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.filter(isBlock) : []
}

const isBlock = (value: unknown): value is Block => isObject(value) && typeof value['type'] === 'string'

const textField = (fields: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The text of a message or of a tool's result: its text blocks, joined by line breaks. */
export function blockText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const texts = content.flatMap((block) => {
    const { type, text } = objectOf(block)
    return type === 'text' && typeof text === 'string' ? [text] : []
  })
  return texts.join('\n')
}

/** A longer line is skipped and counted, in bytes: the largest tool results and images stay below it. */
const LINE_BYTES_MAX = 33_554_432

const CHUNK_BYTES = 1_048_576
const NEWLINE = 0x0a

/** The complete lines of a file without their newlines; undefined for one that is too long. The last may have none. */
export function* readLines(files: Files, file: string): Generator<Buffer | undefined> {
  const opened = files.open(file)
  if (!opened) return
  try {
    let parts: Buffer[] = []
    let length = 0
    for (let at = 0; ; ) {
      const chunk = opened.readAt(at, CHUNK_BYTES)
      if (chunk.length === 0) break
      at += chunk.length
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        length += end - start
        if (length > LINE_BYTES_MAX) yield undefined
        else if (length > 0) yield joinParts(parts, chunk.subarray(start, end))
        parts = []
        length = 0
        start = end + 1
      }
      length += chunk.length - start
      // Of a line that is too long nothing is kept.
      if (length > LINE_BYTES_MAX) parts = []
      else if (start < chunk.length) parts.push(Buffer.from(chunk.subarray(start)))
    }
    if (length > LINE_BYTES_MAX) yield undefined
    else if (length > 0) yield Buffer.concat(parts)
  } finally {
    opened.close()
  }
}

const joinParts = (parts: readonly Buffer[], last: Buffer): Buffer =>
  parts.length === 0 ? last : Buffer.concat([...parts, last])
