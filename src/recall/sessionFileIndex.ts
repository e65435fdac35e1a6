// Worked: what each earlier session worked on, small enough for a hook to read at every prompt; and how near each stands to a prompt.
//
//   files ──▶ the sessions that edited them      terms ──▶ the files whose paths have them
//
// Made at a session's end from the summaries everyone may see, read at a prompt: what people ask for next is mostly near to where
// they were at work, and the files say where that was better than words do.
import { lengthPenalty, termGain, USUAL_BM25 } from '../model/bm25.ts'
import type { Memory } from '../model/memory.ts'
import type { Features, RecallQuery } from '../model/recallQuery.ts'
import { extractTerms } from '../text/terms/extractTerms.ts'
import { isTrunkBranch, sessionHash } from './indexTerms.ts'

/**
 * One session: its name as a row of the store keeps it, its branch or '', the files it edited, how many terms their paths have, and
 * how rare they are together (Σ rarity + .1; in a file of an earlier version there is none).
 */
type IndexedSession = readonly [name: number, branch: string, files: readonly number[], terms: number, rarity?: number]

export interface SessionFileIndex {
  readonly generation: number
  /** Every file's sessions, by their places in `sessions`. */
  readonly files: readonly (readonly number[])[]
  /** Every term's files, by their places in `files`. */
  readonly terms: Readonly<Record<string, readonly number[]>>
  /** Oldest first. */
  readonly sessions: readonly IndexedSession[]
}

/** Sessions that are remembered here: the newest. */
const SESSIONS_MAX = 300

/** What the summaries say of the sessions' work. Only what is public: the rest would show through. */
export function buildSessionFileIndex(memories: Iterable<Memory>, generation: number): SessionFileIndex {
  const summaries = [...memories].filter(
    ({ kind, status, privacy, session }) =>
      kind === 'summary' && status === 'active' && privacy === 'public' && session !== undefined,
  )
  summaries.sort((a, b) => (a.updated < b.updated ? -1 : a.updated > b.updated ? 1 : a.id < b.id ? -1 : 1))
  const places = new Map<string, number>()
  const files: number[][] = []
  const lengths: number[] = []
  const terms = new Map<string, number[]>()
  const placeOf = (file: string): number => {
    const known = places.get(file)
    if (known !== undefined) return known
    const place = files.push([]) - 1
    places.set(file, place)
    const own = new Set(extractTerms(file))
    lengths.push(own.size)
    for (const term of own) terms.set(term, [...(terms.get(term) ?? []), place])
    return place
  }
  const sessions = summaries.slice(-SESSIONS_MAX).map((summary, i): IndexedSession => {
    const edited = editedIn(summary).map(placeOf)
    for (const file of edited) files[file]!.push(i)
    const length = edited.reduce((sum, file) => sum + lengths[file]!, 0)
    return [sessionHash(summary.session!), summary.branch ?? '', edited, length]
  })
  // Summed here, so that no hook takes hundreds of logarithms at a prompt.
  const withRarity = ([name, branch, edited, length]: IndexedSession): IndexedSession => {
    const together = edited.reduce((sum, file) => sum + rarity(sessions.length, files[file]!) + 0.1, 0)
    return [name, branch, edited, length, Math.round(1000 * together) / 1000]
  }
  return { generation, files, terms: Object.fromEntries(terms), sessions: sessions.map(withRarity) }
}

/** How much it says that a session edited this file, of so many sessions. */
const rarity = (sessions: number, editors: readonly number[]): number => Math.log((sessions + 1) / (1 + editors.length))

const editedIn = ({ editedFiles = [] }: Memory): string[] => [...new Set(editedFiles)]

/** How near sessions' work stands to a prompt. */
export interface RelatedSessions {
  /** The nearest by the first guess, nearest first, as a row keeps a session. */
  readonly nearest: readonly number[]
  /** A session's features, as it is kept in a row; undefined for one that is not remembered here. */
  sessionFeatures(session: number): Features | undefined
}

/** What those before it in a list count for the files they share: the eight nearest. */
const NEAREST = 8

/** A first guess at who is nearest, which those who share their files are found by. */
const GUESS = { files: 0.6, branch: 0.4, lately: 0.4, named: 0.4 } as const

/** Edited files of which a session counts as a full one, for `workEdits`. */
const EDITS_FULL = 60

/**
 * The `wanted` sessions nearest by the first guess, and every session's features, each 0 to 1:
 *
 *   workFiles     the prompt's terms in the paths of the files it edited (BM25, divided by the best)
 *   workNamed     the prompt names a file it edited
 *   workEdits     how many files it edited, logarithmic, full at 60
 *   workTogether  how much of what the nearest eight edited it edited too, rare files counting more (divided by the best)
 *   workFocus     the same as a share of all it edited
 *
 * A cold hook asks: each sum of fractions there takes memory of its own, so what nothing speaks for is passed over, and
 * features are made for whom they are asked of.
 */
export function findRelatedSessions(
  worked: SessionFileIndex,
  query: RecallQuery,
  words: Iterable<string>,
  wanted: number,
): RelatedSessions {
  const { sessions } = worked
  const byFiles = fileScores(worked, words)
  const filesMost = greatest(byFiles.values())
  const filesOf = (i: number): number => (byFiles.get(i) ?? 0) / (filesMost || 1)
  const named = namedIn(worked, query.files)
  const branch = query.branch !== undefined && !isTrunkBranch(query.branch) ? query.branch : undefined
  const guessOf = (i: number): number =>
    GUESS.files * filesOf(i) +
    (branch !== undefined && sessions[i]![1] === branch ? GUESS.branch : 0) +
    GUESS.lately / (1 + (sessions.length - 1 - i) / 5) +
    (named.has(i) ? GUESS.named : 0)
  const isPlain = (i: number): boolean => !byFiles.has(i) && !named.has(i) && sessions[i]![1] !== branch
  const nearest = nearestBy(guessOf, isPlain, sessions.length, Math.max(NEAREST, wanted))
  const shared = sharedWith(nearest.slice(0, NEAREST), worked)
  const sharedMost = greatest(shared.values())
  const focusOf = (i: number): number => (sessions[i]![4] ? (shared.get(i) ?? 0) / sessions[i]![4] : 0)
  let focusMost = 0
  for (const i of shared.keys()) focusMost = Math.max(focusMost, focusOf(i))
  const places = new Map<number, number>()
  for (let i = 0; i < sessions.length; i++) places.set(sessions[i]![0], i)
  return {
    nearest: nearest.slice(0, wanted).map(({ place }) => sessions[place]![0]),
    sessionFeatures(session) {
      const i = places.get(session)
      if (i === undefined) return undefined
      return {
        workFiles: filesOf(i),
        workNamed: named.has(i) ? 1 : 0,
        workEdits: Math.min(1, Math.log(1 + sessions[i]![2].length) / Math.log(1 + EDITS_FULL)),
        workTogether: (shared.get(i) ?? 0) / (sharedMost || 1),
        workFocus: focusOf(i) / (focusMost || 1),
      }
    },
  }
}

interface Near {
  readonly place: number
  readonly guess: number
}

/** The best `wanted` of `count`, best first; of equals the newer. The plain ones' guess falls with their age. */
function nearestBy(
  guessOf: (place: number) => number,
  isPlain: (place: number) => boolean,
  count: number,
  wanted: number,
): readonly Near[] {
  const best: Near[] = []
  for (let place = count - 1; place >= 0; place--) {
    const full = best.length >= wanted
    // So many newer ones stand before it, plain or better.
    if (full && isPlain(place)) continue
    const guess = guessOf(place)
    if (full && guess <= best[wanted - 1]!.guess) continue
    let at = full ? wanted - 1 : best.length
    for (; at > 0 && best[at - 1]!.guess < guess; at--) best[at] = best[at - 1]!
    best[at] = { place, guess }
  }
  return best
}

/** How much of what these edited each session edited too. */
function sharedWith(nearest: readonly Near[], { sessions, files }: SessionFileIndex): ReadonlyMap<number, number> {
  const weights = new Map<number, number>()
  for (const { place, guess } of nearest) {
    const edited = sessions[place]![2]
    for (const file of edited) {
      const weight = (guess * rarity(sessions.length, files[file]!)) / Math.sqrt(edited.length)
      weights.set(file, (weights.get(file) ?? 0) + weight)
    }
  }
  const shared = new Map<number, number>()
  for (const [file, weight] of weights) for (const i of files[file]!) shared.set(i, (shared.get(i) ?? 0) + weight)
  return shared
}

/** BM25 of the words over the paths each session edited, for the sessions that have any of them. */
function fileScores(
  { sessions, files, terms }: SessionFileIndex,
  words: Iterable<string>,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>()
  const average = sessions.reduce((sum, [, , , length]) => sum + length, 0) / sessions.length || 1
  for (const word of words) {
    if (!Object.hasOwn(terms, word)) continue
    const counts = new Map<number, number>()
    for (const file of terms[word]!) for (const i of files[file]!) counts.set(i, (counts.get(i) ?? 0) + 1)
    const gain = termGain(counts.size, sessions.length, USUAL_BM25)
    for (const [i, count] of counts) {
      const penalty = lengthPenalty(sessions[i]![3], average, USUAL_BM25)
      scores.set(i, (scores.get(i) ?? 0) + (gain * count) / (count + penalty))
    }
  }
  return scores
}

/** The sessions that edited a file of a name the prompt says. */
function namedIn({ files, terms }: SessionFileIndex, said: readonly string[]): ReadonlySet<number> {
  const named = new Set<number>()
  for (const file of said) {
    const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
    if (Object.hasOwn(terms, name)) for (const place of terms[name]!) for (const i of files[place]!) named.add(i)
  }
  return named
}

/** The greatest of some values, 0 where none is above it. */
function greatest(values: Iterable<number>): number {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}
