// What a team sees of a memory: the latest text among the machines that share it, and the counts of all.
import { AMOUNT_MAX } from '../model/strength.ts'
import type { TeamMark } from '../model/teamEvent.ts'
import { combineCounts, NO_COUNTS, type PutState, type TeamState } from './mergeOperation.ts'
import type { SharedFields, TotalCounts } from './operation.ts'
import { upgradeSharedFields } from './sharedKnowledge.ts'

export interface VisibleMemory {
  readonly fields: SharedFields
  /** The sums over all replicas. */
  readonly counts: TotalCounts
  /** A memory's id or `outdated`; null if it stands. */
  readonly supersededBy: string | null
  /** Without `own`, which differs between machines. */
  readonly mark: Omit<TeamMark, 'own'>
}

/** Undefined where nothing is to be seen: deleted, forgotten, or shared by nobody any more. */
export function visibleMemory(state: TeamState | undefined): VisibleMemory | undefined {
  const puts = Object.keys(state?.puts ?? {}).flatMap((replica) => activePut(state, replica) ?? [])
  const latest = puts.reduce<PutState | undefined>((best, put) => (best && best.at >= put.at ? best : put), undefined)
  if (latest === undefined) return undefined
  const { at } = latest
  const fields = upgradeSharedFields(latest.fields)
  // Whoever wrote this text first: another machine that met the same has it from them.
  const isSame = (put: PutState): boolean => put.fields.content === fields.content
  const { by } = puts.reduce((first, put) => (isSame(put) && put.at < first.at ? put : first), latest)
  return {
    fields,
    counts: sumCounts(state),
    supersededBy: state?.superseded?.by ?? null,
    mark: { by, people: new Set(puts.map((put) => put.by)).size, replicas: puts.length, at },
  }
}

/** The replica's version, unless it was withdrawn, or deleted by somebody whose deletion it did not know. */
export function activePut(state: TeamState | undefined, replica: string): PutState | undefined {
  const put = state?.puts?.[replica]
  if (put === undefined || put.n <= (state?.withdrawn?.[replica] ?? 0)) return undefined
  const isDeleted = state?.deleted !== undefined && state.deleted > (put.after ?? '')
  return isDeleted ? undefined : put
}

/** The counts of all replicas but `except`. In the order of the replicas, so that every machine has the same sum. */
export function sumCounts(state: TeamState | undefined, except?: string): TotalCounts {
  return Object.entries(state?.counts ?? {}).reduce<TotalCounts>(
    (sum, [replica, counts]) => (replica === except ? sum : combineCounts(sum, counts, add)),
    NO_COUNTS,
  )
}

/** A memory's counts are at most that. */
const add = (a: number, b: number): number => Math.min(AMOUNT_MAX, a + b)
