// A TaskExecutor with all its parts, on one connection.
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { MemoryRanker } from './memoryRanker.ts'
import { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config } from './phase1Config.ts'
import { SleepPhaseProcessor } from './sleepPhaseProcessor.ts'
import { StrengthManager } from './strengthManager.ts'
import { TaskExecutor } from './taskExecutor.ts'
import { VectorSearch } from './vectorSearch.ts'

export interface ExecutorParts {
  readonly config?: Phase1Config | undefined
  /** The embedder in memctl's config where left out. */
  readonly embeddingClient?: EmbeddingClient | undefined
}

/** The document's classes put together; the document's defaults where nothing is said. */
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
