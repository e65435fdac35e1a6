// Turns the lines of a transcript into the payloads that hooks would have got, with their times.
//
//   user line ──▶ UserPromptSubmit         tool_use ──▶ PreToolUse        tool_result ──▶ PostToolUse, …Failure
//   last text of a turn ──▶ Stop           first and last line of a subagent ──▶ SubagentStart, SubagentStop
//
// Everything that happened counts, also on branches that were rewound: the calls were made, and the prompts typed.
import { isAgentTool } from '../../model/event.ts'
import { objectOf } from '../../model/unknownJson.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { cutLongStrings } from '../../text/cutString.ts'
import { pattern } from '../../text/pattern.ts'
import { type Block, blockText, type TranscriptLine } from './transcriptLine.ts'

/** A payload and its time, in milliseconds since 1970. */
export interface TimedPayload {
  readonly at: number
  readonly payload: HookPayload
}

/** What one file does not say by itself. */
export interface ConvertContext {
  readonly session: string
  /** The agent whose transcript the file is; undefined for that of a session. */
  readonly agentId: string | undefined
  /** The types of subagents, by their id or by the prompt that they were started with. */
  readonly agentTypes: ReadonlyMap<string, string>
  /** Whether a line is another session's: a resumed or forked session repeats those before it. */
  readonly isCopy: (line: TranscriptLine) => boolean
}

interface Thread {
  readonly agent?: { readonly id: string; readonly type: string } | undefined
  promptId: string | undefined
  /** The text that may be the last one of its turn. */
  final: FinalText | undefined
  /** A call that was refused, or stopped while it ran: the next line tells. */
  refused: TimedPayload | undefined
  line: TranscriptLine
}

interface FinalText {
  readonly message: unknown
  readonly texts: string[]
  at: number
  /** The model's reason to stop; earlier versions do not know it yet when they write the line. */
  stopReason: unknown
}

interface OpenCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly at: number
}

const DEFAULT_AGENT_TYPE = 'general-purpose'

/** The payloads of a file's lines, roughly in the order of time. */
export function* convertTranscript(lines: Iterable<TranscriptLine>, context: ConvertContext): Generator<TimedPayload> {
  const converter = new TranscriptConverter(context)
  for (const line of lines) yield* converter.convertLine(line)
  yield* converter.finish()
}

class TranscriptConverter {
  readonly #context: ConvertContext
  readonly #threads = new Map<string, Thread>()
  readonly #calls = new Map<string, OpenCall>()
  /** The first line of each sidechain, by its lines: earlier versions name no agent. */
  readonly #roots = new Map<string, string>()
  #compaction: { readonly trigger: string; readonly at: number } | undefined

  constructor(context: ConvertContext) {
    this.#context = context
  }

  *convertLine(line: TranscriptLine): Generator<TimedPayload> {
    const agentId = this.#findAgent(line)
    if (this.#context.isCopy(line)) return
    let thread = this.#threads.get(agentId ?? '')
    if (!thread) {
      const agent = agentId === undefined ? undefined : { id: agentId, type: this.#findAgentType(agentId, line) }
      thread = { agent, promptId: line.promptId, final: undefined, refused: undefined, line }
      this.#threads.set(agentId ?? '', thread)
      const start = agent ? {} : { source: 'startup', git_branch: line.branch }
      yield this.#payload(thread, line.at, agent ? 'SubagentStart' : 'SessionStart', start)
    }
    yield* this.#releaseRefused(thread, line)
    thread.line = line
    if (line.type === 'assistant') yield* this.#convertAnswer(thread, line)
    else if (line.type === 'compacted') yield* this.#beginCompaction(thread, line)
    else yield* this.#convertUserLine(thread, line)
  }

  *finish(): Generator<TimedPayload> {
    for (const thread of this.#threads.values()) {
      yield* this.#releaseRefused(thread)
      yield* this.#endTurn(thread)
    }
  }

  #findAgent(line: TranscriptLine): string | undefined {
    const named = line.agentId ?? this.#context.agentId
    if (named !== undefined || !line.isSidechain) return named
    const root = (line.parent && this.#roots.get(line.parent)) ?? line.uuid
    if (line.uuid !== undefined && root !== undefined) this.#roots.set(line.uuid, root)
    return root
  }

  #findAgentType(agentId: string, line: TranscriptLine): string {
    const { agentTypes } = this.#context
    return agentTypes.get(agentId) ?? agentTypes.get(blockText(line.content)) ?? DEFAULT_AGENT_TYPE
  }

  *#convertAnswer(thread: Thread, { fields, content, at }: TranscriptLine): Generator<TimedPayload> {
    const { id, model, stop_reason } = objectOf(fields['message'])
    // The client's own text, such as the error of an API.
    if (model === '<synthetic>' || fields['isApiErrorMessage'] === true) return
    if (thread.final?.message !== id) thread.final = undefined
    const text = blockText(content)
    if (text !== '') {
      thread.final ??= { message: id, texts: [], at, stopReason: stop_reason }
      thread.final.texts.push(text)
      thread.final.at = at
      thread.final.stopReason = stop_reason
    }
    for (const block of typeof content === 'string' ? [] : content) {
      const { type, id: call, name } = block
      if (type !== 'tool_use' || typeof call !== 'string' || typeof name !== 'string') continue
      thread.final = undefined
      const input = objectOf(cutLongStrings(block['input']))
      this.#calls.set(call, { name, input, at })
      const fieldsOfCall = { tool_name: name, tool_input: input, tool_use_id: call }
      yield this.#payload(thread, at, 'PreToolUse', fieldsOfCall)
    }
  }

  *#convertUserLine(thread: Thread, line: TranscriptLine): Generator<TimedPayload> {
    if (line.fields['isCompactSummary'] === true) return yield* this.#endCompaction(thread, line)
    const results = typeof line.content === 'string' ? [] : line.content.filter(({ type }) => type === 'tool_result')
    for (const block of results) yield* this.#convertResult(thread, line, block, results.length === 1)
    if (results.length > 0) {
      thread.promptId = line.promptId ?? thread.promptId
      return
    }
    const said = readUserText(line)
    if (said.kind === 'none') return
    // An interrupted turn has no end, unless it had ended before.
    if (said.kind === 'interruption' && typeof thread.final?.stopReason !== 'string') thread.final = undefined
    yield* this.#endTurn(thread)
    if (said.kind === 'interruption') return
    thread.promptId = line.promptId
    // A subagent's prompts come from the agent that has started it.
    if (said.kind !== 'prompt' || thread.agent) return
    const prompt = cutLongStrings(said.text)
    yield this.#payload(thread, line.at, 'UserPromptSubmit', { prompt, git_branch: line.branch })
  }

  *#convertResult(thread: Thread, line: TranscriptLine, block: Block, isOnly: boolean): Generator<TimedPayload> {
    const id = block['tool_use_id']
    const call = typeof id === 'string' ? this.#calls.get(id) : undefined
    if (typeof id !== 'string' || !call) return
    this.#calls.delete(id)
    // Of an earlier version, whose subagents are in this file: they have reported now.
    if (!thread.agent && isAgentTool(call.name))
      for (const other of this.#threads.values()) if (other.agent) yield* this.#endTurn(other)
    const result = classifyResult({ tool: call.name, block, line, isOnly })
    if (!result) return
    const { name, ...fields } = result
    const common = { tool_name: call.name, tool_input: call.input, tool_use_id: id, duration_ms: timeOf(call, line) }
    const payload = this.#payload(thread, line.at, name, { ...common, ...(cutLongStrings(fields) as object) })
    if (result.name === 'PostToolUseFailure' && isRefusal(result.error)) thread.refused = payload
    else yield payload
  }

  /** The client has one text for a call that was refused and for one that was stopped while it ran. */
  *#releaseRefused(thread: Thread, next?: TranscriptLine): Generator<TimedPayload> {
    const { refused } = thread
    thread.refused = undefined
    if (!refused) return
    const isStopped = next?.fields['interruptedMessageId'] !== undefined
    const stopped = { error: '[Request interrupted by user for tool use]', is_interrupt: true }
    yield isStopped ? { ...refused, payload: { ...refused.payload, ...stopped } } : refused
  }

  *#endTurn(thread: Thread): Generator<TimedPayload> {
    const { final, agent } = thread
    thread.final = undefined
    if (!final || final.stopReason === 'tool_use') return
    const text = cutLongStrings(final.texts.join('\n'))
    yield this.#payload(thread, final.at, agent ? 'SubagentStop' : 'Stop', { last_assistant_message: text })
  }

  *#beginCompaction(thread: Thread, { fields, at }: TranscriptLine): Generator<TimedPayload> {
    const { trigger } = objectOf(fields['compactMetadata'])
    this.#compaction = { trigger: trigger === 'manual' ? 'manual' : 'auto', at }
    if (trigger === 'manual') yield* this.#endTurn(thread)
  }

  *#endCompaction(thread: Thread, line: TranscriptLine): Generator<TimedPayload> {
    const { trigger, at } = this.#compaction ?? { trigger: 'auto', at: line.at }
    this.#compaction = undefined
    thread.promptId = line.promptId ?? thread.promptId
    const text = blockText(line.content).replace(/^[\s\S]{0,400}?\bSummary:\s*/, '')
    yield this.#payload(thread, at, 'PreCompact', { trigger })
    yield this.#payload(thread, at, 'SessionStart', { source: 'compact', git_branch: line.branch })
    yield this.#payload(thread, at, 'PostCompact', { trigger, compact_summary: cutLongStrings(text) })
  }

  /** A payload of a thread; fields without a value are left out. */
  #payload(thread: Thread, at: number, name: string, fields: Readonly<Record<string, unknown>>): TimedPayload {
    const { agent, promptId, line } = thread
    const all = {
      session_id: this.#context.session,
      hook_event_name: name,
      cwd: line.cwd,
      // A start is not yet part of a prompt, unless it follows a compaction.
      prompt_id: name === 'SessionStart' && fields['source'] !== 'compact' ? undefined : promptId,
      agent_id: agent?.id,
      agent_type: agent?.type,
      ...fields,
    }
    const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    return { at, payload: payload as HookPayload }
  }
}

/** How long a call took, as far as the transcript says: unknown where a person was asked for permission meanwhile. */
function timeOf(call: OpenCall, { at, fields }: TranscriptLine): number | undefined {
  const { source } = objectOf(fields['permissionDecision'])
  return source === undefined || source === 'config' ? at - call.at : undefined
}

type CallResultFields =
  | { readonly name: 'PostToolUse'; readonly tool_response: unknown }
  | { readonly name: 'PostToolUseFailure'; readonly error: string; readonly is_interrupt: boolean }

interface ToolResult {
  readonly tool: string
  readonly block: Block
  readonly line: TranscriptLine
  /** Whether the line has no other result: only then `toolUseResult` belongs to it. */
  readonly isOnly: boolean
}

/** A hook's reason, which may be a note of memctl, and a permission that nobody was asked for: nothing was tried. */
const HELD_BACK =
  /^(?:Error: )?(?:Pre(?:ToolUse|tool)\S* hook |\S+ operation blocked by hook|Claude requested permissions )/

/** How the error of a shell command begins. A hook's reason for a denial stands alone in some versions. */
const SHELL_ERROR = /^(?:Exit code|Error|Command |<tool_use_error>|\[Request interrupted|Permission to use |The user )/

/** The result; undefined if the call was held back. */
function classifyResult({ tool, block, line, isOnly }: ToolResult): CallResultFields | undefined {
  const result = isOnly ? line.fields['toolUseResult'] : undefined
  const text = blockText(block['content'])
  if (block['is_error'] !== true) return { name: 'PostToolUse', tool_response: result ?? block['content'] ?? '' }
  if (HELD_BACK.test(text) || objectOf(line.fields['permissionDecision'])['source'] === 'hook') return undefined
  if (tool === 'Bash' && !SHELL_ERROR.test(text)) return undefined
  return { name: 'PostToolUseFailure', error: errorOf(text, result), is_interrupt: text.includes(INTERRUPTED) }
}

const isRefusal = (error: string): boolean => error.startsWith("The user doesn't want to proceed")

const INTERRUPTED = '[Request interrupted by user'

/** The error as hooks get it. The client may add advice for the model to the text of the message. */
function errorOf(text: string, result: unknown): string {
  if (typeof result !== 'string') return text
  const own = result.replace(/^Error: /, '')
  return own !== '' && text.startsWith(own) ? own : text
}

/** What the client puts into the person's messages: reminders, and the output of hooks in earlier versions. */
const INSERTED = /<(system-reminder|user-prompt-submit-hook|session-start-hook)>[\s\S]*?(?:<\/\1>|$)/g

/** Messages of the client that look like a prompt: local commands and their output, shell and memory input. */
const CLIENT_TEXT = pattern(
  String.raw`^\s*(?:<(?:command-name|bash-(?:input|stdout|stderr)|user-memory-input|task-notification)>|<local-command-|
      Caveat: The messages below were generated by the user while running local commands)`,
)

const CUSTOM_COMMAND = /^<command-message>/
const COMMAND_NAME = /<command-name>([\s\S]*?)<\/command-name>/
const COMMAND_ARGUMENTS = /<command-args>([\s\S]*?)<\/command-args>/

/** Stands where the person has stopped the assistant. */
const INTERRUPTION = /^\[Request interrupted by user[^\]]*\]$/

/** A user line without results of tools. */
type UserText =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'interruption' }
  /** Starts a turn that nobody typed, such as the report of a background task. */
  | { readonly kind: 'client' }
  | { readonly kind: 'none' }

const NONE: UserText = { kind: 'none' }

/** What a line of the main conversation says. `fields` tell what the client itself has added. */
function readUserText(line: TranscriptLine): UserText {
  const { isMeta, isVisibleInTranscriptOnly, isCompactSummary, origin, attachment } = line.fields
  if (isMeta === true || isVisibleInTranscriptOnly === true || isCompactSummary === true) return NONE
  const raw = blockText(line.content)
  if (INTERRUPTION.test(raw.trim())) return { kind: 'interruption' }
  const mode = objectOf(attachment)['commandMode']
  if (line.type === 'queued' && mode !== undefined && mode !== 'prompt') return NONE
  if (isWrittenByClient(origin) || isWrittenByClient(objectOf(attachment)['origin'])) return { kind: 'client' }
  const own = raw.replace(INSERTED, '')
  // What the client has put in comes with white space of its own.
  const text = own === raw ? raw : own.trim()
  if (text.trim() === '') return NONE
  if (CUSTOM_COMMAND.test(text)) return readCommand(text)
  return CLIENT_TEXT.test(text) ? { kind: 'client' } : { kind: 'prompt', text }
}

/** A custom command as the person typed it: `/name arguments`. What it stands for is not the person's text. */
function readCommand(text: string): UserText {
  const name = COMMAND_NAME.exec(text)?.[1]?.trim()
  if (!name) return NONE
  const words = COMMAND_ARGUMENTS.exec(text)?.[1]?.trim()
  return { kind: 'prompt', text: [name.startsWith('/') ? name : `/${name}`, words].filter(Boolean).join(' ') }
}

/** Newer clients name who wrote a message: `human`, or the part of the client. */
function isWrittenByClient(origin: unknown): boolean {
  const { kind } = objectOf(origin)
  return typeof kind === 'string' && kind !== 'human' && kind !== 'user'
}
