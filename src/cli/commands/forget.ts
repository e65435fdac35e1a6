// memctl forget: erases memories, a session or a text from every store, after a preview.
import { type Command, InvalidArgumentError } from 'commander'
import type { ErasureRequest, ErasureResult } from '../../broker/forget/erasurePlan.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { shortId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { translate, translateStored } from '../../report/translation.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion, withConfirmOptions } from '../context/forPerson.ts'
import { applyConfig, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface ForgetOptions extends StoreOptions, ConfirmOptions {
  readonly session?: string
  readonly origin?: string
  readonly text?: string
  readonly entries?: boolean
}

/** A shorter text occurs everywhere, and replacing it would damage the log. */
const TEXT_CHARS_MIN = 6

export function registerForget(program: Command, io: CliContext): void {
  const command = withConfirmOptions(withStoreOptions(program.command('forget')))
  command
    .description('erase memories, a session or a text with all its copies, permanently')
    .argument('[id...]', 'erase these memories and the events they were derived from')
    .option('--session <id>', 'erase all events of this session')
    .option('--origin <source>', 'erase what was imported from this source, such as claude-mem; import for all')
    .option('--text <text>', 'replace this text and its copies with asterisks wherever they occur', parseText)
    .option('--entries', "also erase it in this project's entry files")
    .action(async (ids: readonly string[], options: ForgetOptions) => {
      const { session, text, entries, origin } = options
      if (ids.length === 0 && session === undefined && text === undefined && origin === undefined) {
        throw new MemoryError('USAGE', 'Nothing to forget was named', {
          hint: 'Name ids of memories, `--session ID`, `--origin SOURCE` or `--text TEXT`.',
        })
      }
      const { eraseEverywhere } = await import('../../broker/forget/eraseEverywhere.ts')
      const store = await openSelectedStore(options, io)
      await applyConfig(store)
      const imported = origin === undefined ? [] : await listOfOrigin(store, origin)
      const request: ErasureRequest = {
        memories: [...ids, ...imported],
        ...(session !== undefined && { session }),
        ...(text !== undefined && { text }),
        entries: entries === true,
      }
      const erase = (dryRun: boolean): ErasureResult => eraseEverywhere(store, request, { now: Date.now(), dryRun })
      const format = (erasure: ErasureResult): string[] => formatErasure(erasure, request)
      const deletion = { preview: () => erase(true), isEmpty, format, question: 'Erase this permanently?' }
      if (await confirmDeletion(io, options, deletion)) printResult(io, options.json, erase(false), format)
    })
}

async function listOfOrigin(store: Store, origin: string): Promise<string[]> {
  const { listMemories } = await import('../../broker/queries/browse.ts')
  const { isMetHere } = await import('../../broker/transfer/planImport.ts')
  const memories = listMemories(store, { origin, withPrivate: true })
  // What a session has said or learned since is a memory of this project.
  return memories.flatMap((memory) => (isMetHere(memory) ? [] : [memory.id]))
}

function parseText(text: string): string {
  if (text.length >= TEXT_CHARS_MIN) return text
  throw new InvalidArgumentError(`Use ${TEXT_CHARS_MIN} characters or more.`)
}

const isEmpty = ({ files, memories, otherFiles, entries }: ErasureResult): boolean =>
  files.length + memories.length + otherFiles.length + entries.length === 0

/** Lines of each list, at most; --json has more. */
const LINES_MAX = 20

/** Lines for a person. A rule that the request names itself does not go with it. */
export function formatErasure(result: ErasureResult, request: Pick<ErasureRequest, 'memories' | 'entries'>): string[] {
  const { memories: named = [], entries: withEntries } = request
  const { files, events, memories, otherFiles, entries, removed, redacted, left, dryRun } = result
  if (isEmpty(result)) return ['Nothing matches.', ...formatLeft(left)]
  const count = formatCount(removed + redacted, 'event')
  const lineOf = (action: string, what: string): string => `${translate(action)}  ${sanitizeForTerminal(what)}`
  const eventLines = events.map(({ action, at, kind, text }) => lineOf(action, `${at.slice(0, 16)}  ${kind}  ${text}`))
  const isInSeveral = new Set(memories.map(({ store }) => store)).size > 1
  const memoryLines = memories.map(({ action, id, kind, text, store }) => {
    const place = isInSeveral ? `${store}  ` : ''
    return lineOf(action, `${shortId(id)}  ${translate(kind)}  ${place}${translateStored(text, kind)}`)
  })
  const namesOf = (changed: ErasureResult['otherFiles']) => changed.map(({ file, action }) => lineOf(action, file))
  const isEntryChange = withEntries && entries.length > 0
  // A memory has its events in common with what else the person said in them.
  const others = memories.filter(({ action, id }) => action === 'removed' && !named.some((each) => id.startsWith(each)))
  const rules = others.filter(({ kind }) => /^(?:preference|decision)$/.test(kind))
  const what = formatCount(rules.length, 'rule or decision is', 'rules and decisions are')
  const words = rules.length === 1 ? 'its words are' : 'their words are'
  const isMore = rules.length > 0 && rules.length < memories.length
  return [
    ...section(
      `${count} in ${formatCount(files.length, 'file')} of the log: ${removed} removed, ${redacted} redacted`,
      eventLines,
    ),
    ...section(
      'Files',
      files.map(({ store, name }) => `${store}/events/${name}`),
    ),
    ...section('Memories', memoryLines),
    ...section('Other files', namesOf(otherFiles)),
    ...section('Entry files of this project', namesOf(entries)),
    ...(entries.length > 0 && !withEntries
      ? ['Entry files stay as they are, and are read again. Add --entries to erase it there as well.']
      : []),
    ...formatLeft(left),
    ...(events.some(({ kind }) => kind === 'team.published' || kind === 'team.received')
      ? ['It is shared: the hub and every other machine forget it with their next exchange (`memctl hub sync`).']
      : []),
    ...(dryRun
      ? [...(isMore ? [`${what} erased with it: ${words} in the same prompts.`] : []), 'This cannot be undone.']
      : [
          'Erased. Derived data was rebuilt.',
          `Other copies have it: backups, the client's session files${isEntryChange ? ', earlier commits' : ''}.`,
        ]),
  ]
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length - LINES_MAX
  return [
    `${title}:`,
    ...lines.slice(0, LINES_MAX).map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

const formatLeft = (left: readonly string[]): string[] =>
  section('Files that nobody but you may change still contain it', left)
