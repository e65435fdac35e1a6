// Reads transcripts: once before anything is recorded, to know which sessions there are, from when, how large, and what
// they repeat of others; then the payloads of each session in the order of time, from all of its files.

import { HOOK_TOOL, SERVER_NAME } from '../../model/hookEvents.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { objectOf, parseObject } from '../../model/unknownJson.ts'
import type { Files } from '../../store/disk/files.ts'
import { type ConvertContext, convertTranscript } from './convertTranscript.ts'
import { readAgentType, type TranscriptFile } from './findTranscripts.ts'
import { mayMatter, parseTranscriptLine, readLines, type TranscriptLine } from './transcriptLine.ts'

export interface TranscriptSession extends Readonly<Omit<Scan, 'origins' | 'agentTypes' | 'keys'>> {
  readonly id: string
  /** The session's own first, then those of its subagents. */
  readonly files: readonly TranscriptFile[]
  readonly bytes: number
  /** Of a fork: the sessions from which its first lines were copied, and the time of the last line of each. */
  readonly origins: ReadonlyMap<string, number>
  /** The types of its subagents, by their id and by the prompt that they were started with. */
  readonly agentTypes: ReadonlyMap<string, string>
  /** Keys of its lines: see `lineKey`. */
  readonly keys: readonly number[]
}

/** Lines are compared by 48 bits of their random id: of a million lines, none collides in 99.8 % of all cases. */
export const lineKey = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(-12), 16)

interface Scan extends SkippedLines {
  /** The times of its first and its last line, in milliseconds since 1970. */
  first: number
  last: number
  readonly origins: Map<string, number>
  readonly agentTypes: Map<string, string>
  readonly keys: number[]
}

/**
 * The sessions of these files, in the order of their first lines. One that repeats the lines of another comes after it.
 * `onFile` is told about each file.
 */
export function scanTranscripts(
  files: Files,
  found: readonly TranscriptFile[],
  onFile: (file: TranscriptFile) => void = () => {},
): TranscriptSession[] {
  const sessions = [...groupBy(found, ({ session }) => session)].flatMap(
    ([id, own]) => scanSession(files, id, own, onFile) ?? [],
  )
  return sessions.sort(
    (a, b) => a.first - b.first || a.origins.size - b.origins.size || a.last - b.last || compareValues(a.id, b.id),
  )
}

/** The session that a line of this time was copied from; undefined for a line of the session itself. */
export const findOrigin = ({ origins }: TranscriptSession, at: number): string | undefined =>
  [...origins].find(([, last]) => at <= last)?.[0]

function scanSession(files: Files, id: string, own: readonly TranscriptFile[], onFile: (file: TranscriptFile) => void) {
  const times = { first: Number.POSITIVE_INFINITY, last: 0 }
  const scan: Scan = { ...times, ...NONE_SKIPPED, origins: new Map(), agentTypes: new Map(), keys: [] }
  const main = own.filter(({ agentId }) => agentId === undefined)
  const sorted = [...main, ...own.filter(({ agentId }) => agentId !== undefined)]
  for (const file of sorted) {
    for (const line of readTranscript(files, file, scan)) scanLine(line, id, scan)
    const type = file.agentId === undefined ? undefined : readAgentType(files, file.file)
    if (file.agentId !== undefined && type !== undefined) scan.agentTypes.set(file.agentId, type)
    onFile(file)
  }
  if (scan.last === 0) return undefined
  const bytes = own.reduce((sum, file) => sum + file.bytes, 0)
  return { id, files: sorted, bytes, ...scan }
}

/** Lines that are no JSON, and lines that are too long. */
interface SkippedLines {
  broken: number
  tooLong: number
}

const NONE_SKIPPED: Readonly<SkippedLines> = { broken: 0, tooLong: 0 }

/** The lines of a file that have a part of the conversation. Others are counted in `skipped`. */
function* readTranscript(files: Files, { file }: TranscriptFile, skipped: SkippedLines = { ...NONE_SKIPPED }) {
  for (const bytes of readLines(files, file)) {
    if (!bytes) skipped.tooLong++
    else if (mayMatter(bytes) || !endsAsObject(bytes)) {
      const line = parseTranscriptLine(bytes.toString('utf8'))
      if (line === 'broken') skipped.broken++
      else if (line) yield line
    }
  }
}

const endsAsObject = (bytes: Buffer): boolean => /\}\s*$/.test(bytes.subarray(-8).toString('latin1'))

function scanLine(line: TranscriptLine, session: string, scan: Scan): void {
  scan.first = Math.min(scan.first, line.at)
  scan.last = Math.max(scan.last, line.at)
  if (line.uuid !== undefined) scan.keys.push(lineKey(line.uuid))
  const { requestSessionId, forkedFrom, attributionAgent, toolUseResult } = line.fields
  // Some clients mark each line that a fork repeats, others only the answers.
  const origin = objectOf(forkedFrom)['sessionId'] ?? requestSessionId
  if (typeof origin === 'string' && origin !== session)
    scan.origins.set(origin, Math.max(line.at, scan.origins.get(origin) ?? 0))
  if (line.agentId !== undefined && typeof attributionAgent === 'string')
    scan.agentTypes.set(line.agentId, attributionAgent)
  const { agentId, agentType } = objectOf(toolUseResult)
  if (typeof agentId === 'string' && typeof agentType === 'string') scan.agentTypes.set(agentId, agentType)
  const blocks = typeof line.content === 'string' ? [] : line.content
  for (const { type, input } of line.type === 'assistant' ? blocks : []) {
    const { subagent_type, prompt } = type === 'tool_use' ? objectOf(input) : {}
    if (typeof subagent_type === 'string' && typeof prompt === 'string') scan.agentTypes.set(prompt, subagent_type)
  }
}

/** A payload that no hook got: the name of its event, its time, and the id of its call if that is known. */
export interface DroppedPayload {
  readonly where: string
  readonly at: string
  readonly call?: string | undefined
}

/**
 * The hooks that our MCP server did not answer, because it was not connected, had ended or took too long. The client
 * writes them down; of a script it also names the command.
 */
export function findUnansweredHooks(files: Files, { files: own }: TranscriptSession): readonly DroppedPayload[] {
  return own.flatMap(({ file }) =>
    [...readLines(files, file)].flatMap((bytes) => {
      if (!bytes || !UNANSWERED.some((type) => bytes.includes(type))) return []
      const { attachment, timestamp: at } = parseObject(bytes.toString('utf8')) ?? {}
      const { type, hookEvent: where, toolUseID, command = HOOK_NAME } = objectOf(attachment)
      const isOurs = UNANSWERED.includes(`"${type}"`) && command === HOOK_NAME
      if (!isOurs || typeof where !== 'string' || typeof at !== 'string') return []
      return [{ where, at, call: typeof toolUseID === 'string' ? toolUseID : undefined }]
    }),
  )
}

const UNANSWERED = ['"hook_non_blocking_error"', '"hook_cancelled"']
const HOOK_NAME = `${SERVER_NAME}/${HOOK_TOOL}`

/** The payloads; no time is before that of the one before. */
export function* mergePayloads(files: Files, session: TranscriptSession, isCopy: ConvertContext['isCopy']) {
  const { id, agentTypes } = session
  const sources = session.files.map((file) => {
    const context = { session: id, agentId: file.agentId, agentTypes, isCopy }
    const payloads = convertTranscript(readTranscript(files, file), context)
    return { payloads, head: payloads.next() }
  })
  let now = 0
  for (;;) {
    let next: (typeof sources)[number] | undefined
    for (const source of sources) {
      if (source.head.done) continue
      if (!next || next.head.done || source.head.value.at < next.head.value.at) next = source
    }
    if (!next || next.head.done) return
    const { at, payload } = next.head.value
    now = Math.max(now, at)
    yield { at: now, payload }
    next.head = next.payloads.next()
  }
}
