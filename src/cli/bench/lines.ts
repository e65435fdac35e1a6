// What a bench found, as a person reads it.
import { bytesText } from '../../report/amount.ts'
import type { Palette } from '../../report/colour.ts'
import { type Column, table } from '../../report/table.ts'
import type { Page } from '../io.ts'
import type { AfterEndResult } from './afterEnd.ts'
import type { AtOnceResult } from './atOnce.ts'
import type { GrowthStep } from './growth.ts'
import type { HookResult } from './hooks.ts'
import type { OrganizeResult } from './organize.ts'
import type { RebuildResult, Took } from './rebuild.ts'
import type { RecallResult } from './recall.ts'
import type { ToolResult } from './tools.ts'

const columnsBeside = (beside: string): readonly Column[] => [
  { head: 'hook' },
  ...['ms', beside, 'ratio', 'quartiles', 'bar', 'memory', 'spoke'].map((head) => ({
    head,
    side: 'right' as const,
  })),
  { head: '' },
]

export function hookLines(results: readonly HookResult[], { palette, columns }: Page, beside = 'node -e 0'): string[] {
  const mb = (value: number | undefined): string => (value === undefined ? '?' : bytesText(value * 1024 * 1024))
  const rows = results.map((one) => [
    one.event,
    one.ms.toFixed(1),
    one.bareMs.toFixed(1),
    one.ratio.toFixed(3),
    one.quartiles.map((value) => value.toFixed(2)).join(' – '),
    one.ratioMax?.toFixed(2) ?? '',
    `${mb(one.memoryMb)} / ${mb(one.bareMemoryMb)}`,
    `${one.answered}/${one.runs}`,
    one.within === undefined ? '' : one.within ? palette.green('within') : palette.red('over'),
  ])
  return table(columnsBeside(beside), rows, columns, palette.bold)
}

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

export const atOnceLines = (result: AtOnceResult, { palette }: Page): string[] => [
  `${result.hooks} PostToolUse at once on ${result.cores} cores, median of ${result.runs}:`,
  `${result.wallMs.toFixed(0)} ms by the clock; one after the other they take ${result.singleMs.toFixed(0)} ms`,
  `${result.ratio.toFixed(2)} times their share of the cores, ${result.ratioMax} at most; ${result.kept} of ${result.hooks} kept: ${judged(result.within, palette)}`,
]

export const afterEndLines = (result: AfterEndResult, { palette }: Page): string[] => [
  `A session of ${result.sessionEvents} events ends in a store of ${result.memories} memories:`,
  `its hook returned after ${result.hookMs.toFixed(0)} ms; ${result.organized ? 'it is' : 'it is NOT'} organised`,
  `${result.goneAfterMs === undefined ? 'a process of ours is alive after a minute' : `the last process of ours was gone after ${(result.goneAfterMs / 1000).toFixed(1)} s`}: ${judged(result.within, palette)}`,
]

const judged = (within: boolean | undefined, palette: Palette): string =>
  within === undefined ? '' : within ? palette.green('within') : palette.red('over')

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
