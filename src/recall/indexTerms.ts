// The terms by which a memory is found and a cue seeks: words, and what work is made of, each field with its own prefix.
//
//   f:src/tax.js   a file            b:fix/rounding   a branch
//   n:tax.js       a file's name     c:npm test       a command's shape
//   e:bash|error…  an error          m:npm test       a command's family
//   a:caroline     who said it            s:2166136261   a session, of its summary

import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { commandFamily } from '../text/command.ts'
import { hash32 } from '../text/hash.ts'
import { extractTerms, selectRarestTerms } from '../text/terms/extractTerms.ts'

/** The groups of terms whose scores become features of their own. */
export const TERM_GROUPS = ['words', 'files', 'command', 'error', 'branch', 'speaker', 'work'] as const
export type TermGroup = (typeof TERM_GROUPS)[number]

/** Distinct words of a cue that are looked up: more only adds common ones, and each costs a read. */
const CUE_WORDS_MAX = 48

/** The first sentence of a longer text says what it is about: its words count once more. Not where it is most of the text. */
function headingOf(text: string, words: number): ReadonlySet<string> {
  if (words < LONG_WORDS) return NOTHING
  const end = text.slice(0, HEADING_CHARS_MAX).search(/[.!?](?=\s)|[。！？\n]/)
  const heading = extractTerms(text.slice(0, end === -1 ? HEADING_CHARS_MAX : end))
  return 2 * heading.length <= words ? new Set(heading) : NOTHING
}
const LONG_WORDS = 40
const HEADING_CHARS_MAX = 300
const NOTHING: ReadonlySet<string> = new Set()

/** What the index keeps of a memory: terms with counts, and its length in words. */
export function buildIndexTerms(memory: Memory): { terms: ReadonlyMap<string, number>; length: number } {
  const terms = new Map<string, number>()
  const words = extractTerms([memory.content, ...memory.lessons, ...memory.tags].join('\n'))
  for (const word of words) terms.set(word, (terms.get(word) ?? 0) + 1)
  for (const word of headingOf(memory.content, words.length)) terms.set(word, (terms.get(word) ?? 0) + 1)
  for (const term of fieldTerms(memory)) terms.set(term, 1)
  if (memory.kind === 'summary' && memory.session) terms.set(sessionTerm(sessionHash(memory.session)), 1)
  if (memory.agentId) terms.set(speakerTerm(memory.agentId), 1)
  return { terms, length: words.length }
}

/** What a cue asks the index, by group, each term with its weight; `words` are its text's, by `extractQueryTerms`. */
export function buildQueryTerms(
  query: RecallQuery,
  words: ReadonlyMap<string, number>,
): Readonly<Record<TermGroup, ReadonlyMap<string, number>>> {
  const fields = fieldTerms(query)
  const of = (...prefixes: string[]) =>
    new Map(fields.filter((term) => prefixes.some((prefix) => term.startsWith(prefix))).map((term) => [term, 1]))
  return {
    words: selectRarestTerms(words, CUE_WORDS_MAX),
    files: of('f:', 'n:'),
    command: of('c:', 'm:'),
    error: of('e:'),
    branch: of('b:'),
    // Who is named is known only to who knows the names: see broker/search/questionCandidates.ts.
    speaker: new Map(),
    // And whose work is near to who knows the work: see recall/worked.ts.
    work: new Map(),
  }
}

/** A session's name in 32 bits, as rows keep it; never 0. */
export const sessionHash = (session: string): number => hash32(session) || 1

/** The term by which a session's summary is found. */
export const sessionTerm = (name: number): string => `s:${name}`

/** The term by which what somebody said is found. */
export const speakerTerm = (name: string): string => `a:${name.toLowerCase()}`

/** A name is at most this many words long. */
const NAME_WORDS_MAX = 2

/** What in a text could be somebody's name, in lower case: every word, and every two that stand together. */
export function findPossibleNames(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9\u00c0-\u024f_-]{2,}|[\u3040-\u30ff\u3400-\u9fff]{2,}/g) ?? []
  const names: string[] = []
  for (let length = 1; length <= NAME_WORDS_MAX; length++) {
    for (let i = 0; i + length <= words.length; i++) names.push(words.slice(i, i + length).join(' '))
  }
  return [...new Set(names)]
}

/** The terms of files, command, error and branch. The main branches tell nothing: everybody is on them. */
function fieldTerms(of: Pick<Memory | RecallQuery, 'files' | 'commandShape' | 'errorSignature' | 'branch'>): string[] {
  const terms = of.files.flatMap((file) => [`f:${file}`, `n:${file.slice(file.lastIndexOf('/') + 1)}`])
  if (of.commandShape) terms.push(`c:${of.commandShape}`, `m:${commandFamily(of.commandShape)}`)
  if (of.errorSignature) terms.push(`e:${of.errorSignature}`)
  if (of.branch && !isTrunkBranch(of.branch)) terms.push(`b:${of.branch}`)
  return terms
}

export const isTrunkBranch = (branch: string): boolean => /^(main|master|trunk|develop)$/.test(branch)
