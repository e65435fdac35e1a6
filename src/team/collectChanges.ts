// Collect: what a machine has to tell the team, from its memories and what it remembers of the team's rows.
//
// Rest: where nobody changed anything since the last exchange, there are no changes.
import type { MemoryId } from '../model/id.ts'
import { isAboutFailures } from '../model/knowledge.ts'
import type { Memory, MemoryMap } from '../model/memory.ts'
import { AMOUNT_MAX } from '../model/strength.ts'
import type { ApplySettings } from './applyRow.ts'
import { isSuccessor } from './checkRow.ts'
import { type CleanText, canShare, countsOf, hashMemory, isAsReceived, readOwnFields } from './shareMemory.ts'
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

export interface CompareInput extends ApplySettings {
  readonly entries: Pick<ReadonlyMap<MemoryId, TeamEntry>, 'get'>
}

export interface CollectInput extends CompareInput {
  /** The memories of the project, after what was received was applied. */
  readonly memories: Pick<MemoryMap, 'has'>
  /** Those of them that the team has, or that are of a kind that it shares. */
  readonly candidates: readonly Memory[]
  /** What a person deleted here while the team had it, and the hub does not know yet. */
  readonly deleted: Iterable<MemoryId>
  /** What a person has forgotten here, and the hub does not know yet. */
  readonly forgotten: Iterable<MemoryId>
}

/** Bytes of a text as JSON; a longer one stays here. The hub refuses more, so that a page of rows has a limit. */
const ROW_BYTES_MAX = 65_536

/** What the team has to know of one memory. */
export interface MemoryChange {
  readonly memory: MemoryId
  readonly row?: RowChange | undefined
  readonly count?: CountChange | undefined
  readonly isWithdrawn?: boolean
}

/** These changes as the hub takes them. */
export const toTeamChanges = (changes: readonly MemoryChange[]): TeamChanges => ({
  rows: changes.flatMap(({ row }) => row ?? []),
  counts: changes.flatMap(({ count }) => count ?? []),
  withdrawn: changes.flatMap(({ memory, isWithdrawn }) => (isWithdrawn ? memory : [])),
})

/** The changes that bring the team up to date with this machine. */
export function collectChanges(input: CollectInput): readonly MemoryChange[] {
  const { memories, entries } = input
  const gone = (memory: MemoryId, state: 'deleted' | 'forgotten'): MemoryChange => {
    const base = entries.get(memory)?.revision ?? 0
    return { memory, row: { memory, state, base, successor: null, seen: '' } }
  }
  const deleted = [...input.deleted].filter((id) => !memories.has(id) && entries.get(id)?.state === 'active')
  return [
    ...Array.from(input.forgotten, (id) => gone(id, 'forgotten')),
    ...deleted.map((id) => gone(id, 'deleted')),
    ...input.candidates.flatMap((memory) => compareMemory(memory, input) ?? []),
  ]
}

/** Whether a memory differs from what the team has of it. Searches no text for secrets. */
export const isUnsent = (memory: Memory, input: CompareInput): boolean =>
  compareMemory(memory, input, (each) => readOwnFields(each, (text) => text)) !== undefined

function compareMemory(
  memory: Memory,
  { entries, policy, cleanText }: CompareInput,
  readFields: typeof readOwnFields = readShortFields,
): MemoryChange | undefined {
  const { id } = memory
  const entry = entries.get(id)
  if (entry?.state === 'forgotten' || isAsReceived(memory, entry)) return undefined
  if (!canShare(memory, policy, entry?.state === 'active'))
    return entry?.own ? { memory: id, isWithdrawn: true } : undefined
  // Nearly every memory is as it was sent or received: then nothing has to be redacted.
  const seen = hashMemory(memory, cleanText)
  const successor = memory.supersededBy ?? null
  const isNew = entry?.state !== 'active'
  const isReplaced = successor !== (entry?.successor ?? null) && (successor === null || isSuccessor(successor))
  const isChanged = isNew || seen !== entry.seen
  const kept = isReplaced ? successor : (entry?.successor ?? null)
  const isWaiting = entry?.waiting === waitingMark(seen, kept)
  const fields = (isChanged || isReplaced) && !isWaiting ? readFields(memory, cleanText) : undefined
  // What no machine may share, such as a text as a time, stays here.
  if (isNew && fields === undefined) return undefined
  const counts = ownCounts(memory, entry)
  const grown = COUNT_NAMES.filter((name) => (counts[name] ?? 0) > (entry?.sent[name] ?? 0))
  // A teammate's lesson has been met here; that a rule came up does not mean that this person has said it.
  const isFailure = memory.knowledge !== undefined && isAboutFailures(memory.knowledge)
  const hasMetIt = grown.includes('sessions') || (isFailure && grown.includes('met'))
  const own = entry?.own === true || isChanged || hasMetIt
  const base = entry?.revision ?? 0
  // What nobody has accepted yet has no counts on the hub.
  const isCounted = (!isWaiting || base > 0) && (grown.length > 0 || own !== (entry?.own ?? false))
  const row = fields && ({ memory: id, base, state: 'active', fields, successor: kept, seen } as const)
  return row || isCounted ? { memory: id, row, count: isCounted ? { memory: id, counts, own } : undefined } : undefined
}

function readShortFields(memory: Memory, cleanText?: CleanText): RowChange['fields'] {
  const fields = readOwnFields(memory, cleanText)
  return fields && Buffer.byteLength(JSON.stringify(fields)) <= ROW_BYTES_MAX ? fields : undefined
}

/** The totals of this machine alone: what the memory has, without what the others counted. */
function ownCounts(memory: Memory, entry: TeamEntry | undefined): Counts {
  const alone = combineCounts(countsOf(memory), entry?.others ?? {}, (all, others) => all - others)
  return combineCounts(alone, entry?.sent ?? {}, (a, b) => Math.min(AMOUNT_MAX, Math.max(a, b)))
}
