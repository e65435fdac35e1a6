// The help of the program and of each command: commander's pages, a first page that fits on one screen, and memctl
// help.
import { type Command, Help, type Option } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { displayWidth, removeControls, wrapText } from '../../report/fitText.ts'
import { formatTable, textColumn } from '../../report/formatTable.ts'
import { isEnglish, isolate, translate } from '../../report/translation.ts'
import type { CliContext } from '../context/cliContext.ts'
import { COMMAND_GROUPS, ENVIRONMENT, EVERYDAY, EXAMPLES } from './helpTexts.ts'

type HelpFormat = Partial<Help>

/** What commander's help does differently here. `help` is a word of each group of commands, but not worth a line. */
export const HELP_FORMAT: HelpFormat = {
  visibleCommands: (command) => command.commands.filter((child) => !isHidden(child)),
  subcommandTerm: (command) => command.name(),
  optionDescription: describeOption,
  argumentDescription: ({ description, argChoices, defaultValue }) =>
    withNotes(description, argChoices, defaultValue === undefined ? undefined : String(defaultValue)),
  commandDescription: (command) => translate(command.description()),
  subcommandDescription: (command) => translate(command.summary() || command.description()),
  styleTitle: translate,
  displayWidth,
  boxWrap(text, columns) {
    // Commander breaks lines at spaces only, and Japanese has none.
    return isEnglish() ? Help.prototype.boxWrap.call(this, text, columns) : wrapText(text, columns).join('\n')
  },
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
  return translate(notes.length === 0 ? description : `${text} (${notes.join('; ')})`)
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
      : `${page}\n${[translate('Examples:'), ...examples.map(formatExample)].join('\n')}\n`
  },
}

/** With the comment behind the command, if it has one, translated. */
const formatExample = (line: string): string => `  ${line.replace(/(?<= {5})\S.*$/, translate)}`

/** The words of a command after the name of the program: `policy show`. */
export const commandPath = (command: Command): string =>
  command.parent === null ? '' : `${commandPath(command.parent)} ${command.name()}`.trim()

/**
 * The first page: the everyday commands with a line each, and the names of the others by subject. `columns` is the
 * width of the output.
 */
function formatShortHelp(program: Command, columns: number): string {
  const commandsOf = (heading: string): Command[] =>
    program.commands.filter((command) => command.helpGroup() === `${heading}:`)
  const others = COMMAND_GROUPS.map(([heading]) => [heading, commandsOf(heading)] as const).filter(
    ([heading, commands]) => commands.length > 0 && heading !== EVERYDAY && heading !== 'Help',
  )
  const list = (rows: readonly (readonly string[])[]): string[] => formatTable(['', textColumn('')], rows, columns - 2)
  return `${[
    `${translate('Usage:')} ${program.name()} <command> [options]`,
    '',
    translate(program.description()),
    '',
    translate(`${EVERYDAY}:`),
    ...list(commandsOf(EVERYDAY).map((command) => [isolate(command.name()), command.summary()])).map(
      (line) => `  ${line}`,
    ),
    '',
    translate('More commands:'),
    ...list(
      others.map(([heading, commands]) => [heading, isolate(commands.map((command) => command.name()).join(', '))]),
    ).map((line) => `  ${line}`),
    '',
    ...list([
      ['memctl help COMMAND', 'options and examples of a command'],
      ['memctl help --all', 'what each command does'],
      ['memctl --version', ''],
    ]),
  ].join('\n')}\n`
}

/** The page with a line for each command, by group. */
const formatFullHelp = (program: Command): string => {
  const help = program.createHelp()
  help.prepareContext({ helpWidth: 100 })
  return `${Help.prototype.formatHelp.call(help, program, help)}\n${ENVIRONMENT.map(translate).join('\n')}\n`
}

export function registerHelp(program: Command, io: CliContext): void {
  program
    .helpCommand(false)
    .command('help')
    .description('show the help of a command')
    .argument('[command...]', 'the words of the command')
    .option('--all', 'one line about each command; environment variables')
    .action((words: readonly string[], options: { readonly all?: boolean }) => {
      if (options.all) return void io.out.write(removeControls(formatFullHelp(program)))
      const command = findCommand(program, words)
      if (command === program && words.length > 0)
        throw new MemoryError('USAGE', `There is no help on "${words.join(' ')}"`, {
          hint: 'Run `memctl help --all` for all commands.',
        })
      command.outputHelp()
    })
}

/** The command that these arguments begin with, as far as its words are known; the program itself if none is. */
export function findCommand(program: Command, argv: readonly string[]): Command {
  let command = program
  for (const word of argv) {
    const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word))
    if (!next) break
    command = next
  }
  return command
}

const HEADING = 'Common options:'

const isCommon = ({ long }: Option): boolean => ['--project', '--store', '--json'].includes(long ?? '')

/** Moves the common options of a command, and of those below it, behind its own ones. */
export function groupOptions(command: Command): void {
  for (const option of command.options)
    if (isCommon(option))
      option.helpGroup(HEADING)
      // Commander lists options in the order of this list, which is readonly only as a type.
  ;(command.options as Option[]).sort((a, b) => Number(isCommon(a)) - Number(isCommon(b)))
  for (const child of command.commands) groupOptions(child)
}

/** Adds `--help` as a common option; the commands below inherit it. */
export const withHelpOption = (program: Command): Command =>
  program.addHelpOption(program.createOption('-h, --help', 'show this help').helpGroup(HEADING))
