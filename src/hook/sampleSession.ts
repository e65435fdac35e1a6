// A made-up session for warming up: each event a hook may get, with what sets its usual paths off.
import type { HookPayload } from '../record/hookPayload.ts'

const PROMPT =
  'Why does the parser test fail with an unexpected token? Fix src/parser.ts. Remember: always run npm test first.'
const COMMAND = 'cd packages/core && npm test -- --run parser | tail -20'
const ERROR =
  'Exit code 1\nSyntaxError: Unexpected token } in src/parser.ts:12:4\n    at parse (src/parser.ts:12:4)\n1 failing'
const OUTPUT = '12 passing\n12 passing (40ms)\nDone. It took 3 s.'

/** The session's payloads in order. */
export function buildSampleSession(session: string, root: string): readonly HookPayload[] {
  const told = (hook_event_name: string, fields: Readonly<Record<string, unknown>> = {}): HookPayload => ({
    ...{ session_id: session, transcript_path: `${root}/${session}.jsonl`, cwd: root, permission_mode: 'default' },
    ...{ hook_event_name, prompt_id: `${session}-prompt`, ...fields },
  })
  const bash = { tool_name: 'Bash', tool_input: { command: COMMAND, description: 'Run the tests of the parser' } }
  const edit = {
    tool_name: 'Edit',
    tool_input: { file_path: `${root}/src/parser.ts`, old_string: 'token', new_string: 'const next = tokens.shift()' },
  }
  const agent = { agent_id: `${session}-agent`, agent_type: 'Explore' }
  const call = (n: number) => ({ tool_use_id: `${session}-call-${n}` })
  return [
    told('SessionStart', { source: 'startup' }),
    told('UserPromptSubmit', { prompt: PROMPT }),
    told('PreToolUse', { ...bash, ...call(1) }),
    told('PostToolUseFailure', { ...bash, ...call(1), error: ERROR, is_interrupt: false, duration_ms: 900 }),
    told('PreToolUse', { ...edit, ...call(2) }),
    told('PostToolUse', {
      ...edit,
      ...call(2),
      tool_response: { filePath: edit.tool_input.file_path },
      duration_ms: 9,
    }),
    told('PreToolUse', { ...bash, ...call(3) }),
    told('PostToolUse', { ...bash, ...call(3), tool_response: { stdout: OUTPUT, stderr: '' }, duration_ms: 800 }),
    told('PostToolUse', { ...bash, ...call(4), tool_response: { stdout: OUTPUT, stderr: '' }, duration_ms: 800 }),
    told('SubagentStart', agent),
    told('SubagentStop', { ...agent, last_assistant_message: OUTPUT }),
    told('UserPromptSubmit', {
      prompt: 'Thanks. Now the same for the lexer, please: its tests in test/lexer.test.ts fail too.',
    }),
    told('Stop', { last_assistant_message: 'The parser takes the next token now; all 12 tests pass.' }),
    told('PreCompact', { trigger: 'auto' }),
    told('PostCompact', { trigger: 'auto', compact_summary: 'The parser was mended; the lexer is next.' }),
    told('SessionStart', { source: 'compact' }),
    told('SessionEnd', { reason: 'other' }),
  ]
}
