// Small builders for tests: sessions payload by payload, memories, queries, stores. Deterministic: the same words give
// the same ids and times.
import fs from 'node:fs'
import path from 'node:path'
import { parseRecording, type RecordedPayload } from '../bench/fixture/replaySessions.ts'
import { type HookOutput, openHookContext } from '../src/broker/handlers/hookContext.ts'
import { HOOK_HANDLERS } from '../src/broker/handlers/hookHandlers.ts'
import { openLiveStore } from '../src/broker/live/liveStore.ts'
import { openStoreAt, type Store } from '../src/broker/open/openStore.ts'
import { loadProjection } from '../src/broker/projection/projectionFiles.ts'
import type { Event } from '../src/model/event.ts'
import { type MemoryId, memoryIdFromBits, type SessionId } from '../src/model/id.ts'
import { type Memory, newMemory } from '../src/model/memory.ts'
import type { RecallMoment, RecallQuery } from '../src/model/recallQuery.ts'
import { MemoryTable } from '../src/organize/memoryTable.ts'
import type { MatchScores } from '../src/recall/recallCandidate.ts'
import type { HookPayload } from '../src/record/hookPayload.ts'
import { recordPayload } from '../src/record/recordPayload.ts'
import type { Files } from '../src/store/disk/files.ts'
import { detectUserSignals } from '../src/text/intent/userSignals.ts'
import { newFolder } from './tempFolders.ts'

export const ROOT = '/home/dev/shop'
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The start time of test data: a Monday morning. */
export const BEGIN = Date.parse('2026-03-02T09:00:00.000Z')

export const iso = (ms: number): string => new Date(ms).toISOString()

/** A session as Claude Code reports it to its hooks. Every step takes time; each method returns the session itself. */
export interface ExampleSession {
  readonly session: string
  readonly recorded: RecordedPayload[]
  now(): number
  waits(ms: number): ExampleSession
  /** Any payload, with the fields every payload has. */
  tells(event: string, fields?: Record<string, unknown>): ExampleSession
  starts(source?: string, branch?: string): ExampleSession
  asks(prompt: string, branch?: string): ExampleSession
  runs(command: string, output?: string): ExampleSession
  fails(command: string, error: string, more?: Record<string, unknown>): ExampleSession
  edits(file: string, text?: string): ExampleSession
  /** A call of any tool that went well. */
  calls(tool: string, input: Record<string, unknown>, response?: unknown): ExampleSession
  /** The calls of `then` belong to a subagent. */
  sends(role: string, agentId: string, then: (tale: ExampleSession) => void, lastWords?: string): ExampleSession
  answers(text: string): ExampleSession
  ends(reason?: string): ExampleSession
}

/** A session beginning at `start`; its steps are 7 s apart, and a call takes 1 s. */
export function exampleSession(session = 'session-one', start = BEGIN): ExampleSession {
  const recorded: RecordedPayload[] = []
  let now = start
  let prompts = 0
  let calls = 0
  let agent: { readonly agent_id: string; readonly agent_type: string } | undefined
  const tells = (event: string, fields: Record<string, unknown> = {}): ExampleSession => {
    const task = prompts === 0 ? {} : { prompt_id: `${session}-prompt-${prompts}` }
    const payload = { session_id: session, cwd: ROOT, hook_event_name: event, ...task, ...agent, ...fields }
    recorded.push({ at: now, payload })
    return told
  }
  const waits = (ms: number): ExampleSession => {
    now += ms
    return told
  }
  const call = (
    tool: string,
    input: Record<string, unknown>,
    event: string,
    fields: Record<string, unknown>,
  ): ExampleSession => {
    const about = { tool_name: tool, tool_input: input, tool_use_id: `${session}-call-${++calls}` }
    waits(6_000)
    tells('PreToolUse', about)
    waits(1_000)
    return tells(event, { ...about, ...fields, duration_ms: 1_000 })
  }
  const succeeds = (tool: string, input: Record<string, unknown>, response: unknown): ExampleSession =>
    call(tool, input, 'PostToolUse', { tool_response: response })
  const told: ExampleSession = {
    session,
    recorded,
    now: () => now,
    waits,
    tells,
    starts: (source = 'startup', branch = 'main') => tells('SessionStart', { source, git_branch: branch }),
    asks(prompt, branch = 'main') {
      prompts++
      waits(25_000)
      return tells('UserPromptSubmit', { prompt, git_branch: branch })
    },
    runs: (command, output = '') => succeeds('Bash', { command }, { stdout: output, stderr: '' }),
    fails: (command, error, more = {}) =>
      call('Bash', { command }, 'PostToolUseFailure', { error, is_interrupt: false, ...more }),
    edits: (file, text = 'a line that says something new') =>
      succeeds('Edit', { file_path: `${ROOT}/${file}`, old_string: 'before', new_string: text }, { filePath: file }),
    calls: (tool, input, response = '') => succeeds(tool, input, response),
    sends(role, agentId, then, lastWords = '') {
      agent = { agent_id: agentId, agent_type: role }
      tells('SubagentStart')
      then(told)
      waits(5_000)
      tells('SubagentStop', { last_assistant_message: lastWords })
      agent = undefined
      return told
    },
    answers(text) {
      waits(5_000)
      return tells('Stop', { last_assistant_message: text })
    },
    ends: (reason = 'other') => waits(50).tells('SessionEnd', { reason }),
  }
  return told
}

/** The events that the recorder makes of the payloads, in order. */
export function recordEvents(recorded: readonly RecordedPayload[]): Event[] {
  const events: Event[] = []
  for (const { at, payload } of recorded) {
    const event = recordedAs(payload, { now: at, recent: events.slice(-64) })
    if (event) events.push(event)
  }
  return events
}

/** The event that one payload is recorded as. */
export function recordedAs(
  payload: HookPayload,
  given: { now?: number; recent?: readonly Event[] } = {},
): Event | undefined {
  const { now = BEGIN, recent = [] } = given
  const branch = typeof payload['git_branch'] === 'string' ? payload['git_branch'] : undefined
  return recordPayload(payload, {
    now,
    root: ROOT,
    branch,
    recent: () => recent,
    detectSignals: detectUserSignals,
  })
}

export const testMemoryId = (n: number): MemoryId => memoryIdFromBits([0, 0, 0, n])

/** A memory; number `n` names it. */
export function buildMemory(n: number, given: Partial<Memory> = {}): Memory {
  return newMemory({
    id: testMemoryId(n),
    kind: 'lesson',
    content: `what was learnt number ${n}`,
    created: iso(BEGIN),
    ...given,
  })
}

export const buildMemoryMap = (...memories: readonly Memory[]): MemoryTable => new MemoryTable(memories)

export function buildQuery(moment: RecallMoment, given: Partial<RecallQuery> = {}): RecallQuery {
  return { moment, text: '', files: [], viewer: { role: 'main', session: 'now' }, now: BEGIN + DAY, ...given }
}

/** How a candidate matches a query; a full match by default. */
export const buildMatch = (given: Partial<MatchScores> = {}): MatchScores => ({
  words: 1,
  window: 1,
  session: 1,
  files: 0,
  command: 0,
  error: 0,
  branch: 0,
  coverage: 1,
  ...given,
})

/** A store in a folder of its own. */
export const createTestStore = (files?: Files): Store => openStoreAt(newFolder(), ROOT, files)

/**
 * Runs the hooks one after the other, as the client starts them in `project`; nothing is organized.
 * Returns each hook's output with its event.
 */
export function runHookPayloads(
  store: Store,
  recorded: readonly RecordedPayload[],
  project = ROOT,
): (HookOutput & { readonly event: string })[] {
  return recorded.map(({ at, payload: told }) => {
    const payload = project === ROOT ? told : JSON.parse(JSON.stringify(told).replaceAll(ROOT, project))
    const event = payload.hook_event_name as string
    const handler = Object.hasOwn(HOOK_HANDLERS, event) ? HOOK_HANDLERS[event]! : HOOK_HANDLERS['Stop']!
    return { event, ...handler(payload, openHookContext(store, at)) }
  })
}

/** All memories of the snapshot by id, without undefined properties. */
export const loadMemories = (store: Store): Record<string, Memory> =>
  sortById(loadProjection(store).projection.memories)

/** The same of the log as it is now. */
export const loadLiveMemories = (store: Store): Record<string, Memory> => sortById(openLiveStore(store).memories())

const sortById = (memories: Iterable<readonly [string, Memory]>): Record<string, Memory> =>
  JSON.parse(JSON.stringify(Object.fromEntries([...memories].sort(([a], [b]) => (a < b ? -1 : 1)))))

/** The bundled recordings, one per session, in order of time. */
export function loadRecordings(): { readonly name: string; readonly session: RecordedPayload[] }[] {
  const folder = path.resolve(import.meta.dirname, '../recordings')
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return names
    .sort()
    .map((name) => ({ name, session: parseRecording(fs.readFileSync(path.join(folder, name), 'utf8'), name) }))
}

export const sessionId = (id: string): SessionId => id as SessionId
