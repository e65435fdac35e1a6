// bench hub: how fast a team's machines push, pull and search on a PostgreSQL server.
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption, withJsonOption } from '../../src/cli/context/storeOption.ts'
import { createPalette } from '../../src/report/textOutput.ts'
import { describeMachine } from '../hooks/benchOptions.ts'

interface HubBenchOptions {
  readonly url?: string
  readonly operations: number
  readonly batch: number
  readonly machines: number
  readonly memories: number
  readonly queries: number
  readonly json?: boolean
}

export function registerHub(program: Command, io: CliContext): void {
  withJsonOption(program.command('hub').description('push, pull and search of the hub, with generated data'))
    .option('--url <url>', 'a server for generated data, in a schema that is dropped again (default: PGlite from npm)')
    .option('--operations <n>', 'number of changes that each measurement pushes', integerOption(1), 20_000)
    .option('--batch <n>', 'number of changes in one push', integerOption(1), 1000)
    .option('--machines <n>', 'number of machines that push at the same time', integerOption(1), 4)
    .option('--memories <n>', 'number of memories that are searched; 0 measures no search', integerOption(0), 100_000)
    .option('--queries <n>', 'number of searches', integerOption(1), 100)
    .action((options: HubBenchOptions) => runBenchHub(options, io))
}

/** Only a server that is named, never that of config.yaml: the bench would slow down a team. */
async function runBenchHub({ url, json, ...sizes }: HubBenchOptions, io: CliContext): Promise<void> {
  const { benchHub } = await import('./benchHub.ts')
  const { startBenchServer } = await import('./benchServer.ts')
  const { formatHubBench } = await import('./formatHubBench.ts')
  const palette = createPalette(io.err, io.env)
  const clear = (): void => void (io.err.isTTY && io.err.write('\r\u001b[2K'))
  const showStep = (step: string): void => {
    clear()
    if (io.err.isTTY) io.err.write(palette.dim(step))
  }
  const server = url === undefined ? await startBenchServer() : { url, stop: () => undefined }
  try {
    const measured = await benchHub({ ...sizes, url: server.url, env: io.env, showStep })
    clear()
    printResult(io, json, { ...describeMachine(), ...measured }, formatHubBench)
  } finally {
    server.stop()
  }
}
