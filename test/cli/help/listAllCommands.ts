// Every command of a program with those below it.
import type { Command } from 'commander'

/** A command and all commands below it, itself first. */
export const listAllCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(listAllCommands)]
