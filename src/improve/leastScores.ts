// What is learned of a policy: one least score, and a number of notes (top-k), for each moment. A note that scores
// less, or that comes after as many notes, is not shown there.
//
// A stricter limit leaves out notes, so its advantage in a recall is minus what those notes were worth. A learned limit
// is active only while the lower bound of its advantage over the configured one, on this project's own recalls, is
// above 0. `computeAdvantage` decides that, and its result is the logged evidence.
import { type LearnedPolicy, MOMENT_RANGES, type Policy } from '../model/policy.ts'
import { computeScore, selectRankingModel } from '../model/rankingScore.ts'
import {
  LEARNED_MOMENTS,
  type LearnedMoment,
  leastScorePath,
  type RecallMoment,
  topKPath,
  UNRANKED_FEATURE,
} from '../model/recallQuery.ts'
import { type AttributedMemory, type AttributedRecall, UNUSED_COST } from './attribution.ts'
import { type ConfidenceBound, computeConfidenceBound, mean, sum } from './statistics.ts'
import { USED_THRESHOLD, type UsageSignal } from './usageSignals.ts'

/** One recall's notes in the order in which they were shown, as far as a limit may leave them out. */
export interface ScoredRecall {
  readonly session: string
  readonly notes: readonly {
    readonly memory: string
    readonly score: number
    /** What it was worth, less what its tokens cost. */
    readonly value: number
  }[]
}

/** Which notes of a moment are shown: those from a score on, at most so many. */
type Limits = Readonly<{ scoreMin: number; topK: number }>

/** How much better one limit is than another one, and the distinct notes that only one of the two shows. */
type Advantage = ConfidenceBound & { readonly notes: number }

/** How many of the latest judged recalls learning uses, and are kept: the work of some weeks. */
export const GUARD_WINDOW = 400

/** Different notes that a learned limit must leave out: with fewer it would be about these notes. */
export const NOTES_MIN = 12

/** Least scores that are compared at most: among more of them one would look good by chance. */
const CANDIDATES_MAX = 20

/**
 * The least value of the note that one more session is assumed to lose. Without it a few notes that happen to have no
 * traces would be certain evidence, because they do not differ at all.
 */
const ASSUMED_LOSS_MIN = 1

/** The least scores that the latest recalls speak for; undefined if nothing changes. */
export function learnLeastScores(recalls: readonly AttributedRecall[], configured: Policy, learned: LearnedPolicy) {
  const values: Record<string, number> = {}
  const evidence: Record<string, unknown> = {}
  const reasons: string[] = []
  const valued = valueNotes(recalls.slice(-GUARD_WINDOW), configured.improve.excludeBelow)
  for (const moment of LEARNED_MOMENTS) {
    const own = listScoredRecalls(valued, moment, configured)
    const learn = (path: string, name: keyof Limits, from: Limits, candidates: readonly number[]): Limits => {
      const known = learned.values[path]
      const isStricter = known !== undefined && (name === 'topK' ? known < from.topK : known > from.scoreMin)
      const before = isStricter ? known : undefined
      const value = learnLimit({ recalls: own, from, name, candidates, before })
      if (value !== undefined) values[path] = value
      if (value !== before) {
        reasons.push(describeChange(moment, name, value))
        const compared = { ...from, [name]: value ?? before ?? from[name] }
        evidence[name === 'topK' ? `${moment}.topK` : moment] = describeAdvantage(computeAdvantage(own, from, compared))
      }
      return { ...from, ...(value !== undefined && { [name]: value }) }
    }
    const { scoreMin, topK } = configured.recall.moments[moment]
    const all = { scoreMin, topK: Number.POSITIVE_INFINITY }
    const from = learn(leastScorePath(moment), 'scoreMin', all, listScores(own, scoreMin))
    learn(topKPath(moment), 'topK', { ...from, topK }, listCounts(own, topK))
  }
  if (isSame(values, learned.values)) return undefined
  return { values, reason: reasons.join('; ') || 'dropped the numbers that an earlier version learned', evidence }
}

const isSame = (a: LearnedPolicy['values'], b: LearnedPolicy['values']): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((path) => a[path] === b[path])

function describeChange(moment: LearnedMoment, name: keyof Limits, value: number | undefined): string {
  if (value === undefined) return `${moment}: rolled back, no longer surely better than the configured policy`
  if (name === 'topK') return `${moment}: notes after the first ${value} were hardly of use`
  return `${moment}: notes that score less than ${value} were hardly of use`
}

const describeAdvantage = ({ recalls, notes, mean, lower }: Advantage): Readonly<Record<string, number>> => ({
  recalls,
  notes,
  advantage: round(mean),
  // Recalls of one session give no bound, and JSON has no infinity.
  ...(Number.isFinite(lower) && { lowerBound: round(lower) }),
})

const round = (value: number): number => Math.round(value * 10_000) / 10_000

/** The shown notes of a moment with their scores under the configured weights. */
function listScoredRecalls(
  recalls: readonly AttributedRecall[],
  moment: LearnedMoment,
  configured: Policy,
): ScoredRecall[] {
  const model = selectRankingModel(configured.recall, moment)
  return recalls
    .filter((recall) => recall.moment === moment && !recall.withheld)
    .map(({ session, recall, memories }) => ({
      session: session ?? recall,
      notes: memories.filter(isGoverned).map(({ memory, features, contribution }) => ({
        memory,
        score: computeScore(features, model),
        value: contribution,
      })),
    }))
    .filter(({ notes }) => notes.length > 0)
}

interface LimitEvidence {
  readonly recalls: readonly ScoredRecall[]
  readonly from: Limits
  /** Which of the two limits is learned, the values to compare, and its learned value before. */
  readonly name: keyof Limits
  readonly candidates: readonly number[]
  readonly before: number | undefined
}

/** The active value while it is surely better than `from`, unless another one is surely better than both. */
function learnLimit({ recalls, from, name, candidates, before }: LimitEvidence): number | undefined {
  const compare = (value: number, than: number): Advantage =>
    computeAdvantage(recalls, { ...from, [name]: than }, { ...from, [name]: value })
  const kept = before !== undefined && isSure(compare(before, from[name])) ? before : undefined
  const [best] = candidates
    .map((value) => ({ value, advantage: compare(value, from[name]) }))
    .filter(({ advantage }) => isSure(advantage))
    .sort((a, b) => b.advantage.lower - a.advantage.lower)
  if (best === undefined || (kept !== undefined && !isSure(compare(best.value, kept)))) return kept
  return best.value
}

/** The guard. */
const isSure = ({ lower, notes }: Advantage): boolean => lower > 0 && notes >= NOTES_MIN

/** Scores of shown notes, evenly spread; the greatest leaves only the best notes. */
function listScores(recalls: readonly ScoredRecall[], from: number): number[] {
  const max = MOMENT_RANGES.scoreMin[1]
  // Rounded down, so that the note with this score is still shown.
  const scores = recalls.flatMap(({ notes }) =>
    notes.map(({ score }) => Math.min(max, Math.floor(score * 1_000) / 1_000)),
  )
  const distinct = [...new Set(scores)].filter((score) => score > from).sort((a, b) => a - b)
  const step = Math.max(1, distinct.length / CANDIDATES_MAX)
  return distinct.filter((_, i) => Math.floor((i + 1) / step) > Math.floor(i / step))
}

/** Smaller numbers of notes than that of the policy, and than what a recall ever showed. */
function listCounts(recalls: readonly ScoredRecall[], from: number): number[] {
  const most = Math.max(1, ...recalls.map(({ notes }) => notes.length))
  return Array.from({ length: Math.min(from, most) - 1 }, (_, i) => i + 1)
}

/**
 * How much better the limits `to` are than `from`, in the value of one recall. The recalls of one session are one
 * observation, and one more session is assumed that lost the most useful note.
 */
export function computeAdvantage(recalls: readonly ScoredRecall[], from: Limits, to: Limits): Advantage {
  const different = recalls.map(({ notes }) => {
    const [before, after] = [new Set(applyLimits(notes, from)), new Set(applyLimits(notes, to))]
    return notes.flatMap((note) =>
      before.has(note) === after.has(note) ? [] : [{ ...note, gain: after.has(note) ? note.value : -note.value }],
    )
  })
  const gains = different.map((notes) => sum(notes.map(({ gain }) => gain)))
  const best = Math.max(ASSUMED_LOSS_MIN, ...recalls.flatMap(({ notes }) => notes.map(({ value }) => value)))
  const sessions = recalls.map(({ session }) => session)
  const bound = computeConfidenceBound([...gains, -best], [...sessions, 'assumed'])
  return { ...bound, recalls: recalls.length, notes: new Set(different.flat().map(({ memory }) => memory)).size }
}

const applyLimits = (notes: ScoredRecall['notes'], { scoreMin, topK }: Limits): ScoredRecall['notes'] =>
  notes.filter(({ score }) => score >= scoreMin).slice(0, topK)

// What a shown note was worth to learning, less what its tokens cost.
//
// Worth = relevance + contribution: a relevant note is worth up to 2 in a task that went well, and an irrelevant one is
// slightly negative. The price is a share of the usual worth of a note at that moment, and at least the cost of an
// unused note. A note below it makes the moment's notes less useful per token.

/**
 * How surely a note was about the work that followed, 0 to 1. Credit demands that a trace is new to the conversation;
 * to know when a note is worth showing, it is enough that its file was changed or its command ran, though not by the
 * call that it came with.
 */
const relevanceOf = ({ used, discounted = [] }: AttributedMemory): number =>
  discounted.some(({ signal, discounted: reason }) => reason === 'known' && isDone(signal))
    ? Math.max(used, DONE_RELEVANCE)
    : used

/** The same, also if chance explains the trace: a note is silenced only if nothing of it is ever done. */
export const agreementOf = (memory: AttributedMemory): number =>
  memory.traces.some(isDone) ? Math.max(memory.used, DONE_RELEVANCE) : relevanceOf(memory)

const isDone = (signal: UsageSignal): boolean => signal === 'file' || signal === 'command'

/** The relevance of a note whose file was changed or whose command ran, if it is no proof of use. */
const DONE_RELEVANCE = 0.7

/** 0 to 2 for a note that was relevant, else slightly below 0. */
const worthOf = (memory: AttributedMemory): number => {
  const relevance = relevanceOf(memory)
  return (relevance >= USED_THRESHOLD ? relevance : 0) + memory.contribution
}

/** Whether a least score decides over a note: it was selected by its score, and nobody asked for it. */
const isGoverned = ({ kind, features }: AttributedMemory): boolean =>
  kind !== undefined && !(UNRANKED_FEATURE in features)

/** The recalls with the value of each note in place of its contribution. */
function valueNotes(recalls: readonly AttributedRecall[], excludeBelow: number): AttributedRecall[] {
  const worths = new Map<RecallMoment, number[]>()
  for (const { moment, withheld, memories } of recalls) {
    if (withheld) continue
    const known = worths.get(moment) ?? []
    known.push(...memories.filter(isGoverned).map(worthOf))
    worths.set(moment, known)
  }
  return recalls.map((recall) => {
    const price = Math.max(UNUSED_COST, excludeBelow * mean(worths.get(recall.moment) ?? []))
    const valued = (memory: AttributedMemory) => ({ ...memory, contribution: worthOf(memory) - price })
    return { ...recall, memories: recall.memories.map(valued) }
  })
}
