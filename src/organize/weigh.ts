// Importance at session end: all six terms with the whole store at hand, for what was made and what was met again.
import { COST_HALF_MS, type ImportanceTerms, importanceOf, saturated } from '../model/importance.ts'
import type { Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { jaccard } from '../text/similarity.ts'
import type { Known, SessionPart } from './part.ts'
import { type Remembered, rememberedIn } from './remembered.ts'

/** Likeness is sought among this many of the latest memories of the same kind. */
const COMPARED_MAX = 40

const SIGNAL_WORTH: Readonly<Record<string, number>> = { remember: 1, correction: 1, preference: 0.9, decision: 0.9 }

/**
 * The given memories with their importance, and those of other sessions whose files, command or error this session
 * met: each meeting counts once, as cross impact.
 */
export function weighed(made: readonly Memory[], part: SessionPart, known: Known, policy: Policy): Memory[] {
  const own = new Set<string>(made.map((memory) => memory.id))
  const remembered = rememberedIn(known)
  const compared = new Map(
    [...new Set(made.map((memory) => memory.kind))].map((kind) => [
      kind,
      remembered.latest(kind, COMPARED_MAX, own).map((memory) => remembered.words(memory)),
    ]),
  )
  const terms = (memory: Memory) =>
    termsFor(memory, noveltyAgainst(remembered.words(memory), compared.get(memory.kind)!))
  const weigh = (memory: Memory, given: ImportanceTerms): Memory => ({
    ...memory,
    importance: memory.pinned ? memory.importance : importanceOf(given, policy.importance),
    importanceTerms: memory.importanceTerms ?? given,
  })
  const fresh = made.map((memory) => weigh(memory, known.has(memory.id) ? recounted(memory) : terms(memory)))
  return [...fresh, ...crossed(fresh, part, remembered, own).map((memory) => weigh(memory, recounted(memory)))]
}

/** Memories of other sessions that this one touches on, with the meeting counted. */
function crossed(fresh: readonly Memory[], part: SessionPart, known: Remembered, own: ReadonlySet<string>): Memory[] {
  const files = new Set(fresh.flatMap((memory) => editedOf(memory)))
  const signatures = new Set(fresh.flatMap((memory) => memory.errorSignature ?? []))
  const others = known
    .touching(files, signatures)
    .filter((memory) => !own.has(memory.id) && memory.session !== part.session)
  return others.map((memory) => ({ ...memory, meetings: memory.meetings + 1 }))
}

/** The six terms of a new memory, after the table in model/importance. */
function termsFor(memory: Memory, novelty: number): ImportanceTerms {
  return {
    outcome: outcomeTerm(memory),
    reuse: 0,
    crossImpact: 0,
    novelty,
    userSignal: Math.max(0, ...memory.tags.map((tag) => SIGNAL_WORTH[tag] ?? 0)),
    costSaved: saturated(Number(memory.metadata['costMs'] ?? 0), COST_HALF_MS),
  }
}

/** The terms of a memory met again: novelty stays what it was at first, use and meetings have grown. */
function recounted(memory: Memory): ImportanceTerms {
  const first = memory.importanceTerms
  const repeats = Number(memory.metadata['sessions'] ?? 1) - 1
  return {
    outcome: outcomeTerm(memory),
    reuse: saturated(memory.accessCount + repeats, 1),
    crossImpact: saturated(memory.meetings + repeats, 2),
    novelty: first?.novelty ?? 0.5,
    userSignal: first?.userSignal ?? 0,
    costSaved: Math.max(first?.costSaved ?? 0, saturated(Number(memory.metadata['costMs'] ?? 0), COST_HALF_MS)),
  }
}

/** A failure that was mended 1, a failure .8, success .6 (a check passed or the person was content), unknown .1. */
function outcomeTerm(memory: Memory): number {
  if (memory.kind === 'lesson' && memory.errorSignature) return memory.metadata['fixed'] === true ? 1 : 0.8
  return memory.outcome === 'failure' ? 0.8 : memory.outcome === 'success' ? 0.6 : 0.1
}

function noveltyAgainst(words: ReadonlySet<string>, compared: readonly ReadonlySet<string>[]): number {
  let likest = 0
  for (const other of compared) likest = Math.max(likest, jaccard(words, other))
  return 1 - likest
}

function editedOf(memory: Memory): string[] {
  const edited = memory.metadata['edited']
  return Array.isArray(edited) ? edited.filter((file): file is string => typeof file === 'string') : []
}
