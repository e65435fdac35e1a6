// The library: a program's access to the memory of a project. docs/library.md describes each export.

export { type DecayResult, runDecayPass } from './broker/commands/decayPass.ts'
export { type MaintenanceOptions, type MaintenanceReport, runMaintenance } from './broker/maintenance/maintenance.ts'
export { rebuildStore } from './broker/maintenance/rebuild.ts'
export { openStore, openStoreAt, type Store } from './broker/open/openStore.ts'
export {
  parseRecording,
  type RecordedPayload,
  type ReplayOptions,
  replaySessions,
} from './broker/replay/replaySessions.ts'
export { type RecallRequest, recallMemories } from './broker/search/recallMemories.ts'
export {
  MemoryAgent,
  type MemoryAgentOptions,
  type Skill,
  type TopicContext,
  type TopicPayload,
} from './library/agentFramework/memoryAgent.ts'
export type {
  AgentMemoryItem,
  MemoryContent,
  MemoryRecorderInput,
  MemoryRecorderOutput,
  MemoryRetrieverInput,
  MemoryRetrieverOutput,
  Message,
} from './library/agentFramework/memoryContent.ts'
export {
  MemoryRecorder,
  type MemoryRecorderOptions,
  MemoryRetriever,
  type MemoryRetrieverOptions,
} from './library/agentFramework/memoryProcess.ts'
export { projectRecorder, projectRetriever } from './library/agentFramework/projectRecorder.ts'
export { AgentMemory, type NewAgentMemory } from './library/agentMemory/agentMemory.ts'
export type { AgentFields, AgentRow } from './library/agentMemory/agentRow.ts'
export type {
  AgentChange,
  AgentQuery,
  AgentSearch,
  AgentStore,
  Cursor,
  SearchCandidate,
  SleepRecord,
  StoreConnection,
} from './library/agentMemory/agentStore.ts'
export {
  AzureEmbeddingClient,
  type AzureOptions,
  type EmbeddingClient,
  getEmbeddingClient,
  resetClient,
} from './library/agentMemory/azureEmbeddingClient.ts'
export {
  type ConnectionOptions,
  closeDatabase,
  DatabaseConnection,
  getDatabase,
  type UseOptions,
} from './library/agentMemory/databaseConnection.ts'
export { MemoryRanker, type ScoreBreakdown, type ScoredMemory } from './library/agentMemory/memoryRanker.ts'
export { MemoryRepository } from './library/agentMemory/memoryRepository.ts'
export { config, Phase1Config, type Phase1Values, type ScoreWeights } from './library/agentMemory/phase1Config.ts'
export { SleepPhaseProcessor, type SleepPhaseResult } from './library/agentMemory/sleepPhaseProcessor.ts'
export { StrengthManager } from './library/agentMemory/strengthManager.ts'
export { TaskExecutionResult } from './library/agentMemory/taskExecutionResult.ts'
export {
  createTaskExecutor,
  type ExecutorParts,
  type Learning,
  TaskExecutor,
  type TaskRequest,
} from './library/agentMemory/taskExecutor.ts'
export { AzureEmbeddingError, VectorSearchError } from './library/agentMemory/vectorErrors.ts'
export { type EmbeddingSearch, type TaskSearch, VectorSearch } from './library/agentMemory/vectorSearch.ts'
export {
  type OpenOptions,
  openMemory,
  type ProjectMemory,
  type SearchOptions,
  type ToolDescription,
} from './library/project/projectMemory.ts'
export type { Event, EventKind, EventOf } from './model/event.ts'
export type { EventId, MemoryId, SessionId } from './model/id.ts'
export type {
  ContentType,
  Memory,
  MemoryKind,
  MemoryScope,
  MemorySource,
  MemoryStatus,
  Outcome,
  Retention,
  TrustLevel,
} from './model/memory.ts'
export { type ErrorCode, MemoryError } from './model/memoryError.ts'
export type { Feature, LearnedPolicy, Policy } from './model/policy.ts'
export type { Privacy, Viewer } from './model/privacy.ts'
export type { Features, RecalledMemory, RecallMoment, RecallQuery, RecallResult } from './model/recallQuery.ts'
export type { Tier } from './model/tier.ts'
export type { Role } from './tools/definition/role.ts'
export type { Tool, ToolOutput } from './tools/definition/tool.ts'
export {
  type CallingAgent,
  createToolContext,
  type ToolContext,
  type ToolContextOptions,
} from './tools/definition/toolContext.ts'
export type { ErrorType, ToolFailure } from './tools/definition/toolFailure.ts'
export { invokeTool, type ToolResult } from './tools/invokeTool.ts'
export { findTool, TOOLS } from './tools/toolRegistry.ts'
