// Which memory a person means: by its id, or by words that it contains.
import { selectByPrefix } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import { viewingSession } from '../../tools/definition/toolContext.ts'
import { type CliContext, commandText } from '../context/cliContext.ts'
import { describeMemory } from '../format/memoryText.ts'

/** An id or its beginning, as lists print it: at least four hexadecimal digits, one of them a digit. */
export const isShortId = (word: string): boolean => /^#?(?=[a-f-]*\d)[0-9a-f]{4,8}(?:-[0-9a-f-]*)?$/i.test(word)

/** Memories that are listed if it is not sure which one is meant. */
const LISTED_MAX = 6

/** A share of the question's words from which on a memory may be the one that is meant. */
const COVERAGE_MIN = 0.5

/** From this share on, a memory has every word that was said: of Japanese, parts of words are counted too. */
const ALL_WORDS = 0.9

export type FoundMemories =
  | { readonly kind: 'clear'; readonly memory: Memory }
  | { readonly kind: 'several'; readonly memories: readonly Memory[] }
  | { readonly kind: 'none' }

/**
 * The active memory that these words mean: the only one that has all of them, or else the only one that has most of
 * them. An id or its beginning names one. Throws NOT_FOUND for an id without a memory.
 */
export async function findMeant(context: ToolContext, words: string): Promise<FoundMemories> {
  const viewing = viewingSession(context)
  if (isShortId(words)) {
    const [{ listVisible }, { MEMORY_IDS }] = await Promise.all([
      import('../../broker/live/liveStore.ts'),
      import('../../broker/queries/browse.ts'),
    ])
    const memory = selectByPrefix(listVisible(context.liveStore, viewing), words.replace(/^#/, ''), MEMORY_IDS)
    return { kind: 'clear', memory }
  }
  const { hybridSearch } = await import('../../broker/search/hybridSearch.ts')
  const hits = await hybridSearch(context.liveStore, {
    ...viewing,
    query: words,
    mode: 'keyword',
    topK: 50,
    passes: ({ status, privacy }) => status === 'active' && privacy === 'public',
  })
  const withAll = hits.filter(({ similarity }) => similarity >= ALL_WORDS)
  const near = withAll.length > 0 ? withAll : hits.filter(({ similarity }) => similarity >= COVERAGE_MIN)
  const [first, ...others] = near
  if (first && others.length === 0) return { kind: 'clear', memory: first.memory }
  const listed = near.length > 0 ? near : hits
  if (listed.length === 0) return { kind: 'none' }
  return { kind: 'several', memories: listed.slice(0, LISTED_MAX).map(({ memory }) => memory) }
}

/** What to print if it is not clear which memory is meant: each with the command that means it. */
export function askWhichMemory(
  found: Exclude<FoundMemories, { readonly kind: 'clear' }>,
  words: string,
  command: string,
  io: CliContext,
): string[] {
  if (found.kind === 'none') return [`No memory has the words "${words}". Nothing was changed.`]
  return [
    `Which one? Nothing was changed.`,
    ...found.memories.flatMap((memory) => [
      `- ${describeMemory(memory)}`,
      `  ${commandText(io, `${command} ${memory.id.slice(0, 8)}`)}`,
    ]),
  ]
}
