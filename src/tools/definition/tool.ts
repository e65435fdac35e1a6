// A tool: its name, its input and what it does; and how it fails. One definition serves MCP, the command line and the
// library.
import type { MemoryError } from '../../model/memoryError.ts'
import { firstChars } from '../../text/excerpt.ts'
import type { Fields, InputOf } from './field.ts'
import type { Role, ToolContext } from './toolContext.ts'

/** A tool's result, as JSON. */
export type ToolOutput = Readonly<Record<string, unknown>>

/** An option that chooses another tool: for global entries, or for archived ones. */
export type CommandFlag = 'global' | 'archived'

interface CommandSyntax {
  /** The command's words: `memory store`. */
  readonly words: string
  /** The fields given as arguments, in order. The last one takes all remaining words, as a list or as one text. */
  readonly args?: readonly string[]
  /** How the command differs from similar ones, for its help. */
  readonly differs?: string
  /** The options that together choose this tool among those of the same words. */
  readonly flags?: readonly CommandFlag[]
  /** The field that is read from stdin if no option gives it: a text as it is, any other field as JSON. */
  readonly stdin?: string
}

/**
 * What a call does to the store. `reads`: nothing. `counts`: it counts that a text was read. `adds`: what exists stays
 * as it is. `changes`: something that exists is replaced or removed.
 */
export type ToolEffect = 'reads' | 'counts' | 'adds' | 'changes'

interface ToolSpec {
  readonly name: string
  /** A few words for a list of tools. */
  readonly title: string
  /**
   * When to use it, and when another one, for a model that decides whether to call it. It names only tools that are
   * offered together with it. Every word costs tokens in each session.
   */
  readonly description: string
  /** The source document of the tool: the memory-tools spec or the entries spec. */
  readonly group: 'memory' | 'entries'
  /** Whether a client that looks up tools only when they are needed has this one from the start. */
  readonly alwaysLoad?: boolean
  /** Words by which such a client finds it, besides its name. */
  readonly searchHint?: string
  /** The roles that may call it, all by default. */
  readonly roles?: readonly Role[]
  readonly effect: ToolEffect
  /** Whether a second call with the same input changes nothing more, apart from times. */
  readonly isIdempotent?: boolean
  /** The output with long texts cut, as MCP shows it; `memory_get` and the like return the full text. */
  readonly shorten?: (output: ToolOutput) => ToolOutput
}

/** A tool whose handler gets validated input. It throws only MemoryError for what a caller can correct. */
interface TypedTool<F extends Fields> extends ToolSpec {
  readonly input: F
  readonly handle: (input: InputOf<F>, context: ToolContext) => ToolOutput | Promise<ToolOutput>
  /** Of a tool that deletes: what a call would delete. For an entry point that asks a person first. */
  readonly preview?: (input: InputOf<F>, context: ToolContext) => ToolOutput | Promise<ToolOutput>
}

/** A tool for a model. */
export interface ModelTool extends ToolSpec {
  readonly input: Fields
  readonly handle: ToolHandler
  readonly preview?: ToolHandler
}

/** A tool for every entry point. */
export type Tool = ModelTool & { readonly command: CommandSyntax }

type ToolHandler = (input: Readonly<Record<string, unknown>>, context: ToolContext) => ToolOutput | Promise<ToolOutput>

/** Whether a call stores, changes or removes something, besides counting what was read. */
export const isWriting = ({ effect }: Pick<Tool, 'effect'>): boolean => effect === 'adds' || effect === 'changes'

/** The tool as the registry holds it. Callers must only pass input that the tool's own fields have read. */
export const defineTool = <F extends Fields>(tool: TypedTool<F> & Pick<Tool, 'command'>): Tool =>
  tool as unknown as Tool

/** The same for a tool without a command. */
export const defineModelTool = <F extends Fields>(tool: TypedTool<F>): ModelTool => tool as unknown as ModelTool

/** Characters of a shortened content: some lines of a terminal, enough to recognize a memory. */
export const SHORT_CHARS = 240

/** A `shorten` for outputs with memories or entries in the property `list`: each `content` is cut to its beginning. */
export const truncateContents =
  (list: string) =>
  (output: ToolOutput): ToolOutput => ({
    ...output,
    [list]: (output[list] as readonly ToolOutput[]).map(truncateContent),
  })

function truncateContent(item: ToolOutput): ToolOutput {
  const content = String(item['content'])
  if (content.length <= SHORT_CHARS) return item
  // Do not cut a surrogate pair in half.
  return { ...item, content: `${firstChars(content, SHORT_CHARS)}…`, whole: false }
}

/** The memory-tools spec has the first two; PermissionError and StoreError are memctl's. */
type ErrorType = 'ValidationError' | 'NotFoundError' | 'PermissionError' | 'StoreError'

/** All others are StoreErrors. */
const ERROR_TYPES: Readonly<Partial<Record<MemoryError['code'], ErrorType>>> = {
  INPUT_INVALID: 'ValidationError',
  USAGE: 'ValidationError',
  NOT_FOUND: 'NotFoundError',
  NOT_ALLOWED: 'PermissionError',
}

export type ToolFailure = ReturnType<typeof toToolFailure>

/** The failure for an error; also for errors inside an output, such as those of a batch's items. */
export const toToolFailure = ({ code, message, hint }: MemoryError) => ({
  error: true,
  error_type: ERROR_TYPES[code] ?? ('StoreError' as const),
  message,
  hint,
})
