// demo: replays the recorded shop through the real hooks in a temporary store, then shows what it recalls.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../src/broker/open/openStore.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { withJsonOption } from '../../src/cli/context/storeOption.ts'
import type { SessionId } from '../../src/model/id.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { formatCount } from '../../src/report/formatNumber.ts'
import { createPalette } from '../../src/report/textOutput.ts'
import type { RecordedPayload } from '../fixture/replaySessions.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { type DemoResult, formatDemoPage } from './demoPage.ts'
import type { HookEnvironment } from './hookProcess.ts'
import type { Recording } from './recordingFiles.ts'
import { createReplayBar, summarizeReplay } from './replayCommand.ts'

interface DemoOptions {
  readonly quiet?: boolean
  readonly json?: boolean
}

/** One bare Node is started per this many hooks, so that both are timed under the same load. */
const HOOKS_PER_BARE = 6

const HELPFUL_MAX = 4

const DAY_MS = 86_400_000

/** The sessions that are simulated at the end. No recording has these ids. */
const NEXT_SESSION = 'the-next-session' as SessionId
const FAILING_SESSION = 'the-failing-session' as SessionId

export function registerDemo(program: Command, io: CliContext): void {
  const about = 'replay two recorded weeks of a small shop through the real hooks, in a temporary store'
  withJsonOption(program.command('demo').description(about).option('--quiet', 'show no progress bar')).action(
    async (options: DemoOptions) => {
      const { root: packageRoot } = readPackageInfo()
      const { readRecordings } = await import('./recordingFiles.ts')
      const recordings = readRecordings([path.join(packageRoot, 'recordings')], io.cwd)
      if (!options.json) {
        const title = createPalette(io.out, io.env).bold('memctl')
        io.out.write(
          `${title}: ${recordings.length} recorded runs of Claude Code in a small shop, over two weeks, ` +
            'replayed through the real hooks.\nThe client, its tools and their output are real; ' +
            'what the person types and the model answers is scripted.\n',
        )
      }
      printResult(io, options.json, await runDemo(recordings, packageRoot, options, io), formatDemoPage)
    },
  )
}

async function runDemo(
  recordings: readonly Recording[],
  packageRoot: string,
  options: DemoOptions,
  io: CliContext,
): Promise<DemoResult> {
  const [{ findBuiltHooks, runBareNode }, { replayThroughHooks }, { findRecordedRoot }, { openStore }] =
    await Promise.all([
      import('./hookProcess.ts'),
      import('./replayThroughHooks.ts'),
      import('./recordingFiles.ts'),
      import('../../src/broker/open/openStore.ts'),
    ])
  const failure = findLastFailure(recordings)
  const root = findRecordedRoot(recordings) ?? io.cwd
  const { path: home } = createTempHome('demo')
  const environment: HookEnvironment = { hooks: findBuiltHooks(packageRoot), home, root, env: io.env }
  const store = openStore(root, { MEMCTL_HOME: home })
  const bar = createReplayBar(recordings, options.quiet || options.json, io)
  const hookMs: number[] = []
  const bareMs: number[] = []
  const startMs = Date.now()
  let injected = 0
  try {
    // Whole days later, so that the last session ended within the last day.
    const lastMs = recordings.at(-1)?.payloads.at(-1)?.at ?? startMs
    const shiftMs = Math.floor((startMs - lastMs) / DAY_MS) * DAY_MS
    await replayThroughHooks(recordings, { ...environment, shiftMs }, store, async ({ name }, { payload }, run) => {
      bar.advance(`${name}: ${payload.hook_event_name}`)
      if (!run) return
      if (run.context) injected++
      hookMs.push(run.ms)
      if (hookMs.length % HOOKS_PER_BARE === 0) bareMs.push(await runBareNode(environment))
    })
  } finally {
    bar.clear()
  }
  return {
    replayed: await summarizeReplay(store, recordings, { injected, ms: Date.now() - startMs }),
    ...(await simulateNextSession(failure, environment)),
    ...(await readLearned(store)),
    ms: { hook: median(hookMs), bareNode: median(bareMs), hooks: hookMs.length },
    home,
  }
}

/** Of two middle values the upper one; NaN without values. */
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The policy and the memories that helped. */
async function readLearned(store: Store): Promise<Pick<DemoResult, 'formula' | 'policy' | 'helpfulMemories'>> {
  const [{ listMemories }, { summarizePolicy }, { readActivePolicy }] = await Promise.all([
    import('../../src/broker/queries/browse.ts'),
    import('../../src/broker/queries/policySummary.ts'),
    import('../../src/broker/policy/activePolicy.ts'),
  ])
  const { formula } = readActivePolicy(store).policy.recall
  const used = listMemories(store, {}, 'help').filter((memory) => memory.help.used > 0)
  return { formula, policy: summarizePolicy(store), helpfulMemories: used.slice(0, HELPFUL_MAX) }
}

/**
 * What a next session would get at its start, and when the last recorded failure happens again. It runs on a copy of
 * the store, which stays as the recordings left it.
 */
async function simulateNextSession(
  last: RecordedPayload,
  environment: HookEnvironment,
): Promise<Pick<DemoResult, 'start' | 'failure'>> {
  const [{ runHookProcess }, { openStore }, { listLatestEvents, findMemoryByPrefix }] = await Promise.all([
    import('./hookProcess.ts'),
    import('../../src/broker/open/openStore.ts'),
    import('../../src/broker/queries/browse.ts'),
  ])
  const copy = { ...environment, home: `${environment.home}-next` }
  // An idle worker may still create and remove its lock and temporary files while they are copied.
  const isStored = (file: string): boolean => path.basename(file) !== 'lock' && !file.endsWith('.aside')
  fs.cpSync(environment.home, copy.home, { recursive: true, filter: isStored })
  try {
    const startPayload = {
      session_id: NEXT_SESSION,
      cwd: last.payload.cwd,
      hook_event_name: 'SessionStart',
      source: 'startup',
      git_branch: 'main',
    }
    const start = await runHookProcess(copy, 'session-start', startPayload, process.pid)
    // A session of its own: what the start has shown is not shown again.
    const failurePayload = { ...last.payload, session_id: FAILING_SESSION }
    const failure = await runHookProcess(copy, 'post-tool-use-failure', failurePayload, process.pid)
    const store = openStore(environment.root, { MEMCTL_HOME: copy.home })
    const [recalled] = listLatestEvents(store, { session: FAILING_SESSION, kind: 'recalled', limit: 1 })
    const shown = recalled?.kind === 'recalled' && recalled.moment === 'failure' ? recalled.shown[0] : undefined
    const first = shown ? { memory: findMemoryByPrefix(store, shown.memory), features: shown.features } : null
    const command = String((last.payload['tool_input'] as { command?: unknown } | undefined)?.command ?? 'a tool')
    return { start: start.context, failure: { command, injected: failure.context, first } }
  } finally {
    fs.rmSync(copy.home, { recursive: true, force: true, maxRetries: 3 })
  }
}

function findLastFailure(recordings: readonly Recording[]): RecordedPayload {
  const payloads = recordings.flatMap((recording) => recording.payloads)
  const last = payloads.findLast(({ payload }) => payload.hook_event_name === 'PostToolUseFailure')
  if (last) return last
  throw new MemoryError('RECORDING_INVALID', `No failure in ${formatCount(recordings.length, 'recording')}`, {
    hint: 'Install memctl again: its recordings are incomplete.',
  })
}
