// memctl hook: answers one payload on stdin just as that event's own script would.
import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Command } from 'commander'
import type { Io } from './io.ts'
import { ownPackage } from './packageRoot.ts'

export function registerHook(program: Command, io: Io): void {
  program
    .command('hook')
    .description('answer one hook payload on stdin, as the script of that event does')
    .argument('<event>', 'its name, such as SessionStart; one that memctl does not know is recorded')
    .option('--project <dir>', 'a folder of the project (default: what the client says)')
    // What a later client adds to the call must not keep the event from being recorded.
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (event: string, options: { readonly project?: string }) => {
      const [{ answer }, { HANDLERS }, { onRecord }] = await Promise.all([
        import('../hook/answer.ts'),
        import('../broker/handlers.ts'),
        import('../broker/record.ts'),
      ])
      if (options.project) process.env['CLAUDE_PROJECT_DIR'] = path.resolve(io.cwd, options.project)
      // From here on this process is that hook: it reads stdin itself, keeps its time, and ends.
      const handler = Object.hasOwn(HANDLERS, event) ? HANDLERS[event]! : onRecord
      answer(event, handler, startWorker)
      await new Promise(() => {})
    })
}

/** Like the hooks' own, but from where the command lies: dist/worker.cjs. */
function startWorker(projectRoot: string): void {
  const worker = path.join(ownPackage().root, 'dist', 'worker.cjs')
  spawn(process.execPath, [worker, projectRoot], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    windowsHide: true,
  }).unref()
}
