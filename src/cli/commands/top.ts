// memctl top: what happens in the memory now, refreshed while sessions run. Without a terminal it prints once.
import type { Command } from 'commander'
import type { ActivityItem, LiveActivity } from '../../broker/queries/liveActivity.ts'
import { selectRankingModel } from '../../model/policy.ts'
import type { RecallMoment } from '../../model/recallQuery.ts'
import { describeHub } from '../../report/hubLine.ts'
import { createPalette } from '../../report/palette.ts'
import { outputColumns } from '../../report/textOutput.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

interface TopOptions extends StoreOptions {
  readonly once?: boolean
}

/** Lines of a snapshot for a pipe. */
const ONCE_ROWS = 40

export function registerTop(program: Command, io: CliContext): void {
  withStoreOptions(program.command('top').description('watch what the memory does: sessions, notes, failures, faults'))
    .option('--once', 'print it once, as it also does without a terminal')
    .action(async (options: TopOptions) => {
      const store = await openSelectedStore(options, io)
      const [{ openLiveActivity }, { readActivePolicy }, { readHubStatus }] = await Promise.all([
        import('../../broker/queries/liveActivity.ts'),
        import('../../broker/policy/activePolicy.ts'),
        import('../../broker/team/hubStatus.ts'),
      ])
      const live = openLiveActivity(store)
      const { recall } = readActivePolicy(store).policy
      const modelOf = (moment: RecallMoment) => selectRankingModel(recall, moment)
      const hubOf = () => describeHub(readHubStatus(store, io.env), Date.now())
      if (options.json) {
        const hub = readHubStatus(store, io.env)
        return printResult(io, true, { ...live.read(Date.now()), ...(hub && { hub }) }, () => [])
      }
      const folders = [store.layout.events, store.layout.folder]
      const isShown = options.once !== true && (await runOnTerminal(live, { modelOf, hubOf, folders }, io))
      if (!isShown) await printOnce(live, { modelOf, hubOf }, io)
    })
}

async function printOnce(
  live: LiveActivity,
  { modelOf, hubOf }: Omit<ScreenSource, 'folders'>,
  io: CliContext,
): Promise<void> {
  const [{ renderTop }, { TOP_START }] = await Promise.all([
    import('../top/renderTop.ts'),
    import('../top/topState.ts'),
  ])
  const lines = renderTop({
    activity: live.read(Date.now()),
    state: { ...TOP_START, selected: -1 },
    columns: outputColumns(io.out),
    rows: ONCE_ROWS,
    palette: createPalette(io.out, io.env),
    modelOf,
    hub: hubOf(),
  })
  // The keys in the last line are for a screen.
  const text = lines.slice(0, -1).join('\n').trimEnd()
  io.out.write(`${text}\n`)
}

interface ScreenSource {
  /** The state of the hub now. */
  readonly hubOf: () => string | undefined
  readonly modelOf: (moment: RecallMoment) => ReturnType<typeof selectRankingModel>
  /** Folders whose changes are shown. */
  readonly folders: readonly string[]
}

/** Runs until the person quits. False if there is no terminal. */
async function runOnTerminal(live: LiveActivity, source: ScreenSource, io: CliContext): Promise<boolean> {
  const { modelOf, hubOf, folders } = source
  const [{ openTerminalScreen }, { renderTop }, { watchFolders }, topState] = await Promise.all([
    import('../top/terminalScreen.ts'),
    import('../top/renderTop.ts'),
    import('../top/watchLog.ts'),
    import('../top/topState.ts'),
  ])
  const { filterItems, pressKey, splitKeys, TOP_START } = topState
  if (io.out.isTTY !== true) return false
  const palette = createPalette(io.out, io.env)
  let activity = live.read(Date.now())
  let hub = hubOf()
  let state = TOP_START
  let quit = (): void => {}
  const draw = (): void => {
    const item = filterItems(activity.items, state.filter)[state.selected]
    const memory = state.page === 'memory' && item ? live.find(item.memory) : undefined
    screen?.draw(renderTop({ activity, state, ...screen.size(), palette, memory, modelOf, hub }))
  }
  const onKeys = (keys: string): void => {
    for (const key of splitKeys(keys)) state = pressKey(state, key, filterItems(activity.items, state.filter).length)
    if (state.isDone) quit()
    else draw()
  }
  const screen = openTerminalScreen({ onKeys, onResize: draw })
  if (!screen) return false
  const done = new Promise<void>((resolve) => {
    quit = resolve
  })
  draw()
  const stop = watchFolders(folders, () => {
    // A page is read in peace, and what was selected stays where it is.
    if (state.isPaused || state.page !== 'list') return
    const before = filterItems(activity.items, state.filter)[state.selected]
    activity = live.read(Date.now())
    hub = hubOf()
    state = { ...state, selected: findSelected(filterItems(activity.items, state.filter), before, state.selected) }
    draw()
  })
  await done
  stop()
  screen.close()
  return true
}

/** The selection stays on its item when newer ones come; the first line stays the first. */
function findSelected(items: readonly ActivityItem[], before: ActivityItem | undefined, selected: number): number {
  if (!before || selected === 0) return 0
  const index = items.findIndex(
    ({ memory, at, kind }) => memory === before.memory && at === before.at && kind === before.kind,
  )
  return index === -1 ? Math.min(selected, Math.max(0, items.length - 1)) : index
}
