// What is about the same: repeats are one result, what was decided later is named, and a question may have several
// subjects.
import { listVisible } from '../../broker/live/liveStore.ts'
import { isDoubtful } from '../../broker/projection/knowledgeFile.ts'
import { sameSubjectFinder, statementKey, subjectWords } from '../../knowledge/compareRules.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { KNOWLEDGE_CHARS_MAX } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import { firstLine } from '../../text/excerpt.ts'
import { shareTerms, weighTerms } from '../../text/similarity.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { byTime, describeLine, isOfKinds, latestFirst, lineOf, NAMED_MAX, textOf } from './everydayFields.ts'
import { hasTerms, plainQuery } from './question.ts'

/** Memories that begin alike, or found the same way out of another error: they are one result. */
const repeatKey = (memory: Memory): string =>
  statementKey(memory.knowledge?.ways?.[0]?.way ?? memory.knowledge?.line ?? textOf(memory).slice(0, SHORT_CHARS))

/**
 * The best of those that are one result. The summary of a session is one with its tasks that it names: it stands for
 * them, or if one of them answers better, they stand each for itself.
 */
export function groupRepeats(found: readonly Memory[]): readonly Memory[] {
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
      return [...groupBy(tasks, repeatKey).values()].flatMap(([memory]) => memory ?? [])
    // A file has the copy of what is shared.
    return group.find(({ entrySource }) => !entrySource) ?? group[0] ?? []
  })
}

/** Of the words of the shorter of two lines, by weight: from which a new one is near a known one. */
const NEAR_SHARE = 0.4

/** What is known, without what was done, and without what the person perhaps has not said. */
export const listKnown = (context: ToolContext): readonly Memory[] =>
  listVisible(context.liveStore, viewingSession(context)).filter(
    ({ kind, knowledge }) => kind !== 'experience' && kind !== 'summary' && !(knowledge && isDoubtful(knowledge)),
  )

/** What is decided, wanted or so: a later one about the same subject may end it. */
export const isStatement = (memory: Memory): boolean => isOfKinds(['decision', 'preference', 'fact'], memory)

/** Finds what was decided in a later session about the same as a memory: in one session it is a new wording. */
export function laterFinder(known: readonly Memory[]): (memory: Memory) => readonly Memory[] {
  const findSame = sameSubjectFinder(known.filter(isStatement).sort(byTime('created')))
  return (memory) => {
    const isLater = ({ session, created }: Memory): boolean =>
      created > memory.created && (session === undefined || session !== memory.session)
    return isStatement(memory) ? findSame(memory).filter(isLater) : []
  }
}

/** What was decided later about the same, the latest first. */
export const describeLater = (later: readonly Memory[]): ToolOutput =>
  later.length > 0 ? { later_on_this: latestFirst(later).slice(0, NAMED_MAX).map(describeLine) } : {}

/** What is about the same as a text, the most alike first: by words, or as it names another tool for the same work. */
export function findAlike(content: string, memories: readonly Memory[]): readonly Memory[] {
  const line = firstLine(content, KNOWLEDGE_CHARS_MAX)
  const weigh = weighTerms(memories.map((memory) => subjectWords(lineOf(memory))))
  const avoided = listAvoided(line)
  const isOfWork = (memory: Memory): boolean =>
    memory.kind !== 'lesson' && listAvoided(lineOf(memory)).some((name) => avoided.includes(name))
  const shares = memories.map((memory) => ({
    memory,
    share: isOfWork(memory) ? 1 : shareTerms(subjectWords(line), subjectWords(lineOf(memory)), weigh).ofShorter,
  }))
  const near = shares.filter(({ share }) => share >= NEAR_SHARE).sort((x, y) => y.share - x.share)
  return near.slice(0, NAMED_MAX).map(({ memory }) => memory)
}

/** The tools that a text excludes by naming another one for the same work. */
const listAvoided = (line: string): readonly string[] =>
  triggersOfRule(line).flatMap(({ has = [], unless = [] }) => (unless.length > 0 ? has : []))

/** What joins two subjects. */
const JOINED = /\s+(?:and|or|und|&)\s+|[、，;]\s*|,\s+|(?<=[ァ-ヺー々㐀-鿿\w])(?:と|や|および)(?=[ァ-ヺー々㐀-鿿\w])/u
/** More are a list of names. */
const SUBJECTS_MAX = 3

/** The subjects of a question: it has each its words. None if it has only one. */
export function splitSubjects(query: string): readonly string[] {
  const parts = plainQuery(query).split(JOINED)
  return parts.length <= SUBJECTS_MAX && parts.every(hasTerms) ? parts.slice(parts.length > 1 ? 0 : 1) : []
}

/** Results that a subject has in turn with the others. */
const TURNS = 10

/** What is about all subjects of a question by its line, then the best of each in turn, then the others. */
export function mergeSubjects(
  query: string,
  all: readonly Memory[],
  bySubject: readonly (readonly Memory[])[],
): readonly Memory[] {
  if (bySubject.length === 0) return all
  const subjects = splitSubjects(query).map((subject) => new Set(extractTerms(subject)))
  const isAboutAll = (memory: Memory): boolean => {
    const terms = extractTerms(lineOf(memory))
    return subjects.every((words) => terms.some((term) => words.has(term)))
  }
  const inTurn = Array.from({ length: TURNS }, (_, i) => bySubject.flatMap((found) => found[i] ?? []))
  return [...new Set([...all.filter(isAboutAll), ...inTurn.flat(), ...all])]
}
