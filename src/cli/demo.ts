// memctl demo: the recorded shop told to the real hooks in a scratch memory, and what that memory then has to say.
import path from 'node:path'
import type { Command } from 'commander'
import type { Recorded } from '../broker/replay.ts'
import type { Store } from '../broker/store.ts'
import { MemoryError } from '../model/errors.ts'
import type { SessionId } from '../model/id.ts'
import { countText } from '../report/amount.ts'
import { paletteFor } from '../report/colour.ts'
import { progressOn } from '../report/progress.ts'
import { type Demo, demoPage } from './demoPage.ts'
import type { HookWorld } from './hookProcess.ts'
import { type Io, tell } from './io.ts'
import { ownPackage } from './packageRoot.ts'
import type { Recording } from './recordings.ts'
import { replayed } from './replay.ts'

/** Every so many hooks one bare Node is started, so that both are timed under the same load. */
const BARE_EVERY = 6

const HELPED_MAX = 4

/** The session that is asked for at the end; no recording has it. */
const NEXT_SESSION = 'the-next-session' as SessionId

export function registerDemo(program: Command, io: Io): void {
  program
    .command('demo')
    .description('two recorded weeks in a small shop, told to the real hooks in a scratch memory')
    .option('--quiet', 'no progress bar')
    .option('--json', 'answer as one line of JSON')
    .action(async (words: { readonly quiet?: boolean; readonly json?: boolean }) => {
      const { root: packageRoot } = ownPackage()
      const { recordedRoot, recordingsIn } = await import('./recordings.ts')
      const recordings = recordingsIn([path.join(packageRoot, 'recordings')], io.cwd)
      if (!words.json) {
        const days = `${recordings.length} recorded runs of Claude Code in a small shop, told again to the real hooks.`
        io.out.write(`${paletteFor(io.out, io.env).bold('memctl demo')}: ${days}\n`)
      }
      const demo = await demoOf(recordings, recordedRoot(recordings)!, packageRoot, words, io)
      tell(io, words.json, demo, demoPage)
    })
}

async function demoOf(
  recordings: readonly Recording[],
  root: string,
  packageRoot: string,
  words: { readonly quiet?: boolean; readonly json?: boolean },
  io: Io,
): Promise<Demo> {
  const [{ hooksBuiltIn, runBareNode }, { throughHooks }, { storeOf }, { scratchHome }] = await Promise.all([
    import('./hookProcess.ts'),
    import('./throughHooks.ts'),
    import('../broker/store.ts'),
    import('./scratch.ts'),
  ])
  const home = scratchHome('demo')
  const world: HookWorld = { hooks: hooksBuiltIn(packageRoot), home, root, env: io.env }
  const store = storeOf(root, { MEMCTL_HOME: home })
  const total = recordings.reduce((sum, { payloads }) => sum + payloads.length, 0)
  const bar = progressOn(io.err, paletteFor(io.err, io.env), total, words.quiet || words.json)
  const times = { hook: [] as number[], bare: [] as number[] }
  const began = Date.now()
  let spoke = 0
  try {
    await throughHooks(recordings, world, store, async ({ name }, { payload }, run) => {
      bar.step(`${name}: ${payload.hook_event_name}`)
      if (!run) return
      if (run.context) spoke++
      times.hook.push(run.ms)
      if (times.hook.length % BARE_EVERY === 0) times.bare.push(await runBareNode(world))
    })
  } finally {
    bar.end()
  }
  const done = await replayed(store, recordings, { spoke, ms: Date.now() - began })
  const ms = { hook: median(times.hook), bareNode: median(times.bare), hooks: times.hook.length }
  return { replayed: done, ...(await asked(recordings, world, store)), ms, home }
}

/** What the memory has to say now. */
async function asked(recordings: readonly Recording[], world: HookWorld, store: Store) {
  const [{ memoriesOf }, { policyLook }, { servingPolicy }] = await Promise.all([
    import('../broker/browse.ts'),
    import('../broker/policy/look.ts'),
    import('../broker/policy/served.ts'),
  ])
  const { weights, boosts } = servingPolicy(store).policy.recall
  const helped = memoriesOf(store, {}, 'help').filter((memory) => memory.help.used > 0)
  return {
    ...(await nextSession(recordings, world)),
    weights: { weights, boosts },
    policy: policyLook(store),
    helped: helped.slice(0, HELPED_MAX),
  }
}

/** The next session's start and its first failure, asked of a copy, so that the memory stays as the recordings left it. */
async function nextSession(
  recordings: readonly Recording[],
  world: HookWorld,
): Promise<Pick<Demo, 'start' | 'failure'>> {
  const [fs, { runHook }, { storeOf }, { eventsOf, memoryNamed }] = await Promise.all([
    import('node:fs'),
    import('./hookProcess.ts'),
    import('../broker/store.ts'),
    import('../broker/browse.ts'),
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
    const start = await runHook(copy, 'session-start', begin, process.pid)
    const again = { ...left.payload, session_id: NEXT_SESSION }
    const failure = await runHook(copy, 'post-tool-use-failure', again, process.pid)
    const store = storeOf(world.root, { MEMCTL_HOME: copy.home })
    const recalled = eventsOf(store, { session: NEXT_SESSION, kind: 'recalled', limit: 1 })[0]
    const shown = recalled?.kind === 'recalled' && recalled.moment === 'failure' ? recalled.shown[0] : undefined
    const first = shown ? { memory: memoryNamed(store, shown.memory), features: shown.features } : null
    const command = String((left.payload['tool_input'] as { command?: unknown } | undefined)?.command ?? 'a tool')
    return { start: start.context, failure: { command, told: failure.context, first } }
  } finally {
    fs.rmSync(copy.home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The failure the story ends with. */
function lastFailure(recordings: readonly Recording[]): Recorded {
  const all = recordings.flatMap((recording) => recording.payloads)
  const last = all.findLast(({ payload }) => payload.hook_event_name === 'PostToolUseFailure')
  if (last) return last
  throw new MemoryError(
    'RECORDING_INVALID',
    `No failure in ${countText(recordings.length, 'recording')} to ask about`,
    {
      mend: 'Install memctl again: its recordings are incomplete.',
    },
  )
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
