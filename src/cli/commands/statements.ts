// memctl remember, edit, pin, unpin and supersede: what a person does with memories on purpose.

import path from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type * as Statements from '../../broker/commands/statements.ts'
import { OUTCOMES, type Outcome } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { STATEMENT_SCOPES, type Statement, type StatementScope } from '../../model/statement.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import { changeMemories } from '../context/changeMemories.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { collect, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { describeMemory, excerptOf } from '../format/memoryText.ts'
import { isShortId } from './findMeant.ts'

interface RememberOptions extends StoreOptions {
  readonly scope?: StatementScope
  readonly file?: string
  readonly strength?: Statement['strength']
  readonly privacy?: 'agent-only' | 'public'
  readonly role?: string
  readonly task?: string
  readonly outcome?: Outcome
  readonly lesson?: readonly string[]
}

const ID = 'id of the memory or a prefix of it'

const SCOPE_TEXTS: Readonly<Record<StatementScope, string>> = {
  person: 'for you, in every project',
  project: 'for this project',
  branch: 'for this branch',
  file: 'for this file',
}

export function registerRemember(program: Command, io: CliContext): void {
  const about = 'remember a preference, a rule, a decision or a fact: later sessions get it at their start'
  withStoreOptions(program.command('remember').description(about))
    .argument('[text...]', 'what to remember (default: stdin)')
    .addOption(new Option('--scope <scope>', 'what it is about (default: project)').choices(STATEMENT_SCOPES))
    .option('--file <file>', 'the file that it is about')
    .option('--strength <n>', '1: only found by search, 2: lasting, 3: a standing instruction', parseStrength)
    .addOption(new Option('--privacy <level>', 'who sees it (default: public)').choices(['agent-only', 'public']))
    .option('--role <role>', 'with agent-only: the role of the agents that see it')
    .option('--task <id>', 'the issue or task that it is about, such as #42')
    .addOption(new Option('--outcome <outcome>', 'how that task ended').choices(OUTCOMES))
    .option('--lesson <text>', 'what was learned (repeatable)', collect)
    .action(async (words: readonly string[], options: RememberOptions) => {
      const { scope, file, strength, privacy, role, task: taskId, outcome, lesson: lessons } = options
      const place = { scope, file: file && path.resolve(io.cwd, file) }
      const input = { text: readWords(words, io), ...place, strength, privacy, role, taskId, outcome, lessons }
      const result = await changeStatements(options, io, ({ rememberStatement }, context) =>
        rememberStatement(context, input),
      )
      printResult(io, options.json, result, ({ memory, superseded }) => [
        `Remembered ${SCOPE_TEXTS[memory.statement?.scope ?? 'project']}: ${describeMemory(memory)}`,
        ...superseded.map((other) => `Superseded: ${describeMemory(other)}`),
      ])
    })
}

export function registerEdit(program: Command, io: CliContext): void {
  withStoreOptions(program.command('edit').description('replace the text of a memory'))
    .argument('<id>', ID)
    .argument('[text...]', 'the new text (default: stdin)')
    .action(async (id: string, words: readonly string[], options: StoreOptions) => {
      const text = readWords(words, io)
      const result = await changeStatements(options, io, ({ editMemory }, context) => editMemory(context, id, text))
      printResult(io, options.json, result, ({ before, after }) => [
        `Changed: ${describeMemory(after)}`,
        `Before: ${excerptOf(before)}`,
      ])
    })
}

export function registerPin(program: Command, io: CliContext): void {
  withStoreOptions(program.command('pin').description('give a memory the highest importance, for as long as you want'))
    .argument('<id|text...>', `${ID}, or a text to remember and pin`)
    .option('--reason <text>', 'the reason, for the log', 'pinned')
    .action(async (words: readonly string[], options: StoreOptions & { readonly reason: string }) => {
      const memory = await changeStatements(options, io, ({ pinMemory, rememberStatement }, context) => {
        const [first = ''] = words
        const isId = words.length === 1 && isShortId(first)
        const id = isId ? first : rememberStatement(context, { text: readWords(words, io) }).memory.id
        return pinMemory(context, id, options.reason)
      })
      printResult(io, options.json, { memory }, () => [`Pinned: ${describeMemory(memory)}`])
    })
  withStoreOptions(program.command('unpin').description('compute the importance of a pinned memory again'))
    .argument('<id>', ID)
    .action(async (id: string, options: StoreOptions) => {
      const memory = await changeStatements(options, io, ({ unpinMemory }, context) => unpinMemory(context, id))
      printResult(io, options.json, { memory }, () => [`Unpinned: ${describeMemory(memory)}`])
    })
}

export function registerSupersede(program: Command, io: CliContext): void {
  const about = 'replace a memory that is no longer right: its text and history stay, but sessions no longer get it'
  withStoreOptions(program.command('supersede').description(about))
    .argument('<id>', ID)
    .argument('[text...]', 'what is right now (default: stdin)')
    .option('--by <id>', 'the memory that replaces it, instead of a text')
    .action(async (id: string, words: readonly string[], options: StoreOptions & { readonly by?: string }) => {
      const { by } = options
      if (by !== undefined && words.length > 0) {
        throw new MemoryError('USAGE', 'Both a text and --by were given', { hint: 'Give one of them.' })
      }
      const successor = by === undefined ? { text: readWords(words, io) } : { by }
      const result = await changeStatements(options, io, ({ supersedeMemory }, context) =>
        supersedeMemory(context, id, successor),
      )
      printResult(io, options.json, result, ({ before, after }) => [
        `Superseded: ${describeMemory(before)}`,
        `Now: ${describeMemory(after)}`,
      ])
    })
}

/** The words as one text; of stdin if there are none, or only a dash. */
const readWords = (words: readonly string[], io: CliContext): string =>
  words.length === 0 || (words.length === 1 && words[0] === '-') ? io.stdin() : words.join(' ')

function parseStrength(text: string): Statement['strength'] {
  const strength = ([1, 2, 3] as const).find((choice) => String(choice) === text)
  if (strength === undefined) throw new InvalidArgumentError('Use 1, 2 or 3.')
  return strength
}

type Change<T> = (statements: typeof Statements, context: ToolContext) => T

const changeStatements = <T>(options: StoreOptions, io: CliContext, make: Change<T>): Promise<T> =>
  changeMemories(options, io, async (context) => make(await import('../../broker/commands/statements.ts'), context))
