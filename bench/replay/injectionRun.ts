// The RUN file of a replay: everything that was injected into the sessions, and every entry that was kept of what
// people said. One JSON object per line, in the format that scorers of notes read.
import fs from 'node:fs'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { Knowledge } from '../../src/model/knowledge.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { getTextField } from '../../src/record/hookPayload.ts'
import type { RecordedPayload } from '../fixture/replaySessions.ts'
import type { Recording } from './recordingFiles.ts'

/** Times are ISO 8601 in UTC. */
export type RunLine = InjectedLine | StatementLine

export interface InjectedLine {
  readonly type: 'injected'
  readonly session: string
  /** The time of the payload in the recording. */
  readonly at: string
  readonly moment: InjectionMoment
  /** The call that it is about. */
  readonly tool_use_id?: string
  /** The subagent of the conversation; absent for the main one. */
  readonly agent_id?: string
  readonly text: string
}

export interface StatementLine {
  readonly type: 'kept'
  /** The session in which it was said. */
  readonly session: string
  readonly at: string
  /** The type of the entry. */
  readonly kind: string
  /** The line of the entry, and what the person said if it differs. */
  readonly text: string
}

type InjectionMoment = 'start' | 'prompt' | 'call' | 'failure' | 'agent'

const MOMENT_BY_EVENT: Readonly<Record<string, InjectionMoment>> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'call',
  PostToolUse: 'call',
  PostToolUseFailure: 'failure',
  SubagentStart: 'agent',
}

/** Creates or empties the file, so that one that cannot be written is reported before the replay. */
export function createRunFile(file: string): void {
  try {
    fs.writeFileSync(file, '')
  } catch (cause) {
    throw new MemoryError('STORE_UNWRITABLE', `Cannot write ${file}: ${(cause as Error).message}`, {
      hint: 'Name a file in an existing folder that you may write to: `--injected FILE`.',
      cause,
    })
  }
}

/** Writes one JSON object per line. */
export function writeRunFile(file: string, lines: readonly object[]): void {
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** The line for a text that a hook injected. The reason of a blocked call counts, too. */
export function injectedLine({ at, payload }: RecordedPayload, text: string): InjectedLine {
  const call = getTextField(payload, 'tool_use_id')
  const agent = getTextField(payload, 'agent_id')
  return {
    type: 'injected',
    session: payload.session_id,
    at: new Date(at).toISOString(),
    moment: MOMENT_BY_EVENT[payload.hook_event_name] ?? 'prompt',
    ...(call !== undefined && { tool_use_id: call }),
    ...(agent !== undefined && { agent_id: agent }),
    text,
  }
}

/** What was kept of what people said in these recordings, oldest first; also what was superseded or archived. */
export async function listStatementLines(store: Store, recordings: readonly Recording[]): Promise<StatementLine[]> {
  const sessions = new Set<string>(
    recordings.flatMap(({ payloads }) => payloads.map((each) => each.payload.session_id)),
  )
  const { applyLogTail, loadProjection } = await import('../../src/broker/projection/projectionFiles.ts')
  // Without what open sessions would keep if they ended now.
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  return [...loaded.projection.memories.values()].flatMap(({ session, created, knowledge }) => {
    if (session === undefined || !sessions.has(session) || !knowledge || !isSaidByPerson(knowledge)) return []
    const { type, line, quote } = knowledge
    const text = quote === undefined || quote === line ? line : `${line}\n${quote}`
    return [{ type: 'kept' as const, session, at: created, kind: type, text }]
  })
}

/** Whether it came from what a person said: it has their words, or they are its author. */
const isSaidByPerson = ({ author, quote }: Knowledge): boolean => author === 'person' || quote !== undefined
