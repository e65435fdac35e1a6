// Index terms of memories and queries: words, and fields of the work, each with its own prefix.
//
//   f:src/tax.js   a file            b:fix/rounding   a branch
//   n:tax.js       a file's name     c:npm test       a command's shape
//   e:bash|error…  an error          m:npm test       a command's family
//   a:caroline     a speaker         s:2166136261   a session, for its summary
//   r:reviewer     the role of an agent whose report has lessons
//   t:#42          the issue that the work was about
import { isAgentLesson, type Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { commandFamily } from '../text/command.ts'
import { hash32 } from '../text/hash.ts'
import { findTaskReference } from '../text/taskReference.ts'
import { errorTerm, extractTerms, fileNameTerm, fileTerm, selectRarestTerms } from '../text/terms/extractTerms.ts'

/** The groups of terms whose scores become features of their own. */
export const TERM_GROUPS = ['words', 'files', 'command', 'error', 'branch', 'speaker', 'work'] as const
export type TermGroup = (typeof TERM_GROUPS)[number]

/** Distinct words of a query that are looked up: more only adds common ones, and each costs a read. */
const QUERY_WORDS_MAX = 48

/** A text of fewer words has no heading. */
const HEADED_TEXT_WORDS_MIN = 40

const HEADING_CHARS_MAX = 300

/** What the index stores of a memory: terms with counts, and its length in words. */
export function buildIndexTerms(memory: Memory): { terms: ReadonlyMap<string, number>; length: number } {
  const terms = new Map<string, number>()
  const words = extractTerms([memory.content, ...memory.lessons, ...memory.tags].join('\n'))
  const shown = new Set(words)
  // The content repeats words of the search text and of its triggers: only the others are added.
  const occasions = memory.knowledge?.when.flatMap(({ has = [] }) => has) ?? []
  const more = extractTerms([memory.searchText, ...occasions].join('\n')).filter((word) => !shown.has(word))
  for (const word of [...words, ...more]) terms.set(word, (terms.get(word) ?? 0) + 1)
  for (const word of findHeading(memory.content, words.length)) terms.set(word, (terms.get(word) ?? 0) + 1)
  for (const term of fieldTerms(memory)) terms.set(term, 1)
  if (memory.kind === 'summary' && memory.session) terms.set(sessionTerm(sessionHash(memory.session)), 1)
  if (isAgentLesson(memory)) terms.set(roleTerm(memory.role), 1)
  if (memory.agentId) terms.set(speakerTerm(memory.agentId), 1)
  if (memory.taskId && findTaskReference(memory.taskId) === memory.taskId) terms.set(taskTerm(memory.taskId), 1)
  return { terms, length: words.length + more.length }
}

/** The first sentence of a longer text states its subject, so its words count twice. Not if it is most of the text. */
function findHeading(text: string, wordCount: number): ReadonlySet<string> {
  if (wordCount < HEADED_TEXT_WORDS_MIN) return new Set()
  const end = text.slice(0, HEADING_CHARS_MAX).search(/[.!?](?=\s)|[。！？\n]/)
  const heading = extractTerms(text.slice(0, end === -1 ? HEADING_CHARS_MAX : end))
  return new Set(2 * heading.length <= wordCount ? heading : [])
}

/** The terms to look up for a query, by group, with weights; `words` come from `extractQueryTerms`. */
export function buildQueryTerms(
  query: RecallQuery,
  words: ReadonlyMap<string, number>,
): Readonly<Record<TermGroup, ReadonlyMap<string, number>>> {
  const fields = fieldTerms(query)
  const withPrefix = (...prefixes: string[]) =>
    new Map(fields.filter((term) => prefixes.some((prefix) => term.startsWith(prefix))).map((term) => [term, 1]))
  return {
    words: selectRarestTerms(words, QUERY_WORDS_MAX),
    files: withPrefix('f:', 'n:'),
    command: withPrefix('c:', 'm:'),
    error: withPrefix('e:'),
    branch: withPrefix('b:'),
    // Filled in by broker/search/questionCandidates.ts, which knows the names of all speakers.
    speaker: new Map(),
    // Filled in by broker/search/candidates.ts with the sessions that sessionFileIndex.ts finds.
    work: new Map(),
  }
}

/** A session's id as 32 bits, as rows store it; never 0. */
export const sessionHash = (session: string): number => hash32(session) || 1

/** The term of a session's summary; `hash` by `sessionHash`. */
export const sessionTerm = (hash: number): string => `s:${hash}`

/** The term of everything that a speaker said. */
export const speakerTerm = (name: string): string => `a:${name.toLowerCase()}`

export const roleTerm = (role: string): string => `r:${role}`

/** The term of all work on an issue, as `findTaskReference` writes it. */
export const taskTerm = (reference: string): string => `t:${reference}`

const NAME_WORDS_MAX = 2

/** What could be the name of a speaker, in lower case: every word, and every two adjacent words. */
export function findPossibleNames(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9\u00c0-\u024f_-]{2,}|[\u3040-\u30ff\u3400-\u9fff]{2,}/g) ?? []
  const names: string[] = []
  for (let length = 1; length <= NAME_WORDS_MAX; length++) {
    for (let i = 0; i + length <= words.length; i++) names.push(words.slice(i, i + length).join(' '))
  }
  return [...new Set(names)]
}

/** The terms of files, command, error and branch. The main branch has none: all sessions use it. */
function fieldTerms(
  fields: Pick<Memory | RecallQuery, 'files' | 'commandShape' | 'errorSignature' | 'branch'>,
): string[] {
  const { files, commandShape, errorSignature, branch } = fields
  const terms = files.flatMap((file) => [fileTerm(file), fileNameTerm(file)])
  if (commandShape) terms.push(`c:${commandShape}`, `m:${commandFamily(commandShape)}`)
  if (errorSignature) terms.push(errorTerm(errorSignature))
  if (branch && !isTrunkBranch(branch)) terms.push(`b:${branch}`)
  return terms
}

export const isTrunkBranch = (branch: string): boolean => /^(main|master|trunk|develop)$/.test(branch)
