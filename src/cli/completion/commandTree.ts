// The commands as a list of nodes, each with the words that may follow it. Shell scripts are generated from it.
import type { Command } from 'commander'

/** A word that may follow, with its description on one line. */
export interface CompletionWord {
  readonly word: string
  readonly description: string
}

interface CompletionOption extends CompletionWord {
  /** A value follows it. */
  readonly takesValue: boolean
  /** The allowed values; empty for any. */
  readonly choices: readonly string[]
}

export interface CommandNode {
  /** The words of the command: `memory store`; empty for memctl itself. */
  readonly path: string
  readonly commands: readonly CompletionWord[]
  readonly options: readonly CompletionOption[]
  /** The allowed values of the first argument; empty for any. */
  readonly choices: readonly string[]
  /** Whether its arguments are ids of memories. */
  readonly takesIds: boolean
}

/** The hidden command that prints ids for the scripts. */
export const OFFER_IDS = 'complete-ids'

/** A command and all commands below it, itself first. */
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
  const visible = command.commands.filter((child) => child.name() !== OFFER_IDS)
  const help = { word: '--help', description: 'display help for command', takesValue: false, choices: [] }
  return [
    {
      path: path.join(' '),
      commands: visible.map((child) => ({ word: child.name(), description: oneLine(child.description()) })),
      options: [...options, help],
      choices: command.registeredArguments[0]?.argChoices ?? [],
      takesIds: /^ids?\b/.test(command.registeredArguments[0]?.name() ?? ''),
    },
    ...visible.flatMap((child) => listCommandNodes(child, [...path, child.name()])),
  ]
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Options with a value, of any command: the word after one is not a command. */
export const listValueOptions = (nodes: readonly CommandNode[]): string[] => [
  ...new Set(nodes.flatMap((node) => node.options.filter((option) => option.takesValue).map((option) => option.word))),
]

/** A text as one word of a shell, in single quotes. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** One line per node; without those that are empty. */
export const formatRows = (nodes: readonly CommandNode[], row: (node: CommandNode) => string | undefined): string =>
  nodes
    .map(row)
    .filter((line) => line !== undefined && line !== '')
    .join('\n')
