// Collect: what a machine has to tell the others, from its memories and what the team knows of them already.
//
//   own memories + states + what a person deleted ──▶ operations
//
// Rest: where nobody changed anything since the last operations were applied, there are none.
import { type EventId, type MemoryId, memoryIdFromBits } from '../model/id.ts'
import type { Memory, MemoryMap } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import { hash64 } from '../text/hash.ts'
import { nextHybridTime } from './hybridClock.ts'
import { combineCounts, NO_COUNTS, type TeamState } from './mergeOperation.ts'
import type { HybridTime, Operation, OperationBody, TotalCounts } from './operation.ts'
import { personName } from './sharedFields.ts'
import { type CleanText, canShare, countsOf, hasFields, readOwnFields, type SharePolicy } from './shareMemory.ts'
import { isSuccessor } from './successor.ts'
import { activePut, sumCounts, type VisibleMemory, visibleMemory } from './visibleMemory.ts'

/**
 * The states of a team's memories, by memory. A memory that is here although its state is `forgotten` was derived again
 * from what is not erased yet: it has to be erased too.
 */
export type TeamStates = ReadonlyMap<MemoryId, TeamState>

/** Who writes operations: one copy of a project's store. */
export interface TeamWriter {
  readonly replica: string
  /** The name shown to the team. */
  readonly name: string
  /** The `n` of the next operation: one more than the last that was published. */
  readonly nextN: number
}

export interface CollectInput {
  /** All memories of the project, after the published and received operations were applied. */
  readonly memories: MemoryMap
  readonly states: TeamStates
  /** What a person deleted here while the team had it, and no published operation deletes yet. */
  readonly deleted: Iterable<MemoryId>
  readonly policy: SharePolicy
  readonly writer: TeamWriter
  /** In milliseconds since 1970. */
  readonly now: number
  readonly cleanText: CleanText
}

/** A change without its number. */
interface Draft {
  readonly memory: MemoryId
  readonly at: HybridTime
  readonly body: OperationBody
}

/** The operations that bring the team up to date with this machine, numbered and in an order that can be published. */
export function collectOperations(input: CollectInput): Operation[] {
  const { memories, states, deleted, writer, now } = input
  const drafts: Draft[] = []
  for (const id of new Set(deleted)) {
    const visible = visibleMemory(states.get(id))
    if (visible === undefined || memories.has(id)) continue
    const at = nextHybridTime({ ms: now, after: visible.mark.at, replica: writer.replica })
    drafts.push({ memory: id, at, body: { kind: 'delete' } })
  }
  for (const memory of memories.values()) drafts.push(...collectMemory(memory, input))
  return numberOperations(drafts, writer)
}

/** Operations that make the team forget these memories for good. */
export function forgetOperations(ids: Iterable<MemoryId>, writer: TeamWriter, now: number): Operation[] {
  const at = nextHybridTime({ ms: now, after: undefined, replica: writer.replica })
  return numberOperations(
    [...new Set(ids)].map((memory) => ({ memory, at, body: { kind: 'forget' } })),
    writer,
  )
}

/** Operations that take back everything that this machine shares: it leaves the hub. */
export function leaveOperations(states: TeamStates, writer: TeamWriter, now: number): Operation[] {
  const at = nextHybridTime({ ms: now, after: undefined, replica: writer.replica })
  const drafts = [...states].flatMap(([memory, state]): Draft[] =>
    activePut(state, writer.replica) ? [{ memory, at, body: { kind: 'withdraw' } }] : [],
  )
  return numberOperations(drafts, writer)
}

function collectMemory(memory: Memory, input: CollectInput): Draft[] {
  const { policy, now, writer } = input
  const { replica } = writer
  const state = input.states.get(memory.id)
  if (state?.forgotten === true) return []
  // A change is as old as the memory says, so that what was changed first loses, whenever its machine syncs.
  const ms = Math.min(now, Date.parse(memory.updated))
  const draft = (body: OperationBody, after: HybridTime | undefined): Draft => ({
    memory: memory.id,
    at: nextHybridTime({ ms, after, replica }),
    body,
  })
  const own = activePut(state, replica)
  if (!canShare(memory, policy, state !== undefined)) return own ? [draft({ kind: 'withdraw' }, own.at)] : []
  const visible = visibleMemory(state)
  const counts = ownCounts(memory, state, replica)
  const hasMetIt = counts !== undefined && counts.sessions > (state?.counts?.[replica]?.sessions ?? 0)
  const needsPut = isChanged(memory, visible, input.cleanText) || (own === undefined && hasMetIt)
  const fields = needsPut ? readOwnFields(memory, input.cleanText) : undefined
  // What no machine may share, such as a text as a time, stays here.
  if (visible === undefined && fields === undefined) return []
  const drafts: Draft[] = []
  if (fields) {
    const by = personName(writer.name, { clips: true, cleanText: input.cleanText })
    const put = { kind: 'put', fields, by, ...(state?.deleted && { after: state.deleted }) } as const
    drafts.push(draft(put, latest(memory.team?.at, own?.at)))
  }
  if (counts) drafts.push(draft({ kind: 'count', counts }, undefined))
  const successor = memory.supersededBy ?? null
  if (successor !== (state?.superseded?.by ?? null) && isSuccessor(successor))
    drafts.push(draft({ kind: 'supersede', memoryBy: successor }, state?.superseded?.at))
  return drafts
}

/** Also what the team has and this machine made anew: it becomes the team's memory again when that is applied. */
const isChanged = (memory: Memory, visible: VisibleMemory | undefined, cleanText: CleanText): boolean =>
  visible === undefined || memory.team === undefined || !hasFields(memory, visible.fields, cleanText)

/** The totals of this machine alone if they have grown: what the memory has, without what the others counted. */
function ownCounts(memory: Memory, state: TeamState | undefined, replica: string): TotalCounts | undefined {
  const before = combineCounts(NO_COUNTS, state?.counts?.[replica] ?? NO_COUNTS, Math.max)
  const alone = combineCounts(countsOf(memory), sumCounts(state, replica), (all, others) => all - others)
  const after = combineCounts(before, alone, (a, b) => Math.min(AMOUNT_MAX, Math.max(a, b)))
  const hasGrown = Object.entries(after).some(([name, value]) => value > before[name as keyof TotalCounts])
  return hasGrown ? after : undefined
}

const latest = (a: HybridTime | undefined, b: HybridTime | undefined): HybridTime | undefined => {
  const last = (a ?? '') > (b ?? '') ? a : b
  return last === '' ? undefined : last
}

function numberOperations(drafts: readonly Draft[], { replica, nextN }: TeamWriter): Operation[] {
  return drafts.map(({ memory, at, body }, i) => {
    const unnamed = { replica, n: nextN + i, at, memory, ...body }
    const json = JSON.stringify(unnamed)
    const id = memoryIdFromBits([...hash64(json), ...hash64(`${json}\0operation`)]) as string as EventId
    return { id, ...unnamed }
  })
}
