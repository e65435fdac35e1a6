// The table of commands in docs/commands.md, made from the commander tree.
import type { Command } from 'commander'
import { COMMAND_GROUPS } from '../../src/cli/help/commandGroups.ts'
import { commandPath } from '../../src/cli/help/formatHelp.ts'
import { listAllCommands } from './help/listAllCommands.ts'

/** A table for each group of the help: the command with its arguments, and what it does. */
export function formatCommandTables(program: Command): string {
  return COMMAND_GROUPS.flatMap(([heading, names]) => {
    const commands = names.flatMap((name) => program.commands.filter((command) => command.name() === name))
    const leaves = commands.flatMap(listAllCommands).filter((command) => command.commands.length === 0)
    if (leaves.length === 0) return []
    return ['', `### ${heading}`, '', '| command | what it does |', '|---|---|', ...leaves.map(formatRow)]
  }).join('\n')
}

function formatRow(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`.toUpperCase()
    return argument.required ? name : `[${name}]`
  })
  const words = ['memctl', commandPath(command), ...names].join(' ')
  return `| \`${words}\` | ${command.description().replaceAll('|', '\\|')} |`
}
