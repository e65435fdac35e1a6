// Makes the transcript that Claude Code would have written of a recorded session: the reverse of what an import does.
import { createHash } from 'node:crypto'
import type { RecordedPayload } from '../fixture/replaySessions.ts'

/** The lines of a session's transcript, and those of its subagents by their id. */
export interface MadeTranscript {
  readonly session: string
  readonly lines: readonly string[]
  readonly agents: ReadonlyMap<string, { readonly type: string; readonly lines: readonly string[] }>
}

type Fields = Readonly<Record<string, unknown>>

export function makeTranscript(recorded: readonly RecordedPayload[]): MadeTranscript {
  const session = recorded[0]?.payload.session_id ?? ''
  const lines: string[] = []
  const agents = new Map<string, { type: string; lines: string[] }>()
  let count = 0
  let branch: unknown
  for (const { at, payload } of recorded) {
    branch = payload['git_branch'] ?? branch
    const fields = lineOf(payload.hook_event_name, payload)
    if (!fields) continue
    const hash = createHash('sha256').update(`${session} ${++count}`).digest('hex')
    const agentId = payload['agent_id']
    const common = {
      isSidechain: agentId !== undefined,
      ...(agentId === undefined ? {} : { agentId }),
      uuid: [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-'),
      timestamp: new Date(at).toISOString(),
      cwd: payload['cwd'],
      sessionId: session,
      gitBranch: branch ?? '',
    }
    const line = JSON.stringify({ ...fields, ...common })
    if (typeof agentId !== 'string') lines.push(line)
    else {
      const agent = agents.get(agentId) ?? { type: String(payload['agent_type'] ?? ''), lines: [] }
      agents.set(agentId, agent)
      agent.lines.push(line)
    }
  }
  return { session, lines, agents }
}

/** A payload as a line of a transcript; undefined for one that leaves none. */
function lineOf(event: string, payload: Fields): Fields | undefined {
  const id = payload['tool_use_id']
  switch (event) {
    case 'UserPromptSubmit':
      return { type: 'user', message: { role: 'user', content: payload['prompt'] } }
    case 'PreToolUse': {
      const content = [{ type: 'tool_use', id, name: payload['tool_name'], input: payload['tool_input'] }]
      return answerLine(`msg_${String(id)}`, content, 'tool_use')
    }
    case 'PostToolUse': {
      const response = payload['tool_response']
      const text = typeof response === 'string' ? response : JSON.stringify(response)
      return resultLine({ type: 'tool_result', tool_use_id: id, content: text }, response)
    }
    case 'PostToolUseFailure': {
      const error = String(payload['error'] ?? '')
      return resultLine({ type: 'tool_result', tool_use_id: id, content: error, is_error: true }, `Error: ${error}`)
    }
    case 'Stop':
    case 'SubagentStop': {
      const text = payload['last_assistant_message']
      return answerLine(`msg_${String(text).length}_${String(text).slice(0, 40)}`, [{ type: 'text', text }], 'end_turn')
    }
    default:
      return undefined
  }
}

const answerLine = (id: string, content: unknown, stop_reason: string): Fields => ({
  type: 'assistant',
  message: { id, role: 'assistant', content, stop_reason },
})

const resultLine = (block: unknown, toolUseResult: unknown): Fields => ({
  type: 'user',
  message: { role: 'user', content: [block] },
  toolUseResult,
})
