// Near misses of a recall: what could have been shown, and why it was not. It observes the handler's own decisions;
// only what the handler never looked at is searched for again.
import type { MemoryId } from '../../model/id.ts'
import type { KnowledgeNote } from '../../model/knowledge.ts'
import { kindOfKnowledge, type Memory, type MemoryKind } from '../../model/memory.ts'
import type { MomentPolicy, Policy } from '../../model/policy.ts'
import type { RecallMoment, RecallResult } from '../../model/recallQuery.ts'
import type { RankedCandidate } from '../../recall/rankByPolicy.ts'
import { canRecall, isLivedThrough } from '../../recall/recallCandidate.ts'
import type { LeftOutReason } from '../../recall/selectWithinBudget.ts'
import type { BriefingInput, OnNotStarted } from '../../recall/sessionBriefing.ts'
import { firstLine } from '../../text/excerpt.ts'
import { extractQueryTerms } from '../../text/terms/extractTerms.ts'
import { buildIndexQuery } from '../search/candidates.ts'
import type { RecallTrace, TracedRecall } from './hookContext.ts'

/** Memories found by the index that the handler did not consider, at most. */
const UNCONSIDERED_MAX = 20

/** Characters of a near miss's title. */
const TITLE_CHARS = 160

/** Why something is not shown. `docs/visible.md` lists the reasons. */
export type LeftOutCode =
  | LeftOutReason
  | Parameters<OnNotStarted>[1]
  | 'relevance'
  | 'knowledge'
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
  start: 'not for every start: no entry that was written down, no open work on this branch',
  prompt: 'the prompt repeats a task: only that counts',
  call: 'before a call only what a trigger matches, or a note that is surely about its file',
  failure: 'at a failure only what a trigger matches',
  agent: 'not worth its tokens at this moment',
  ask: 'not worth its tokens at this moment',
}

const WHY: { readonly [Code in LeftOutCode]?: string } = {
  shown: 'this conversation was shown it already',
  lesson: 'superseded, retired or uncertain: only search finds it',
  excluded: 'a learned rule excludes its kind here',
  session: 'its session has enough notes here',
  same: 'another note has the same text',
  own: 'this conversation has lived through it',
  outdated: 'its file has changed',
  kind: 'enough notes of its kind',
  unused: 'starts have shown it and it was not used',
}

/** Collects the near misses of one recall. */
export class LeftOutList {
  readonly entries: LeftOut[] = []
  readonly #policy: Policy
  #recall: TracedRecall | undefined
  #start: BriefingInput | undefined

  constructor(policy: Policy) {
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
      this.#addKnowledge(this.#recall, shown)
      this.#addUnconsidered(this.#recall, shown)
    } else if (this.#start) this.#addAtStart(this.#start, shown)
    const order = ({ score = Number.NEGATIVE_INFINITY }: LeftOut): number => score
    this.entries.sort((a, b) => (order(a) < order(b) ? 1 : order(a) > order(b) ? -1 : 0))
  }

  #addRanked(candidate: RankedCandidate, reason: LeftOutReason, limits: MomentPolicy): void {
    const { score } = candidate
    const memory = candidate.load()
    if (reason === 'worth') {
      const moment = this.#recall?.query.moment ?? 'ask'
      this.#add(memory, { score, reason: 'moment', why: MOMENT_RULES[moment] })
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

  /** Entries that fire at the event, or would be for an agent's start, and are not shown. */
  #addKnowledge({ known, knowledge, alreadyShown, query }: TracedRecall, shown: Ids): void {
    if (query.moment === 'agent') this.#addUnselected(known, alreadyShown(), shown)
    else
      for (const note of known) {
        if (knowledge.includes(note) || shown.has(note.id) || !alreadyShown().has(note.id)) continue
        this.#addNote(note, 'shown')
      }
  }

  #addAtStart({ knowledge = [], alreadyShown }: BriefingInput, shown: Ids): void {
    this.#addUnselected(knowledge, alreadyShown, shown)
  }

  #addUnselected(notes: readonly KnowledgeNote[], alreadyShown: Ids, shown: Ids): void {
    const { startTokens, startWorthMin } = this.#policy.knowledge
    for (const note of notes) {
      if (shown.has(note.id)) continue
      if (alreadyShown.has(note.id)) this.#addNote(note, 'shown')
      else if (note.worth <= 0) this.#addNote(note, 'knowledge', 'only where its trigger fires')
      else if (note.voice === 'known' && note.worth < startWorthMin)
        this.#addNote(note, 'score', `worth ${note.worth}, less than ${startWorthMin}`)
      else this.#addNote(note, 'budget', `more than ${startTokens} tokens`)
    }
  }

  #addNote(note: KnowledgeNote, reason: LeftOutCode, why = WHY[reason]): void {
    this.#add({ id: note.id, kind: kindOfKnowledge(note.type), content: note.line }, { reason, why })
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
      return limits.topK === 0 ? 'an entry says what is known' : `more than ${limits.topK} notes`
    case 'budget':
      return `more than ${limits.budgetTokens} tokens`
    case 'ineligible':
      if (memory && !limits.kinds.includes(memory.kind)) return `this moment shows no ${memory.kind}`
      return memory?.searchOnly ? 'only search finds it' : 'a failure without a fix'
    default:
      return WHY[reason]
  }
}

type TitledMemory = Pick<Memory, 'id' | 'kind' | 'content'> & Partial<Pick<Memory, 'knowledge'>>

interface LeftOutDetails {
  readonly score?: number
  readonly reason: LeftOutCode
  readonly why: string | undefined
}

function describe(
  { id, kind, content, knowledge }: TitledMemory,
  { score, reason, why = reason }: LeftOutDetails,
): LeftOut {
  const title = firstLine(knowledge?.line ?? content, TITLE_CHARS)
  return { id, kind, title, ...(score !== undefined && { score: round(score) }), reason, why }
}

type Ids = ReadonlySet<MemoryId>

const round = (value: number): number => Math.round(value * 1000) / 1000
