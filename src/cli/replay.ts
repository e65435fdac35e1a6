// memctl replay: recorded sessions run through the memory again, in process or through the real hooks.
import path from 'node:path'
import type { Command } from 'commander'
import type { Overview } from '../broker/overview.ts'
import type { Store } from '../broker/store.ts'
import { MemoryError } from '../model/errors.ts'
import { countText } from '../report/amount.ts'
import { paletteFor } from '../report/colour.ts'
import { type Progress, progressOn } from '../report/progress.ts'
import { spanText } from '../report/time.ts'
import { type Io, type Page, tell } from './io.ts'
import { ownPackage } from './packageRoot.ts'
import type { Recording } from './recordings.ts'

interface Words {
  readonly project?: string
  readonly store?: string
  readonly throughHooks?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

export interface Replayed {
  readonly recordings: number
  readonly sessions: number
  readonly payloads: number
  readonly events: number
  readonly memories: Overview['memories']['byKind']
  /** Recalls whose text the model was given. */
  readonly spoke: number
  readonly ms: number
  readonly faults: Overview['faults']
  readonly store: string
}

export function registerReplay(program: Command, io: Io): void {
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
    .action(async (places: readonly string[], words: Words) => {
      const { recordedRoot, recordingsIn } = await import('./recordings.ts')
      const recordings = recordingsIn(places, io.cwd)
      const recorded = recordedRoot(recordings)
      const root = words.project === undefined ? recorded : path.resolve(io.cwd, words.project)
      if (root === undefined) {
        throw new MemoryError('USAGE', 'The recording does not say where its sessions worked', {
          mend: 'Give the project’s folder: `--project DIR`.',
        })
      }
      const total = recordings.reduce((sum, { payloads }) => sum + payloads.length, 0)
      const bar = progressOn(io.err, paletteFor(io.err, io.env), total, words.quiet || words.json)
      try {
        const run = words.throughHooks ? hooksReplayed : inProcess
        const result = await run(recordings, root, words, bar, io)
        bar.end()
        tell(io, words.json, result, rendered)
      } finally {
        bar.end()
      }
    })
}

async function inProcess(
  recordings: readonly Recording[],
  root: string,
  words: Words,
  bar: Progress,
  io: Io,
): Promise<Replayed> {
  const { replay } = await import('../broker/replay.ts')
  const store = await storeFor(root, words, io)
  const began = Date.now()
  let spoke = 0
  const name = new Map(recordings.flatMap((one) => one.payloads.map((recorded) => [recorded, one.name] as const)))
  const sessions = recordings.map((recording) => recording.payloads)
  replay(store, sessions, {
    onAnswer: (recorded, answer) => {
      if (answer.context) spoke++
      bar.step(`${name.get(recorded)}: ${recorded.payload.hook_event_name}`)
    },
  })
  return replayed(store, recordings, { spoke, ms: Date.now() - began })
}

async function hooksReplayed(
  recordings: readonly Recording[],
  root: string,
  words: Words,
  bar: Progress,
  io: Io,
): Promise<Replayed> {
  const [{ hooksBuiltIn }, { throughHooks }, { storeOf }, { scratchHome }, fs] = await Promise.all([
    import('./hookProcess.ts'),
    import('./throughHooks.ts'),
    import('../broker/store.ts'),
    import('./scratch.ts'),
    import('node:fs'),
  ])
  const hooks = hooksBuiltIn(ownPackage().root)
  const home = words.store === undefined ? scratchHome('replay') : path.resolve(io.cwd, words.store)
  fs.mkdirSync(home, { recursive: true })
  const store = storeOf(root, { MEMCTL_HOME: home })
  const began = Date.now()
  let spoke = 0
  await throughHooks(recordings, { hooks, home, root, env: io.env }, store, ({ name }, { payload }, run) => {
    if (run?.context) spoke++
    bar.step(`${name}: ${payload.hook_event_name}`)
  })
  return replayed(store, recordings, { spoke, ms: Date.now() - began })
}

async function storeFor(root: string, words: Words, io: Io): Promise<Store> {
  const [{ storeAt, storeOf }, { scratchHome }] = await Promise.all([
    import('../broker/store.ts'),
    import('./scratch.ts'),
  ])
  if (words.store !== undefined) return storeAt(path.resolve(io.cwd, words.store), root)
  return storeOf(root, { MEMCTL_HOME: scratchHome('replay') })
}

/** What came of it, counted in the store. */
export async function replayed(
  store: Store,
  recordings: readonly Recording[],
  run: { readonly spoke: number; readonly ms: number },
): Promise<Replayed> {
  const { eventCount, overviewOf } = await import('../broker/overview.ts')
  const payloads = recordings.flatMap((recording) => recording.payloads)
  const { memories, faults } = overviewOf(store)
  return {
    recordings: recordings.length,
    sessions: new Set(payloads.map(({ payload }) => payload.session_id)).size,
    payloads: payloads.length,
    events: eventCount(store),
    memories: memories.byKind,
    ...run,
    faults,
    store: store.layout.folder,
  }
}

/** The memories by kind in words: `12 experiences, 5 lessons`. */
export function kindsText(byKind: Readonly<Record<string, number>>): string {
  const words = Object.entries(byKind).flatMap(([kind, count]) =>
    count > 0
      ? [
          countText(
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

function rendered(result: Replayed, { palette }: Page): string[] {
  const { recordings, sessions, payloads, events, memories, spoke, ms, faults, store } = result
  return [
    `Replayed ${countText(recordings, 'recording')} of ${countText(sessions, 'session')}: ${countText(payloads, 'payload')} in ${spanText(ms)}.`,
    `The log has ${countText(events, 'event')}; memories: ${kindsText(memories)}.`,
    `${countText(spoke, 'recall')} spoke.`,
    ...(faults.count > 0
      ? [
          palette.red(
            `${countText(faults.count, 'fault')}, the latest in ${faults.latest?.where}: ${faults.latest?.what}`,
          ),
        ]
      : ['No faults.']),
    `It lies in ${store}: look around with \`memctl list --store ${store}\`.`,
  ]
}
