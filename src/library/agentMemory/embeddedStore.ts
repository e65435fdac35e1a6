// The AgentStore of a project's own store: every change is an event in its log, and on disk when the call returns.
//
// Its cursor runs the two queries of the agent-memory specification, not SQL in general:
//
//   SELECT * FROM agent_memory
//   SELECT * FROM agent_memory WHERE column = %s      (or $1)
//
// The similarity of memories to a query is that of vectors; those of different models are never compared.
import { inBatches } from '../../broker/commit/commitEvents.ts'
import { openQueryEmbedder } from '../../broker/embedding/configuredEmbedder.ts'
import { embeddedText, textKey } from '../../broker/embedding/maintainVectors.ts'
import { DocCache } from '../../broker/search/liveIndex.ts'
import { createSemanticScorer, type SemanticScorer } from '../../broker/search/semanticScorer.ts'
import { isVector } from '../../model/checkMemory.ts'
import { type CallOptions, runWithPauses } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { toUnitVector } from '../../model/ports.ts'
import { compareValues } from '../../model/sorting.ts'
import { computeConsolidationLevel, LEVEL_MAX } from '../../model/strength.ts'
import { dotProduct } from '../../store/vectors/vectorMatrix.ts'
import { mapWithPauses, pauseIfLong } from '../processDefaults.ts'
import {
  AGENT_FIELDS,
  type AgentMemory,
  type AgentRow,
  agentIdOf,
  columnOf,
  decodeVector,
  encodeVector,
  toAgentMemory,
  toStoredMemory,
} from './agentMemory.ts'
import {
  type AgentChange,
  type AgentQuery,
  type AgentSearch,
  type AgentStore,
  type Cursor,
  createCursor,
  EMBED_BATCH,
  type SearchCandidate,
  type SleepRecord,
  type StoreConnection,
} from './agentStore.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { ProjectMemories } from './projectMemories.ts'

/** Changes in one event: a line of about 16 KiB, the limit of hooks. */
const CHANGES_PER_EVENT = 200

export class EmbeddedStore implements AgentStore {
  readonly #project: ProjectMemories
  readonly #vectors = new Map<EmbeddingClient | undefined, MemoryVectors>()

  constructor(project: ProjectMemories) {
    this.#project = project
  }

  async insert(memory: AgentMemory, model: string): Promise<AgentMemory | undefined> {
    await this.#project.open()
    return this.#project.has(memory.id) ? undefined : this.#save(toStoredMemory(memory, model))
  }

  async get(ids: readonly string[]): Promise<AgentMemory[]> {
    await this.#project.open()
    return mapWithPauses(this.#project.find(...ids), toAgentMemory)
  }

  async list({ agentId, status, order, limit, strengthMax }: AgentQuery): Promise<AgentMemory[]> {
    const memories = (await this.#listByAgent(agentId, status)).filter(
      (memory) => strengthMax === undefined || memory.strength <= strengthMax,
    )
    if (order === 'newest') memories.reverse().sort((a, b) => compareValues(b.created, a.created))
    else memories.sort((a, b) => a.strength - b.strength || compareValues(a.created, b.created))
    return mapWithPauses(memories.slice(0, limit), toAgentMemory)
  }

  async count(agentId: string, status: Memory['status']): Promise<number> {
    return (await this.#listByAgent(agentId, status)).length
  }

  async replace(memory: AgentMemory, model: string): Promise<AgentMemory | undefined> {
    await this.#project.open()
    const [before] = this.#project.find(memory.id)
    return before && this.#save(toStoredMemory(memory, model, before))
  }

  /** In as few events as possible. */
  async change(ids: readonly string[], change: AgentChange): Promise<number> {
    let changed = 0
    for (const batch of inBatches([...new Set(ids)], CHANGES_PER_EVENT)) {
      await this.#project.open()
      const changes = this.#project.find(...batch).flatMap((memory) => toStrengthChange(memory, change) ?? [])
      if (changes.length > 0) this.#project.strengthen(changes)
      changed += changes.length
    }
    return changed
  }

  async search(search: AgentSearch): Promise<SearchCandidate[]> {
    const found: (readonly [Memory, number])[] = []
    const sorted = () => found.sort(([a, x], [b, y]) => y - x || compareValues(b.created, a.created))
    await mapWithPauses(await this.#compare(search), (entry) => {
      if (entry[1] >= search.threshold) found.push(entry)
      // To sort all of a large store at once would block the program.
      if (found.length > 10_000 + search.limit) sorted().length = search.limit
    })
    const nearest = sorted().slice(0, search.limit)
    return nearest.map(([memory, similarity]) => [toAgentMemory(memory), similarity])
  }

  async countSimilar(search: Omit<AgentSearch, 'limit'>): Promise<number> {
    const similarities = await this.#compare(search)
    return [...similarities.values()].filter((similarity) => similarity >= search.threshold).length
  }

  async logSleep(record: SleepRecord): Promise<void> {
    await this.#project.open()
    this.#project.commit({ kind: 'agent.slept', ...record })
  }

  async connect<T>(use: (connection: StoreConnection) => Promise<T> | T): Promise<T> {
    const rows = async () => mapWithPauses(await this.#project.listVisible(), toAgentMemory)
    // Nothing to commit: a cursor of this store only reads.
    return use({ cursor: () => createEmbeddedCursor(rows), commit: async () => {}, rollback: async () => {} })
  }

  async #compare({ query, client, config, agentId, signal }: Omit<AgentSearch, 'limit'>): Promise<SimilarityByMemory> {
    const vectors = this.#vectors.get(client) ?? new MemoryVectors(this.#project, client)
    this.#vectors.set(client, vectors)
    const accessible = await mapWithPauses(await this.#project.listVisible(), (memory) =>
      memory.status === 'active' && canAccess(memory, { agentId, config }) ? memory : undefined,
    )
    return vectors.compare({ query, model: config.embeddingModel, signal }, accessible)
  }

  #save(memory: Memory): AgentMemory {
    this.#project.save(memory)
    return toAgentMemory(this.#project.find(memory.id)[0] ?? memory)
  }

  async #listByAgent(agentId: string, status: Memory['status']): Promise<Memory[]> {
    return mapWithPauses(await this.#project.listVisible(), (memory) =>
      agentIdOf(memory) === agentId && memory.status === status ? memory : undefined,
    )
  }
}

/** The change as an event has it, with what follows from the memory; undefined if it does not change the memory. */
function toStrengthChange(memory: Memory, { only, keptByLevel, levelUses, strengthTo, ...others }: AgentChange) {
  if (only !== undefined && memory.status !== only) return undefined
  const { consolidationLevel } = memory
  const change = { ...others, strengthTo: typeof strengthTo === 'object' ? strengthTo.get(memory.id) : strengthTo }
  const kept = keptByLevel && (keptByLevel[consolidationLevel] ?? 1)
  const uses = memory.accessCount + (change.uses ?? 0)
  const level = levelUses && Math.min(LEVEL_MAX, computeConsolidationLevel(uses, levelUses))
  const isLevelAlone = Object.values(change).every((value) => value === undefined)
  if (level === consolidationLevel && isLevelAlone && kept === undefined) return undefined
  return { memory: memory.id, ...change, kept, level }
}

function canAccess(memory: Memory, { agentId, config }: Pick<AgentSearch, 'agentId' | 'config'>): boolean {
  const own = agentIdOf(memory) === agentId
  switch (memory.scope) {
    case 'universal':
      return true
    case 'domain':
      return own || (memory.scopeDomain !== undefined && config.relatedDomains.includes(memory.scopeDomain))
    case 'project':
      return own && (memory.scopeProject === undefined || memory.scopeProject === config.currentProjectId)
  }
}

const QUERY = /^\s*SELECT\s+\*\s+FROM\s+agent_memory(?:\s+WHERE\s+(\w+)\s*=\s*(?:%s|\$1))?\s*;?\s*$/i

/** A cursor over the rows of the table agent_memory. Every `execute` reads them again. */
const createEmbeddedCursor = (listMemories: () => Promise<readonly AgentMemory[]>): Cursor =>
  createCursor(async (sql, [value] = []) => {
    const column = readCondition(sql)
    const rows = await mapWithPauses(await listMemories(), (memory) => {
      // Times are dates, as PostgreSQL returns them.
      const row: AgentRow = Object.fromEntries(AGENT_FIELDS.map((name) => [columnOf(name), memory[name]]))
      return column === undefined || row[column] === value ? row : undefined
    })
    return { rows, rowCount: rows.length }
  })

/** The column that a query compares with its parameter; undefined for all rows. Throws INPUT_INVALID. */
function readCondition(sql: string): string | undefined {
  const match = QUERY.exec(sql)
  const column = match?.[1]?.toLowerCase()
  if (match && (column === undefined || AGENT_FIELDS.some((name) => columnOf(name) === column))) return column
  throw new MemoryError('INPUT_INVALID', `the embedded store cannot run: ${sql.trim().slice(0, 200)}`, {
    hint:
      'It runs `SELECT * FROM agent_memory`, with one condition `WHERE column = %s` if needed. ' +
      'Give a databaseUrl to run SQL on PostgreSQL.',
  })
}

/** A text or its vector, and the model of the vectors that memories contain. */
interface VectorQuery extends CallOptions {
  readonly query: AgentSearch['query']
  readonly model: string
}

/** The similarity of each memory, 0 to 1; memories without a comparable vector are left out. */
type SimilarityByMemory = ReadonlyMap<Memory, number>

class MemoryVectors {
  readonly #project: ProjectMemories
  readonly #client: EmbeddingClient | undefined
  readonly #embedded = new Map<string, Float32Array>()
  /** For each live store, made by the first search without a client. */
  #scorers: readonly { readonly cache: DocCache; readonly scorer: SemanticScorer }[] | undefined

  constructor(project: ProjectMemories, client: EmbeddingClient | undefined) {
    this.#project = project
    this.#client = client
  }

  /** The similarity of the memories to a query, by the client, else by the embedder in memctl's config. */
  async compare({ query, ...rest }: VectorQuery, memories: readonly Memory[]): Promise<SimilarityByMemory> {
    if (typeof query !== 'string') return this.#compareWithVector(query, rest, memories)
    if (!this.#client) return this.#compareWithText(query, rest, memories)
    const vector = await this.#client.getEmbedding(query, { signal: rest.signal })
    return this.#compareWithVector(vector, rest, memories)
  }

  async #compareWithText(
    query: string,
    { signal }: CallOptions,
    memories: readonly Memory[],
  ): Promise<SimilarityByMemory> {
    const embedder = await openQueryEmbedder(this.#project.store, this.#project.env)
    this.#scorers ??= this.#project.liveStores.map((liveStore) => ({
      cache: new DocCache(liveStore),
      scorer: createSemanticScorer(liveStore, embedder, pauseIfLong),
    }))
    const wanted = new Set<Memory>()
    await mapWithPauses(memories, (memory) => void wanted.add(memory))
    const similarities = new Map<Memory, number>()
    for (const { cache, scorer } of this.#scorers) {
      const all = await runWithPauses(cache.allInSteps(), pauseIfLong)
      const docs = await mapWithPauses(all, (doc) => (wanted.has(doc.memory) ? doc : undefined))
      if (docs.length === 0) continue
      const scores = await scorer.score(query, docs, signal)
      await mapWithPauses(docs.entries(), ([i, doc]) => void similarities.set(doc.memory, scores[i] ?? 0))
    }
    return similarities
  }

  /** Their similarity to a vector: by the vectors that they contain, else by the client's vectors of their texts. */
  async #compareWithVector(
    query: readonly number[],
    { model, signal }: Omit<VectorQuery, 'query'>,
    memories: readonly Memory[],
  ): Promise<SimilarityByMemory> {
    const queryVector = toUnitVector(query)
    const similarities = new Map<Memory, number>()
    const compare = (memory: Memory, own: Float32Array | undefined): boolean => {
      if (own?.length !== queryVector.length) return false
      similarities.set(memory, Math.min(1, Math.max(0, dotProduct(queryVector, 0, own))))
      return true
    }
    const missing = await mapWithPauses(memories, (memory) => {
      const own = memory.embedding?.model === model ? toUnitVector(decodeVector(memory.embedding.vector)) : undefined
      return compare(memory, own) ? undefined : memory
    })
    if (!this.#client) return similarities
    for (const batch of inBatches(missing, EMBED_BATCH)) await this.#embed(this.#client, batch, { model, signal })
    await mapWithPauses(missing, (memory) => void compare(memory, this.#embedded.get(textKey(embeddedText(memory)))))
    return similarities
  }

  /** Makes the vectors of these texts, and stores each with its memory, so that no other process makes it again. */
  async #embed(
    client: EmbeddingClient,
    memories: readonly Memory[],
    { model, signal }: Omit<VectorQuery, 'query'>,
  ): Promise<void> {
    const all = memories.map((memory) => [textKey(embeddedText(memory)), embeddedText(memory)] as const)
    const texts = new Map(all.filter(([key]) => !this.#embedded.has(key)))
    if (texts.size === 0) return
    const vectors = await client.getEmbeddings([...texts.values()], { signal })
    const made = new Map([...texts.keys()].map((key, i) => [key, vectors[i] ?? []] as const))
    for (const [key, vector] of made) this.#embedded.set(key, toUnitVector(vector))
    await mapWithPauses(memories, ({ id }) => {
      // A text that changed in the meantime has no vector yet: the next search makes it.
      const [memory] = this.#project.find(id)
      const numbers = (memory && !memory.embedding && made.get(textKey(embeddedText(memory)))) || []
      const vector = encodeVector(numbers)
      if (memory && numbers.length > 0 && isVector(vector))
        this.#project.save({ ...memory, embedding: { model, vector } })
    })
  }
}
