// memctl replay: recorded sessions run through the memory again, in process or through the real hooks.
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { StoreStatus } from '../../broker/queries/storeStatus.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { createPalette } from '../../report/palette.ts'
import { createProgressBar, type ProgressBar } from '../../report/progressBar.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import type { Recording } from '../replay/recordingFiles.ts'

interface Words {
  readonly project?: string
  readonly store?: string
  readonly throughHooks?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

export interface ReplaySummary {
  readonly recordings: number
  readonly sessions: number
  readonly payloads: number
  readonly events: number
  readonly memories: StoreStatus['memories']['byKind']
  /** Recalls whose text the model was given. */
  readonly injected: number
  readonly ms: number
  readonly faults: StoreStatus['faults']
  readonly store: string
}

export function registerReplay(program: Command, io: CliContext): void {
  program
    .command('replay')
    .description('run recorded sessions through the memory again')
    .argument('<place...>', 'recordings, or folders of them')
    .option('--project <dir>', 'the folder the sessions worked in (default: as recorded)')
    .option(
      '--store <dir>',
      'where to keep what comes of it (default: a scratch folder); with --through-hooks, as MEMCTL_HOME',
    )
    .option('--through-hooks', 'through the real hook processes and on today’s clock')
    .option('--quiet', 'no progress bar')
    .option('--json', 'answer as one line of JSON')
    .action(async (places: readonly string[], options: Words) => {
      const { findRecordedRoot, readRecordings } = await import('../replay/recordingFiles.ts')
      const recordings = readRecordings(places, io.cwd)
      const recorded = findRecordedRoot(recordings)
      const root = options.project === undefined ? recorded : path.resolve(io.cwd, options.project)
      if (root === undefined) {
        throw new MemoryError('USAGE', 'The recording does not say where its sessions worked', {
          hint: 'Give the project’s folder: `--project DIR`.',
        })
      }
      const total = recordings.reduce((sum, { payloads }) => sum + payloads.length, 0)
      const bar = createProgressBar(io.err, createPalette(io.err, io.env), total, options.quiet || options.json)
      try {
        const run = options.throughHooks ? hooksReplayed : inProcess
        const result = await run(recordings, root, options, bar, io)
        bar.clear()
        printResult(io, options.json, result, rendered)
      } finally {
        bar.clear()
      }
    })
}

async function inProcess(
  recordings: readonly Recording[],
  root: string,
  options: Words,
  bar: ProgressBar,
  io: CliContext,
): Promise<ReplaySummary> {
  const { replaySessions } = await import('../../broker/replay/replaySessions.ts')
  const store = await storeFor(root, options, io)
  const began = Date.now()
  let injected = 0
  const name = new Map(recordings.flatMap((one) => one.payloads.map((recorded) => [recorded, one.name] as const)))
  const sessions = recordings.map((recording) => recording.payloads)
  replaySessions(store, sessions, {
    onOutput: (recorded, answer) => {
      if (answer.context) injected++
      bar.advance(`${name.get(recorded)}: ${recorded.payload.hook_event_name}`)
    },
  })
  return summarizeReplay(store, recordings, { injected, ms: Date.now() - began })
}

async function hooksReplayed(
  recordings: readonly Recording[],
  root: string,
  options: Words,
  bar: ProgressBar,
  io: CliContext,
): Promise<ReplaySummary> {
  const [{ findBuiltHooks }, { replayThroughHooks }, { openStore }, { createTempHome }, fs] = await Promise.all([
    import('../replay/hookProcess.ts'),
    import('../replay/replayThroughHooks.ts'),
    import('../../broker/open/openStore.ts'),
    import('../context/tempHome.ts'),
    import('node:fs'),
  ])
  const hooks = findBuiltHooks(readPackageInfo().root)
  const home = options.store === undefined ? createTempHome('replay') : path.resolve(io.cwd, options.store)
  fs.mkdirSync(home, { recursive: true })
  const store = openStore(root, { MEMCTL_HOME: home })
  const began = Date.now()
  let injected = 0
  await replayThroughHooks(recordings, { hooks, home, root, env: io.env }, store, ({ name }, { payload }, run) => {
    if (run?.context) injected++
    bar.advance(`${name}: ${payload.hook_event_name}`)
  })
  return summarizeReplay(store, recordings, { injected, ms: Date.now() - began })
}

async function storeFor(root: string, options: Words, io: CliContext): Promise<Store> {
  const [{ openStoreAt, openStore }, { createTempHome }] = await Promise.all([
    import('../../broker/open/openStore.ts'),
    import('../context/tempHome.ts'),
  ])
  if (options.store !== undefined) return openStoreAt(path.resolve(io.cwd, options.store), root)
  return openStore(root, { MEMCTL_HOME: createTempHome('replay') })
}

/** What came of it, counted in the store. */
export async function summarizeReplay(
  store: Store,
  recordings: readonly Recording[],
  run: { readonly injected: number; readonly ms: number },
): Promise<ReplaySummary> {
  const { countEvents, readStoreStatus } = await import('../../broker/queries/storeStatus.ts')
  const payloads = recordings.flatMap((recording) => recording.payloads)
  const { memories, faults } = readStoreStatus(store)
  return {
    recordings: recordings.length,
    sessions: new Set(payloads.map(({ payload }) => payload.session_id)).size,
    payloads: payloads.length,
    events: countEvents(store),
    memories: memories.byKind,
    ...run,
    faults,
    store: store.layout.folder,
  }
}

/** The memories by kind in words: `12 experiences, 5 lessons`. */
export function formatKinds(byKind: Readonly<Record<string, number>>): string {
  const words = Object.entries(byKind).flatMap(([kind, count]) =>
    count > 0
      ? [
          formatCount(
            count,
            kind,
            kind === 'summary'
              ? 'summaries'
              : kind === 'entry'
                ? 'entries'
                : kind === 'consolidated'
                  ? kind
                  : `${kind}s`,
          ),
        ]
      : [],
  )
  return words.length > 0 ? words.join(', ') : 'none'
}

function rendered(result: ReplaySummary, { palette }: Terminal): string[] {
  const { recordings, sessions, payloads, events, memories, injected, ms, faults, store } = result
  return [
    `Replayed ${formatCount(recordings, 'recording')} of ${formatCount(sessions, 'session')}: ${formatCount(payloads, 'payload')} in ${formatDuration(ms)}.`,
    `The log has ${formatCount(events, 'event')}; memories: ${formatKinds(memories)}.`,
    `${formatCount(injected, 'recall')} injected.`,
    ...(faults.count > 0
      ? [
          palette.red(
            `${formatCount(faults.count, 'fault')}, the latest in ${faults.latest?.where}: ${faults.latest?.what}`,
          ),
        ]
      : ['No faults.']),
    `It lies in ${store}: look around with \`memctl list --store ${store}\`.`,
  ]
}
