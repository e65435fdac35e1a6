// What a person does with memories on purpose: remember a statement, edit, pin and supersede memories. Each is one
// event, so that after a crash all of it counts, or nothing.
import type { EventBody } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { selectByPrefix } from '../../model/idPrefix.ts'
import { computeImportance } from '../../model/importance.ts'
import { CONTENT_CHARS_MAX } from '../../model/limits.ts'
import { type Memory, type MemoryChange, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isPrivate } from '../../model/privacy.ts'
import { findSuccessor, type Statement, type StatementScope } from '../../model/statement.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import { findSame, isSuperseded } from '../../organize/supersededStatements.ts'
import { readGitBranch } from '../../store/project/gitFolder.ts'
import { toRepoPath } from '../../text/filePaths.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import { describeStatementText } from '../../text/statement/findStatements.ts'
import type { LiveStore } from '../live/liveStore.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { MEMORY_IDS } from '../queries/browse.ts'
import { type AgentFields, readAgentFields, sanitize } from './newMemory.ts'

/** A live store and its caller; a tool's context is one. */
export interface StatementWriter {
  readonly liveStore: LiveStore
  readonly commit: (body: EventBody) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly session: string | undefined
}

export interface StatementInput extends AgentFields {
  readonly text: string
  /** `file` if a file is given, else `project`. */
  readonly scope?: StatementScope | undefined
  /** A path inside the repository, or an absolute one. Only with the scope `file`. */
  readonly file?: string | undefined
  /** Default 3: a standing instruction. */
  readonly strength?: Statement['strength'] | undefined
}

/** What pinning gives: the highest importance. */
const PINNED_IMPORTANCE = 1

/** A person stored it on purpose, and nothing else is known yet. */
const TERMS = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: 1, costSaved: 0 }

/** A statement that was remembered, and those that no longer hold because of it. */
export interface RememberedStatement {
  readonly memory: Memory
  readonly superseded: readonly Memory[]
}

/**
 * Stores a statement. The same subject again is the same memory and stands again; an earlier one that it contradicts
 * is superseded. Throws INPUT_INVALID, and USAGE without a text.
 */
export function rememberStatement(writer: StatementWriter, input: StatementInput): RememberedStatement {
  const { memory, outdated } = buildStatement(writer, input)
  const { id, content, statement } = memory
  const isKnown = writer.liveStore.memories().has(id)
  const changes: MemoryChange[] = outdated.map((other) => ({ memory: other.id, supersededBy: id }))
  if (isKnown) changes.unshift({ memory: id, content, statement, supersededBy: null })
  writer.commit({ kind: 'memory.batch', stored: isKnown ? [] : [memory], changes })
  return { memory: writer.liveStore.memories().get(id) ?? memory, superseded: outdated }
}

/** Replaces a memory's text. Throws NOT_FOUND, and INPUT_INVALID for an entry, a project fact and an empty text. */
export function editMemory(writer: StatementWriter, prefix: string, text: string): { before: Memory; after: Memory } {
  const before = assertChangeable(findMemory(writer, prefix))
  if (before.fact) {
    throw new MemoryError('INPUT_INVALID', `${before.id} is a project fact: its text follows from its evidence`, {
      hint: `Replace it with what is right: \`memctl supersede ${before.id.slice(0, 8)} TEXT\`.`,
    })
  }
  const content = readText(text)
  writer.commit({ kind: 'memory.updated', change: { memory: before.id, content } })
  return { before, after: writer.liveStore.memories().get(before.id) ?? before }
}

/** Gives a memory the highest importance, which counting no longer changes. Throws NOT_FOUND. */
export function pinMemory(writer: StatementWriter, prefix: string, reason: string): Memory {
  const { id, importance: previous } = findMemory(writer, prefix)
  writer.commit({ kind: 'memory.scored', memory: id, score: PINNED_IMPORTANCE, previous, reason: sanitize(reason) })
  return findMemory(writer, id)
}

/** Lets counting change a pinned memory's importance again. Throws NOT_FOUND, and INPUT_INVALID if it is not pinned. */
export function unpinMemory(writer: StatementWriter, prefix: string): Memory {
  const { id, pinned } = findMemory(writer, prefix)
  if (!pinned) throw new MemoryError('INPUT_INVALID', `${id} is not pinned`, { hint: 'There is nothing to do.' })
  writer.commit({ kind: 'memory.updated', change: { memory: id, pinned: null } })
  return findMemory(writer, id)
}

/** What replaces a memory: a new statement with this text, or an existing memory. */
export type Successor = { readonly text: string } | { readonly by: string }

/**
 * Replaces a memory, which keeps its text and history and is no longer injected. A new statement takes over scope,
 * files and strength of the one it replaces. Throws NOT_FOUND and INPUT_INVALID.
 */
export function supersedeMemory(
  writer: StatementWriter,
  prefix: string,
  successor: Successor,
): { before: Memory; after: Memory } {
  const before = assertChangeable(findMemory(writer, prefix))
  const memories = writer.liveStore.memories()
  const after = 'by' in successor ? findMemory(writer, successor.by) : buildSuccessor(writer, before, successor.text)
  if (after.id === before.id) {
    throw new MemoryError('INPUT_INVALID', `${before.id} cannot supersede itself`, {
      hint: 'Give what is right now, or `--by` another memory. For another wording, run `memctl edit`.',
    })
  }
  if (findSuccessor(after) === before.id && 'by' in successor) {
    throw new MemoryError('INPUT_INVALID', `${after.id} is superseded by ${before.id} itself`, {
      hint: `To make it stand again, run \`memctl remember\` with its text.`,
    })
  }
  const known = memories.get(after.id)
  writer.commit({
    kind: 'memory.batch',
    stored: known ? [] : [after],
    changes: [
      { memory: before.id, supersededBy: after.id },
      ...(known && 'text' in successor ? [{ memory: after.id, supersededBy: null }] : []),
    ],
  })
  return { before: memories.get(before.id) ?? before, after: writer.liveStore.memories().get(after.id) ?? after }
}

/** The memory whose id begins with this, `#` before it allowed. Throws NOT_FOUND. */
export function findMemory({ liveStore }: StatementWriter, prefix: string): Memory {
  const open = [...liveStore.memories().values()].filter((memory) => !isPrivate(memory))
  return selectByPrefix(open, prefix.replace(/^#/, ''), MEMORY_IDS)
}

/** The statement as a memory, and the statements of the same place that it supersedes. */
function buildStatement(
  writer: StatementWriter,
  input: StatementInput,
  replaced?: Memory,
): { readonly memory: Memory; readonly outdated: readonly Memory[] } {
  const { store } = writer.liveStore
  const content = readText(input.text)
  const { scope = input.file === undefined ? 'project' : 'file', strength = 3 } = input
  if ((scope === 'file') !== (input.file !== undefined)) {
    throw new MemoryError('INPUT_INVALID', `The scope ${scope} and the file ${input.file ?? ''} do not fit together`, {
      hint: 'Name the file of a statement with the scope `file`, and of no other.',
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
  const [signal] = detectUserSignals(content)
  const kind = signal?.kind === 'decision' ? 'decision' : 'preference'
  const type = kind === 'decision' ? 'decision' : signal?.kind === 'preference' ? 'preference' : 'rule'
  const { short, subject, ...compared } = describeStatementText(content, file)
  const found = { ...compared, subject, strength }
  const place = scope === 'file' ? [file ?? ''] : scope === 'branch' ? [branch ?? ''] : []
  const agent = readAgentFields(input)
  const standing = listStatements(writer).filter(
    (other) =>
      other.id !== replaced?.id &&
      other.privacy === agent.privacy &&
      other.role === agent.role &&
      isOfPlace(other, scope, file ?? branch),
  )
  const same = subject.length > 0 ? findSame(found, standing) : undefined
  const key = subject.length > 0 ? [...subject].sort() : [content]
  const audience = agent.privacy === 'public' ? [] : [agent.privacy, agent.role]
  const memory = newMemory(
    {
      // As for what is said in a prompt, so that both are one memory.
      id: same?.id ?? deriveMemoryId('said', found.isBan ? 'not' : 'do', ...key, ...place, ...audience),
      kind,
      content,
      created: new Date(writer.now()).toISOString(),
      source: 'manual',
      session: writer.session as SessionId | undefined,
      files: file === undefined ? [] : [file],
      branch,
      trust: 'user',
      ...agent,
      tags: ['remember', ...(found.isBan ? ['ban'] : [])],
      importance: computeImportance(TERMS, DEFAULT_POLICY.importance),
      importanceTerms: TERMS,
      statement: { type, scope, strength, origin: 'command', short, subject },
    },
    DEFAULT_POLICY.strength.initial,
  )
  return { memory, outdated: standing.filter((other) => other.id !== memory.id && isSuperseded(other, found)) }
}

/** What a person said and holds now. */
const listStatements = ({ liveStore }: StatementWriter): Memory[] =>
  [...liveStore.memories().values()].filter(
    ({ statement, status }) => status === 'active' && statement !== undefined && statement.origin !== 'assistant',
  )

/** Person and project are one place: what holds everywhere can contradict what holds here. */
function isOfPlace({ statement, files, branch }: Memory, scope: StatementScope, place: string | undefined): boolean {
  if (scope === 'file') return statement?.scope === 'file' && files.includes(place ?? '')
  if (scope === 'branch') return statement?.scope === 'branch' && branch === place
  return statement?.scope === 'project' || statement?.scope === 'person'
}

/** The statement that replaces a memory: of its scope, files and strength. */
function buildSuccessor(writer: StatementWriter, before: Memory, text: string): Memory {
  const { statement, files, branch } = before
  const [file] = files
  if (!statement) return buildStatement(writer, { text }, before).memory
  const isOfFile = statement.scope === 'file' && file !== undefined
  const { scope, strength } = statement
  const input = isOfFile ? { text, file, strength } : { text, scope: scope === 'file' ? undefined : scope, strength }
  return { ...buildStatement(writer, input, before).memory, branch: scope === 'branch' ? branch : undefined }
}

function readText(text: string): string {
  const content = sanitize(text.trim())
  if (content === '') {
    throw new MemoryError('USAGE', 'There is no text', { hint: 'Give the text as words, or on stdin.' })
  }
  if (content.length > CONTENT_CHARS_MAX) {
    throw new MemoryError('INPUT_INVALID', `The text has ${content.length} characters of ${CONTENT_CHARS_MAX}`, {
      hint: 'Shorten it, or store it as an entry: `memctl entry save KEY`.',
    })
  }
  return content
}

/** Throws INPUT_INVALID for an entry: its file would bring the old text back. */
export function assertChangeable(memory: Memory): Memory {
  if (!memory.entrySource) return memory
  throw new MemoryError(
    'INPUT_INVALID',
    `${memory.id} is the entry ${memory.entrySource.key}, which only its file can change`,
    {
      hint: `Edit ${memory.entrySource.file}, or delete the entry with \`memctl entry delete\`.`,
    },
  )
}
