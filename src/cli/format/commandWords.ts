// Messages of tools in the words of a command: a tool says `memory_ids` and `top_k`, a person types IDS and --top-k.
import { MemoryError } from '../../model/memoryError.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { TOOLS } from '../../tools/toolRegistry.ts'

/** The name of an argument in the help: the last word of the field, `ids` for `memory_ids`. */
export const argumentLabel = (field: string): string => field.split('_').at(-1) ?? field

/** The option of a field. `--role` is the role of the caller, for every tool. */
export const optionFlag = (field: string): string =>
  `--${(field === 'role' ? 'agent_role' : field).replaceAll('_', '-')}`

/** The error of a tool, for a person who typed its command. */
export function inWordsOfCommand(tool: Tool, error: MemoryError): MemoryError {
  const { code, message, hint } = error
  const missing = Object.keys(tool.input).find((field) => message.toLowerCase() === `${field} is missing`)
  if (missing !== undefined)
    return new MemoryError(code, `Nothing was given for ${labelOf(tool, missing)}`, {
      hint: `Run \`memctl ${tool.command.words} --help\` for its arguments and options.`,
      cause: error,
    })
  return new MemoryError(code, translate(tool, message), { hint: translate(tool, hint), cause: error })
}

const labelOf = ({ command }: Tool, field: string): string =>
  command.args?.includes(field) ? argumentLabel(field) : optionFlag(field)

/** Names of tools and fields with an underscore are no words of a sentence; all others stay. */
const translate = (tool: Tool, text: string): string =>
  text.replace(/\b[A-Za-z]+(?:_[a-z]+)+\b/g, (name) => {
    const field = name.charAt(0).toLowerCase() + name.slice(1)
    if (field in tool.input) return labelOf(tool, field)
    const named = TOOLS.find((other) => other.name === name)
    if (!named) return name
    const flags = (named.command.flags ?? []).map((flag) => ` --${flag}`).join('')
    return `\`memctl ${named.command.words}${flags}\``
  })
