// A model's question about a failure ("what fails when I run the tests", 「テストが通らない」): what it is searched by,
// and which memories answer it best.
import { namesOnlyFile } from '../../knowledge/overcomeFailures.ts'
import type { Memory } from '../../model/memory.ts'
import { pattern } from '../../text/pattern.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import type { ToolContext } from '../definition/toolContext.ts'

const FAILURE = pattern(
  String.raw`\b(?:fix(?:e[sd])?|fail(?:s|ed|ing|ure)?|errors?)\b|
    失敗(?:し[たて]?|する)?|エラー|(?:動か|通ら)な[いく]|直[しすせっ]`,
  'gi',
)
const ASKING = /\b(?:how (?:to|do i|is it)|(?:when|if) (?:i|we) (?:run|use|call)|what)\b/gi

/** Without the words of a question about a failure: most lessons say that something fails. */
export const plainQuery = (query = ''): string =>
  query.replace(FAILURE, ' ').replace(ASKING, ' ').replace(/\s+/g, ' ').trim() || query

/** How much counts of a text without neighbours of the query's words, and of a lesson with only a file. */
const [NO_PHRASE_SHARE, WHERE_SHARE] = [0.6, 0.5]
/** Where something fails: of no lesson, and of a lesson about another command. */
const [NO_LESSON_SHARE, OTHER_COMMAND_SHARE] = [0.4, 0.8]

/** Neighbours are one command or name: `bun test` is not `bun run start`. How to fix something is in lessons. */
export function weighFor(query: string, explained: ReadonlyMap<string, Memory>): (memory: Memory) => number {
  const isOfFailure = query.search(FAILURE) >= 0
  const words = plainQuery(query).toLowerCase().split(' ')
  const terms = new Set(extractTerms(words.join(' ')))
  const isOfCommand = ({ commandShape = '' }: Memory) => extractTerms(commandShape).some((term) => terms.has(term))
  const phrases = words.slice(1).map((word, i) => `${words[i]} ${word}`)
  return (memory) => {
    const found = phrases.filter((phrase) => memory.content.toLowerCase().includes(phrase)).length
    const share = phrases.length === 0 ? 1 : NO_PHRASE_SHARE + (1 - NO_PHRASE_SHARE) * (found / phrases.length)
    if (namesOnlyFile(memory)) return isOfFailure && explained.has(memory.id) ? share : share * WHERE_SHARE
    if (!isOfFailure) return share
    if (memory.kind !== 'lesson') return share * NO_LESSON_SHARE
    return isOfCommand(memory) ? share : share * OTHER_COMMAND_SHARE
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
