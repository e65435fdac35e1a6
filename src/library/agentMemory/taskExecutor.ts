// TaskExecutor, the entry point of the agent-memory spec: search, run the task, detect which memories were used,
// reinforce them, record what was learned.
import { summarizeText } from '../../broker/commands/newMemory.ts'
import { assertNotCancelled, type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { checkName, checkPerspective, checkText } from '../checkInput.ts'
import { AgentMemory } from './agentMemory.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { MemoryRanker, type ScoredMemory } from './memoryRanker.ts'
import { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config } from './phase1Config.ts'
import { SleepPhaseProcessor, type SleepPhaseResult } from './sleepPhaseProcessor.ts'
import { StrengthManager } from './strengthManager.ts'
import { TaskExecutionResult } from './taskExecutionResult.ts'
import { findUsedMemories, formatTaskResult } from './usedMemories.ts'
import { type TaskSearch, VectorSearch } from './vectorSearch.ts'

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
    return (await this.#repository.create(memory)).id
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
    const executedAt = this.#sleep.now()
    return new TaskExecutionResult<T>({
      taskResult,
      searchedMemories,
      usedMemoryIds,
      recordedMemoryId,
      executedAt,
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
