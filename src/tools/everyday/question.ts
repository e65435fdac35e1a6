// A model's question: what it is searched by without the words that only say what kind of answer is wanted ("what fails
// when I run the tests", "what did we decide about prices", 「テストが通らない」), and which memories answer it best.
import { listVisible } from '../../broker/live/liveStore.ts'
import { namesOnlyFile } from '../../knowledge/overcomeFailures.ts'
import type { Memory } from '../../model/memory.ts'
import { isInPersonsWords } from '../../model/provenance.ts'
import { baseName, findFilePaths, folderName } from '../../text/filePaths.ts'
import { keepByText, pattern } from '../../text/pattern.ts'
import { splitPlainWords } from '../../text/similarity.ts'
import { NOT_DONE } from '../../text/taskSentences.ts'
import { extractTerms, stemOf } from '../../text/terms/extractTerms.ts'
import { type ToolContext, viewingSession } from '../definition/toolContext.ts'
import { DAY_MS, parseEnd } from '../memory/memoryFields.ts'
import { isOfKinds, latestFirst, sessionsOf } from './everydayFields.ts'

const ASKING = pattern(
  String.raw`\b(?:how (?:to|(?:do |should |the )?\w+(?: wants?(?: to)?)?)(?: be)? answer(?:ed)?(?=\W*$)|
    (?:what )?works? instead|how (?:to|do i|is it|was it)|why(?: (?:did|do|does|is|are|was|were)(?: (?:we|i|you|it))?)?|
    (?:when|if) (?:i|we) (?:run|use|call)|what(?: do (?:you|we) know)?|who said|
    (?:(?:list|show|give|tell)(?: (?:me|us))? )?(?:everything|anything|all)(?: (?:you|we) know)?(?= (?:about|on)\b))\b|
    (?:に(?:ついて|関して))?(?:知って(?:いる|る|います)(?:こと)?|(?:こと|もの)を?|[をはの]|全部|すべて|全て|一覧に?)*
    (?:教えて|挙げて|見せて|知って(?:いる|る|います)か)(?:ください|下さい|くれ)?|
    何(?:[がを]|ですか|でしたか)|なぜ|何故|どうして|理由`,
  'gi',
)
/** All that is known of something is asked for, and not what answers best. */
const EVERYTHING = pattern(
  String.raw`\b(?:everything|anything|all)(?: (?:you|we) know)? (?:about|on)\b|
    (?:全部|すべて|全て|知って(?:いる|る|います)こと).*(?:教えて|挙げて|見せて)`,
  'i',
)

/** Whether a question asks for all that is known of something. */
export const asksForEverything = (query = ''): boolean => EVERYTHING.test(query)

/** Who said something, and why. */
const SOURCES = /\b(?:why|reasons?|because|who said)\b|なぜ|何故|どうして|理由|誰が/i

/** Whether a question asks what memories rest on: reasons, who said so. */
export const asksForSources = (query = ''): boolean => SOURCES.test(query)

/** Whether a question asks what failed, or how it was overcome. A given kind decides; of lessons the words do, too. */
export const asksForFailures = ({ query = '', kind }: QuestionFields): boolean =>
  kind?.includes('failure') === true || (kind?.includes('lesson') !== false && namedKind(query) === 'failure')

/**
 * Words for a kind, which few memories of it have: “preferences for tests”, “errors in tests”, but not “the preferences
 * page”, “error messages” and names such as `lint:fix`.
 */
const kindWords = (verbs: string, nouns: string, japanese: string): RegExp =>
  pattern(
    String.raw`(?<![\w./:-])(?:${verbs}|(?:${nouns})(?= (?:about|on|for|of|in|with|when|from)\b|\W*$))(?![\w/:-]|\.\w)|
    ${japanese}`,
    'gi',
  )
/** What came most often, and what came last: an order of what is found, if a kind is named or nothing else. */
const MOST =
  /\b(?:most(?: often| frequently| frequent)?(?! recent| late)|often|frequently)(?![\w-])|最も|一番(?![上下])|よく(?!ある)/gi
const LAST = pattern(
  String.raw`\b(?:the |our |your )?(?:last|latest|most recent)(?: (?:large|big|major))?(?:
    [ ](?:changes?|decisions?|sessions?|tasks?|work|time)\b|(?=[ ](?:\w+ )?(?:commit|release|failure|error|plan)s?\b)|
    (?=\W*$))|最後|前回|直近`,
  'gi',
)
/** A question that has words for several kinds is of the first of them. */
const KIND_WORDS = {
  preference: kindWords(
    'prefer(?:s|red)?|wants? to be answered|rules(?= (?:about|for|on)\\b)',
    'preferences?|wish(?:es)?',
    '(?:好み|希望|(?<=の)(?:ルール|決まり))(?![㐀-鿿])',
  ),
  decision: kindWords(
    '(?:decid(?:e[sd]?|ing)|cho(?:o?se|sen))(?: to use)?',
    'decisions?',
    '(?:決定|決め(?:た|ました)(?:こと)?)(?![㐀-鿿])',
  ),
  failure: kindWords(
    'fix(?:e[sd])?|solve[sd]?|fail(?:s|ed|ing|ures?)?',
    'errors?',
    '失敗(?:し[たて]?|する)?(?:こと|もの)?|エラー(?![ァ-ヺー㐀-鿿])|(?:動か|通ら)な[いく]|直[しすせっ]',
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
  readonly sort?: 'newest' | 'oldest' | 'most' | undefined
  /** What was decided differently later is asked for. */
  readonly isOfChanges?: boolean
  /** Words for a time that is not known; beside others they are words of the query. */
  readonly unknownTime?: string | undefined
}

/** What a question says of a time, an order, a kind, changes and open work, for which it may have no other word. */
export function readQuestion<Given extends QuestionFields>(given: Given, context: ToolContext): Given & QuestionFields {
  const { query } = given
  if (query === undefined) return given
  if (asksForChanges(query, given.kind)) {
    return { ...given, query: undefined, isOfChanges: true, sort: given.sort ?? 'newest' }
  }
  const time = readTime(query, given, context)
  const rest = time?.rest ?? query
  const unordered = withoutOrder(rest)
  const isBare = extractTerms(withoutWords(unordered, PERSON)).length === 0
  const kind = given.kind ?? (isBare ? [namedKind(rest) ?? namedKind(rest.replace(ASKING, ' ')) ?? []].flat() : [])
  const saysNoMore = saysNothing(unordered)
  // One word, such as “pending”, is what it is about.
  const asksForOpen = saysNoMore && rest.search(OPEN) >= 0 && /\S\s+\S|[ぁ-ゖ]/.test(rest)
  const open = given.open ?? (asksForOpen || undefined)
  const named = rest.search(MOST) >= 0 ? 'most' : rest.search(LAST) >= 0 ? 'newest' : undefined
  const order = saysNoMore || namedKind(rest) !== undefined ? named : undefined
  const unknownTime = time && 'unknownTime' in time ? time.unknownTime : undefined
  const sort = given.sort ?? order ?? (unknownTime && saysNoMore ? 'newest' : undefined)
  const isAll =
    (isBare && (kind.length > 0 || sort !== undefined)) || ((open === true || time !== undefined) && saysNoMore)
  const kinds = kind.length > 0 ? kind : undefined
  const words = isAll ? undefined : order ? unordered : rest
  return { ...given, query: words, kind: kinds, open, sort, since: time?.since, until: time?.until, unknownTime }
}

const withoutOrder = (text: string): string => text.replace(MOST, ' ').replace(LAST, ' ')

/** Whether a question has no word for what it is about. */
const saysNothing = (text: string): boolean =>
  listWords(withoutWords(text, PERSON, WORK, OPEN)).every((word) => word === '何')

/** What is different from before, and what it is said of. */
const CHANGED = /\b(?:differently|changed|replaced|revised|reversed|superseded|overruled)\b|(?:変わ|変更|覆)[ぁ-ん]*/gi
const WANTED =
  /\b(?:deci(?:d|s)\w+|prefer\w*|rules?|wish\w*|want\w*|minds?)\b|決定|決め[ぁ-ん]*|方針|ルール|好み|希望/gi
const SINCE = /\b(?:later|since|now|mean(?:while|time)|any(?:thing)?|some(?:thing)?|ever)\b|後で?|その後/gi

const asksForChanges = (query: string, kind: readonly string[] = []): boolean =>
  query.search(CHANGED) >= 0 &&
  (query.search(WANTED) >= 0 || kind.some((each) => /preference|decision/.test(each))) &&
  listWords(withoutWords(query, CHANGED, WANTED, SINCE, PERSON)).length === 0

/** Words for what is not done yet, and for work. */
const OPEN = new RegExp(
  String.raw`${NOT_DONE.source}|\b(?:open|pending|outstanding|remain(?:s|ing)?|to-?dos?)\b|残\S(?:い?る|います)?|続き`,
  'gi',
)
const WORK =
  /\b(?:leave|left|still|work(?:ed)?|tasks?|items?|things?|sessions?|happened|done)\b|作業|仕事|タスク|課題/gi

const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`

/**
 * Words for a time, and its first and last day: of the days before today with work, the latest first, else so many days
 * ago, of which `monday` is the last one that was a Monday. Other times are not known.
 */
const TIMES: readonly (readonly [RegExp, (work: readonly string[], monday: number) => readonly (string | number)[]])[] =
  [
    [
      pattern(
        String.raw`\b(?:the )?(?:last )?(?:working )?day before (?:the last(?: (?:one|working day))?|that|yesterday|
          (${DATE}))\b|(${DATE})の前の?日|一昨日|おととい|その前の日`,
        'i',
      ),
      ([last, before]) => [before ?? (last === undefined ? 2 : formatDay(Date.parse(`${last}T12:00`) - DAY_MS))],
    ],
    [
      /(?<![\w-])yesterday(?:'s)?(?![\w-])|\b(?:the )?(?:last|previous) work(?:ing)? ?day\b|昨日|(?<!以)前の(?:作業)?日/i,
      (work) => [work[0] ?? 1],
    ],
    [/(?<![\w-])today(?:'s)?(?![\w-])|今日|本日/i, () => [0]],
    [/\blast week\b|先週/i, (_, monday) => [monday + 7, monday + 1]],
    [/\bthis week\b|今週/i, (_, monday) => [monday, 0]],
    [
      /\b(?:(?:last|past|this) (?:month|quarter|year)|(?:on|last) \w+day|\w+ ?(?:day|week|month)s? (?:before|ago))\b/i,
      () => [],
    ],
    [/[先今去][月年]|[月火水木金土日]曜日に/, () => []],
  ]

/** The times that are days with work. */
const WORK_DAYS = TIMES.slice(0, 2).map(([words]) => words)

/**
 * The time that a question names, and the question without it; with it if it is not known beside other words. Of days
 * with work it is the last one up to `until` or before a date; any other time is the given one.
 */
function readTime(query: string, given: QuestionFields, context: ToolContext) {
  const [words, range] = TIMES.find(([words]) => words.test(query)) ?? []
  const isGiven = (given.since ?? given.until) !== undefined
  if (!words || !range) return isGiven ? { rest: query, since: given.since, until: given.until } : undefined
  const now = context.now()
  const rest = query.replace(words, ' ')
  const [name = '', english, date = english] = words.exec(query) ?? []
  const dayBefore = date && formatDay(Date.parse(`${date}T12:00`) - DAY_MS)
  const end = given.until ?? dayBefore
  const isUpTo = end !== undefined && given.since === undefined && WORK_DAYS.includes(words)
  const work = isUpTo ? listWorkDays(context, parseEnd(end, now)) : []
  const last = work[Number(/day before yesterday|一昨日|おととい/i.test(name))] ?? (isGiven ? undefined : dayBefore)
  const isKnown = range([], 0).length > 0 || saysNothing(withoutOrder(rest))
  if (isGiven || last) return { rest: isKnown ? rest : query, since: last ?? given.since, until: last ?? given.until }
  const [since, until = since] = range(listWorkDays(context), (new Date(now).getDay() + 6) % 7).map((day) =>
    typeof day === 'string' ? day : formatDay(now - day * DAY_MS),
  )
  if (since !== undefined) return { rest, since, until }
  return { rest: isKnown ? rest : query, since, until, unknownTime: name }
}

const formatDay = (time: number): string => new Date(time).toLocaleDateString('sv')

/** The days before a time, by default today, on which something was done, the latest first. */
function listWorkDays(context: ToolContext, end = new Date(context.now()).setHours(0, 0, 0, 0)): readonly string[] {
  const work = listVisible(context.liveStore, viewingSession(context)).filter((memory) =>
    isOfKinds(['summary', 'experience'], memory),
  )
  const ends = work.flatMap(({ updated, created }) => [updated, created].find((at) => Date.parse(at) < end) ?? [])
  return [...new Set(ends.map((end) => formatDay(Date.parse(end))))].sort().reverse()
}

/** A word; of Japanese, which has no spaces, a run of katakana or of kanji. */
const WORD = /[ァ-ヺー]+|[々㐀-鿿]+|[^\s\p{P}\p{S}ぁ-ゖァ-ヺー々㐀-鿿]+/gu

/** The words of a query that say what it is about, in small letters, each with how it is written. */
const readWords = (query: string): ReadonlyMap<string, string> =>
  new Map([...(query.match(WORD) ?? [])].filter(hasTerms).map((word) => [word.toLowerCase(), word]))

export const hasTerms = (word: string): boolean => extractTerms(word).length > 0
const listWords = (query: string): string[] => [...readWords(query).keys()]

/** By word: its other forms, and it with a neighbour as one word, such as `typecheck`. */
export type WordForms = ReadonlyMap<string, readonly string[]>

/** They find each other. */
const TESTS = /^(?:tests?|e2e|テスト)$/

/** The words of a query, each with its other forms that memories have: by these it is searched, too. */
export async function findForms(query: string, context: ToolContext): Promise<WordForms> {
  const words = listWords(query)
  const hasWord = await openVocabulary(context)
  const { listOtherForms } = await import('../../text/lexicon/lexicon.ts')
  const formsAs = (word: string) => [...listOtherForms(word), ...(TESTS.test(word) ? ['test', 'e2e', 'テスト'] : [])]
  const join = (a = '', b = '') => (a === '' || b === '' ? [] : [a + b, stemOf(a) + b, b + a, stemOf(b) + a])
  const formsOf = (word: string, i: number): string[] => {
    const joined = [...join(words[i - 1], word), ...join(word, words[i + 1])]
    return [...new Set([...formsAs(word), ...joined])].filter(hasWord)
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

/** Changes of so few files are about each of them. */
const FEW_FILES = 3
/** From this rank on, memories are of a file's folder. */
const FOLDER_RANK = 5

/**
 * What is about a file that a query names: what names it, what changed it, few files first, what else was learned
 * there, other work with it; then the same of its folder. Nothing else is about it if the query has no other word and
 * more than the folder is known (`isOnly`).
 */
export function findOfFile(query: string, context: ToolContext, passes: (memory: Memory) => boolean) {
  const [path = ''] = findFilePaths(query)
  if (path === '') return { memories: [], isOnly: false }
  const folder = folderName(path)
  const isPath = (file: string): boolean => `/${file}`.endsWith(`/${path}`)
  const isNamed = (file: string): boolean => isPath(file) || `/${path}`.endsWith(`/${file}`)
  const isInFolder = (file: string): boolean => folder !== '' && `/${folderName(file)}`.endsWith(`/${folder}`)
  const rankOf = ({ kind, content, files, editedFiles = [] }: Memory): number => {
    const isWork = kind === 'experience' || kind === 'summary'
    const isOnlyFile = files.length === 1 && files.some(isPath) && kind !== 'preference'
    const isNaming = content.includes(baseName(path)) && findFilePaths(content).some(isNamed)
    if (!isWork && (isOnlyFile || isNaming)) return 0
    if (editedFiles.some(isPath)) return editedFiles.length <= FEW_FILES ? 1 : 2
    if (isNaming || files.some(isPath)) return isWork ? 4 : 3
    const ofFolder = isWork ? editedFiles : files
    if (ofFolder.length === 0 || !ofFolder.every(isInFolder)) return Number.POSITIVE_INFINITY
    return isWork ? FOLDER_RANK + 1 : FOLDER_RANK
  }
  const visible = listVisible(context.liveStore, viewingSession(context))
  const ranked = latestFirst(visible.filter((memory) => !memory.questionOnly && passes(memory))).flatMap((memory) => {
    const rank = rankOf(memory)
    return Number.isFinite(rank) ? [{ memory, rank }] : []
  })
  const memories = ranked.sort((x, y) => x.rank - y.rank).map(({ memory }) => memory)
  const others = listWords(plainQuery(query).replace(path, ' '))
  return { memories, isOnly: others.length === 0 && ranked.some(({ rank }) => rank < FOLDER_RANK) }
}

const WHO = /\bwho said\b|誰が/i

/** The kind that a question names comes first, and what people said if it asks who said it. */
export function putKindFirst(query: string, found: readonly Memory[]): readonly Memory[] {
  const asked = namedKind(query)
  const isOther = (memory: Memory): number =>
    Number((asked !== undefined && !isOfKinds([asked], memory)) || (WHO.test(query) && !isInPersonsWords(memory)))
  return found.toSorted((a, b) => isOther(a) - isOther(b))
}

/**
 * The words of a query that nothing found has in any form, so that other words for them can be tried: `auth` is not in
 * `author`. A name in camel case has the words that it is made of, and is there where they are.
 */
export function findUnmatchedWords(query: string, forms: WordForms, found: readonly Memory[]): string[] {
  const words = [...readWords(query)]
  if (words.length === 0) return []
  const texts = found.map(({ content, searchText = '' }) => `${content}\n${searchText}`)
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
  return words.filter(([word, written]) => !isFound(word, written)).map(([word]) => word)
}

/** How much counts of a text without neighbours of the query's words, and of a lesson with only a file. */
const [NO_PHRASE_SHARE, WHERE_SHARE] = [0.6, 0.5]
/** Where something fails of a lesson about another command, and of a wish of one session: it may be of one task. */
const [OTHER_COMMAND_SHARE, ONCE_SHARE] = [0.8, 0.8]

/** Neighbours are one command or name: `bun test` is not `bun run start`. How to fix something is in lessons. */
export function weighFor(
  query: string,
  subject: string,
  explained: ReadonlyMap<string, Memory>,
): (memory: Memory) => number {
  const isOfFailure = namedKind(query) === 'failure'
  const words = subject.toLowerCase().split(' ')
  const terms = new Set(extractTerms(words.join(' ')))
  const isOfCommand = ({ commandShape = '' }: Memory) => extractTerms(commandShape).some((term) => terms.has(term))
  const phrases = words.slice(1).map((word, i) => `${words[i]} ${word}`)
  return (memory) => {
    const found = phrases.filter((phrase) => memory.content.toLowerCase().includes(phrase)).length
    const share = phrases.length === 0 ? 1 : NO_PHRASE_SHARE + (1 - NO_PHRASE_SHARE) * (found / phrases.length)
    if (namesOnlyFile(memory)) return isOfFailure && explained.has(memory.id) ? share : share * WHERE_SHARE
    if (memory.kind === 'preference' && sessionsOf(memory) === 1) return share * ONCE_SHARE
    return !isOfFailure || isOfCommand(memory) ? share : share * OTHER_COMMAND_SHARE
  }
}
