// Search on PostgreSQL: pgvector finds the nearest memories, with its index where that is faster; without an embedder
// the memories with the same words are found, with the similarities of the project's own store.
//
//   a text ──▶ its vector (the client, else the embedder in memctl's config) ──▶ nearest rows ──▶ similarity
//      └─ with the built-in embedder: how many memories have each word ──▶ the best by their rarest words ─┘
//
// The tables of words are those of step 10 (database/migrations/agentMemory.ts). What a search reads of them has a
// limit: of the memories with frequent words it reads those in which these words weigh most.
import { openQueryEmbedder } from '../../broker/embedding/configuredEmbedder.ts'
import { createDoc } from '../../broker/search/liveIndex.ts'
import {
  computeLexicalCosines,
  countTerms,
  type TermCounts,
  weightByRarity,
  weightedTerms,
} from '../../broker/search/semanticScorer.ts'
import type { Queryable, QueryResult } from '../../database/connectionPool.ts'
import type { Database } from '../../database/database.ts'
import { TERM_BUCKETS } from '../../database/migrations/agentMemory.ts'
import type { MemoryId } from '../../model/id.ts'
import { assertNotCancelled, type CallOptions, runWithPauses } from '../../model/longCall.ts'
import { newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { toUnitVector } from '../../model/ports.ts'
import { dotProduct } from '../../store/vectors/vectorMatrix.ts'
import { mapWithPauses, pauseIfLong } from '../processDefaults.ts'
import type { AgentMemory, AgentRow } from './agentMemory.ts'
import { type AgentSearch, EMBED_BATCH, type SearchCandidate } from './agentStore.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import {
  embeddedText,
  memoryFromRow,
  SHARED_PROJECT,
  selectList,
  toTermsText,
  toVectorText,
} from './postgresStatements.ts'
import type { ProjectMemories } from './projectMemories.ts'

type AnySearch = Omit<AgentSearch, 'limit'>
type TextSearch = AgentSearch & { readonly query: string }

/** Candidates of the index for each wanted memory, and the limits of the setting. */
const INDEX_CANDIDATES = { each: 4, min: 100, max: 1_000 }

/** Rows of words that a search reads: 5 ms. More, if more memories are wanted; at most as many as an integer is. */
const ROWS = { min: 8_000, each: 8, max: 1_000_000_000 }

/** If a word has fewer memories in one bucket, all buckets are counted, so that few memories are counted exactly. */
const EXACT_MAX = 500

/** How many similarities are computed: for each wanted memory, and in addition. */
const CANDIDATES = { each: 2, more: 20 }

/** Columns that follow from a text, and are made when a search first needs them; how many values at a time. */
const MADE = { embedding: { type: 'vector', batch: EMBED_BATCH }, terms: { type: 'jsonb', batch: 1_000 } }

const EVERY_BUCKET = `select id + i as bucket from agent_term_groups, generate_series(0, ${TERM_BUCKETS - 1}) i`

/** The table agent_memory of a database, and its searches. */
export abstract class PostgresSearch {
  protected readonly database: Database
  /** For the clock, and the embedder in memctl's config. */
  protected readonly project: ProjectMemories
  protected readonly projectId: string
  /** Length of the vectors of the column. */
  protected readonly dimension: number
  /** The role may write no memory: it finds those that have a value. */
  #isReader = false

  constructor(database: Database, project: ProjectMemories, table: { projectId: string; dimension: number }) {
    this.database = database
    this.project = project
    this.projectId = table.projectId
    this.dimension = table.dimension
  }

  /** The most similar memories, most similar first. */
  async search(search: AgentSearch): Promise<SearchCandidate[]> {
    const vector = await this.#queryVector(search)
    const similarities = await (typeof vector === 'string'
      ? this.#findByWords({ ...search, query: vector })
      : this.#nearest(vector, search))
    return similarities
      .filter(([, similarity]) => similarity >= search.threshold)
      .sort(([a, x], [b, y]) => y - x || b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, search.limit)
  }

  /** How many memories reach the threshold. */
  async countSimilar(search: AnySearch): Promise<number> {
    const vector = await this.#queryVector(search)
    if (typeof vector === 'string') return this.#countByWords({ ...search, query: vector })
    if (vector.length !== this.dimension) return 0
    const { where, parameters } = accessibleTo(search, this.projectId)
    const [distance, threshold] = [`$${parameters.length + 1}::vector`, `$${parameters.length + 2}::float8`]
    const { rows } = await this.database.query<{ count: number }>(
      `select count(*)::integer as count from agent_memory where ${where} and status = 'active' and embedding is not null ` +
        `and (${threshold} <= 0 or (embedding <=> ${distance}) <= 1 - ${threshold})`,
      [...parameters, toVectorText(vector), search.threshold],
    )
    return rows[0]?.count ?? 0
  }

  /** The vector of the query; its text if texts are compared by their terms. */
  async #queryVector(search: AnySearch): Promise<readonly number[] | string> {
    const client = search.client ?? (await this.#configuredClient())
    if (client) await this.#embedMissing(client, search)
    if (typeof search.query !== 'string') return search.query
    return client ? this.#checkLength(await client.getEmbedding(search.query, search)) : search.query
  }

  async #configuredClient(): Promise<Pick<EmbeddingClient, 'getEmbedding' | 'getEmbeddings'> | undefined> {
    const embedder = await openQueryEmbedder(this.project.store, this.project.env)
    if (!embedder) return undefined
    const embed = async (texts: readonly string[], as: 'query' | 'passage', { signal }: CallOptions = {}) =>
      (await embedder.embed(texts, as, signal)).map((vector) => Array.from(vector))
    return {
      getEmbedding: async (text, options) => (await embed([text], 'query', options))[0] ?? [],
      getEmbeddings: (texts, options) => embed(texts, 'passage', options),
    }
  }

  /** Stores the vectors of accessible memories that have none yet. */
  async #embedMissing(client: Pick<EmbeddingClient, 'getEmbeddings'>, search: AnySearch): Promise<void> {
    const compute = async (memories: readonly AgentMemory[]): Promise<string[]> => {
      const vectors = await client.getEmbeddings(memories.map(embeddedText), search)
      return memories.map((_, i) => toVectorText(this.#checkLength(vectors[i] ?? [])))
    }
    await this.#fill('embedding', accessibleTo(search, this.projectId), compute, search.signal)
  }

  /** Active memories that meet the condition and have no value yet, in the order of their ids, some at a time. */
  async *#readMissing(name: keyof typeof MADE, { where, parameters }: RowCondition) {
    const after = `$${parameters.length + 1}::uuid`
    for (let last: string | null = null; ; ) {
      const { rows }: QueryResult<AgentRow> = await this.database.query(
        `select ${selectList(true)} from agent_memory where ${where} and status = 'active' and ${name} is null ` +
          `and (${after} is null or id > ${after}) order by id limit ${MADE[name].batch}`,
        [...parameters, last],
      )
      const memories = rows.map(memoryFromRow)
      if (memories.length > 0) yield memories
      if (memories.length < MADE[name].batch) return
      last = memories.at(-1)?.id ?? last
    }
  }

  /** Stores the values of these memories, unless the role may write none. Throws CANCELLED. */
  async #fill(
    name: keyof typeof MADE,
    condition: RowCondition,
    compute: (memories: readonly AgentMemory[]) => Promise<readonly string[]>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (this.#isReader) return
    for await (const memories of this.#readMissing(name, condition)) {
      assertNotCancelled(signal)
      const values = await compute(memories)
      // A text that changed in the meantime has no value yet: the next search makes it.
      const texts = memories.map(({ content, learnings, tags }) => JSON.stringify({ content, learnings, tags }))
      const written = this.database.query(
        `update agent_memory set ${name} = (($3::text[])[array_position($2::uuid[], id)])::${MADE[name].type} ` +
          `where project_id = any($1::text[]) and id = any($2::uuid[]) and ${name} is null ` +
          `and jsonb_build_object('content', content, 'learnings', learnings, 'tags', tags) = ` +
          '(($4::text[])[array_position($2::uuid[], id)])::jsonb',
        [condition.parameters[0], memories.map(({ id }) => id), values, texts],
      )
      const { rowCount } = await written.catch((error: unknown) => {
        if (!(error instanceof MemoryError && error.code === 'DATABASE_ACCESS')) throw error
        this.#isReader = true
        return { rowCount: 0 }
      })
      if (rowCount === 0) return
    }
  }

  async #nearest(vector: readonly number[], search: AgentSearch): Promise<SearchCandidate[]> {
    if (vector.length !== this.dimension || search.limit === 0) return []
    const { where, parameters } = accessibleTo(search, this.projectId)
    const distance = `embedding <=> $${parameters.length + 1}::vector`
    const sql =
      `select ${selectList()} from agent_memory where ${where} and status = 'active' and embedding is not null ` +
      `order by ${distance} limit ${search.limit}`
    const given = [...parameters, toVectorText(vector)]
    const rows = await this.database.transaction(async (connection) => {
      const { each, min, max } = INDEX_CANDIDATES
      const candidates = Math.min(max, Math.max(min, each * search.limit))
      await connection.query(`set local hnsw.ef_search = ${candidates}`)
      // The index knows no project and no agent: it goes on until enough rows have passed the conditions.
      if (await canScanFurther(connection)) await connection.query('set local hnsw.iterative_scan = strict_order')
      const found = await connection.query(sql, given)
      if (found.rowCount >= search.limit) return found.rows
      // Too few near the query are the agent's: compare all of its memories.
      await connection.query('set local enable_indexscan = off')
      return (await connection.query(sql, given)).rows
    })
    const query = toUnitVector(vector)
    // Computed here from the 32-bit numbers, so that both stores have the same similarities to the last digit.
    return rows
      .map(memoryFromRow)
      .map((memory) => [memory, memory.embedding ? cosine(query, memory.embedding) : 0] as const)
  }

  /** The most similar memories, in any order, and some more. */
  async #findByWords(search: TextSearch): Promise<SearchCandidate[]> {
    const { condition, rest, counts } = await this.#prepareWords(search)
    return compare(search.query, [...(await this.#readBest(search, condition, counts)), ...rest], counts)
  }

  /** How many memories reach the threshold, by words. */
  async #countByWords({ threshold, ...search }: Omit<TextSearch, 'limit'>): Promise<number> {
    const { condition, rest, counts } = await this.#prepareWords(search)
    const { weights, length } = weightByRarity(search.query, counts)
    // At a threshold of 0 all memories count, also those without any of the words.
    const words = [...(threshold > 0 ? [] : [['', 0] as const]), ...weights].map(([term, weight]) => ({ term, weight }))
    const { rows } = await this.database.query<{ count: number }>(
      `select count(*)::integer as count from (
         select from json_to_recordset($5) q(term text, weight float8) join agent_terms t on t.term = q.term
         where t.bucket = any(array(${EVERY_BUCKET} where ${condition.where}))
         group by t.memory having sum(t.weight * q.weight) >= $6) found`,
      [...condition.parameters, JSON.stringify(words), Math.max(0, threshold) ** 2 * length],
    )
    const similar = (await compare(search.query, rest, counts)).filter(([, similarity]) => similarity >= threshold)
    return (rows[0]?.count ?? 0) + similar.length
  }

  /** Which memories the agent may use, their counts, and those without words that this role cannot store. */
  async #prepareWords({ query, signal, ...search }: Omit<TextSearch, 'limit' | 'threshold'>) {
    const condition = accessibleTo(search, this.projectId)
    // For all agents: a role that only reads needs them too.
    const everything = { where: 'project_id = any($1::text[])', parameters: condition.parameters.slice(0, 1) }
    const compute = (memories: readonly AgentMemory[]) => mapWithPauses(memories, toTermsText)
    await this.#fill('terms', everything, compute, signal)
    const rest: AgentMemory[] = []
    for await (const memories of this.#readMissing('terms', condition)) rest.push(...memories)
    const stored = await this.#countTerms(query, condition)
    return { condition, rest, counts: await runWithPauses(countTerms(query, rest.map(toDoc), stored), pauseIfLong) }
  }

  /** How many memories have each word; all memories under the empty word. Of many memories it counts a sample. */
  async #countTerms(query: string, { where, parameters }: RowCondition): Promise<ReadonlyMap<string, number>> {
    const countIn = (buckets: string): string =>
      `(select count(*)::integer from agent_terms t where t.bucket = any(array(${buckets})) and t.term = word)`
    const { rows } = await this.database.query<{ word: string; count: number }>(
      `select word, case when part < ${EXACT_MAX} then ${countIn(`${EVERY_BUCKET} where ${where}`)}
         else part * ${TERM_BUCKETS} end as count
       from (select word, ${countIn(`select id from agent_term_groups where ${where}`)} as part
         from unnest($5::text[]) word offset 0) sample`,
      [...parameters, ['', ...weightedTerms(query).weights.keys()]],
    )
    return new Map(rows.map(({ word, count }) => [word, count]))
  }

  /** The memories with the highest sums of weights, rarest words first; at a threshold of 0 the newest as well. */
  async #readBest({ query, limit, threshold }: TextSearch, { where, parameters }: RowCondition, counts: TermCounts) {
    const wanted = CANDIDATES.each * limit + CANDIDATES.more
    const readable = `${where} and status = 'active'`
    const { rows } = await this.database.query(
      `select ${selectList(true)} from (
         select t.memory, sum(t.weight * q.weight) as score
         from json_to_recordset($5) q(term text, weight float8, most integer)
         cross join (${EVERY_BUCKET} where ${where}) buckets
         cross join lateral (select t.memory, t.weight from agent_terms t
           where t.bucket = buckets.bucket and t.term = q.term order by t.weight desc limit q.most) t
         group by t.memory order by score desc fetch first ($6) rows with ties) best
       join agent_memory on id = best.memory and ${readable} order by score desc, created_at desc limit $6`,
      [...parameters, JSON.stringify(limitRows(query, counts, wanted)), wanted],
    )
    if (threshold > 0) return rows.map(memoryFromRow)
    const newest = await this.database.query(
      `select ${selectList(true)} from agent_memory where ${readable} and not id = any($5::uuid[])
       order by created_at desc limit $6`,
      [...parameters, rows.map((row) => row['id']), limit],
    )
    return [...rows, ...newest.rows].map(memoryFromRow)
  }

  #checkLength(vector: readonly number[]): readonly number[] {
    if (vector.length === this.dimension) return vector
    throw new MemoryError(
      'CONFIG_INVALID',
      `the embedder gives vectors of ${vector.length} numbers, the database has ${this.dimension}`,
      { hint: 'Use the embedder of the other programs, or a database that was migrated with its dimension.' },
    )
  }
}

/** pgvector 0.8 and later. */
async function canScanFurther(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ can: boolean }>(
    `select string_to_array(extversion, '.')::integer[] >= array[0, 8] as can from pg_extension ` +
      `where extname = 'vector'`,
  )
  return rows[0]?.can ?? false
}

/** 0 to 1; 0 for a vector without length. */
const cosine = (query: Float32Array, vector: readonly number[]): number =>
  Math.min(1, Math.max(0, dotProduct(query, 0, toUnitVector(vector))))

/** The words that are read, rarest first, their weights, and how many rows of each in each bucket. */
function limitRows(query: string, counts: TermCounts, wanted: number) {
  const countOf = (term: string): number => counts.get(term) ?? 0
  const rowsMax = Math.min(ROWS.max, Math.max(ROWS.min, ROWS.each * wanted))
  let left = rowsMax
  const words = [...weightByRarity(query, counts).weights].sort(([a], [b]) => countOf(a) - countOf(b))
  return words.flatMap(([term, weight]) => {
    if (countOf(term) === 0 || left <= 0) return []
    const most = countOf(term) <= left ? rowsMax : Math.ceil(left / TERM_BUCKETS)
    left -= countOf(term)
    return { term, weight, most }
  })
}

async function compare(
  query: string,
  memories: readonly AgentMemory[],
  counts: TermCounts,
): Promise<SearchCandidate[]> {
  const similarities = await runWithPauses(computeLexicalCosines(query, memories.map(toDoc), counts), pauseIfLong)
  return memories.map((memory, i) => [memory, similarities[i] ?? 0] as const)
}

function toDoc(memory: AgentMemory) {
  const { content, tags, learnings } = memory
  const id = memory.id as MemoryId
  return createDoc(newMemory({ id, kind: 'entry', content, tags, lessons: Object.values(learnings), created: '' }))
}

/** What the agent of a search may use: its own memories, those of its domains, and universal ones, active or not. */
function accessibleTo({ agentId, config }: Pick<AgentSearch, 'agentId' | 'config'>, project: string) {
  const where =
    `project_id = any($1::text[]) and (scope_level = 'universal' or ` +
    `(scope_level = 'domain' and (agent_id = $2 or scope_domain = any($3::text[]))) or ` +
    `(scope_level = 'project' and agent_id = $2 and (scope_project is null or scope_project = $4)))`
  return { where, parameters: [[project, SHARED_PROJECT], agentId, config.relatedDomains, config.currentProjectId] }
}

/** A condition on rows, with its parameters, of which the first is the list of projects. */
type RowCondition = Pick<ReturnType<typeof accessibleTo>, 'where' | 'parameters'>
