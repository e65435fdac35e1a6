// The help of the program and of each command: commander's pages, and a first page that fits on one screen.
import { type Command, Help, type Option } from 'commander'
import { COMMAND_GROUPS, EVERYDAY } from './commandGroups.ts'
import { EXAMPLES } from './examples.ts'
import { HELP_TOPICS } from './helpTopics.ts'

type HelpFormat = Partial<Help>

/** What commander's help does differently here. `help` is a word of each group of commands, but not worth a line. */
export const HELP_FORMAT: HelpFormat = {
  visibleCommands: (command) => command.commands.filter((child) => !isHidden(child)),
  subcommandTerm: (command) => command.name(),
  optionDescription: describeOption,
  argumentDescription: ({ description, argChoices, defaultValue }) =>
    withNotes(description, argChoices, defaultValue === undefined ? undefined : String(defaultValue)),
}

/** A switch needs no default. */
function describeOption({ description, argChoices, defaultValue, defaultValueDescription, ...option }: Option): string {
  const hasDefault = (option.required || option.optional) && defaultValue !== undefined
  return withNotes(description, argChoices, hasDefault ? (defaultValueDescription ?? String(defaultValue)) : undefined)
}

/** The description with one pair of brackets for the choices and the default, which it may name itself. */
function withNotes(description: string, choices: readonly string[] | undefined, initial: string | undefined): string {
  const [, text = description, named] = /^(.*?) \(default: ([^()]*)\)$/.exec(description) ?? []
  const notes = [
    ...(choices ? [`choices: ${choices.join(', ')}`] : []),
    ...((initial ?? named) === undefined ? [] : [`default: ${initial ?? named}`]),
  ]
  return notes.length === 0 ? description : `${text} (${notes.join('; ')})`
}

/** Whether a command works, but is in no list. */
const isHidden = (command: Command): boolean => (command as Command & { readonly _hidden?: boolean })._hidden === true

/** The pages of `memctl`: the short one for the program itself, and examples below the help of each command. */
export const HELP_FORMAT_WITH_EXAMPLES: HelpFormat = {
  ...HELP_FORMAT,
  formatHelp(command, help) {
    if (command.parent === null) return formatShortHelp(command, help.helpWidth ?? 80)
    const examples = EXAMPLES[commandPath(command)] ?? []
    const page = Help.prototype.formatHelp.call(help, command, help)
    return examples.length === 0
      ? page
      : `${page}\n${['Examples:', ...examples.map((line) => `  ${line}`)].join('\n')}\n`
  },
}

/** The words of a command after the name of the program: `policy show`. */
export const commandPath = (command: Command): string =>
  command.parent === null ? '' : `${commandPath(command.parent)} ${command.name()}`.trim()

/**
 * The first page: the everyday commands with a line each, and the names of the others by subject. `columns` is the
 * width of the output.
 */
function formatShortHelp(program: Command, columns: number): string {
  const named = new Map(program.commands.map((command) => [command.name(), command]))
  const groups = COMMAND_GROUPS.map(
    ([heading, names]) => [heading, names.flatMap((name) => named.get(name) ?? [])] as const,
  ).filter(([, commands]) => commands.length > 0)
  const everyday = groups.find(([heading]) => heading === EVERYDAY)?.[1] ?? []
  const others = groups.filter(([heading]) => heading !== EVERYDAY && heading !== 'Help')
  const nameColumns = 2 + Math.max(...everyday.map((command) => command.name().length))
  const headingColumns = 2 + Math.max(...others.map(([heading]) => heading.length))
  return `${[
    `Usage: ${program.name()} <command> [options]`,
    '',
    program.description(),
    '',
    `${EVERYDAY}:`,
    ...everyday.map((command) =>
      clip(`  ${command.name().padEnd(nameColumns)}${command.summary() || command.description()}`, columns),
    ),
    '',
    'More commands:',
    ...others.map(
      ([heading, commands]) =>
        `  ${heading.padEnd(headingColumns)}${commands.map((command) => command.name()).join(', ')}`,
    ),
    '',
    'memctl help COMMAND  options and examples of a command',
    'memctl help --all    what each command does',
    `memctl help TOPIC    ${Object.keys(HELP_TOPICS).join(', ')}`,
    'memctl --version',
  ].join('\n')}\n`
}

const clip = (line: string, columns: number): string =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…`

/** The page with a line for each command, by group. */
export const formatFullHelp = (program: Command): string => {
  const help = program.createHelp()
  help.prepareContext({ helpWidth: 100 })
  return Help.prototype.formatHelp.call(help, program, help)
}
