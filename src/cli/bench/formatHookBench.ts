// The results of `bench hooks` as lines for a person.
import { formatBytes } from '../../report/formatNumber.ts'
import { formatTable, type TableColumn } from '../../report/formatTable.ts'
import type { Palette } from '../../report/palette.ts'
import type { Terminal } from '../context/cliContext.ts'
import type { ConcurrentHooksResult } from './benchConcurrentHooks.ts'
import type { HookBenchResult } from './benchHooks.ts'
import type { SessionEndResult } from './benchSessionEnd.ts'

const columnsBeside = (beside: string): readonly TableColumn[] => [
  { head: 'hook' },
  ...['ms', beside, 'ratio', 'quartiles', 'bar', 'memory', 'spoke'].map((head) => ({
    head,
    align: 'right' as const,
  })),
  { head: '' },
]

export function formatHookResults(
  results: readonly HookBenchResult[],
  { palette, columns }: Terminal,
  beside = 'node -e 0',
): string[] {
  const mb = (value: number | undefined): string => (value === undefined ? '?' : formatBytes(value * 1024 * 1024))
  const rows = results.map((one) => [
    one.event,
    one.ms.toFixed(1),
    one.bareMs.toFixed(1),
    one.ratio.toFixed(3),
    one.quartiles.map((value) => value.toFixed(2)).join(' – '),
    one.ratioMax?.toFixed(2) ?? '',
    `${mb(one.memoryMb)} / ${mb(one.bareMemoryMb)}`,
    `${one.injected}/${one.runs}`,
    one.isWithinLimit === undefined ? '' : one.isWithinLimit ? palette.green('within') : palette.red('over'),
  ])
  return formatTable(columnsBeside(beside), rows, columns, palette.bold)
}

export const formatConcurrentHooks = (result: ConcurrentHooksResult, { palette }: Terminal): string[] => [
  `${result.hooks} PostToolUse at once on ${result.cores} cores, median of ${result.runs}:`,
  `${result.wallMs.toFixed(0)} ms by the clock; one after the other they take ${result.singleMs.toFixed(0)} ms`,
  `${result.ratio.toFixed(2)} times their share of the cores, ${result.ratioMax} at most; ${result.recorded} of ${result.hooks} kept: ${formatVerdict(result.isWithinLimit, palette)}`,
]

export const formatSessionEnd = (result: SessionEndResult, { palette }: Terminal): string[] => [
  `A session of ${result.sessionEvents} events ends in a store of ${result.memories} memories:`,
  `its hook returned after ${result.hookMs.toFixed(0)} ms; ${result.organized ? 'it is' : 'it is NOT'} organised`,
  `${result.exitedAfterMs === undefined ? 'a process of ours is alive after a minute' : `the last process of ours was gone after ${(result.exitedAfterMs / 1000).toFixed(1)} s`}: ${formatVerdict(result.isWithinLimit, palette)}`,
]

export const formatVerdict = (within: boolean | undefined, palette: Palette): string =>
  within === undefined ? '' : within ? palette.green('within') : palette.red('over')
