// Every tool as a command: its words, arguments and options come from its one description.
import { type Command, Option } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import type { Field } from '../../tools/definition/field.ts'
import { ROLES, type Role } from '../../tools/definition/role.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { TOOLS } from '../../tools/toolRegistry.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { ExitStatus } from '../context/exitStatus.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { formatToolOutput } from '../format/toolOutput.ts'

interface Words extends StoreOptions {
  readonly input?: string
  readonly role: Role
  readonly session?: string
}

/** What stands above the commands of tools that share their first word. */
const GROUPS: Readonly<Record<string, string>> = {
  memory: 'keep, find and change memories',
  score: 'what a memory is worth',
  entry: 'keep, find and change entries: Markdown files of a project, or of all',
  archive: 'entries that clean-up has archived',
}

export function registerTools(program: Command, io: CliContext): void {
  for (const words of new Set(TOOLS.map((tool) => tool.command.words))) {
    register(
      TOOLS.filter((tool) => tool.command.words === words),
      program,
      io,
    )
  }
}

/** One command of the tools that have its words: the first, which has all fields of the others, unless a flag chooses another. */
function register(tools: readonly Tool[], program: Command, io: CliContext): void {
  const [tool, ...flagged] = tools as [Tool, ...Tool[]]
  const words = tool.command.words.split(' ')
  const parent = words.slice(0, -1).reduce(findOrAddGroup, program)
  const names = tools.map(({ name }) => name).join(', ')
  const command = withStoreOptions(parent.command(words.at(-1)!).description(descriptionFor(tool, names)))
  for (const { command: other, title } of flagged) command.option(`--${other.flag}`, title.toLowerCase())
  const args = tool.command.args ?? []
  args.forEach((name, i) => {
    command.argument(i === args.length - 1 ? `[${name}...]` : `[${name}]`, descriptionOf(tool.input[name]!))
  })
  for (const [name, field] of Object.entries(tool.input)) {
    if (!args.includes(name) || (args.at(-1) === name && isText(field))) command.addOption(optionOf(name, field))
  }
  command
    .option('--input <json>', 'all parameters as one JSON object; - reads it from stdin')
    .addOption(new Option('--role <role>', 'whose rights').choices(ROLES).default('owner'))
    .option('--session <id>', 'the session that calls (default: the one this runs in)')
    .action(async (...told: readonly unknown[]) => {
      const options = told.at(-2) as Words & Readonly<Record<string, unknown>>
      const input = { ...inputOf(tool, options, io), ...argumentsOf(tool, told.slice(0, -2)) }
      const chosen = flagged.find(({ command: { flag = '' } }) => options[flag] === true) ?? tool
      await run(chosen, withStdin(tool, input, options.input !== undefined, io), options, io)
    })
}

const descriptionFor = ({ title, command: { differs } }: Tool, names: string): string =>
  `${title.toLowerCase()} (${names})${differs === undefined ? '' : `: ${differs}`}`

/** The command above those that share their first word. */
export const findOrAddGroup = (parent: Command, word: string): Command =>
  parent.commands.find((one) => one.name() === word) ?? parent.command(word).description(GROUPS[word] ?? word)

async function run(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  options: Words,
  io: CliContext,
): Promise<void> {
  const [{ createToolContext }, { invokeTool }] = await Promise.all([
    import('../../tools/definition/toolContext.ts'),
    import('../../tools/invokeTool.ts'),
  ])
  const session = options.session ?? (io.env['CLAUDE_CODE_SESSION_ID'] || undefined)
  const store = await openSelectedStore(options, io)
  const world = createToolContext({ store, role: options.role, session, env: io.env, now: Date.now })
  const called = await invokeTool(tool, input, world)
  if (called.kind === 'failure') {
    if (!options.json) throw called.cause
    io.out.write(`${JSON.stringify(called.failure)}\n`)
    throw new ExitStatus(2)
  }
  printResult(io, options.json, called.output, formatToolOutput)
  if (tool.effect === 'reads') return
  world.close()
  // The other commands and the next session read the view, and a person who has just stored something looks for it.
  const { runMaintenance } = await import('../../broker/maintenance/maintenance.ts')
  runMaintenance(store, { now: Date.now(), sessions: [] })
}

/** What options say: each by its field's name, with `--input` beneath them. */
function inputOf(tool: Tool, options: Readonly<Record<string, unknown>>, io: CliContext): Record<string, unknown> {
  const given = options['input']
  const input = given === undefined ? {} : parsed(given === '-' ? io.stdin() : String(given), '--input')
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw misread('--input', 'a JSON object')
  const own = Object.entries(tool.input).flatMap(([name, field]) => {
    const value = options[optionName(name)]
    // What is on unless `--no-…` is given is the tool's own to say.
    const left = value === undefined || (value === true && field.schema['default'] === true)
    return left ? [] : [[name, value === '-' && isText(field) ? io.stdin() : value]]
  })
  return { ...input, ...Object.fromEntries(own) }
}

/** What arguments say. A text takes all the words that are left, a list has each of them. */
function argumentsOf(tool: Tool, told: readonly unknown[]): Record<string, unknown> {
  const names = tool.command.args ?? []
  return Object.fromEntries(
    names.flatMap((name, i) => {
      const field = tool.input[name]!
      const words = [told[i] ?? []].flat() as string[]
      if (words.length === 0 || (words.length === 1 && words[0] === '-')) return []
      return [[name, isList(field) ? words : valueIn(field, words.join(' '))]]
    }),
  )
}

/** What nothing gives and the tool cannot do without is read from stdin. What it can do without is not: stdin may be somebody else's. */
function withStdin(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  hasInput: boolean,
  io: CliContext,
): Readonly<Record<string, unknown>> {
  const name = tool.command.stdin
  if (name === undefined || hasInput || input[name] !== undefined || !tool.input[name]!.required) return input
  const text = io.stdin()
  if (text.trim() === '') return input
  return { ...input, [name]: isText(tool.input[name]!) ? text.replace(/\n$/, '') : listIn(text, name) }
}

/** A JSON list, an object that has it, or one JSON value a line. */
function listIn(text: string, name: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 1 && lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))) {
    return lines.map((line, i) => parsed(line, `stdin, line ${i + 1},`))
  }
  const value = parsed(text, 'stdin')
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return (value as Record<string, unknown>)[name] ?? [value]
}

function optionOf(name: string, field: Field<unknown>): Option {
  const flags = `--${name.replaceAll('_', '-')}`
  const { type, default: given, enum: choices } = field.schema
  const description = `${descriptionOf(field)}${choices ? ` (${(choices as readonly string[]).join(', ')})` : ''}`
  if (type === 'boolean') return new Option(given === true ? flags.replace('--', '--no-') : flags, description)
  const told = given === undefined || String(given) === '' || typeof given === 'object' ? '' : ` [${String(given)}]`
  const option = new Option(
    `${flags} <${type === 'array' ? 'item' : type === 'object' ? 'json' : type}>`,
    description + told,
  )
  if (type === 'array')
    return option.argParser((text: string, before?: unknown[]) => [...(before ?? []), ...itemsOf(field, text)])
  return option.argParser((text: string) => valueIn(field, text))
}

/** A text as a value of the field's type. What is no number stays a text, for the tool itself to refuse. */
function valueIn(field: Field<unknown>, text: string): unknown {
  const { type } = field.schema
  if (type === 'object') return parsed(text, 'the option')
  if (type !== 'number' && type !== 'integer') return text
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

/** Tags and ids may be given one by one or with commas between them, other items as JSON. */
const itemsOf = (field: Field<unknown>, text: string): unknown[] =>
  (field.schema['items'] as { type?: string }).type === 'string'
    ? text.split(',').map((one) => one.trim())
    : [parsed(text, 'the option')].flat()

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw misread(where, 'JSON')
  }
}

const misread = (where: string, wanted: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `${where} is not ${wanted}`, {
    hint: `Give ${wanted}, in quotes where a shell reads it.`,
  })

const descriptionOf = (field: Field<unknown>): string => String(field.schema['description'] ?? '')
const isText = (field: Field<unknown>): boolean => field.schema['type'] === 'string'
const isList = (field: Field<unknown>): boolean => field.schema['type'] === 'array'

/** Commander's name for an option: `top_k` is `topK`. */
const optionName = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
