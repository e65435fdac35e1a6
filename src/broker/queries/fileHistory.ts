// Why a file is as it is: decisions with their reasons, the prompts, sessions and commits that changed it, rules for
// it, facts and lessons. From the memories and the log; writes nothing.
import { callCommand, EDIT_TOOLS, type EventOf } from '../../model/event.ts'
import { isAboutFailures, isCurrent, type Knowledge } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { MemoryHead } from '../../model/memoryHead.ts'
import { groupBy } from '../../model/sorting.ts'
import type { LogFile } from '../../store/log/readLog.ts'
import { mayHaveEdited } from '../../store/log/rewriteLog.ts'
import { firstLine } from '../../text/excerpt.ts'
import { toRepoPath } from '../../text/filePaths.ts'
import { isSubstantive } from '../../text/taskSentences.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { eventsNewestFirst, listMemoriesOfFiles } from './browse.ts'

export type FileChange = Readonly<ReturnType<typeof groupChanges>[number]>

export type FileHistory = ReturnType<typeof explainFile>

interface FileQuestion {
  /** A path inside the repository, an absolute one, or the end of a path. */
  readonly file: string
  /** The folder that a relative path begins in, absolute. */
  readonly cwd: string
  /** Changes at most: the log is read backwards only as far as these need it. */
  readonly limit: number
}

/** Throws NOT_FOUND if several files match. */
export function explainFile(store: Store, { file: wanted, cwd, limit }: FileQuestion) {
  const absolute = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(wanted) ? wanted : `${cwd}/${wanted}`
  const inside = toRepoPath(absolute, [store.project.root])
  const edits = listEdits(store, wanted, inside, limit)
  const isThere = inside !== undefined && store.files.size(`${store.project.root}/${inside}`) !== undefined
  const isKnown = isThere || edits.some((edit) => edit.file === inside)
  const end = wanted.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
  const liveStore = openLiveStore(store)
  const file = (isKnown ? inside : findByEnd(liveStore, end, edits)) ?? inside ?? end
  const mayBeShown = ({ hasKnowledge, kind }: MemoryHead): boolean => hasKnowledge || kind === 'lesson'
  const about = listPresent(liveStore, wanted, mayBeShown).filter((memory) => memory.files.includes(file))
  return {
    /** The path inside the repository. */
    file,
    /** Newest first, like all lists here. What only may be a decision of the person is left out. */
    decisions: about.filter((memory) => memory.knowledge?.type === 'decision' && isSure(memory)),
    /** Rules, preferences and corrections that are about this file. */
    statements: about.filter(isStatement),
    changes: groupChanges(edits.filter((edit) => edit.file === file)).slice(0, limit),
    lessons: about.filter(isLesson),
  }
}

/** The memories about files of this name that are neither superseded nor retired. */
const listPresent = (liveStore: LiveStore, wanted: string, isWanted?: (head: MemoryHead) => boolean): Memory[] =>
  listMemoriesOfFiles(liveStore, nameOfFile(wanted), isWanted).filter(
    ({ supersededBy, knowledge }) => supersededBy === undefined && (knowledge === undefined || isCurrent(knowledge)),
  )

/** What a prompt only may have meant, such as a report of a bug, is found by search alone. */
const isSure = ({ knowledge, searchOnly }: Memory): boolean => knowledge?.author !== 'person' || !searchOnly

const isStatement = (memory: Memory): boolean =>
  memory.knowledge !== undefined && STATEMENT_TYPES.has(memory.knowledge.type) && isSure(memory)

const STATEMENT_TYPES: ReadonlySet<Knowledge['type']> = new Set(['rule', 'preference', 'correction'])

/** Also lessons that a tool stored, which are no knowledge. */
const isLesson = ({ kind, lessons, knowledge }: Memory): boolean =>
  knowledge === undefined ? kind === 'lesson' && lessons.length > 0 : isAboutFailures(knowledge)

/** One edit of one file, with the prompt before it and the commit after it. */
interface FileEdit {
  readonly file: string
  readonly call: EventOf<'call.succeeded'>
  prompt: EventOf<'prompt'> | undefined
  readonly commit: ReturnType<typeof findCommit>
}

const nameOfFile = (file: string): string => file.split(/[\\/]/).at(-1) ?? file

const COMMIT = Buffer.from('commit')
const PROMPT = Buffer.from('"kind":"prompt"')
const SUCCEEDED = Buffer.from('"kind":"call.succeeded"')

/** The edits of files with this name, newest first, as far back as the latest changes of the file `inside` are. */
function listEdits(store: Store, wanted: string, inside: string | undefined, limit: number): FileEdit[] {
  const { files, layout } = store
  const wantedName = nameOfFile(wanted)
  const name = Buffer.from(JSON.stringify(wantedName).slice(1, -1))
  const edits: FileEdit[] = []
  const withoutPrompt = new Map<string, FileEdit[]>()
  const isOfFile = (edit: FileEdit): boolean => edit.file === inside
  let changes = 0
  const nextCommit = new Map<string, FileEdit['commit']>()
  // Prompts of other edits are many.
  const mayConcern = (line: Buffer): boolean =>
    line.includes(name) ||
    (line.includes(COMMIT) && line.includes(SUCCEEDED)) ||
    (withoutPrompt.size > 0 && line.includes(PROMPT))
  // What changed it, the prompt before, and the part after it, where the commit is.
  const isNeeded = ({ number }: LogFile): boolean =>
    withoutPrompt.size > 0 || [number, number - 1].some((part) => mayHaveEdited(files, layout.events, part, wantedName))
  for (const event of eventsNewestFirst(store, mayConcern, isNeeded)) {
    if (event.kind === 'prompt' && !isInterruption(event)) {
      const change = withoutPrompt.get(event.session) ?? []
      for (const edit of change) edit.prompt = event
      // "Yes" agrees to what the prompt before is about.
      if (!isSubstantive(event.text)) continue
      withoutPrompt.delete(event.session)
      if (change.some(isOfFile)) changes++
      // The prompt of a later edit may come before those of earlier ones.
      if (changes >= limit && ![...withoutPrompt.values()].flat().some(isOfFile)) break
    }
    if (event.kind !== 'call.succeeded') continue
    const commit = findCommit(event)
    if (commit) nextCommit.set(event.session, commit)
    if (!EDIT_TOOLS.has(event.tool)) continue
    for (const file of event.files) {
      if (nameOfFile(file) !== wantedName) continue
      const edit: FileEdit = { file, call: event, prompt: undefined, commit: nextCommit.get(event.session) ?? null }
      edits.push(edit)
      withoutPrompt.set(event.session, [...(withoutPrompt.get(event.session) ?? []), edit])
    }
  }
  return edits
}

const isInterruption = ({ text }: EventOf<'prompt'>): boolean => text.trim() === '' || text.startsWith('[Request inter')

/** A summary after a compaction, or a task's notification. */
const isGenerated = ({ text }: EventOf<'prompt'>): boolean => /^(?:This session is being continued|<)/.test(text)

/** What git prints for a commit: `[main 1a2b3c4] Round half up`. */
const COMMIT_LINE = /^\[[^\]\n]*\b([0-9a-f]{7,40})\] (.+)$/m

function findCommit(call: EventOf<'call.succeeded'>) {
  if (!/\bgit\b[^\n]*\bcommit\b/.test(callCommand(call))) return null
  const [, hash, subject] = COMMIT_LINE.exec(call.output) ?? []
  return hash === undefined || subject === undefined ? null : { hash, subject: firstLine(subject, 120) }
}

/** The edits for one prompt are one change. Times are ISO. */
function groupChanges(edits: readonly FileEdit[]) {
  const groups = groupBy(edits, ({ call, prompt }) => `${call.session} ${prompt?.id ?? ''}`)
  return [...groups.values()].flatMap((group) => {
    const [newest] = group
    if (!newest) return []
    const { call, prompt } = newest
    return {
      at: call.at,
      session: call.session,
      /** The beginning of the prompt; null if it is not in the log, or the client wrote it. */
      prompt: prompt && !isGenerated(prompt) ? firstLine(prompt.text.replace(/\s+/g, ' '), 200) : null,
      edits: group.length,
      /** The next commit of the session after the first of these edits; it may contain other files. */
      commit: group.at(-1)?.commit ?? null,
    }
  })
}

/** The only file that ends like it; of edited files first: what a call merely named may be from another folder. */
function findByEnd(liveStore: LiveStore, end: string, edits: readonly FileEdit[]): string | undefined {
  const findIn = (files: readonly string[]): string[] =>
    [...new Set(files)].filter((file) => file === end || file.endsWith(`/${end}`)).sort()
  const edited = findIn(edits.map(({ file }) => file))
  const matching = edited.length > 0 ? edited : findIn(listPresent(liveStore, end).flatMap(({ files }) => files))
  if (matching.length > 1) {
    const some = matching.slice(0, 4).join(', ')
    throw new MemoryError('NOT_FOUND', `${matching.length} files end with ${end}: ${some}`, {
      hint: 'Give more of the path.',
    })
  }
  return matching[0]
}
