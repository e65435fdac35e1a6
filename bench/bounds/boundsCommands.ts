// `npm run -s bench -- scanners`: whether the time of every scanner of texts grows with the text and not faster.
// `npm run -s bench -- fuzz`: every command with random and hostile arguments.
import path from 'node:path'
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { formatTable } from '../../src/report/formatTable.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { listScanners } from './exportedScanners.ts'
import { type Finding, fuzzInProcess } from './fuzzInProcess.ts'
import { fuzzProcesses } from './fuzzProcesses.ts'
import { HOSTILE_PARTS } from './hostileTexts.ts'
import { measureScanner, type ScannerTime } from './measureScanners.ts'

interface ScannerOptions {
  readonly chars: number
  readonly only?: string
  readonly json?: boolean
}

/** Twice the text in up to this many times the time counts as linear: caches and garbage collection vary. */
const RATIO_MAX = 3

/** A shorter time is never reported, in milliseconds for the longest text. */
const SLOW_MS = 100

export function registerScanners(program: Command, io: CliContext): void {
  program
    .command('scanners')
    .description('time of every scanner of texts over hostile texts of growing length')
    .option('--chars <n>', 'length of the longest text, in characters', integerOption(16_000), 1_024_000)
    .option('--only <word>', 'only scanners with this word in their name')
    .option('--json', 'print JSON')
    .action(async ({ chars, only, json }: ScannerOptions) => {
      const { scanners, left } = await listScanners(readPackageInfo().root)
      const chosen = scanners.filter(({ name }) => only === undefined || name.includes(only))
      const times = chosen.flatMap((scanner) => measureScanner(scanner, chars))
      const slow = times.filter(({ ms, ratio }) => ms > SLOW_MS && ratio > RATIO_MAX)
      const result = { scanners: chosen.length, texts: HOSTILE_PARTS.length, left, slow, slowest: slowest(times) }
      printResult(io, json, result, ({ slow, slowest }, page) => [
        `${chosen.length} scanners, ${HOSTILE_PARTS.length} texts of up to ${chars} characters each; ` +
          `${slow.length} grow faster than the text:`,
        ...timeTable(slow, page),
        'The slowest:',
        ...timeTable(slowest, page),
      ])
    })
}

const slowest = (times: readonly ScannerTime[]): ScannerTime[] =>
  [...times].sort((a, b) => b.ms / b.chars - a.ms / a.chars).slice(0, 12)

const timeTable = (
  times: readonly ScannerTime[],
  { columns, palette }: { columns: number; palette: { bold: (text: string) => string } },
): string[] => {
  const right = { align: 'right' } as const
  const layout = ['scanner', 'text', ...['characters', 'ms', 'ratio'].map((head) => ({ head, ...right }))]
  const rows = times.map(({ scanner, part, chars, ms, ratio }) => [
    scanner,
    JSON.stringify(part),
    String(chars),
    ms.toFixed(0),
    ratio.toFixed(1),
  ])
  return formatTable(layout, rows, columns, palette.bold)
}

interface FuzzCommandOptions {
  readonly runs: number
  readonly seed: number
  readonly processes: number
  readonly json?: boolean
}

export function registerFuzz(program: Command, io: CliContext): void {
  program
    .command('fuzz')
    .description('every command with random and hostile arguments: exit status, one clear line, no stack, store intact')
    .option('--runs <n>', 'command lines in this process', integerOption(0), 10_000)
    .option('--processes <n>', 'command lines as processes, in surroundings that fail', integerOption(0), 500)
    .option('--seed <n>', 'seed of the random values', integerOption(0), 15)
    .option('--json', 'print JSON')
    .action(async ({ runs, processes, seed, json }: FuzzCommandOptions) => {
      using folder = createTempHome('fuzz')
      const command = path.join(readPackageInfo().root, 'dist', 'cli.js')
      const here = await fuzzInProcess({ runs, seed, folder: path.join(folder.path, 'here') })
      const apart = await fuzzProcesses(command, { runs: processes, seed, folder: path.join(folder.path, 'apart') })
      const findings = [...here, ...apart]
      printResult(io, json, { runs, processes, findings }, () => [
        `${runs} command lines in one process and ${processes} processes, seed ${seed}: ${findings.length} findings.`,
        ...findings.map(formatFinding),
      ])
    })
}

const formatFinding = ({ line, what, err }: Finding): string =>
  `${what}: ${JSON.stringify(line).slice(0, 300)} ${JSON.stringify(err)}`
