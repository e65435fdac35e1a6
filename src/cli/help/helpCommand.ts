// memctl help: the help of a command, what every command does, or a topic.
import type { Command } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from '../context/cliContext.ts'
import { formatFullHelp } from './formatHelp.ts'
import { HELP_TOPICS } from './helpTopics.ts'

export function registerHelp(program: Command, io: CliContext): void {
  const topics = Object.keys(HELP_TOPICS)
  program
    .helpCommand(false)
    .command('help')
    .summary('show the help of a command or a topic')
    .description(`show the help of a command, or of a topic: ${topics.join(', ')}`)
    .argument('[command...]', 'the words of the command, or a topic')
    .option('--all', 'one line about each command')
    .action((words: readonly string[], options: { readonly all?: boolean }) => {
      const [first] = words
      const topic = first === undefined ? undefined : HELP_TOPICS[first]
      if (topic) return void io.out.write(`${topic.join('\n')}\n`)
      if (options.all) return void io.out.write(formatFullHelp(program))
      const command = findCommand(program, words)
      if (command === program && first !== undefined)
        throw new MemoryError('USAGE', `There is no help on "${words.join(' ')}"`, {
          hint: `Run \`memctl help --all\` for all commands. Topics: ${topics.join(', ')}.`,
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
