// memctl remember, supersede, memory pin and memory impact: what a person does with memories on purpose.
import path from 'node:path'
import { Argument, type Command, Option } from 'commander'
import type { ImpactResult } from '../../broker/commands/agingCommands.ts'
import type * as Statements from '../../broker/commands/statements.ts'
import { KNOWLEDGE_SCOPES, type KnowledgeScope } from '../../model/knowledge.ts'
import { OUTCOMES, type Outcome } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { IMPACT_KINDS, type ImpactKind } from '../../model/strength.ts'
import { formatNumber } from '../../report/formatNumber.ts'
import type { ToolContext } from '../../tools/definition/toolContext.ts'
import { changeMemories } from '../context/changeMemories.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { collect, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { describeMemory, excerptOf } from '../format/memoryText.ts'
import { changeOutdated } from './outdated.ts'

interface RememberOptions extends StoreOptions {
  readonly scope?: KnowledgeScope
  readonly file?: string
  readonly when?: readonly string[]
  readonly privacy?: 'agent-only' | 'public'
  readonly role?: string
  readonly task?: string
  readonly outcome?: Outcome
  readonly lesson?: readonly string[]
}

const ID = 'id of the memory or a prefix of it'

const SCOPE_TEXTS: Readonly<Record<KnowledgeScope, string>> = {
  person: 'for you, in every project',
  project: 'for this project',
  branch: 'for this branch',
  path: 'for this file',
}

export function registerRemember(program: Command, io: CliContext): void {
  const about = 'remember a preference, a rule, a decision or a fact: later sessions get it at their start'
  withStoreOptions(program.command('remember').description(about))
    .argument('[text...]', 'what to remember (default: stdin)')
    .addOption(new Option('--scope <scope>', 'what it is about (default: project)').choices(KNOWLEDGE_SCOPES))
    .option('--file <file>', 'the file that it is about')
    .option('--when <trigger>', 'when it is worth a note, such as `Bash: npm install, not pnpm` (repeatable)', collect)
    .addOption(new Option('--privacy <level>', 'who sees it (default: public)').choices(['agent-only', 'public']))
    .option('--role <role>', 'with agent-only: the role of the agents that see it')
    .option('--task <id>', 'the issue or task that it is about, such as #42')
    .addOption(new Option('--outcome <outcome>', 'how that task ended').choices(OUTCOMES))
    .option('--lesson <text>', 'what was learned (repeatable)', collect)
    .action(async (words: readonly string[], options: RememberOptions) => {
      const { scope, file, when, privacy, role, task: taskId, outcome, lesson: lessons } = options
      const place = { scope, file: file && path.resolve(io.cwd, file) }
      const { parseWhen } = await import('../../knowledge/whenText.ts')
      const triggers = when && { when: parseWhen(when) }
      const input = { text: readWords(words, io), ...place, ...triggers, privacy, role, taskId, outcome, lessons }
      const result = await changeStatements(options, io, ({ rememberStatement }, context) =>
        rememberStatement(context, input),
      )
      printResult(io, options.json, result, ({ memory, superseded }) => [
        `${memory.knowledge?.author === 'model' ? 'Noted, as the words of Claude,' : 'Remembered'} ` +
          `${SCOPE_TEXTS[memory.knowledge?.scope ?? 'project']}: ${describeMemory(memory)}`,
        ...superseded.map((other) => `Superseded: ${describeMemory(other)}`),
      ])
    })
}

/** `parent` is the group `memory`; the slash command has none. */
export function registerPin(parent: Command, io: CliContext): void {
  withStoreOptions(parent.command('pin').description('give a memory the highest importance, for as long as you want'))
    .argument('<id|text...>', `${ID}, or a text to remember and pin`)
    .option('--reason <text>', 'the reason, for the log', 'pinned')
    .option('--undo', 'compute the importance of a pinned memory again')
    .action(async (words: readonly string[], options: PinOptions) => {
      if (options.undo) {
        const memory = await changeStatements(options, io, ({ unpinMemory }, context) =>
          unpinMemory(context, words.join(' ')),
        )
        return printResult(io, options.json, { memory }, () => [`Unpinned: ${describeMemory(memory)}`])
      }
      const memory = await changeStatements(options, io, ({ pinMemory, rememberStatement }, context) => {
        const [first = ''] = words
        // One word is an id, so that a wrong one is no new memory.
        const isId = words.length === 1 && first !== '-' && !first.includes(' ')
        const id = isId ? first : rememberStatement(context, { text: readWords(words, io) }).memory.id
        return pinMemory(context, id, options.reason)
      })
      printResult(io, options.json, { memory }, () => [`Pinned: ${describeMemory(memory)}`])
    })
}

interface PinOptions extends StoreOptions {
  readonly reason: string
  readonly undo?: true
}

export function registerImpact(memory: Command, io: CliContext): void {
  withStoreOptions(memory.command('impact').description('rate the impact of a memory; this restores an archived one'))
    .argument('<id>', 'id of the memory or a prefix of it')
    .addArgument(new Argument('<kind>', 'the impact').choices(IMPACT_KINDS))
    .option('--perspective <name>', 'a perspective, such as cost, for which the strength is also raised')
    .action(async (id: string, impact: ImpactKind, options: StoreOptions & { readonly perspective?: string }) => {
      const { recordImpact } = await import('../../broker/commands/agingCommands.ts')
      const rating = { prefix: id, impact, perspective: options.perspective, now: Date.now() }
      printResult(io, options.json, recordImpact(await openSelectedStore(options, io), rating), formatImpact)
    })
}

function formatImpact({ before, after }: ImpactResult, { shortId }: Terminal): string[] {
  const change = (name: string, from: number, to: number): string =>
    `${name} ${formatNumber(from)} → ${formatNumber(to)}`
  const changes = [
    change('strength', before.strength, after.strength),
    change('impact', before.impactScore, after.impactScore),
    ...(before.status === after.status ? [] : ['restored from the archive']),
  ]
  return [`${after.kind} ${shortId(after.id)}: ${changes.join(', ')}.`]
}

interface SupersedeOptions extends StoreOptions {
  readonly by?: string
  readonly reword?: true
  readonly outdated?: true
  readonly undo?: true
}

export function registerSupersede(program: Command, io: CliContext): void {
  const about = 'replace a memory that is no longer right: its text and history stay, but sessions no longer get it'
  withStoreOptions(program.command('supersede').description(about))
    .argument('<id>', `${ID}; with --outdated also words that it contains`)
    .argument('[text...]', 'what is right now (default: stdin)')
    .option('--by <id>', 'the memory that replaces it, instead of a text')
    .addOption(new Option('--reword', 'the same in other words: the text replaces the old one').conflicts(['by']))
    .addOption(new Option('--outdated', 'nothing replaces it').conflicts(['by', 'reword']))
    .option('--undo', 'with --outdated: it does hold; needs its id')
    .action((id: string, words: readonly string[], options: SupersedeOptions) => {
      if (options.outdated) return changeOutdated([id, ...words].join(' ').trim(), options, io)
      if (options.undo) throw new MemoryError('USAGE', '--undo needs --outdated', { hint: 'Give both, and the id.' })
      return supersede(id, words, options, io)
    })
}

async function supersede(
  id: string,
  words: readonly string[],
  { by, reword, ...options }: SupersedeOptions,
  io: CliContext,
): Promise<void> {
  if (by !== undefined && words.length > 0)
    throw new MemoryError('USAGE', 'Both a text and --by were given', { hint: 'Give one of them.' })
  const successor = by === undefined ? { text: readWords(words, io) } : { by }
  const result = await changeStatements(options, io, ({ editMemory, supersedeMemory }, context) =>
    reword && 'text' in successor ? editMemory(context, id, successor.text) : supersedeMemory(context, id, successor),
  )
  printResult(io, options.json, result, ({ before, after }) =>
    reword
      ? [`Changed: ${describeMemory(after)}`, `Before: ${excerptOf(before)}`]
      : [`Superseded: ${describeMemory(before)}`, `Now: ${describeMemory(after)}`],
  )
}

/** The words as one text; of stdin if there are none, or only a dash. */
const readWords = (words: readonly string[], io: CliContext): string =>
  words.length === 0 || (words.length === 1 && words[0] === '-') ? io.stdin() : words.join(' ')

type Change<T> = (statements: typeof Statements, context: ToolContext) => T

const changeStatements = <T>(options: StoreOptions, io: CliContext, make: Change<T>): Promise<T> =>
  changeMemories(options, io, async (context) => make(await import('../../broker/commands/statements.ts'), context))
