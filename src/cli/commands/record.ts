// memctl record: as a hook, appends every payload to a recording. It says nothing to the client, whatever happens.
import path from 'node:path'
import type { Command } from 'commander'
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'

interface Words {
  readonly out?: string
  readonly hooks?: boolean
  readonly raw?: boolean
}

/** When the client kills it, in seconds. */
const TIMEOUT_S = 10

export function registerRecord(program: Command, io: CliContext): void {
  program
    .command('record')
    .description('as a hook: append the payload on stdin to a recording')
    .option('--out <file>', 'the recording')
    .option('--hooks', 'print the settings that wire it for all events, and record nothing')
    .option('--raw', 'keep secrets and private parts too: for your own eyes')
    .option('--json', 'what --hooks prints is JSON anyway')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (options: Words) => {
      if (options.out === undefined) {
        throw new MemoryError('USAGE', 'There is no file to record to', {
          hint: 'Give one: `memctl record --out FILE`.',
        })
      }
      const file = path.resolve(io.cwd, options.out)
      if (options.hooks) return void io.out.write(`${JSON.stringify(settingsFor(file, options.raw), null, 2)}\n`)
      await append(file, io, options.raw)
    })
}

async function append(file: string, io: CliContext, raw: boolean | undefined): Promise<void> {
  const [{ formatRecordingLine }, { realDisk }] = await Promise.all([
    import('../../broker/replay/recordingLine.ts'),
    import('../../store/disk/files.ts'),
  ])
  try {
    const line = formatRecordingLine(io.stdin(), io.env['CLAUDE_PROJECT_DIR'] || io.cwd, Date.now(), raw)
    if (line) realDisk.append(file, Buffer.from(line))
  } catch {
    // A disk that refuses must not disturb the session that is being recorded: law 2.
  }
}

/** Settings that call this command at every event and for every tool, in the exec form. */
function settingsFor(file: string, raw: boolean | undefined): object {
  const cli = path.join(readPackageInfo().root, 'dist', 'cli.js')
  const args = [cli, 'record', '--out', file, ...(raw ? ['--raw'] : [])]
  const hooks = [{ type: 'command', command: 'node', args, timeout: TIMEOUT_S }]
  return { hooks: Object.fromEntries(HOOK_REGISTRATIONS.map(({ event }) => [event, [{ hooks }]])) }
}
