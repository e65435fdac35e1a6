// What learning has to go by: the contributions of recalls, and the experiment with holdouts.
import {
  type AttributedMemory,
  type AttributedRecall,
  attributeRecalls,
  UNUSED_COST,
} from '../../improve/attribution.ts'
import {
  ARM_RECALLS_MIN,
  EMPTY_HOLDOUT_STATS,
  estimateEffects,
  type HoldoutEffect,
  selectCurrent,
} from '../../improve/experiment.ts'
import { ANSWER_CONFIDENCE_MAX } from '../../improve/usageCredit.ts'
import { CONTRIBUTION_WEIGHTS } from '../../model/contribution.ts'
import type { SessionId } from '../../model/id.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { findShownMemories, listNewAttributions } from '../projection/improveReducer.ts'
import { findProvisional } from '../projection/openSessions.ts'
import { applyLogTail, loadProjection, readLearner } from '../projection/projectionFiles.ts'
import { findMemoryByPrefix, findSessionByPrefix, mayShow } from './browse.ts'

// Reports the contributions of recalls, of one memory or one session. They are final once a session is organized. Those
// of an open session are provisional and computed for the report, because the Stop hook only records.

export interface RecallVerdict extends Omit<AttributedMemory, 'features'> {
  readonly recall: AttributedRecall['recall']
  readonly session: SessionId | null
  readonly moment: AttributedRecall['moment']
  readonly at: string
  readonly withheld: boolean
  /** Its session is open: later events of its task may change it. */
  readonly provisional: boolean
  /** The memory's content; empty if the memory was deleted. */
  readonly content: string
}

export type ContributionReport = ReturnType<typeof reportContribution>

/** The verdicts on the memory, or the session, with an id that begins with `prefix`, oldest first. Throws NOT_FOUND. */
export function reportContribution(store: Store, of: 'memory' | 'session', prefix: string) {
  const memory = of === 'memory' ? findMemoryByPrefix(store, prefix) : undefined
  const session = of === 'session' ? findSessionByPrefix(store, prefix) : undefined
  const isWanted = (verdict: RecallVerdict): boolean =>
    memory ? verdict.memory === memory.id : verdict.session === session
  const loaded = loadProjection(store)
  applyLogTail(store, loaded) // Only in this process: a report writes nothing.
  const { memories, sessions, baselines, judged: attributed } = loaded.projection
  const open = [...sessions.values()].flatMap((session) => {
    if (session.improved) return []
    const shown = findShownMemories(loaded.projection, session.pending)
    return listNewAttributions(session, attributeRecalls(session.pending, shown, baselines))
  })
  const provisionalMemories = findProvisional(loaded)
  const toVerdicts = (recalls: readonly AttributedRecall[], provisional: boolean): RecallVerdict[] =>
    recalls.flatMap(({ recall, session = null, moment, at, withheld, memories: all }) => {
      return all.flatMap(({ features: _features, ...verdict }) => {
        const shown = memories.get(verdict.memory) ?? provisionalMemories.get(verdict.memory)
        if (shown && !mayShow(store, shown)) return []
        const content = shown?.content ?? ''
        return { ...verdict, recall, session, moment, at, withheld, provisional, content }
      })
    })
  return {
    verdicts: [...toVerdicts(attributed, false), ...toVerdicts(open, true)].filter(isWanted),
    weights: CONTRIBUTION_WEIGHTS,
    /** What a shown memory that was not used costs. */
    unusedCost: UNUSED_COST,
    /** What answers alone can prove, 0 to 1, where no question was asked. */
    answerConfidenceMax: ANSWER_CONFIDENCE_MAX,
    /** The memory's totals over all its recalls; null in the report of a session. */
    help: memory?.help ?? null,
  }
}

export type { HoldoutEffect }

export type ExperimentReport = ReturnType<typeof readExperimentReport>

const METHOD =
  'Recalls drawn by their id, shown against withheld, up to the next prompt. ' +
  'Rates and calls: difference of means. Time: ratio of geometric means. ' +
  'Intervals from 2,000 new draws of the holdouts, 95 % for all four together.'

/** The effects at the holdout probability with the most holdouts. Sessions that are not organized yet are left out. */
export function readExperimentReport(store: Store) {
  const { trials = {} } = readLearner(store)
  const statsByShare = Object.entries(selectCurrent(trials))
  const shareNow = readActivePolicy(store).policy.recall.withholdShare
  const [share, stats] = statsByShare.sort(([, a], [, b]) => b.withheld.n - a.withheld.n)[0] ?? [
    String(shareNow),
    EMPTY_HOLDOUT_STATS,
  ]
  return {
    /** The probability of a holdout in the reported recalls. Recalls with another one are counted separately. */
    holdoutShare: Number(share),
    holdoutShareNow: shareNow,
    shown: stats.shown.n,
    withheld: stats.withheld.n,
    /** Recalls that each arm needs before effects are estimated. */
    neededPerArm: ARM_RECALLS_MIN,
    /** Null if an arm has fewer. */
    effects: estimateEffects(stats) ?? null,
    method: METHOD,
  }
}
