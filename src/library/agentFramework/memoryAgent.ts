// MemoryAgent: the orchestrator of the agent-framework spec. It stores nothing itself: a recorder writes, a retriever
// reads.
import { openStore } from '../../broker/open/openStore.ts'
import { asyncDispose } from '../../model/longCall.ts'
import { createToolContext, type ToolContext } from '../../tools/definition/toolContext.ts'
import { nowMs, processEnv } from '../processDefaults.ts'
import {
  type InvokeOptions,
  type MemoryOutput,
  MemoryProcess,
  MemoryRecorder,
  type MemoryRecorderInput,
  MemoryRetriever,
  type MemoryRetrieverInput,
  type Message,
  type ProcessFunction,
  type ProcessOptions,
  projectRecorder,
  projectRetriever,
} from './memoryProcess.ts'

/** A source of topics: an engine's context, or anything else that passes messages to a listener. */
export interface TopicContext {
  /**
   * Passes the messages of a topic to the listener: a message itself, or `{ message, role, source }`, where the message
   * of the role `agent` is an output, and `source` is the sender. If it returns a function, that ends the subscription.
   */
  subscribe(topic: string, listener: (payload: object) => unknown): unknown
}

/** Something that an agent can call by its name, such as a framework's agent. */
export interface Skill {
  /** The name by which it is called. */
  readonly name: string
}

/** A framework's own recorder or retriever: an agent that is invoked. */
export interface InvokableAgent<Input> {
  /** The agent's name. */
  readonly name: string
  /** Runs the agent. */
  invoke(input: Input, options?: object): Promise<MemoryOutput>
}

/** A recorder or retriever: an instance, its options, its process function, or a framework's own. */
export type AgentPart<Input> =
  | MemoryProcess<Input>
  | ProcessFunction<Input>
  | ProcessOptions<Input>
  | InvokableAgent<Input>

/** The parts of a MemoryAgent. */
export interface MemoryAgentOptions {
  /** The agent's name; default: Memory. */
  readonly name?: string | undefined
  /** Stores contents; default: that of the project's memory. */
  readonly recorder?: AgentPart<MemoryRecorderInput> | undefined
  /** Finds stored contents; default: that of the project's memory. */
  readonly retriever?: AgentPart<MemoryRetrieverInput> | undefined
  /** Whether `observe` records its arguments; default: false. */
  readonly autoUpdate?: boolean | undefined
  /** Topics with messages to record, from `attach` on; default: none. */
  readonly subscribeTopic?: string | readonly string[] | undefined
  /** Other skills of the agent. Recorder and retriever are added. */
  readonly skills?: readonly Skill[] | undefined
}

/** Stores operations by its recorder, and finds them by its retriever. */
export class MemoryAgent {
  /** The agent's name. */
  readonly name: string
  /** Stores contents. */
  readonly recorder: MemoryProcess<MemoryRecorderInput>
  /** Finds stored contents. */
  readonly retriever: MemoryProcess<MemoryRetrieverInput>
  /** Whether `observe` records its arguments. */
  readonly autoUpdate: boolean
  /** Topics with messages to record. */
  readonly subscribeTopic: readonly string[]
  /** The skills that were given, then the recorder and the retriever. */
  readonly skills: readonly Skill[]
  #project: ToolContext | undefined
  readonly #subscriptions = new Set<() => void>()

  /** A missing recorder or retriever is that of the current directory's project, which is opened at the first call. */
  constructor(options: MemoryAgentOptions = {}) {
    const { name = 'Memory', recorder, retriever, autoUpdate = false, subscribeTopic = [], skills = [] } = options
    this.name = name
    const openProject = (): ToolContext => {
      const env = processEnv()
      this.#project ??= createToolContext({ store: openStore('.', env), role: 'owner', env, now: nowMs })
      return this.#project
    }
    this.recorder = recorder === undefined ? projectRecorder(openProject()) : toProcess(recorder, MemoryRecorder)
    this.retriever = retriever === undefined ? projectRetriever(openProject()) : toProcess(retriever, MemoryRetriever)
    this.autoUpdate = autoUpdate
    this.subscribeTopic = typeof subscribeTopic === 'string' ? [subscribeTopic] : subscribeTopic
    this.skills = [...skills, this.recorder, this.retriever]
  }

  /** Stores these contents. `options` may be an engine's context itself. Rejects with INPUT_INVALID and CANCELLED. */
  record(input: MemoryRecorderInput, options?: InvokeOptions): Promise<MemoryOutput> {
    return this.recorder.invoke(input, toOptions(options))
  }

  /** Finds stored contents. `options` may be an engine's context itself. Rejects with INPUT_INVALID and CANCELLED. */
  retrieve(input?: MemoryRetrieverInput, options?: InvokeOptions): Promise<MemoryOutput> {
    return this.retriever.invoke(input, toOptions(options))
  }

  /** Call this after an operation: with `autoUpdate` it is recorded. Resolves to what was recorded, or to null. */
  async observe(
    input: Message,
    output: Message,
    source?: string,
    options?: InvokeOptions,
  ): Promise<MemoryOutput | null> {
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
        const { message = payload as Message, role, source = topic } = payload as Partial<TopicMessage>
        const content = role === 'agent' ? { output: message, source } : { input: message, source }
        return this.record({ content: [content] }).catch(onError)
      }),
    )
    const end = (): void => {
      for (const unsubscribe of subscriptions) if (typeof unsubscribe === 'function') unsubscribe()
      this.#subscriptions.delete(end)
    }
    this.#subscriptions.add(end)
    return end
  }

  /** Ends all subscriptions, and closes the project if this agent opened it. An engine calls it when it ends. */
  async shutdown(): Promise<void> {
    for (const end of this.#subscriptions) end()
    this.#project?.close()
  }

  /** The same as `shutdown`, for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.shutdown()
  }
}

interface TopicMessage {
  readonly message: Message
  readonly role: string
  readonly source: string
}

/** An engine's context in place of options: `memory.record(input, context)`. */
function toOptions(given: InvokeOptions | undefined): InvokeOptions | undefined {
  const isContext = given !== undefined && 'invoke' in given && typeof given.invoke === 'function'
  return isContext && !('context' in given) ? { context: given } : given
}

function toProcess<Input>(
  part: AgentPart<Input>,
  Process: new (options: ProcessOptions<Input>) => MemoryProcess<Input>,
): MemoryProcess<Input> {
  if (part instanceof MemoryProcess) return part
  if (typeof part === 'function') return new Process({ process: part })
  if (!('invoke' in part)) return new Process(part)
  return new Process({ name: part.name, process: (input, options) => part.invoke(input, options) })
}
