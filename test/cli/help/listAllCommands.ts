// Every command of a program that its help lists.
import type { Command } from 'commander'

/** A command and all commands below it, itself first; without hidden ones. */
export const listAllCommands = (command: Command): Command[] => [
  command,
  ...command
    .createHelp()
    .visibleCommands(command)
    .flatMap((child) => listAllCommands(child)),
]
