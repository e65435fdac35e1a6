// One recall: filter by viewer, rank, select within the budget of the moment, render. Pure.
import type { MemoryId } from '../model/id.ts'
import type { KnowledgeNote } from '../model/knowledge.ts'
import { kindOfKnowledge, newMemory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import {
  excludes,
  listActiveExclusions,
  type RecalledMemory,
  type RecallQuery,
  type RecallResult,
  UNRANKED_FEATURE,
} from '../model/recallQuery.ts'
import { computeRelevance, type ExtraFeatures, type RankedCandidate, rankByPolicy } from './rankByPolicy.ts'
import { canRecall, type RecallCandidate, type RecallFocus } from './recallCandidate.ts'
import { type FileProbe, renderContext } from './renderContext.ts'
import { isEligible, selectWithinBudget } from './selectWithinBudget.ts'

/** Notes from one earlier session at once, without what the person said: more of one session repeat one another. */
const SESSION_NOTES_MAX = 1

export interface RecallInput {
  readonly query: RecallQuery
  readonly candidates: readonly RecallCandidate[]
  readonly policy: Policy
  /** The memories that this session was shown. Called at most once, and only if there is something to show. */
  readonly alreadyShown: () => ReadonlySet<MemoryId>
  /** Shown first: the entries with a trigger that fires. */
  readonly knowledge?: readonly KnowledgeNote[]
  /** Shown before what is ranked: the lessons of an agent's role. */
  readonly leading?: readonly RecalledMemory[]
  readonly extraFeatures?: ExtraFeatures | undefined
  /** What the moment narrows the recall to. */
  readonly focus?: Omit<RecallFocus, 'candidates'>
  /** Reads the state of the files that the shown memories are about. */
  readonly fileProbe?: FileProbe
}

/** Selects and renders the memories to show. `others` is computed when it is read. */
export function recall(input: RecallInput): RecallResult {
  const { query, policy, alreadyShown, knowledge = [] } = input
  const leading = [...knowledge.map(toRecalled), ...(input.leading ?? [])]
  // Filter before ranking: a hidden memory must not take a place or influence the order.
  const isLeading = (id: MemoryId) => leading.some(({ memory }) => memory.id === id)
  const visible = input.candidates.filter(({ memory }) => canRecall(query, memory) && !isLeading(memory.id))
  const rank = () => rankByPolicy(visible, query, policy, input.extraFeatures)
  const moment = { ...policy.recall.moments[query.moment], ...input.focus?.limits }
  const limits = {
    ...moment,
    topK: leading.length > 0 && isAboutCall(query) ? 0 : Math.max(0, moment.topK - leading.length),
  }
  // Most hooks show nothing, and ranking fifty candidates takes 1 ms: rank only if something may be shown.
  const isSilent = !visible.some(({ memory, match }) => isEligible(memory, computeRelevance(match), query, limits))
  const ranked = isSilent ? [] : rank()
  const rules = listActiveExclusions(policy.recall.exclusions, query).filter((rule) =>
    visible.some((candidate) => excludes(rule, candidate.memory)),
  )
  const { shown, next } = selectWithinBudget(ranked, query, limits, {
    alreadyShown,
    isExcluded: (memory) => rules.some((rule) => excludes(rule, memory)),
    sessionNotesMax: query.moment === 'ask' ? undefined : SESSION_NOTES_MAX,
  })
  const all = [...leading, ...shown]
  return {
    shown: all,
    ...(next && { next: { id: next.memory.id, score: next.score, features: next.features } }),
    ...(rules.length > 0 && { rules }),
    get others() {
      return listOthers(isSilent ? rank() : ranked, all)
    },
    text: renderContext({ knowledge, notes: all.slice(knowledge.length) }, query, limits.budgetTokens, input.fileProbe),
  }
}

/** An entry that fires at a call or failure says what is known. */
const isAboutCall = ({ moment }: RecallQuery): boolean => moment === 'call' || moment === 'failure'

export function listOthers(
  ranked: readonly RankedCandidate[],
  shown: readonly RecalledMemory[],
): RecallResult['others'] {
  const ids = new Set(shown.map(({ memory }) => memory.id))
  return ranked.flatMap(({ memory: { id }, score }) => (ids.has(id) ? [] : [{ id, score }]))
}

export function toRecalled(note: KnowledgeNote): RecalledMemory {
  const memory = newMemory({
    id: note.id,
    kind: kindOfKnowledge(note.type),
    content: note.line,
    created: note.lastMet,
    sessionCount: Math.max(1, note.met),
    // What a person wants is never withheld.
    tags: note.voice === 'known' ? [] : ['remember'],
    provenance: note.voice === 'said' ? 'person' : 'assistant',
    team: note.team,
  })
  return { memory, score: note.worth, features: { [UNRANKED_FEATURE]: 1 }, breakdown: {} }
}
