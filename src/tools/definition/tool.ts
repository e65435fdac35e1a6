// A tool: what it is called, what it takes, what it does. One description serves MCP, the command line and the library.
import type { Fields, InputOf } from './field.ts'
import type { Role } from './role.ts'
import type { ToolContext } from './toolContext.ts'

/** Which document a tool comes from: 001's memories, 002's entries. */
const TOOL_GROUPS = ['memory', 'entries'] as const
type ToolGroup = (typeof TOOL_GROUPS)[number]

/** A tool's result, as JSON. */
export type ToolOutput = Readonly<Record<string, unknown>>

/** How a tool is called on the command line. */
interface CommandSyntax {
  /** The command's words: `memory store`. */
  readonly words: string
  /** The fields given as arguments, in order. The last may be a list, and takes all that is left; a text takes all words left. */
  readonly args?: readonly string[]
  /** How the command differs from others that do much the same, for its help. */
  readonly differs?: string
  /** The option that chooses this tool among those of the same words: `global`. */
  readonly flag?: string
  /** The field that is read from stdin where nothing gives it: as text for a text, else as JSON. */
  readonly stdin?: string
}

interface Described {
  readonly name: string
  /** A few words for a list of tools. */
  readonly title: string
  /** What it does and gives, for who decides whether to call it. Every word of it costs tokens in each session. */
  readonly description: string
  readonly group: ToolGroup
  /** Among the handful that an MCP server offers where nobody asks for more. */
  readonly core?: boolean
  /** The fields shown there; all where left out. Others are taken all the same. */
  readonly coreFields?: readonly string[]
  /** Who may call it; every role where left out. */
  readonly roles?: readonly Role[]
  /** `destroys` what is not brought back by calling another tool. */
  readonly effect: 'reads' | 'writes' | 'destroys'
  readonly command: CommandSyntax
  /** The answer with long texts cut to their beginning: what MCP shows, where `memory_get` or the like gives the whole. */
  readonly shorten?: (answer: ToolOutput) => ToolOutput
}

/** A tool whose input has been checked when it comes to it. Throws MemoryError alone for what a caller can hint. */
interface TypedTool<F extends Fields> extends Described {
  readonly input: F
  readonly handle: (input: InputOf<F>, context: ToolContext) => ToolOutput | Promise<ToolOutput>
}

export interface Tool extends Described {
  readonly input: Fields
  readonly handle: (input: Readonly<Record<string, unknown>>, context: ToolContext) => ToolOutput | Promise<ToolOutput>
}

/** A tool as the registry holds it. Its handler is only ever called with what its own fields have read. */
export const defineTool = <F extends Fields>(described: TypedTool<F>): Tool => described as unknown as Tool
