// memctl organize and rebuild: what a worker does after a session, by hand.
import path from 'node:path'
import { type Command, Option } from 'commander'
import { shortId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount, formatDuration } from '../../report/formatNumber.ts'
import { createProgressBar, type ProgressBar } from '../../report/textOutput.ts'
import { storeBusyError } from '../../store/disk/lock.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { linkPackages, SEARCH_PACKAGES } from '../context/packageInfo.ts'
import {
  applyConfig,
  applySettings,
  collect,
  openSelectedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'
import type { DistillOptions } from './distill.ts'

interface OrganizeOptions extends DistillOptions {
  readonly all?: boolean
  readonly session?: readonly string[]
  readonly sleep?: string
  readonly distill?: true
}

export function registerOrganize(program: Command, io: CliContext): void {
  withStoreOptions(program.command('organize').description('organize finished sessions now'))
    .option('--all', 'include sessions that have not ended')
    .option('--session <id>', 'include this session even if it has not ended (repeatable)', collect)
    .addOption(
      new Option(
        '--distill',
        'let the optional model read sessions instead: those of --session, or of 14 days',
      ).conflicts(['all', 'sleep']),
    )
    .option('--print-digest', 'with --distill: print the request about each session as text, and send nothing')
    .option('--answer <file>', 'with --distill: store the answer in this file; for one session')
    .addOption(
      new Option(
        '--sleep <agent>',
        'run the sleep phase of this agent instead, such as main: decay, archive weak memories, merge duplicates; ' +
          'on PostgreSQL if MEMCTL_DATABASE_URL or DATABASE_URL names a database and no --store is given',
      ).conflicts(['all', 'session', 'dryRun']),
    )
    .option('--dry-run', 'with --distill: show what would be sent')
    .action(async (options: OrganizeOptions) => {
      const { distill, printDigest, answer, sleep, dryRun } = options
      if (distill) return (await import('./distill.ts')).distill(options.session ?? [], options, io)
      if (printDigest || dryRun || answer !== undefined)
        throw new MemoryError('USAGE', '--print-digest, --dry-run and --answer belong to --distill', {
          hint: 'Add it: `memctl organize --distill --print-digest`.',
        })
      if (sleep !== undefined) return sleepAgent(sleep, options, io)
      const { runMaintenance } = await import('../../broker/maintenance/maintenance.ts')
      const { listUnorganizedSessions } = await import('../../broker/queries/storeStatus.ts')
      const { findSessionByPrefix } = await import('../../broker/queries/browse.ts')
      const { hasEntries } = await import('../../entries/entryDirs.ts')
      const store = await openSelectedStore(options, io)
      if (hasEntries(store)) {
        const { maintainEntries } = await import('../../broker/entries/entryMaintenance.ts')
        maintainEntries(store, io.env, Date.now())
      }
      await applySettings(store)
      const sessions = options.all ? 'all' : options.session?.map((id) => findSessionByPrefix(store, id))
      const report = runMaintenance(store, { now: Date.now(), ...(sessions && { sessions }) })
      if (report.busy) throw storeBusyError()
      const { organized, memories, policyVersion } = report
      // Those that are still open and were skipped.
      const unorganized = listUnorganizedSessions(store).size
      printResult(io, options.json, { organized, memories, policyVersion, unorganized }, () => [
        organized.length === 0
          ? 'Nothing to organize.'
          : `Organized ${formatCount(organized.length, 'session')}: ${organized.map(shortId).join(', ')}.`,
        `The store has ${formatCount(memories, 'memory', 'memories')} now.`,
        ...describeOpen(unorganized),
      ])
    })
}

interface RebuildCommandOptions extends StoreOptions {
  readonly incomplete?: boolean
  readonly from?: string
  readonly replace?: boolean
  readonly dryRun?: boolean
  readonly vectors?: true
}

export function registerRebuild(program: Command, io: CliContext): void {
  withStoreOptions(program.command('rebuild').description('rebuild all derived data from the log'))
    .option('--incomplete', 'rebuild even if log files are missing; the events of these files are lost')
    .option('--from <copy>', 'first merge another copy of the log: a file, or a folder of log files')
    .option('--replace', 'with --from: the log becomes the copy, and its own files are moved aside')
    .option('--dry-run', 'with --from: show what would change, but change nothing')
    .addOption(
      new Option('--vectors', 'compute all vectors again, with the configured embedder').conflicts([
        'from',
        'incomplete',
      ]),
    )
    .action(async (options: RebuildCommandOptions) => {
      if (options.vectors) return rebuildVectors(options, io)
      if (options.from !== undefined) return rebuildFrom(options.from, options, io)
      if (options.replace || options.dryRun) {
        throw new MemoryError('USAGE', '--replace and --dry-run belong to --from', {
          hint: 'Name a copy of the log: `memctl rebuild --from COPY --dry-run`.',
        })
      }
      const { rebuildStore } = await import('../../broker/maintenance/rebuild.ts')
      const { loadHnswLibrary } = await import('../../store/vectors/vectorIndex.ts')
      const startMs = Date.now()
      const store = await openSelectedStore(options, io)
      await applySettings(store)
      // For complete graphs of the vectors.
      await loadHnswLibrary(store.home)
      const report = rebuildStore(store, startMs, { allowIncomplete: options.incomplete })
      if (report.busy) throw storeBusyError()
      const { memories, policyVersion } = report
      printResult(io, options.json, { memories, policyVersion, ms: Date.now() - startMs }, ({ ms }) => [
        `Rebuilt ${formatCount(memories, 'memory', 'memories')} from the log in ${formatDuration(ms)}.`,
      ])
    })
}

async function rebuildVectors(options: StoreOptions, io: CliContext): Promise<void> {
  const { readEmbedderConfig, embedWithConfig } = await import('../../broker/embedding/configuredEmbedder.ts')
  const store = await openSelectedStore(options, io)
  linkPackages(store.home, SEARCH_PACKAGES)
  const config = readEmbedderConfig(store)
  const startMs = Date.now()
  let bar: ProgressBar | undefined
  const progress = (done: number, total: number): void => {
    bar ??= createProgressBar(io, total, options.json)
    bar.setDone(done, config.kind)
  }
  const embedding = embedWithConfig(store, config, io.env, { all: true, progress })
  const embedded = await embedding.finally(() => bar?.clear())
  const result = { embedder: config.kind, embedded, ms: Date.now() - startMs }
  printResult(io, options.json, result, ({ embedder, ms }) => [
    `Embedded ${formatCount(embedded, 'text')} with ${embedder} in ${formatDuration(ms)}.`,
  ])
}

/** Merges a copy of the log, or replaces the log by it. */
async function rebuildFrom(copy: string, options: RebuildCommandOptions, io: CliContext): Promise<void> {
  const { restoreLog } = await import('../../broker/maintenance/rebuild.ts')
  const { replace = false, dryRun = false } = options
  const store = await openSelectedStore(options, io)
  await applyConfig(store)
  const result = restoreLog(store, path.resolve(io.cwd, copy), { now: Date.now(), replace, dryRun })
  printResult(io, options.json, { dryRun, replace, ...result }, ({ copied, added, own, unreadable, ...memories }) => [
    `The copy has ${formatCount(copied, 'event')}, ${added} of them new to this log.` +
      (unreadable > 0 ? ` ${formatCount(unreadable, 'line')} cannot be read.` : ''),
    `${formatCount(own, 'event')} of this log ${own === 1 ? 'is' : 'are'} not in the copy: ` +
      (replace ? 'moved aside.' : 'kept.'),
    `Memories: ${memories.memoriesBefore} before, ${memories.memoriesAfter} after` +
      (memories.kept > 0 ? `, ${memories.kept} of them kept from the snapshot.` : '.'),
    memories.aside === null ? 'Nothing was changed.' : `The files of the log before are in ${memories.aside}.`,
  ])
}

/** The sleep phase of the library, for the memories of one agent. */
async function sleepAgent(agent: string, options: StoreOptions, io: CliContext): Promise<void> {
  const store = await openSelectedStore(options, io)
  const { DatabaseConnection } = await import('../../library/agentMemory/databaseConnection.ts')
  const { SleepPhaseProcessor } = await import('../../library/agentMemory/sleepPhaseProcessor.ts')
  const { runMaintenance } = await import('../../broker/maintenance/maintenance.ts')
  // As in the library, a URL in the environment names the database; a store that is named instead is used.
  const databaseUrl = options.store === undefined ? undefined : null
  const connection = new DatabaseConnection({ openedStore: store, databaseUrl, env: io.env, now: Date.now })
  const { urlFrom } = connection
  const result = await new SleepPhaseProcessor(connection).processAll(agent).finally(() => connection.close())
  // The other commands read the snapshot.
  if (urlFrom === undefined) runMaintenance(store, { now: Date.now(), sessions: [] })
  const { agentId, decayedCount, archivedCount, consolidatedCount, errors } = result
  printResult(io, options.json, result, () => [
    `Agent ${agentId}: weakened ${formatCount(decayedCount, 'memory', 'memories')}, archived ${archivedCount}, ` +
      `merged ${consolidatedCount}.`,
    ...(urlFrom === undefined ? [] : [`The memories are in the database that ${urlFrom} names.`]),
    ...errors,
  ])
}

const describeOpen = (count: number): string[] =>
  count === 0 ? [] : [`${formatCount(count, 'session')} still open; include ${count === 1 ? 'it' : 'them'} with --all.`]
