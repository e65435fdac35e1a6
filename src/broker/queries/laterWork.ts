// Which later work may have done what a session left open: one rule for the report and for the tools.
import type { Memory } from '../../model/memory.ts'
import { compareValues, groupBy } from '../../model/sorting.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { keepByText } from '../../text/pattern.ts'
import { shareTerms, weighTerms } from '../../text/similarity.ts'
import { findTaskReference } from '../../text/taskReference.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'

/** The words of a task that later work must name, in all and as a share of their weight. */
const [WORDS_MIN, SHARE_MIN] = [3, 0.5]
/** And what one line of the work and the task share of all their words if they have a subject in common. */
const COMMON_SHARE_MIN = 0.12
/** Less is enough on the issue or a file that the task names: such work says the rest in other words. */
const SHARE_ON_SAME_MIN = 0.3
/** Lines of a summary about what was asked or is open: no work. */
const NO_RESULT = /^(?:Open|Asked|Worked on|Nothing was changed)\b/

const termsOf = /* @__PURE__ */ keepByText((text): ReadonlySet<string> => new Set(extractTerms(text)))

/**
 * Finds among summaries and tasks the work that ended later than another one and may have done what that left open,
 * the likeliest first: by its results, and by the entries that it has taught.
 */
export function laterWorkFinder(
  work: readonly Memory[],
  entries: readonly Memory[],
): (task: string, left: Memory) => readonly Memory[] {
  const taught = groupBy(entries, ({ session }) => session)
  const results = work.map((memory) => {
    const lines = memory.questionOnly ? [] : memory.content.split('\n').filter((line) => !NO_RESULT.test(line))
    // What it learned may say in other words what it did.
    const lessons = (taught.get(memory.session) ?? []).map(({ knowledge }) => knowledge?.line ?? '')
    const subjects = [...lines.slice(0, 1), ...lessons].map(termsOf)
    return { memory, subjects, terms: new Set([...lines, ...lessons].flatMap((line) => [...termsOf(line)])) }
  })
  const weigh = weighTerms(results.map(({ terms }) => terms))
  return (task, left) => {
    const words = termsOf(task)
    const isLater = ({ session, updated }: Memory): boolean => session !== left.session && updated > left.updated
    const found = results.flatMap(({ memory, subjects, terms }) => {
      const shared = isLater(memory) ? [...words].filter((word) => terms.has(word)) : []
      const share = weigh(shared) / weigh(words)
      // #7713 is not #7716, however much else is the same. "Phase 2" names nothing.
      const isOther = [...words].some((word) => /\d{3}/.test(word) && !terms.has(word))
      const isOnSubject = subjects.some((subject) => shareTerms(words, subject, weigh).ofAll >= COMMON_SHARE_MIN)
      const isIt =
        (shared.length >= WORDS_MIN && share >= SHARE_MIN && !isOther && isOnSubject) ||
        (share >= SHARE_ON_SAME_MIN && isOnSame(task, memory))
      return isIt ? [{ memory, share }] : []
    })
    return found
      .sort((a, b) => b.share - a.share || compareValues(b.memory.updated, a.memory.updated))
      .map(({ memory }) => memory)
  }
}

/** Whether work is of the issue that a task names, or changed a file that it names. */
function isOnSame(task: string, { taskId, content, editedFiles = [] }: Memory): boolean {
  const reference = findTaskReference(task)
  const files = findFilePaths(task)
  const isOfIssue = reference !== undefined && (taskId === reference || content.includes(reference))
  return isOfIssue || editedFiles.some((file) => files.some((named) => `/${file}`.endsWith(`/${named}`)))
}
