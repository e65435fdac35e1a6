// memctl shown: the notes that a session was shown, each with the reason in words; and whether they were useful.
import { type Command, Option } from 'commander'
import type { ShownNote } from '../../broker/queries/sessionLog.ts'
import { type SessionId, shortId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { selectRankingModel } from '../../model/rankingScore.ts'
import { clipText, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTimestamp } from '../../report/formatNumber.ts'
import { explainNote } from '../../report/noteReason.ts'
import { type CliContext, commandText, printResult } from '../context/cliContext.ts'
import { integerOption, openToolContext, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { excerptOf } from '../format/memoryText.ts'
import { isShortId } from './statements.ts'

interface ShownOptions extends StoreOptions {
  readonly session?: string
  readonly limit: number
  readonly useful?: true
  readonly notUseful?: true
  readonly contribution?: true
}

/** A note with its number in the session, from 1 in the order of time, and its text. */
interface ListedNote extends ShownNote {
  readonly number: number
  readonly title: string
  readonly why: string
}

/** Notes that are printed, the latest. */
const LISTED_USUALLY = 10

export function registerShown(program: Command, io: CliContext): void {
  withStoreOptions(program.command('shown').description('show which notes a session was shown, and why; or rate them'))
    .argument('[notes...]', 'of a rating: numbers or ids, or `all` (default: the notes that were shown last)')
    .option('--session <id>', 'this session, an id or a prefix of it (default: the current one, else the last one)')
    .option('--limit <n>', 'maximum number of notes, the latest', integerOption(1), LISTED_USUALLY)
    .addOption(
      new Option('--useful', 'rate them: they helped; this outweighs what memctl observes').conflicts('notUseful'),
    )
    .option('--not-useful', 'rate them: they did not help')
    .addOption(
      new Option('--contribution', 'what the recalls of the session contributed').conflicts(['useful', 'notUseful']),
    )
    .action(async (words: readonly string[], options: ShownOptions) => {
      if (options.contribution && words.length === 0) {
        const { session } = await listNotes(options, io)
        return (await import('./contribution.ts')).printContribution('session', session, options, io)
      }
      if (options.useful || options.notUseful) return rate(words, options, io)
      if (words.length === 0) return show(options, io)
      throw new MemoryError('USAGE', 'Notes are named, and no rating is given', {
        hint: 'Add --useful or --not-useful. Without a rating all notes of the session are listed.',
      })
    })
}

async function show(options: ShownOptions, io: CliContext): Promise<void> {
  const { notes, session } = await listNotes(options, io)
  const latest = notes.slice(-options.limit)
  printResult(io, options.json, { session, notes: latest, total: notes.length }, (result, { columns }) => [
    ...(notes.length === 0 ? ['This session was shown no notes.'] : []),
    ...(latest.length < notes.length ? [`The last ${latest.length} of ${result.total} notes:`] : []),
    ...latest.flatMap((note) => formatNote(note, columns)),
    ...(notes.length === 0 ? [] : ['', `Were they useful? ${rateCommands(io)}`]),
  ])
}

async function rate(words: readonly string[], options: ShownOptions, io: CliContext): Promise<void> {
  const { context, notes, session } = await listNotes(options, io)
  const rated = selectNotes(notes, words, io)
  const { rateNotes } = await import('../../broker/commands/statements.ts')
  const { callerEvent, commitEvents } = await import('../../broker/commit/commitEvents.ts')
  const rating = options.useful ? 'useful' : 'not useful'
  const commit = (body: Parameters<Parameters<typeof rateNotes>[0]>[0]): void =>
    // Of the session that was shown them, also if another one rates.
    void commitEvents(context.store, [callerEvent(body, { now: Date.now(), nonce: context.newId(), session })])
  rateNotes(commit, rated, rating)
  printResult(io, options.json, { session, rating, notes: rated, total: rated.length }, () => [
    `Rated ${rating}:`,
    ...rated.map((note) => `- ${note.title} (${shortId(note.memory)})`),
    'It counts when the session ends: for how often each note is shown, and for what memctl learns.',
  ])
}

/** The notes of the session, and the store with its caller. Throws NOT_FOUND if there is no session. */
async function listNotes(options: ShownOptions, io: CliContext) {
  const { listShownNotes, findLatestSession } = await import('../../broker/queries/sessionLog.ts')
  const { findSessionByPrefix, mayShow } = await import('../../broker/queries/browse.ts')
  const { readActivePolicy } = await import('../../broker/policy/activePolicy.ts')
  const context = await openToolContext(options, io)
  const { store } = context
  const named = options.session === undefined ? undefined : findSessionByPrefix(store, options.session)
  const session = named ?? context.session ?? findLatestSession(store)
  if (session === undefined) {
    throw new MemoryError('NOT_FOUND', 'No session is recorded here', { hint: 'Run it in a folder of the project.' })
  }
  const memories = context.liveStore.memories()
  const { recall } = readActivePolicy(store).policy
  const seen = listShownNotes(store, session as SessionId).filter((note) => {
    const memory = memories.get(note.memory)
    return !memory || mayShow(store, memory)
  })
  const notes = seen.map((note, i): ListedNote => {
    const memory = memories.get(note.memory)
    const why = explainNote({ ...note, memory }, selectRankingModel(recall, note.moment))
    return { ...note, number: i + 1, title: memory ? excerptOf(memory) : 'a note that was deleted', why }
  })
  return { context, notes, session }
}

/** The notes that a person means. Throws USAGE for words that mean none. */
function selectNotes(notes: readonly ListedNote[], words: readonly string[], io: CliContext): readonly ListedNote[] {
  const last = notes.at(-1)
  if (!last)
    throw new MemoryError('NOT_FOUND', 'This session was shown no notes', { hint: 'There is nothing to rate.' })
  if (words.length === 0) return notes.filter(({ recall }) => recall === last.recall)
  if (words.length === 1 && words[0] === 'all') return notes
  const chosen = words.flatMap((word) => word.split(',').filter(Boolean)).map((word) => selectNote(notes, word, io))
  return [...new Set(chosen.flat())]
}

function selectNote(notes: readonly ListedNote[], word: string, io: CliContext): readonly ListedNote[] {
  const digits = word.replace(/^#/, '')
  const found = notes.filter(
    ({ number, memory }) => String(number) === digits || (isShortId(word) && memory.startsWith(digits.toLowerCase())),
  )
  if (found.length > 0) return found
  throw new MemoryError('USAGE', `This session was shown no note ${word}`, {
    hint: `Run \`${commandText(io, 'shown')}\` for their numbers.`,
  })
}

function formatNote({ number, at, title, why, cue, agent, rating, memory }: ListedNote, columns: number): string[] {
  const said = rating === undefined ? '' : `, rated ${rating}`
  const seen = agent === undefined ? '' : `, for the subagent ${sanitizeForTerminal(agent)}`
  const asked = cue === '' ? '' : ` (${sanitizeForTerminal(clipText(cue, 60))})`
  return [
    clipText(`${number}. ${title}`, Math.max(60, columns - 10)),
    `   ${formatTimestamp(at)} UTC, ${why}${asked}${seen}${said}; ${shortId(memory)}`,
  ]
}

function rateCommands(io: CliContext): string {
  const commands = io.isSlashCommand ? ['useful', 'not-useful'] : ['shown --useful', 'shown --not-useful']
  return `${commands.map((words) => commandText(io, words)).join(' or ')}, with numbers for some of them.`
}
