// The library: a program's access to the memory of a project. docs/library.md describes each export.

export type { RecallQuestion } from './broker/search/recallMemories.ts'
export type { MigrationStep } from './database/migrate.ts'
export type { EmbeddingService } from './embed/modelEmbedders.ts'
export {
  type AgentPart,
  type InvokableAgent,
  MemoryAgent,
  type MemoryAgentOptions,
  type Skill,
  type TopicContext,
} from './library/agentFramework/memoryAgent.ts'
export {
  type AgentMemoryItem,
  type InvokeOptions,
  type MemoryContent,
  type MemoryOutput,
  MemoryProcess,
  MemoryRecorder,
  type MemoryRecorderInput,
  MemoryRetriever,
  type MemoryRetrieverInput,
  type Message,
  type ProcessFunction,
  type ProcessOptions,
} from './library/agentFramework/memoryProcess.ts'
export { type AgentFields, AgentMemory, type AgentRow, type NewAgentMemory } from './library/agentMemory/agentMemory.ts'
export type { Cursor, SearchCandidate, StoreConnection } from './library/agentMemory/agentStore.ts'
export {
  AzureEmbeddingClient,
  AzureEmbeddingError,
  type AzureOptions,
  type EmbeddingClient,
  getEmbeddingClient,
  resetClient,
  VectorSearchError,
} from './library/agentMemory/azureEmbeddingClient.ts'
export {
  type ConnectionOptions,
  closeDatabase,
  DatabaseConnection,
  getDatabase,
  type UseOptions,
} from './library/agentMemory/databaseConnection.ts'
export { MemoryRepository, StrengthManager } from './library/agentMemory/memoryRepository.ts'
export { config, Phase1Config, type Phase1Values, type ScoreWeights } from './library/agentMemory/phase1Config.ts'
export { SleepPhaseProcessor, type SleepPhaseResult } from './library/agentMemory/sleepPhaseProcessor.ts'
export {
  createTaskExecutor,
  type ExecutorParts,
  type Learning,
  TaskExecutionResult,
  TaskExecutor,
  type TaskRequest,
} from './library/agentMemory/taskExecutor.ts'
export {
  type EmbeddingSearch,
  MemoryRanker,
  type ScoreBreakdown,
  type ScoredMemory,
  type TaskSearch,
  VectorSearch,
} from './library/agentMemory/vectorSearch.ts'
export type { Env } from './library/processDefaults.ts'
export {
  type CandidateScore,
  type OpenOptions,
  type OrganizeReport,
  openMemory,
  type ProjectMemory,
  type Recollection,
  type SearchOptions,
  type ToolDescription,
} from './library/project/projectMemory.ts'
export type { CallOptions } from './model/longCall.ts'
export type {
  ContentType,
  MemoryKind,
  MemoryRecord,
  MemoryScope,
  MemorySource,
  MemoryStatus,
  Outcome,
  Pin,
  Retention,
  Tier,
  TrustLevel,
} from './model/memory.ts'
export { type ErrorCode, type ErrorDetails, MemoryError } from './model/memoryError.ts'
export type { Privacy } from './model/privacy.ts'
export type { FoundMemory, RecallMoment } from './model/recallQuery.ts'
export type { HookPayload } from './record/hookPayload.ts'
export type { ToolEffect, ToolOutput } from './tools/definition/tool.ts'
export type { CallingAgent, Role } from './tools/definition/toolContext.ts'
