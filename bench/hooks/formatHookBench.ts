// The results of `npm run -s bench -- hooks` for a person.

import type { Terminal } from '../../src/cli/context/cliContext.ts'
import { formatBytes } from '../../src/report/formatNumber.ts'
import { formatTable, numberColumns } from '../../src/report/formatTable.ts'
import type { Palette } from '../../src/report/textOutput.ts'
import type { ConcurrentHooksResult } from './benchConcurrentHooks.ts'
import type { HookBenchResult } from './benchHooks.ts'
import type { SessionEndResult } from './benchSessionEnd.ts'

export function formatHookResults(
  results: readonly HookBenchResult[],
  { palette, columns }: Terminal,
  baseline = 'node -e 0',
): string[] {
  const mb = (value: number | undefined): string => (value === undefined ? '?' : formatBytes(value * 1024 * 1024))
  const heads = numberColumns('ms', baseline, 'ratio', 'quartiles', 'limit', 'memory', 'injected')
  const rows = results.map((result) => [
    result.event,
    result.ms.toFixed(1),
    result.bareMs.toFixed(1),
    result.ratio.toFixed(3),
    result.quartiles.map((value) => value.toFixed(2)).join(' – '),
    result.ratioMax?.toFixed(2) ?? '',
    `${mb(result.memoryMb)} / ${mb(result.bareMemoryMb)}`,
    `${result.injected}/${result.runs}`,
    formatVerdict(result.isWithinLimit, palette),
  ])
  return formatTable(['hook', ...heads, ''], rows, columns, palette.bold)
}

export const formatConcurrentHooks = (result: ConcurrentHooksResult, { palette }: Terminal): string[] => [
  `${result.hooks} PostToolUse at once on ${result.cores} cores, median of ${result.runs}:`,
  `${result.wallMs.toFixed(0)} ms elapsed; in sequence they take ${result.singleMs.toFixed(0)} ms`,
  `${result.ratio.toFixed(2)} times their share of the cores, ${result.ratioMax} at most; ${result.recorded} ` +
    `of ${result.hooks} recorded: ${formatVerdict(result.isWithinLimit, palette)}`,
]

export const formatSessionEnd = (result: SessionEndResult, { palette }: Terminal): string[] => [
  `A session of ${result.sessionEvents} events ends in a store of ${result.memories} memories:`,
  `its hook returned after ${result.hookMs.toFixed(0)} ms; the session ${result.organized ? 'is' : 'is NOT'} organized`,
  `${formatBytes(result.writtenBytes)} were written`,
  `${result.exitedAfterMs === undefined ? 'a process is still running after a minute' : `the last process exited after ${(result.exitedAfterMs / 1000).toFixed(1)} s`}: ${formatVerdict(result.isWithinLimit, palette)}`,
]

export const formatVerdict = (isWithinLimit: boolean | undefined, palette: Palette): string =>
  isWithinLimit === undefined ? '' : isWithinLimit ? palette.green('within') : palette.red('over')
