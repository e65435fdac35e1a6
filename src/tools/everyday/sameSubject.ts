// What is about the same: it is one result, and what was decided later comes first.
import { listVisible } from '../../broker/live/liveStore.ts'
import { isDoubtful } from '../../broker/projection/knowledgeFile.ts'
import { statementKey, subjectWords } from '../../knowledge/compareRules.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { KNOWLEDGE_CHARS_MAX } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import { firstLine } from '../../text/excerpt.ts'
import { shareTerms, weighTerms } from '../../text/similarity.ts'
import { SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { byTime, describeLine, isOfKinds, latestFirst, listReplaced, NAMED_MAX, textOf } from './everydayFields.ts'

/** A result. */
export interface Shown {
  readonly memory: Memory
  /** Those of them that say nearly the same in other words. */
  readonly similar: readonly Memory[]
}

/** Memories that begin alike, or found the same way out of another error: they are one result. */
const repeatKey = (memory: Memory): string =>
  statementKey(memory.knowledge?.ways?.[0]?.way ?? memory.knowledge?.line ?? textOf(memory).slice(0, SHORT_CHARS))

/**
 * The best of those that are one result. The summary of a session is one with its tasks that it names: it stands for
 * them, or if one of them answers better, they stand each for itself.
 */
export function groupRepeats(found: readonly Memory[]): readonly Shown[] {
  const summaries = new Map(found.flatMap((memory) => (memory.kind === 'summary' ? [[memory.session, memory]] : [])))
  const keyOf = (memory: Memory): string => {
    const summary = memory.kind === 'experience' ? summaries.get(memory.session) : undefined
    const [line = ''] = memory.content.split('\n')
    const isSummed = memory.outcome !== 'failure' && line.split(' → ').some((part) => summary?.content.includes(part))
    return repeatKey(isSummed && summary ? summary : memory)
  }
  return [...groupBy(found, keyOf).values()].flatMap((group) => {
    const tasks = group.filter(({ kind }) => kind !== 'summary')
    if (group[0]?.kind === 'experience' && tasks.length < group.length)
      return [...groupBy(tasks, repeatKey).values()].flatMap(([memory]) => (memory ? [{ memory, similar: [] }] : []))
    // A file has the copy of what is shared.
    const memory = group.find(({ entrySource }) => !entrySource) ?? group[0]
    return memory ? [{ memory, similar: [] }] : []
  })
}

/** What two lines share, 0 to 1: of all their words, and of those of the shorter one. Rare words count more. */
export type Likeness = (a: string, b: string) => { readonly ofAll: number; readonly ofShorter: number }

/** Of all words: they say nearly the same, are about one subject. Of the shorter one's: about the same as a new one. */
const [SIMILAR_SHARE, SUBJECT_SHARE, NEAR_SHARE] = [0.33, 0.28, 0.4]
/** What was decided is seldom the same in other words. */
const SAME_DECISION_SHARE = 0.4

export const lineOf = ({ knowledge, content }: Memory): string =>
  knowledge?.line ?? firstLine(content, KNOWLEDGE_CHARS_MAX)

/** What is known, without what was done, and without what the person perhaps has not said. */
export const listKnown = (context: ToolContext): readonly Memory[] =>
  listVisible(context.liveStore, viewingSession(context)).filter(
    ({ kind, knowledge }) => kind !== 'experience' && kind !== 'summary' && !(knowledge && isDoubtful(knowledge)),
  )

/** The likeness among the lines of these memories. */
export function openLikeness(memories: readonly Memory[]): Likeness {
  const weigh = weighTerms([...new Set(memories.map(lineOf))].map(subjectWords))
  return (a, b) => shareTerms(subjectWords(a), subjectWords(b), weigh)
}

/**
 * The first results. What says nearly the same in other words is named there: of what was decided at the latest.
 */
export function selectShown(groups: readonly Shown[], limit: number, alike: Likeness): readonly Shown[] {
  const shown: Shown[] = []
  for (const group of groups) {
    const at = shown.findIndex(
      ({ memory, similar }) => similar.length < NAMED_MAX && isSimilar(memory, group.memory, alike),
    )
    const same = shown[at]
    if (same) {
      const [first, second] = isLater(group.memory, same.memory)
        ? [group.memory, same.memory]
        : [same.memory, group.memory]
      shown[at] = { memory: first, similar: [...same.similar, second] }
    } else if (shown.length < limit) shown.push(group)
  }
  return shown
}

/** Lines that say what worked at a failure are alike in what is said of the failure; a decision is no lesson. */
function isSimilar(a: Memory, b: Memory, alike: Likeness): boolean {
  if (!a.knowledge || !b.knowledge || a.knowledge.ways || b.knowledge.ways) return false
  if (isStatement(a) !== isStatement(b)) return false
  return alike(lineOf(a), lineOf(b)).ofAll >= (isStatement(a) ? SAME_DECISION_SHARE : SIMILAR_SHARE)
}

/** What is decided, wanted or so: a later one about the same subject may end it. */
const isStatement = (memory: Memory): boolean => isOfKinds(['decision', 'preference', 'fact'], memory)

const isLater = (later: Memory, memory: Memory): boolean =>
  isStatement(later) && isStatement(memory) && later.created > memory.created

/** Whether a memory was decided about the subject of another one in a later session: in one it is a new wording. */
function isLaterOn(later: Memory, memory: Memory, alike: Likeness): boolean {
  const isSameSession = later.session !== undefined && later.session === memory.session
  if (isSameSession || !isLater(later, memory)) return false
  return alike(lineOf(later), lineOf(memory)).ofAll >= SUBJECT_SHARE && repeatKey(later) !== repeatKey(memory)
}

/** The latest with a word, which are compared: a word of more says little. */
const COMPARED_MAX = 30

/** Finds what is wanted in place of something else, and what was decided differently later. */
export function changeFinder(known: readonly Memory[], alike: Likeness, context: ToolContext) {
  const replaced = listReplaced(context, new Set<string>(known.map(({ id }) => id)))
  const latest = known.filter(isStatement).sort(byTime('created'))
  const listWords = (memory: Memory) => [...subjectWords(lineOf(memory))].map((word) => ({ word, memory }))
  const byWord = groupBy(latest.flatMap(listWords), ({ word }) => word)
  const isDecidedLater = (memory: Memory): boolean =>
    listWords(memory).some(({ word }) =>
      byWord
        .get(word)
        ?.slice(0, COMPARED_MAX)
        .some((each) => isLaterOn(each.memory, memory, alike)),
    )
  return (memory: Memory): boolean => isStatement(memory) && (replaced.has(memory.id) || isDecidedLater(memory))
}

/** What of all that is known was decided later about the subject of a memory, the latest first. */
export function describeLater(memory: Memory, known: readonly Memory[], alike: Likeness): ToolOutput {
  const later = known.filter((each) => isLaterOn(each, memory, alike))
  return later.length > 0 ? { later_on_this: latestFirst(later).slice(0, NAMED_MAX).map(describeLine) } : {}
}

/** What says nearly the same as a result; what was decided is the latest of them. */
export const describeSimilar = (memory: Memory, similar: readonly Memory[]): ToolOutput =>
  similar.length > 0 ? { [isStatement(memory) ? 'earlier_on_this' : 'similar']: similar.map(describeLine) } : {}

/** What is about the same as a text, the most alike first: by words, or as it names another tool for the same work. */
export function findAlike(content: string, memories: readonly Memory[]): readonly Memory[] {
  const alike = openLikeness(memories)
  const line = firstLine(content, KNOWLEDGE_CHARS_MAX)
  const avoided = listAvoided(line)
  const isOfWork = (memory: Memory): boolean =>
    memory.kind !== 'lesson' && listAvoided(lineOf(memory)).some((name) => avoided.includes(name))
  const shares = memories.map((memory) => ({
    memory,
    share: isOfWork(memory) ? 1 : alike(line, lineOf(memory)).ofShorter,
  }))
  const near = shares.filter(({ share }) => share >= NEAR_SHARE).sort((x, y) => y.share - x.share)
  return near.slice(0, NAMED_MAX).map(({ memory }) => memory)
}

/** The tools that a text excludes by naming another one for the same work. */
const listAvoided = (line: string): readonly string[] =>
  triggersOfRule(line).flatMap(({ has = [], unless = [] }) => (unless.length > 0 ? has : []))
