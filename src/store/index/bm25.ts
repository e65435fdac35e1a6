// Scores documents against a query by BM25, over all segments as if they were one.
//
// Rarest terms first, under two limits a hook can afford. What falls to them are the commonest terms, which tell
// documents apart the least.
import { type Bm25, lengthPenalty, termGain } from '../../model/bm25.ts'
import { hash64 } from '../../text/hash.ts'
import { Accumulators } from './accumulators.ts'
import type { IndexSegment, TermHit } from './indexSegment.ts'
import { decodeLength } from './lengthNorm.ts'
import { type IsLiveDoc, type ScoredDoc, selectTopDocs } from './topDocs.ts'
import type { DocLengths, QueryTermPostings } from './windowScorer.ts'

/** A query's terms can be in groups 0 to 7; each group gives a document a score of its own. */
const GROUPS_MAX = 8

/**
 * A good `touchedMax`. Among 100,000 documents, with every posting read, it found 99.8 % of the ten best and 95 % of the
 * three hundred best; twice as many cost half a millisecond more.
 */
const TOUCHED_MAX = 8_000

export interface QueryTerm {
  readonly term: string
  /** Multiplies the term's score; a term of weight 0 or less is left out. */
  readonly weight: number
  /** From 0 to 7. */
  readonly group: number
}

interface Bm25Options extends Bm25 {
  /**
   * Postings read at most, over all terms and segments. A term with more of them than what is left is skipped. With
   * 40,000 a cold search among 100,000 documents stays within 5 ms; each 40,000 more cost it some 0.6 ms.
   */
  readonly postingsMax: number
  /**
   * Documents that can score, TOUCHED_MAX by default. Once a term has more postings than there is room, it only adds to
   * documents that rarer ones found: the "continue" strategy of Moffat and Zobel, Self-Indexing Inverted Files (1996).
   */
  readonly scoredDocsMax?: number
}

/** What a query gave to each document. */
export interface QueryScores {
  /** Terms some document has but the budget had no room for, the rarer first. */
  readonly skipped: readonly string[]
  /** Every score there is. */
  readonly values: Float32Array
  /**
   * Where in `values` a document's score in group 0 stands, those in groups 1 to 7 after it. At zeros (`nowhere`) where
   * nothing matched, and for a neighbour past the segment's end.
   */
  offsetOf(segment: number, doc: number): number
  readonly emptyOffset: number
  /** `values[at(segment, doc) + group]`. Who asks for thousands, cold, had better ask `at` once a document. */
  groupScore(segment: number, doc: number, group: number): number
  /**
   * What a document would score in a group that had every one of its terms often; those no document has, and those the budget
   * had no room for, included. A score as a share of it is coverage.
   */
  maxGroupScore(group: number): number
  readonly options: Bm25
  /** What was read, the rarest first: for who asks what documents say together. */
  readonly readTerms: readonly QueryTermPostings[]
  /** The lengths of a segment's documents beside the average over all. */
  docLengths(segment: number): DocLengths
  /** The best by total, best first; of equals the newest first (higher segment, then higher document). */
  topDocs(resultsMax: number, alive?: IsLiveDoc): readonly ScoredDoc[]
}

/**
 * Scores every document that has any of the terms:
 *
 *   Σ weight · gain · count / (count + penalty)      both of model/bm25.ts
 *
 * The numbers of documents and their average length go over all segments, what was deleted since included, until a merge leaves it out.
 *
 * A term may stand in several groups: it then is read, matched and charged to the budget once for each. Throws a
 * RangeError for a group there is none of, a bug of the caller's.
 */
export function scoreDocuments(
  segments: readonly IndexSegment[],
  query: readonly QueryTerm[],
  options: Bm25Options,
): QueryScores {
  for (const { term, group } of query) {
    if (!(group >= 0 && group < GROUPS_MAX)) throw new RangeError(`Group ${group} of term ${term} is not from 0 to 7`)
  }
  const found = foundTerms(segments, query)
  const { read, skipped } = withinBudget(found, options.postingsMax)
  let documents = 0
  let lengthTotal = 0
  for (const segment of segments) {
    documents += segment.documents
    lengthTotal += segment.lengthTotal
  }
  const shape = {
    documents: segments.map((segment) => segment.documents),
    groups: GROUPS_MAX,
    docsMax: options.scoredDocsMax ?? TOUCHED_MAX,
    postingsMax: read.at(-1)?.df ?? 0,
  }
  const tally = new Accumulators(shape, penaltiesOf(options, lengthTotal / documents))
  const kept: QueryTermPostings[] = []
  const lengths: DocLengths[] = []
  for (const { term, hits, df } of read) {
    const postings: (Uint32Array | undefined)[] = []
    const gain = gainOf(term, df, documents, options)
    const admit = tally.hasRoom(df)
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i]!
      const hit = hits[i]
      const own = hit && segment.postings(hit)
      postings.push(own)
      if (own) tally.add(i, own, segment.norms(), gain, term.group, admit)
    }
    kept.push({ group: term.group, gain, postings })
  }
  return {
    skipped,
    values: tally.values,
    offsetOf: (segment, doc) => tally.offsetOf(segment, doc),
    emptyOffset: tally.offsetOf(0, -1),
    groupScore: (segment, doc, group) => tally.values[tally.offsetOf(segment, doc) + group]!,
    maxGroupScore(group) {
      let sum = 0
      for (const { term, df } of found) if (term.group === group) sum += gainOf(term, df, documents, options)
      return sum
    },
    options,
    readTerms: kept,
    docLengths(segment) {
      lengths[segment] ??= lengthsOf(segments[segment]!, lengthTotal / documents)
      return lengths[segment]
    },
    topDocs: (resultsMax, alive) => selectTopDocs(tally, resultsMax, alive),
  }
}

function lengthsOf(segment: IndexSegment, average: number): DocLengths {
  const norms = segment.norms()
  return { lengthOf: (doc) => decodeLength(norms[doc]!), average }
}

/** What a query's term adds to a document that has it very often. */
const gainOf = ({ weight }: QueryTerm, df: number, documents: number, options: Bm25): number =>
  weight * termGain(df, documents, options)

interface FoundTerm {
  readonly term: QueryTerm
  /** One place a segment. */
  readonly hits: readonly (TermHit | undefined)[]
  /** Over all segments; 0 where no document has it. */
  readonly df: number
}

function foundTerms(segments: readonly IndexSegment[], query: readonly QueryTerm[]): FoundTerm[] {
  const terms = query.map(({ term }) => term)
  const hashes = terms.map(hash64)
  const bySegments = segments.map((segment) => segment.findTerms(terms, hashes))
  const found: FoundTerm[] = []
  for (let i = 0; i < query.length; i++) {
    const hits = bySegments.map((bySegment) => bySegment[i])
    let df = 0
    for (const hit of hits) df += hit ? hit.df : 0
    found.push({ term: query[i]!, hits, df })
  }
  return found
}

/** Terms to read, rarest first, and those left out. */
function withinBudget(found: readonly FoundTerm[], postingsMax: number): { read: FoundTerm[]; skipped: string[] } {
  const known = found.filter(({ term, df }) => df > 0 && term.weight > 0)
  // Equally rare ones stay in the query's order, so that a sum of floats is added up alike however the segments are cut.
  known.sort((a, b) => a.df - b.df)
  const read: FoundTerm[] = []
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
function penaltiesOf(options: Bm25, lengthAverage: number): Float64Array {
  const penalties = new Float64Array(256)
  for (let norm = 0; norm < 256; norm++) penalties[norm] = lengthPenalty(decodeLength(norm), lengthAverage, options)
  return penalties
}
