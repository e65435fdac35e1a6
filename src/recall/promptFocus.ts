// At a prompt that names an issue ("go on with #42"), the work on it; at one that repeats an earlier prompt, what that
// task came to. At any other prompt every candidate counts, earlier work only if it is surely about the same.
import type { Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { firstLine } from '../text/excerpt.ts'
import { isHandedOverPlan } from '../text/promptText.ts'
import { jaccard, splitPlainWords } from '../text/similarity.ts'
import { findTaskReference } from '../text/taskReference.ts'
import type { RankableMemory, RecallCandidate, RecallFocus } from './recallCandidate.ts'

/** A task's memory begins with the prompt: so many characters are compared. */
const PROMPT_CHARS = 400

/** Fewer distinct words are a phrase that people repeat about different work. */
const WORDS_MIN = 8

/** Share of words in common that makes a prompt the same as an earlier one, 0 to 1. */
const SAME_PROMPT_SHARE = 0.8

/** Tasks that are compared with the prompt: each text is read for this. Words of the same meaning count, too. */
const COMPARED_MAX = 2
const COMPARED_COVERAGE = 0.4

/** Least score, by the default formula, of an earlier task or session. Of 6 notes below it that were read none was useful, of 15 above it 6. */
const WORK_SCORE_MIN = 2

/** Without thresholds: the focus itself is the evidence. */
const NO_THRESHOLD = { relevanceMin: 0, scoreMin: -1 }

export function focusOnPrompt<Candidate extends RecallCandidate & Required<Pick<RecallCandidate, 'load'>>>(
  candidates: readonly Candidate[],
  query: RecallQuery,
  formula: Policy['recall']['formula'],
): RecallFocus<Candidate> {
  const task = findTaskReference(query.text)
  const named = task === undefined ? [] : candidates.filter(({ memory }) => memory.taskId === task)
  if (named.length > 0) return { candidates: named, limits: NO_THRESHOLD }
  const isTaskKnown = candidates.some((candidate) => isOf(candidate, query.taskId))
  const same = isTaskKnown ? undefined : findSameTask(candidates, query)
  if (same) return { candidates: [same], limits: NO_THRESHOLD }
  // A plan holds what it needs of the work before.
  const isPlan = isHandedOverPlan(query.text)
  const sure = new Set(candidates.flatMap((each) => (isSure(each, query) ? [each.memory.id] : [])))
  const isWorth = (memory: RankableMemory, score: number): boolean =>
    !isWork(memory) || sure.has(memory.id) || (!isPlan && (formula !== 'default' || score >= WORK_SCORE_MIN))
  return { candidates, isWorth }
}

/** It has nearly all words of the prompt, or is about the task of the prompt. */
const isSure = ({ memory, match }: RecallCandidate, { taskId }: RecallQuery): boolean =>
  match.coverage >= SAME_PROMPT_SHARE || isOf({ memory }, taskId)

const isOf = ({ memory }: Pick<RecallCandidate, 'memory'>, taskId: string | undefined): boolean =>
  taskId !== undefined && memory.taskId === taskId

/** Work that memctl saw. The importance of what is pinned is 1. */
const isWork = ({ kind, importance }: RankableMemory): boolean =>
  (kind === 'experience' || kind === 'summary') && importance < 1

/** The task with nearly the same prompt. */
function findSameTask<Candidate extends RecallCandidate & Required<Pick<RecallCandidate, 'load'>>>(
  candidates: readonly Candidate[],
  { text }: RecallQuery,
): Candidate | undefined {
  const words = splitPlainWords(firstLine(text.trim().replace(/\s+/g, ' '), PROMPT_CHARS))
  if (words.size < WORDS_MIN) return undefined
  return candidates
    .filter(({ memory, match }) => memory.kind === 'experience' && match.coverage >= COMPARED_COVERAGE)
    .sort((a, b) => b.match.words - a.match.words)
    .slice(0, COMPARED_MAX)
    .find(({ load }) => jaccard(words, splitPlainWords(promptOf(load()))) >= SAME_PROMPT_SHARE)
}

/** The prompt of a task: the first line of what is searched. In an early store its text begins with the prompt. */
const promptOf = ({ searchText, content }: Memory): string => firstLine(searchText ?? content, PROMPT_CHARS)
