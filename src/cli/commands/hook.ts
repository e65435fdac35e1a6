// memctl hook and record: commands that Claude Code may start as hooks.
import path from 'node:path'
import type { Command } from 'commander'
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { CliContext } from '../context/cliContext.ts'
import { readPackageInfo } from '../context/packageInfo.ts'

interface RecordOptions {
  readonly out?: string
  readonly hooks?: boolean
  readonly raw?: boolean
}

/** When the client kills a recording hook, in seconds. */
const RECORD_TIMEOUT_S = 10

export function registerHook(program: Command): void {
  program
    .command('hook')
    .description('handle one hook payload from stdin, like the script of the event')
    .argument('<event>', 'the name of the event, such as SessionStart; an unknown event is only recorded')
    // What a later client adds to the call must not keep the event from being recorded.
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (event: string) => {
      const [{ runHook }, { startWorker }, { HOOK_HANDLERS }, { onRecordOnly }] = await Promise.all([
        import('../../hook/runHook.ts'),
        import('../../hook/startWorker.ts'),
        import('../../broker/handlers/hookHandlers.ts'),
        import('../../broker/handlers/recordHandlers.ts'),
      ])
      // From here on this process is that hook: it reads stdin itself, keeps its time limit, and ends.
      const handler = (Object.hasOwn(HOOK_HANDLERS, event) && HOOK_HANDLERS[event]) || onRecordOnly
      const watchdog = path.join(distFolder(), 'watchdog.cjs')
      runHook(event, handler, (root, env, task) => startWorker(root, env, task, watchdog))
      await new Promise(() => {})
    })
}

export function registerRecord(program: Command, io: CliContext): void {
  program
    .command('record')
    .description('append the payload on stdin to a recording (use this command as a hook)')
    .option('--out <file>', 'the file of the recording')
    .option('--hooks', 'print settings that record every event, but record nothing')
    .option('--raw', 'do not remove secrets and private parts; never share such a file')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (options: RecordOptions) => {
      if (options.out === undefined) {
        throw new MemoryError('USAGE', 'No file to record to', { hint: 'Name one: `memctl record --out FILE`.' })
      }
      const file = path.resolve(io.cwd, options.out)
      if (options.hooks) io.out.write(`${JSON.stringify(recordSettings(file, options.raw), null, 2)}\n`)
      else await appendPayload(file, io, options.raw)
    })
}

async function appendPayload(file: string, io: CliContext, raw: boolean | undefined): Promise<void> {
  const [{ formatRecordingLine }, { realDisk }] = await Promise.all([
    import('../../broker/replay/recordingLine.ts'),
    import('../../store/disk/files.ts'),
  ])
  try {
    const line = formatRecordingLine(io.stdin(), io.env['CLAUDE_PROJECT_DIR'] || io.cwd, Date.now(), raw)
    if (line) realDisk.append(file, Buffer.from(line))
  } catch {
    // A failed write must not disturb the session that is being recorded.
  }
}

/** Settings that run `memctl record` at every event and for every tool, without a shell. */
function recordSettings(file: string, raw: boolean | undefined): object {
  const args = [path.join(distFolder(), 'cli.js'), 'record', '--out', file, ...(raw ? ['--raw'] : [])]
  const hooks = [{ type: 'command', command: 'node', args, timeout: RECORD_TIMEOUT_S }]
  return { hooks: Object.fromEntries(HOOK_REGISTRATIONS.map(({ event }) => [event, [{ hooks }]])) }
}

/** The built files, which need not be beside this file. */
const distFolder = (): string => path.join(readPackageInfo().root, 'dist')
