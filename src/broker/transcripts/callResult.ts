// What became of a tool call, as its transcript says: passed, failed, or held back by a hook or a missing permission.
import { type Block, blockText, objectOf, type TranscriptLine } from './transcriptLine.ts'

/** A result, as the fields of the payload that hooks get. */
export type CallResultFields =
  | { readonly name: 'PostToolUse'; readonly tool_response: unknown }
  | { readonly name: 'PostToolUseFailure'; readonly error: string; readonly is_interrupt: boolean }

interface ToolResult {
  readonly tool: string
  readonly block: Block
  readonly line: TranscriptLine
  /** Whether the line has no other result: only then `toolUseResult` belongs to it. */
  readonly isOnly: boolean
}

/** A hook's reason, which may be a note of memctl, and a permission that nobody was asked for: nothing was tried. */
const HELD_BACK =
  /^(?:Error: )?(?:Pre(?:ToolUse|tool)\S* hook |\S+ operation blocked by hook|Claude requested permissions )/

/** How the error of a shell command begins. A hook's reason for a denial stands alone in some versions. */
const SHELL_ERROR = /^(?:Exit code|Error|Command |<tool_use_error>|\[Request interrupted|Permission to use |The user )/

/** The result; undefined if the call was held back. */
export function classifyResult({ tool, block, line, isOnly }: ToolResult): CallResultFields | undefined {
  const result = isOnly ? line.fields['toolUseResult'] : undefined
  const text = blockText(block['content'])
  if (block['is_error'] !== true) return { name: 'PostToolUse', tool_response: result ?? block['content'] ?? '' }
  if (HELD_BACK.test(text) || objectOf(line.fields['permissionDecision'])['source'] === 'hook') return undefined
  if (tool === 'Bash' && !SHELL_ERROR.test(text)) return undefined
  return { name: 'PostToolUseFailure', error: errorOf(text, result), is_interrupt: text.includes(INTERRUPTED) }
}

/** Whether the client says that the person has refused a call. */
export const isRefusal = (error: string): boolean => error.startsWith("The user doesn't want to proceed")

const INTERRUPTED = '[Request interrupted by user'

/** The error as hooks get it. The client may add advice for the model to the text of the message. */
function errorOf(text: string, result: unknown): string {
  if (typeof result !== 'string') return text
  const own = result.replace(/^Error: /, '')
  return own !== '' && text.startsWith(own) ? own : text
}
