// The options that most commands have: the help lists them last, under a heading of their own.
import type { Command, Option } from 'commander'

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
