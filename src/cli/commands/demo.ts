// memctl demo: the recorded shop told to the real hooks in a scratch memory, and what that memory then has to say.
import path from 'node:path'
import type { Command } from 'commander'
import type { Store } from '../../broker/open/openStore.ts'
import type { RecordedPayload } from '../../broker/replay/replaySessions.ts'
import type { SessionId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { createPalette } from '../../report/palette.ts'
import { createProgressBar } from '../../report/progressBar.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import type { HookEnvironment } from '../replay/hookProcess.ts'
import type { Recording } from '../replay/recordingFiles.ts'
import { type DemoResult, formatDemoPage } from './demoPage.ts'
import { summarizeReplay } from './replay.ts'

/** Every so many hooks one bare Node is started, so that both are timed under the same load. */
const BARE_EVERY = 6

const HELPED_MAX = 4

/** The session that is asked for at the end; no recording has it. */
const NEXT_SESSION = 'the-next-session' as SessionId

export function registerDemo(program: Command, io: CliContext): void {
  program
    .command('demo')
    .description('two recorded weeks in a small shop, told to the real hooks in a scratch memory')
    .option('--quiet', 'no progress bar')
    .option('--json', 'answer as one line of JSON')
    .action(async (words: { readonly quiet?: boolean; readonly json?: boolean }) => {
      const { root: packageRoot } = readPackageInfo()
      const { findRecordedRoot, readRecordings } = await import('../replay/recordingFiles.ts')
      const recordings = readRecordings([path.join(packageRoot, 'recordings')], io.cwd)
      if (!words.json) {
        const days = `${recordings.length} recorded runs of Claude Code in a small shop, told again to the real hooks.`
        io.out.write(`${createPalette(io.out, io.env).bold('memctl demo')}: ${days}\n`)
      }
      const demo = await demoOf(recordings, findRecordedRoot(recordings)!, packageRoot, words, io)
      printResult(io, words.json, demo, formatDemoPage)
    })
}

async function demoOf(
  recordings: readonly Recording[],
  root: string,
  packageRoot: string,
  words: { readonly quiet?: boolean; readonly json?: boolean },
  io: CliContext,
): Promise<DemoResult> {
  const [{ findBuiltHooks, runBareNode }, { replayThroughHooks }, { openStore }, { createTempHome }] =
    await Promise.all([
      import('../replay/hookProcess.ts'),
      import('../replay/replayThroughHooks.ts'),
      import('../../broker/open/openStore.ts'),
      import('../context/tempHome.ts'),
    ])
  const home = createTempHome('demo')
  const world: HookEnvironment = { hooks: findBuiltHooks(packageRoot), home, root, env: io.env }
  const store = openStore(root, { MEMCTL_HOME: home })
  const total = recordings.reduce((sum, { payloads }) => sum + payloads.length, 0)
  const bar = createProgressBar(io.err, createPalette(io.err, io.env), total, words.quiet || words.json)
  const times = { hook: [] as number[], bare: [] as number[] }
  const began = Date.now()
  let injectedCount = 0
  try {
    await replayThroughHooks(recordings, world, store, async ({ name }, { payload }, run) => {
      bar.advance(`${name}: ${payload.hook_event_name}`)
      if (!run) return
      if (run.context) injectedCount++
      times.hook.push(run.ms)
      if (times.hook.length % BARE_EVERY === 0) times.bare.push(await runBareNode(world))
    })
  } finally {
    bar.clear()
  }
  const done = await summarizeReplay(store, recordings, { injected: injectedCount, ms: Date.now() - began })
  const ms = { hook: median(times.hook), bareNode: median(times.bare), hooks: times.hook.length }
  return { replayed: done, ...(await asked(recordings, world, store)), ms, home }
}

/** What the memory has to say now. */
async function asked(recordings: readonly Recording[], world: HookEnvironment, store: Store) {
  const [{ listMemories }, { summarizePolicy }, { readActivePolicy }] = await Promise.all([
    import('../../broker/queries/browse.ts'),
    import('../../broker/queries/policySummary.ts'),
    import('../../broker/policy/activePolicy.ts'),
  ])
  const { weights, boosts } = readActivePolicy(store).policy.recall
  const helpfulMemories = listMemories(store, {}, 'help').filter((memory) => memory.help.used > 0)
  return {
    ...(await nextSession(recordings, world)),
    weights: { weights, boosts },
    policy: summarizePolicy(store),
    helpfulMemories: helpfulMemories.slice(0, HELPED_MAX),
  }
}

/** The next session's start and its first failure, asked of a copy, so that the memory stays as the recordings left it. */
async function nextSession(
  recordings: readonly Recording[],
  world: HookEnvironment,
): Promise<Pick<DemoResult, 'start' | 'failure'>> {
  const [fs, { runHookProcess }, { openStore }, { listLatestEvents, findMemoryByPrefix }] = await Promise.all([
    import('node:fs'),
    import('../replay/hookProcess.ts'),
    import('../../broker/open/openStore.ts'),
    import('../../broker/queries/browse.ts'),
  ])
  const copy = { ...world, home: `${world.home}-asked` }
  // A worker that finds nothing left to do may still come and go: its lock is no part of the memory.
  const isKept = (file: string): boolean => path.basename(file) !== 'lock' && !file.endsWith('.aside')
  fs.cpSync(world.home, copy.home, { recursive: true, filter: isKept })
  try {
    const left = lastFailure(recordings)
    const { cwd } = left.payload
    const begin = {
      session_id: NEXT_SESSION,
      cwd,
      hook_event_name: 'SessionStart',
      source: 'startup',
      git_branch: 'main',
    }
    const start = await runHookProcess(copy, 'session-start', begin, process.pid)
    const again = { ...left.payload, session_id: NEXT_SESSION }
    const failure = await runHookProcess(copy, 'post-tool-use-failure', again, process.pid)
    const store = openStore(world.root, { MEMCTL_HOME: copy.home })
    const recalled = listLatestEvents(store, { session: NEXT_SESSION, kind: 'recalled', limit: 1 })[0]
    const shown = recalled?.kind === 'recalled' && recalled.moment === 'failure' ? recalled.shown[0] : undefined
    const first = shown ? { memory: findMemoryByPrefix(store, shown.memory), features: shown.features } : null
    const command = String((left.payload['tool_input'] as { command?: unknown } | undefined)?.command ?? 'a tool')
    return { start: start.context, failure: { command, injected: failure.context, first } }
  } finally {
    fs.rmSync(copy.home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The failure the story ends with. */
function lastFailure(recordings: readonly Recording[]): RecordedPayload {
  const all = recordings.flatMap((recording) => recording.payloads)
  const last = all.findLast(({ payload }) => payload.hook_event_name === 'PostToolUseFailure')
  if (last) return last
  throw new MemoryError(
    'RECORDING_INVALID',
    `No failure in ${formatCount(recordings.length, 'recording')} to ask about`,
    {
      hint: 'Install memctl again: its recordings are incomplete.',
    },
  )
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
