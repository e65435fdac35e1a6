// The results of `bench hooks` as lines for a person.
import { bytesText } from '../../report/amount.ts'
import type { Palette } from '../../report/colour.ts'
import { type Column, table } from '../../report/table.ts'
import type { Page } from '../io.ts'
import type { AfterEndResult } from './afterEnd.ts'
import type { AtOnceResult } from './atOnce.ts'
import type { HookResult } from './hooks.ts'

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

export const judged = (within: boolean | undefined, palette: Palette): string =>
  within === undefined ? '' : within ? palette.green('within') : palette.red('over')
