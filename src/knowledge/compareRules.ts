// Whether two lines say the same, or the opposite, so that nothing is stored twice and a later word of a person counts.
// Only what is plain: anything else is left to the model that reads the session, or to the person. And whether an entry
// that nobody said advises the opposite of what a person said. Their words count: it is not kept.

import type { MemoryId } from '../model/id.ts'
import { isAboutFailures, isCurrent, isOfPerson, type Knowledge, type KnowledgeLine } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { addTo } from '../model/sorting.ts'
import { withoutFullStop } from '../text/excerpt.ts'
import { keepByText } from '../text/pattern.ts'
import { jaccard, weighTerms } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { withoutAlternative } from './ruleSentences.ts'
import { triggersOfRule } from './ruleTriggers.ts'
import { callOccasion, contains, matchTrigger, prepareText } from './when.ts'

type Compared = Pick<Knowledge, 'line' | 'when'>

/** Shared words of all words, from which two lines have one subject. */
export const SUBJECT_SHARE = 0.6

/**
 * The line to the letter, but for white space, a full stop at its end, commas, backquotes in pairs, politeness and the
 * case of ordinary words: the same for the same statement, and for no other one. `-S` is not `-s`, `x=1` not `x!=1`.
 */
export const statementKey = /* @__PURE__ */ keepByText((line) =>
  withoutFullStop(line.normalize('NFKC').replace(/\s+/g, ' ').trim())
    .replace(POLITE_ENDS, '')
    .replace(POLITE_JAPANESE, ' ')
    .replace(ORDINARY_WORDS, (word) => word.toLowerCase())
    .replace(/(?<=\p{L}{2}|`),(?=\s)|、/gu, '')
    .replace(/`([^`]+)`/g, '$1')
    .trim(),
)

/** In small or capital letters, or with a capital at the beginning. `A`, `-S` and `userId` are names. */
const ORDINARY_WORDS = /(?<=^|[\s(])\p{Lu}(?:[\p{Ll}'’]+|[\p{Lu}'’]+)(?=[.,;:!?)]*(?:\s|$))/gu
const POLITE_ENDS = /^(?:(?:please|always)[\s,]+)+|[\s,]+please$/gi
const POLITE_JAPANESE = /(?:して)?(?:ください|下さい)|お願いします|(?:です|ます)(?=[\s。、!]|$)/g

/** The words of a line, without case, punctuation and politeness, as in all versions: ids are made of it. */
export const lineKey = /* @__PURE__ */ keepByText(
  (line) =>
    line
      .normalize('NFKC')
      .toLowerCase()
      .replace(POLITE_JAPANESE, ' ')
      .replace(POLITE_WORDS, ' ')
      .match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}.,;:!?'"`。、「」()]+/gu)
      ?.join(' ') ?? line,
)

const POLITE_WORDS = /\b(?:please|always|the|an?|here|must|should|again|just|also)\b/g

/** Likeness is not enough: "dock C" is not "dock D", "allowed" not "not allowed". */
export const isSameStatement = (a: Compared, b: Compared): boolean => statementKey(a.line) === statementKey(b.line)

/** One forbids what the other wants: their triggers are mirrored, or one subject is wanted once and forbidden once. */
export const contradicts = (later: Compared, earlier: Compared): boolean =>
  isMirrored(later, earlier) || isOpposite(later.line, earlier.line)

function isOpposite(later: string, earlier: string): boolean {
  const [now, before] = [withoutAlternative(later), withoutAlternative(earlier)]
  return forbids(now) !== forbids(before) && subjectShare(now, before) >= SUBJECT_SHARE
}

/** What breaks the later rule keeps the earlier one, and the reverse: `npm unless pnpm` and `pnpm unless npm`. */
const isMirrored = (later: Compared, earlier: Compared): boolean =>
  later.when.some(
    ({ at, has = [], unless = [] }) =>
      at === 'call' &&
      earlier.when.some((other) => other.at === at && keeps(unless, other.has ?? []) && keeps(other.unless ?? [], has)),
  )

const keeps = (unless: readonly string[], has: readonly string[]): boolean =>
  unless.some((good) => has.some((bad) => contains(prepareText(bad), good)))

const NEGATIVE =
  /\b(?:not|never|no longer|no|avoid|stop|without|instead of)\b|n['’]t\b|ない(?:で|こと|よう)|ません|禁止|せず|やめて|不要/i

/** Whether its verb is forbidden: what is left out beside it ("without a review") is no ban. */
const forbids = (line: string): boolean => NEGATIVE.test(line.replace(/without/gi, ''))

/**
 * What a line forbids: the clause behind its first negative word, up to the next comma if that word stands behind one
 * (`X, not Y, does Z`); in Japanese what precedes that.
 */
export function bannedPart(rule: string): string {
  const line = withoutAlternative(rule)
  const negative = NEGATIVE.exec(line)
  if (negative === null) return ''
  const isJapanese = /[\u3040-\u30ff]/.test(negative[0]) || /禁止|不要/.test(negative[0])
  if (isJapanese) return line.slice(0, negative.index)
  const clause = /^[^.;:、。]*/.exec(line.slice(negative.index + negative[0].length))?.[0] ?? ''
  return /,\s*$/.test(line.slice(0, negative.index)) ? clause.replace(/,.*/s, '') : clause
}

const FILLER = new Set(extractTerms('always never use using do not no avoid stop please should must again longer'))

export const subjectWords = /* @__PURE__ */ keepByText(
  (line) => new Set(extractTerms(line).filter((term) => !FILLER.has(term))),
)

const subjectShare = (a: string, b: string): number => jaccard(subjectWords(a), subjectWords(b))

/** Shared words of all words of two entries, by weight, from which they are about one subject. */
const GROUP_SHARE = 0.3
/** Subjects that are compared because they have a word: one of more subjects says little. */
const COMPARED_MAX = 30

/** For each entry the first one about its subject, which may be itself; rare words count more. */
export function groupSubjects(entries: readonly Memory[]): ReadonlyMap<MemoryId, MemoryId> {
  const texts = new Map(entries.map(({ id, knowledge }) => [id, subjectWords(knowledge?.line ?? '')]))
  const weigh = weighTerms([...texts.values()])
  const weights = new Map([...texts].map(([id, words]) => [id, weigh(words)]))
  const subjects = new Map<MemoryId, MemoryId>()
  // An entry is compared with the first ones that have one of its words, not with all others.
  const firsts = new Map<string, MemoryId[]>()
  for (const [id, words] of texts) {
    const near = new Set([...words].flatMap((word) => firsts.get(word) ?? []))
    const shares = [...near].map((first) => {
      const shared = weigh([...words].filter((word) => texts.get(first)?.has(word)))
      return { first, share: shared / ((weights.get(id) ?? 0) + (weights.get(first) ?? 0) - shared) }
    })
    const best = shares.sort((a, b) => b.share - a.share)[0]
    const isNew = best === undefined || best.share < GROUP_SHARE
    subjects.set(id, isNew ? id : best.first)
    if (!isNew) continue
    for (const word of words) if ((firsts.get(word)?.length ?? 0) < COMPARED_MAX) addTo(firsts, word, id)
  }
  return subjects
}

/** Whether a model or a rule wrote the entry, and it says the opposite of this rule, or to run what it forbids. */
export const isOpposed = (entry: Pick<Knowledge, 'author' | 'line'>, rule: Compared): boolean =>
  isDerived(entry) && (isOpposite(rule.line, entry.line) || isAgainstTriggers(entry.line, rule))

const isDerived = ({ author }: Pick<Knowledge, 'author'>): boolean => author === 'model' || author === 'rule'

/** Whether the triggers of the rule alone say that it contradicts the entry: their lines may share no word. */
export const isOpposedByTriggers = (entry: KnowledgeLine, rule: Compared): boolean =>
  isMirrored(rule, entry) || (isDerived(entry) && isAgainstTriggers(entry.line, rule))

function isAgainstTriggers(line: string, rule: Compared): boolean {
  // Most rules have no trigger that could be mirrored: then those of the line are not needed.
  const own = {
    line,
    get when() {
      return triggersOfLine(line)
    },
  }
  if (isMirrored(rule, own)) return true
  const command = ADVISED_COMMAND.exec(line)?.[1]
  if (command === undefined || !NEGATIVE.test(rule.line)) return false
  const call = callOccasion({ tool: 'Bash', input: { command } })
  // With a good call beside it the way is right and only the tool is wrong: the rule itself comes before that call.
  return rule.when.some((trigger) => !trigger.unless?.length && matchTrigger(trigger, call) === 'fires')
}

const triggersOfLine = /* @__PURE__ */ keepByText(triggersOfRule)

/** The command that a line says to run. */
const ADVISED_COMMAND = /^(?:always |first |please )?(?:run|use|call|execute) `([^`]+)`/i

/** The same against everything that a person wants in the whole project. */
export const isOpposedByPerson = (entry: Knowledge, memories: Iterable<Memory>): boolean =>
  [...memories].some(
    ({ knowledge, status, privacy }) =>
      knowledge !== undefined &&
      status === 'active' &&
      privacy === 'public' &&
      knowledge.author === 'person' &&
      isCurrent(knowledge) &&
      isOfPerson(knowledge) &&
      !isAboutFailures(knowledge) &&
      (knowledge.scope === 'project' || knowledge.scope === 'person') &&
      isOpposed(entry, knowledge),
  )
