// eval recordings: replays recorded sessions and runs recall at each prompt and call that is scored.
//
// Recall runs before the payload is recorded, so the store has only what had happened before.
import fs from 'node:fs'
import path from 'node:path'
import { setPolicyFrozen } from '../../src/broker/commands/policyCommands.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import type { SessionId } from '../../src/model/id.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { groupBy } from '../../src/model/sorting.ts'
import { getTextField } from '../../src/record/hookPayload.ts'
import { type RecordedPayload, replayPayload } from '../fixture/replaySessions.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { findRecordedRoot, type Recording, readRecordings } from '../replay/recordingFiles.ts'
import { type EarlierFailure, failureOf, rankFailures } from './rankFailures.ts'
import { rankSessions } from './rankSessions.ts'

/** The history of a project: the recordings of all folders with its name. */
interface RecordedProject {
  readonly name: string
  readonly recordings: readonly Recording[]
}

/** A line of a RUN file. */
export type RunLine = SessionRunLine | ToolRunLine

interface SessionRunLine {
  readonly type: 'session'
  readonly session_id: string
  readonly ranked: readonly { readonly session_id: string; readonly score: number }[]
}

interface ToolRunLine {
  readonly type: 'tool'
  readonly session_id: string
  readonly tool_use_id: string
  readonly ranked: readonly { readonly tool_use_id: string; readonly score: number }[]
}

/** The maximum number of sessions or failures in a line. */
const RANKED_MAX = 50

/** A shorter prompt ("yes") has nothing to search for. */
const PROMPT_CHARS_MIN = 16

/** The client writes this as a prompt; the user has not typed it. */
const INTERRUPTED = '[Request interrupted'

/** The projects in these folders and below, by name. A folder with recordings is a project. */
export function findProjects(folders: readonly string[], cwd: string): RecordedProject[] {
  const byName = new Map<string, Recording[]>()
  for (const top of folders) {
    for (const folder of foldersWithRecordings(path.resolve(cwd, top))) {
      const known = byName.get(path.basename(folder)) ?? []
      byName.set(path.basename(folder), [...known, ...readRecordings([folder], cwd)])
    }
  }
  return [...byName].map(([name, recordings]) => ({ name, recordings }))
}

function foldersWithRecordings(folder: string): string[] {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new MemoryError('NOT_FOUND', `There is no folder ${folder}`, { hint: 'Give folders of recordings.' })
  }
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  const own = entries.some((entry) => entry.isFile() && entry.name.endsWith('.jsonl')) ? [folder] : []
  const inner = entries.filter((entry) => entry.isDirectory())
  return [...own, ...inner.flatMap(({ name }) => foldersWithRecordings(path.join(folder, name)))]
}

/** Replays a project in a temporary store and returns the lines of its RUN file in chronological order. */
export function evaluateRecordings(project: RecordedProject, onStep: (session: string) => void): RunLine[] {
  using home = createTempHome('eval')
  const root = findRecordedRoot(project.recordings) ?? path.join(home.path, project.name)
  const store = openStoreAt(path.join(home.path, 'store'), root)
  const order = project.recordings.flatMap(({ payloads }) => payloads).sort((a, b) => a.at - b.at)
  const sessions = groupBy(order, ({ payload }) => payload.session_id)
  const spans = new Map([...sessions].map(([id, payloads]) => [id, spanOf(payloads)]))
  const evaluated = new Set<string>()
  const failures: EarlierFailure[] = []
  // The default policy does not change; the memories still count their uses.
  setPolicyFrozen(store, true, Math.min(...[...spans.values()].map(({ began }) => began)))
  const lines: RunLine[] = []
  const evaluate = (recorded: RecordedPayload): void => {
    const { at, payload } = recorded
    const { session_id: id, hook_event_name: name } = payload
    onStep(id)
    const failure = failureOf(store, recorded)
    if (failure) failures.push(failure)
    // A session that ended while this one ran was not known when this one began.
    const isOver = (session: string): boolean => (spans.get(session)?.ended ?? at) < spans.get(id)!.began
    if (name === 'UserPromptSubmit' && !evaluated.has(id) && isReal(getTextField(payload, 'prompt'))) {
      evaluated.add(id)
      const over = rankSessions(store, payload, at).filter(({ session }) => isOver(session))
      const ranked = over.slice(0, RANKED_MAX).map(({ session, score }) => ({ session_id: session, score }))
      lines.push({ type: 'session', session_id: id, ranked })
    }
    if (name === 'PreToolUse' && SCORED_TOOLS.has(getTextField(payload, 'tool_name') ?? '')) {
      const earlier = failures.filter(({ session }) => isOver(session))
      lines.push(toolLine(recorded, rankFailures(earlier, store, recorded)))
    }
  }
  replayInTime(store, order, evaluate)
  return lines
}

/** Sessions run in parallel, as they happened; `dev replay` runs them one after the other. */
function replayInTime(
  store: Store,
  order: readonly RecordedPayload[],
  evaluate: (recorded: RecordedPayload) => void,
): void {
  const last = new Map(order.map((recorded) => [recorded.payload.session_id, recorded]))
  const loaded = loadProjection(store)
  for (const recorded of order) {
    evaluate(recorded)
    const now = recorded.at
    if (replayPayload(store, recorded).needsMaintenance) runMaintenance(store, { now }, loaded)
    const session = recorded.payload.session_id as SessionId
    if (last.get(session) === recorded) runMaintenance(store, { now, sessions: [session] }, loaded)
  }
}

function toolLine({ payload }: RecordedPayload, failures: readonly EarlierFailure[]): ToolRunLine {
  return {
    type: 'tool',
    session_id: payload.session_id,
    tool_use_id: getTextField(payload, 'tool_use_id') ?? '',
    ranked: failures.slice(0, RANKED_MAX).map(({ call }, rank) => ({ tool_use_id: call, score: 1 / (1 + rank) })),
  }
}

/** The tools with scored calls, independent of the hooks' matcher. */
const SCORED_TOOLS = new Set(['Bash', 'Skill', 'Grep', 'Read', 'Glob'])

const isReal = (prompt = ''): boolean => [...prompt].length >= PROMPT_CHARS_MIN && !prompt.startsWith(INTERRUPTED)

/** When a session's work began and ended: its first and last prompt or call, not its end event. */
function spanOf(payloads: readonly RecordedPayload[]): { readonly began: number; readonly ended: number } {
  const work = payloads.filter(({ payload }) => ['UserPromptSubmit', 'PreToolUse'].includes(payload.hook_event_name))
  const [first, last] = work.length > 0 ? [work[0]!, work.at(-1)!] : [payloads[0]!, payloads.at(-1)!]
  return { began: first.at, ended: last.at }
}
