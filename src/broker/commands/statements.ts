// What a person does with memories on purpose: remember, edit, pin, supersede, rate, say an impact. Each is one event,
// so that after a crash all of it counts, or nothing.
import type { Rating } from '../../improve/attribution.ts'
import { contradicts, isOpposed, isSameStatement, lineKey, statementKey } from '../../knowledge/compareRules.ts'
import { ruleAlone } from '../../knowledge/ruleSentences.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { splitTypedClauses } from '../../knowledge/typedRules.ts'
import type { EventBody } from '../../model/event.ts'
import { type MemoryId, type SessionId, selectByPrefix } from '../../model/id.ts'
import { computeImportance } from '../../model/importance.ts'
import {
  KNOWLEDGE_CHARS_MAX,
  type Knowledge,
  type KnowledgeScope,
  type KnowledgeType,
  NO_SUCCESSOR,
  newKnowledgeRecord,
  type Trigger,
} from '../../model/knowledge.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import { kindOfKnowledge, type Memory, type MemoryChange, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { assertMayChange, provenanceOf } from '../../model/provenance.ts'
import { groupBy } from '../../model/sorting.ts'
import type { ImpactKind } from '../../model/strength.ts'
import { deriveKnowledgeId } from '../../organize/derivedId.ts'
import { readTailEvents } from '../../store/log/eventLog.ts'
import { readGitBranch } from '../../store/project/gitFolder.ts'
import { withoutFullStop } from '../../text/excerpt.ts'
import { toRepoPath } from '../../text/filePaths.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import type { LiveStore } from '../live/liveStore.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { isForgottenByTeam } from '../projection/teamReducer.ts'
import { findMemoryByPrefix, listNear, MEMORY_IDS, mayShow } from '../queries/browse.ts'
import type { ShownNote } from '../queries/sessionLog.ts'
import { correctMemory, isEmptyText, keepsKind, STORED_TERMS, sanitize, wordsOfAgent } from './newMemory.ts'

/** A live store and its caller; a tool's context is one. */
export interface StatementWriter {
  /** The project's memories with everything in the log. */
  readonly liveStore: LiveStore
  /** Appends an event of the caller's session to the project's log, and applies it. */
  readonly commit: (body: EventBody) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The calling session, if known: working memories belong to it. */
  readonly session: string | undefined
  /** Whether an agent calls: what a person has said is not for it to change. */
  readonly isForAgent?: boolean | undefined
}

export interface StatementInput {
  readonly text: string
  /** That of the same statement if left out, else `rule`. */
  readonly type?: KnowledgeType | undefined
  /** `path` if a file is given; else that of the same statement, or `project`. */
  readonly scope?: KnowledgeScope | undefined
  /** A path inside the repository, or an absolute one. Only with the scope `path`. */
  readonly file?: string | undefined
  /** When it is worth a note; without it what its text names, and every start. */
  readonly when?: readonly Trigger[] | undefined
}

/** What pinning gives: the highest importance. */
const PINNED_IMPORTANCE = 1

/**
 * Stores a statement. The same subject again is the same memory and stands again; an earlier one that it contradicts
 * is superseded. Throws INPUT_INVALID, and USAGE without a text.
 */
export function rememberStatement(writer: StatementWriter, input: StatementInput) {
  const { memory, outdated } = buildStatement(writer, input)
  const { id, content, knowledge } = memory
  const known = writer.liveStore.memories().get(id)
  assertMayChange([...(known ? [known] : []), ...outdated], writer.isForAgent)
  const changes: MemoryChange[] = outdated.map((other) => ({ memory: other.id, supersededBy: id }))
  if (known) changes.unshift({ memory: id, content, knowledge, supersededBy: null })
  writer.commit({ kind: 'memory.batch', stored: known ? [] : [memory], changes })
  const narrowed = knowledge?.scope !== 'person' && [...(known ? [known] : []), ...outdated].some(isForAllProjects)
  return {
    memory: writer.liveStore.memories().get(id) ?? memory,
    superseded: outdated,
    /** What it replaces was for every project, and it is not. */
    ...(narrowed && { narrowed }),
    /** It stays on this machine: it is forgotten for all others. */
    ...(isForgottenByTeam(writer.liveStore.loaded.projection, id) && { forgotten: true }),
  }
}

const isForAllProjects = ({ status, knowledge }: Memory): boolean =>
  status === 'active' && knowledge?.scope === 'person'

/** For an agent: stores what the person typed in this session as their statement; undefined if they did not type it. */
export function rememberTyped(writer: StatementWriter, input: StatementInput) {
  const text = findTyped(writer, input.text)
  return text === undefined ? undefined : rememberStatement({ ...writer, isForAgent: false }, { ...input, text })
}

/** How much of the log is read, from its end: the prompts of a long session. */
const TYPED_TAIL_BYTES = 16_777_216

/** The words of the person that this text repeats: a whole sentence, as a part of one may say the opposite. */
function findTyped({ liveStore, session }: StatementWriter, text: string): string | undefined {
  if (session === undefined) return undefined
  const { files, layout } = liveStore.store
  const query = { session: session as SessionId, bytesMax: TYPED_TAIL_BYTES, kinds: ['prompt'] } as const
  const prompts = readTailEvents(files, layout.events, query).filter((event) => event.kind === 'prompt')
  const typed = prompts.flatMap((prompt, i) =>
    prompt.agentId === undefined && provenanceOf(prompt) === 'person'
      ? splitTypedClauses(prompt.text, prompts[i - 1]?.text).flatMap((said) => [said.text, ruleAlone(said.text)])
      : [],
  )
  const repeated = (keyOf: (line: string) => string): string | undefined =>
    typed.findLast((sentence) => keyOf(sentence) === keyOf(text))
  return repeated(statementKey) ?? repeated(lineKey)
}

/** Replaces a memory's text. Throws NOT_FOUND, and INPUT_INVALID for an entry and an empty text. */
export function editMemory(writer: StatementWriter, prefix: string, text: string): { before: Memory; after: Memory } {
  const before = findChangeable(writer, prefix)
  const content = readText(text, before.knowledge !== undefined)
  const words = writer.isForAgent ? wordsOfAgent(before, content) : {}
  writer.commit({ kind: 'memory.updated', change: { memory: before.id, content, ...words } })
  return { before, after: writer.liveStore.memories().get(before.id) ?? before }
}

/** Gives a memory the highest importance, which counting no longer changes. Throws NOT_FOUND. */
export function pinMemory(writer: StatementWriter, prefix: string, reason: string): Memory {
  const { id, importance: previous } = findOwn(writer, prefix)
  writer.commit({ kind: 'memory.scored', memory: id, score: PINNED_IMPORTANCE, previous, reason: sanitize(reason) })
  return findMemory(writer, id)
}

/** Lets counting change a pinned memory's importance again. Throws NOT_FOUND, and INPUT_INVALID if it is not pinned. */
export function unpinMemory(writer: StatementWriter, prefix: string): Memory {
  const { id, pinned } = findOwn(writer, prefix)
  if (!pinned) throw new MemoryError('INPUT_INVALID', `${id} is not pinned`, { hint: 'There is nothing to do.' })
  writer.commit({ kind: 'memory.updated', change: { memory: id, pinned: null } })
  return findMemory(writer, id)
}

/** What replaces a memory: a new entry with this text, or an existing memory. */
export type Successor = NewText | { readonly by: string }
type NewText = Pick<StatementInput, 'text' | 'when'>

/**
 * Replaces a memory, which keeps its text and history and is no longer injected. A new entry takes over scope and
 * files of the one it replaces; of a lesson or fact also its kind and triggers. Throws NOT_FOUND and INPUT_INVALID.
 */
export function supersedeMemory(writer: StatementWriter, prefix: string, successor: Successor) {
  const before = findChangeable(writer, prefix)
  const memories = writer.liveStore.memories()
  const after = 'by' in successor ? findMemory(writer, successor.by) : buildSuccessor(writer, before, successor)
  if (after.id === before.id) {
    throw new MemoryError('INPUT_INVALID', `${before.id} cannot supersede itself`, {
      hint: 'Give what is right now, or `--by` another memory. For another wording, add `--reword`.',
    })
  }
  if (after.status === 'archived' && 'by' in successor) {
    throw new MemoryError('INPUT_INVALID', `${after.id} is outdated itself`, {
      hint: 'To make it stand again, give its text instead of `--by`.',
    })
  }
  if ('text' in successor) assertMayChange(memories.get(after.id) ?? before, writer.isForAgent)
  const known = memories.get(after.id)
  writer.commit({
    kind: 'memory.batch',
    stored: known ? [] : [after],
    changes: [
      { memory: before.id, supersededBy: after.id },
      // Their words now, not those that had said it before.
      ...(known && 'text' in successor
        ? [{ memory: after.id, content: after.content, knowledge: after.knowledge, supersededBy: null }]
        : []),
    ],
  })
  return { before: memories.get(before.id) ?? before, after: writer.liveStore.memories().get(after.id) ?? after }
}

/** The memory that may be shown here, by the beginning of its id, `#` before it allowed. Throws NOT_FOUND. */
function findMemory({ liveStore }: StatementWriter, prefix: string): Memory {
  const open = liveStore
    .memories()
    .heads()
    .filter((head) => mayShow(liveStore.store, head))
  return selectByPrefix(open, prefix.replace(/^#/, ''), MEMORY_IDS).load()
}

/** The entry as a memory, and those of the same place that it supersedes. */
function buildStatement(writer: StatementWriter, input: StatementInput, replaced?: Memory) {
  const content = readText(input.text, true)
  const place = readPlace(writer, input)
  const { scope, file, branch } = place
  const line = withoutFullStop(content)
  const when = sanitize([...(input.when ?? triggersOfRule(line))])
  const compared = { line, when }
  const standing = listNear(writer.liveStore.memories(), compared).filter(
    (other) =>
      other.id !== replaced?.id &&
      other.privacy === 'public' &&
      other.role === 'main' &&
      isOfPlace(other, scope, file ?? branch),
  )
  const same = standing.find(({ knowledge }) => knowledge && isSameStatement(compared, knowledge))
  const findKnown = (id: MemoryId): Memory | undefined => writer.liveStore.memories().get(id)
  const created = new Date(writer.now()).toISOString()
  const knowledge: Knowledge = {
    type: same?.knowledge?.type ?? input.type ?? 'rule',
    scope: input.scope ?? same?.knowledge?.scope ?? scope,
    author: writer.isForAgent ? 'model' : 'person',
    state: 'standing',
    line,
    ...(!writer.isForAgent && { quote: content, asked: true }),
    when,
    record: same?.knowledge?.record ?? newKnowledgeRecord(created, writer.session),
  }
  const memory = newMemory(
    {
      // As for what is said in a prompt, so that both are one memory.
      id: same?.id ?? deriveKnowledgeId(line, findKnown, ...[file ?? branch ?? []].flat()),
      kind: kindOfKnowledge(knowledge.type),
      content,
      created,
      source: 'manual',
      session: writer.session as SessionId | undefined,
      files: file === undefined ? [] : [file],
      branch,
      trust: writer.isForAgent ? 'tools' : 'user',
      tags: writer.isForAgent ? [] : ['remember'],
      importance: computeImportance(STORED_TERMS),
      importanceTerms: STORED_TERMS,
      knowledge,
    },
    DEFAULT_POLICY.strength.initial,
  )
  const outdated = standing.filter(
    (other) =>
      other.id !== memory.id &&
      other.knowledge !== undefined &&
      (contradicts(compared, other.knowledge) || isOpposed(other.knowledge, compared)),
  )
  return { memory, outdated }
}

function readPlace({ liveStore: { store } }: StatementWriter, input: StatementInput) {
  const { scope = input.file === undefined ? 'project' : 'path' } = input
  if ((scope === 'path') !== (input.file !== undefined)) {
    throw new MemoryError('INPUT_INVALID', `The scope ${scope} has ${input.file === undefined ? 'a' : 'no'} file`, {
      hint: 'Name the file of an entry with the scope `path`, and of no other.',
    })
  }
  const file = input.file === undefined ? undefined : toRepoPath(input.file, [store.project.root])
  if (input.file !== undefined && file === undefined) {
    throw new MemoryError('INPUT_INVALID', `${input.file} is outside of the project`, {
      hint: `Name a file inside ${store.project.root}.`,
    })
  }
  const branch = scope === 'branch' ? readGitBranch(store.project.root) : undefined
  if (scope === 'branch' && branch === undefined) {
    throw new MemoryError('INPUT_INVALID', 'The project is on no branch', { hint: 'Use another scope.' })
  }
  return sanitize({ scope, file, branch })
}

/** Person and project are one place: what holds everywhere can contradict what holds here. */
function isOfPlace({ knowledge, files, branch }: Memory, scope: KnowledgeScope, place: string | undefined): boolean {
  if (scope === 'path') return knowledge?.scope === 'path' && files.includes(place ?? '')
  if (scope === 'branch') return knowledge?.scope === 'branch' && branch === place
  return knowledge?.scope === 'project' || knowledge?.scope === 'person'
}

/** What replaces a memory, with the given text: of its scope and files, and unless the text is a rule of its kind. */
function buildSuccessor(writer: StatementWriter, before: Memory, { text, when }: NewText): Memory {
  const { knowledge, files, branch } = before
  const [file] = files
  const scope = knowledge?.scope
  const isOfPath = scope === 'path' && file !== undefined
  const place = isOfPath ? { file } : { scope: scope === 'person' || scope === 'branch' ? scope : undefined }
  const statement = buildStatement(writer, { text, when, ...place }, before).memory
  const isKnown = writer.liveStore.memories().get(statement.id) !== undefined
  if (!isKnown && keepsKind(before, text)) return correctMemory(before, statement, when)
  return { ...statement, branch: scope === 'branch' ? branch : undefined }
}

/** The text of a memory. A rule is one line, which notes show whole: all lines of the text belong to it. */
function readText(text: string, isRule: boolean): string {
  const sanitized = sanitize(text.trim())
  const content = isRule ? sanitized.replace(/\s+/g, ' ') : sanitized
  const charsMax = isRule ? KNOWLEDGE_CHARS_MAX : CONTENT_CHARS_MAX
  if (isEmptyText(content)) {
    throw new MemoryError('USAGE', 'There is no text', { hint: 'Give the text as words, or on stdin.' })
  }
  if (content.length > charsMax) {
    throw new MemoryError('INPUT_INVALID', `The text has ${content.length} characters of ${charsMax}`, {
      hint: 'Shorten it, or store it as an entry: `memctl entry save KEY`.',
    })
  }
  return content
}

/** The same, if the caller may change it. Throws NOT_ALLOWED. */
function findOwn(writer: StatementWriter, prefix: string): Memory {
  const memory = findMemory(writer, prefix)
  assertMayChange(memory, writer.isForAgent)
  return memory
}

/** The same, with INPUT_INVALID for an entry: its file would bring the old text back. */
function findChangeable(writer: StatementWriter, prefix: string): Memory {
  const memory = findOwn(writer, prefix)
  const { id, entrySource } = memory
  if (!entrySource) return memory
  throw new MemoryError('INPUT_INVALID', `${id} is the entry ${entrySource.key}, which only its file can change`, {
    hint: `Edit ${entrySource.file}, or delete the entry with \`memctl entry delete\`.`,
  })
}

/** Archives a memory that no longer holds: it is not injected. Throws NOT_FOUND, and INPUT_INVALID for an entry. */
export function markOutdated(writer: StatementWriter, prefix: string): Memory {
  const { id } = findChangeable(writer, prefix)
  writer.commit({ kind: 'memory.updated', change: { memory: id, supersededBy: NO_SUCCESSOR as MemoryId } })
  return findMemory(writer, id)
}

/** Makes an outdated memory hold again. Throws NOT_FOUND, and INPUT_INVALID if it is not outdated. */
export function unmarkOutdated(writer: StatementWriter, prefix: string): Memory {
  const memory = findOwn(writer, prefix)
  if (memory.supersededBy === undefined) {
    throw new MemoryError('INPUT_INVALID', `${memory.id} is not outdated`, { hint: 'There is nothing to undo.' })
  }
  writer.commit({ kind: 'memory.updated', change: { memory: memory.id, supersededBy: null } })
  return findMemory(writer, memory.id)
}

// A person rates notes that a session was shown. Improve reads it when the session ends: it outweighs every trace.

/** Commits one event for each recall that showed some of these notes. */
export function rateNotes(
  commit: (body: EventBody) => void,
  notes: readonly Pick<ShownNote, 'recall' | 'memory'>[],
  rating: Rating,
): void {
  for (const [recall, shown] of groupBy(notes, (note) => note.recall)) {
    const memories = shown.map(({ memory }) => memory)
    const rated = rating === 'useful' ? { helped: memories } : { helped: [], unhelped: memories }
    commit({ kind: 'recall.judged', recall, by: 'person', ...rated })
  }
}

export type ImpactResult = ReturnType<typeof recordImpact>

interface ImpactInput {
  /** The memory's id, or its beginning. */
  readonly prefix: string
  readonly impact: ImpactKind
  /** What it had an impact on, such as cost. */
  readonly perspective: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Commits an impact that a memory had for a person: it is stronger, and active again. Throws NOT_FOUND, STORE_BUSY. */
export function recordImpact(store: Store, { prefix, impact, perspective, now }: ImpactInput) {
  const before = findMemoryByPrefix(store, prefix)
  const body = { kind: 'memory.impact', memory: before.id, impact, perspective: sanitize(perspective) } as const
  commitEvents(store, [systemEvent(body, { now, key: [before.id, impact, perspective ?? ''] })])
  runMaintenanceOrThrow(store, now)
  return { before, after: loadProjection(store).projection.memories.get(before.id) ?? before }
}
