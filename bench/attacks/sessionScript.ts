// The payloads of one session, as the client sends them to hooks.

import type { SessionId } from '../../src/model/id.ts'
import type { RecordedPayload } from '../fixture/replaySessions.ts'

export const ROOT = '/home/dev/shop'

/** Builds the payloads of one session, in order, a few seconds apart. */
export class SessionScript {
  readonly recorded: RecordedPayload[] = []
  #now: number
  #calls = 0
  #prompts = 0
  #agent: Readonly<Record<string, unknown>> = {}
  readonly #session: string
  readonly #branch: string

  constructor(session: string, startMs: number, branch = 'main') {
    this.#session = session
    this.#now = startMs
    this.#branch = branch
    this.#add('SessionStart', { source: 'startup', git_branch: branch })
  }

  asks(prompt: string): this {
    this.#prompts++
    return this.#add('UserPromptSubmit', { prompt, git_branch: this.#branch })
  }

  call(tool: string, input: Readonly<Record<string, unknown>>, result: { ok?: unknown; error?: string }): this {
    const about = { tool_name: tool, tool_input: input, tool_use_id: `${this.#session}-${++this.#calls}` }
    this.#add('PreToolUse', about)
    return result.error === undefined
      ? this.#add('PostToolUse', { ...about, tool_response: result.ok, duration_ms: 900 })
      : this.#add('PostToolUseFailure', { ...about, error: result.error, is_interrupt: false, duration_ms: 900 })
  }

  runs(command: string, stdout: string, description?: string): this {
    return this.call('Bash', { command, ...(description && { description }) }, { ok: { stdout, stderr: '' } })
  }

  fails(command: string, error: string): this {
    return this.call('Bash', { command }, { error: `Exit code 1\n${error}` })
  }

  edits(file: string, text: string): this {
    const input = { file_path: `${ROOT}/${file}`, old_string: 'const a = 1', new_string: text }
    return this.call('Edit', input, { ok: { filePath: input.file_path } })
  }

  reads(file: string, content: string): this {
    const input = { file_path: `${ROOT}/${file}` }
    return this.call('Read', input, { ok: { type: 'text', file: { filePath: input.file_path, content } } })
  }

  /** The payloads of `act` belong to a subagent. */
  agent(role: string, act: (script: this) => void, report: string): this {
    const agentId = `${this.#session}-agent-${++this.#calls}`
    this.#agent = { agent_id: agentId, agent_type: role }
    this.#add('SubagentStart')
    act(this)
    this.#add('SubagentStop', { last_assistant_message: report })
    this.#agent = {}
    return this
  }

  answers(text: string): this {
    return this.#add('Stop', { last_assistant_message: text })
  }

  compacts(): this {
    this.#add('PreCompact', { trigger: 'auto' })
    return this.#add('SessionStart', { source: 'compact', git_branch: this.#branch })
  }

  starts(role: string, prompt: string): this {
    const input = { description: 'Review', prompt, subagent_type: role }
    this.#add('PreToolUse', { tool_name: 'Agent', tool_input: input, tool_use_id: `${this.#session}-${++this.#calls}` })
    this.#agent = { agent_id: `${this.#session}-agent-${++this.#calls}`, agent_type: role }
    this.#add('SubagentStart')
    this.#agent = {}
    return this
  }

  ends(): readonly RecordedPayload[] {
    this.#add('SessionEnd', { reason: 'other' })
    return this.recorded
  }

  #add(event: string, fields: Readonly<Record<string, unknown>> = {}): this {
    this.#now += 8_000
    const task = this.#prompts === 0 ? {} : { prompt_id: `${this.#session}-prompt-${this.#prompts}` }
    const common = { session_id: this.#session as SessionId, cwd: ROOT, hook_event_name: event }
    this.recorded.push({ at: this.#now, payload: { ...common, ...task, ...this.#agent, ...fields } })
    return this
  }
}
