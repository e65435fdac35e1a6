// Learned exclusion rules: a note that a moment showed session after session without use is not shown there for some
// time. Each rule has evidence, an end and a trial.
//
// How many sessions that takes follows from how much notes differ. Notes of one moment differ in how often they are
// used; the share of the variance that lies between notes is ρ. If ρ is not surely above zero, the verdicts say nothing
// about single notes (as with noise), and nothing is excluded. Else the expected use of a note is the beta-binomial
// mean (p · w + used) / (w + sessions) with w = 1 / ρ − 1, where p is the usual use at that moment. A note is excluded
// while its expected use is below `improve.excludeBelow` · p.
import { EXCLUSION_MOMENTS, type ExclusionRule } from '../model/exclusion.ts'
import type { MemoryId } from '../model/id.ts'
import type { MemoryKind } from '../model/memory.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import type { AttributedRecall } from './attribution.ts'
import { listSessionUses, type MomentUse, type MomentUseTable } from './momentUse.ts'
import { clusterKey } from './offPolicy.ts'
import { mean, SIGNIFICANCE_SIGMAS, sum } from './statistics.ts'

/** A rule's duration doubles with each renewal, up to this factor. */
const DURATION_FACTOR_MAX = 8

/** If notes are used less often than this, being followed leaves no traces there, and no trace proves nothing. */
const USUAL_MIN = 0.1

/** Least and greatest weight of the usual use, in sessions. Use changes with the work at hand, so a few say little. */
const PRIOR_SESSIONS_MIN = 4
const PRIOR_SESSIONS_MAX = 40

const DAY_MS = 86_400_000

type ExclusionMoment = ExclusionRule['moment']
type ExclusionPolicy = Pick<ImprovePolicy, 'excludeBelow' | 'excludeDays' | 'excludeSessions'>

/** What is known of the notes of a moment. */
interface MomentPrior {
  /** The mean confidence that a note was used in a session that showed it, 0 to 1. */
  readonly usual: number
  /** How many sessions of its own outweigh it. */
  readonly weight: number
}

interface ExclusionInput {
  /** The recalls that the guard uses. */
  readonly recalls: readonly AttributedRecall[]
  readonly uses: MomentUseTable
  readonly rules: readonly ExclusionRule[]
  readonly policy: ExclusionPolicy
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The rules from now on, trials included; undefined if they do not change. */
export function updateExclusionRules(input: ExclusionInput): readonly ExclusionRule[] | undefined {
  const { recalls, rules, policy } = input
  if (policy.excludeBelow === 0) return rules.length === 0 ? undefined : []
  const next = EXCLUSION_MOMENTS.flatMap((moment) => updateMomentRules(moment, recalls, input))
  return JSON.stringify(next) === JSON.stringify(rules) ? undefined : next
}

/** Notes of a kind are compared with each other: a summary is used in other ways than a fact. */
function updateMomentRules(
  moment: ExclusionMoment,
  recalls: readonly AttributedRecall[],
  input: ExclusionInput,
): ExclusionRule[] {
  const own = recalls.filter((recall) => recall.moment === moment && !recall.withheld)
  const kinds = new Map(
    own.flatMap(({ memories }) => memories.flatMap(({ memory, kind }) => (kind ? [[memory, kind]] : []))),
  )
  const rules = input.rules.filter((rule) => rule.moment === moment)
  const known = new Set(rules.map(({ memory }) => memory))
  const priors = new Map([...new Set(kinds.values())].map((kind) => [kind, estimatePrior(own, kind)]))
  const priorOf = (memory: MemoryId): MomentPrior | undefined => {
    const kind = kinds.get(memory)
    return kind && priors.get(kind)
  }
  const kept = rules.flatMap((rule) => renewRule(rule, priorOf(rule.memory), input))
  const added = [...kinds.keys()].flatMap((memory): ExclusionRule[] => {
    const rule = known.has(memory) ? undefined : addRule(moment, memory, priorOf(memory), input)
    return rule ? [rule] : []
  })
  return [...kept, ...added]
}

function addRule(
  moment: ExclusionMoment,
  memory: MemoryId,
  prior: MomentPrior | undefined,
  { uses, policy, now }: ExclusionInput,
): ExclusionRule | undefined {
  const use = uses[memory]?.[moment]
  if (!use || !prior || use.sessions < policy.excludeSessions) return undefined
  if (expectUse(use, prior) >= policy.excludeBelow * prior.usual) return undefined
  return { moment, memory, ...periodOf(now, policy.excludeDays), renewed: 0, evidence: summarize(use, prior) }
}

/** A rule is kept until its end. Then the first session that shows the memory again renews or removes it. */
function renewRule(
  rule: ExclusionRule,
  prior: MomentPrior | undefined,
  { uses, policy, now }: ExclusionInput,
): ExclusionRule[] {
  const use = uses[rule.memory]?.[rule.moment]
  if (!use) return [] // The memory does not exist any more.
  const isTried = Date.parse(rule.until) <= now && use.last > rule.until
  if (!isTried || !prior) return [rule]
  const wasUsed = use.used > rule.evidence.used + USED_IN_TRIAL
  if (wasUsed || expectUse(use, prior) >= policy.excludeBelow * prior.usual) return []
  const renewed = rule.renewed + 1
  const days = policy.excludeDays * Math.min(DURATION_FACTOR_MAX, 2 ** renewed)
  return [{ ...rule, ...periodOf(now, days), renewed, evidence: summarize(use, prior) }]
}

/** The confidence that counts as a use in a trial. */
const USED_IN_TRIAL = 0.4

const periodOf = (now: number, days: number): Pick<ExclusionRule, 'since' | 'until'> => ({
  since: new Date(now).toISOString(),
  until: new Date(now + days * DAY_MS).toISOString(),
})

/** The share of sessions that is expected to use a note. */
const expectUse = ({ sessions, used }: MomentUse, { usual, weight }: MomentPrior): number =>
  (usual * weight + used) / (weight + sessions)

const summarize = (use: MomentUse, prior: MomentPrior): ExclusionRule['evidence'] => ({
  sessions: Math.round(use.sessions),
  used: round(use.used),
  expected: round(expectUse(use, prior)),
  usual: round(prior.usual),
})

/**
 * How often notes of a kind are used at the moment of these recalls, and how much they differ in that; undefined if
 * they do not surely differ.
 *
 * ρ is the mean product of the residuals of one note in two sessions, divided by the variance. Pairs of sessions are
 * the observations: sessions are independent, so without a difference between notes the products have the mean 0.
 */
function estimatePrior(recalls: readonly AttributedRecall[], kind: MemoryKind): MomentPrior | undefined {
  const sessions = groupUses(recalls, kind)
  const all = sessions.flatMap((uses) => [...uses.values()])
  const usual = mean(all)
  const variance = mean(all.map((used) => (used - usual) ** 2))
  if (variance === 0 || usual < USUAL_MIN) return undefined
  let total = 0
  let squares = 0
  let pairs = 0
  for (const [i, first] of sessions.entries()) {
    for (const second of sessions.slice(i + 1)) {
      const products = [...first].flatMap(([memory, used]) => {
        const other = second.get(memory)
        return other === undefined ? [] : [(used - usual) * (other - usual)]
      })
      const product = sum(products)
      total += product
      squares += product ** 2
      pairs += products.length
    }
  }
  if (pairs === 0 || total <= SIGNIFICANCE_SIGMAS * Math.sqrt(squares)) return undefined
  const rho = Math.min(0.99, total / pairs / variance)
  return { usual, weight: Math.min(PRIOR_SESSIONS_MAX, Math.max(PRIOR_SESSIONS_MIN, 1 / rho - 1)) }
}

/** The uses of notes of a kind in each session, by memory. */
function groupUses(recalls: readonly AttributedRecall[], kind: MemoryKind): ReadonlyMap<MemoryId, number>[] {
  const bySession = new Map<string, AttributedRecall[]>()
  for (const recall of recalls) {
    const own = { ...recall, memories: recall.memories.filter((memory) => memory.kind === kind) }
    const known = bySession.get(clusterKey(recall))
    if (known) known.push(own)
    else bySession.set(clusterKey(recall), [own])
  }
  return [...bySession.values()].map((own) => new Map(listSessionUses(own).map(({ memory, used }) => [memory, used])))
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000
