// Whether two lines say the same, or the opposite, so that nothing is stored twice and a later word of a person counts.
// Only what is plain: anything else is left to the model that reads the session, or to the person. And whether an entry
// that nobody said advises the opposite of what a person said. Their words count: it is not kept.
import { isAboutFailures, isCurrent, isOfPerson, type Knowledge, type KnowledgeLine } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { compareValues, groupBy } from '../model/sorting.ts'
import { withoutFullStop } from '../text/excerpt.ts'
import { keepByText } from '../text/pattern.ts'
import { jaccard, shareTerms, weighTerms } from '../text/similarity.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { ruleAlone, withoutAlternative } from './ruleSentences.ts'
import { triggersOfRule } from './ruleTriggers.ts'
import { callOccasion, contains, matchTrigger, prepareText } from './when.ts'

type Compared = Pick<Knowledge, 'line' | 'when'> & Partial<Pick<Knowledge, 'type'>>

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
export const forbidsOther = (later: Compared, earlier: Compared): boolean =>
  isMirrored(later, earlier) || isOpposite(later.line, earlier.line)

/** Both cannot hold: one forbids what the other wants, or wants another value. Too much code for a hook. */
export function contradicts(later: Compared, earlier: Compared): boolean {
  const [now, before] = [readSaid(later.line), readSaid(earlier.line)]
  return (
    isMirrored(later, earlier) ||
    rejectsWanted(later, earlier) ||
    isOpposite(now.alone, before.alone) ||
    isOtherValue(now, before)
  )
}

/** Of each group one value holds: size, language, tone, length, names, white space, quotes, data, images. */
const VALUES = [
  /\d+(?= ?(?:行|文字|スペース|spaces|lines|characters|words|sentences))/g,
  /(?:日本|英|中国|韓国|ドイツ|フランス)語|\b(?:english|japanese|german|french|spanish|chinese|korean)\b/gi,
  /敬語|タメ口|ですます調|である調/g,
  /短[くめ]|詳しく|長[くめ]|簡潔|\b(?:short|brief|concise|detailed|long)\b/gi,
  /(?:スネーク|キャメル|パスカル|ケバブ)ケース|\b(?:snake|camel|pascal|kebab)[ _-]?case\b/gi,
  /スペース|タブ|\b(?:tab|space)s\b/gi,
  /(?:シングル|ダブル)クォート|\b(?:single|double) quotes\b/gi,
  /テキスト|\b(?:json|ya?ml|toml|csv|xml)\b/gi,
  /\b(?:webp|avif|png|jpe?g|svg)\b/gi,
]

/** What a line says without what follows it (`alone`), of that what it wants, and the values in it by group. */
const readSaid = /* @__PURE__ */ keepByText((line) => {
  const alone = ruleAlone(line)
  const wanted = alone.replace(REJECTED, '')
  const values = VALUES.map((group): readonly string[] => wanted.toLowerCase().match(group) ?? [])
  return { alone, wanted, topic: topicOf(wanted), values }
})

type Said = ReturnType<typeof readSaid>

/** Whether both say the same of one subject but for a value: 「コメントは日本語で」, 「コメントは英語で」. */
const isOtherValue = (now: Said, before: Said): boolean =>
  forbids(now.wanted) === forbids(before.wanted) &&
  now.topic === before.topic &&
  now.values.some((values, group) => {
    const others = before.values[group] ?? []
    return others.length > 0 && values.length > 0 && !values.some((value) => others.includes(value))
  }) &&
  (haveOneSubject(now.wanted, before.wanted) || isOtherNumber(now.wanted, before.wanted))

/** Whether one only says another number of the same: "let's do 2 spaces" after "use 4 spaces for indentation". */
const isOtherNumber = (now: string, before: string): boolean =>
  /^let's \w+ \d+ \w+$|^back to \d+ \w+$/i.test(now) && /\d+ (\w+)/.exec(now)?.[1] === /\d+ (\w+)/.exec(before)?.[1]

/** In English one more word names another subject: commit subject lines are not lines. */
function haveOneSubject(now: string, before: string): boolean {
  const [words, others] = [wordsBesideValues(now), wordsBesideValues(before)]
  if (words.size + others.size === 0) return true
  return jaccard(words, others) >= (/[\u3040-\u30ff]/.test(now) ? SUBJECT_SHARE : 1)
}

const wordsBesideValues = /* @__PURE__ */ keepByText((line) =>
  mainWords(VALUES.reduce((text, group) => text.replace(group, ' '), line)),
)

/** What a line names only to say that it is not wanted. */
const REJECTED =
  /[^\s、。はがをでに]{2,20}(?:じゃなくて?|ではなくて?|[はを]やめて?)、?|,? (?:and )?(?:not|instead of|rather than) (?:in )?\w+(?: quotes)?/i

/** What a Japanese line speaks of. A line without it may speak of anything. */
const topicOf = (line: string): string => TOPIC.exec(line)?.[1] ?? ''
const TOPIC =
  /^(?:(?:今後|これから|以後|基本的に|原則)は?、?)*(?!今後|これから)([^\s、。はがをで]{1,24}?)(?:[にで]?は|について)/

/**
 * Which rule of the person a correction is about: `now` holds instead, or the one about `about` holds no longer. The
 * latest of several; if several may be taken back, none.
 */
export function findCorrected(about: string, now: Compared | undefined, known: readonly Memory[]): Memory | undefined {
  const words = [...mainWords(about)]
  // 「やっぱり詳しく説明して」 may be about this answer alone.
  const isVague = topicOf(about) === '' && /[\u3040-\u30ff]/.test(about) && !REJECTED.test(about)
  const meant = known.filter(({ knowledge }) => {
    if (knowledge?.author !== 'person' || !isCurrent(knowledge) || isAboutFailures(knowledge)) return false
    if (now === undefined) return words.length > 0 && words.every((word) => mainWords(knowledge.line).has(word))
    return !isVague && !isSameStatement(now, knowledge) && contradicts(now, knowledge)
  })
  if (now === undefined && meant.length > 1) return undefined
  return meant.sort((a, b) => compareValues(a.updated, b.updated) || compareValues(a.id, b.id)).at(-1)
}

function isOpposite(later: string, earlier: string): boolean {
  const [now, before] = [withoutAlternative(later), withoutAlternative(earlier)]
  return forbids(now) !== forbids(before) && jaccard(subjectWords(now), subjectWords(before)) >= SUBJECT_SHARE
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

/**
 * Whether the tool in place of others was wanted before, and not for something else: "use bun instead of pnpm". What a
 * lesson found stays true, whatever tool is used from now on.
 */
const rejectsWanted = (later: Compared, earlier: Compared): boolean =>
  earlier.type !== 'lesson' &&
  later.when.some(
    ({ tool, has: [bad = '', ...others] = [], unless }) =>
      others.length === 0 &&
      (unless !== undefined || REJECTED.test(later.line)) &&
      earlier.when.some((other) => other.tool === tool && other.unless?.some((good) => lineKey(good) === lineKey(bad))),
  ) &&
  otherWords(later).every((word) => subjectWords(earlier.line).has(word))

/** What else the line is about than its tools: a rule for one part of the work leaves the general one. */
const otherWords = ({ line, when }: Compared): string[] => {
  const tools = subjectWords(when.flatMap(({ has = [], unless = [] }) => [...has, ...unless]).join(' '))
  return [...subjectWords(line)].filter((word) => !tools.has(word) && !CHOICE_WORDS.test(word))
}
const CHOICE_WORDS = /^(?:instead|rather|mov|switch|chang|migrat|prefer|default|run|now|longer|anymore|btw|pleas)/

const NEGATIVE =
  /\b(?:not|dont|never|no|avoid|stop|without|instead of)\b|n['’]t\b|ない(?:で|こと|よう)|ません|禁止|せず|やめて|不要/i

/** Whether its verb is forbidden: what is left out beside it ("without a review") is no ban. */
const forbids = /* @__PURE__ */ keepByText((line): boolean => NEGATIVE.test(line.replace(/without/gi, '')))

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

/** Of the words of the shorter line, by weight: from which two lines with the same trigger are about the same. */
const SAME_SHARE = 0.6
/** Entries with a trigger that are compared, the first ones: in a team's store thousands may have the same. */
const COMPARED_MAX = 200

/** Finds what is about the same as an entry: it has a trigger of it, and most words of the shorter of both lines. */
export function sameSubjectFinder(entries: readonly Memory[]): (memory: Memory) => readonly Memory[] {
  const wordsOf = ({ knowledge }: Memory) => subjectWords(knowledge?.line ?? '')
  const triggersOf = ({ knowledge }: Memory) =>
    knowledge?.when.map(({ at, tool, has, signature }) => `${at} ${tool} ${has} ${signature}`) ?? []
  const weigh = weighTerms(entries.map(wordsOf))
  const pairs = entries.flatMap((memory) => triggersOf(memory).map((trigger) => ({ trigger, memory })))
  const byTrigger = groupBy(pairs, ({ trigger }) => trigger)
  return (memory) => {
    const near = triggersOf(memory).flatMap((trigger) => byTrigger.get(trigger)?.slice(0, COMPARED_MAX) ?? [])
    const isAlike = (other: Memory): boolean =>
      other.id !== memory.id && shareTerms(wordsOf(memory), wordsOf(other), weigh).ofShorter >= SAME_SHARE
    return [...new Set(near.map((pair) => pair.memory))].filter(isAlike)
  }
}

const mainWords = (line: string): ReadonlySet<string> =>
  new Set([...subjectWords(line)].filter((word) => !GENERAL_JAPANESE.test(word)))

/** Hiragana writes grammar; most rules have 書く, 使う, 願う, 必ず, 常に, 毎回 or 統一, whatever they are about. */
const GENERAL_JAPANESE = /[\u3040-\u309f必常願毎書使統]|^一$/

/** Whether a model or a rule wrote the entry, and it says the opposite of this rule, or to run what it forbids. */
export const isOpposed = (entry: Pick<Knowledge, 'author' | 'line' | 'type'>, rule: Compared): boolean =>
  isDerived(entry) &&
  (isOpposite(rule.line, entry.line) ||
    // A lesson that only uses the other tool stays true.
    ((entry.type !== 'lesson' || REJECTED.test(entry.line) || rule.when.every(({ unless }) => !unless)) &&
      isAgainstTriggers(entry.line, rule)))

const isDerived = ({ author }: Pick<Knowledge, 'author'>): boolean => author === 'model' || author === 'rule'

/** Whether the triggers of the rule alone say that it contradicts the entry: their lines may share no word. */
export const isOpposedByTriggers = (entry: KnowledgeLine, rule: Compared): boolean =>
  isMirrored(rule, entry) || rejectsWanted(rule, entry) || (isDerived(entry) && isAgainstTriggers(entry.line, rule))

function isAgainstTriggers(line: string, rule: Compared): boolean {
  // Most rules have no trigger that could be mirrored: then those of the line are not needed.
  if (rule.when.length > 0 && isMirrored(rule, { line, when: triggersOfLine(line) })) return true
  const command = ADVISED_COMMAND.exec(line)?.[1]
  if (command === undefined || !NEGATIVE.test(rule.line)) return false
  const call = callOccasion({ tool: 'Bash', input: { command } })
  // With a good call beside it the way is right and only the tool is wrong: the rule itself comes before that call.
  return rule.when.some((trigger) => !trigger.unless?.length && matchTrigger(trigger, call) === 'fires')
}

const triggersOfLine = /* @__PURE__ */ keepByText(triggersOfRule)

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
