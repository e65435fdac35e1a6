// memctl replay: runs recorded sessions through the memory again, in this process or through the real hooks.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { StoreStatus } from '../../broker/queries/storeStatus.ts'
import type { RecordedPayload } from '../../broker/replay/replaySessions.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'
import { createPalette } from '../../report/palette.ts'
import { createProgressBar, type ProgressBar } from '../../report/progressBar.ts'
import { makeFolderFor } from '../../store/disk/diskCalls.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import { createTempHome, integerOption, withJsonOption } from '../context/storeOption.ts'
import { formatKinds } from '../format/memoryText.ts'
import type { RunLine } from '../replay/injectionRun.ts'
import type { Recording } from '../replay/recordingFiles.ts'

interface ReplayOptions {
  readonly project?: string
  readonly store?: string
  readonly throughHooks?: boolean
  readonly injected?: string
  readonly policy?: string
  readonly frozen?: boolean
  readonly shuffleFeedback?: number
  readonly quiet?: boolean
  readonly json?: boolean
}

export interface ReplaySummary {
  readonly recordings: number
  readonly sessions: number
  readonly payloads: number
  readonly events: number
  readonly memories: StoreStatus['memories']['byKind']
  /** Recalls that injected context. */
  readonly injected: number
  readonly ms: number
  readonly faults: StoreStatus['faults']
  readonly store: string
}

/** Called after each payload, with what it injected, context or the reason of a blocked call: empty for none. */
type OnReplayed = (recording: Recording, recorded: RecordedPayload, text: string) => void

interface Replay {
  readonly recordings: readonly Recording[]
  /** The project's folder. */
  readonly root: string
  readonly options: ReplayOptions
  readonly onReplayed: OnReplayed
}

export function registerReplay(program: Command, io: CliContext): void {
  const command = program
    .command('replay')
    .description('replay recorded sessions')
    .argument('<path...>', 'recordings, or folders that contain recordings')
    .option('--project <dir>', 'the project folder of the sessions (default: the folder in the recording)')
    .option(
      '--store <dir>',
      'the store folder for the result (default: a temporary folder); with --through-hooks it is MEMCTL_HOME',
    )
    .option('--through-hooks', 'run the real hook processes and use the current time')
    .option('--injected <file>', 'write everything that was injected and every statement that was kept, as JSON lines')
    .option('--policy <name>', 'the policy to use: a built-in policy or a file (default: the configured policy)')
    .option('--frozen', 'learning does not change the policy; memories still count how often they were used')
    .option('--shuffle-feedback <seed>', 'learn from verdicts of the wrong memories, as a control', integerOption(0))
    .option('--quiet', 'show no progress bar')
  withJsonOption(command).action(async (paths: readonly string[], options: ReplayOptions) => {
    const [{ findRecordedRoot, readRecordings }, { createRunFile, injectedLine, listStatementLines, writeRunFile }] =
      await Promise.all([import('../replay/recordingFiles.ts'), import('../replay/injectionRun.ts')])
    const recordings = readRecordings(paths, io.cwd)
    const root = options.project === undefined ? findRecordedRoot(recordings) : path.resolve(io.cwd, options.project)
    if (root === undefined) {
      throw new MemoryError('USAGE', 'The recording does not name the folder its sessions worked in', {
        hint: "Name the project's folder: `--project DIR`.",
      })
    }
    const runFile = options.injected === undefined ? undefined : path.resolve(io.cwd, options.injected)
    if (runFile !== undefined) createRunFile(runFile)
    const bar = createReplayBar(recordings, options.quiet || options.json, io)
    const lines: RunLine[] = []
    const onReplayed: OnReplayed = ({ name }, recorded, text) => {
      if (text) lines.push(injectedLine(recorded, text))
      bar.advance(`${name}: ${recorded.payload.hook_event_name}`)
    }
    const startMs = Date.now()
    try {
      const run = options.throughHooks ? replayWithHooks : replayInProcess
      const store = await run({ recordings, root, options, onReplayed }, io)
      const result = await summarizeReplay(store, recordings, { injected: lines.length, ms: Date.now() - startMs })
      if (runFile !== undefined) writeRunFile(runFile, [...lines, ...(await listStatementLines(store, recordings))])
      bar.clear()
      printResult(io, options.json, result, formatSummary)
    } finally {
      bar.clear()
    }
  })
}

/** A progress bar over all payloads. */
export function createReplayBar(
  recordings: readonly Recording[],
  quiet: boolean | undefined,
  io: CliContext,
): ProgressBar {
  const total = recordings.reduce((sum, { payloads }) => sum + payloads.length, 0)
  return createProgressBar(io.err, createPalette(io.err, io.env), total, quiet)
}

async function replayInProcess({ recordings, root, options, onReplayed }: Replay, io: CliContext): Promise<Store> {
  const [{ replaySessions }, { openStoreAt, openStore }] = await Promise.all([
    import('../../broker/replay/replaySessions.ts'),
    import('../../broker/open/openStore.ts'),
  ])
  const store =
    options.store === undefined
      ? openStore(root, { MEMCTL_HOME: createTempHome('replay') })
      : openStoreAt(path.resolve(io.cwd, options.store), root)
  await prepareStore(store, options, recordings[0]?.payloads[0]?.at ?? Date.now(), io)
  const sessions = recordings.map(({ payloads }) => payloads)
  const recordingOf = new Map(
    recordings.flatMap((recording) => recording.payloads.map((recorded) => [recorded, recording] as const)),
  )
  replaySessions(store, sessions, {
    shuffleFeedback: options.shuffleFeedback,
    onOutput: (recorded, output) => {
      const recording = recordingOf.get(recorded)
      if (recording) onReplayed(recording, recorded, output.context ?? output.denyReason ?? '')
    },
  })
  return store
}

async function replayWithHooks({ recordings, root, options, onReplayed }: Replay, io: CliContext): Promise<Store> {
  const [{ findBuiltHooks }, { replayThroughHooks }, { openStore }] = await Promise.all([
    import('../replay/hookProcess.ts'),
    import('../replay/replayThroughHooks.ts'),
    import('../../broker/open/openStore.ts'),
  ])
  const hooks = findBuiltHooks(readPackageInfo().root)
  const home = options.store === undefined ? createTempHome('replay') : path.resolve(io.cwd, options.store)
  makeFolderFor(home, 'owner')
  const store = openStore(root, { MEMCTL_HOME: home })
  if (options.policy !== undefined) configurePolicy(home, options.policy, io)
  await prepareStore(store, options, Date.now(), io)
  await replayThroughHooks(recordings, { hooks, home, root, env: io.env }, store, (recording, recorded, run) =>
    onReplayed(recording, recorded, run?.context || run?.denyReason || ''),
  )
  return store
}

/** Chooses the policy and stops learning, as the options say. Both are events of the store. */
async function prepareStore(
  store: Store,
  { policy, frozen }: ReplayOptions,
  now: number,
  io: CliContext,
): Promise<void> {
  if (policy !== undefined) {
    const [{ resolvePolicyName }, { commitPolicy }, { runMaintenanceOrThrow }] = await Promise.all([
      import('../../broker/queries/comparePolicies.ts'),
      import('../../broker/commands/configuredPolicy.ts'),
      import('../../broker/maintenance/maintenance.ts'),
    ])
    commitPolicy(
      store,
      resolvePolicyName(store, policy, (file) => path.resolve(io.cwd, file)),
      now,
    )
    runMaintenanceOrThrow(store, now)
  }
  if (frozen) {
    const { setPolicyFrozen } = await import('../../broker/commands/policyCommands.ts')
    setPolicyFrozen(store, true, now)
  }
}

/** Writes the config of a new home, because the worker uses the policy that is configured there. */
function configurePolicy(home: string, policy: string, io: CliContext): void {
  const file = path.join(home, 'config.yaml')
  if (fs.existsSync(file)) {
    throw new MemoryError('USAGE', `${file} configures the policy of this store`, {
      hint: 'Change `policy:` there, or give another folder with `--store DIR`.',
    })
  }
  const name = /\.ya?ml$/.test(policy) ? path.resolve(io.cwd, policy) : policy
  fs.writeFileSync(file, `policy: ${JSON.stringify(name)}\n`, { mode: 0o600 })
}

/** The result of a replay, counted in the store. */
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
    injected: run.injected,
    ms: run.ms,
    faults,
    store: store.layout.folder,
  }
}

function formatSummary(result: ReplaySummary, { palette }: Terminal): string[] {
  const { recordings, sessions, payloads, events, memories, injected, ms, faults, store } = result
  const replayed = `${formatCount(recordings, 'recording')} of ${formatCount(sessions, 'session')}`
  const latest = `the latest in ${faults.latest?.where}: ${faults.latest?.what}`
  return [
    `Replayed ${replayed}: ${formatCount(payloads, 'payload')} in ${formatDuration(ms)}.`,
    `The log has ${formatCount(events, 'event')}; memories: ${formatKinds(memories)}.`,
    `${formatCount(injected, 'recall')} injected context.`,
    faults.count > 0 ? palette.red(`${formatCount(faults.count, 'fault')}, ${latest}`) : 'No faults.',
    `Stored in ${store}: explore it with \`memctl list --store ${store}\`.`,
  ]
}
