// What is injected at the start of a session. There is no query but the project and the branch, so only what is worth
// knowing in any session is shown: what the person wants, what costs calls here, entries, where work stopped.
import { selectForStart } from '../knowledge/selectKnowledge.ts'
import type { MemoryId } from '../model/id.ts'
import { FIRST_WORTH, type KnowledgeNote } from '../model/knowledge.ts'
import { isUserRequested, type Memory } from '../model/memory.ts'
import { memoryProvenance } from '../model/provenance.ts'
import { findExcludedMemories, type RecalledMemory, type RecallQuery, type RecallResult } from '../model/recallQuery.ts'
import { daysBetween } from '../model/strength.ts'
import { estimateTokens, firstLine } from '../text/excerpt.ts'
import { sanitizeText, teamText } from '../text/sanitizeText.ts'
import { isTrunkBranch } from './indexTerms.ts'
import { maxMatchScores, type RankedCandidate, rankByPolicy } from './rankByPolicy.ts'
import { listOthers, type RecallInput, toRecalled } from './recall.ts'
import { canRecall } from './recallCandidate.ts'
import {
  BRIEFING_HEADING,
  type BriefingSection,
  describeStaleness,
  knowledgeSections,
  renderBriefing,
  renderNote,
} from './renderContext.ts'
import { isWorthShowing } from './selectWithinBudget.ts'

export interface BriefingInput extends Pick<RecallInput, 'query' | 'policy' | 'fileProbe'> {
  readonly memories: readonly Memory[]
  /** The entries of knowledge, in the order of knowledge.json. */
  readonly knowledge?: readonly KnowledgeNote[]
  /** The memories that this conversation contains. */
  readonly alreadyShown: ReadonlySet<MemoryId>
}

/** Selects and renders the memories to show at a session's start. */
export function buildSessionBriefing(input: BriefingInput): RecallResult {
  const { query, policy, alreadyShown } = input
  const limits = policy.recall.moments.start
  // Without a query nothing matches.
  const match = maxMatchScores([])
  const excluded = findExcludedMemories(policy.recall.exclusions, query)
  const last = findLastWork(input.memories, query)
  const candidates = input.memories
    .filter(
      (memory) =>
        canRecall(query, memory) &&
        !alreadyShown.has(memory.id) &&
        (isWorthStarting(memory) || (memory === last && isToContinue(last, query, policy.recall.summaryDays))) &&
        (!excluded.has(memory.id) || isUserRequested(memory)),
    )
    .map((memory) => ({ memory, match }))
  const ranked = rankByPolicy(candidates, query, policy)
  const isAllowed = ({ id, voice, worth }: KnowledgeNote): boolean =>
    !alreadyShown.has(id) && (voice !== 'known' || worth === FIRST_WORTH || !excluded.has(id))
  const knowledge = selectForStart((input.knowledge ?? []).filter(isAllowed), query.branch, policy.knowledge)
  const notes = selectNotes(
    ranked.filter(
      ({ score, load }) => isPinned(load()) || (score >= limits.scoreMin && limits.kinds.includes(load().kind)),
    ),
    input,
  )
  const isPinnedLesson = ({ voice, worth }: KnowledgeNote): boolean => voice === 'known' && worth === FIRST_WORTH
  const sections: BriefingSection[] = [
    ...knowledgeSections(knowledge.filter(isPinnedLesson)),
    ...knowledgeSections(knowledge.filter((note) => !isPinnedLesson(note))),
    ...SECTIONS.map((section) => ({
      heading: section.heading,
      notes: notes.flatMap(({ note, recalled }) => (sectionOf(recalled.memory) === section ? [note] : [])),
    })),
  ]
  const shown = [...knowledge.map(toRecalled), ...notes.map(({ recalled }) => recalled)]
  return { shown, others: listOthers(ranked, shown), text: renderBriefing(sections) }
}

/** The sections after the knowledge, in this order. */
const SECTIONS: readonly { readonly heading: string; readonly kinds: readonly Memory['kind'][] }[] = [
  { heading: 'Stored for this project:', kinds: ['preference', 'decision', 'experience', 'lesson', 'fact'] },
  { heading: 'Written down for this project:', kinds: ['entry', 'consolidated'] },
  { heading: 'Last work here:', kinds: ['summary'] },
]

const sectionOf = (memory: Memory) =>
  isPinned(memory) ? SECTIONS[0] : SECTIONS.find(({ kinds }) => kinds.includes(memory.kind))

const isPinned = (memory: Memory): boolean => memory.pinned !== undefined

/** Whether a memory is worth a place at every start. */
function isWorthStarting(memory: Memory): boolean {
  const { kind } = memory
  if (!isWorthShowing(memory) || memory.knowledge !== undefined || memoryProvenance(memory) === 'outside') return false
  // A correction was about its task; what was meant to last is a statement.
  return isPinned(memory) || (kind !== 'summary' && kind !== 'experience' && isUserRequested(memory))
}

/** The summary of the latest session on this branch in which something was done. */
const findLastWork = (memories: readonly Memory[], query: RecallQuery): Memory | undefined =>
  memories
    .filter((memory) => memory.kind === 'summary' && memory.branch === query.branch && isWorthShowing(memory))
    .filter((memory) => canRecall(query, memory) && memoryProvenance(memory) !== 'outside')
    .reduce<Memory | undefined>((a, b) => (a !== undefined && a.updated > b.updated ? a : b), undefined)

/** A recent session that left something open, or is on a branch of its own. */
const isToContinue = ({ updated, leftOpen = [], branch }: Memory, { now }: RecallQuery, summaryDays: number): boolean =>
  daysBetween(Date.parse(updated), now) <= summaryDays &&
  (leftOpen.length > 0 || (branch !== undefined && !isTrunkBranch(branch)))

/** The best of these within the moment's limits, what is pinned first. */
function selectNotes(ranked: readonly RankedCandidate[], input: BriefingInput) {
  const { policy, fileProbe } = input
  const { topK, budgetTokens } = policy.recall.moments.start
  const selected: { readonly recalled: RecalledMemory; readonly note: string }[] = []
  let tokens = estimateTokens(BRIEFING_HEADING)
  const headings = new Set<string>()
  const pinnedFirst = ranked.toSorted((a, b) => +isPinned(b.load()) - +isPinned(a.load()))
  for (const candidate of pinnedFirst) {
    if (selected.length >= topK) break
    const { score, features, breakdown } = candidate
    const memory = candidate.load()
    const staleness = fileProbe && describeStaleness(memory, fileProbe)
    const note = renderStartNote(memory, staleness, Math.ceil(budgetTokens / 3), input.query.now)
    const heading = sectionOf(memory)?.heading ?? ''
    const cost = estimateTokens(note) + 1 + (headings.has(heading) ? 0 : estimateTokens(heading) + 1)
    if (tokens + cost > budgetTokens) continue
    tokens += cost
    headings.add(heading)
    selected.push({ recalled: { memory, score, features, breakdown }, note })
  }
  return selected
}

/** A summary in its first line, what somebody stored in its first line, anything else as in other notes. */
function renderStartNote(memory: Memory, staleness: string | undefined, tokensMax: number, now: number): string {
  const when = memory.updated.slice(0, 10) + sanitizeText(teamText(memory, ', '))
  if (memory.kind === 'summary') return renderSummary(memory, now)
  if (memory.kind === 'preference' || memory.kind === 'decision' || memory.tags.includes('correction'))
    return `- ${sanitizeText(firstLine(memory.content, 240))} (${when})`
  return renderNote(memory, staleness, tokensMax)
}

/** Characters of where work stopped: a start is for what will be needed. */
const LAST_WORK_CHARS = 180
const LEFT_OPEN_CHARS = 120

/** The first line of a summary, and what was left open if the line does not say it. */
function renderSummary({ content, leftOpen = [], updated }: Memory, now: number): string {
  // Whether a check still fails a day later is known better by running it.
  const isOld = daysBetween(Date.parse(updated), now) > 1
  const line = firstLine(content, LAST_WORK_CHARS)
  const first = isOld ? line.replace(/; open: [^;]*\bfails?\b.*$/, '') : line
  const open = leftOpen.filter(
    (item) => !first.includes(item.slice(0, 40)) && !(isOld && /\bfail(?:s|ed|ing)?\b/.test(item)),
  )
  const left = open.length > 0 ? `\n  Left open: ${sanitizeText(firstLine(open.join('; '), LEFT_OPEN_CHARS))}` : ''
  return `- ${sanitizeText(first)}${left}`
}
