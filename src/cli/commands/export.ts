// memctl export: the memories of a project as a file, to be imported elsewhere (JSONL) or to be read (Markdown).
import path from 'node:path'
import { type Command, Option } from 'commander'
import { sanitize } from '../../broker/commands/newMemory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSyncedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

const FORMATS = ['jsonl', 'markdown'] as const

interface ExportCommandOptions extends StoreOptions {
  readonly format?: (typeof FORMATS)[number]
  readonly out: string
  readonly includePrivate?: boolean
  readonly force?: boolean
}

export function registerExport(program: Command, io: CliContext): void {
  withStoreOptions(program.command('export').description('write the memories of this project to a file'))
    .addOption(
      new Option('--format <format>', 'jsonl keeps everything; markdown is for people (default: jsonl)').choices(
        FORMATS,
      ),
    )
    .option('--out <file>', 'the file to write; - is stdout', '-')
    .option('--include-private', 'private memories too; not inside a session')
    .option('--force', 'replace the file if it exists')
    .action(async (options: ExportCommandOptions) => {
      const [{ exportMemories }, { formatExport }, { formatMarkdownExport }] = await Promise.all([
        import('../../broker/transfer/exportMemories.ts'),
        import('../../broker/transfer/exportFormat.ts'),
        import('../../broker/transfer/exportMarkdown.ts'),
      ])
      const { out, force, includePrivate = false } = options
      if (options.json && out === '-') {
        throw new MemoryError('USAGE', '--json needs a file', { hint: 'Name it with `--out FILE`.' })
      }
      const format = options.format ?? (/\.(?:md|markdown)$/i.test(out) ? 'markdown' : 'jsonl')
      const store = await openSyncedStore(options, io)
      // Before the checksum of the format is computed.
      const exported = sanitize(exportMemories(store, { withPrivate: includePrivate, now: Date.now() }))
      const text = format === 'jsonl' ? formatExport(exported) : formatMarkdownExport(exported)
      if (out === '-') return void io.out.write(text)
      const file = path.resolve(io.cwd, out)
      const bytes = Buffer.from(text)
      if (force) store.files.replace(file, bytes)
      else if (!store.files.create(file, bytes)) {
        throw new MemoryError('INPUT_INVALID', `${file} exists`, {
          hint: 'Name another file, or add --force to replace it.',
        })
      }
      const result = { file, format, memories: exported.memories, bytes: bytes.length, private: includePrivate }
      printResult(io, options.json, result, () => [
        `Exported ${formatCount(exported.memories, 'memory', 'memories')} to ${file} (only you can read it).`,
        `To import it on another machine: \`memctl import memctl ${path.basename(file)}\`.`,
      ])
    })
}
