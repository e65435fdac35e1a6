// memctl import: memories from other programs and from files, each source a subcommand. memctl export: the memories of
// a project as a file, to be imported elsewhere.
import os from 'node:os'
import path from 'node:path'
import { type Command, Option } from 'commander'
import { sanitize } from '../../broker/commands/newMemory.ts'
import type { ReadSource } from '../../broker/transfer/importItem.ts'
import type { NotesAuthor } from '../../broker/transfer/sources/markdown.ts'
import type { SourceContext } from '../../broker/transfer/sources/sourceFiles.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { createPalette, createProgressBar } from '../../report/textOutput.ts'
import { findUserHome } from '../../store/disk/paths.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { type ConfirmOptions, confirmDeletion, withConfirmOptions } from '../context/forPerson.ts'
import { readInputFile } from '../context/readInput.ts'
import {
  collect,
  openSelectedStore,
  openSyncedStore,
  publishChanges,
  type StoreOptions,
  withImportOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import {
  formatImport,
  formatUndo,
  type ImportReport,
  summarizeExportImport,
  summarizeImport,
} from '../format/importText.ts'
import { registerImportTranscripts } from './importTranscripts.ts'

interface ImportOptions extends StoreOptions {
  readonly dryRun?: boolean
  readonly quiet?: boolean
}

export function registerImport(program: Command, io: CliContext): void {
  const group = program.command('import').description('take over memories of other programs and of files')
  for (const register of [registerImportTranscripts, registerClaudeMem, registerMarkdown, registerMemctl, registerUndo])
    register(group, io)
}

function registerClaudeMem(group: Command, io: CliContext): void {
  withImportOptions(group.command('claude-mem').description('observations, summaries and rules of claude-mem'))
    .argument('[file]', 'its database (default: ~/.claude-mem/claude-mem.db)')
    .option('--from <name>', "claude-mem's name of this project (repeatable; default: the folder's name)", collect)
    .action(async (file: string | undefined, options: ImportOptions & { readonly from?: readonly string[] }) => {
      const { readClaudeMem } = await import('../../broker/transfer/sources/claudeMem.ts')
      await runImport(file, options, io, (context) => readClaudeMem(context, options.from))
    })
}

const AUTHORS: readonly NotesAuthor[] = ['person', 'assistant', 'outside']

function registerMarkdown(group: Command, io: CliContext): void {
  withImportOptions(group.command('markdown').description('a folder of Markdown notes (Obsidian, basic-memory)'))
    .argument('[folder]', 'the folder, or one note')
    .addOption(
      new Option('--author <who>', 'who wrote them (default: outside in the project, else assistant)').choices(AUTHORS),
    )
    .action(async (folder: string | undefined, options: ImportOptions & { readonly author?: NotesAuthor }) => {
      const { readMarkdownSource } = await import('../../broker/transfer/sources/markdown.ts')
      await runImport(folder, options, io, (context) => readMarkdownSource(context, options.author))
    })
}

function registerMemctl(group: Command, io: CliContext): void {
  withImportOptions(group.command('memctl').description('what `memctl export` has written'))
    .argument('<file>', 'the file; - reads stdin')
    .option('--edited', 'the file was changed by hand: do not check its checksum')
    .action(async (file: string, options: ImportOptions & { readonly edited?: boolean }) => {
      const text = file === '-' ? io.stdin() : readInputFile(path.resolve(io.cwd, file))
      const { parseExport, commitExportImport, planExportImport } = await import('../../broker/transfer/exportFile.ts')
      const store = await openSelectedStore(options, io)
      const exported = parseExport(text, file, options.edited === true)
      const plan = planExportImport(store, exported)
      const id = options.dryRun ? undefined : commitExportImport(store, plan, exported, Date.now())
      if (!options.dryRun) await publishChanges(store, Date.now())
      const report = summarizeExportImport(plan, exported, { file, id, dryRun: options.dryRun === true })
      printResult(io, options.json, report, formatImport)
    })
}

/** A source that takes longer to read has no end. */
const SOURCE_MS_MAX = 30_000

/** Reads a source, and stores what is new in it. */
async function runImport(
  named: string | undefined,
  options: ImportOptions,
  io: CliContext,
  read: (context: SourceContext) => ReadSource,
): Promise<void> {
  const { commitImport, planImport } = await import('../../broker/transfer/planImport.ts')
  const store = await openSelectedStore(options, io)
  const userHome = findUserHome(io.env) ?? os.homedir()
  const endMs = Date.now() + SOURCE_MS_MAX
  const source = read({
    store,
    isLate: () => Date.now() > endMs,
    path: named === undefined ? undefined : toSlashes(path.resolve(io.cwd, named.replace(/^~(?=\/|$)/, userHome))),
    userHome: toSlashes(userHome),
    env: io.env,
  })
  const isQuiet = options.quiet || options.json
  const bar = createProgressBar(io.err, createPalette(io.err, io.env), source.items.length, isQuiet)
  let report: ImportReport
  try {
    const plan = planImport(store, source, (name) => bar.advance(name))
    const id = options.dryRun ? undefined : commitImport(store, plan, Date.now())
    if (id !== undefined) await publishChanges(store, Date.now())
    report = summarizeImport(plan, id, options.dryRun === true)
  } finally {
    bar.clear()
  }
  printResult(io, options.json, report, formatImport)
}

const toSlashes = (file: string): string => (path.sep === '/' ? file : file.replaceAll(path.sep, '/'))

function registerUndo(group: Command, io: CliContext): void {
  withConfirmOptions(withStoreOptions(group.command('undo').description('delete what was imported from a source')))
    .argument('<source>', 'the source, such as claude-mem or markdown')
    .action(async (source: string, options: StoreOptions & ConfirmOptions) => {
      const { planUndo, undoImport } = await import('../../broker/transfer/planImport.ts')
      const store = await openSelectedStore(options, io)
      const undo = planUndo(store, source)
      const memories = undo.memories.map(({ id, kind, created, content }) => ({ id, kind, created, content }))
      const preview = { total: memories.length, memories }
      const deletion = { preview: () => preview, isEmpty: () => false, format: formatUndo, question: 'Delete them?' }
      if (!(await confirmDeletion(io, options, deletion))) return
      undoImport(store, undo, Date.now())
      await publishChanges(store, Date.now())
      printResult(io, options.json, { ...preview, deleted: true }, ({ total }) => [
        `Deleted ${total}. The log still has their texts; \`memctl forget\` erases them for good.`,
      ])
    })
}

interface ExportCommandOptions extends StoreOptions {
  readonly out: string
  readonly includePrivate?: boolean
  readonly force?: boolean
}

export function registerExport(program: Command, io: CliContext): void {
  withStoreOptions(program.command('export').description('write the memories of this project to a file'))
    .option('--out <file>', 'the file to write; - is stdout', '-')
    .option('--include-private', 'private memories too; not inside a session')
    .option('--force', 'replace the file if it exists')
    .action(async (options: ExportCommandOptions) => {
      const { exportMemories, formatExport } = await import('../../broker/transfer/exportFile.ts')
      const { out, force, includePrivate = false } = options
      if (options.json && out === '-') {
        throw new MemoryError('USAGE', '--json needs a file', { hint: 'Name it with `--out FILE`.' })
      }
      const store = await openSyncedStore(options, io)
      // Before the checksum of the format is computed.
      const exported = sanitize(exportMemories(store, { withPrivate: includePrivate, now: Date.now() }))
      const text = formatExport(exported)
      if (out === '-') return void io.out.write(text)
      const file = path.resolve(io.cwd, out)
      const bytes = Buffer.from(text)
      if (force) store.files.replace(file, bytes)
      else if (!store.files.create(file, bytes)) {
        throw new MemoryError('INPUT_INVALID', `${file} exists`, {
          hint: 'Name another file, or add --force to replace it.',
        })
      }
      const { memories } = exported
      const result = { file, format: 'jsonl', memories, bytes: bytes.length, private: includePrivate }
      printResult(io, options.json, result, () => [
        `Exported ${formatCount(memories, 'memory', 'memories')} to ${file} (only you can read it).`,
        `To import it on another machine: \`memctl import memctl ${path.basename(file)}\`.`,
      ])
    })
}
