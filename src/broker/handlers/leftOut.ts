// Near misses of a recall: what could have been shown, and why it was not. It observes the handler's own decisions;
// only what the handler never looked at is searched for again.
import type { FactNote } from '../../model/factNote.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory, MemoryKind } from '../../model/memory.ts'
import type { MomentPolicy, Policy } from '../../model/policy.ts'
import type { RecallMoment, RecallResult } from '../../model/recallQuery.ts'
import { canRecall } from '../../recall/canRecall.ts'
import { isFixLivedThrough, isLivedThrough } from '../../recall/ownConversation.ts'
import { listStartFacts, matchFacts } from '../../recall/projectFacts.ts'
import type { RankedCandidate } from '../../recall/rankByPolicy.ts'
import type { LeftOutReason } from '../../recall/selectWithinBudget.ts'
import type { BriefingInput, OnNotStarted } from '../../recall/sessionBriefing.ts'
import { firstLine } from '../../text/excerpt.ts'
import { extractQueryTerms } from '../../text/terms/extractTerms.ts'
import type { Store } from '../open/openStore.ts'
import { buildIndexQuery } from '../search/candidates.ts'
import { isOutdated, readFacts, situationOf } from './factNotes.ts'
import type { RecallTrace, TracedRecall } from './recallTrace.ts'

/** Memories found by the index that the handler did not consider, at most. */
const UNCONSIDERED_MAX = 20

/** Characters of a near miss's title. */
const TITLE_CHARS = 160

/** Why something is not shown. `docs/visible.md` lists the reasons. */
export type LeftOutCode =
  | LeftOutReason
  | Parameters<OnNotStarted>[1]
  | 'relevance'
  | 'fact'
  | 'moment'
  | 'rank'
  | 'own'
  | 'outdated'

/** A near miss. Of a memory that the viewer may not see there is no title. */
export interface LeftOut {
  readonly id: MemoryId
  readonly kind: MemoryKind
  readonly title: string
  /** Absent if it was not ranked. */
  readonly score?: number
  readonly reason: LeftOutCode
  /** The reason as a phrase, with its numbers. */
  readonly why: string
}

/** What a moment shows besides what stands in its limits. */
const MOMENT_RULES: { readonly [Moment in RecallMoment]: string } = {
  start: 'no note for every start here: a statement or entry that lasts, or open work on this branch',
  prompt: 'the prompt quotes a known error or repeats a task: only that counts',
  call: 'before a call only a lesson that would change it, or a note that is surely about its file',
  failure: 'at a failure only a lesson or note about this very failure',
  agent: 'not worth its tokens at this moment',
  ask: 'not worth its tokens at this moment',
}

const WHY: { readonly [Code in LeftOutCode]?: string } = {
  shown: 'this conversation was shown it already',
  statement: 'a statement that is uncertain, superseded or the assistant’s own: only search finds it',
  lesson: 'its fix does not apply to this, or it is only for search',
  excluded: 'a learned rule excludes its kind here',
  session: 'its session has enough notes here',
  same: 'another note has the same text',
  fact: 'a fact that is shown says the same',
  own: 'this conversation has lived through it',
  outdated: 'its file has changed, or what it says is missing exists now',
  kind: 'enough notes of its kind',
  unused: 'the notes of the last starts were not used',
}

/** Collects the near misses of one recall. */
export class LeftOutList {
  readonly entries: LeftOut[] = []
  readonly #store: Store
  readonly #policy: Policy
  #recall: TracedRecall | undefined
  #start: BriefingInput | undefined

  constructor(store: Store, policy: Policy) {
    this.#store = store
    this.#policy = policy
  }

  /** For the handler. */
  readonly trace: RecallTrace = {
    onRecall: (recall) => {
      this.#recall = recall
    },
    onStart: (start) => {
      this.#start = start
    },
    onLeftOut: (candidate, reason, limits) => this.#addRanked(candidate, reason, limits),
    onNotStarted: (memory, reason, score) => {
      const limits = this.#policy.recall.moments.start
      const why = reason === 'start' ? MOMENT_RULES.start : explain(reason, limits, score)
      if (reason !== 'hidden') this.#add(memory as Memory, { reason, why, ...(score !== undefined && { score }) })
    },
  }

  /** Adds what the handler has not reported. Called while the index is open. */
  complete(result: RecallResult): void {
    const shown = new Set(result.shown.map(({ memory }) => memory.id))
    if (this.#recall) {
      this.#addUnfocused(this.#recall)
      this.#addFacts(this.#recall, shown)
      this.#addUnconsidered(this.#recall, shown)
    } else if (this.#start) this.#addStartFacts(this.#start, shown)
    const order = ({ score = Number.NEGATIVE_INFINITY }: LeftOut): number => score
    this.entries.sort((a, b) => (order(a) < order(b) ? 1 : order(a) > order(b) ? -1 : 0))
  }

  #addRanked(candidate: RankedCandidate, reason: LeftOutReason, limits: MomentPolicy): void {
    const { score } = candidate
    const memory = candidate.load()
    if (reason === 'worth') {
      const recall = this.#recall
      const isByMoment = recall?.focus?.isWorth?.(memory, score) === false
      const isOwn = recall !== undefined && isFixLivedThrough(recall.query, memory, recall.compacted)
      const why = isByMoment && recall ? MOMENT_RULES[recall.query.moment] : isOwn ? WHY.own : WHY.fact
      this.#add(memory, { score, reason: isByMoment ? 'moment' : isOwn ? 'own' : 'fact', why })
    } else this.#addEntry(describeLeftOut(candidate, reason, limits))
  }

  /** The candidates that the moment leaves no place. */
  #addUnfocused({ found, focus, query }: TracedRecall): void {
    if (!focus) return
    for (const candidate of found) {
      if (focus.candidates.includes(candidate)) continue
      this.#add(candidate.load(), { reason: 'moment', why: MOMENT_RULES[query.moment] })
    }
  }

  /** Facts about the event that are not shown; at an agent's start those of a start. */
  #addFacts({ query, event, payload, facts, knownFacts, alreadyShown, deleted }: TracedRecall, shown: Ids): void {
    const situation = situationOf(event, payload)
    const known = readFacts(this.#store, query.viewer.role)
    const about =
      query.moment === 'agent'
        ? listStartFacts(known, this.#policy.facts)
        : situation === undefined
          ? []
          : matchFacts(known, situation, { noteMax: Number.POSITIVE_INFINITY })
    const limit = query.moment === 'agent' ? `more than ${this.#policy.facts.startTokens} tokens` : undefined
    for (const fact of about) {
      if (shown.has(fact.id) || deleted.has(fact.id) || facts.some(({ id }) => id === fact.id)) continue
      if (!knownFacts.some(({ id }) => id === fact.id)) this.#addFact(fact, 'own')
      else if (alreadyShown().has(fact.id)) this.#addFact(fact, 'shown')
      else if (isOutdated(this.#store, fact)) this.#addFact(fact, 'outdated')
      else this.#addFact(fact, 'limit', limit ?? `more than ${this.#policy.facts.noteMax} facts, or a lesson says it`)
    }
  }

  #addStartFacts({ facts = [], alreadyShown }: BriefingInput, shown: Ids): void {
    const { startTokens } = this.#policy.facts
    for (const fact of listStartFacts(facts, this.#policy.facts)) {
      if (shown.has(fact.id)) continue
      if (alreadyShown.has(fact.id)) this.#addFact(fact, 'shown')
      else if (isOutdated(this.#store, fact)) this.#addFact(fact, 'outdated')
      else this.#addFact(fact, 'budget', `more than ${startTokens} tokens for facts, or the same remedy`)
    }
  }

  #addFact(fact: FactNote, reason: LeftOutCode, why = WHY[reason]): void {
    this.#add({ id: fact.id, kind: 'fact', content: fact.short ?? fact.line }, { reason, why })
  }

  /** What the index finds, and the viewer may not see, or has lived through, or that ranks too low to be considered. */
  #addUnconsidered({ query, reader, compacted, deleted, found }: TracedRecall, shown: Ids): void {
    const terms = buildIndexQuery(query, extractQueryTerms(query.text))
    const refs = reader.score(terms).topDocs(UNCONSIDERED_MAX, (segment, doc) => reader.hasDoc({ segment, doc }))
    for (const ref of refs) {
      const memory = reader.memoryAt(ref)
      const isKnown = found.some((candidate) => candidate.memory.id === memory.id)
      if (isKnown || shown.has(memory.id) || deleted.has(memory.id)) continue
      if (isLivedThrough(query, memory, compacted)) this.#add(memory, { reason: 'own', why: WHY.own })
      else if (canRecall(query, memory)) {
        this.#add(memory, { reason: 'rank', why: `not among the best ${found.length} that were ranked` })
      } else if (memory.privacy === 'agent-only') {
        const why = `not visible: only for agents of the role ${memory.role}`
        this.#add({ id: memory.id, kind: memory.kind, content: '' }, { reason: 'hidden', why })
      } else if (memory.privacy === 'public') {
        const why = memory.retention === 'working' ? 'not visible: working memory of another session' : 'expired'
        this.#add(memory, { reason: 'hidden', why })
      }
      // A private memory is in no list but its agent's.
    }
  }

  #add(memory: TitledMemory, about: LeftOutDetails): void {
    this.#addEntry(describe(memory, about))
  }

  #addEntry(entry: LeftOut): void {
    if (!this.entries.some(({ id }) => id === entry.id)) this.entries.push(entry)
  }
}

/** A ranked candidate that was not shown. */
export function describeLeftOut(candidate: RankedCandidate, reason: LeftOutReason, limits: MomentPolicy): LeftOut {
  const { score, relevance } = candidate
  const memory = candidate.load()
  if (reason === 'ineligible' && relevance < limits.relevanceMin) {
    const why = `relevance ${round(relevance)}, less than ${limits.relevanceMin}`
    return describe(memory, { score, reason: 'relevance', why })
  }
  return describe(memory, { score, reason, why: explain(reason, limits, score, memory) })
}

function explain(reason: LeftOutCode, limits: MomentPolicy, score = 0, memory?: Memory): string | undefined {
  switch (reason) {
    case 'score':
      return `score ${round(score)}, less than ${limits.scoreMin}`
    case 'limit':
      return limits.topK === 0 ? 'a fact says what is known' : `more than ${limits.topK} notes`
    case 'budget':
      return `more than ${limits.budgetTokens} tokens`
    case 'ineligible':
      if (memory && !limits.kinds.includes(memory.kind)) return `this moment shows no ${memory.kind}`
      return memory?.searchOnly ? 'only search finds it' : 'a failure without a fix'
    default:
      return WHY[reason]
  }
}

type TitledMemory = Pick<Memory, 'id' | 'kind' | 'content'> & Partial<Pick<Memory, 'statement'>>

interface LeftOutDetails {
  readonly score?: number
  readonly reason: LeftOutCode
  readonly why: string | undefined
}

function describe(
  { id, kind, content, statement }: TitledMemory,
  { score, reason, why = reason }: LeftOutDetails,
): LeftOut {
  const title = firstLine(statement?.short ?? content, TITLE_CHARS)
  return { id, kind, title, ...(score !== undefined && { score: round(score) }), reason, why }
}

type Ids = ReadonlySet<MemoryId>

const round = (value: number): number => Math.round(value * 1000) / 1000
