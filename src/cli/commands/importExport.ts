// memctl import: memories from other programs and from files, each source a subcommand. memctl export: the memories of
// a project as a file, to be imported elsewhere.
import os from 'node:os'
import path from 'node:path'
import { type Command, Option } from 'commander'
import { sanitize } from '../../broker/commands/newMemory.ts'
import type { Store } from '../../broker/open/openStore.ts'
import type { ImportPlan, ReadSource } from '../../broker/transfer/planImport.ts'
import type { NotesAuthor } from '../../broker/transfer/sources/markdown.ts'
import type { SourceContext } from '../../broker/transfer/sources/sourceFiles.ts'
import { shortId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { memoryProvenance } from '../../model/provenance.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { findUserHome } from '../../store/disk/paths.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { isForAgent } from '../context/forPerson.ts'
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
import { registerImportTranscripts } from './importTranscripts.ts'

type ImportOptions = StoreOptions & { readonly dryRun?: boolean }

export function registerImport(program: Command, io: CliContext): void {
  const group = program.command('import').description('take over memories of other programs and of files')
  for (const register of [registerImportTranscripts, registerClaudeMem, registerMarkdown, registerMemctl])
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
      const { parseExport, planExportImport } = await import('../../broker/transfer/exportFile.ts')
      const store = await openSelectedStore(options, io)
      const plan = planExportImport(store, parseExport(text, file, options.edited === true))
      printResult(io, options.json, await storePlan(store, plan, options), formatImport)
    })
}

/** A source that takes longer to read has no end. */
const SOURCE_MS_MAX = 30_000

async function runImport(
  named: string | undefined,
  options: ImportOptions,
  io: CliContext,
  read: (context: SourceContext) => ReadSource,
): Promise<void> {
  const { planImport } = await import('../../broker/transfer/planImport.ts')
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
  const plan = planImport(store, source, isForAgent(io))
  printResult(io, options.json, await storePlan(store, plan, options), formatImport)
}

async function storePlan(store: Store, plan: ImportPlan, { dryRun = false }: ImportOptions): Promise<ImportReport> {
  const { commitImport } = await import('../../broker/transfer/planImport.ts')
  const id = dryRun ? undefined : commitImport(store, plan, Date.now())
  if (id !== undefined) await publishChanges(store, Date.now())
  return summarizeImport(plan, id, dryRun)
}

const toSlashes = (file: string): string => (path.sep === '/' ? file : file.replaceAll(path.sep, '/'))

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

// What an import has found and stored, for a person: one line of counts, then what is worth knowing.

const EXAMPLES_MAX = 5
const LINES_MAX = 20

/** The result of an import as JSON has it; `import` is null if nothing was stored. */
function summarizeImport(plan: ImportPlan, id: string | undefined, dryRun: boolean) {
  const { source, added, changed, gone, kept, unchanged, empty, superseding } = plan
  return {
    source: source.name,
    location: source.location,
    dryRun,
    import: id ?? null,
    total: source.items.length,
    added: added.length,
    changed: changed.length,
    archived: gone.length,
    kept,
    unchanged,
    empty,
    superseded: superseding.length,
    examples: [...added, ...changed].slice(0, EXAMPLES_MAX).map(toExample),
    faults: source.faults,
    notes: source.notes,
  }
}

type ImportReport = ReturnType<typeof summarizeImport>

const toExample = (memory: Memory) => ({
  id: memory.id,
  kind: memory.kind,
  created: memory.created,
  provenance: memoryProvenance(memory),
  // Hooks show it when it fits; else only recall and search find it.
  shownUnasked: memory.searchOnly !== true,
  content: memory.content,
})

function formatImport(report: ImportReport, { palette }: Terminal): string[] {
  const { source, location, dryRun, total, added, changed, archived, kept, unchanged, empty, superseded } = report
  const counts = [
    `${added} ${dryRun ? 'would be new' : 'new'}`,
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(unchanged > 0 ? [`${unchanged} as before`] : []),
    ...(archived > 0 ? [`${archived} not there any more, archived`] : []),
    ...(superseded > 0 ? [`${superseded} earlier superseded`] : []),
    ...(empty > 0 ? [`${empty} without any text that may be stored`] : []),
  ]
  const from = palette.dim(sanitizeForTerminal(location))
  return [
    `${palette.bold(source)} ${from}: ${formatCount(total, 'item')}: ${counts.join(', ')}.`,
    ...report.notes.map(removeControls),
    ...(kept > 0 ? [`What a person has said is kept as it is: ${formatCount(kept, 'memory', 'memories')}.`] : []),
    ...report.examples.map(({ id, created, provenance, shownUnasked, content }) => {
      const use = shownUnasked ? provenance : `${provenance}, only for search`
      return `  ${shortId(id)}  ${created.slice(0, 10)}  ${use}  ${sanitizeForTerminal(firstLine(content, 100))}`
    }),
    ...(added + changed > report.examples.length ? [`  and ${added + changed - report.examples.length} more`] : []),
    ...report.faults
      .slice(0, LINES_MAX)
      .map(({ file, what, hint }) => `Not read: ${sanitizeForTerminal(file)}: ${what}. ${hint}`),
    ...(report.faults.length > LINES_MAX ? [`and ${report.faults.length - LINES_MAX} more files were not read`] : []),
    ...(dryRun ? ['Nothing was stored. Run it without --dry-run to import.'] : []),
    ...(report.import && source !== 'memctl'
      ? [`Imported. \`memctl forget --origin ${source}\` erases it again.`]
      : []),
  ]
}
