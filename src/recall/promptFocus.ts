// At a prompt that names an issue ("go on with #42"), the work on it; at one that repeats an earlier prompt, what that
// task came to. At any other prompt no earlier tasks, and no wishes and decisions that nobody asked to remember
// unless their own trigger fires: of 44 tasks and 17 entries that blind readers graded, two and none were useful.
import type { RecallQuery } from '../model/recallQuery.ts'
import { firstLine } from '../text/excerpt.ts'
import { isHandedOverPlan } from '../text/promptText.ts'
import { jaccard, splitPlainWords } from '../text/similarity.ts'
import { findTaskReference } from '../text/taskReference.ts'
import type { RankableMemory, RecallCandidate, RecallFocus } from './recallCandidate.ts'
import { isWorthShowing } from './selectWithinBudget.ts'

/** A task's memory begins with the prompt: so many characters are compared. */
const PROMPT_CHARS = 400

/** Fewer distinct words are a phrase that people repeat about different work. */
const WORDS_MIN = 8

/**
 * With fewer distinct words a prompt is mostly about its conversation: a summary is about it only if it has so many of
 * these words, 0 to 1, and at a plan that is handed over never. Blind readers found 1 of 13 at such prompts useful.
 */
const [SUBJECT_WORDS_MIN, SUBJECT_COVERAGE] = [12, 0.6]

/** Share of words in common that makes a prompt the same as an earlier one, 0 to 1. */
const SAME_PROMPT_SHARE = 0.8

/** Tasks that are compared with the prompt: each text is read. With less in common only the same prompt counts. */
const COMPARED_MAX = 2
const COMPARED_COVERAGE = 0.4

/** Without thresholds: the focus itself is the evidence. */
const NO_THRESHOLD = { relevanceMin: 0, scoreMin: -1 }

export function focusOnPrompt<Candidate extends RecallCandidate & Required<Pick<RecallCandidate, 'load'>>>(
  candidates: readonly Candidate[],
  query: RecallQuery,
): RecallFocus<Candidate> {
  const task = findTaskReference(query.text)
  const named = task === undefined ? [] : candidates.filter(({ memory }) => memory.taskId === task)
  if (named.length > 0) return { candidates: named, limits: NO_THRESHOLD }
  const isOfTask = ({ taskId }: RankableMemory): boolean => taskId !== undefined && taskId === query.taskId
  const same = candidates.some(({ memory }) => isOfTask(memory)) ? undefined : findSameTask(candidates, query)
  if (same) return { candidates: [same], limits: NO_THRESHOLD }
  // The importance of what is pinned is 1.
  const words = [...splitPlainWords(shortened(query.text))]
  // Of Japanese they are pairs of characters, of which two make a word.
  const isBrief = words.reduce((sum, word) => sum + (/[぀-鿿]/.test(word) ? 0.5 : 1), 0) < SUBJECT_WORDS_MIN
  const coverageMin = isHandedOverPlan(query.text) ? Number.POSITIVE_INFINITY : isBrief ? SUBJECT_COVERAGE : 0
  const isAside = ({ kind, isLearned }: RankableMemory, { coverage }: RecallCandidate['match']): boolean =>
    kind === 'experience' ||
    (kind === 'summary' && coverage < coverageMin) ||
    (isLearned === true && (kind === 'preference' || kind === 'decision'))
  const isWorth = ({ memory, match }: Candidate): boolean =>
    memory.importance === 1 || isOfTask(memory) || !isAside(memory, match)
  return { candidates: candidates.filter(isWorth) }
}

const shortened = (text: string): string => firstLine(text.trim().replace(/\s+/g, ' '), PROMPT_CHARS)

/** The task with nearly the same prompt that came to something. */
function findSameTask<Candidate extends RecallCandidate & Required<Pick<RecallCandidate, 'load'>>>(
  candidates: readonly Candidate[],
  { text }: RecallQuery,
): Candidate | undefined {
  const words = splitPlainWords(shortened(text))
  if (words.size < WORDS_MIN) return undefined
  return candidates
    .filter(({ memory, match }) => memory.kind === 'experience' && match.coverage >= COMPARED_COVERAGE)
    .sort((a, b) => b.match.words - a.match.words)
    .slice(0, COMPARED_MAX)
    .find(({ load, match }) => {
      const task = load()
      const share = jaccard(words, splitPlainWords(firstLine(task.searchText ?? task.content, PROMPT_CHARS)))
      return isWorthShowing(task) && share >= (match.coverage < SAME_PROMPT_SHARE ? 1 : SAME_PROMPT_SHARE)
    })
}
