// The result of TaskExecutor.executeTask.
import type { ScoredMemory } from './memoryRanker.ts'

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
          Object.entries(scoreBreakdown).map(([name, value]) => [
            name.replace(/[A-Z]/g, (a) => `_${a.toLowerCase()}`),
            value,
          ]),
        ),
      })),
      used_memory_ids: this.usedMemoryIds,
      recorded_memory_id: this.recordedMemoryId,
      executed_at: this.executedAt.toISOString(),
      errors: this.errors,
    }
  }
}
