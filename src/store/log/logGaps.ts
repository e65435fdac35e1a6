// Gaps in the log: files that were there and are not. They are numbered without a gap and never removed, only compressed.
import type { Files } from '../disk/files.ts'
import type { LogPosition } from './eventLog.ts'
import { listLogFiles } from './logFiles.ts'

/** Numbers of the files missing among those the view has read and those that are there. */
export function findLogGaps(files: Files, folder: string, { file: read }: Pick<LogPosition, 'file'>): number[] {
  const there = new Set(listLogFiles(files, folder).map((file) => file.number))
  const last = Math.max(read, ...there)
  return Array.from({ length: last }, (_, i) => i + 1).filter((number) => !there.has(number))
}

/** The numbers as a person reads them: `000002.jsonl to 000004.jsonl, 000009.jsonl`. */
export function formatLogGaps(missing: readonly number[]): string {
  const runs: [number, number][] = []
  for (const number of missing) {
    const run = runs.at(-1)
    if (run && run[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  const name = (number: number): string => `${String(number).padStart(6, '0')}.jsonl`
  return runs.map(([first, last]) => (first === last ? name(first) : `${name(first)} to ${name(last)}`)).join(', ')
}
