// TaskExecutor: seed 000's main door. Search, do the task, see what was used, make that stronger, keep what was learnt.
import { summarizeText } from '../../broker/commands/consolidateMemories.ts'
import { AgentMemory } from './agentMemory.ts'
import type { MemoryRanker, ScoredMemory } from './memoryRanker.ts'
import type { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config } from './phase1Config.ts'
import type { SleepPhaseProcessor, SleepPhaseResult } from './sleepPhaseProcessor.ts'
import type { StrengthManager } from './strengthManager.ts'
import { TaskExecutionResult } from './taskExecutionResult.ts'
import { findUsedMemories, formatTaskResult } from './usedMemories.ts'
import type { TaskSearch, VectorSearch } from './vectorSearch.ts'

/** The perspective of what was learnt from none in particular. */
const GENERAL = 'general'

export interface Learning {
  readonly agentId: string
  /** What the memory says. */
  readonly content: string
  /** What was learnt, as seen from the perspective. */
  readonly learning: string
  readonly perspective?: string | undefined
}

export interface TaskRequest<T> extends TaskSearch {
  readonly taskFunc: (memories: readonly ScoredMemory[]) => T | Promise<T>
  /** Keep the gist of the result as a learning where none is given. */
  readonly extractLearning?: boolean | undefined
  readonly learningContent?: string | undefined
  readonly learningText?: string | undefined
}

export class TaskExecutor {
  readonly #search: VectorSearch
  readonly #ranker: MemoryRanker
  readonly #strength: StrengthManager
  readonly #sleep: SleepPhaseProcessor
  readonly #repository: MemoryRepository
  readonly #config: Phase1Config

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

  /** The best memories for a question, best first; each counts as a candidate once more. Throws VectorSearchError. */
  async searchMemories(asked: TaskSearch): Promise<ScoredMemory[]> {
    const ranked = this.#ranker.rank(await this.#search.searchCandidates(asked), asked.perspective)
    this.#strength.markAsCandidate(ranked.map(({ memory }) => memory.id))
    return ranked
  }

  /** Keeps something learnt, and gives the new memory's id. */
  recordLearning({ agentId, content, learning, perspective = GENERAL }: Learning): string {
    const { initialStrength: strength, defaultScopeLevel: scopeLevel } = this.#config
    const learnings = { [perspective]: learning }
    const memory = AgentMemory.create({ agentId, content, learnings, strength, scopeLevel, source: 'task' })
    return this.#repository.create(memory).id
  }

  /** All of it for one task. Whatever fails is told in `errors`: searching, the task itself (its result is null then), or keeping. */
  async executeTask<T>(task: TaskRequest<T>): Promise<TaskExecutionResult<T>> {
    const errors: string[] = []
    const step = async <R>(name: string, fallback: R, run: () => R | Promise<R>): Promise<R> => {
      try {
        return await run()
      } catch (error) {
        errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return fallback
      }
    }
    const searchedMemories = await step('search', [], () => this.searchMemories(task))
    const taskResult = await step<T | null>('task', null, () => task.taskFunc(searchedMemories))
    const usedMemoryIds = this.identifyUsedMemories(taskResult, searchedMemories)
    await step('reinforce', 0, () => this.reinforceUsedMemories(usedMemoryIds, task.agentId, task.perspective))
    const recordedMemoryId = await step('record', null, () => this.#recordOf(task, taskResult))
    const executedAt = this.#sleep.now()
    const result = { taskResult, searchedMemories, usedMemoryIds, recordedMemoryId, executedAt, errors }
    return new TaskExecutionResult<T>(result)
  }

  /** One sleep of an agent's memories: decay, archive, consolidation. Once a task. */
  runSleepPhase(agentId: string): SleepPhaseResult {
    return this.#sleep.processAll(agentId)
  }

  /** Makes these stronger, from a perspective too where one is given; how many there were. The agent is told for the log's reader. */
  reinforceUsedMemories(memoryIds: readonly string[], _agentId: string, perspective?: string): number {
    return memoryIds.filter((id) => this.#strength.markAsUsed(id, perspective) !== null).length
  }

  /** The candidates that a result shows to have been used, by the words it has of them. */
  identifyUsedMemories(taskResult: unknown, candidates: readonly ScoredMemory[]): string[] {
    if (taskResult === null || taskResult === undefined) return []
    return findUsedMemories(formatTaskResult(taskResult), candidates).map(({ memory }) => memory.id)
  }

  #recordOf<T>(task: TaskRequest<T>, result: T | null): string | null {
    const { agentId, perspective, learningContent, learningText } = task
    const extracted = task.extractLearning && result !== null ? summarizeText(formatTaskResult(result)) : ''
    const content = learningContent ?? extracted
    if (content.trim() === '') return null
    return this.recordLearning({ agentId, content, learning: learningText ?? content, perspective })
  }
}
