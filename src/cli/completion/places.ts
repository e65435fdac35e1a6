// Where one can stand in a command line, and what may come next there.
import type { Command } from 'commander'

/** A word that may come next, and what it is for, on one line. */
export interface Word {
  readonly word: string
  readonly about: string
}

interface OptionWord extends Word {
  /** It wants a value after it. */
  readonly takes: boolean
  /** The values it takes, where only some are allowed. */
  readonly choices: readonly string[]
}

export interface Place {
  /** The words of commands up to here: `memory store`; empty at the beginning. */
  readonly path: string
  readonly commands: readonly Word[]
  readonly options: readonly OptionWord[]
  /** What the first argument may be, where only some are allowed. */
  readonly choices: readonly string[]
}

/** Every place of a command and of those below it, itself first. */
export function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const options = command.options.flatMap((option): OptionWord[] =>
    option.hidden || !option.long
      ? []
      : [
          {
            word: option.long,
            about: oneLine(option.description),
            takes: option.required || option.optional,
            choices: option.argChoices ?? [],
          },
        ],
  )
  const help = { word: '--help', about: 'display help for command', takes: false, choices: [] }
  return [
    {
      path: path.join(' '),
      commands: command.commands.map((one) => ({ word: one.name(), about: oneLine(one.description()) })),
      options: [...options, help],
      choices: command.registeredArguments[0]?.argChoices ?? [],
    },
    ...command.commands.flatMap((one) => placesOf(one, [...path, one.name()])),
  ]
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Options of any place that want a value: the word after one is no command. */
export const takingValue = (places: readonly Place[]): string[] => [
  ...new Set(places.flatMap((place) => place.options.filter((option) => option.takes).map((option) => option.word))),
]

/** A text as one word of a shell, in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
