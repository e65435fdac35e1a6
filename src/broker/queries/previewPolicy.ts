// The last sessions again under another policy: which of the notes that were found would have been shown. Works from
// the recalls in the log and changes nothing.
//
// A logged recall has the features of what was shown, and of the best memory that only the limits left out. What
// another policy would have found besides is not known.
import { exceedsBudget, isBudgetFull } from '../../model/contextBudget.ts'
import type { EventOf } from '../../model/event.ts'
import { eventTimeMs } from '../../model/event.ts'
import { findExcludedMemories } from '../../model/exclusion.ts'
import type { MemoryId } from '../../model/id.ts'
import { isUserRequested, type Memory } from '../../model/memory.ts'
import { type Policy, selectRankingModel } from '../../model/policy.ts'
import { computeScore } from '../../model/rankingScore.ts'
import { RECALL_MOMENTS, type RecallMoment, UNRANKED_FEATURE } from '../../model/recallQuery.ts'
import { readLog } from '../../store/log/readLog.ts'
import { estimateTokens } from '../../text/tokenCount.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'

/** The notes of one moment. Tokens are those of the memories' texts. */
export interface MomentPreview {
  readonly moment: RecallMoment
  readonly recalls: number
  readonly shown: number
  readonly shownTokens: number
  readonly wouldShow: number
  readonly wouldTokens: number
}

/** A memory that would appear or disappear at a moment, and in how many recalls. */
export interface NoteChange {
  readonly memory: MemoryId
  readonly moment: RecallMoment
  readonly times: number
  readonly content: string
}

export interface PolicyPreview {
  readonly policy: string
  /** The sessions with recalls. */
  readonly sessions: number
  /** Only moments with recalls. */
  readonly moments: readonly MomentPreview[]
  /** The most frequent first. */
  readonly appear: readonly NoteChange[]
  readonly disappear: readonly NoteChange[]
}

type RecalledEvent = EventOf<'recalled'>

/** What `policy` would have shown in the latest `sessions` sessions. Deleted memories are left out. */
export function previewPolicy(store: Store, policy: Policy, sessions: number): PolicyPreview {
  const memories = openLiveStore(store).memories()
  const recalls = readLog(store.files, store.layout.events).events.flatMap((event) =>
    event.kind === 'recalled' && !event.withheld && !event.held ? [event] : [],
  )
  const latest = new Set([...new Set(recalls.map(({ session }) => session))].slice(-sessions))
  const results = recalls
    .filter(({ session }) => latest.has(session))
    .map((event) => {
      const before = event.shown.flatMap(({ memory }) => memories.get(memory) ?? [])
      return { moment: event.moment, before, after: selectNotes(event, memories, policy) }
    })
  const missing = (from: 'before' | 'after', to: 'before' | 'after') =>
    countChanges(
      results.flatMap((result) => {
        const ids = new Set(result[to].map(({ id }) => id))
        return result[from].flatMap((memory) => (ids.has(memory.id) ? [] : [{ memory, moment: result.moment }]))
      }),
    )
  return {
    policy: policy.name,
    sessions: latest.size,
    moments: RECALL_MOMENTS.flatMap((moment) => {
      const own = results.filter((result) => result.moment === moment)
      const [before, after] = [own.flatMap((result) => result.before), own.flatMap((result) => result.after)]
      if (own.length === 0) return []
      return [
        {
          moment,
          recalls: own.length,
          shown: before.length,
          shownTokens: sumTokens(before),
          wouldShow: after.length,
          wouldTokens: sumTokens(after),
        },
      ]
    }),
    appear: missing('after', 'before'),
    disappear: missing('before', 'after'),
  }
}

/** Of what the recall found, what this policy would show. Facts are not ranked: they stay, unless they are excluded. */
function selectNotes(event: RecalledEvent, memories: ReadonlyMap<MemoryId, Memory>, policy: Policy): Memory[] {
  const limits = policy.recall.moments[event.moment]
  const model = selectRankingModel(policy.recall, event.moment)
  const excluded = findExcludedMemories(policy.recall.exclusions, { moment: event.moment, now: eventTimeMs(event) })
  const found = (event.next ? [...event.shown, event.next] : event.shown).flatMap(({ memory: id, features }) => {
    const memory = memories.get(id)
    if (!memory || (excluded.has(id) && !isUserRequested(memory))) return []
    return [{ memory, isRanked: !(UNRANKED_FEATURE in features), score: computeScore(features, model) }]
  })
  const facts = found.flatMap(({ memory, isRanked }) => (isRanked ? [] : [memory]))
  const ranked = found
    .filter(({ isRanked, score, memory }) => isRanked && score >= limits.scoreMin && limits.kinds.includes(memory.kind))
    .sort((a, b) => b.score - a.score)
  const shown: Memory[] = []
  let tokens = 0
  for (const { memory } of ranked) {
    if (isBudgetFull(shown.length, limits)) break
    // A start renders short forms of its notes, so their length there is not known.
    const cost = event.moment === 'start' ? 0 : estimateTokens(memory.content)
    if (exceedsBudget(cost, shown.length, tokens, limits.budgetTokens)) continue
    tokens += cost
    shown.push(memory)
  }
  return [...facts, ...shown]
}

const sumTokens = (memories: readonly Memory[]): number =>
  memories.reduce((total, { content }) => total + estimateTokens(content), 0)

function countChanges(changes: readonly { readonly memory: Memory; readonly moment: RecallMoment }[]): NoteChange[] {
  const counts = new Map<string, NoteChange>()
  for (const { memory, moment } of changes) {
    const key = `${moment} ${memory.id}`
    const times = (counts.get(key)?.times ?? 0) + 1
    counts.set(key, { memory: memory.id, moment, times, content: memory.content })
  }
  return [...counts.values()].sort((a, b) => b.times - a.times || (a.memory < b.memory ? -1 : 1))
}
