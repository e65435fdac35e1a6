// Search on the hub: by words and by vector, each alone, then both rankings as one.
import type { MemoryId } from '../../model/id.ts'
import { type ApplySettings, applyTeamState } from '../../team/applyTeamState.ts'
import { checkState } from '../../team/checkState.ts'
import type { HubFinding, HubQuery } from '../../team/hub.ts'
import type { Database, Queryable } from '../database.ts'
import {
  COUNT_MEMORIES,
  FIND_STATES,
  SEARCH_ALL_VECTORS,
  SEARCH_TERMS,
  SEARCH_VECTOR_INDEX,
  SET_INDEX_SEARCH,
} from './hubSql.ts'
import { toVectorText } from './hubVectors.ts'
import type { StateRow } from './mergedMemories.ts'

/** Up to this many memories of a project all vectors are compared: exact, and no slower than the index. */
const COMPARE_ALL_MAX = 5000
/** Neighbours that the index looks at. `npm run -s bench -- hub` measures recall and time for this number. */
export const EF_SEARCH = 400
/** Results of each of the two searches, per result that is wanted: one that both find rises. */
const DEPTH = 3
/** Of reciprocal rank fusion: how much less the second place counts than the first. */
const RANK_OFFSET = 60

/** The caller is no machine of the team: every memory is another's. */
const NO_MACHINE: ApplySettings = {
  replica: '',
  cleanText: (text) => text,
  policy: { kinds: [], agentOnly: false, personal: false },
}

interface Hit {
  readonly memory: string
  readonly score: number
}

/** The best `limit` memories. By vector only if the query has one, and the model of the hub's vectors is given. */
export async function searchHub(
  database: Database,
  project: string,
  query: HubQuery & { readonly model: string | undefined },
): Promise<readonly HubFinding[]> {
  const { terms, vector, limit, model } = query
  return database.transaction(async (connection) => {
    const count = await connection.query<{ memoryCount: string }>(COUNT_MEMORIES, [project])
    const memories = Number(count.rows[0]?.memoryCount ?? 0)
    if (memories === 0) return []
    const depth = limit * DEPTH
    const byTerms =
      terms.length === 0
        ? []
        : (await connection.query<Hit>(SEARCH_TERMS, [project, [...new Set(terms)], memories, depth])).rows
    const byVector =
      vector === undefined || model === undefined
        ? []
        : await searchVectors(connection, project, { model, vector, limit: depth, memories })
    const ranked = fuseRankings([byTerms, byVector])
    const findings: HubFinding[] = []
    // What cannot be read takes nobody's place: the next ones are read in its stead.
    for (let next = 0; next < ranked.length && findings.length < limit; next += limit) {
      const hits = ranked.slice(next, next + limit)
      const found = await connection.query<StateRow>(FIND_STATES, [project, hits.map(({ memory }) => memory)])
      const states = new Map(found.rows.map((row) => [row.memory, row]))
      findings.push(...hits.flatMap(({ memory, score }) => toFinding(states.get(memory), score) ?? []))
    }
    return findings.slice(0, limit)
  })
}

/** The memory as a machine that has none of it would see it; undefined for a state that is none. */
function toFinding(row: StateRow | undefined, score: number): HubFinding | undefined {
  const state = checkState(row?.state, NO_MACHINE.cleanText)
  if (row === undefined || state === undefined) return undefined
  const memory = applyTeamState({
    id: row.memory as MemoryId,
    local: undefined,
    before: undefined,
    after: state,
    isDeleted: false,
    settings: NO_MACHINE,
  })
  return memory && { memory, score }
}

interface VectorQuery {
  readonly model: string
  readonly vector: readonly number[]
  readonly limit: number
  /** Number of memories in the project. */
  readonly memories: number
  readonly efSearch?: number | undefined
}

/** The nearest memories by cosine, best first. Inside a transaction: it changes settings until its end. */
export async function searchVectors(
  connection: Queryable,
  project: string,
  { model, vector, limit, memories, efSearch = EF_SEARCH }: VectorQuery,
): Promise<readonly Hit[]> {
  const parameters = [project, model, toVectorText(vector), limit]
  if (memories <= COMPARE_ALL_MAX) return (await connection.query<Hit>(SEARCH_ALL_VECTORS, parameters)).rows
  await connection.query(SET_INDEX_SEARCH, [String(Math.max(efSearch, limit))])
  const { rows } = await connection.query<Hit>(SEARCH_VECTOR_INDEX, parameters)
  // An index that goes on beyond its first neighbours gives the later ones in its own order.
  return rows.toSorted((a, b) => b.score - a.score)
}

/** Reciprocal rank fusion: scores of two kinds cannot be added, places can. */
function fuseRankings(rankings: readonly (readonly Hit[])[]): readonly Hit[] {
  const scores = new Map<string, number>()
  for (const ranking of rankings) {
    for (const [place, { memory }] of ranking.entries()) {
      scores.set(memory, (scores.get(memory) ?? 0) + 1 / (RANK_OFFSET + place + 1))
    }
  }
  const fused = [...scores].map(([memory, score]) => ({ memory, score }))
  return fused.sort((a, b) => b.score - a.score || (a.memory < b.memory ? -1 : 1))
}
