// The results of the benchmarks as lines for a person.
import { judged } from '../../src/cli/bench/hookLines.ts'
import type { Page } from '../../src/cli/io.ts'
import { bytesText } from '../../src/report/amount.ts'
import { table } from '../../src/report/table.ts'
import type { GrowthStep } from './benchGrowth.ts'
import type { OrganizeResult } from './benchOrganize.ts'
import type { RebuildResult, Took } from './benchRebuild.ts'
import type { RecallResult } from './benchRecall.ts'
import type { ToolResult } from './benchTools.ts'

export function toolLines(results: readonly ToolResult[], { palette, columns }: Page): string[] {
  const right = { side: 'right' } as const
  const layout = [
    { head: 'call' },
    ...['ms', '9 of 10', 'bar', 'runs'].map((head) => ({ head, ...right })),
    { head: '' },
  ]
  const rows = results.map((one) => [
    ...[one.name, one.ms.toFixed(2), one.slowMs.toFixed(2), one.msMax?.toFixed(0) ?? '', String(one.runs)],
    one.within === undefined ? '' : one.within ? palette.green('within') : palette.red('over'),
  ])
  return table(layout, rows, columns, palette.bold)
}

export const organizeLines = (result: OrganizeResult): string[] => [
  `A session of ${result.sessionEvents} events into ${result.memories} memories, median of ${result.runs}:`,
  `${result.cpuS.toFixed(2)} s of processor, ${result.wallS.toFixed(2)} s by the clock, ${bytesText(result.memoryMb * 1024 * 1024)} at most`,
  `improving alone, ${result.recalls} recalls judged: ${result.improveCpuS.toFixed(2)} s of processor at most`,
]

export const rebuildLines = (result: RebuildResult): string[] => [
  `${result.events} events, ${result.memories} memories:`,
  `log read in ${rateText(result.read, result.events)}`,
  `everything made anew in ${rateText(result.rebuild, result.events)}`,
]

const rateText = ({ wallS, cpuS }: Took, events: number): string =>
  `${wallS.toFixed(2)} s (${Math.round(events / wallS)} events/s), ${cpuS.toFixed(2)} s of processor (${Math.round(events / cpuS)} events/s)`

export function growthLines(steps: readonly GrowthStep[], baseEvents: number, { palette, columns }: Page): string[] {
  const right = { side: 'right' } as const
  const layout = [
    { head: 'hook' },
    ...['history', 'ms', `at ${baseEvents}`, 'ratio', 'quartiles'].map((head) => ({ head, ...right })),
    { head: '' },
  ]
  const rows = steps.flatMap((step) =>
    step.hooks.map((one) => [
      ...[one.event, String(step.events), one.ms.toFixed(1), one.bareMs.toFixed(1), one.ratio.toFixed(3)],
      one.quartiles.map((value) => value.toFixed(2)).join(' – '),
      judged(one.within, palette),
    ]),
  )
  return table(layout, rows, columns, palette.bold)
}

export const recallLines = ({ memories, runs, kinds }: RecallResult, { columns, palette }: Page): string[] => [
  `One recall among ${memories} memories, the question embedded too, ${runs} of each kind:`,
  ...table(
    [
      { head: 'asked with' },
      ...['median', '95 %', 'processor', 'candidates'].map((head) => ({ head, side: 'right' as const })),
    ],
    kinds.map((one) => [
      one.kind,
      `${one.medianMs.toFixed(2)} ms`,
      `${one.p95Ms.toFixed(2)} ms`,
      `${one.cpuMs.toFixed(2)} ms`,
      String(one.found),
    ]),
    columns,
    palette.bold,
  ),
]
