// Made-up work: sessions as the payloads their hooks would have read, and memories as a team would have stored them.
import type { RecordedPayload } from '../../broker/replay/replaySessions.ts'
import type { EventOf } from '../../model/event.ts'
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

/** Calls a prompt sets off. */
const CALLS_A_PROMPT = 8

/** The fields every payload of one session has. */
export interface SessionSetting {
  readonly root: string
  readonly session: string
  readonly branch: string
}

/** A payload of `event` as the client would send it now. `fields` are the event's own. */
export const buildPayload = (
  { root, session }: SessionSetting,
  event: string,
  fields: Readonly<Record<string, unknown>>,
): HookPayload => ({
  session_id: session,
  transcript_path: `/home/dev/.claude/projects/shop/${session}.jsonl`,
  cwd: root,
  permission_mode: 'acceptEdits',
  hook_event_name: event,
  ...fields,
})

/** A session of about `events` payloads from `startMs` on: prompts, calls that fail and are mended, answers, an end. */
export function generateSession(
  chance: Random,
  setting: SessionSetting,
  events: number,
  startMs: number,
): RecordedPayload[] {
  const recorded: RecordedPayload[] = []
  const tell = (event: string, fields: Readonly<Record<string, unknown>>): void => {
    recorded.push({ at: startMs + recorded.length * STEP_MS, payload: buildPayload(setting, event, fields) })
  }
  tell('SessionStart', { source: 'startup', git_branch: setting.branch })
  while (recorded.length < events - 2) {
    const prompt = chance.hex(8)
    tell('UserPromptSubmit', { prompt_id: prompt, prompt: generatePrompt(chance), git_branch: setting.branch })
    for (let call = 0; call < CALLS_A_PROMPT && recorded.length < events - 3; call++) {
      for (const [event, fields] of callOf(chance, setting.root)) tell(event, { prompt_id: prompt, ...fields })
    }
    tell('Stop', { prompt_id: prompt, stop_hook_active: false, last_assistant_message: randomParagraph(chance, 3) })
  }
  tell('SessionEnd', { reason: 'other' })
  return recorded
}

export const generatePrompt = (chance: Random): string =>
  `${randomSentence(chance, 8)} Look at ${randomFilePath(chance)}. ${chance.isOneIn(9) ? `Remember: ${randomSentence(chance, 9)}` : randomSentence(chance, 12)}`

type Told = readonly [event: string, fields: Readonly<Record<string, unknown>>]

/** One call: a command that passes or fails (then an edit and the command again), an edit, or a file read. */
function callOf(chance: Random, root: string): Told[] {
  const file = randomFilePath(chance)
  switch (chance.below(4)) {
    case 0:
      return readCall(chance, `${root}/${file}`)
    case 1:
      return generateEditCall(chance, `${root}/${file}`)
    default: {
      const command = randomCommand(chance, file)
      if (!chance.isOneIn(4)) return generatePassingCall(chance, command)
      return [
        ...generateFailingCall(chance, command, randomError(chance, file)),
        ...generateEditCall(chance, `${root}/${file}`),
        ...generatePassingCall(chance, command),
      ]
    }
  }
}

export const generateCallId = (chance: Random): string => `toolu_01${chance.hex(22)}`

/** A command that fails, as its two hooks are told of it. */
export function generateFailingCall(chance: Random, command: string, error: string): Told[] {
  const call = {
    tool_name: 'Bash',
    tool_input: { command, description: randomSentence(chance, 4) },
    tool_use_id: generateCallId(chance),
  }
  return [
    ['PreToolUse', call],
    ['PostToolUseFailure', { ...call, error, is_interrupt: false, duration_ms: 900 + chance.below(9_000) }],
  ]
}

export function generatePassingCall(chance: Random, command: string): Told[] {
  const call = {
    tool_name: 'Bash',
    tool_input: { command, description: randomSentence(chance, 4) },
    tool_use_id: generateCallId(chance),
  }
  const tool_response = {
    stdout: randomOutput(chance),
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
  }
  return [
    ['PreToolUse', call],
    ['PostToolUse', { ...call, tool_response, duration_ms: 400 + chance.below(9_000) }],
  ]
}

export function generateEditCall(chance: Random, file_path: string): Told[] {
  const [old_string, new_string] = [randomCode(chance), randomCode(chance)]
  const call = {
    tool_name: 'Edit',
    tool_input: { file_path, old_string, new_string, replace_all: false },
    tool_use_id: generateCallId(chance),
  }
  const tool_response = {
    filePath: file_path,
    oldString: old_string,
    newString: new_string,
    originalFile: randomCode(chance),
    userModified: false,
  }
  return [
    ['PreToolUse', call],
    ['PostToolUse', { ...call, tool_response, duration_ms: 4 + chance.below(30) }],
  ]
}

function readCall(chance: Random, file_path: string): Told[] {
  const content = randomCode(chance)
  const call = { tool_name: 'Read', tool_input: { file_path }, tool_use_id: generateCallId(chance) }
  const file = { filePath: file_path, content, numLines: 12, startLine: 1, totalLines: 12 }
  return [['PostToolUse', { ...call, tool_response: { type: 'text', file }, duration_ms: 2 + chance.below(20) }]]
}

/** Kinds in the shares a team's memory has; experiences no more than the shipped cap lets stay. */
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
export function generateMemory(chance: Random, i: number, total: number, atMs: number): EventOf<'memory.stored'> {
  const file = randomFilePath(chance)
  const kind = i < Math.min(EXPERIENCES_MAX, EXPERIENCE_SHARE * total) ? 'experience' : chance.pick(KIND_SHARES)
  const at = new Date(atMs).toISOString()
  const memory = newMemory({
    id: memoryIdFromBits([i, chance.below(2 ** 32), chance.below(2 ** 32), chance.below(2 ** 32)]) as MemoryId,
    kind,
    content: randomParagraph(chance, 2 + chance.below(4)),
    created: at,
    session: `made-up-${Math.floor(i / 6)}` as SessionId,
    files: [file, ...(chance.isOneIn(3) ? [randomFilePath(chance)] : [])],
    importance: Math.round(chance.next() * 1000) / 1000,
    branch: chance.isOneIn(3) ? `feature/${chance.below(300)}` : 'main',
    ...(kind === 'lesson' || kind === 'experience' ? learnt(chance, file) : {}),
  })
  return {
    ...{ id: chance.hex(16) as EventId, at, session: memory.session!, role: 'main', outcome: 'unknown', lessons: [] },
    ...{ privacy: 'public', kind: 'memory.stored', memory },
  }
}

const FIXED: Lesson = {
  error: '',
  fix: { kind: 'steps', steps: [] },
  failedAttempts: [],
  calls: [],
  costMs: 0,
  falseAlarms: 0,
}

function learnt(chance: Random, file: string): Partial<Memory> {
  const command = randomCommand(chance, file)
  const signature = errorSignature('Bash', randomError(chance, file))
  return {
    commandShape: commandShape(command),
    ...(signature ? { errorSignature: signature } : {}),
    lessons: [randomSentence(chance, 9)],
    outcome: 'success',
    lesson: FIXED,
  }
}
