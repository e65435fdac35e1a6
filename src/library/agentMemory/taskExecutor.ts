// TaskExecutor, the entry point of the agent-memory spec: search, run the task, detect which memories were used,
// reinforce them, record what was learned.

import { summarizeText } from '../../broker/commands/newMemory.ts'
import { assertNotCancelled, type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { countEach } from '../../model/sorting.ts'
import { extractTerms } from '../../text/terms/extractTerms.ts'
import { checkName, checkPerspective, checkText } from '../checkInput.ts'
import { AgentMemory, columnOf } from './agentMemory.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { MemoryRepository, StrengthManager } from './memoryRepository.ts'
import { Phase1Config } from './phase1Config.ts'
import { SleepPhaseProcessor, type SleepPhaseResult } from './sleepPhaseProcessor.ts'
import { MemoryRanker, type ScoredMemory, type TaskSearch, VectorSearch } from './vectorSearch.ts'

/** The perspective of a learning without one. */
const GENERAL = 'general'

/** What a task has taught. */
export interface Learning {
  /** The agent that learned it, 1 to 200 characters. */
  readonly agentId: string
  /** The content of the new memory. */
  readonly content: string
  /** What was learned, from the perspective. */
  readonly learning: string
  /** The perspective of what was learned; default: general. */
  readonly perspective?: string | undefined
}

/** A task to execute. */
export interface TaskRequest<T> extends TaskSearch {
  /** Does the task with the memories that were found, best first. */
  readonly taskFunc: (memories: readonly ScoredMemory[]) => T | Promise<T>
  /** Record a summary of the result if no `learningContent` is given. */
  readonly extractLearning?: boolean | undefined
  /** The content of a memory to record; default: none. */
  readonly learningContent?: string | undefined
  /** What was learned; default: the content. */
  readonly learningText?: string | undefined
}

/** Runs tasks with the memories of an agent: finds them, strengthens those that were used, records what was learned. */
export class TaskExecutor {
  readonly #search: VectorSearch
  readonly #ranker: MemoryRanker
  readonly #strength: StrengthManager
  readonly #sleep: SleepPhaseProcessor
  readonly #repository: MemoryRepository
  readonly #config: Phase1Config

  /** From its parts; `createTaskExecutor` makes them all. */
  constructor(
    vectorSearch: VectorSearch,
    ranker: MemoryRanker,
    strengthManager: StrengthManager,
    sleepProcessor: SleepPhaseProcessor,
    repository: MemoryRepository,
    config: Phase1Config = new Phase1Config(),
  ) {
    this.#search = vectorSearch
    this.#ranker = ranker
    this.#strength = strengthManager
    this.#sleep = sleepProcessor
    this.#repository = repository
    this.#config = config
  }

  /** The memories for a query, best first; each counts as a candidate once more. Throws VectorSearchError. */
  async searchMemories(search: TaskSearch): Promise<ScoredMemory[]> {
    const ranked = this.#ranker.rank(await this.#search.searchCandidates(search), search.perspective)
    assertNotCancelled(search.signal)
    await this.#strength.markAsCandidate(ranked.map(({ memory }) => memory.id))
    return ranked
  }

  /** Records a learning; returns the id of the new memory. */
  async recordLearning({ agentId, content, learning, perspective = GENERAL }: Learning): Promise<string> {
    const { initialStrength: strength, defaultScopeLevel: scopeLevel } = this.#config
    const learnings = { [checkPerspective(perspective)]: checkText(learning, 'learning') }
    const memory = AgentMemory.create({ agentId, content, learnings, strength, scopeLevel, source: 'task' })
    const createdAt = this.#sleep.now()
    return (await this.#repository.create(memory.copyWith({ createdAt, updatedAt: createdAt }))).id
  }

  /**
   * All steps for a task. A failed step is in `errors`, and the others go on. A failed task has the result null. If the
   * signal is aborted, it rejects with CANCELLED, without waiting for the task's function.
   */
  async executeTask<T>(task: TaskRequest<T>): Promise<TaskExecutionResult<T>> {
    checkName(task.agentId, 'agentId')
    if (task.perspective !== undefined) checkPerspective(task.perspective)
    const errors: string[] = []
    const step = async <R>(name: string, fallback: R, run: () => R | Promise<R>): Promise<R> => {
      try {
        return await unlessCancelled(task.signal, run)
      } catch (error) {
        assertNotCancelled(task.signal)
        errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return fallback
      }
    }
    const searchedMemories = await step('search', [], () => this.searchMemories(task))
    const taskResult = await step<T | null>('task', null, () => task.taskFunc(searchedMemories))
    const usedMemoryIds = this.identifyUsedMemories(taskResult, searchedMemories)
    await step('reinforce', 0, () => this.reinforceUsedMemories(usedMemoryIds, task.agentId, task.perspective))
    const recordedMemoryId = await step('record', null, () => this.#recordResult(task, taskResult))
    return new TaskExecutionResult<T>({
      taskResult,
      searchedMemories,
      usedMemoryIds,
      recordedMemoryId,
      executedAt: this.#sleep.now(),
      errors,
    })
  }

  /** The sleep phase of an agent's memories: decay, archiving, consolidation. Run it once for each task. */
  async runSleepPhase(agentId: string, options?: CallOptions): Promise<SleepPhaseResult> {
    return this.#sleep.processAll(agentId, options)
  }

  /** Reinforces these memories, also from a perspective if one is given; returns how many exist. */
  async reinforceUsedMemories(memoryIds: readonly string[], _agentId: string, perspective?: string): Promise<number> {
    let reinforced = 0
    for (const id of memoryIds) if ((await this.#strength.markAsUsed(id, perspective)) !== null) reinforced += 1
    return reinforced
  }

  /** The candidates that were used, by the words that the result shares with them. */
  identifyUsedMemories(taskResult: unknown, candidates: readonly ScoredMemory[]): string[] {
    if (taskResult === null || taskResult === undefined) return []
    return findUsedMemories(formatTaskResult(taskResult), candidates).map(({ memory }) => memory.id)
  }

  async #recordResult<T>(task: TaskRequest<T>, result: T | null): Promise<string | null> {
    const { agentId, perspective, learningContent, learningText } = task
    const extracted = task.extractLearning && result !== null ? summarizeText(formatTaskResult(result)) : ''
    const content = learningContent ?? extracted
    if (content.trim() === '') return null
    return this.recordLearning({ agentId, content, learning: learningText ?? content, perspective })
  }
}

/** The parts of a task executor that a program may choose. */
export interface ExecutorParts {
  /** The numbers; default: the specification's. */
  readonly config?: Phase1Config | undefined
  /** Default: the embedder in memctl's config. */
  readonly embeddingClient?: EmbeddingClient | undefined
}

/** A task executor with all its parts on one connection; by default with the spec's numbers. */
export function createTaskExecutor(
  db: DatabaseConnection,
  { config = new Phase1Config(), embeddingClient }: ExecutorParts = {},
): TaskExecutor {
  const repository = new MemoryRepository(db, config)
  return new TaskExecutor(
    new VectorSearch(db, embeddingClient, config),
    new MemoryRanker(config, db.now),
    new StrengthManager(repository, config),
    new SleepPhaseProcessor(db, config),
    repository,
    config,
  )
}

/** What `executeTask` did. */
export class TaskExecutionResult<T> {
  /** The return value of the task's function; null if it failed. */
  readonly taskResult!: T | null
  /** The memories that the task was given, best first. */
  readonly searchedMemories!: readonly ScoredMemory[]
  /** Ids of those that the result contains. */
  readonly usedMemoryIds!: readonly string[]
  /** The id of the memory that was recorded; null for none. */
  readonly recordedMemoryId!: string | null
  /** When the task ended. */
  readonly executedAt!: Date
  /** What failed, one text for each step. */
  readonly errors!: readonly string[]

  /** From all fields. */
  constructor(result: Omit<TaskExecutionResult<T>, 'toDict'>) {
    Object.assign(this, result)
  }

  /** As JSON with the spec's names. */
  toDict(): Readonly<Record<string, unknown>> {
    return {
      task_result: this.taskResult,
      searched_memories: this.searchedMemories.map(({ memory, similarity, finalScore, scoreBreakdown }) => ({
        memory: memory.toDict(),
        similarity,
        final_score: finalScore,
        score_breakdown: Object.fromEntries(
          Object.entries(scoreBreakdown).map(([name, value]) => [columnOf(name), value]),
        ),
      })),
      used_memory_ids: this.usedMemoryIds,
      recorded_memory_id: this.recordedMemoryId,
      executed_at: this.executedAt.toISOString(),
      errors: this.errors,
    }
  }
}

/** Minimum share of a memory's own terms in the result, 0 to 1. */
const USED_SHARE_MIN = 0.5

/** With fewer distinct terms than this, all of them must occur: one of two proves nothing. */
const TERMS_MIN = 4

/**
 * The candidates with their id, their whole content, or half of their distinct terms in the result. Terms that more
 * than half of the candidates share do not distinguish them; they do not count if enough others are left.
 */
export function findUsedMemories(result: string, candidates: readonly ScoredMemory[]): ScoredMemory[] {
  const resultTerms = new Set(extractTerms(result))
  const withTerms = candidates.map((candidate) => ({
    candidate,
    terms: [...new Set(extractTerms(candidate.memory.content))],
  }))
  const frequency = countEach(withTerms.flatMap(({ terms }) => terms))
  const isDistinctive = (term: string): boolean =>
    candidates.length < 3 || (frequency.get(term) ?? 0) <= candidates.length / 2
  const used = withTerms.filter(({ candidate: { memory }, terms }) => {
    if (result.includes(memory.id) || result.includes(memory.content.trim())) return true
    const distinctive = terms.filter(isDistinctive)
    const counted = distinctive.length >= TERMS_MIN ? distinctive : terms
    if (counted.length === 0) return false
    const found = counted.filter((term) => resultTerms.has(term)).length
    return counted.length < TERMS_MIN ? found === counted.length : found >= USED_SHARE_MIN * counted.length
  })
  return used.map(({ candidate }) => candidate)
}

/** A task's result as text: itself, or its JSON. */
export function formatTaskResult(result: unknown): string {
  if (typeof result === 'string') return result
  try {
    return JSON.stringify(result) ?? ''
  } catch {
    return String(result) // A circular structure or a BigInt.
  }
}
