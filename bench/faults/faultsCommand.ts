// bench faults: everything that runs on one home at once, under kills, full disks, clock jumps, damaged files and
// hostile input, against rules that must hold. A failure is shrunk to the steps that are needed for it.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { type CliContext, ExitStatus, printResult } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import type { Violation } from './faultModel.ts'
import { type RunResult, runSteps } from './faultRun.ts'
import { drawSteps, type Step } from './faultSteps.ts'

interface FaultsOptions {
  readonly seed: number
  readonly minutes: number
  readonly steps: number
  readonly attempts: number
  readonly script?: string
  readonly keep?: boolean
  readonly json?: boolean
}

export function registerFaults(program: Command, io: CliContext): void {
  program
    .command('faults')
    .description('hooks, commands, servers and workers on one home, under kills, full disks, clock jumps and damage')
    .option('--seed <n>', 'seed of the choices', integerOption(0), 25)
    .option('--minutes <n>', 'how long new runs are started; 0: one run', integerOption(0), 0)
    .option('--steps <n>', 'steps of one run', integerOption(1), 60)
    .option('--attempts <n>', 'runs that may be used to shrink a failure', integerOption(0), 30)
    .option('--script <file>', 'run these steps, which a failure has printed')
    .option('--keep', 'keep the folders')
    .option('--json', 'print one line of JSON')
    .action(async (options: FaultsOptions) => {
      const dist = path.join(readPackageInfo().root, 'dist')
      const endMs = performance.now() + options.minutes * 60_000
      const total: Record<string, number> = { runs: 0, steps: 0 }
      const given =
        options.script && (JSON.parse(fs.readFileSync(path.resolve(io.cwd, options.script), 'utf8')) as Step[])
      do {
        const seed = options.seed + (total['runs'] ?? 0) * 1_000
        const steps = given || drawSteps(seed, options.steps)
        const result = await runSteps(steps, dist, options.keep)
        addTrace(total, result, steps.length)
        if (options.minutes > 0) io.err.write(`run ${total['runs']}, seed ${seed}: ${JSON.stringify(result.trace)}\n`)
        const [first] = result.violations
        if (!first) continue
        const shortest = await shrink(steps, first.rule, { dist, attempts: given ? 0 : options.attempts })
        printResult(io, options.json, { seed, violations: result.violations, steps: shortest }, (failure) =>
          formatFailure(failure),
        )
        throw new ExitStatus(1)
      } while (performance.now() < endMs && !given)
      printResult(io, options.json, total, () => [
        'No violation.',
        ...Object.entries(total).map(([name, value]) => `${name}: ${value}`),
      ])
    })
}

function addTrace(total: Record<string, number>, { trace }: RunResult, steps: number): void {
  for (const [name, value] of Object.entries({ runs: 1, steps, ...trace }))
    total[name] = name.startsWith('slowest') ? Math.max(total[name] ?? 0, value) : (total[name] ?? 0) + value
}

/** Leaves out parts of the steps, large ones first, as long as the same rule is still broken. */
async function shrink(
  steps: readonly Step[],
  rule: string,
  how: { dist: string; attempts: number },
): Promise<readonly Step[]> {
  let left = how.attempts
  let shortest = steps
  for (let size = Math.ceil(steps.length / 2); size >= 1 && left > 0; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let at = 0; at < shortest.length && left > 0; left--) {
      const fewer = shortest.filter((_, i) => i < at || i >= at + size)
      const { violations } = await runSteps(fewer, how.dist)
      if (violations.some((violation) => violation.rule === rule)) shortest = fewer
      else at += size
    }
  }
  return shortest
}

interface Failure {
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly steps: readonly Step[]
}

const formatFailure = ({ seed, violations, steps }: Failure): string[] => [
  `Seed ${seed} breaks ${violations.length} rules:`,
  ...violations.slice(0, 20).map(({ rule, what }) => `${rule}: ${what}`),
  `${steps.length} steps still do; run them again with \`npm run -s bench -- faults --script FILE\`:`,
  `[\n${steps.map((step) => JSON.stringify(step)).join(',\n')}\n]`,
]
