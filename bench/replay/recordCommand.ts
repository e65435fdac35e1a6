// record: a hook that appends its payload to a recording, and the settings that run it at every event.
import path from 'node:path'
import type { Command } from 'commander'
import type { CliContext } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { formatRecordingLine } from './recordingLine.ts'

interface RecordOptions {
  readonly out?: string
  readonly hooks?: boolean
  readonly raw?: boolean
}

/** When the client kills a recording hook, in seconds. */
const RECORD_TIMEOUT_S = 10

export function registerRecord(program: Command, io: CliContext): void {
  program
    .command('record')
    .description('append the payload on stdin to a recording (use this command as a hook)')
    .option('--out <file>', 'the file of the recording')
    .option('--hooks', 'print settings that record every event, but record nothing')
    .option('--raw', 'do not remove secrets and private parts; never share such a file')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((options: RecordOptions) => {
      if (options.out === undefined) {
        throw new MemoryError('USAGE', 'No file to record to', {
          hint: 'Name one: `npm run -s dev -- record --out FILE`.',
        })
      }
      const file = path.resolve(io.cwd, options.out)
      if (options.hooks) io.out.write(`${JSON.stringify(recordSettings(file, options.raw), null, 2)}\n`)
      else appendPayload(file, io, options.raw)
    })
}

function appendPayload(file: string, io: CliContext, raw: boolean | undefined): void {
  try {
    const line = formatRecordingLine(io.stdin(), io.env['CLAUDE_PROJECT_DIR'] || io.cwd, Date.now(), raw)
    if (line) realDisk.append(file, Buffer.from(line))
  } catch {
    // A failed write must not disturb the session that is being recorded.
  }
}

/** Settings that run `record` at every event and for every tool, without a shell. */
function recordSettings(file: string, raw: boolean | undefined): object {
  const args = [
    path.join(readPackageInfo().root, '.cache', 'bench.mjs'),
    'dev',
    'record',
    '--out',
    file,
    ...(raw ? ['--raw'] : []),
  ]
  const hooks = [{ type: 'command', command: 'node', args, timeout: RECORD_TIMEOUT_S }]
  return { hooks: Object.fromEntries(HOOK_REGISTRATIONS.map(({ event }) => [event, [{ hooks }]])) }
}
