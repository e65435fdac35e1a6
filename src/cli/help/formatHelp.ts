// The help of the program and of each command: commander's pages, a first page that fits on one screen, memctl help,
// and its texts: groups and summaries of commands, examples, and hints for words that are no command.
//
// The everyday commands come first, then the others by subject. A new command gets a group here, and an example if it
// takes arguments; test/cli/help/help.test.ts fails for one without.
import { type Command, Help, type Option } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { displayWidth, removeControls, wrapText } from '../../report/fitText.ts'
import { formatTable, textColumn } from '../../report/formatTable.ts'
import { isEnglish, isolate, translate } from '../../report/translation.ts'
import type { CliContext } from '../context/cliContext.ts'

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

/** The group that is listed with a line for each command, also in the short help. */
export const EVERYDAY = 'Everyday commands'

const words = (text: string): readonly string[] => text.split(' ')

// `init` and `uninstall` are not everyday commands: each is run once, and "Set up" is the next line.
export const COMMAND_GROUPS: readonly (readonly [heading: string, names: readonly string[]])[] = [
  [EVERYDAY, words('status search list show why recall shown remember supersede forget report doctor')],
  ['Set up', words('init import export project uninstall')],
  ['Team', words('hub')],
  ['Maintenance', words('organize rebuild policy')],
  ['Tools of agents', words('memory entry mcp')],
  ['Help', words('help')],
]

/** A few words about the everyday commands, for a list of commands. The others have their description there. */
const SUMMARIES: Readonly<Record<string, string>> = {
  status: 'show what memctl has recorded and learned here, and what is wrong',
  report: 'write an HTML page: what was learned, shown and used',
  search: 'find memories by words',
  list: 'list memories, the latest first',
  show: 'show one memory and what it was derived from',
  why: 'show why a file is as it is',
  recall: 'show what Claude would be shown now, and why',
  shown: 'show which notes a session was shown, and why; or rate them',
  remember: 'remember a rule, a decision or a fact',
  supersede: 'replace a memory that is no longer right',
  forget: 'erase memories, a session or a text, with all copies',
  doctor: 'check machine, hooks and store',
}

/** Gives each command of the program its group, and brings the commands into the order of the groups. */
export function groupCommands(program: Command): void {
  const order = COMMAND_GROUPS.flatMap(([, names]) => names)
  for (const [heading, names] of COMMAND_GROUPS) {
    for (const command of program.commands) {
      if (names.includes(command.name())) command.helpGroup(`${heading}:`)
      const summary = SUMMARIES[command.name()]
      if (summary !== undefined) command.summary(summary)
    }
  }
  const positionOf = (command: Command): number =>
    (order.indexOf(command.name()) + order.length + 1) % (order.length + 1)
  // Commander lists commands in the order of this list, which is readonly only as a type.
  ;(program.commands as Command[]).sort((a, b) => positionOf(a) - positionOf(b))
}

/** The examples of a command, by its words without `memctl`. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  init: ['memctl init --dry-run', 'memctl init --user     for all your projects', 'memctl init --upgrade'],
  status: ['memctl status', 'memctl status --project ../shop'],
  report: ['memctl report', 'memctl report --effect'],
  search: ['memctl search release checklist', 'memctl search tax --kind decision'],
  list: [
    'memctl list --kind decision',
    'memctl list --sort help --limit 10',
    'memctl list --sessions',
    'memctl list --events recalled',
  ],
  show: ['memctl show bf875c7f     an id from memctl list', 'memctl show bf875c7f --contribution'],
  why: ['memctl why src/tax.js', 'memctl why tax.js'],
  recall: ['memctl recall how do we release', 'memctl recall --moment start     what the next session gets'],
  remember: ['memctl remember "Prices are integers, in cents"', 'memctl remember --scope person "Answer briefly"'],
  supersede: [
    'memctl supersede bf875c7f "Run npm run build first"',
    'memctl supersede bf875c7f --by 2457b0db',
    'memctl supersede bf875c7f --outdated',
  ],
  forget: ['memctl forget bf875c7f --dry-run', 'memctl forget --text "the secret words"'],
  doctor: ['memctl doctor', 'memctl doctor --log --fix --dry-run', 'memctl doctor --embedder --probe'],
  'import transcripts': ['memctl import transcripts --dry-run'],
  'import claude-mem': ['memctl import claude-mem --dry-run'],
  'import markdown': ['memctl import markdown ~/notes --dry-run'],
  'import memctl': ['memctl import memctl shop.jsonl'],
  export: ['memctl export --out shop.jsonl'],
  'project link': ['memctl project link shop-old'],
  'project merge': ['memctl project merge shop-old --dry-run'],
  'project rename': ['memctl project rename shop store'],
  'project forget': ['memctl project forget shop-old --dry-run'],
  uninstall: ['memctl uninstall --dry-run'],
  shown: ['memctl shown --session 2bd90368', 'memctl shown 2 3 --not-useful     numbers of memctl shown'],
  'policy show': ['memctl policy show --all'],
  'policy reset': ['memctl policy reset --dry-run'],
  'policy validate': ['memctl policy validate mine.yaml'],
  'hub connect': ['memctl hub connect postgresql://me@db.example.com/team --name Aki'],
  'hub join': ['memctl hub join --dry-run', 'memctl hub join --project-key github.com/me/shop'],
  'hub sync': ['memctl hub sync', 'memctl hub sync --all', 'memctl hub sync --dry-run'],
  'hub grant': ['memctl hub grant team --project github.com/acme/shop --write'],
  'hub revoke': ['memctl hub revoke team --project github.com/acme/shop'],
  'hub policy': ['memctl hub policy', 'memctl hub policy --kinds lesson,decision --review on'],
  'hub review': ['memctl hub review', 'memctl hub review accept 12'],
  'hub pin': ['memctl hub pin 2bd90368', 'memctl hub pin 2bd90368 --undo'],
  'hub remove': ['memctl hub remove Mika --dry-run', 'memctl hub remove --project github.com/acme/old'],
  'hub log': ['memctl hub log --limit 50', 'memctl hub log 2bd90368'],
  'hub migrate': ['memctl hub migrate --dry-run', 'memctl hub migrate --url postgresql://me@db.example.com/team'],
  organize: ['memctl organize', 'memctl organize --distill --session 2bd90368', 'memctl organize --sleep main'],
  rebuild: ['memctl rebuild', 'memctl rebuild --from backup/events --dry-run', 'memctl rebuild --vectors'],
  'memory store': ['memctl memory store "The API has version 2" --tags api'],
  'memory search': ['memctl memory search dark mode --search-mode hybrid --top-k 5'],
  'memory get': ['memctl memory get bf875c7f'],
  'memory update': ['memctl memory update bf875c7f --tags api,v2'],
  'memory delete': ['memctl memory delete bf875c7f --dry-run'],
  'memory list': ['memctl memory list --tags api --limit 20'],
  'memory batch-store': [`echo '[{"content": "A"}, {"content": "B"}]' | memctl memory batch-store`],
  'memory batch-update': [`echo '[{"id": "ID", "tags": ["api"]}]' | memctl memory batch-update`],
  'memory get-score': ['memctl memory get-score bf875c7f'],
  'memory set-score': ['memctl memory set-score bf875c7f 0.9 --reason "asked for daily"'],
  'memory consolidate': ['memctl memory consolidate bf875c7f 2457b0db'],
  'memory pin': [
    'memctl memory pin bf875c7f',
    'memctl memory pin "Never push to main"',
    'memctl memory pin bf875c7f --undo',
  ],
  'memory impact': ['memctl memory impact bf875c7f user_positive'],
  'entry save': ['memctl entry save deploy --content "On Tuesdays" --tags ops'],
  'entry find': ['memctl entry find deploy', 'memctl entry find deploy --archived'],
  'entry get': ['memctl entry get deploy'],
  'entry list': ['memctl entry list --tags ops'],
  'entry delete': ['memctl entry delete deploy --dry-run'],
  'entry summary': ['memctl entry summary'],
  'entry restore': ['memctl entry restore deploy'],
  mcp: ['memctl mcp --tools all'],
  help: ['memctl help policy show', 'memctl help --all'],
}

/** What is no option of a command; at the end of the full help. */
const ENVIRONMENT: readonly string[] = [
  'Environment:',
  '  MEMCTL_HOME   the folder of all memory, with config.yaml (default: ~/.memctl)',
  '  MEMCTL_OFF    1: memctl records nothing and shows nothing',
  '  MEMCTL_DEBUG  1: show where a bug is',
  '  MEMCTL_LANG   the language of what commands print: en or ja (default: that of the locale)',
  '  NO_COLOR      1: no colors',
]

/** Commands, and the words for them. Several commands may do what a word means. */
const SYNONYMS: readonly (readonly [commands: readonly string[], synonyms: readonly string[]])[] = [
  [['forget'], words('rm del delete erase drop redact')],
  [['forget', 'project forget', 'uninstall'], words('remove clear clean purge reset')],
  [['remember'], words('add new note save store create learn insert')],
  [['search', 'recall'], words('find query ask grep lookup')],
  [['show'], words('get view cat read open print describe inspect')],
  [['supersede'], words('change modify replace set correct edit outdated')],
  [['supersede', 'init'], words('update')],
  [['init'], words('install setup enable start on upgrade hook')],
  [['uninstall'], words('disable stop off deinstall')],
  [['status', 'report'], words('stats stat info usage size du top')],
  [['status', 'list'], words('ps running')],
  [['init'], words('statusline')],
  [['list'], words('tiers')],
  [['doctor'], words('check verify test diagnose fix repair health log embed')],
  [['policy', 'doctor'], words('config configure settings set-config options')],
  [['list', 'report'], words('history logs timeline activity')],
  [['export', 'import'], words('backup dump restore load migrate move mv copy transfer')],
  [['report', 'status'], words('dashboard html ui web serve watch')],
  [['why'], words('explain blame reason')],
  [['project list', 'project'], words('projects')],
  [['list'], words('memories all dir sessions events')],
  [['policy reset', 'forget'], words('undo revert rollback')],
  [['memory pin'], words('star favorite important keep pin unpin')],
  [['memory'], words('impact score consolidate')],
  [['entry'], words('archive')],
  [['show', 'shown'], words('contribution rate')],
  [['report'], words('improve effect')],
  [['organize'], words('sleep distill')],
  [['hub'], words('sync team')],
  [['mcp'], words('server tools')],
]

/** A hint for a word that people use for one or several commands of the program; undefined for any other word. */
export function hintForSynonym(program: Command, word: string): string | undefined {
  const names = SYNONYMS.find(([, synonyms]) => synonyms.includes(word.toLowerCase()))?.[0] ?? []
  const known = names.flatMap((name) => {
    const command = name
      .split(' ')
      .reduce<Command | undefined>((parent, part) => parent?.commands.find((child) => child.name() === part), program)
    return command ? [`\`${program.name()} ${name}\` (${command.summary() || command.description()})`] : []
  })
  return known.length === 0 ? undefined : `Use ${known.join(' or ')}.`
}
