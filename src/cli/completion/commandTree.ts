// Where one can stand in a command line, and what may come next there.
import type { Command } from 'commander'

/** A word that may come next, and what it is for, on one line. */
export interface CompletionWord {
  readonly word: string
  readonly description: string
}

interface CompletionOption extends CompletionWord {
  /** It wants a value after it. */
  readonly takesValue: boolean
  /** The values it takes, where only some are allowed. */
  readonly choices: readonly string[]
}

export interface CommandNode {
  /** The words of commands up to here: `memory store`; empty at the beginning. */
  readonly path: string
  readonly commands: readonly CompletionWord[]
  readonly options: readonly CompletionOption[]
  /** What the first argument may be, where only some are allowed. */
  readonly choices: readonly string[]
}

/** Every place of a command and of those below it, itself first. */
export function listCommandNodes(command: Command, path: readonly string[] = []): CommandNode[] {
  const options = command.options.flatMap((option): CompletionOption[] =>
    option.hidden || !option.long
      ? []
      : [
          {
            word: option.long,
            description: oneLine(option.description),
            takesValue: option.required || option.optional,
            choices: option.argChoices ?? [],
          },
        ],
  )
  const help = { word: '--help', description: 'display help for command', takesValue: false, choices: [] }
  return [
    {
      path: path.join(' '),
      commands: command.commands.map((one) => ({ word: one.name(), description: oneLine(one.description()) })),
      options: [...options, help],
      choices: command.registeredArguments[0]?.argChoices ?? [],
    },
    ...command.commands.flatMap((one) => listCommandNodes(one, [...path, one.name()])),
  ]
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Options of any place that want a value: the word after one is no command. */
export const listValueOptions = (places: readonly CommandNode[]): string[] => [
  ...new Set(
    places.flatMap((place) => place.options.filter((option) => option.takesValue).map((option) => option.word)),
  ),
]

/** A text as one word of a shell, in single quotes. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
