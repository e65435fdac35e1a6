// Record: a hook's payload becomes an event. Normalised, redacted, bounded, with its first importance.
//
// The order is a promise: secrets go before anything is cut, since half a secret would no longer look like one.
import type { CallFields, Event, EventBody, EventOf } from '../model/event.ts'
import type { EventId } from '../model/id.ts'
import { computeImportance, type ImportanceTerms, type ImportanceWeights } from '../model/importance.ts'
import { ANSWER_CHARS_MAX, PROMPT_CHARS_MAX } from '../model/limits.ts'
import { commandShape } from '../text/command.ts'
import { errorSignature } from '../text/errorSignature.ts'
import { truncateMiddle } from '../text/excerpt.ts'
import { findFilePaths, toRepoPath } from '../text/filePaths.ts'
import { detectUserSignals } from '../text/intent/userSignals.ts'
import { getIdField, getObjectField, getTextField, type HookPayload, isTaskNotification } from './hookPayload.ts'
import { computeInitialTerms } from './initialImportance.ts'
import { payloadEnvelope } from './payloadEnvelope.ts'
import { sanitizePayload } from './sanitizePayload.ts'
import { truncateError, truncateEventToLine, truncateInput, truncateOutput } from './truncatePayload.ts'

/** What the recorder cannot read from the payload. */
export interface RecordContext {
  /** When it happened, milliseconds since 1970. */
  readonly now: number
  /** The project's root: a file is named by its path inside it. */
  readonly root: string
  readonly branch?: string | undefined
  readonly client?: { readonly pid: number; readonly started?: string | undefined } | undefined
  /** This session's latest events that an event may repeat or be like, oldest first. */
  readonly recent: (event: Event) => readonly Event[]
  readonly weights: ImportanceWeights
}

/** Of a call that only starts, characters a value: its end repeats it whole, and only a call that never ends is told by its start. */
const STARTED_CHARS_MAX = 80

/** Paths a call names, at most: a search may answer hundreds. */
const FILES_MAX = 12

/** The payload as an event; undefined for what is nobody's doing (a task notification, compaction's own subagent). */
export function recordPayload(payload: HookPayload, witness: RecordContext): Event | undefined {
  const clean = sanitizePayload(payload)
  const body = happeningOf(clean, witness)
  if (!body) return undefined
  const event = truncateEventToLine({ ...payloadEnvelope(clean, body, witness.now), ...body })
  if (event.kind === 'call.started') return event
  const recent = witness.recent(event)
  const alike = repeatOf(event, recent)
  const told = alike ? ({ ...event, repeatOf: alike } as Event) : event
  const terms = computeInitialTerms(told, recent)
  return { ...told, importance: rounded(computeImportance(terms, witness.weights)), terms: roundedTerms(terms) }
}

function happeningOf(payload: HookPayload, witness: RecordContext): EventBody | undefined {
  switch (payload.hook_event_name) {
    case 'SessionStart':
      return {
        kind: 'session.started',
        source: getTextField(payload, 'source') ?? 'startup',
        cwd: getTextField(payload, 'cwd') ?? '',
        branch: witness.branch,
        client: witness.client,
      }
    case 'UserPromptSubmit':
      return promptOf(getTextField(payload, 'prompt') ?? '', witness)
    case 'PreToolUse':
      return { kind: 'call.started', ...callOf(payload, witness, isAgentCall(payload) ? 1_000 : STARTED_CHARS_MAX) }
    case 'PostToolUse':
      return {
        kind: 'call.succeeded',
        ...callOf(payload, witness),
        output: truncateOutput(toolOf(payload), payload['tool_response']),
        durationMs: numberField(payload, 'duration_ms'),
      }
    case 'PostToolUseFailure':
      return failureOf(payload, witness)
    case 'Stop':
    case 'SubagentStop':
      return answerOf(payload)
    case 'SubagentStart':
      return { kind: 'agent.started' }
    case 'PreCompact':
      return { kind: 'compaction', phase: 'before', trigger: getTextField(payload, 'trigger') ?? '', summary: '' }
    case 'PostCompact':
      return {
        kind: 'compaction',
        phase: 'after',
        trigger: getTextField(payload, 'trigger') ?? '',
        summary: truncateMiddle(getTextField(payload, 'compact_summary') ?? '', ANSWER_CHARS_MAX),
      }
    case 'SessionEnd':
      return { kind: 'session.ended', reason: getTextField(payload, 'reason') ?? 'other' }
    default:
      return { kind: 'other', name: payload.hook_event_name }
  }
}

function promptOf(prompt: string, witness: RecordContext): EventBody | undefined {
  if (isTaskNotification(prompt)) return undefined
  const text = truncateMiddle(prompt, PROMPT_CHARS_MAX)
  return { kind: 'prompt', text, signals: [...detectUserSignals(text)], branch: witness.branch }
}

function failureOf(payload: HookPayload, witness: RecordContext): EventBody {
  const error = getTextField(payload, 'error') ?? ''
  return {
    kind: 'call.failed',
    ...callOf(payload, witness),
    error: truncateError(error),
    errorSignature: errorSignature(toolOf(payload), error),
    interrupted: payload['is_interrupt'] === true,
    durationMs: numberField(payload, 'duration_ms'),
  }
}

/** A turn's last words. A SubagentStop without a type is compaction's own, not an agent's. */
function answerOf(payload: HookPayload): EventBody | undefined {
  const text = truncateMiddle(getTextField(payload, 'last_assistant_message') ?? '', ANSWER_CHARS_MAX)
  if (payload.hook_event_name === 'Stop') return { kind: 'answer', text }
  return getTextField(payload, 'agent_type') ? { kind: 'agent.stopped', text } : undefined
}

function callOf(payload: HookPayload, witness: RecordContext, charsMax?: number): CallFields {
  const input = getObjectField(payload, 'tool_input')
  const command = typeof input['command'] === 'string' ? input['command'] : undefined
  return {
    tool: toolOf(payload),
    call: getIdField(payload, 'tool_use_id') ?? '',
    input: truncateInput(input, charsMax),
    files: filesOf(input, command, [witness.root, getTextField(payload, 'cwd') ?? witness.root]),
    commandShape: command === undefined ? undefined : commandShape(command),
  }
}

/** The files a call is about, as paths inside the repository. */
function filesOf(
  input: Readonly<Record<string, unknown>>,
  command: string | undefined,
  roots: readonly string[],
): string[] {
  const named = ['file_path', 'notebook_path', 'path'].flatMap((name) => {
    const value = input[name]
    return typeof value === 'string' ? [value] : []
  })
  const found = new Set<string>()
  for (const file of [...named, ...(command ? findFilePaths(command) : [])]) {
    const inside = toRepoPath(file, roots)
    if (inside) found.add(inside)
    if (found.size === FILES_MAX) break
  }
  return [...found]
}

/** The earlier event this call's end repeats: same tool, same input, same outcome. */
function repeatOf(event: Event, recent: readonly Event[]): EventId | undefined {
  if (event.kind !== 'call.succeeded' && event.kind !== 'call.failed') return undefined
  const input = JSON.stringify(event.input)
  return recent.find(
    (other): other is EventOf<'call.succeeded'> | EventOf<'call.failed'> =>
      other.kind === event.kind &&
      other.id !== event.id &&
      other.tool === event.tool &&
      JSON.stringify(other.input) === input,
  )?.id
}

const toolOf = (payload: HookPayload): string => getTextField(payload, 'tool_name') ?? 'unknown'

/** The tool that starts a subagent was called Task before 2.1. */
const isAgentCall = (payload: HookPayload): boolean => ['Agent', 'Task'].includes(toolOf(payload))

function numberField(payload: HookPayload, name: string): number | undefined {
  const value = payload[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Where a call reads or writes an env file, all its values are secrets. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000

/** The terms that are not 0, to a thousandth: a log line holds what it must. */
function roundedTerms(terms: ImportanceTerms): Partial<ImportanceTerms> {
  return Object.fromEntries(
    Object.entries(terms).flatMap(([name, value]) => (value > 0 ? [[name, rounded(value)]] : [])),
  )
}
