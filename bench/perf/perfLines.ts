// Formats the results of the benchmarks as text.

import type { Terminal } from '../../src/cli/context/cliContext.ts'
import { formatBytes } from '../../src/report/formatNumber.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { formatVerdict } from '../hooks/formatHookBench.ts'
import type { OrganizeResult } from './benchOrganize.ts'
import type { Duration, RebuildResult } from './benchRebuild.ts'
import type { RecallResult } from './benchRecall.ts'
import type { ToolResult } from './benchTools.ts'

export function toolLines(results: readonly ToolResult[], { palette, columns }: Terminal): string[] {
  const right = { align: 'right' } as const
  const layout = ['call', ...['ms', 'p90', 'limit', 'runs'].map((head) => ({ head, ...right })), '']
  const rows = results.map(({ name, ms, slowMs, msMax, runs, within }) => [
    name,
    ms.toFixed(2),
    slowMs.toFixed(2),
    msMax?.toFixed(0) ?? '',
    String(runs),
    formatVerdict(within, palette),
  ])
  return formatTable(layout, rows, columns, palette.bold)
}

export const organizeLines = (result: OrganizeResult): string[] => [
  `A session of ${result.sessionEvents} events into ${result.memories} memories, median of ${result.runs}:`,
  `${result.cpuS.toFixed(2)} s of CPU time, ${result.wallS.toFixed(2)} s elapsed, at most ` +
    `${formatBytes(result.memoryMb * 1024 * 1024)}`,
  `improving alone, ${result.recalls} recalls judged: ${result.improveCpuS.toFixed(2)} s of CPU time at most`,
]

export const rebuildLines = (result: RebuildResult): string[] => [
  `${result.events} events, ${result.memories} memories:`,
  `log read in ${rateText(result.read, result.events)}`,
  `everything rebuilt in ${rateText(result.rebuild, result.events)}`,
]

const rateText = ({ wallS, cpuS }: Duration, events: number): string =>
  `${wallS.toFixed(2)} s (${Math.round(events / wallS)} events/s), ${cpuS.toFixed(2)} s of CPU time ` +
  `(${Math.round(events / cpuS)} events/s)`

export const recallLines = ({ memories, runs, kinds }: RecallResult, { columns, palette }: Terminal): string[] => [
  `One recall among ${memories} memories, with embedding the question; ${runs} of each kind:`,
  ...formatTable(
    ['query', ...['median', 'p95', 'CPU', 'candidates'].map((head) => ({ head, align: 'right' as const }))],
    kinds.map((measured) => [
      measured.kind,
      `${measured.medianMs.toFixed(2)} ms`,
      `${measured.p95Ms.toFixed(2)} ms`,
      `${measured.cpuMs.toFixed(2)} ms`,
      String(measured.found),
    ]),
    columns,
    palette.bold,
  ),
]
