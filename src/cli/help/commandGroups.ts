// The groups of `memctl --help`: the twelve everyday commands first, then the others by subject. A new command is added
// here; test/cli/help/help.test.ts fails for a command without a group.
import type { Command } from 'commander'

/** The heading of a group, and its commands in the order of the help. */
type CommandGroup = readonly [heading: string, names: readonly string[]]

/** The group that is listed with a line for each command, also in the short help. */
export const EVERYDAY = 'Everyday commands'

const words = (text: string): readonly string[] => text.split(' ')

// `init` and `uninstall` are not everyday commands: each is run once, and "Set up" is the next line.
export const COMMAND_GROUPS: readonly CommandGroup[] = [
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
