// Collect: what a machine has to tell the team, from its memories and what it remembers of the team's rows.
//
// Rest: where nobody changed anything since the last exchange, there are no changes.
import type { MemoryId } from '../model/id.ts'
import type { Memory, MemoryMap } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import { isSuccessor } from './checkRow.ts'
import { type CleanText, canShare, countsOf, hashMemory, readOwnFields, type SharePolicy } from './shareMemory.ts'
import {
  COUNT_NAMES,
  type CountChange,
  type Counts,
  combineCounts,
  type RowChange,
  type TeamChanges,
  type TeamEntry,
  waitingMark,
} from './teamRow.ts'

export interface CollectInput {
  /** The memories of the project, after what was received was applied. */
  readonly memories: Pick<MemoryMap, 'has'>
  /** Those of them that the team has, or that are of a kind that it shares. */
  readonly candidates: readonly Memory[]
  readonly entries: ReadonlyMap<MemoryId, TeamEntry>
  /** What a person deleted here while the team had it, and the hub does not know yet. */
  readonly deleted: Iterable<MemoryId>
  /** What a person has forgotten here, and the hub does not know yet. */
  readonly forgotten: Iterable<MemoryId>
  readonly policy: SharePolicy
  readonly cleanText: CleanText
}

/** Bytes of a text as JSON; a longer one stays here. The hub refuses more, so that a page of rows has a limit. */
const ROW_BYTES_MAX = 65_536

/** The changes that bring the team up to date with this machine. */
export function collectChanges(input: CollectInput): TeamChanges {
  const { memories, entries } = input
  const gone = (memory: MemoryId, state: 'deleted' | 'forgotten'): RowChange => {
    const base = entries.get(memory)?.revision ?? 0
    return { memory, state, base, successor: null, seen: '' }
  }
  const deleted = [...input.deleted].filter((id) => !memories.has(id) && entries.get(id)?.state === 'active')
  const found = input.candidates.map((memory) => collectMemory(memory, input))
  return {
    rows: [
      ...[...input.forgotten].map((id) => gone(id, 'forgotten')),
      ...deleted.map((id) => gone(id, 'deleted')),
      ...found.flatMap(({ row }) => row ?? []),
    ],
    counts: found.flatMap(({ count }) => count ?? []),
    withdrawn: found.flatMap(({ withdrawn }) => withdrawn ?? []),
  }
}

interface Found {
  readonly row?: RowChange
  readonly count?: CountChange
  readonly withdrawn?: MemoryId
}

function collectMemory(memory: Memory, { entries, policy, cleanText }: CollectInput): Found {
  const { id } = memory
  const entry = entries.get(id)
  if (entry?.state === 'forgotten') return {}
  if (!canShare(memory, policy, entry?.state === 'active')) return entry?.own ? { withdrawn: id } : {}
  // Nearly every memory is as it was sent or received: then nothing has to be redacted.
  const seen = hashMemory(memory, cleanText)
  const successor = memory.supersededBy ?? null
  const isNew = entry?.state !== 'active'
  const isReplaced = successor !== (entry?.successor ?? null) && (successor === null || isSuccessor(successor))
  const isChanged = isNew || seen !== entry.seen
  const kept = isReplaced ? successor : (entry?.successor ?? null)
  const isWaiting = entry?.waiting === waitingMark(seen, kept)
  const fields = (isChanged || isReplaced) && !isWaiting ? readShortFields(memory, cleanText) : undefined
  // What no machine may share, such as a text as a time, stays here.
  if (isNew && fields === undefined) return {}
  const counts = ownCounts(memory, entry)
  const hasMetIt = (counts.sessions ?? 0) > (entry?.sent.sessions ?? 0)
  const own = entry?.own === true || isChanged || hasMetIt
  const hasGrown = COUNT_NAMES.some((name) => (counts[name] ?? 0) > (entry?.sent[name] ?? 0))
  const base = entry?.revision ?? 0
  // What nobody has accepted yet has no counts on the hub.
  const isCounted = !isWaiting || base > 0
  return {
    ...(fields && { row: { memory: id, base, state: 'active', fields, successor: kept, seen } }),
    ...(isCounted && (hasGrown || own !== (entry?.own ?? false)) && { count: { memory: id, counts, own } }),
  }
}

function readShortFields(memory: Memory, cleanText: CleanText): RowChange['fields'] {
  const fields = readOwnFields(memory, cleanText)
  return fields && Buffer.byteLength(JSON.stringify(fields)) <= ROW_BYTES_MAX ? fields : undefined
}

/** The totals of this machine alone: what the memory has, without what the others counted. */
function ownCounts(memory: Memory, entry: TeamEntry | undefined): Counts {
  const alone = combineCounts(countsOf(memory), entry?.others ?? {}, (all, others) => all - others)
  return combineCounts(alone, entry?.sent ?? {}, (a, b) => Math.min(AMOUNT_MAX, Math.max(a, b)))
}
