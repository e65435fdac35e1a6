// Search on PostgreSQL: pgvector finds the nearest memories, with its index where that is faster.
//
//   a text ──▶ its vector (the client, else the embedder in memctl's config) ──▶ nearest rows ──▶ similarity
//      └─ with the built-in embedder: by the terms that it shares with the agent's memories
import { openQueryEmbedder } from '../../broker/embedding/configuredEmbedder.ts'
import { createDoc } from '../../broker/search/liveIndex.ts'
import { computeLexicalCosines } from '../../broker/search/semanticScorer.ts'
import type { Queryable, QueryResult } from '../../database/connectionPool.ts'
import type { Database } from '../../database/database.ts'
import type { MemoryId } from '../../model/id.ts'
import { assertNotCancelled, type CallOptions, runWithPauses } from '../../model/longCall.ts'
import { newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { toUnitVector } from '../../model/ports.ts'
import { dotProduct } from '../../store/vectors/vectorMatrix.ts'
import { pauseIfLong } from '../processDefaults.ts'
import type { AgentMemory, AgentRow } from './agentMemory.ts'
import { type AgentSearch, EMBED_BATCH, type SearchCandidate } from './agentStore.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import { memoryFromRow, SHARED_PROJECT, selectList, toVectorText } from './postgresStatements.ts'
import type { ProjectMemories } from './projectMemories.ts'

type AnySearch = Omit<AgentSearch, 'limit'>

/** Candidates of the index for each wanted memory, and the limits of the setting. */
const INDEX_CANDIDATES = { each: 4, min: 100, max: 1_000 }

export class AgentVectors {
  readonly #database: Database
  /** For the embedder in memctl's config. */
  readonly #project: ProjectMemories
  /** Length of the vectors of the column. */
  readonly #dimension: number
  readonly #projectId: string

  constructor(database: Database, project: ProjectMemories, { dimension, projectId }: VectorTable) {
    this.#database = database
    this.#project = project
    this.#dimension = dimension
    this.#projectId = projectId
  }

  /** The most similar memories, most similar first. */
  async search(search: AgentSearch): Promise<SearchCandidate[]> {
    const vector = await this.#queryVector(search)
    const similarities = vector ? await this.#nearest(vector, search) : await this.#compareTerms(search)
    return similarities
      .filter(([, similarity]) => similarity >= search.threshold)
      .sort(([a, x], [b, y]) => y - x || b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, search.limit)
  }

  /** How many memories reach the threshold. */
  async count(search: AnySearch): Promise<number> {
    const vector = await this.#queryVector(search)
    if (!vector) {
      const similarities = await this.#compareTerms({ ...search, limit: 0 })
      return similarities.filter(([, similarity]) => similarity >= search.threshold).length
    }
    if (vector.length !== this.#dimension) return 0
    const { where, parameters } = this.#accessible(search)
    const [distance, threshold] = [`$${parameters.length + 1}::vector`, `$${parameters.length + 2}::float8`]
    const { rows } = await this.#database.query<{ count: number }>(
      `select count(*)::integer as count from agent_memory where ${where} and embedding is not null ` +
        `and (${threshold} <= 0 or (embedding <=> ${distance}) <= 1 - ${threshold})`,
      [...parameters, toVectorText(vector), search.threshold],
    )
    return rows[0]?.count ?? 0
  }

  /** The vector of the query; undefined if texts are compared by their terms. */
  async #queryVector(search: AnySearch): Promise<readonly number[] | undefined> {
    const client = search.client ?? (await this.#configuredClient())
    if (client) await this.#embedMissing(client, search)
    if (typeof search.query !== 'string') return search.query
    return client && this.#checkLength(await client.getEmbedding(search.query, search))
  }

  async #configuredClient(): Promise<Pick<EmbeddingClient, 'getEmbedding' | 'getEmbeddings'> | undefined> {
    const embedder = await openQueryEmbedder(this.#project.store, this.#project.env)
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
    const { where, parameters } = this.#accessible(search)
    const after = `$${parameters.length + 1}::uuid`
    let last: string | null = null
    for (;;) {
      const { rows }: QueryResult<AgentRow> = await this.#database.query(
        `select ${selectList(true)} from agent_memory where ${where} and embedding is null ` +
          `and (${after} is null or id > ${after}) order by id limit ${EMBED_BATCH}`,
        [...parameters, last],
      )
      const memories = rows.map(memoryFromRow)
      if (memories.length === 0) return
      assertNotCancelled(search.signal)
      const vectors = await client.getEmbeddings(memories.map(embeddedText), search)
      const texts = memories.map((_, i) => toVectorText(this.#checkLength(vectors[i] ?? [])))
      // A text that changed in the meantime has no vector yet: the next search makes it.
      const embedded = memories.map(({ content, learnings, tags }) => JSON.stringify({ content, learnings, tags }))
      await this.#database.query(
        'update agent_memory set embedding = (($3::text[])[array_position($2::uuid[], id)])::vector ' +
          'where project_id = any($1::text[]) and id = any($2::uuid[]) and embedding is null ' +
          `and jsonb_build_object('content', content, 'learnings', learnings, 'tags', tags) = ` +
          '(($4::text[])[array_position($2::uuid[], id)])::jsonb',
        [[this.#projectId, SHARED_PROJECT], memories.map(({ id }) => id), texts, embedded],
      )
      if (memories.length < EMBED_BATCH) return
      last = memories.at(-1)?.id ?? last
    }
  }

  async #nearest(vector: readonly number[], search: AgentSearch): Promise<SearchCandidate[]> {
    if (vector.length !== this.#dimension || search.limit === 0) return []
    const { where, parameters } = this.#accessible(search)
    const distance = `embedding <=> $${parameters.length + 1}::vector`
    const sql =
      `select ${selectList()} from agent_memory where ${where} and embedding is not null ` +
      `order by ${distance} limit ${search.limit}`
    const given = [...parameters, toVectorText(vector)]
    const rows = await this.#database.transaction(async (connection) => {
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

  /** The similarities of all accessible memories to a text by their terms. The vectors of most are not read. */
  async #compareTerms(search: AgentSearch): Promise<SearchCandidate[]> {
    const { where, parameters } = this.#accessible(search)
    const sql = `select ${selectList(true)} from agent_memory where ${where}`
    const memories = (await this.#database.query(sql, parameters)).rows.map(memoryFromRow)
    const docs = memories.map((memory) => {
      const { content, tags, learnings } = memory
      const lessons = Object.values(learnings)
      const id = memory.id as MemoryId
      return createDoc(newMemory({ id, kind: 'entry', content, tags, lessons, created: '' }))
    })
    const similarities = await runWithPauses(computeLexicalCosines(String(search.query), docs), pauseIfLong)
    return memories.map((memory, i) => [memory, similarities[i] ?? 0] as const)
  }

  /** Active memories that the agent may use: its own, those of its domains, and universal ones. */
  #accessible({ agentId, config }: AnySearch) {
    const where =
      `project_id = any($1::text[]) and status = 'active' and (scope_level = 'universal' or ` +
      `(scope_level = 'domain' and (agent_id = $2 or scope_domain = any($3::text[]))) or ` +
      `(scope_level = 'project' and agent_id = $2 and (scope_project is null or scope_project = $4)))`
    const projects = [this.#projectId, SHARED_PROJECT]
    return { where, parameters: [projects, agentId, config.relatedDomains, config.currentProjectId] as unknown[] }
  }

  #checkLength(vector: readonly number[]): readonly number[] {
    if (vector.length === this.#dimension) return vector
    throw new MemoryError(
      'CONFIG_INVALID',
      `the embedder gives vectors of ${vector.length} numbers, the database has ${this.#dimension}`,
      { hint: 'Use the embedder of the other programs, or a database that was migrated with its dimension.' },
    )
  }
}

interface VectorTable {
  readonly dimension: number
  readonly projectId: string
}

/** pgvector 0.8 and later. */
async function canScanFurther(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ can: boolean }>(
    `select string_to_array(extversion, '.')::integer[] >= array[0, 8] as can from pg_extension ` +
      `where extname = 'vector'`,
  )
  return rows[0]?.can ?? false
}

/** The text that is embedded, as in the embedded store. */
const embeddedText = ({ content, learnings, tags }: AgentMemory): string =>
  [content, ...Object.values(learnings), ...tags].join('\n')

/** 0 to 1; 0 for a vector without length. */
const cosine = (query: Float32Array, vector: readonly number[]): number =>
  Math.min(1, Math.max(0, dotProduct(query, 0, toUnitVector(vector))))
