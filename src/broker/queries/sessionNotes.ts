// What a session was shown so far, for the status line: it runs at every update of the client, so it reads the end of
// the log and the manifest, and one memory.
import type { EventOf } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { KnowledgeFile } from '../../model/knowledgeNote.ts'
import { readJson } from '../../store/disk/readJson.ts'
import { readTailLines } from '../../store/log/eventLog.ts'
import { decodeUnverified } from '../../store/log/logLine.ts'
import { openSnapshotReader, readManifest } from '../../store/snapshot/snapshotReader.ts'
import { firstLine } from '../../text/excerpt.ts'
import { teamText } from '../../text/teamText.ts'
import type { Store } from '../open/openStore.ts'

/** How much of the log is read, from its end: 4 MiB take 4 ms. In a longer session the notes before are not counted. */
const TAIL_BYTES = 4_194_304

/** Characters of a note's title. */
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
  const memories = countMemories(store)
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

function countMemories({ files, layout }: Store): number {
  const { segments, recent } = readManifest(files, layout)
  const saved = segments.reduce((sum, { memories, archive }) => sum + (archive ? 0 : memories), 0)
  return saved + (recent ? recent.memories - recent.replaced.length : 0)
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
