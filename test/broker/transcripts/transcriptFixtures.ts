// Transcripts for tests: sessions recorded with the real client, with the payloads that hooks got, and lines to order.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { parseRecording, type RecordedPayload } from '../../../bench/fixture/replaySessions.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { findTranscripts } from '../../../src/broker/transcripts/findTranscripts.ts'
import {
  type ImportReport,
  importSessions,
  planSessions,
  type SessionPlan,
} from '../../../src/broker/transcripts/importSessions.ts'
import { scanTranscripts, type TranscriptSession } from '../../../src/broker/transcripts/scanTranscripts.ts'
import type { Event } from '../../../src/model/event.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, iso, ROOT } from '../../testData.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/transcripts')

/** The versions of the client with recorded sessions. */
export const VERSIONS = fs.readdirSync(FIXTURES).sort()

export const transcriptsOf = (version: string): string => path.join(FIXTURES, version, 'projects')

/** What the hooks got in the same sessions, one list per session. */
export function hookPayloadsOf(version: string): RecordedPayload[][] {
  const text = fs.readFileSync(path.join(FIXTURES, version, 'hooks.jsonl'), 'utf8')
  const sessions = new Map<string, RecordedPayload[]>()
  for (const recorded of parseRecording(text, version)) {
    const { session_id } = recorded.payload
    sessions.set(session_id, [...(sessions.get(session_id) ?? []), recorded])
  }
  return [...sessions.values()]
}

export const scanFolder = (folder: string): TranscriptSession[] =>
  scanTranscripts(realDisk, findTranscripts(realDisk, folder))

/** Imports everything in a folder. */
export function importFolder(store: Store, folder: string): ImportReport & { readonly plans: readonly SessionPlan[] } {
  const plans = planSessions(store, scanFolder(folder))
  return { plans, ...importSessions(store, plans, { now: BEGIN }) }
}

export const eventsOf = ({ files, layout }: Store): readonly Event[] => readLog(files, layout.events).events

/** Lines of a transcript, each a second after the one before. */
export class TranscriptBuilder {
  readonly session: string
  /** Of the latest line. */
  lastUuid = ''
  readonly #lines: string[] = []
  readonly #cwd: string
  #at: number
  #count = 0

  constructor(session = 'session-one', start = BEGIN, cwd = ROOT) {
    this.session = session
    this.#at = start
    this.#cwd = cwd
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  line(fields: Readonly<Record<string, unknown>>): this {
    this.#at += 1_000
    const uuid = createHash('sha256')
      .update(`${this.session} ${++this.#count}`)
      .digest('hex')
      .slice(0, 32)
    this.lastUuid = uuid
    const common = { uuid, timestamp: iso(this.#at), sessionId: this.session, cwd: this.#cwd, isSidechain: false }
    this.#lines.push(JSON.stringify({ ...common, ...fields }))
    return this
  }

  text(text: string): this {
    this.#lines.push(text)
    return this
  }

  user(content: unknown, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.line({ type: 'user', message: { role: 'user', content }, promptId: `prompt-${this.#count}`, ...fields })
  }

  says(text: string, fields: Readonly<Record<string, unknown>> = {}): this {
    const message = { id: `msg-${this.#count}`, role: 'assistant', content: [{ type: 'text', text }] }
    return this.line({ type: 'assistant', message: { ...message, stop_reason: 'end_turn' }, ...fields })
  }

  /** A call and its result; without a result it is still open. */
  calls(name: string, input: Readonly<Record<string, unknown>>, result?: string, isError = false): this {
    const id = `toolu-${this.session}-${this.#count}`
    const content = [{ type: 'tool_use', id, name, input }]
    this.line({ type: 'assistant', message: { id: `msg-${id}`, role: 'assistant', content, stop_reason: 'tool_use' } })
    if (result === undefined) return this
    const block = { type: 'tool_result', tool_use_id: id, content: result, is_error: isError }
    const toolUseResult = isError ? `Error: ${result}` : { stdout: result, stderr: '' }
    return this.line({ type: 'user', message: { role: 'user', content: [block] }, toolUseResult })
  }

  /** Writes the file of the session, as the client names it. Returns the folder of all projects. */
  write(folder: string, name = `${this.session}.jsonl`): string {
    const file = path.join(folder, 'projects', this.#cwd.replace(/[^A-Za-z0-9]/g, '-'), name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `${this.#lines.join('\n')}\n`)
    return path.join(folder, 'projects')
  }
}
