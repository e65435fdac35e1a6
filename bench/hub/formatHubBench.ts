// The results of `bench hub` for a person.

import type { Terminal } from '../../src/cli/context/cliContext.ts'
import { formatBytes, formatNumber } from '../../src/report/formatNumber.ts'
import { formatTable, numberColumns } from '../../src/report/formatTable.ts'
import { formatVerdict } from '../hooks/formatHookBench.ts'
import { type HubBenchResult, PUSH_PER_SECOND_MIN, SEARCH_MS_MAX } from './benchHub.ts'

export function formatHubBench(result: HubBenchResult, { palette, columns }: Terminal): string[] {
  const { conditions, pushes, pull, sizes, search } = result
  const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => {
    const [first = '', ...others] = heads
    return formatTable([{ head: first }, ...numberColumns(...others), { head: '' }], rows, columns, palette.bold)
  }
  const verdict = (isWithin: boolean): string => formatVerdict(isWithin, palette)
  const settings = Object.entries(conditions.settings).map(([name, value]) => `${name} ${value}`)
  const fastest = Math.max(...pushes.map(({ perSecond }) => perSecond))
  const lines = [
    `${conditions.server}; ${settings.join(', ')}; \`select 1\` takes ${conditions.roundTripMs.toFixed(2)} ms`,
    `${conditions.cores} × ${conditions.processor}; load ${conditions.load.toFixed(1)}`,
    '',
    ...table(
      ['push', 'projects', 'changes', 'per second', 'ms per push'],
      pushes.map((push) => [
        `${push.machines} ${push.machines === 1 ? 'machine' : 'machines'}`,
        formatNumber(push.projects),
        formatNumber(push.operations),
        formatNumber(Math.round(push.perSecond)),
        push.batchMs.toFixed(1),
        push.perSecond === fastest ? verdict(fastest >= PUSH_PER_SECOND_MIN) : '',
      ]),
    ),
    `A new machine pulls ${formatNumber(pull.operations)} changes, ` +
      `${formatNumber(Math.round(pull.perSecond))} per second.`,
    '',
    ...table(
      ['table', 'rows', 'bytes per row', 'in indexes'],
      sizes.map((size) => [
        ...[size.table, formatNumber(size.rows), formatNumber(Math.round(size.tableBytes))],
        formatNumber(Math.round(size.indexBytes)),
      ]),
    ),
  ]
  if (search === undefined) return lines
  const { fill, whole } = search
  return [
    ...lines,
    '',
    ...table(
      [`${formatNumber(search.memories)} memories`, 'median ms', '95 % ms', 'recall@10'],
      search.vectors.map(({ efSearch, medianMs, p95Ms, recall, isUsed }) => [
        efSearch === undefined ? 'all vectors compared' : `index, ef_search ${efSearch}`,
        ...[medianMs.toFixed(1), p95Ms.toFixed(1), recall.toFixed(3)],
        isUsed ? verdict(medianMs <= SEARCH_MS_MAX) : '',
      ]),
    ),
    `Whole search, median ms: ${Object.entries(whole)
      .map(([by, ms]) => `by ${by} ${ms.toFixed(1)}`)
      .join(', ')}.`,
    `Index: ${formatBytes(fill.indexBytes)}, built in ${(fill.indexMs / 1000).toFixed(0)} s; ` +
      `vectors: ${formatBytes(fill.tableBytes)}, written in ${(fill.insertMs / 1000).toFixed(0)} s.`,
  ]
}
