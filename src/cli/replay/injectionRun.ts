// The RUN file of a replay: everything that was injected into the sessions, and every statement that was kept of what
// people said. One JSON object per line, in the format that scorers of notes read.
import fs from 'node:fs'
import type { Store } from '../../broker/open/openStore.ts'
import type { RecordedPayload } from '../../broker/replay/replaySessions.ts'
import type { Memory, MemoryKind } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { getTextField } from '../../record/hookPayload.ts'
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
  /** The subagent whose conversation it was; absent for the main thread. */
  readonly agent_id?: string
  readonly text: string
}

export interface StatementLine {
  readonly type: 'kept'
  /** The session in which it was said. */
  readonly session: string
  readonly at: string
  /** The type of the statement; without one, the kind of the memory. */
  readonly kind: string
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

export function writeRunFile(file: string, lines: readonly RunLine[]): void {
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
  const { loadProjection } = await import('../../broker/projection/projectionFiles.ts')
  const { applyLogTail } = await import('../../broker/projection/applyLogTail.ts')
  // Without what open sessions would keep if they ended now.
  const loaded = loadProjection(store)
  applyLogTail(store, loaded)
  return [...loaded.projection.memories.values()].flatMap((memory) => {
    const { session, created, kind, content, statement } = memory
    if (session === undefined || !sessions.has(session) || !isSaidByPerson(memory)) return []
    return [{ type: 'kept' as const, session, at: created, kind: statement?.type ?? kind, text: content }]
  })
}

const STATEMENT_KINDS: ReadonlySet<MemoryKind> = new Set(['preference', 'decision'])

/**
 * Whether it was derived from what a person said in a session, and not only perhaps meant to last. A memory that a tool
 * or command stored has no event.
 */
const isSaidByPerson = ({ kind, trust, events, statement }: Memory): boolean =>
  STATEMENT_KINDS.has(kind) &&
  (trust === 'user' || statement !== undefined) &&
  events.length > 0 &&
  statement?.origin !== 'assistant' &&
  (statement === undefined || statement.strength >= 2)
