// Listed: what lists that were judged whole teach a moment's weights, as far as it holds on recalls held back.
import type { LearnedPolicy, Policy } from '../model/policy.ts'
import { policyWith, valueAt } from '../model/policy.ts'
import { advantageOf } from './guard.ts'
import { heldBack } from './held.ts'
import type { Judged } from './judge.ts'
import { COLUMNS, MODES, type Mode, modeOf, type Told, told, weightsFrom } from './lists.ts'

/** A recall of more memories than a hook ever shows was judged whole: its own memories are compared, not recalls with one another. */
const NOTES_MAX = 10

export const isNotes = ({ memories }: Judged): boolean => memories.length <= NOTES_MAX

/** The lists of each mode that has enough of them; those modes' weights are taught by them alone. */
export function listsIn(seen: readonly Judged[], shipped: Policy): ReadonlyMap<Mode, readonly Told[]> {
  const whole = seen.filter((one) => !isNotes(one))
  return new Map(
    MODES.map((mode) => [mode, told(whole, mode, shipped)] as const).filter(
      ([, lists]) => lists.length >= shipped.improve.evidenceMin,
    ),
  )
}

export interface Listed {
  /** Where each of the mode's weights should stand. */
  readonly target: Readonly<Record<string, number>>
  /** What was measured on recalls held back. */
  readonly evidence: Readonly<Record<string, unknown>>
}

/**
 * The weights these lists teach; undefined where nothing they teach is surely better on recalls held back, fits its own recall
 * better than others, and is no worse an order. `notes` are the mode's shown notes: where they speak against it, it is not learned.
 */
export function listedFor(
  lists: readonly Told[],
  mode: Mode,
  notes: readonly Judged[],
  shipped: Policy,
): Listed | undefined {
  const held = heldBack(lists, mode, shipped.improve.guardSigmas)
  if (held.advantage.lower <= 0 || held.worth < 0) return undefined
  const own = held.own()
  if (own.lower <= 0) return undefined
  const target = weightsFrom(lists, mode, shipped)
  if (notes.length >= shipped.improve.evidenceMin) {
    const learned: LearnedPolicy = { version: 0, values: target }
    if (advantageOf(notes, shipped, policyWith(shipped, learned)).mean < 0) return undefined
  }
  const { advantage, worth } = held
  return {
    target,
    evidence: {
      ...{ recalls: advantage.recalls, advantage: rounded(advantage.mean), lowerBound: rounded(advantage.lower) },
      ...{ worth: rounded(worth), ownRecall: rounded(own.mean), ownRecallLower: rounded(own.lower) },
    },
  }
}

/** Where a mode's weights stand by a policy. */
export const standing = (mode: Mode, policy: Policy): Record<string, number> =>
  Object.fromEntries(COLUMNS[mode].map(({ path }) => [path, valueAt(policy, path)!]))

/** The recalls of a mode that were shown as notes. */
export const notesOf = (seen: readonly Judged[], mode: Mode): Judged[] =>
  seen.filter((one) => isNotes(one) && modeOf(one.moment) === mode)

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
