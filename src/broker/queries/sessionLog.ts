// What the end of the log says of one session: what it was shown, which session was the last, what a person typed.
import { type Rating, readRatings } from '../../improve/attribution.ts'
import type { EventOf } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { KnowledgeFile } from '../../model/knowledge.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { decodeUnverified, readTailEvents, readTailLines } from '../../store/log/eventLog.ts'
import { countActive } from '../../store/snapshot/manifest.ts'
import { openSnapshotReader, readManifest } from '../../store/snapshot/snapshotReader.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/sanitizeText.ts'
import type { Store } from '../open/openStore.ts'

// What a session was shown so far, for the status line: it runs at every update of the client, so it reads the end of
// the log and the manifest, and one memory.

/** How much of the log is read, from its end: 4 MiB take 4 ms. In a longer session the notes before are not counted. */
const TAIL_BYTES = 4_194_304

const TITLE_CHARS = 160

export interface SessionNotes {
  /** Active memories in the snapshot. */
  readonly memories: number
  /** Notes that the session was shown, with those of its subagents, and their tokens. Holdouts do not count. */
  readonly notes: number
  readonly tokens: number
  /** The first line of the note that the main conversation was shown last; absent if there is none. */
  readonly last?: string
  /** Whether hooks record the session; true if no session was named. */
  readonly isRecorded: boolean
  /** A hook has reported a fault in the last 24 hours. */
  readonly hasFault: boolean
}

/** Throws STORE_NEWER for a store of a later version, and a SyntaxError for a damaged file. */
export function readSessionNotes(store: Store, session: string | undefined, now: number): SessionNotes {
  const memories = countActive(readManifest(store.files, store.layout))
  const hasFault = hasRecentFault(store, now)
  if (session === undefined) return { memories, notes: 0, tokens: 0, isRecorded: true, hasFault }
  let notes = 0
  let tokens = 0
  let last: MemoryId | undefined
  for (const recalled of listRecalls(store, session as SessionId)) {
    notes += recalled.shown.length
    tokens += recalled.tokens ?? 0
    // The latest comes first.
    if (recalled.agentId === undefined) last ??= recalled.shown[0]?.memory
  }
  const title = last && findTitle(store, last)
  const isRecorded = notes > 0 || hasEvents(store, session as SessionId)
  return { memories, notes, tokens, isRecorded, hasFault, ...(title && { last: title }) }
}

/** Looked for only in a session without notes: most have some. */
function hasEvents({ files, layout }: Store, session: SessionId): boolean {
  for (const _ of readTailLines(files, layout.events, { session, bytesMax: TAIL_BYTES })) return true
  return false
}

/** The last line begins with its time; the file is small, and mostly missing. */
function hasRecentFault({ files, layout }: Store, now: number): boolean {
  const last = files.read(layout.faults)?.toString('utf8').trimEnd().split('\n').at(-1)
  const at = /"at":"([^"]+)"/.exec(last ?? '')?.[1]
  return at !== undefined && now - Date.parse(at) < DAY_MS
}

const DAY_MS = 86_400_000

function* listRecalls({ files, layout }: Store, session: SessionId): Generator<EventOf<'recalled'>> {
  for (const line of readTailLines(files, layout.events, { session, bytesMax: TAIL_BYTES, kinds: ['recalled'] })) {
    const event = decodeUnverified(line)
    // The input of a call can contain the same names, so the parsed event decides.
    if (event?.kind === 'recalled' && event.session === session && !event.withheld) yield event
  }
}

/** The first line of an entry or memory of this project; what the person said in another project has none here. */
function findTitle(store: Store, id: MemoryId): string | undefined {
  const note = readJson<KnowledgeFile>(store.files, store.layout.knowledge)?.notes.find((known) => known.id === id)
  if (note) return withTeam(note.line, { team: note.team, isSaid: note.voice !== 'known' })
  const reader = openSnapshotReader(store.files, store.layout)
  try {
    for (const [segment, count] of reader.docCounts.entries()) {
      for (let doc = 0; doc < count; doc++) {
        if (reader.rowAt({ segment, doc }, NO_NAMES).id !== id) continue
        const memory = reader.memoryAt({ segment, doc })
        return withTeam(memory.knowledge?.line ?? memory.content, memory)
      }
    }
    return undefined
  } finally {
    reader.close()
  }
}

/** A title, and who of the team it is from. */
function withTeam(title: string, memory: Parameters<typeof teamText>[0]): string {
  const team = teamText(memory)
  return team === '' ? firstLine(title, TITLE_CHARS) : `(${team}) ${firstLine(title, TITLE_CHARS)}`
}

const NO_NAMES: ReadonlyMap<number, string> = new Map()

/** How much of the log is read, from its end: a session of many hours. Notes before it are not listed. */
const SHOWN_TAIL_BYTES = 16_777_216

export type ShownNote = Readonly<ReturnType<typeof toNote>>

/**
 * Every note of the session, its subagents' too as far as they may be listed here, the first one first. Holdouts are
 * left out: nobody saw them.
 */
export function listShownNotes({ files, layout, isForSession }: Store, session: SessionId): ShownNote[] {
  const kinds = ['recalled', 'recall.judged'] as const
  const events = readTailEvents(files, layout.events, { session, bytesMax: SHOWN_TAIL_BYTES, kinds })
  return events.flatMap((event) => {
    if (event.kind !== 'recalled' || event.withheld || (isForSession && event.privacy !== 'public')) return []
    const ratings = readRatings(events, event.id)
    return event.shown.map((shown) => toNote(event, shown, ratings.get(shown.memory)))
  })
}

const toNote = (
  { id, at, moment, cue, agentId, role }: EventOf<'recalled'>,
  { memory, features, score }: EventOf<'recalled'>['shown'][number],
  rating: Rating | undefined,
) => ({
  recall: id,
  memory,
  /** ISO time. */
  at,
  moment,
  /** What it was recalled for: the prompt, the command or the error; empty at a start. */
  cue,
  features,
  /** Of an entry of knowledge at a start: the calls that showing it was expected to save in a session. */
  score,
  /** The type of the subagent that was shown it; absent for the main conversation. */
  ...(agentId !== undefined && { agent: role }),
  ...(rating && { rating }),
})

/** Events that only the client's hooks write: those of memctl and its tools belong to no conversation. */
const KINDS = ['session.started', 'prompt', 'recalled', 'session.ended'] as const

/** The session that a person means without naming one; undefined if no hook has recorded anything there. */
export function findLatestSession({ files, layout }: Store): SessionId | undefined {
  const query = { session: undefined, bytesMax: TAIL_BYTES, kinds: KINDS }
  for (const line of readTailLines(files, layout.events, query)) {
    const event = decodeUnverified(line)
    if (event && (KINDS as readonly string[]).includes(event.kind)) return event.session
  }
  return undefined
}

// What a person typed behind the name of a slash command, from the session's own record: as it was typed. What the
// client passes on has backslashes before exclamation marks.
//
// Client 2.1.329 runs the hook before the command; 2.1.197 runs it afterwards, so the record may be of an earlier one.

/** The prompt is the last one of the session; parallel sessions and subagents may write after it. */
const TYPED_TAIL_BYTES = 1_048_576

/** Whatever of them comes after the prompt shows that its command has run. */
const TYPED_KINDS = ['prompt', 'call.started', 'answer', 'session.ended'] as const

/**
 * The text behind `/memctl:NAME`, if the client is about to run it: it is the last prompt of a session, and the
 * conversation has not gone on since. Else a process that an agent left running could use it again.
 */
export function readTypedCommand({ files, layout }: Store, session: SessionId, name: string): string | undefined {
  const query = { session, bytesMax: TYPED_TAIL_BYTES, kinds: TYPED_KINDS }
  const events = readTailEvents(files, layout.events, query, { newest: 1, containing: [], containingMax: 0 })
  const last = events.findLast((event) => event.agentId === undefined)
  if (last?.kind !== 'prompt') return undefined
  const [head, typed] = /^\s*\/(\S+)/.exec(last.text) ?? []
  return head !== undefined && typed === `memctl:${name}` ? last.text.slice(head.length).trim() : undefined
}

/**
 * Whether a command of this session may be the person's although no prompt has it yet: hooks record the session here, so
 * that its calls are known, and no recent call contains this text. A process can name another session than its own.
 */
export function mayBeTyped(store: Store, session: SessionId, text: string): boolean {
  const query = { session: undefined, bytesMax: TYPED_TAIL_BYTES, kinds: ['call.started'] } as const
  const calls = readTailLines(store.files, store.layout.events, query)
  for (const line of calls) if (line.includes(text)) return false
  return hasEvents(store, session)
}
