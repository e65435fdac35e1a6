// eval recordings: recorded sessions run through the memory again, and at each moment that is judged it is asked what it would say.
//
// The answers are given before the memory is told of that moment, from a store that holds what had happened by then.
import fs from 'node:fs'
import path from 'node:path'
import { freeze } from '../../src/broker/policy/control.ts'
import type { Recorded } from '../../src/broker/replay.ts'
import { storeAt } from '../../src/broker/store.ts'
import { type Recording, recordedRoot, recordingsIn } from '../../src/cli/recordings.ts'
import { scratchHome } from '../../src/cli/scratch.ts'
import { MemoryError } from '../../src/model/errors.ts'
import type { SessionId } from '../../src/model/id.ts'
import { textField } from '../../src/record/payload.ts'
import { type Feedback, teacherOf } from './feedbackSimulator.ts'
import { logFrozen } from './logFeedback.ts'
import { type EarlierFailure, failureOf, rankFailures } from './rankFailures.ts'
import { sessionsPointedTo } from './rankSessions.ts'
import { replayInTime } from './replayInTime.ts'

/** One project's history: the recordings of all folders of its name. */
export interface Project {
  readonly name: string
  readonly recordings: readonly Recording[]
}

/** A line of a RUN file. */
export type RecordingsLine = SessionLine | ToolLine

/** Whether the policy learns on the way, and from what. */
export interface Learning {
  readonly feedback: Feedback
  readonly seed: number
  /** The share of the sessions after which it learns no more, 0 to 1; absent where it goes on. */
  readonly until?: number | undefined
}

export interface SessionLine {
  readonly type: 'session'
  readonly session_id: string
  readonly ranked: readonly { readonly session_id: string; readonly score: number }[]
}

export interface ToolLine {
  readonly type: 'tool'
  readonly session_id: string
  readonly tool_use_id: string
  readonly ranked: readonly { readonly tool_use_id: string; readonly score: number }[]
}

/** Sessions and failures named in a line at most. */
const RANKED_MAX = 50

/** A prompt that says something: a "yes" is nothing to search a memory with, and an interruption is nobody's prompt. */
const PROMPT_CHARS_MIN = 16
const INTERRUPTED = '[Request interrupted'

/** The projects below these folders, by name; a folder that holds recordings is a project. */
export function projectsIn(places: readonly string[], cwd: string): Project[] {
  const byName = new Map<string, Recording[]>()
  for (const place of places) {
    for (const folder of foldersWithRecordings(path.resolve(cwd, place))) {
      const known = byName.get(path.basename(folder)) ?? []
      byName.set(path.basename(folder), [...known, ...recordingsIn([folder], cwd)])
    }
  }
  return [...byName].map(([name, recordings]) => ({ name, recordings }))
}

function foldersWithRecordings(folder: string): string[] {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new MemoryError('NOT_FOUND', `There is no folder ${folder}`, { mend: 'Give folders of recordings.' })
  }
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  const own = entries.some((entry) => entry.isFile() && entry.name.endsWith('.jsonl')) ? [folder] : []
  const inner = entries.filter((entry) => entry.isDirectory())
  return [...own, ...inner.flatMap(({ name }) => foldersWithRecordings(path.join(folder, name)))]
}

/** Replays one project in a store of its own that goes afterwards, and gives its lines in the order of time. */
export function evaluated(project: Project, onStep: (session: string) => void, learning?: Learning): RecordingsLine[] {
  const home = scratchHome('eval')
  const root = recordedRoot(project.recordings) ?? path.join(home, project.name)
  const store = storeAt(path.join(home, 'store'), root)
  const sessions = bySession(project.recordings.flatMap(({ payloads }) => payloads))
  const spans = new Map([...sessions].map(([id, payloads]) => [id, spanOf(payloads)]))
  const asked = new Set<string>()
  const begins = [...spans.values()].map(({ began }) => began).sort((a, b) => a - b)
  const failures: EarlierFailure[] = []
  // The shipped policy stays as it is; what each memory has done so far is remembered.
  if (!learning) freeze(store, true, begins[0]!)
  const freezeAt = learning?.until === undefined ? undefined : begins[Math.floor(learning.until * begins.length)]
  const teacher = learning && teacherOf(store, learning.feedback, learning.seed)
  const last = new Map([...sessions].map(([id, payloads]) => [id, payloads.at(-1)]))
  let frozen = false
  const lines: RecordingsLine[] = []
  try {
    replayInTime(store, [...sessions.values()], {
      // Who learns learns from what it is taught alone, not from what the hooks would have said besides.
      silent: learning !== undefined,
      after(recorded) {
        teacher?.saw(recorded)
        const session = recorded.payload.session_id as SessionId
        if (last.get(session) === recorded) teacher?.ended(session, recorded.at)
      },
      before(recorded) {
        const { at, payload } = recorded
        const { session_id: id, hook_event_name: name } = payload
        if (!frozen && freezeAt !== undefined && at >= freezeAt) {
          frozen = true
          logFrozen(store, at)
        }
        onStep(id)
        const failure = failureOf(store, recorded)
        if (failure) failures.push(failure)
        // What ended while this session ran was not known when it began.
        const isOver = (session: string | undefined): boolean =>
          session !== undefined && (spans.get(session)?.ended ?? at) < spans.get(id)!.began
        if (name === 'UserPromptSubmit' && !asked.has(id) && isReal(textField(payload, 'prompt'))) {
          asked.add(id)
          const over = sessionsPointedTo(store, payload, at)
            .filter(({ session }) => isOver(session))
            .slice(0, RANKED_MAX)
          teacher?.asked(id as SessionId, over, at)
          const ranked = over.map(({ session, score }) => ({ session_id: session, score }))
          lines.push({ type: 'session', session_id: id, ranked })
        }
        if (name === 'PreToolUse' && JUDGED_TOOLS.has(textField(payload, 'tool_name') ?? '')) {
          const earlier = failures.filter(({ session }) => isOver(session))
          lines.push(toolLine(recorded, rankFailures(earlier, store, recorded)))
        }
      },
    })
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
  return lines
}

function toolLine({ payload }: Recorded, failures: readonly EarlierFailure[]): ToolLine {
  return {
    type: 'tool',
    session_id: payload.session_id,
    tool_use_id: textField(payload, 'tool_use_id') ?? '',
    ranked: failures.slice(0, RANKED_MAX).map(({ call }, place) => ({ tool_use_id: call, score: 1 / (1 + place) })),
  }
}

/** The calls that are judged, whatever the hooks' matcher. */
const JUDGED_TOOLS = new Set(['Bash', 'Skill', 'Grep', 'Read', 'Glob'])

const isReal = (prompt = ''): boolean => [...prompt].length >= PROMPT_CHARS_MIN && !prompt.startsWith(INTERRUPTED)

/** The payloads of each session, in the order of time. */
function bySession(payloads: readonly Recorded[]): Map<string, Recorded[]> {
  const sessions = new Map<string, Recorded[]>()
  for (const recorded of payloads) {
    const known = sessions.get(recorded.payload.session_id)
    if (known) known.push(recorded)
    else sessions.set(recorded.payload.session_id, [recorded])
  }
  for (const session of sessions.values()) session.sort((a, b) => a.at - b.at)
  return sessions
}

/** When a session's work began and ended: by what it asked for, its prompts and calls, and not by when its window was closed. */
function spanOf(payloads: readonly Recorded[]): { readonly began: number; readonly ended: number } {
  const work = payloads.filter(({ payload }) => ['UserPromptSubmit', 'PreToolUse'].includes(payload.hook_event_name))
  const [first, last] = work.length > 0 ? [work[0]!, work.at(-1)!] : [payloads[0]!, payloads.at(-1)!]
  return { began: first.at, ended: last.at }
}
