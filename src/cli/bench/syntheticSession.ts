// Generated work: sessions as the payloads that their hooks read, single payloads, and stored memories.
import type { RecordedPayload } from '../../broker/replay/replaySessions.ts'
import type { EventOf } from '../../model/event.ts'
import type { HookEvent } from '../../model/hookEvents.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import { memoryIdFromBits } from '../../model/id.ts'
import type { Lesson } from '../../model/lesson.ts'
import { type Memory, type MemoryKind, newMemory } from '../../model/memory.ts'
import type { HookPayload } from '../../record/hookPayload.ts'
import { commandShape } from '../../text/command.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import type { Random } from './seededRandom.ts'
import {
  randomCode,
  randomCommand,
  randomError,
  randomFilePath,
  randomOutput,
  randomParagraph,
  randomSentence,
} from './syntheticText.ts'

/** Between two events of a session, in milliseconds. */
const STEP_MS = 20_000

/** Calls after a prompt. */
const CALLS_PER_PROMPT = 8

/** The values that all payloads of a session share. */
export interface SessionSetting {
  readonly root: string
  readonly session: string
  readonly branch: string
}

type PayloadFields = Readonly<Record<string, unknown>>

/** A payload as the client sends it; `fields` are those of the event. */
const buildPayload = ({ root, session }: SessionSetting, event: HookEvent, fields: PayloadFields): HookPayload => ({
  session_id: session,
  transcript_path: `/home/dev/.claude/projects/shop/${session}.jsonl`,
  cwd: root,
  permission_mode: 'acceptEdits',
  hook_event_name: event,
  ...fields,
})

/** A session of about `events` payloads from `startMs` on: prompts, calls, failures that are fixed, answers, an end. */
export function generateSession(
  random: Random,
  setting: SessionSetting,
  events: number,
  startMs: number,
): RecordedPayload[] {
  const recorded: RecordedPayload[] = []
  const add = (event: HookEvent, fields: PayloadFields): void => {
    recorded.push({ at: startMs + recorded.length * STEP_MS, payload: buildPayload(setting, event, fields) })
  }
  add('SessionStart', { source: 'startup', git_branch: setting.branch })
  while (recorded.length < events - 2) {
    const prompt = random.hex(8)
    add('UserPromptSubmit', { prompt_id: prompt, prompt: generatePrompt(random), git_branch: setting.branch })
    for (let call = 0; call < CALLS_PER_PROMPT && recorded.length < events - 3; call++) {
      for (const [event, fields] of generateCall(random, setting.root)) add(event, { prompt_id: prompt, ...fields })
    }
    add('Stop', { prompt_id: prompt, stop_hook_active: false, last_assistant_message: randomParagraph(random, 3) })
  }
  add('SessionEnd', { reason: 'other' })
  return recorded
}

const generatePrompt = (random: Random): string =>
  `${randomSentence(random, 8)} Look at ${randomFilePath(random)}. ` +
  `${random.isOneIn(9) ? `Remember: ${randomSentence(random, 9)}` : randomSentence(random, 12)}`

/** The hook events of one tool call, with the fields of each payload. */
type CallEvents = readonly (readonly [event: HookEvent, fields: PayloadFields])[]

/** One call: a command that passes or fails (then an edit and the command again), an edit, or a file read. */
function generateCall(random: Random, root: string): CallEvents {
  const file = randomFilePath(random)
  const kind = random.below(4)
  if (kind === 0) return readCall(random, `${root}/${file}`)
  if (kind === 1) return editCall(random, `${root}/${file}`)
  const command = randomCommand(random, file)
  if (!random.isOneIn(4)) return passingCall(random, command)
  return [
    ...failingCall(random, command, randomError(random, file)),
    ...editCall(random, `${root}/${file}`),
    ...passingCall(random, command),
  ]
}

const generateCallId = (random: Random): string => `toolu_01${random.hex(22)}`

const bashCall = (random: Random, command: string): PayloadFields => ({
  tool_name: 'Bash',
  tool_input: { command, description: randomSentence(random, 4) },
  tool_use_id: generateCallId(random),
})

function failingCall(random: Random, command: string, error: string): CallEvents {
  const call = bashCall(random, command)
  const failure = { ...call, error, is_interrupt: false, duration_ms: 900 + random.below(9_000) }
  return [
    ['PreToolUse', call],
    ['PostToolUseFailure', failure],
  ]
}

function passingCall(random: Random, command: string): CallEvents {
  const call = bashCall(random, command)
  const stdout = randomOutput(random)
  const tool_response = { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
  return [
    ['PreToolUse', call],
    ['PostToolUse', { ...call, tool_response, duration_ms: 400 + random.below(9_000) }],
  ]
}

function editCall(random: Random, file_path: string): CallEvents {
  const [old_string, new_string] = [randomCode(random), randomCode(random)]
  const tool_input = { file_path, old_string, new_string, replace_all: false }
  const call = { tool_name: 'Edit', tool_input, tool_use_id: generateCallId(random) }
  const texts = { filePath: file_path, oldString: old_string, newString: new_string, originalFile: randomCode(random) }
  const tool_response = { ...texts, userModified: false }
  return [
    ['PreToolUse', call],
    ['PostToolUse', { ...call, tool_response, duration_ms: 4 + random.below(30) }],
  ]
}

function readCall(random: Random, file_path: string): CallEvents {
  const content = randomCode(random)
  const call = { tool_name: 'Read', tool_input: { file_path }, tool_use_id: generateCallId(random) }
  const file = { filePath: file_path, content, numLines: 12, startLine: 1, totalLines: 12 }
  return [['PostToolUse', { ...call, tool_response: { type: 'text', file }, duration_ms: 2 + random.below(20) }]]
}

/** The stdin of one run of an event's hook, in the middle of a generated session. */
export function buildHookInput(event: HookEvent, setting: SessionSetting, random: Random): string {
  const file = randomFilePath(random)
  const command = randomCommand(random, file)
  const common = { prompt_id: random.hex(8), effort: { level: 'high' } }
  const agent = { agent_id: random.hex(17), agent_type: 'Explore' }
  const call = (): CallEvents =>
    random.isOneIn(2) ? passingCall(random, command) : editCall(random, `${setting.root}/${file}`)
  const findFields = (calls: CallEvents): PayloadFields => calls.find(([name]) => name === event)?.[1] ?? {}
  const answer = (): PayloadFields => ({ stop_hook_active: false, last_assistant_message: randomParagraph(random, 4) })
  const fields: { readonly [Event in HookEvent]: () => PayloadFields } = {
    SessionStart: () => ({ source: 'startup' }),
    UserPromptSubmit: () => ({ prompt: generatePrompt(random) }),
    PreToolUse: () => findFields(call()),
    PostToolUse: () => findFields(call()),
    PostToolUseFailure: () => findFields(failingCall(random, command, randomError(random, file))),
    SubagentStart: () => ({ ...agent, tool_use_id: generateCallId(random) }),
    SubagentStop: () => ({ ...agent, ...answer() }),
    Stop: answer,
    PreCompact: () => ({ trigger: 'auto', custom_instructions: null }),
    PostCompact: () => ({
      trigger: 'auto',
      compact_summary: [randomSentence(random, 9), randomParagraph(random, 12)].join('\n'),
    }),
    SessionEnd: () => ({ reason: 'other' }),
  }
  return `${JSON.stringify(buildPayload(setting, event, { ...common, ...fields[event]() }))}\n`
}

/** Kinds with their frequency; experiences are limited to the default cap. */
const KIND_SHARES: readonly MemoryKind[] = [
  'lesson',
  'lesson',
  'lesson',
  'decision',
  'decision',
  'preference',
  'entry',
  'entry',
  'summary',
  'summary',
]
const EXPERIENCES_MAX = 4_000
const EXPERIENCE_SHARE = 0.4

/** Memory number `i` of `total`, as an event that stores it. */
export function generateMemory(random: Random, i: number, total: number, atMs: number): EventOf<'memory.stored'> {
  const file = randomFilePath(random)
  const kind = i < Math.min(EXPERIENCES_MAX, EXPERIENCE_SHARE * total) ? 'experience' : random.pick(KIND_SHARES)
  const at = new Date(atMs).toISOString()
  const session = `made-up-${Math.floor(i / 6)}` as SessionId
  const memory = newMemory({
    id: memoryIdFromBits([i, random.below(2 ** 32), random.below(2 ** 32), random.below(2 ** 32)]) as MemoryId,
    kind,
    content: randomParagraph(random, 2 + random.below(4)),
    created: at,
    session,
    files: [file, ...(random.isOneIn(3) ? [randomFilePath(random)] : [])],
    importance: Math.round(random.next() * 1000) / 1000,
    branch: random.isOneIn(3) ? `feature/${random.below(300)}` : 'main',
    ...(kind === 'lesson' || kind === 'experience' ? lessonFields(random, file) : {}),
  })
  return {
    id: random.hex(16) as EventId,
    at,
    session,
    role: 'main',
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
    kind: 'memory.stored',
    memory,
  }
}

const NO_STEPS: Lesson = {
  error: '',
  fix: { kind: 'steps', steps: [] },
  failedAttempts: [],
  calls: [],
  costMs: 0,
  falseAlarms: 0,
}

function lessonFields(random: Random, file: string): Partial<Memory> {
  const command = randomCommand(random, file)
  const signature = errorSignature('Bash', randomError(random, file))
  return {
    commandShape: commandShape(command),
    ...(signature ? { errorSignature: signature } : {}),
    lessons: [randomSentence(random, 9)],
    outcome: 'success',
    lesson: NO_STEPS,
  }
}
