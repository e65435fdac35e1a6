// memctl remember, supersede, memory pin and memory impact: what a person does with memories on purpose; and which
// memory they mean, by its id or by words that it contains.
import path from 'node:path'
import { Argument, type Command, Option } from 'commander'
import type * as Statements from '../../broker/commands/statements.ts'
import type { ImpactResult } from '../../broker/commands/statements.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { selectByPrefix, shortId } from '../../model/id.ts'
import { KNOWLEDGE_SCOPES, type KnowledgeScope } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { IMPACT_KINDS, type ImpactKind } from '../../model/strength.ts'
import { formatNumber } from '../../report/formatNumber.ts'
import { type ToolContext, viewingSession } from '../../tools/definition/toolContext.ts'
import { type CliContext, commandText, printResult, type Terminal } from '../context/cliContext.ts'
import {
  changeMemories,
  collect,
  openSelectedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import { describeMemory, excerptOf } from '../format/memoryText.ts'

interface RememberOptions extends StoreOptions {
  readonly scope?: KnowledgeScope
  readonly file?: string
  readonly when?: readonly string[]
}

const ID = 'id of the memory or a prefix of it'
const WHEN = 'when it is worth a note, such as `Bash: npm install, not pnpm` (repeatable)'

const SCOPE_TEXTS: Readonly<Record<KnowledgeScope, string>> = {
  person: 'for you, in every project',
  project: 'for this project',
  branch: 'for this branch',
  path: 'for this file',
}

export function registerRemember(program: Command, io: CliContext): void {
  const about = 'remember a preference, a rule, a decision or a fact: session starts show the newest'
  withStoreOptions(program.command('remember').description(about))
    .argument('[text...]', 'what to remember (default: stdin)')
    .addOption(new Option('--scope <scope>', 'what it is about (default: project)').choices(KNOWLEDGE_SCOPES))
    .option('--file <file>', 'the file that it is about')
    .option('--when <trigger>', WHEN, collect)
    .action(async (words: readonly string[], options: RememberOptions) => {
      const { scope, file, when } = options
      const place = { scope, file: file && path.resolve(io.cwd, file) }
      const input = { text: readWords(words, io), ...place, ...(await readWhen(when)) }
      const { result, store } = await changeStatements(options, io, ({ rememberStatement }, context) => ({
        result: rememberStatement(context, input),
        store: context.store,
      }))
      const starts = await describeStarts(store)
      printResult(io, options.json, result, ({ memory, superseded, narrowed, forgotten }) => [
        `${memory.knowledge?.author === 'model' ? 'Noted, as the words of Claude,' : 'Remembered'} ` +
          `${SCOPE_TEXTS[memory.knowledge?.scope ?? 'project']}: ${describeMemory(memory)}`,
        ...superseded.map((other) => `Superseded: ${describeMemory(other)}`),
        ...(narrowed ? ['What it replaces was for every project: the other ones no longer get it.'] : []),
        ...(forgotten ? ['It stays on this machine: `memctl forget` has erased it for the whole team.'] : []),
        ...starts,
      ])
    })
}

/** Says so if a start has no room for all that the person wants. */
async function describeStarts(store: Store): Promise<string[]> {
  const { readKnowledge } = await import('../../broker/handlers/knowledgeNotes.ts')
  const { readActivePolicy } = await import('../../broker/policy/activePolicy.ts')
  const { selectForStart } = await import('../../knowledge/selectKnowledge.ts')
  const wanted = readKnowledge(store, 'main').filter(
    ({ voice, worth, branch }) => voice !== 'known' && worth > 0 && branch === undefined,
  )
  const shown = selectForStart(wanted, undefined, readActivePolicy(store).policy.knowledge)
  if (shown.length === wanted.length) return []
  return [
    `A session start has room for ${shown.length} of ${wanted.length} such entries, the newest first.`,
    'The others come when a trigger of theirs fires, or when a search finds them.',
  ]
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

type PinOptions = StoreOptions & { readonly reason: string; readonly undo?: true }

export function registerImpact(memory: Command, io: CliContext): void {
  withStoreOptions(memory.command('impact').description('rate the impact of a memory; this restores an archived one'))
    .argument('<id>', 'id of the memory or a prefix of it')
    .addArgument(new Argument('<kind>', 'the impact').choices(IMPACT_KINDS))
    .option('--perspective <name>', 'a perspective, such as cost, for which the strength is also raised')
    .action(async (id: string, impact: ImpactKind, options: StoreOptions & { readonly perspective?: string }) => {
      const { recordImpact } = await import('../../broker/commands/statements.ts')
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
  readonly when?: readonly string[]
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
    .option('--when <trigger>', WHEN, collect)
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
  { by, reword, when, ...options }: SupersedeOptions,
  io: CliContext,
): Promise<void> {
  if (by !== undefined && words.length > 0)
    throw new MemoryError('USAGE', 'Both a text and --by were given', { hint: 'Give one of them.' })
  const successor = by === undefined ? { text: readWords(words, io), ...(await readWhen(when)) } : { by }
  const result = await changeStatements(options, io, ({ editMemory, supersedeMemory }, context) =>
    reword && 'text' in successor ? editMemory(context, id, successor.text) : supersedeMemory(context, id, successor),
  )
  printResult(io, options.json, result, ({ before, after }) =>
    reword
      ? [`Changed: ${describeMemory(after)}`, `Before: ${excerptOf(before)}`]
      : [`Superseded: ${describeMemory(before)}`, `Now: ${describeMemory(after)}`],
  )
}

/** The triggers that these options describe, if there are any. Throws INPUT_INVALID. */
async function readWhen(texts: readonly string[] | undefined) {
  const { parseWhen } = await import('../../knowledge/when.ts')
  return texts && { when: parseWhen(texts) }
}

/** The words as one text; of stdin if there are none, or only a dash. */
const readWords = (words: readonly string[], io: CliContext): string =>
  words.length === 0 || (words.length === 1 && words[0] === '-') ? io.stdin() : words.join(' ')

type Change<T> = (statements: typeof Statements, context: ToolContext) => T

const changeStatements = <T>(options: StoreOptions, io: CliContext, make: Change<T>): Promise<T> =>
  changeMemories(options, io, async (context) => make(await import('../../broker/commands/statements.ts'), context))

/** Archives the memory that these words or this id name, or makes it hold again. Throws USAGE and NOT_FOUND. */
async function changeOutdated(words: string, options: SupersedeOptions, io: CliContext): Promise<void> {
  if (words === '') throw new MemoryError('USAGE', 'No memory was named', { hint: 'Give its id, or words of it.' })
  let found: FoundMemories | undefined
  const changed = await changeMemories(options, io, async (context) => {
    const { markOutdated, unmarkOutdated } = await import('../../broker/commands/statements.ts')
    if (options.undo) return unmarkOutdated(context, words)
    found = await findMeant(context, words)
    return found.kind === 'clear' ? markOutdated(context, found.memory.id) : undefined
  })
  const meant = found?.kind === 'several' ? found.memories : []
  const command = io.isSlashCommand ? 'outdated' : 'supersede --outdated'
  printResult(io, options.json, changed ? { memory: changed } : { memories: meant }, () => {
    if (!changed) return found && found.kind !== 'clear' ? askWhichMemory(found, words, command, io) : []
    if (options.undo) return [`Holds again: ${describeMemory(changed)}`]
    const id = shortId(changed.id)
    return [
      `Outdated from now on: ${describeMemory(changed)}`,
      `To say what is right instead: ${commandText(io, `supersede ${id} TEXT`)}`,
      `If that was wrong: ${commandText(io, `${command} --undo ${id}`)}`,
    ]
  })
}

/** An id or its beginning, as lists print it: at least four hexadecimal digits, one of them a digit. */
export const isShortId = (word: string): boolean => /^#?(?=[a-f-]*\d)[0-9a-f]{4,8}(?:-[0-9a-f-]*)?$/i.test(word)

/** Memories that are listed if it is not sure which one is meant. */
const LISTED_MAX = 6

/** A share of the question's words from which on a memory may be the one that is meant. */
const COVERAGE_MIN = 0.5

/** From this share on, a memory has every word that was said: of Japanese, parts of words are counted too. */
const ALL_WORDS = 0.9

type FoundMemories =
  | { readonly kind: 'clear'; readonly memory: Memory }
  | { readonly kind: 'several'; readonly memories: readonly Memory[] }
  | { readonly kind: 'none' }

/**
 * The active memory that these words mean: the only one that has all of them, or else the only one that has most of
 * them. An id or its beginning names one. Throws NOT_FOUND for an id without a memory.
 */
export async function findMeant(context: ToolContext, words: string): Promise<FoundMemories> {
  const viewing = viewingSession(context)
  if (isShortId(words)) {
    const { listVisible } = await import('../../broker/live/liveStore.ts')
    const { MEMORY_IDS } = await import('../../broker/queries/browse.ts')
    const memory = selectByPrefix(listVisible(context.liveStore, viewing), words.replace(/^#/, ''), MEMORY_IDS)
    return { kind: 'clear', memory }
  }
  const { hybridSearch } = await import('../../broker/search/hybridSearch.ts')
  const hits = await hybridSearch(context.liveStore, {
    ...viewing,
    query: words,
    mode: 'keyword',
    topK: 50,
    passes: ({ status, privacy }) => status === 'active' && privacy === 'public',
  })
  const withAll = hits.filter(({ similarity }) => similarity >= ALL_WORDS)
  const near = withAll.length > 0 ? withAll : hits.filter(({ similarity }) => similarity >= COVERAGE_MIN)
  const [first, ...others] = near
  if (first && others.length === 0) return { kind: 'clear', memory: first.memory }
  const listed = near.length > 0 ? near : hits
  if (listed.length === 0) return { kind: 'none' }
  return { kind: 'several', memories: listed.slice(0, LISTED_MAX).map(({ memory }) => memory) }
}

/** What to print if it is not clear which memory is meant: each with the command that means it. */
export function askWhichMemory(
  found: Exclude<FoundMemories, { readonly kind: 'clear' }>,
  words: string,
  command: string,
  io: CliContext,
): string[] {
  if (found.kind === 'none') return [`No memory has the words "${words}". Nothing was changed.`]
  return [
    `Which one? Nothing was changed.`,
    ...found.memories.flatMap((memory) => [
      `- ${describeMemory(memory)}`,
      `  ${commandText(io, `${command} ${memory.id.slice(0, 8)}`)}`,
    ]),
  ]
}
