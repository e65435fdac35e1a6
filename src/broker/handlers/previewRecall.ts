// What a hook would inject now, from the hook's own handler: its payload is built from a request, and what the handler
// writes stays in memory.
import { isAgentTool } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { RecallMoment, RecallResult } from '../../model/recallQuery.ts'
import { isOwnCommand } from '../../model/sessionTask.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { keepWrites } from '../../store/disk/files.ts'
import { estimateTokens } from '../../text/excerpt.ts'
import { classifyPrompt } from '../../text/intent/promptClass.ts'
import type { Store } from '../open/openStore.ts'
import type { RecallRequest } from '../search/recallMemories.ts'
import { type HookContext, openHookContext } from './hookContext.ts'
import { findHookHandler } from './hookHandlers.ts'
import { withholdShareOf } from './recallOutcome.ts'

export type HookMoment = Exclude<RecallMoment, 'ask'>

export interface PreviewRequest extends Omit<RecallRequest, 'taskId'> {
  readonly moment: HookMoment
  /** The prompt, the task of an agent, the description of a command or the new text of an edit. */
  readonly text: string
  /** The tool of a call; `Bash` with a command, else `Edit`. */
  readonly tool?: string | undefined
  /** What this session was shown is not shown again; at a start it is resumed. A new session by default. */
  readonly session?: string | undefined
}

export type RecallPreview = ReturnType<typeof previewRecall>

/** The session of a preview without one. */
const NEW_SESSION = 'preview'

const CALL = 'preview-call'
const AGENT = 'preview-agent'

/** The type of an agent if the request has none, as the client names it. */
const USUAL_ROLE = 'general-purpose'

/**
 * What the hook would inject, byte for byte, or why it would block the call, with the memories that it ranked and why
 * nothing was searched for. Nothing is recorded. Throws what a hook would record as a fault, such as STORE_NEWER.
 */
export function previewRecall(store: Store, request: PreviewRequest) {
  const unwritten = { ...store, files: keepWrites(store.files) }
  const context = openHookContext(unwritten, request.now)
  let result: RecallResult = { shown: [], others: [], text: '' }
  let blocks = false
  const traced: HookContext = {
    ...context,
    policy: adjustPolicy(context, request),
    onResult(recalled, isBlocking) {
      result = { ...recalled } // Its ranking is computed while the index is open.
      blocks = isBlocking
    },
  }
  const payload = buildPayload(request, store.project.root)
  if (request.moment === 'agent' && request.text !== '') startAgentCall(request, context)
  const { context: text = '', denyReason, message } = findHookHandler(payload.hook_event_name)(payload, traced)
  const injected = denyReason ?? text
  const silent = explainSilence(request, payload)
  return {
    moment: request.moment,
    event: payload.hook_event_name,
    text: injected,
    tokens: estimateTokens(injected),
    blocks,
    ...(message !== undefined && { message }),
    shown: result.shown,
    others: result.others,
    ...(silent !== undefined && { silent }),
    ...(result.rules && { rules: result.rules }),
    withholdShare: blocks ? 0 : withholdShareOf(result, context.policy),
  }
}

function adjustPolicy({ policy }: HookContext, { moment, topK }: PreviewRequest): HookContext['policy'] {
  const { moments } = policy.recall
  const limits = topK === undefined ? moments[moment] : { ...moments[moment], topK }
  const { noteMax } = policy.knowledge
  return {
    ...policy,
    knowledge: { ...policy.knowledge, noteMax: Math.min(noteMax, topK ?? noteMax) },
    recall: { ...policy.recall, withholdShare: 0, moments: { ...moments, [moment]: limits } },
  }
}

function buildPayload(request: PreviewRequest, root: string): HookPayload {
  const { moment, text, branch, role, agentId, session } = request
  const agent = agentId ?? (role === undefined || role === 'main' ? undefined : AGENT)
  const common = {
    session_id: session ?? NEW_SESSION,
    cwd: root,
    ...(branch && { git_branch: branch }),
    ...(agent && { agent_id: agent, agent_type: role ?? USUAL_ROLE }),
  }
  switch (moment) {
    case 'start':
      return { ...common, hook_event_name: 'SessionStart', source: session === undefined ? 'startup' : 'resume' }
    case 'prompt':
      return { ...common, hook_event_name: 'UserPromptSubmit', prompt: text }
    case 'call':
      return { ...common, hook_event_name: 'PreToolUse', ...buildCall(request, root) }
    case 'failure':
      return {
        ...common,
        hook_event_name: 'PostToolUseFailure',
        ...buildCall(request, root),
        error: request.error ?? text,
      }
    case 'agent':
      return { ...common, hook_event_name: 'SubagentStart', agent_id: agent ?? AGENT, agent_type: role ?? USUAL_ROLE }
  }
}

function buildCall({ moment, text, files = [], command, tool }: PreviewRequest, root: string): Record<string, unknown> {
  const [file] = files
  const name = tool ?? (command === undefined && file !== undefined ? 'Edit' : 'Bash')
  if (command === undefined && file === undefined && text === '' && tool === undefined) {
    throw new MemoryError('USAGE', `the moment ${moment} needs the call it is about`, {
      hint: 'Give --command, --file or --tool.',
    })
  }
  const isTask = isAgentTool(name)
  const what = moment === 'failure' || text === '' ? {} : { [describedBy(command, isTask)]: text }
  return {
    tool_name: name,
    tool_use_id: CALL,
    tool_input: {
      ...(command !== undefined && { command }),
      ...(file !== undefined && { file_path: file.startsWith('/') ? file : `${root}/${file}` }),
      ...what,
    },
  }
}

const describedBy = (command: string | undefined, isTask: boolean): string =>
  isTask ? 'prompt' : command === undefined ? 'new_string' : 'description'

/** The call that starts the agent: its hook finds the task there. */
function startAgentCall({ text, role = USUAL_ROLE, session }: PreviewRequest, context: HookContext): void {
  const call = { tool_name: 'Agent', tool_use_id: CALL, tool_input: { prompt: text, subagent_type: role } }
  const payload = { session_id: session ?? NEW_SESSION, hook_event_name: 'PreToolUse', ...call }
  findHookHandler('PreToolUse')(payload, context)
}

/** The rule by which the prompt's hook does not search at all. */
function explainSilence({ moment, text }: PreviewRequest, payload: HookPayload): string | undefined {
  if (moment !== 'prompt') return undefined
  if (isOwnCommand({ text: String(payload['prompt']) })) return 'the prompt is a command of memctl'
  const kind = classifyPrompt(text)
  return kind === 'task' ? undefined : `the prompt is no task (${kind})`
}
