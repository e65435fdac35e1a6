// Recording: a hook's payload becomes an event. It is redacted, normalized, truncated, and gets an initial importance.
//
// Secrets are removed before anything is truncated: half a secret no longer looks like one. What no event stores is
// removed first, and is not searched.
import {
  type CallFields,
  callCommand,
  type Event,
  type EventBody,
  type EventEnvelope,
  type EventOf,
  isAgentTool,
  isCallResult,
  isShellTool,
  type PromptSignal,
  roleOfAgent,
} from '../model/event.ts'
import type { EventId, SessionId } from '../model/id.ts'
import { computeImportance, type ImportanceTerms } from '../model/importance.ts'
import { ANSWER_CHARS_MAX, PROMPT_CHARS_MAX } from '../model/limits.ts'
import { type Fields, isObject, objectOf } from '../model/unknownJson.ts'
import { commandShape } from '../text/command.ts'
import { errorSignature } from '../text/errorSignature.ts'
import { truncateMiddle } from '../text/excerpt.ts'
import { findFilePaths, isWindowsPath, slashPath, slashPaths, toRepoPath } from '../text/filePaths.ts'
import { hashHex } from '../text/hash.ts'
import { isoTime } from '../text/isoTime.ts'
import { getIdField, getTextField, type HookPayload, isTaskNotification } from './hookPayload.ts'
import { computeInitialTerms } from './initialImportance.ts'
import { sanitizePayload } from './sanitizePayload.ts'
import {
  truncateError,
  truncateEventToLine,
  truncateExtra,
  truncateInput,
  truncateOutput,
  withoutUnstored,
} from './truncatePayload.ts'

/** What recording needs beside the payload. */
export interface RecordContext {
  /** Time of the event, milliseconds since 1970. */
  readonly now: number
  /** The root of the project: files are stored by their path inside it. */
  readonly root: string
  readonly branch?: string | undefined
  readonly client?: EventOf<'session.started'>['client']
  /** The latest events of the session that an event may repeat or resemble, oldest first; of a compaction the calls. */
  readonly recent: (event: Event) => readonly Event[]
  /** Finds what a user says in a prompt. A parameter, because only the hook of prompts needs its 11 KB of patterns. */
  readonly detectSignals?: ((prompt: string) => readonly PromptSignal[]) | undefined
  /** Finds lessons and outcome in a subagent's report; only the hook of its end needs these patterns. */
  readonly readReport?: ((report: string) => Partial<Pick<Event, 'lessons' | 'outcome'>>) | undefined
}

/** Characters of each input value of a call that starts: the event of its end has the complete input. */
const STARTED_CHARS_MAX = 80

/** Paths stored of one call, at most: a command may name hundreds. */
const FILES_MAX = 12

/** The payload as an event; undefined for a task notification and for the subagent of a compaction. */
export function recordPayload(payload: HookPayload, context: RecordContext): Event | undefined {
  // After redaction, which knows secrets with backslashes.
  const clean = slashPayload(sanitizePayload(withoutUnstored(payload)), context.root)
  const body = buildBody(clean, context)
  if (!body) return undefined
  const report = body.kind === 'agent.stopped' ? context.readReport?.(body.text) : undefined
  const event = truncateEventToLine({ ...buildEnvelope(clean, body, context.now), ...report, ...body })
  if (event.kind === 'call.started') return event
  const recent = context.recent(event)
  const repeatOf = findRepeated(event, recent)
  const terms = computeInitialTerms(event, recent)
  const importance = round(computeImportance(terms))
  const id = isCompaction(event) ? compactionId(event, recent) : event.id
  return { ...event, id, ...(repeatOf && { repeatOf }), importance, terms: roundTerms(terms) }
}

/** Whether the event is part of a compaction: before it, the start in the middle of it, or after it. */
export const isCompaction = (event: Event): boolean =>
  event.kind === 'compaction' || (event.kind === 'session.started' && event.source === 'compact')

/** A long turn is compacted twice with the same payload: only the call that the conversation made last differs. */
function compactionId({ id, agentId }: Event, recent: readonly Event[]): EventId {
  const last = recent.findLast((other) => isCallResult(other) && other.agentId === agentId)
  return last ? (hashHex([id, last.id].join('\0')) as EventId) : id
}

/** `now`: milliseconds since 1970. */
function buildEnvelope(payload: HookPayload, body: EventBody, now: number): EventEnvelope {
  const agentId = getIdField(payload, 'agent_id')
  // A main conversation may have a type too: it is one of the agents that the person has defined.
  const role = agentId === undefined ? 'main' : roleOfAgent(getIdField(payload, 'agent_type') ?? '')
  const unknownFields = Object.entries(payload).filter(([name]) => !KNOWN_FIELDS.has(name))
  return {
    id: computeEventId(payload, now),
    at: isoTime(now),
    session: payload.session_id as SessionId,
    agentId,
    role,
    taskId: getIdField(payload, 'prompt_id'),
    outcome: body.kind === 'call.succeeded' ? 'success' : body.kind === 'call.failed' ? 'failure' : 'unknown',
    lessons: [],
    // What a subagent does is for agents of its role; what the main conversation does for everyone in the project.
    privacy: agentId === undefined ? 'public' : 'agent-only',
    extra: truncateExtra(Object.fromEntries(unknownFields)),
  }
}

/** The fields that an event stores under another name, or that are not worth storing. */
const KNOWN_FIELDS = new Set(
  [
    'session_id transcript_path agent_transcript_path cwd hook_event_name prompt_id permission_mode effort',
    'agent_id agent_type source model prompt git_branch tool_name tool_input tool_use_id tool_response',
    'duration_ms error is_interrupt stop_hook_active last_assistant_message background_tasks session_crons',
    'trigger custom_instructions compact_summary reason seconds_since_last_response context_tokens',
  ].flatMap((line) => line.split(' ')),
)

/**
 * A hash of session, event name and what identifies the event: the id of the call, else that of the agent and the
 * prompt with the text, else the text and the minute. `compactionId` adds the call before. If both plugin and settings
 * register the hooks, each runs twice within milliseconds, and both events get the same id.
 */
function computeEventId(payload: HookPayload, now: number): EventId {
  const text = `${getTextField(payload, 'prompt') ?? ''}${getTextField(payload, 'last_assistant_message') ?? ''}`
  const task = getTextField(payload, 'prompt_id') ?? String(Math.floor(now / 60_000))
  const subject = getTextField(payload, 'tool_use_id') ?? `${getTextField(payload, 'agent_id') ?? ''}|${task}|${text}`
  const source = getTextField(payload, 'source') ?? getTextField(payload, 'trigger') ?? ''
  return hashHex([payload.session_id, payload.hook_event_name, subject, source].join('\0')) as EventId
}

function buildBody(payload: HookPayload, context: RecordContext): EventBody | undefined {
  switch (payload.hook_event_name) {
    case 'SessionStart':
      return {
        kind: 'session.started',
        source: getTextField(payload, 'source') ?? 'startup',
        cwd: getTextField(payload, 'cwd') ?? '',
        branch: context.branch,
        client: context.client,
      }
    case 'UserPromptSubmit':
      return buildPrompt(getTextField(payload, 'prompt') ?? '', context)
    case 'PreToolUse':
      return {
        kind: 'call.started',
        ...buildCall(payload, context, isAgentTool(toolName(payload)) ? 1_000 : STARTED_CHARS_MAX),
      }
    case 'PostToolUse':
      return {
        kind: 'call.succeeded',
        ...buildCall(payload, context),
        output: truncateOutput(toolName(payload), payload['tool_response']),
        durationMs: numberField(payload, 'duration_ms'),
      }
    case 'PostToolUseFailure':
      return buildFailure(payload, context)
    case 'Stop':
    case 'SubagentStop':
      return buildAnswer(payload)
    case 'SubagentStart':
      return { kind: 'agent.started' }
    case 'PreCompact':
    case 'PostCompact':
      return {
        kind: 'compaction',
        phase: payload.hook_event_name === 'PreCompact' ? 'before' : 'after',
        trigger: getTextField(payload, 'trigger') ?? '',
        summary: truncateMiddle(getTextField(payload, 'compact_summary') ?? '', ANSWER_CHARS_MAX),
      }
    case 'SessionEnd':
      return { kind: 'session.ended', reason: getTextField(payload, 'reason') ?? 'other' }
    default:
      return { kind: 'other', name: payload.hook_event_name }
  }
}

function buildPrompt(prompt: string, context: RecordContext): EventBody | undefined {
  if (isTaskNotification(prompt)) return undefined
  const text = truncateMiddle(prompt, PROMPT_CHARS_MAX)
  return { kind: 'prompt', text, signals: [...(context.detectSignals?.(text) ?? [])], branch: context.branch }
}

function buildFailure(payload: HookPayload, context: RecordContext): EventBody {
  const error = getTextField(payload, 'error') ?? ''
  return {
    kind: 'call.failed',
    ...buildCall(payload, context),
    error: truncateError(error),
    errorSignature: errorSignature(isShellTool(toolName(payload)) ? 'Bash' : toolName(payload), error),
    interrupted: payload['is_interrupt'] === true,
    durationMs: numberField(payload, 'duration_ms'),
  }
}

/** The last message of a turn. A SubagentStop without an agent type comes from a compaction, not from an agent. */
function buildAnswer(payload: HookPayload): EventBody | undefined {
  const text = truncateMiddle(getTextField(payload, 'last_assistant_message') ?? '', ANSWER_CHARS_MAX)
  if (payload.hook_event_name === 'Stop') return { kind: 'answer', text }
  return getTextField(payload, 'agent_type') ? { kind: 'agent.stopped', text } : undefined
}

function buildCall(payload: HookPayload, context: RecordContext, charsMax?: number): CallFields {
  const input = objectOf(payload['tool_input'])
  const command = typeof input['command'] === 'string' ? input['command'] : undefined
  return {
    tool: toolName(payload),
    call: getIdField(payload, 'tool_use_id') ?? '',
    input: truncateInput(input, charsMax),
    files: findFiles(input, command, [context.root, getTextField(payload, 'cwd') ?? context.root]),
    commandShape: command === undefined ? undefined : commandShape(command),
  }
}

/** The files of a call, as paths inside the repository. */
function findFiles(input: Fields, command: string | undefined, roots: readonly string[]): string[] {
  const paths = ['file_path', 'notebook_path', 'path'].flatMap((name) => {
    const value = input[name]
    return typeof value === 'string' ? [value] : []
  })
  const files = new Set<string>()
  // A path ends at a space: of one with a space in the root only what follows is a path.
  const text = roots.reduce(
    (rest, root) => (root.includes(' ') ? rest.replaceAll(`${root}/`, '') : rest),
    command ?? '',
  )
  for (const path of [...paths, ...(text ? findFilePaths(text) : [])]) {
    const repoPath = toRepoPath(path, roots)
    if (repoPath) files.add(repoPath)
    if (files.size === FILES_MAX) break
  }
  return [...files]
}

/** The earlier event that the end of this call repeats: same tool, same input, same outcome. */
function findRepeated(event: Event, recent: readonly Event[]): EventId | undefined {
  if (!isCallResult(event)) return undefined
  const input = JSON.stringify(event.input)
  return recent.find(
    (other) =>
      isCallResult(other) &&
      other.kind === event.kind &&
      other.id !== event.id &&
      other.tool === event.tool &&
      JSON.stringify(other.input) === input,
  )?.id
}

const toolName = (payload: HookPayload): string => getTextField(payload, 'tool_name') ?? 'unknown'

function numberField(payload: HookPayload, name: string): number | undefined {
  const value = payload[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

const round = (value: number): number => Math.round(value * 1000) / 1000

/** The terms that are not 0, rounded to a thousandth, to keep log lines short. */
const roundTerms = (terms: ImportanceTerms): Partial<ImportanceTerms> =>
  Object.fromEntries(Object.entries(terms).flatMap(([name, value]) => (value > 0 ? [[name, round(value)]] : [])))

/** A call soon after a failure may be what replaced it. As many as organize considers, and the failed one. */
const CALLS_AFTER_MAX = 5

/** `recent`: the latest calls of the session and those of the same command or input, oldest first. */
export function mayFixFailure(event: Event, recent: readonly Event[]): boolean {
  if (event.kind !== 'call.succeeded') return false
  const calls = recent.filter(isCallResult).filter((call) => call.agentId === event.agentId && call.id !== event.id)
  if (calls.slice(-CALLS_AFTER_MAX).some((call) => call.kind === 'call.failed' && call.tool === event.tool)) return true
  // Later only what passes for the first time since it failed.
  return calls.findLast((call) => isSameAim(call, event))?.kind === 'call.failed'
}

/** Whether an agent other than that of the event has called something since an agent last reported, so it may run. */
export function isAnotherAgentRunning({ agentId }: Event, recent: readonly Event[]): boolean {
  const last = recent.findLast((call) => isAgentResult(call) || (call.agentId ?? agentId) !== agentId)
  return last !== undefined && !isAgentResult(last)
}

/** Whether a subagent has reported to the main thread. */
export const isAgentResult = (event: Event): boolean => event.kind === 'call.succeeded' && isAgentTool(event.tool)

function isSameAim(call: EventOf<'call.succeeded' | 'call.failed'>, event: EventOf<'call.succeeded'>): boolean {
  if (call.tool !== event.tool) return false
  if (callCommand(event) !== '') return call.commandShape !== undefined && call.commandShape === event.commandShape
  return JSON.stringify(call.input) === JSON.stringify(event.input)
}

/** The payload with forward slashes in its paths; itself if the session is not on Windows. `root`: of the project. */
export function slashPayload(payload: HookPayload, root: string): HookPayload {
  const cwd = getTextField(payload, 'cwd') ?? ''
  if (!isWindowsPath(cwd)) return payload
  const folder = slashPath(isWindowsPath(root) ? root : cwd)
  const tool = payload['tool_name']
  const slash = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? slash(item) : item))
    return typeof value === 'string' ? slashPaths(value, folder, tool === 'PowerShell') : value
  }
  return {
    ...payload,
    cwd: slashPath(cwd),
    error: slash(payload['error']),
    tool_input: mapFields(payload['tool_input'], (value, name) => {
      if (name === 'command') return slash(value)
      return PATH_FIELDS.includes(name) && typeof value === 'string' ? slashPath(value) : value
    }),
    tool_response: tool === 'Read' ? payload['tool_response'] : mapFields(payload['tool_response'], slash),
  }
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path']

/** The object with its fields changed; of anything else, as a text or a list, the change of it. */
function mapFields(fields: unknown, change: (value: unknown, name: string) => unknown): unknown {
  if (!isObject(fields)) return change(fields, '')
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))
}
