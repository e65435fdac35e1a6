// Every tool as a command: its words, arguments and options come from the definition of the tool. Beside them memctl
// mcp, which serves the tools on stdin and stdout.
import path from 'node:path'
import { type Command, Option } from 'commander'
import { hideSecrets } from '../../broker/commands/newMemory.ts'
import { isMemoryId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTimestamp } from '../../report/formatNumber.ts'
import { formatFields, formatTable } from '../../report/formatTable.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Field } from '../../tools/definition/field.ts'
import type { ToolResult } from '../../tools/definition/invokeTool.ts'
import { type CommandFlag, isWriting, type Tool, type ToolOutput } from '../../tools/definition/tool.ts'
import { ROLES, type Role } from '../../tools/definition/toolContext.ts'
import { memoryIdField } from '../../tools/memory/memoryFields.ts'
import { TOOLS, TOOLSETS, type Toolset } from '../../tools/toolRegistry.ts'
import { type CliContext, ExitStatus, printResult, type Terminal, withKnownIds } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion, withConfirmOptions } from '../context/forPerson.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import {
  openSelectedStore,
  openToolContext,
  publishChanges,
  type StoreOptions,
  withStoreFolderOptions,
  withStoreOptions,
} from '../context/storeOption.ts'

interface ToolOptions extends StoreOptions, ConfirmOptions {
  readonly input?: string
  readonly role: Role
  readonly session?: string
}

type ToolInput = Readonly<Record<string, unknown>>

/** Descriptions of the words that several commands begin with. */
const GROUPS: Readonly<Record<string, string>> = {
  memory: 'store, search, change and rate memories, as the tools of agents do',
  entry: 'store, search and change entries (Markdown files), and restore archived ones',
}

const FLAGS: Readonly<Record<CommandFlag, string>> = {
  global: 'of the entries for all projects',
  archived: 'of archived entries',
}

export function registerTools(program: Command, io: CliContext): void {
  for (const words of new Set(TOOLS.map((tool) => tool.command.words))) {
    const [tool, ...flagged] = TOOLS.filter(({ command }) => command.words === words)
    if (tool) registerTool(tool, flagged, program, io)
  }
}

/** One command for the tools with its words. `tool` has all fields of the `flagged` ones, which flags select. */
function registerTool(tool: Tool, flagged: readonly Tool[], program: Command, io: CliContext): void {
  const words = tool.command.words.split(' ')
  const parent = words.slice(0, -1).reduce(findOrAddGroup, program)
  const { differs, args = [] } = tool.command
  const about = `${tool.title.toLowerCase()}${differs === undefined ? '' : `: ${differs}`}`
  const command = withStoreOptions(parent.command(words.at(-1) ?? '').description(about))
  const flags = new Set(flagged.flatMap(({ command: other }) => other.flags ?? []))
  for (const flag of flags) command.option(`--${flag}`, FLAGS[flag])
  args.forEach((name, i) => {
    const label = argumentLabel(name)
    const field = fieldOf(tool, name)
    const takesRest = i === args.length - 1 && !isId(field)
    command.argument(takesRest ? `[${label}...]` : `[${label}]`, describeField(field))
  })
  for (const [name, field] of Object.entries(tool.input)) {
    if (!args.includes(name) || (args.at(-1) === name && isText(field))) {
      const option = createOption(name, field)
      // What is an argument works as an option too, for texts that begin with a dash.
      command.addOption(args.includes(name) ? option.hideHelp() : option)
    }
  }
  command
    .option('--input <json>', 'all options and arguments as one JSON object; - reads it from stdin')
    .addOption(new Option('--role <role>', 'rights of the caller').choices(ROLES).default('owner'))
    .option('--session <id>', 'the calling session (default: the current one)')
  if (tool.preview) withConfirmOptions(command)
  command.action(async (...received: readonly unknown[]) => {
    // Commander passes the arguments, then the options, then the command.
    const options = received.at(-2) as ToolOptions & ToolInput
    const input = { ...readOptions(tool, options, io), ...readArguments(tool, received.slice(0, -2)) }
    const given = [...flags].filter((flag) => options[flag] === true)
    const selected = [tool, ...flagged].find(({ command: { flags: own = [] } }) => isSame(own, given)) ?? tool
    const hasInput = options.input !== undefined
    await runTool(selected, hasInput ? input : addStdin(tool, input, io), options, io)
  })
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((word) => other.includes(word))

export const findOrAddGroup = (parent: Command, word: string): Command =>
  parent.commands.find((command) => command.name() === word) ?? parent.command(word).description(GROUPS[word] ?? word)

async function runTool(tool: Tool, input: ToolInput, options: ToolOptions, io: CliContext): Promise<void> {
  const { invokeTool, previewTool } = await import('../../tools/definition/invokeTool.ts')
  const context = await openToolContext(options, io, options)
  const outputOf = (result: ToolResult): ToolOutput => {
    if (result.kind === 'answer') return result.output
    if (!options.json) throw inWordsOfCommand(tool, result.cause)
    io.out.write(`${JSON.stringify(result.failure)}\n`)
    throw new ExitStatus(2)
  }
  if (tool.preview && (options.dryRun || !options.yes)) {
    const preview = outputOf(await previewTool(tool, input, context))
    const deletion = { preview: () => preview, format: formatToolOutput, question: 'Delete this?' }
    // The tool itself says that there is nothing.
    if ((options.dryRun || listItems(preview).length > 0) && !(await confirmDeletion(io, options, deletion))) return
  }
  const output = outputOf(await invokeTool(tool, input, context))
  printResult(withKnownIds(io, listItems(output)), options.json, output, formatToolOutput)
  if (!isWriting(tool)) return
  context.close()
  // The other commands and the next session read the snapshot, so it must have what was just stored.
  await publishChanges(context.store, Date.now())
  // Some or all items of a batch were invalid: scripts must see it.
  if (output['success'] === false) throw new ExitStatus(2)
}

/** The items of the lists of an output that have an id or a key. */
const listItems = (output: ToolOutput): readonly { readonly id: string }[] =>
  Object.values(output)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []))
    .filter((item): item is ToolOutput => typeof item === 'object' && item !== null)
    .map((item) => ({ id: String(item['id'] ?? item['key'] ?? '') }))

/** The fields given as options. They override those of `--input`. */
function readOptions(tool: Tool, options: ToolInput, io: CliContext): Record<string, unknown> {
  const json = options['input']
  const input = json === undefined ? {} : parseJson(json === '-' ? io.stdin() : String(json), '--input')
  if (!isObject(input)) throw invalidInput('--input', 'a JSON object')
  const fields = Object.entries(tool.input).flatMap(([name, field]) => {
    const value = options[toOptionName(name)]
    // `true` can mean that `--no-…` was not given. Then the tool applies its default.
    const isDefault = value === undefined || (value === true && field.schema['default'] === true)
    return isDefault ? [] : [[name, value === '-' && isText(field) ? io.stdin() : value]]
  })
  return { ...input, ...Object.fromEntries(fields) }
}

/** The fields given as arguments. A text takes all remaining words, a list has each of them as an item. */
function readArguments(tool: Tool, received: readonly unknown[]): Record<string, unknown> {
  const fields = (tool.command.args ?? []).flatMap((name, i) => {
    const field = fieldOf(tool, name)
    const words = [received[i] ?? []].flat() as string[]
    if (words.length === 0 || (words.length === 1 && words[0] === '-')) return []
    return [[name, field.schema['type'] === 'array' ? words : parseValue(field, words.join(' '))]]
  })
  return Object.fromEntries(fields)
}

/** Reads a missing required field from stdin. Not an optional one: stdin may be meant for another program. */
function addStdin(tool: Tool, input: ToolInput, io: CliContext): ToolInput {
  const name = tool.command.stdin
  if (name === undefined || input[name] !== undefined) return input
  const field = fieldOf(tool, name)
  const text = field.isOptional ? '' : io.stdin()
  if (text.trim() === '') return input
  return { ...input, [name]: isText(field) ? text.replace(/\n$/, '') : parseList(text, name) }
}

/** A JSON list, an object that contains it under `name`, or one JSON object per line. */
function parseList(text: string, name: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))) {
    return lines.map((line, i) => parseJson(line, `stdin, line ${i + 1},`))
  }
  const value = parseJson(text, 'stdin')
  return isObject(value) ? (value[name] ?? [value]) : value
}

function createOption(name: string, field: Field<unknown>): Option {
  const flag = optionFlag(name)
  const { type, default: initial, enum: choices } = field.schema
  const about = describeField(field)
  if (type === 'boolean')
    return initial === true ? new Option(flag.replace('--', '--no-'), `do not ${about}`) : new Option(flag, about)
  const hasDefault = initial !== undefined && String(initial) !== '' && typeof initial !== 'object'
  const description = hasDefault ? `${about} (default: ${String(initial)})` : about
  const option = new Option(`${flag} <${VALUE_NAMES[String(type)] ?? 'text'}>`, description)
  // For the help: the tool itself checks them.
  if (choices) option.choices(choices as readonly string[])
  if (type !== 'array') return option.argParser((text: string) => parseValue(field, text))
  return option.argParser((text: string, before: unknown[] = []) => [...before, ...parseItems(field, text)])
}

const VALUE_NAMES: Readonly<Record<string, string>> = { array: 'items', object: 'json', number: 'n', integer: 'n' }

/** A longer item may be a sentence with commas. */
const WORD_CHARS_MAX = 200

/** A text as a value of the field's type. A text that is not a number stays a text: the tool rejects it. */
function parseValue(field: Field<unknown>, text: string): unknown {
  const { type } = field.schema
  if (type === 'object') return parseJson(text, 'the option')
  if (type !== 'number' && type !== 'integer') return text
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

/** Items of text, separated by commas unless they may be sentences, or other items as JSON. */
function parseItems(field: Field<unknown>, text: string): unknown[] {
  const { type, maxLength = 0 } = field.schema['items'] as { type?: string; maxLength?: number }
  if (type !== 'string') return [parseJson(text, 'the option')].flat()
  return maxLength > WORD_CHARS_MAX ? [text.trim()] : text.split(',').map((item) => item.trim())
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidInput(source, 'JSON')
  }
}

const invalidInput = (source: string, wanted: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `${source} is not ${wanted}`, { hint: `Pass ${wanted}, quoted for your shell.` })

function fieldOf(tool: Tool, name: string): Field<unknown> {
  const field = tool.input[name]
  if (!field) throw new Error(`${tool.name} has no field ${name}`)
  return field
}

/** Like the other descriptions of the help: without a capital letter, unless it is an abbreviation. */
const describeField = (field: Field<unknown>): string =>
  isId(field)
    ? 'id of the memory, or its beginning'
    : String(field.schema['description'] ?? '').replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
const isId = (field: Field<unknown>): boolean => field.schema === memoryIdField.schema
const isText = (field: Field<unknown>): boolean => field.schema['type'] === 'string'

/** Commander's name of an option: `top_k` is `topK`. */
const toOptionName = (name: string): string =>
  optionFlag(name)
    .slice(2)
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export function registerMcp(program: Command, io: CliContext): void {
  const command = program.command('mcp').description('serve the memory tools over MCP until the client disconnects')
  withStoreFolderOptions(command)
    .addOption(new Option('--tools <set>', 'the set of tools').choices(TOOLSETS).default('core'))
    .addOption(new Option('--role <role>', 'rights of the caller').choices(ROLES).default('worker'))
    .action(async (options: StoreOptions & { readonly tools: Toolset; readonly role: Role }) => {
      const { serveSession } = await import('../../mcp/serveTools.ts')
      const { root, version } = readPackageInfo()
      await serveSession({
        toolset: options.tools,
        role: options.role,
        version,
        store: await openSelectedStore(options, io),
        env: io.env,
        now: Date.now,
        watchdog: path.join(root, 'dist/watchdog.cjs'),
      })
    })
}

// What a tool says, for a person: its output as tables, names and values, and its messages in the words of a command,
// because a tool says `memory_ids` and `top_k` where a person types IDS and --top-k.

const CELL_CHARS_MAX = 400

function formatToolOutput(output: ToolOutput, terminal: Terminal): string[] {
  // A single object (an entry, a summary) is printed as the output itself, and success is not mentioned.
  const { content, success, ...rest } = Object.fromEntries(
    Object.entries(output).flatMap(([name, value]) => (isObject(value) ? Object.entries(value) : [[name, value]])),
  )
  const fields = Object.entries(success === false ? { success, ...rest } : rest)
    .filter(([, value]) => !isTable(value) && !isEmpty(value))
    .map(([name, value]) => [name, sanitizeForTerminal(cellText(value))] as const)
  return [
    ...(typeof content === 'string' ? hideSecrets(content).split('\n').map(sanitizeForTerminal) : []),
    ...Object.values(rest).flatMap((value) => (isTable(value) ? formatRows(value, terminal) : [])),
    ...formatFields(fields, terminal),
  ]
}

function formatRows(rows: readonly ToolOutput[], { columns, palette, shortId }: Terminal): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))].sort((a, b) => Number(isLong(a)) - Number(isLong(b)))
  const layout = names.map((head) => ({ head, canShrink: isLong(head) }))
  const textOf = (value: unknown): string =>
    typeof value !== 'string' ? cellText(value) : isMemoryId(value) ? shortId(value) : shortTime(cellText(value))
  // What is wrong, and what to do about it, are texts of memctl.
  const cleanOf = (name: string) => (/^(?:message|what|hint)$/.test(name) ? removeControls : sanitizeForTerminal)
  const cells = rows.map((row) => names.map((name) => cleanOf(name)(textOf(row[name]))))
  return formatTable(layout, cells, columns, palette.dim)
}

/** A column that takes what the others leave: it is the last. */
const isLong = (name: string): boolean => name === 'content' || name === 'message'

const shortTime = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/.test(text) ? formatTimestamp(text) : text

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return firstLine(value, CELL_CHARS_MAX)
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (!isObject(value)) return String(value)
  const fields = Object.entries(value).map(
    ([name, inner]) => `${name} ${isObject(inner) ? JSON.stringify(inner) : cellText(inner)}`,
  )
  return firstLine(fields.join(', '), CELL_CHARS_MAX)
}

const isTable = (value: unknown): value is readonly ToolOutput[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The name of an argument in the help: the last word of the field, `ids` for `memory_ids`. */
const argumentLabel = (field: string): string => field.split('_').at(-1) ?? field

/** The option of a field. `--role` is the role of the caller, for every tool. */
const optionFlag = (field: string): string => `--${(field === 'role' ? 'agent_role' : field).replaceAll('_', '-')}`

function inWordsOfCommand(tool: Tool, error: MemoryError): MemoryError {
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
