// The state of a memory in a team: what all its operations come to, in whatever order and however often they arrive.
//
// Each part merges by a maximum, so merging is commutative, associative and idempotent: puts and withdrawals by the
// highest `n` of their replica, counts by the highest of each replica, successor and deletion by the latest time.
import type { HybridTime, Operation, SharedCounts, SharedFields, TotalCounts } from './operation.ts'

/** Plain JSON, with sorted keys: the hub stores it. */
export interface TeamState {
  /** The latest version of each replica, by replica. */
  readonly puts?: Readonly<Record<string, PutState>> | undefined
  /** The `n` of each replica's latest withdrawal: its puts up to that one do not count. */
  readonly withdrawn?: Readonly<Record<string, number>> | undefined
  readonly counts?: Readonly<Record<string, SharedCounts>> | undefined
  readonly superseded?: { readonly at: HybridTime; readonly by: string | null } | undefined
  /** The time of the latest deletion. */
  readonly deleted?: HybridTime | undefined
  /** It was forgotten; then there is nothing else, and never will be. */
  readonly forgotten?: true | undefined
}

export interface PutState {
  readonly n: number
  readonly at: HybridTime
  readonly by: string
  readonly fields: SharedFields
  readonly after?: HybridTime | undefined
}

const FORGOTTEN: TeamState = { forgotten: true }

/** The state with one more operation of the same memory. `state` is undefined for the first. */
export function mergeOperation(state: TeamState | undefined, operation: Operation): TeamState {
  if (state?.forgotten === true) return state
  if (operation.kind === 'forget') return FORGOTTEN
  const { replica, n, at } = operation
  switch (operation.kind) {
    case 'put': {
      if (n <= (state?.puts?.[replica]?.n ?? 0)) return state ?? {}
      const { fields, by, after } = operation
      return { ...state, puts: withKey(state?.puts, replica, { n, at, by, fields, ...(after && { after }) }) }
    }
    case 'withdraw':
      if (n <= (state?.withdrawn?.[replica] ?? 0)) return state ?? {}
      return { ...state, withdrawn: withKey(state?.withdrawn, replica, n) }
    case 'count': {
      const counts = maxCounts(state?.counts?.[replica], operation.counts)
      return { ...state, counts: withKey(state?.counts, replica, counts) }
    }
    case 'supersede':
      if (at <= (state?.superseded?.at ?? '')) return state ?? {}
      return { ...state, superseded: { at, by: operation.memoryBy } }
    case 'delete':
      return at <= (state?.deleted ?? '') ? (state ?? {}) : { ...state, deleted: at }
  }
}

/** Whether the state has more with this operation: one that was merged before adds nothing. */
export const addsTo = (state: TeamState | undefined, operation: Operation): boolean =>
  JSON.stringify(mergeOperation(state, operation)) !== JSON.stringify(state)

export const NO_COUNTS: TotalCounts = {
  uses: 0,
  candidates: 0,
  impact: 0,
  meetings: 0,
  sessions: 0,
  met: 0,
  shown: 0,
  obeyed: 0,
  broken: 0,
}

/** Both counts, name by name. In earlier versions an entry was met in each of its sessions. */
export function combineCounts(
  a: SharedCounts,
  b: SharedCounts,
  combine: (a: number, b: number) => number,
): TotalCounts {
  return {
    uses: combine(a.uses, b.uses),
    candidates: combine(a.candidates, b.candidates),
    impact: roundImpact(combine(a.impact, b.impact)),
    meetings: combine(a.meetings, b.meetings),
    sessions: combine(a.sessions, b.sessions),
    met: combine(a.met ?? a.sessions, b.met ?? b.sessions),
    shown: combine(a.shown ?? 0, b.shown ?? 0),
    obeyed: combine(a.obeyed ?? 0, b.obeyed ?? 0),
    broken: combine(a.broken ?? 0, b.broken ?? 0),
  }
}

const maxCounts = (a: SharedCounts | undefined, b: SharedCounts): TotalCounts =>
  combineCounts(a ?? NO_COUNTS, b, Math.max)

/** Impacts have few decimals. Without their rounding errors a sum minus a summand is the other summand. */
const roundImpact = (value: number): number => Math.round(value * 1e6) / 1e6

/** A copy with this key, sorted. */
function withKey<Value>(
  values: Readonly<Record<string, Value>> | undefined,
  key: string,
  value: Value,
): Readonly<Record<string, Value>> {
  const entries = Object.entries({ ...values, [key]: value })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
