// Worked: what each earlier session worked on, small enough for a hook to read at every prompt; and how near each stands to a prompt.
//
//   files ──▶ the sessions that edited them      terms ──▶ the files whose paths have them
//
// Made at a session's end from the summaries everyone may see, read at a prompt: what people ask for next is mostly near to where
// they were at work, and the files say where that was better than words do.
import type { Cue, Features } from '../model/cue.ts'
import type { Memory } from '../model/memory.ts'
import { termsOf } from '../text/words.ts'
import { isTrunk, sessionName } from './terms.ts'

/** One session: its name as a row of the store keeps it, its branch or '', the files it edited, and how many terms their paths have. */
export type WorkedSession = readonly [name: number, branch: string, files: readonly number[], terms: number]

export interface Worked {
  readonly generation: number
  /** Every file's sessions, by their places in `sessions`. */
  readonly files: readonly (readonly number[])[]
  /** Every term's files, by their places in `files`. */
  readonly terms: Readonly<Record<string, readonly number[]>>
  /** Oldest first. */
  readonly sessions: readonly WorkedSession[]
}

/** Sessions that are remembered here: the newest. */
const SESSIONS_MAX = 300

/** What the summaries say of the sessions' work. Only what is public: the rest would show through. */
export function workedIn(memories: Iterable<Memory>, generation: number): Worked {
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
    const own = new Set(termsOf(file))
    lengths.push(own.size)
    for (const term of own) terms.set(term, [...(terms.get(term) ?? []), place])
    return place
  }
  const sessions = summaries.slice(-SESSIONS_MAX).map((summary, i): WorkedSession => {
    const edited = editedIn(summary).map(placeOf)
    for (const file of edited) files[file]!.push(i)
    const length = edited.reduce((sum, file) => sum + lengths[file]!, 0)
    return [sessionName(summary.session!), summary.branch ?? '', edited, length]
  })
  return { generation, files, terms: Object.fromEntries(terms), sessions }
}

const editedIn = ({ metadata }: Memory): string[] => {
  const { edited } = metadata
  return Array.isArray(edited) ? [...new Set(edited.filter((file) => typeof file === 'string'))] : []
}

/** How near a session's work stands to a prompt. */
export interface Related {
  /** As a row keeps it. */
  readonly session: number
  readonly features: Features
}

/** What those before it in a list count for the files they share: the eight nearest. */
const NEAREST = 8

/** A first guess at who is nearest, which those who share their files are found by. */
const GUESS = { files: 0.6, branch: 0.4, lately: 0.4, named: 0.4 } as const

/** Edited files of which a session counts as a full one, for `workEdits`. */
const EDITS_FULL = 60

/**
 * Every session with its features, each 0 to 1, nearest by the first guess first:
 *
 *   workFiles     the prompt's terms in the paths of the files it edited (BM25, divided by the best)
 *   workNamed     the prompt names a file it edited
 *   workEdits     how many files it edited, logarithmic, full at 60
 *   workTogether  how much of what the nearest eight edited it edited too, rare files counting more (divided by the best)
 *   workFocus     the same as a share of all it edited
 */
export function relatedSessions(worked: Worked, cue: Cue, words: Iterable<string>): Related[] {
  const { sessions, files } = worked
  if (sessions.length === 0) return []
  const byFiles = divided(bm25(worked, words))
  const named = namedIn(worked, cue.files)
  const branch = cue.branch !== undefined && !isTrunk(cue.branch) ? cue.branch : undefined
  const guess = sessions.map(
    (session, i) =>
      GUESS.files * byFiles[i]! +
      (branch !== undefined && session[1] === branch ? GUESS.branch : 0) +
      GUESS.lately / (1 + (sessions.length - 1 - i) / 5) +
      (named.has(i) ? GUESS.named : 0),
  )
  const order = sessions.map((_, i) => i).sort((a, b) => guess[b]! - guess[a]! || b - a)
  const rarity = (file: number): number => Math.log((sessions.length + 1) / (1 + files[file]!.length))
  const weights = new Map<number, number>()
  for (const i of order.slice(0, NEAREST)) {
    const edited = sessions[i]![2]
    for (const file of edited)
      weights.set(file, (weights.get(file) ?? 0) + (guess[i]! * rarity(file)) / Math.sqrt(edited.length))
  }
  const shared = sessions.map(([, , edited]) => edited.reduce((sum, file) => sum + (weights.get(file) ?? 0), 0))
  const together = divided(shared)
  const focus = divided(
    sessions.map(([, , edited], i) =>
      shared[i] === 0 ? 0 : shared[i]! / edited.reduce((sum, file) => sum + rarity(file) + 0.1, 0),
    ),
  )
  return order.map((i) => ({
    session: sessions[i]![0],
    features: {
      workFiles: byFiles[i]!,
      workNamed: named.has(i) ? 1 : 0,
      workEdits: Math.min(1, Math.log(1 + sessions[i]![2].length) / Math.log(1 + EDITS_FULL)),
      workTogether: together[i]!,
      workFocus: focus[i]!,
    },
  }))
}

/** BM25 with k1 1.2 and b 0.75 of the words over the paths each session edited. */
function bm25({ sessions, files, terms }: Worked, words: Iterable<string>): number[] {
  const scores = new Array<number>(sessions.length).fill(0)
  const average = sessions.reduce((sum, [, , , length]) => sum + length, 0) / sessions.length || 1
  for (const word of words) {
    if (!Object.hasOwn(terms, word)) continue
    const counts = new Map<number, number>()
    for (const file of terms[word]!) for (const i of files[file]!) counts.set(i, (counts.get(i) ?? 0) + 1)
    const gain = Math.log(1 + (sessions.length - counts.size + 0.5) / (counts.size + 0.5)) * 2.2
    for (const [i, count] of counts) {
      scores[i]! += (gain * count) / (count + 1.2 * (0.25 + (0.75 * sessions[i]![3]) / average))
    }
  }
  return scores
}

/** The sessions that edited a file of a name the prompt says. */
function namedIn({ files, terms }: Worked, said: readonly string[]): ReadonlySet<number> {
  const named = new Set<number>()
  for (const file of said) {
    const name = file.slice(file.lastIndexOf('/') + 1).toLowerCase()
    if (Object.hasOwn(terms, name)) for (const place of terms[name]!) for (const i of files[place]!) named.add(i)
  }
  return named
}

function divided(values: readonly number[]): readonly number[] {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most > 0 ? values.map((value) => value / most) : values
}
