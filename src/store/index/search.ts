// Scores documents against a query by BM25, over all segments as if they were one.
//
// Rarest terms first, under two limits a hook can afford. What falls to them are the commonest terms, which tell
// documents apart the least.
import { hashPair } from '../../text/hash.ts'
import { decodeLength } from './norm.ts'
import type { Segment, TermHit } from './segment.ts'
import { Tally } from './tally.ts'

/** A query's terms can be in groups 0 to 7; each group gives a document a score of its own. */
export const GROUPS_MAX = 8

/** A good `touchedMax`: at twice as many a cold search takes a millisecond more, and no better ones come to light. */
export const TOUCHED_MAX = 8_000

export interface QueryTerm {
  readonly term: string
  /** Multiplies the term's score; above 0. */
  readonly weight: number
  /** From 0 to 7. */
  readonly group: number
}

export interface ScoreOptions {
  /** How late more of the same term stops counting; from 0 on, 1.2 is usual. */
  readonly k1: number
  /** How much a document's length counts against it, 0 (not at all) to 1 (in full); 0.75 is usual. */
  readonly b: number
  /** Postings read at most, over all terms and segments. A term with more of them than what is left is skipped. */
  readonly postingsMax: number
  /**
   * Documents that can score, TOUCHED_MAX by default. Once a term has more postings than there is room, it only adds to
   * documents that rarer ones found: the "continue" strategy of Moffat and Zobel, Self-Indexing Inverted Files (1996).
   */
  readonly touchedMax?: number
}

/** Whether a document of a segment still counts. */
export type Alive = (segment: number, doc: number) => boolean

export interface Found {
  /** Which of the segments, by its place in the list. */
  readonly segment: number
  readonly doc: number
  readonly score: number
  /** How many query terms it has, of those that were read. */
  readonly matched: number
}

/** What a query gave to each document. 0 where nothing matched, and for a number no document has (a neighbour's, say). */
export interface Scores {
  /** Terms some document has but the budget had no room for, the rarer first. */
  readonly skipped: readonly string[]
  /** The sum over all groups. */
  totalOf(segment: number, doc: number): number
  scoreOf(segment: number, doc: number, group: number): number
  matchedOf(segment: number, doc: number): number
  /** The best by total, best first; of equals the newest first (higher segment, then higher document). */
  best(resultsMax: number, alive?: Alive): readonly Found[]
}

/** The best documents for weighted terms, best first. `scores` tells the formula. */
export function bm25(
  segments: readonly Segment[],
  query: ReadonlyMap<string, number>,
  options: ScoreOptions & { readonly resultsMax: number; readonly alive?: Alive },
): readonly Found[] {
  const terms: QueryTerm[] = []
  for (const [term, weight] of query) terms.push({ term, weight, group: 0 })
  return scores(segments, terms, options).best(options.resultsMax, options.alive)
}

/**
 * Scores every document that has any of the terms:
 *
 *   Σ weight · ln(1 + (N - df + ½) / (df + ½)) · count · (k1 + 1) / (count + k1 · (1 - b + b · length / average))
 *
 * Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with the 1 + of Lucene's
 * BM25Similarity, so that a term most documents have does not count against them. N, df and the average go over all
 * segments, what was deleted since included, until a merge leaves it out.
 *
 * A term may stand in several groups: it then is read, matched and charged to the budget once for each.
 */
export function scores(segments: readonly Segment[], query: readonly QueryTerm[], options: ScoreOptions): Scores {
  const bases: number[] = []
  let documents = 0
  let lengthTotal = 0
  for (const segment of segments) {
    bases.push(documents)
    documents += segment.documents
    lengthTotal += segment.lengthTotal
  }
  let groups = 0
  for (const { group } of query) groups = Math.max(groups, group + 1)

  const tally = new Tally(documents, groups, options.touchedMax ?? TOUCHED_MAX)
  const { read, skipped } = withinBudget(knownTerms(segments, query), options.postingsMax)
  const penalties = penaltiesOf(options, lengthTotal / documents)
  for (const { term, hits, df } of read) {
    const gain = term.weight * Math.log(1 + (documents - df + 0.5) / (df + 0.5)) * (options.k1 + 1)
    const admit = tally.hasRoom(df)
    for (let i = 0; i < segments.length; i++) {
      const hit = hits[i]
      if (!hit) continue
      tally.add(segments[i]!.postings(hit), segments[i]!.norms(), bases[i]!, penalties, gain, term.group, admit)
    }
  }
  return scoresIn(tally, segments, bases, skipped)
}

interface KnownTerm {
  readonly term: QueryTerm
  /** One place a segment. */
  readonly hits: readonly (TermHit | undefined)[]
  /** Over all segments. */
  readonly df: number
}

function knownTerms(segments: readonly Segment[], query: readonly QueryTerm[]): KnownTerm[] {
  const terms = query.map(({ term }) => term)
  const hashes = terms.map(hashPair)
  const found = segments.map((segment) => segment.find(terms, hashes))
  const known: KnownTerm[] = []
  for (let i = 0; i < query.length; i++) {
    const hits = found.map((bySegment) => bySegment[i])
    let df = 0
    for (const hit of hits) df += hit ? hit.df : 0
    if (df > 0) known.push({ term: query[i]!, hits, df })
  }
  return known
}

/** Terms to read, rarest first, and those left out. */
function withinBudget(known: KnownTerm[], postingsMax: number): { read: KnownTerm[]; skipped: string[] } {
  // Equally rare ones stay in the query's order, so that a sum of floats is added up alike however the segments are cut.
  known.sort((a, b) => a.df - b.df)
  const read: KnownTerm[] = []
  const skipped: string[] = []
  let left = postingsMax
  for (const one of known) {
    if (one.df > left) {
      skipped.push(one.term.term)
    } else {
      read.push(one)
      left -= one.df
    }
  }
  return { read, skipped }
}

/** For each norm, what stands beside the count below the line. */
function penaltiesOf({ k1, b }: ScoreOptions, lengthAverage: number): Float64Array {
  const penalties = new Float64Array(256)
  for (let norm = 0; norm < 256; norm++) {
    // Where every document is empty, none is longer than the average.
    const relative = lengthAverage > 0 ? decodeLength(norm) / lengthAverage : 1
    penalties[norm] = k1 * (1 - b + b * relative)
  }
  return penalties
}

function scoresIn(
  tally: Tally,
  segments: readonly Segment[],
  bases: readonly number[],
  skipped: readonly string[],
): Scores {
  const isThere = (segment: number, doc: number): boolean => doc >= 0 && doc < (segments[segment]?.documents ?? 0)
  return {
    skipped,
    totalOf: (segment, doc) => (isThere(segment, doc) ? tally.total(bases[segment]! + doc) : 0),
    scoreOf: (segment, doc, group) => (isThere(segment, doc) ? tally.score(bases[segment]! + doc, group) : 0),
    matchedOf: (segment, doc) => (isThere(segment, doc) ? tally.matched(bases[segment]! + doc) : 0),
    best(resultsMax, alive) {
      const found: Found[] = []
      tally.ranked((document) => {
        if (found.length >= resultsMax) return false
        let segment = 0
        while (bases[segment + 1]! <= document) segment++
        const doc = document - bases[segment]!
        if (alive && !alive(segment, doc)) return true
        found.push({ segment, doc, score: tally.total(document), matched: tally.matched(document) })
        return found.length < resultsMax
      })
      return found
    },
  }
}
