// replay: runs recorded sessions through the memory again, in this process or through the real hooks.
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { StoreStatus } from '../../src/broker/queries/storeStatus.ts'
import { type CliContext, ExitStatus, printResult, type Terminal } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption, withJsonOption } from '../../src/cli/context/storeOption.ts'
import { formatKinds } from '../../src/cli/format/memoryText.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { formatCount, formatDuration } from '../../src/report/formatNumber.ts'
import { createProgressBar, type ProgressBar } from '../../src/report/textOutput.ts'
import { makeFolderFor } from '../../src/store/disk/diskCalls.ts'
import type { RecordedPayload } from '../fixture/replaySessions.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import type { RunLine } from './injectionRun.ts'
import type { Recording } from './recordingFiles.ts'
import type { WaitingSession } from './replayAnswers.ts'
import { configurePolicy, prepareReplayStore } from './replayPolicy.ts'
import { createFeedbackShuffler } from './shuffleFeedback.ts'

interface ReplayOptions {
  readonly project?: string
  readonly store?: string
  readonly throughHooks?: boolean
  readonly injected?: string
  readonly answers?: string
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
  /** What was injected so far. */
  readonly lines: RunLine[]
  readonly onReplayed: OnReplayed
}

interface Replayed {
  readonly store: Store
  readonly waiting?: WaitingSession | undefined
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
    .option(
      '--answers <dir>',
      "use DIR/SESSION.json as a model's answer about each session; where it is missing, write the request to " +
        'DIR/SESSION.txt and stop with exit status 3. The same command goes on there; needs --store',
    )
    .option('--policy <name>', 'the policy to use: a built-in policy or a file (default: the configured policy)')
    .option('--frozen', 'learning does not change the policy; memories still count how often they were used')
    .option('--shuffle-feedback <seed>', 'learn from verdicts of the wrong memories, as a control', integerOption(0))
    .option('--quiet', 'show no progress bar')
  withJsonOption(command).action(async (paths: readonly string[], options: ReplayOptions) => {
    const [{ findRecordedRoot, readRecordings }, { createRunFile, injectedLine, listStatementLines, writeRunFile }] =
      await Promise.all([import('./recordingFiles.ts'), import('./injectionRun.ts')])
    const recordings = readRecordings(paths, io.cwd)
    const root = options.project === undefined ? findRecordedRoot(recordings) : path.resolve(io.cwd, options.project)
    if (root === undefined) {
      throw new MemoryError('USAGE', 'The recording does not name the folder its sessions worked in', {
        hint: "Name the project's folder: `--project DIR`.",
      })
    }
    if (options.answers !== undefined && (options.store === undefined || options.throughHooks)) {
      throw new MemoryError('USAGE', '--answers needs --store, and does not work with --through-hooks', {
        hint: 'Name a folder for the result: `--store DIR`.',
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
      const { store, waiting } = await run({ recordings, root, options, lines, onReplayed }, io)
      if (waiting) {
        bar.clear()
        printResult(io, options.json, { waiting }, formatWaiting)
        throw new ExitStatus(WAITING_STATUS)
      }
      const result = await summarizeReplay(store, recordings, { injected: lines.length, ms: Date.now() - startMs })
      if (runFile !== undefined) writeRunFile(runFile, [...lines, ...(await listStatementLines(store, recordings))])
      bar.clear()
      printResult(io, options.json, result, formatSummary)
    } finally {
      bar.clear()
    }
  })
}

/** The exit status of a replay that waits for an answer. */
const WAITING_STATUS = 3

const formatWaiting = ({ waiting }: { readonly waiting: WaitingSession }): string[] => [
  `${waiting.session} waits for an answer: read ${waiting.request}, write ${waiting.answer}`,
]

/** A progress bar over all payloads. */
export function createReplayBar(
  recordings: readonly Recording[],
  quiet: boolean | undefined,
  io: CliContext,
): ProgressBar {
  const total = recordings.reduce((sum, { payloads }) => sum + payloads.length, 0)
  return createProgressBar(io, total, quiet)
}

async function replayInProcess(replay: Replay, io: CliContext): Promise<Replayed> {
  const { recordings, root, options, lines, onReplayed } = replay
  const [{ replaySessions }, { openStoreAt, openStore }] = await Promise.all([
    import('../fixture/replaySessions.ts'),
    import('../../src/broker/open/openStore.ts'),
  ])
  const store =
    options.store === undefined
      ? openStore(root, { MEMCTL_HOME: createTempHome('replay').path })
      : openStoreAt(path.resolve(io.cwd, options.store), root)
  const answers = options.answers === undefined ? undefined : await openAnswers(store, options.answers, recordings, io)
  if (answers === undefined || answers.payloads === 0)
    await prepareReplayStore(store, options, recordings[0]?.payloads[0]?.at ?? Date.now(), io)
  lines.push(...(answers?.injected ?? []))
  const recordingOf = new Map(
    recordings.flatMap((recording) => recording.payloads.map((recorded) => [recorded, recording] as const)),
  )
  let replayed = answers?.payloads ?? 0
  try {
    if (answers?.resume() === false) return { store, waiting: answers.waiting() }
    replaySessions(
      store,
      recordings.map(({ payloads }) => payloads),
      {
        adjustFeedback:
          options.shuffleFeedback === undefined ? undefined : createFeedbackShuffler(options.shuffleFeedback),
        skip: replayed,
        onOrganized: answers?.onOrganized,
        onOutput: (recorded, output) => {
          replayed++
          const recording = recordingOf.get(recorded)
          if (recording) onReplayed(recording, recorded, output.context ?? output.denyReason ?? '')
        },
      },
    )
    return { store, waiting: answers?.waiting() }
  } finally {
    answers?.save(replayed, lines)
  }
}

async function openAnswers(store: Store, folder: string, recordings: readonly Recording[], io: CliContext) {
  const { openReplayAnswers } = await import('./replayAnswers.ts')
  return openReplayAnswers(store, path.resolve(io.cwd, folder), recordings)
}

async function replayWithHooks({ recordings, root, options, onReplayed }: Replay, io: CliContext): Promise<Replayed> {
  const [{ findBuiltHooks }, { replayThroughHooks }, { openStore }] = await Promise.all([
    import('./hookProcess.ts'),
    import('./replayThroughHooks.ts'),
    import('../../src/broker/open/openStore.ts'),
  ])
  const hooks = findBuiltHooks(readPackageInfo().root)
  const home = options.store === undefined ? createTempHome('replay').path : path.resolve(io.cwd, options.store)
  makeFolderFor(home, 'owner')
  const store = openStore(root, { MEMCTL_HOME: home })
  if (options.policy !== undefined) configurePolicy(home, options.policy, io)
  await prepareReplayStore(store, options, Date.now(), io)
  await replayThroughHooks(recordings, { hooks, home, root, env: io.env }, store, (recording, recorded, run) =>
    onReplayed(recording, recorded, run?.context || run?.denyReason || ''),
  )
  return { store }
}

/** The result of a replay, counted in the store. */
export async function summarizeReplay(
  store: Store,
  recordings: readonly Recording[],
  run: { readonly injected: number; readonly ms: number },
): Promise<ReplaySummary> {
  const { countEvents, readStoreStatus } = await import('../../src/broker/queries/storeStatus.ts')
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
