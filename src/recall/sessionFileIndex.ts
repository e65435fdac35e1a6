// The session file index: which files earlier sessions edited, small enough for a hook to read at every prompt.
//
//   file ──▶ the sessions that edited it      term ──▶ the files with that term in their path
//
// It is built at a session's end from public summaries. A next prompt is mostly about the files of recent work, and the
// files find that work better than words do.
import { lengthPenalty, termGain, USUAL_BM25 } from '../model/bm25.ts'
import type { MemoryHead } from '../model/memoryHead.ts'
import type { Features, RecallQuery } from '../model/recallQuery.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { isTrunkBranch, sessionHash } from './indexTerms.ts'

/**
 * One session: its hash as rows store it, its branch or '', the files it edited, the number of terms in their paths,
 * and their rarity (Σ rarity + .1; absent in files of an earlier version).
 */
type IndexedSession = readonly [hash: number, branch: string, files: readonly number[], terms: number, rarity?: number]

/** The content of worked.json. */
export interface SessionFileIndex {
  readonly generation: number
  /** For every file the sessions that edited it, as indexes into `sessions`. */
  readonly files: readonly (readonly number[])[]
  /** For every term the files with it, as indexes into `files`. */
  readonly terms: Readonly<Record<string, readonly number[]>>
  /** Oldest first. */
  readonly sessions: readonly IndexedSession[]
  /** The path of every file; absent in files of an earlier version. */
  readonly paths?: readonly string[]
}

/** The newest sessions are indexed, at most this many. */
const SESSIONS_MAX = 300

const NONE: readonly number[] = []

/** Builds the index from active public summaries only: the index shows files to every viewer. */
export function buildSessionFileIndex(heads: Iterable<MemoryHead>, generation: number): SessionFileIndex {
  const summaries = [...heads].filter(
    ({ kind, status, privacy }) => kind === 'summary' && status === 'active' && privacy === 'public',
  )
  summaries.sort((a, b) => a.updatedMs - b.updatedMs || (a.id < b.id ? -1 : 1))
  const recent = summaries.slice(-SESSIONS_MAX).flatMap((head) => {
    const { session, branch, editedFiles } = head.load()
    return session === undefined ? [] : [{ session, branch, editedFiles }]
  })
  const files = new Map<string, IndexedFile>()
  const terms = new Map<string, number[]>()
  const editedFiles = recent.map(({ editedFiles = [] }, session) =>
    [...new Set(editedFiles)].map((path) => {
      const file = files.get(path) ?? addFile(path, files, terms)
      file.sessions.push(session)
      return file
    }),
  )
  // The rarities are summed here, so that a hook does not compute hundreds of logarithms at a prompt.
  const sessions = recent.map((summary, i): IndexedSession => {
    const edited = editedFiles[i] ?? []
    const rarities = edited.reduce((sum, file) => sum + rarity(recent.length, file.sessions) + 0.1, 0)
    const termCount = edited.reduce((sum, file) => sum + file.termCount, 0)
    const places = edited.map((file) => file.place)
    return [sessionHash(summary.session), summary.branch ?? '', places, termCount, Math.round(1000 * rarities) / 1000]
  })
  return {
    generation,
    files: [...files.values()].map((file) => file.sessions),
    terms: Object.fromEntries(terms),
    sessions,
    paths: [...files.keys()],
  }
}

type IndexedFile = Readonly<{ place: number; termCount: number; sessions: number[] }>

function addFile(path: string, files: Map<string, IndexedFile>, terms: Map<string, number[]>): IndexedFile {
  const own = new Set(extractTerms(path))
  const file = { place: files.size, termCount: own.size, sessions: [] }
  files.set(path, file)
  for (const term of own) terms.set(term, [...(terms.get(term) ?? []), file.place])
  return file
}

/** How rare it is, of so many sessions, that one edited this file: a logarithm, more for rarer files. */
const rarity = (sessions: number, editors: readonly number[]): number => Math.log((sessions + 1) / (1 + editors.length))

export interface RelatedSessions {
  /** Hashes of the nearest sessions by the first estimate, nearest first; eight, or as many as were wanted. */
  readonly nearest: readonly number[]
  /** The features of a session, by its hash; undefined if it is not indexed. */
  sessionFeatures(session: number): Features | undefined
}

/** How many of the nearest sessions count for `workTogether` and `workFocus`. */
const NEAREST = 8

/** Weights of the first estimate of how near a session is. */
const ESTIMATE = { files: 0.6, branch: 0.4, lately: 0.4, named: 0.4 } as const

/** Number of edited files at which `workEdits` is 1. */
const EDITS_FULL = 60

/**
 * The `wanted` sessions nearest to a query by a first estimate, and the features of every session, each 0 to 1:
 *
 *   workFiles     the query's terms in the paths of the files it edited (BM25, divided by the best)
 *   workNamed     1 if the query names a file it edited
 *   workEdits     how many files it edited, logarithmic, 1 at 60
 *   workTogether  how much of what the nearest eight edited it edited too; rare files count more; divided by the best
 *   workFocus     the same as a share of all it edited
 *
 * A cold hook runs this: every sum of fractions allocates memory, so sessions without any evidence are skipped, and
 * features are computed only for the sessions that are asked for.
 */
export function findRelatedSessions(
  index: SessionFileIndex,
  query: RecallQuery,
  words: Iterable<string>,
  wanted: number,
): RelatedSessions {
  const { sessions } = index
  const { nearest, fileShare, named } = rankSessions(index, { ...query, words }, Math.max(NEAREST, wanted))
  const shared = scoreSharedFiles(nearest.slice(0, NEAREST), index)
  const sharedMax = maxOf(shared.values())
  const focus = (i: number): number => (shared.get(i) ?? 0) / (sessions[i]?.[4] || Number.POSITIVE_INFINITY)
  const focusMax = maxOf([...shared.keys()].map(focus))
  const places = new Map(sessions.map(([hash], i) => [hash, i]))
  return {
    nearest: nearest.map(({ session: [hash] }) => hash),
    sessionFeatures(hash) {
      const i = places.get(hash)
      const session = sessions[i ?? -1]
      if (i === undefined || !session) return undefined
      return {
        workFiles: fileShare(i),
        workNamed: named.has(i) ? 1 : 0,
        workEdits: Math.min(1, Math.log(1 + session[2].length) / Math.log(1 + EDITS_FULL)),
        workTogether: (shared.get(i) ?? 0) / (sharedMax || 1),
        workFocus: focus(i) / (focusMax || 1),
      }
    },
  }
}

/**
 * Hashes of the sessions that edited this file, or files with words of its path: eight at most, the nearest first by
 * the same estimate. `file` is its path inside the project.
 */
export function findSessionsNearFile(index: SessionFileIndex, file: string): readonly number[] {
  const words = extractTerms(file)
  const { nearest, hasOnlyAge } = rankSessions(index, { words, files: [file], branch: undefined }, NEAREST)
  return nearest.flatMap(({ session: [hash], place }) => (hasOnlyAge(place) ? [] : hash))
}

/** The sessions with the best first estimate. */
function rankSessions(
  index: SessionFileIndex,
  { words, files, branch: name }: Pick<RecallQuery, 'files' | 'branch'> & { readonly words: Iterable<string> },
  count: number,
) {
  const { sessions } = index
  const fileScores = scoreFiles(index, words)
  const fileScoreMax = maxOf(fileScores.values())
  const fileShare = (i: number): number => (fileScores.get(i) ?? 0) / (fileScoreMax || 1)
  const named = findNamedSessions(index, files)
  const branch = name !== undefined && !isTrunkBranch(name) ? name : undefined
  const estimate = (i: number): number =>
    ESTIMATE.files * fileShare(i) +
    (branch !== undefined && sessions[i]?.[1] === branch ? ESTIMATE.branch : 0) +
    ESTIMATE.lately / (1 + (sessions.length - 1 - i) / 5) +
    (named.has(i) ? ESTIMATE.named : 0)
  const hasOnlyAge = (i: number): boolean => !fileScores.has(i) && !named.has(i) && sessions[i]?.[1] !== branch
  return { nearest: selectNearest(sessions, estimate, hasOnlyAge, count), fileShare, named, hasOnlyAge }
}

interface NearSession {
  /** Its index in `sessions`. */
  readonly place: number
  readonly session: IndexedSession
  readonly estimate: number
}

/** The best `count` sessions, best first; of equal ones the newer. With only its age, a session is below newer ones. */
function selectNearest(
  sessions: readonly IndexedSession[],
  estimateOf: (i: number) => number,
  hasOnlyAge: (i: number) => boolean,
  count: number,
): readonly NearSession[] {
  const best: NearSession[] = []
  for (let i = sessions.length - 1; i >= 0; i--) {
    const session = sessions[i]
    const last = best[count - 1]
    // If the list is full, that many newer sessions are before it, with more evidence or as much.
    if (session === undefined || (last && hasOnlyAge(i))) continue
    const estimate = estimateOf(i)
    if (last && estimate <= last.estimate) continue
    let place = last ? count - 1 : best.length
    for (; place > 0; place--) {
      const before = best[place - 1]
      if (!before || before.estimate >= estimate) break
      best[place] = before
    }
    best[place] = { place: i, session, estimate }
  }
  return best
}

/** For each session, how much of the files of the nearest ones it edited too. */
function scoreSharedFiles(
  nearest: readonly NearSession[],
  { sessions, files }: SessionFileIndex,
): ReadonlyMap<number, number> {
  const weights = new Map<number, number>()
  for (const { session, estimate } of nearest) {
    const edited = session[2]
    for (const file of edited) {
      const weight = (estimate * rarity(sessions.length, files[file] ?? NONE)) / Math.sqrt(edited.length)
      weights.set(file, (weights.get(file) ?? 0) + weight)
    }
  }
  const shared = new Map<number, number>()
  for (const [file, weight] of weights)
    for (const i of files[file] ?? NONE) shared.set(i, (shared.get(i) ?? 0) + weight)
  return shared
}

/** BM25 of the words over the paths that each session edited, for the sessions with any of them. */
function scoreFiles(
  { sessions, files, terms }: SessionFileIndex,
  words: Iterable<string>,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>()
  const averageTerms = sessions.reduce((sum, [, , , termCount]) => sum + termCount, 0) / sessions.length || 1
  for (const word of words) {
    const counts = new Map<number, number>()
    for (const file of filesWithTerm(terms, word)) {
      for (const i of files[file] ?? NONE) counts.set(i, (counts.get(i) ?? 0) + 1)
    }
    if (counts.size === 0) continue
    const gain = termGain(counts.size, sessions.length, USUAL_BM25)
    for (const [i, count] of counts) {
      const penalty = lengthPenalty(sessions[i]?.[3] ?? 0, averageTerms, USUAL_BM25)
      scores.set(i, (scores.get(i) ?? 0) + (gain * count) / (count + penalty))
    }
  }
  return scores
}

function findNamedSessions({ files, terms }: SessionFileIndex, namedFiles: readonly string[]): ReadonlySet<number> {
  const named = new Set<number>()
  for (const path of namedFiles) {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
    for (const file of filesWithTerm(terms, name)) for (const i of files[file] ?? NONE) named.add(i)
  }
  return named
}

const filesWithTerm = (terms: SessionFileIndex['terms'], term: string): readonly number[] =>
  (Object.hasOwn(terms, term) ? terms[term] : undefined) ?? NONE

/** The greatest value, 0 if none is above it. */
function maxOf(values: Iterable<number>): number {
  let max = 0
  for (const value of values) max = Math.max(max, value)
  return max
}
