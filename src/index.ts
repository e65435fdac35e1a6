// The library door: the memory of a project, asked and kept from a program. docs/library.md tells of each with examples.

export { type Recorded, type ReplayOptions, recordingOf, replay } from './broker/replay.ts'
export { ask, type Question } from './broker/search/ask.ts'
export { runSleepPhase, type Slept } from './broker/sleep.ts'
export { type Store, storeAt, storeOf } from './broker/store.ts'
export { rebuild, type UpkeepOptions, type UpkeepReport, upkeep } from './broker/upkeep.ts'
export {
  MemoryAgent,
  type MemoryAgentOptions,
  type Skill,
  type TopicContext,
  type TopicPayload,
} from './library/agent/memoryAgent.ts'
export { ownRecorder, ownRetriever } from './library/agent/ownMemory.ts'
export { MemoryRecorder, type MemoryRecorderOptions } from './library/agent/recorder.ts'
export { MemoryRetriever, type MemoryRetrieverOptions } from './library/agent/retriever.ts'
export type {
  AgentMemoryItem,
  MemoryContent,
  MemoryRecorderInput,
  MemoryRecorderOutput,
  MemoryRetrieverInput,
  MemoryRetrieverOutput,
  Message,
} from './library/agent/shapes.ts'
export {
  type OpenOptions,
  openMemory,
  type ProjectMemory,
  type SearchChoice,
  type ToolDescription,
} from './library/open.ts'
export type { AgentFields } from './library/strength/agentFields.ts'
export { AgentMemory, type NewAgentMemory } from './library/strength/agentMemory.ts'
export {
  AzureEmbeddingClient,
  type AzureOptions,
  type EmbeddingClient,
  getEmbeddingClient,
  resetClient,
} from './library/strength/azureEmbedding.ts'
export { config, Phase1Config, type Phase1Values, type ScoreWeights } from './library/strength/config.ts'
export {
  type ConnectionOptions,
  closeDatabase,
  DatabaseConnection,
  getDatabase,
} from './library/strength/connection.ts'
export { AzureEmbeddingError, VectorSearchError } from './library/strength/errors.ts'
export { type ExecutorParts, taskExecutorOn } from './library/strength/executorOn.ts'
export { MemoryRanker, type ScoreBreakdown, type ScoredMemory } from './library/strength/ranker.ts'
export { StrengthManager } from './library/strength/reinforcement.ts'
export { MemoryRepository } from './library/strength/repository.ts'
export { SleepPhaseProcessor, type SleepPhaseResult } from './library/strength/sleepPhase.ts'
export { type Learning, type Task, TaskExecutor } from './library/strength/taskExecutor.ts'
export { TaskExecutionResult } from './library/strength/taskResult.ts'
export {
  type Candidate,
  type SearchByEmbedding,
  type SearchFor,
  VectorSearch,
} from './library/strength/vectorSearch.ts'
export type { Cue, Features, Moment, Recall, Scored } from './model/cue.ts'
export { type ErrorCode, MemoryError } from './model/errors.ts'
export type { Event, EventKind, EventOf } from './model/event.ts'
export type { EventId, MemoryId, SessionId } from './model/id.ts'
export type { ContentType, Kind, Memory, Outcome, Retention, Scope, Source, Status, Trust } from './model/memory.ts'
export type { Feature, LearnedPolicy, Policy } from './model/policy.ts'
export type { Privacy, Reader } from './model/privacy.ts'
export type { Tier } from './model/tier.ts'
export { type Called, call } from './tools/call.ts'
export type { ErrorType, Failure } from './tools/failure.ts'
export { TOOLS, toolNamed } from './tools/registry.ts'
export type { Role } from './tools/role.ts'
export type { Answer, Tool } from './tools/tool.ts'
export { type World, type WorldOptions, worldOf } from './tools/world.ts'
