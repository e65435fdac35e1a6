// Apply: the memory of this machine after an operation, its own or another's, has changed the team's state of it.
//
// Rules. A change made here that no operation has yet is kept: the next collect publishes it. Everything else becomes
// what the team sees. Strength, help, importance and the ids of sessions and calls are this machine's own.
import type { MemoryId } from '../model/id.ts'
import { type Knowledge, type KnowledgeState, newKnowledgeRecord } from '../model/knowledge.ts'
import { type Memory, newMemory } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import { nextHybridTime } from './hybridClock.ts'
import { combineCounts, type TeamState } from './mergeOperation.ts'
import type { HybridTime, SharedFields, SharedKnowledge, TotalCounts } from './operation.ts'
import { upgradeSharedFields } from './sharedKnowledge.ts'
import { type CleanText, canShare, countsOf, hasFields, type SharePolicy } from './shareMemory.ts'
import { activePut, sumCounts, type VisibleMemory, visibleMemory } from './visibleMemory.ts'

export interface ApplyInput {
  readonly id: MemoryId
  /** The memory here; undefined if there is none. */
  readonly local: Memory | undefined
  /** The state before the operation, with which `local` agrees; undefined for the memory's first one. */
  readonly before: TeamState | undefined
  readonly after: TeamState
  /** A person deleted it here, and no operation says so yet (`CollectInput.deleted`). */
  readonly isDeleted: boolean
  readonly settings: ApplySettings
}

export interface ApplySettings {
  readonly replica: string
  readonly policy: SharePolicy
  readonly cleanText: CleanText
}

/** The memory as it is to be stored; undefined if it is to be removed, or stays absent. */
export function applyTeamState(input: ApplyInput): Memory | undefined {
  const { id, local, before, after, settings } = input
  if (after.forgotten === true) return undefined
  const visible = visibleMemory(after)
  if (local === undefined) return visible && !input.isDeleted ? newTeamMemory(id, visible, input) : undefined
  // The same text, as in a copied store: nothing is pending.
  const isSame = visible !== undefined && hasFields(local, visible.fields, settings.cleanText)
  const isPending = !isSame && hasPendingText(local, input)
  if (isPending && !canShare(local, settings.policy, true)) return local
  if (visible === undefined) {
    const isNewlyDeleted = after.deleted !== before?.deleted
    const isOnlyReceived = local.team?.own === false && !isPending
    return isNewlyDeleted || isOnlyReceived ? undefined : local
  }
  const counts = mergeCounts(local, input)
  const text = isPending ? local : withFields(local, visible, settings)
  const own = activePut(after, settings.replica) !== undefined
  const at = isPending ? (local.team?.at ?? '') : visible.mark.at
  return withSuccessor({ ...withCounts(text, counts), team: { ...visible.mark, own, at } }, mergedSuccessor(input))
}

/** A memory that was stored as a whole, and what was known then. */
interface Adopted {
  readonly memory: Memory
  readonly state: TeamState | undefined
  /** The version of the memory that it replaces (`team.at`); undefined if there was none. */
  readonly version: HybridTime | undefined
}

/** A memory that was stored as a whole, as a change of what the team sees: it keeps that version, and the counts. */
export function adoptMemory({ memory, state, version }: Adopted, settings: ApplySettings): Memory {
  const visible = visibleMemory(state)
  if (state === undefined || visible === undefined) return memory.team ? { ...memory, team: undefined } : memory
  const own = activePut(state, settings.replica) !== undefined
  const local = { ...memory, team: { ...visible.mark, own, at: version ?? visible.mark.at } }
  const input = { id: memory.id, local, before: state, after: state, isDeleted: false, settings }
  return applyTeamState(input) ?? memory
}

/**
 * The memory after its machine has left the hub; undefined if it was only received. What the others counted is taken
 * off, so that joining again does not count it twice.
 */
export function leaveTeam(local: Memory, state: TeamState | undefined, settings: ApplySettings): Memory | undefined {
  if (local.team === undefined) return local
  const visible = visibleMemory(state)
  const isChanged = visible === undefined || !hasFields(local, visible.fields, settings.cleanText)
  if (!local.team.own && !isChanged) return undefined
  const own = combineCounts(countsOf(local), sumCounts(state, settings.replica), (all, others) =>
    Math.max(0, all - others),
  )
  return { ...withCounts(local, own), team: undefined }
}

/** Whether the text was changed here since the last operation, and is in none of this machine's. */
function hasPendingText(local: Memory, { before, after, settings }: ApplyInput): boolean {
  const seen = visibleMemory(before)
  if (seen && hasFields(local, seen.fields, settings.cleanText)) return false
  const published = after.puts?.[settings.replica]
  const isNew = published !== undefined && published.n !== before?.puts?.[settings.replica]?.n
  return !(isNew && hasFields(local, upgradeSharedFields(published.fields), settings.cleanText))
}

/** What is here, and what the others have counted since; at least what all have counted together. */
function mergeCounts(local: Memory, { before, after, settings }: ApplyInput): TotalCounts {
  const { replica } = settings
  const added = combineCounts(sumCounts(after, replica), sumCounts(before, replica), (now, then) => now - then)
  const here = combineCounts(countsOf(local), added, (a, b) => Math.min(AMOUNT_MAX, a + b))
  return combineCounts(here, sumCounts(after), Math.max)
}

function withCounts(memory: Memory, counts: TotalCounts): Memory {
  const { uses, candidates, impact, meetings, sessions, ...met } = counts
  const { knowledge } = memory
  return {
    ...memory,
    accessCount: uses,
    candidateCount: candidates,
    impactScore: impact,
    meetings,
    sessionCount: sessions,
    ...(knowledge && { knowledge: { ...knowledge, record: { ...knowledge.record, ...met } } }),
  }
}

/** What replaced it: a change made here counts if it is the later one. */
function mergedSuccessor({ local, before, after, settings }: ApplyInput): string | null {
  const [seen, now] = [before?.superseded, after.superseded]
  const here = local?.supersededBy ?? null
  if (here === (seen?.by ?? null)) return now?.by ?? null
  if (local === undefined || now === undefined || now.at === seen?.at) return here
  const at = nextHybridTime({ ms: Date.parse(local.updated), after: seen?.at, replica: settings.replica })
  return at > now.at ? here : now.by
}

function withSuccessor(memory: Memory, successor: string | null): Memory {
  const { knowledge, supersededBy = null } = memory
  if (supersededBy === successor) return memory
  const state: KnowledgeState = successor === null ? 'standing' : 'superseded'
  return {
    ...memory,
    status: successor === null ? 'active' : 'archived',
    supersededBy: successor ?? undefined,
    ...(knowledge && { knowledge: { ...knowledge, state } }),
  }
}

function newTeamMemory(id: MemoryId, visible: VisibleMemory, { after, settings }: ApplyInput): Memory {
  const { fields, counts, mark } = visible
  const { knowledge: _, ...plain } = fields
  const memory = withFields(newMemory({ ...plain, id }), visible, settings)
  const own = activePut(after, settings.replica) !== undefined
  return withSuccessor({ ...withCounts(memory, counts), team: { ...mark, own } }, visible.supersededBy)
}

/** Absent where the version has none. */
const OPTIONAL_FIELDS: Partial<SharedFields> = Object.fromEntries(
  ['commandShape', 'errorSignature', 'branch', 'scopeDomain', 'provenance', 'expires', 'searchOnly'].map((field) => [
    field,
    undefined,
  ]),
)

function withFields(local: Memory, visible: VisibleMemory, settings: ApplySettings): Memory {
  const { importance: _, updated, knowledge, ...fields } = visible.fields
  return {
    ...local,
    ...OPTIONAL_FIELDS,
    ...fields,
    // A vector that a caller supplied is one of the text before.
    ...(fields.content === local.content ? {} : { embedding: undefined }),
    // The same version: `updated` may have changed with what is not shared.
    updated: local.team?.at === visible.mark.at ? local.updated : updated,
    knowledge: knowledge && withOwnRecord(knowledge, visible, { own: local.knowledge, replica: settings.replica }),
  }
}

/** The team's text with this machine's record of it. The machine that wrote it says who its author is. */
function withOwnRecord(
  shared: SharedKnowledge,
  { counts, fields, mark }: VisibleMemory,
  { own, replica }: { readonly own: Knowledge | undefined; readonly replica: string },
): Knowledge {
  const isOwnText = own !== undefined && (own.line === shared.line || mark.at.endsWith(`-${replica}`))
  return {
    ...shared,
    author: isOwnText ? own.author : 'teammate',
    state: stateOf(shared, own, counts.sessions),
    record: own?.record ?? newKnowledgeRecord(fields.updated, undefined),
  }
}

/** What a person wants stands at once; what calls have shown stands when it was met in two sessions of the team. */
function stateOf(shared: SharedKnowledge, own: Knowledge | undefined, sessions: number): KnowledgeState {
  if (own?.state === 'superseded') return 'superseded'
  if (shared.state === 'retired') return 'retired'
  const isWanted = shared.quote !== undefined || shared.asked === true
  return isWanted || own?.state === 'standing' || sessions > 1 ? 'standing' : 'proposed'
}
