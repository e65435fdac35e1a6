// A model's question: what it is searched by without the words that only say what kind of answer is wanted ("what fails
// when I run the tests", "what did we decide about prices", 「テストが通らない」), and which memories answer it best. Also
// what is about the same as a text that is saved.
import { listVisible } from '../../broker/live/liveStore.ts'
import { listMemoriesOfFiles } from '../../broker/queries/browse.ts'
import { statementKey, subjectWords } from '../../knowledge/compareRules.ts'
import { namesOnlyFile } from '../../knowledge/overcomeFailures.ts'
import { triggersOfRule } from '../../knowledge/ruleTriggers.ts'
import { KNOWLEDGE_CHARS_MAX } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { groupBy } from '../../model/sorting.ts'
import { firstLine } from '../../text/excerpt.ts'
import { baseName, findFilePaths } from '../../text/filePaths.ts'
import { keepByText, pattern } from '../../text/pattern.ts'
import { splitPlainWords } from '../../text/similarity.ts'
import { NOT_DONE } from '../../text/taskSentences.ts'
import { extractTerms, stemOf } from '../../text/terms/extractTerms.ts'
import { SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { DAY_MS, describeLine, isOfKinds, kindOf, latestFirst, sessionsOf } from './everydayFields.ts'

const ASKING = pattern(
  String.raw`\b(?:how (?:to|do i|is it|was it)|why(?: (?:did|do|does|is|are|was|were)(?: (?:we|i|you|it))?)?|
    (?:when|if) (?:i|we) (?:run|use|call)|what(?: do (?:you|we) know)?|who said|(?:everything|all)(?= about\b))\b|
    何(?:[がを]|ですか|でしたか)|なぜ|何故|どうして|理由`,
  'gi',
)
/** Who said something, and why. */
const SOURCES = /\b(?:why|reasons?|because|who said)\b|なぜ|何故|どうして|理由|誰が/i

/** Whether a question asks what memories rest on: reasons, who said so. */
export const asksForSources = (query = ''): boolean => SOURCES.test(query)

/** Whether a question asks what failed, or how it was overcome. */
export const asksForFailures = ({ query = '', kind }: QuestionFields): boolean =>
  namedKind(query) === 'failure' || kind?.includes('failure') === true

/** Words for a kind, which few memories of it have: “preferences for tests”, but not “the preferences page”. */
const kindWords = (verbs: string, nouns: string, japanese: string): RegExp =>
  new RegExp(String.raw`\b(?:${verbs}|(?:${nouns})(?= (?:about|on|for|of)\b|\W*$))\b|(?:${japanese})(?![㐀-鿿])`, 'gi')
const KIND_WORDS = {
  failure: pattern(
    String.raw`\b(?:fix(?:e[sd])?|solve[sd]?|fail(?:s|ed|ing|ures?)?|errors?)\b|
    失敗(?:し[たて]?|する)?(?:こと|もの)?|エラー|(?:動か|通ら)な[いく]|直[しすせっ]`,
    'gi',
  ),
  preference: kindWords('prefer(?:s|red)?', 'preferences?|wish(?:es)?', '好み|希望'),
  decision: kindWords(
    '(?:decid(?:e[sd]?|ing)|cho(?:o?se|sen))(?: to use)?',
    'decisions?',
    '決定|決め(?:た|ました)(?:こと)?',
  ),
}
const KINDS = Object.keys(KIND_WORDS) as (keyof typeof KIND_WORDS)[]
const namedKind = (query: string) => KINDS.find((kind) => query.search(KIND_WORDS[kind]) >= 0)
const PERSON = /\b(?:users?|persons?)\b|ユーザー|私|自分/gi

const withoutWords = (text: string, ...words: readonly RegExp[]): string =>
  [ASKING, ...Object.values(KIND_WORDS), ...words]
    .reduce((rest, each) => rest.replace(each, ' '), text)
    .replace(/\s+/g, ' ')
    .trim()

/** Without the words for a kind, and those of a question about a failure: most lessons say that something fails. */
export const plainQuery = (query = ''): string => withoutWords(query) || query

/** The words of a search, and what limits it. */
export type QuestionFields = Partial<Readonly<Record<'query' | 'since' | 'until', string | undefined>>> & {
  readonly kind?: readonly string[] | undefined
  readonly open?: boolean | undefined
}

/** What a question says of a time, a kind and open work, for which it may have no other word. */
export function readQuestion<Given extends QuestionFields>(given: Given, now: number): Given {
  const { query, since, until } = given
  if (query === undefined) return given
  const time = (since ?? until) === undefined ? readTime(query, now) : { rest: query, since, until }
  const rest = time?.rest ?? query
  const kind = extractTerms(withoutWords(rest, PERSON)).length === 0 ? namedKind(rest) : undefined
  const saysNoMore = listWords(withoutWords(rest, PERSON, WORK, OPEN)).every((word) => word === '何')
  // One word, such as “pending”, is what it is about.
  const asksForOpen = saysNoMore && rest.search(OPEN) >= 0 && /\S\s+\S|[ぁ-ゖ]/.test(rest)
  const open = given.open ?? (asksForOpen || undefined)
  const isAll = kind !== undefined || ((open === true || time !== undefined) && saysNoMore)
  const kinds = given.kind ?? (kind && [kind])
  return { ...given, query: isAll ? undefined : rest, kind: kinds, open, since: time?.since, until: time?.until }
}

/** Words for what is not done yet, and for work. */
const OPEN = new RegExp(
  String.raw`${NOT_DONE.source}|\b(?:open|pending|outstanding|remain(?:s|ing)?|to-?dos?)\b|残\S(?:い?る|います)?|続き`,
  'gi',
)
const WORK =
  /\b(?:leave|left|still|work(?:ed)?|tasks?|items?|things?|sessions?|happened|done)\b|作業|仕事|タスク|課題/gi

/** Words for a time, and how many days ago it begins and ends, of which `monday` is the last one that was a Monday. */
const TIMES: readonly (readonly [RegExp, (monday: number) => readonly number[]])[] = [
  [/(?<![\w-])yesterday(?:'s)?(?![\w-])|昨日/i, () => [1, 1]],
  [/(?<![\w-])today(?:'s)?(?![\w-])|今日|本日/i, () => [0, 0]],
  [/\blast week\b|先週/i, (monday) => [monday + 7, monday + 1]],
  [/\bthis week\b|今週/i, (monday) => [monday, 0]],
]

/** The time that a question names, as dates where the person is, and the question without it. */
function readTime(query: string, now: number) {
  const [words, range] = TIMES.find(([words]) => words.test(query)) ?? []
  if (!words || !range) return undefined
  const days = range((new Date(now).getDay() + 6) % 7)
  const [since, until] = days.map((ago) => new Date(now - ago * DAY_MS).toLocaleDateString('sv'))
  return { rest: query.replace(words, ' '), since, until }
}

/** A word; of Japanese, which has no spaces, a run of katakana or of kanji. */
const WORD = /[ァ-ヺー]+|[々㐀-鿿]+|[^\s\p{P}\p{S}ぁ-ゖァ-ヺー々㐀-鿿]+/gu

/** The words of a query that say what it is about, in small letters, each with how it is written. */
const readWords = (query: string): ReadonlyMap<string, string> =>
  new Map([...(query.match(WORD) ?? [])].filter(hasTerms).map((word) => [word.toLowerCase(), word]))

const hasTerms = (word: string): boolean => extractTerms(word).length > 0
const listWords = (query: string): string[] => [...readWords(query).keys()]

/** By word: its other forms, and it with a neighbour as one word, such as `typecheck`. */
export type WordForms = ReadonlyMap<string, readonly string[]>

/** The words of a query, each with its other forms that memories have: by these it is searched, too. */
export async function findForms(query: string, context: ToolContext): Promise<WordForms> {
  const words = listWords(query)
  const hasWord = await openVocabulary(context)
  const { listOtherForms } = await import('../../text/lexicon/lexicon.ts')
  const join = (a = '', b = '') => (a === '' || b === '' ? [] : [a + b, stemOf(a) + b, b + a, stemOf(b) + a])
  const formsOf = (word: string, i: number): string[] => {
    const joined = [...join(words[i - 1], word), ...join(word, words[i + 1])]
    return [...new Set([...listOtherForms(word), ...joined])].filter(hasWord)
  }
  return new Map(words.map((word, i) => [word, formsOf(word, i)]))
}

/** Whether memories have a word. */
async function openVocabulary({ liveStore }: ToolContext): Promise<(word: string) => boolean> {
  const { openLiveIndex } = await import('../../broker/search/liveIndex.ts')
  const reader = openLiveIndex(liveStore).reader()
  return (word) => reader.hasTerms([stemOf(word)])[0] === true
}

/** Shorter beginnings are mostly no words: `sup` of `support`. */
const START_CHARS = 4

/**
 * What has words of a query as the beginning of longer words, or as the end of two in one: `deploy` of `deployment`,
 * `lint` of `markdownlint`. Words that no memory has as they are come first, one of them is enough, and nothing else
 * is about them (`isOnly`). Of other words, two at most, it has all. The latest first.
 */
export async function findLonger(
  query: string,
  context: ToolContext,
  passes: (memory: Memory) => boolean,
): Promise<{ readonly memories: readonly Memory[]; readonly isOnly: boolean }> {
  const hasWord = await openVocabulary(context)
  const isWord = keepByText((word) => word.length >= START_CHARS && hasWord(word))
  const has = (words: readonly string[], part: string): boolean =>
    words.some((word) => word.startsWith(part) || (word.endsWith(part) && isWord(word.slice(0, -part.length))))
  const visible = listVisible(context.liveStore, viewingSession(context))
  const find = (asked: readonly string[], least: number): readonly Memory[] => {
    const parts = asked.map((word) => (word.startsWith(stemOf(word)) ? stemOf(word) : word))
    if (parts.length === 0 || parts.some((part) => part.length < 3)) return []
    const countIn = ({ content }: Memory): number => {
      const words = [...splitPlainWords(content)]
      return parts.filter((part) => has(words, part)).length
    }
    return visible.filter((memory) => !memory.questionOnly && passes(memory) && countIn(memory) >= least)
  }
  const words = listWords(query)
  const unknown = words.filter((word) => !hasWord(word) && (words.length === 1 || word.length >= START_CHARS))
  const only = find(unknown, 1)
  const others = words.filter((word) => !unknown.includes(word))
  const memories = only.length > 0 ? only : others.length > 2 ? [] : find(others, others.length)
  return { memories: latestFirst(memories), isOnly: only.length > 0 }
}

/** What is about a file that a query names: what is known of it, what changed it, sessions that touched it. */
export function findOfFile(
  query: string,
  { liveStore }: ToolContext,
  passes: (memory: Memory) => boolean,
): readonly Memory[] {
  const [path = ''] = findFilePaths(query)
  const isOf = (files: readonly string[] = []): boolean => files.some((file) => `/${file}`.endsWith(`/${path}`))
  const about = path === '' ? [] : listMemoriesOfFiles(liveStore, baseName(path)).filter(passes)
  const known = about.filter(({ knowledge, files }) => knowledge && isOf(files))
  const edited = about.filter(({ knowledge, editedFiles }) => !knowledge && isOf(editedFiles))
  return [...known, ...edited, ...about.filter(({ kind, files }) => kind === 'summary' && isOf(files))]
}

/**
 * The words of a query that no result has in any form, so that other words for them can be tried: `auth` is not in
 * `author`. A name in camel case has the words that it is made of, and is there where they are.
 */
export function findUnmatchedWords(
  query: string,
  forms: WordForms,
  shown: readonly { readonly memory: Memory }[],
): string[] {
  const texts = shown.map(({ memory }) => `${memory.content}\n${memory.searchText ?? ''}`)
  const known = new Set(texts.flatMap(extractTerms))
  const isFound = (word: string, written: string): boolean => {
    // A character of a Japanese word says nothing.
    const terms = extractTerms(written).filter((term) => term.length > 1 || word.length === 1)
    const parts = terms.filter((term) => term !== word)
    const whole = new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu')
    const hasForm = forms.get(word)?.some((form) => known.has(stemOf(form)))
    return (
      hasForm ||
      (parts.length > 0 ? parts : terms).every((term) => known.has(term)) ||
      texts.some((text) => whole.test(text))
    )
  }
  return [...readWords(query)].filter(([word, written]) => !isFound(word, written)).map(([word]) => word)
}

/** How much counts of a text without neighbours of the query's words, and of a lesson with only a file. */
const [NO_PHRASE_SHARE, WHERE_SHARE] = [0.6, 0.5]
/** Where something fails: of no lesson, and of a lesson about another command. */
const [NO_LESSON_SHARE, OTHER_COMMAND_SHARE] = [0.4, 0.8]
/** Of another kind than is asked for, and of a wish of one session: it may have been for one task. */
const [OTHER_KIND_SHARE, ONCE_SHARE] = [0.5, 0.8]

/** Neighbours are one command or name: `bun test` is not `bun run start`. How to fix something is in lessons. */
export function weighFor(query: string, explained: ReadonlyMap<string, Memory>): (memory: Memory) => number {
  const asked = namedKind(query)
  const isOfFailure = asked === 'failure'
  const words = plainQuery(query).toLowerCase().split(' ')
  const terms = new Set(extractTerms(words.join(' ')))
  const isOfCommand = ({ commandShape = '' }: Memory) => extractTerms(commandShape).some((term) => terms.has(term))
  const phrases = words.slice(1).map((word, i) => `${words[i]} ${word}`)
  return (memory) => {
    const found = phrases.filter((phrase) => memory.content.toLowerCase().includes(phrase)).length
    const share = phrases.length === 0 ? 1 : NO_PHRASE_SHARE + (1 - NO_PHRASE_SHARE) * (found / phrases.length)
    if (namesOnlyFile(memory)) return isOfFailure && explained.has(memory.id) ? share : share * WHERE_SHARE
    if (asked && kindOf(memory) !== (isOfFailure ? 'lesson' : asked))
      return share * (isOfFailure ? NO_LESSON_SHARE : OTHER_KIND_SHARE)
    if (memory.kind === 'preference' && sessionsOf(memory) === 1) return share * ONCE_SHARE
    return !isOfFailure || isOfCommand(memory) ? share : share * OTHER_COMMAND_SHARE
  }
}

/** The lessons that say what to do, by the id of one of the same failure with only a file, which finds them. */
export function findExplained(
  { liveStore }: ToolContext,
  passes: (memory: Memory) => boolean,
): ReadonlyMap<string, Memory> {
  const active = liveStore.memories().select(({ kind, status }) => kind === 'lesson' && status === 'active')
  const lessons = active.filter(passes)
  const advice = lessons.filter((memory) => !namesOnlyFile(memory))
  const byEvent = new Map(advice.flatMap((memory) => memory.events.map((event) => [event, memory])))
  return new Map(
    lessons.filter(namesOnlyFile).flatMap(({ id, events, content }) => {
      const explained = events.flatMap((event) => byEvent.get(event) ?? [])[0]
      return explained ? [[id, { ...explained, searchText: content }]] : []
    }),
  )
}

// What is about the same.

/** A result. */
export interface Shown {
  readonly memory: Memory
  /** How many memories it stands for. */
  readonly count: number
  /** Those of them that say nearly the same in other words. */
  readonly similar: readonly Memory[]
}

/** Memories that begin alike, or found the same way out of another error, as one: the best of them, and how many. */
export function groupRepeats(found: readonly Memory[]): readonly Shown[] {
  const groups = groupBy(found, ({ knowledge, content }) =>
    statementKey(knowledge?.ways?.[0]?.way ?? content.slice(0, SHORT_CHARS)),
  )
  return [...groups.values()].flatMap(([memory, ...others]) =>
    memory ? [{ memory, count: 1 + others.length, similar: [] }] : [],
  )
}

/** What two lines share, 0 to 1: of all their words, and of those of the shorter one. Rare words count more. */
export type Likeness = (a: string, b: string) => { readonly ofAll: number; readonly ofShorter: number }

/** Of all words, from which they say nearly the same, or are about one subject; of the shorter one's, for a new text. */
const [SIMILAR_SHARE, SUBJECT_SHARE, NEAR_SHARE] = [0.33, 0.28, 0.4]
/** What was decided is seldom the same in other words. */
const SAME_DECISION_SHARE = 0.4
/** What a result names of each sort beside itself. */
export const NAMED_MAX = 3

const lineOf = ({ knowledge, content }: Memory): string => knowledge?.line ?? firstLine(content, KNOWLEDGE_CHARS_MAX)

/** What is known, without what was done. */
export const listKnown = (context: ToolContext): readonly Memory[] =>
  listVisible(context.liveStore, viewingSession(context)).filter(
    ({ kind }) => kind !== 'experience' && kind !== 'summary',
  )

/** The likeness among the lines of these memories. */
export function openLikeness(memories: readonly Memory[]): Likeness {
  const counts = new Map<string, number>()
  for (const memory of memories)
    for (const word of subjectWords(lineOf(memory))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weigh = (words: Iterable<string>): number =>
    [...words].reduce((sum, word) => sum + Math.log(1 + memories.length / (counts.get(word) ?? 1)), 0)
  return (a, b) => {
    const [own, others] = [weigh(subjectWords(a)), weigh(subjectWords(b))]
    const shared = weigh([...subjectWords(a)].filter((word) => subjectWords(b).has(word)))
    return { ofAll: shared / (own + others - shared || 1), ofShorter: shared / (Math.min(own, others) || 1) }
  }
}

/**
 * The first results. What says nearly the same in other words is named there: of what was decided at the latest. What
 * was decided later about a subject comes before what was decided earlier.
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
      shown[at] = { memory: first, count: same.count + group.count, similar: [...same.similar, second] }
    } else if (shown.length < limit) shown.push(group)
  }
  return shown
}

/** Lines that say what worked at a failure are alike in what is said of the failure. */
function isSimilar(a: Memory, b: Memory, alike: Likeness): boolean {
  const least = isStatement(a) ? SAME_DECISION_SHARE : SIMILAR_SHARE
  const isComparable = a.knowledge && b.knowledge && !(a.knowledge.ways ?? b.knowledge.ways)
  return isComparable !== undefined && isComparable && alike(lineOf(a), lineOf(b)).ofAll >= least
}

/** What is decided, wanted or so: a later one about the same subject may end it. */
const isStatement = (memory: Memory): boolean => isOfKinds(['decision', 'preference', 'fact'], memory)

const isLater = (later: Memory, memory: Memory): boolean =>
  isStatement(later) && isStatement(memory) && later.created > memory.created

/** Whether a memory is what was decided later about the subject of another one. */
const isLaterOn = (later: Memory, memory: Memory, alike: Likeness): boolean =>
  isLater(later, memory) && alike(lineOf(later), lineOf(memory)).ofAll >= SUBJECT_SHARE

/** What was decided later about the subject of a memory, the latest first. */
export function describeLater(memory: Memory, context: ToolContext, alike: Likeness): ToolOutput {
  const later = listKnown(context).filter((each) => isLaterOn(each, memory, alike))
  return later.length > 0 ? { later_on_this: latestFirst(later).slice(0, NAMED_MAX).map(describeLine) } : {}
}

/** What says nearly the same as a result; what was decided is the latest of them. */
export const describeSimilar = (memory: Memory, similar: readonly Memory[]): ToolOutput =>
  similar.length > 0 ? { [isStatement(memory) ? 'earlier_on_this' : 'similar']: similar.map(describeLine) } : {}

/** The results, with what was decided later before what was decided earlier about the same. */
export function putLaterFirst(shown: readonly Shown[], alike: Likeness): readonly Shown[] {
  const ordered: Shown[] = []
  for (const each of shown) {
    const earlier = ordered.findIndex(({ memory }) => isLaterOn(each.memory, memory, alike))
    ordered.splice(earlier < 0 ? ordered.length : earlier, 0, each)
  }
  return ordered
}

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
