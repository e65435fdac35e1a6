// MemoryAgent: the orchestrator of the agent-framework spec. It stores nothing itself: a recorder writes, a retriever
// reads.
import { getDatabase } from '../agentMemory/databaseConnection.ts'
import type {
  InvokeOptions,
  MemoryRecorderInput,
  MemoryRecorderOutput,
  MemoryRetrieverInput,
  MemoryRetrieverOutput,
  Message,
} from './memoryContent.ts'
import {
  MemoryRecorder,
  type MemoryRecorderOptions,
  MemoryRetriever,
  type MemoryRetrieverOptions,
  type RecorderProcess,
  type RetrieverProcess,
} from './memoryProcess.ts'
import { projectRecorder, projectRetriever } from './projectRecorder.ts'

/** A source of topics: an engine's context, or anything else that passes messages to a listener. */
export interface TopicContext {
  subscribe(topic: string, listener: (payload: TopicPayload) => unknown): unknown
}

/** The argument of a listener: a message, or an object with the message and its origin. */
export type TopicPayload = Message & { readonly message?: Message; readonly role?: string; readonly source?: string }

/** Something that an agent can call by its name, such as a framework's agent. */
export interface Skill {
  readonly name: string
}

export interface MemoryAgentOptions {
  readonly name?: string | undefined
  /** An instance, its options, or its process function. */
  readonly recorder?: MemoryRecorder | RecorderProcess | MemoryRecorderOptions | undefined
  readonly retriever?: MemoryRetriever | RetrieverProcess | MemoryRetrieverOptions | undefined
  /** Whether `observe` records its arguments; default false. */
  readonly autoUpdate?: boolean | undefined
  /** Topics with messages to record, from `attach` on. */
  readonly subscribeTopic?: string | readonly string[] | undefined
  /** Recorder and retriever are added. */
  readonly skills?: readonly Skill[] | undefined
}

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

  /** `defaults` is called if recorder or retriever is left out; by default it opens the current directory's project. */
  constructor(options: MemoryAgentOptions = {}, defaults: () => MemoryAgentDefaults = currentProjectDefaults) {
    const { name = 'Memory', recorder, retriever, autoUpdate = false, subscribeTopic = [], skills = [] } = options
    this.name = name
    this.recorder = recorder === undefined ? defaults().recorder : toRecorder(recorder)
    this.retriever = retriever === undefined ? defaults().retriever : toRetriever(retriever)
    this.autoUpdate = autoUpdate
    this.subscribeTopic = typeof subscribeTopic === 'string' ? [subscribeTopic] : subscribeTopic
    this.skills = [...skills, this.recorder, this.retriever]
  }

  /** Stores these contents. */
  record(input: MemoryRecorderInput, options?: InvokeOptions): Promise<MemoryRecorderOutput> {
    return this.recorder.invoke(input, options)
  }

  /** Finds stored contents. */
  retrieve(input?: MemoryRetrieverInput, options?: InvokeOptions): Promise<MemoryRetrieverOutput> {
    return this.retriever.invoke(input, options)
  }

  /** Call this after an operation: with `autoUpdate` it is recorded. Returns what was recorded, or null. */
  async observe(
    input: Message,
    output: Message,
    source?: string,
    options?: InvokeOptions,
  ): Promise<MemoryRecorderOutput | null> {
    return this.autoUpdate ? this.record({ content: [{ input, output, source }] }, options) : null
  }

  /**
   * Subscribes to the topics and records each message. The returned function unsubscribes from those topics for which
   * the context's `subscribe` returned a function. `onError` gets the errors of recording; nothing is thrown at the
   * context.
   */
  attach(context: TopicContext, onError: (error: unknown) => void = () => {}): () => void {
    const subscriptions = this.subscribeTopic.map((topic) =>
      context.subscribe(topic, (payload) => {
        const message = payload.message ?? payload
        const source = payload.source ?? topic
        const content = payload.role === 'agent' ? { output: message, source } : { input: message, source }
        return this.record({ content: [content] }).catch(onError)
      }),
    )
    return () => {
      for (const unsubscribe of subscriptions) if (typeof unsubscribe === 'function') unsubscribe()
    }
  }
}

const currentProjectDefaults = (): MemoryAgentDefaults => ({
  recorder: projectRecorder(getDatabase()),
  retriever: projectRetriever(getDatabase()),
})

function toRecorder(recorder: MemoryRecorder | RecorderProcess | MemoryRecorderOptions): MemoryRecorder {
  if (recorder instanceof MemoryRecorder) return recorder
  return new MemoryRecorder(typeof recorder === 'function' ? { process: recorder } : recorder)
}

function toRetriever(retriever: MemoryRetriever | RetrieverProcess | MemoryRetrieverOptions): MemoryRetriever {
  if (retriever instanceof MemoryRetriever) return retriever
  return new MemoryRetriever(typeof retriever === 'function' ? { process: retriever } : retriever)
}
