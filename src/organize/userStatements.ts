// What the person said that should outlast the session, as memories: preferences, rules, decisions, corrections, facts.
import { callCommand } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import { type Memory, type MemoryKind, type MemoryMap, newMemory } from '../model/memory.ts'
import type { SessionTask } from '../model/sessionTask.ts'
import type { Statement, StatementNumbers, StatementOrigin, StatementScope, StatementType } from '../model/statement.ts'
import { firstLine } from '../text/excerpt.ts'
import { type FoundStatement, findStatements } from '../text/statement/findStatements.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { deriveMemoryId } from './derivedId.ts'
import { toMemoryTable } from './memoryTable.ts'
import { listSpokenTexts, type SpokenText } from './spokenTexts.ts'
import { findSame, isSuperseded } from './supersededStatements.ts'
import { listTouchedFiles } from './taskFacts.ts'

const MAIN_BRANCHES = new Set(['main', 'master', 'develop', 'trunk'])
const FILES_MAX = 8

interface UserStatements {
  /** What was said in these tasks, each complete but not yet merged with what is known. */
  readonly said: readonly Memory[]
  /** Known statements that no longer hold. */
  readonly superseded: readonly Memory[]
}

/**
 * The statements of a session's tasks. The same subject again, with the same polarity, is the same memory; a later
 * statement that contradicts an earlier one supersedes it.
 */
export function extractUserStatements(
  tasks: readonly SessionTask[],
  known: MemoryMap,
  numbers: StatementNumbers,
): UserStatements {
  const standing = new Map(
    toMemoryTable(known)
      .listStatements()
      .map((memory) => [memory.id, memory]),
  )
  const said = new Map<MemoryId, Memory>()
  const superseded = new Map<MemoryId, Memory>()
  // An approved plan was written by the assistant: see planStatements.ts.
  for (const spoken of listSpokenTexts(tasks.flatMap((task) => task.events)).filter((text) => !text.context.isPlan)) {
    for (const found of findStatements(spoken.text, { ...spoken.context, answer: spoken.answer }, numbers)) {
      const memory = toMemory(found, spoken, tasks, findSame(found, standing.values()))
      const outdated = [...standing.values()].filter((other) => other.id !== memory.id && isSuperseded(other, found))
      for (const other of outdated) {
        const later = withSuccessor(other, memory)
        standing.delete(other.id)
        if (said.has(other.id)) said.set(other.id, later)
        else superseded.set(other.id, later)
      }
      said.set(memory.id, memory)
      superseded.delete(memory.id)
      standing.set(memory.id, memory)
    }
  }
  return { said: [...said.values()], superseded: [...superseded.values()] }
}

function toMemory(
  found: FoundStatement,
  spoken: SpokenText,
  tasks: readonly SessionTask[],
  same: Memory | undefined,
): Memory {
  const { event } = spoken
  const at = tasks.findIndex((task) => task.events.includes(event))
  const task = tasks[at]
  const branch = task?.prompt?.branch
  const scope = findScope(found, branch)
  // A decision is about the work around it; a preference or rule holds everywhere in its scope.
  const events = kindOf(found.type) === 'preference' ? [] : [...(tasks[at - 1]?.events ?? []), ...(task?.events ?? [])]
  const kind = kindOf(found.type)
  return newMemory({
    id: same?.id ?? deriveMemoryId('said', kind, extractTerms(found.content).join(' ') || found.content),
    kind,
    content: `${found.content}${describeRejected(spoken)}`,
    created: event.at,
    session: event.session,
    taskId: task?.id,
    role: event.role,
    files: listTouchedFiles(events).slice(0, FILES_MAX),
    branch: scope === 'person' ? undefined : branch,
    trust: 'user',
    tags: [found.type, ...(found.isBan ? ['ban'] : [])],
    events: [event.id],
    statement: {
      type: found.type,
      scope,
      strength: atLeast(found.strength, same?.statement?.strength),
      origin: originOf(spoken, found),
      short: found.short,
      subject: found.subject,
      reason: found.reason,
    },
  })
}

const kindOf = (type: StatementType): MemoryKind =>
  type === 'preference' || type === 'rule' ? 'preference' : 'decision'

/** What was said twice is at least as strong as before. */
const atLeast = (strength: Statement['strength'], before: Statement['strength'] = 1): Statement['strength'] =>
  before > strength ? before : strength

/** What holds only for now, or decides a detail of the work, belongs to the branch. */
function findScope({ scope, isInterim, type }: FoundStatement, branch: string | undefined): StatementScope {
  if (scope !== 'project' || branch === undefined || MAIN_BRANCHES.has(branch)) return scope
  return isInterim || type === 'decision' ? 'branch' : 'project'
}

function originOf({ event, context, answer }: SpokenText, { type, content }: FoundStatement): StatementOrigin {
  if (event.kind === 'call.failed') return 'rejection'
  if (context.isPlan === true) return 'plan'
  if (answer !== '' && content.includes('(in reply to: ')) return 'reply'
  return type === 'correction' || context.after === 'interruption' ? 'correction' : 'prompt'
}

/** The call that was rejected, where the reason means little without it. */
function describeRejected({ event, text }: SpokenText): string {
  if (event.kind !== 'call.failed' || text.length > 120) return ''
  const what = callCommand(event) || event.files[0]
  return what ? ` (rejected: ${event.tool} ${firstLine(what, 80)})` : ''
}

const withSuccessor = (memory: Memory, later: Memory): Memory => ({
  ...memory,
  status: 'archived',
  updated: later.created,
  ...(memory.statement && { statement: { ...memory.statement, supersededBy: later.id } }),
})
