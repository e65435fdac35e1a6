// The usefulness of a memory, separately for each moment: in how many sessions a moment showed it, and how surely it
// was used there. A note may be of no use at every start and still be right at a failure.
import type { MemoryId } from '../model/id.ts'
import type { RecallMoment } from '../model/recallQuery.ts'
import type { AttributedRecall } from './attribution.ts'
import { agreementOf } from './noteValue.ts'

export interface MomentUse {
  /** Sessions that showed it; at most COUNT_MAX, so that old ones lose weight. */
  readonly sessions: number
  /** The sum over these sessions of the confidence that it was used, each 0 to 1. */
  readonly used: number
  /** The time of the last recall that showed it, ISO. */
  readonly last: string
}

/** By memory and moment. What a user said, wrote or pinned is not counted: it is always shown. */
export type MomentUseTable = Readonly<Record<MemoryId, Readonly<Partial<Record<RecallMoment, MomentUse>>>>>

/** From this number of sessions on, each new session has the weight 1 / COUNT_MAX. */
const COUNT_MAX = 50

/** One session's verdict on one memory at one moment. */
interface SessionUse {
  readonly memory: MemoryId
  readonly moment: RecallMoment
  readonly at: string
  /** The greatest confidence of all its recalls in the session. */
  readonly used: number
}

/** The verdicts of one session, one for each memory and moment. Holdouts showed nothing. */
function listSessionUses(recalls: readonly AttributedRecall[]): SessionUse[] {
  const uses = new Map<string, SessionUse>()
  for (const { moment, at, withheld, memories } of recalls) {
    if (withheld) continue
    for (const attributed of memories) {
      const { memory, kind } = attributed
      if (kind === undefined) continue
      const key = `${moment} ${memory}`
      uses.set(key, { memory, moment, at, used: Math.max(agreementOf(attributed), uses.get(key)?.used ?? 0) })
    }
  }
  return [...uses.values()]
}

/** The table after one session. Entries of memories that do not exist any more are dropped. */
export function updateMomentUse(
  table: MomentUseTable,
  recalls: readonly AttributedRecall[],
  hasMemory: (id: MemoryId) => boolean,
): MomentUseTable {
  const uses = listSessionUses(recalls)
  if (uses.length === 0) return table
  const next: Record<string, Partial<Record<RecallMoment, MomentUse>>> = {}
  for (const [id, moments] of Object.entries(table)) if (hasMemory(id as MemoryId)) next[id] = moments
  for (const { memory, moment, at, used } of uses) {
    if (!hasMemory(memory)) continue
    const before = next[memory]?.[moment] ?? { sessions: 0, used: 0 }
    const kept = Math.min(1, (COUNT_MAX - 1) / Math.max(1, before.sessions))
    const after = { sessions: kept * before.sessions + 1, used: round(kept * before.used + used), last: at }
    next[memory] = { ...next[memory], [moment]: after }
  }
  return next
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000
