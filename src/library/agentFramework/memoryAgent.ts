// MemoryAgent: seed 004's orchestrator. It keeps nothing itself: a recorder writes, a retriever reads, whoever they are.
import { getDatabase } from '../agentMemory/databaseConnection.ts'
import type {
  InvokeOptions,
  MemoryRecorderInput,
  MemoryRecorderOutput,
  MemoryRetrieverInput,
  MemoryRetrieverOutput,
  Message,
} from './memoryContent.ts'
import { MemoryRecorder, type MemoryRecorderOptions, type RecorderProcess } from './memoryRecorder.ts'
import { MemoryRetriever, type MemoryRetrieverOptions, type RetrieverProcess } from './memoryRetriever.ts'
import { projectRecorder, projectRetriever } from './projectRecorder.ts'

/** Where topics come from: an engine's context, or whatever else hands messages to a listener. */
export interface TopicContext {
  subscribe(topic: string, listener: (payload: TopicPayload) => unknown): unknown
}

/** What a listener is given: a message alone, or within what the engine tells of it. */
export type TopicPayload = Message & { readonly message?: Message; readonly role?: string; readonly source?: string }

/** Whatever an agent can call by its name: a framework's agents are such. */
export interface Skill {
  readonly name: string
}

export interface MemoryAgentOptions {
  readonly name?: string | undefined
  /** An instance, its options, or its process function. */
  readonly recorder?: MemoryRecorder | RecorderProcess | MemoryRecorderOptions | undefined
  readonly retriever?: MemoryRetriever | RetrieverProcess | MemoryRetrieverOptions | undefined
  /** Record what `observe` is told; false where left out. */
  readonly autoUpdate?: boolean | undefined
  /** Whose messages are recorded from `attach` on. */
  readonly subscribeTopic?: string | readonly string[] | undefined
  /** Recorder and retriever are added. */
  readonly skills?: readonly Skill[] | undefined
}

/** What serves where an option is left out. */
interface MemoryAgentDefaults {
  readonly recorder: MemoryRecorder
  readonly retriever: MemoryRetriever
}

export class MemoryAgent {
  readonly name: string
  readonly recorder: MemoryRecorder
  readonly retriever: MemoryRetriever
  readonly autoUpdate: boolean
  readonly subscribeTopic: readonly string[]
  readonly skills: readonly Skill[]

  /** `defaults` opens what serves where recorder or retriever is left out: the memory of the project that the process works in. */
  constructor(options: MemoryAgentOptions = {}, defaults: () => MemoryAgentDefaults = ofThisProject) {
    const { name = 'Memory', recorder, retriever, autoUpdate = false, subscribeTopic = [], skills = [] } = options
    this.name = name
    this.recorder = recorder === undefined ? defaults().recorder : recorderOf(recorder)
    this.retriever = retriever === undefined ? defaults().retriever : retrieverOf(retriever)
    this.autoUpdate = autoUpdate
    this.subscribeTopic = typeof subscribeTopic === 'string' ? [subscribeTopic] : subscribeTopic
    this.skills = [...skills, this.recorder, this.retriever]
  }

  /** Keeps these contents. */
  record(input: MemoryRecorderInput, options?: InvokeOptions): Promise<MemoryRecorderOutput> {
    return this.recorder.invoke(input, options)
  }

  /** Finds what was kept. */
  retrieve(input?: MemoryRetrieverInput, options?: InvokeOptions): Promise<MemoryRetrieverOutput> {
    return this.retriever.invoke(input, options)
  }

  /** An operation is over: with `autoUpdate` it is recorded. What was recorded, or null. */
  async observe(
    input: Message,
    output: Message,
    source?: string,
    options?: InvokeOptions,
  ): Promise<MemoryRecorderOutput | null> {
    return this.autoUpdate ? this.record({ content: [{ input, output, source }] }, options) : null
  }

  /**
   * Subscribes to the topics, and records each message that comes. The function given ends that, where the context's `subscribe` gave a
   * function to unsubscribe. What fails to be recorded goes to `failed`; the context is never thrown at.
   */
  attach(context: TopicContext, failed: (error: unknown) => void = () => {}): () => void {
    const ends = this.subscribeTopic.map((topic) =>
      context.subscribe(topic, (payload) => {
        const message = payload.message ?? payload
        const source = payload.source ?? topic
        const content = payload.role === 'agent' ? { output: message, source } : { input: message, source }
        return this.record({ content: [content] }).catch(failed)
      }),
    )
    return () => {
      for (const end of ends) if (typeof end === 'function') end()
    }
  }
}

const ofThisProject = (): MemoryAgentDefaults => ({
  recorder: projectRecorder(getDatabase()),
  retriever: projectRetriever(getDatabase()),
})

function recorderOf(given: MemoryRecorder | RecorderProcess | MemoryRecorderOptions): MemoryRecorder {
  if (given instanceof MemoryRecorder) return given
  return new MemoryRecorder(typeof given === 'function' ? { process: given } : given)
}

function retrieverOf(given: MemoryRetriever | RetrieverProcess | MemoryRetrieverOptions): MemoryRetriever {
  if (given instanceof MemoryRetriever) return given
  return new MemoryRetriever(typeof given === 'function' ? { process: given } : given)
}
