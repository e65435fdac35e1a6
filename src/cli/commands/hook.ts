// memctl hook: answers one payload on stdin just as that event's own script would.
import path from 'node:path'
import type { Command } from 'commander'
import { readPackageInfo } from '../context/packageInfo.ts'

export function registerHook(program: Command): void {
  program
    .command('hook')
    .description('answer one hook payload on stdin, as the script of that event does')
    .argument('<event>', 'its name, such as SessionStart; one that memctl does not know is recorded')
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
      // From here on this process is that hook: it reads stdin itself, keeps its time, and ends.
      const handler = Object.hasOwn(HOOK_HANDLERS, event) ? HOOK_HANDLERS[event]! : onRecordOnly
      // The worker lies where the package does, not beside the parts this command is built of.
      const worker = path.join(readPackageInfo().root, 'dist', 'worker.cjs')
      runHook(event, handler, (root, env) => startWorker(root, env, worker))
      await new Promise(() => {})
    })
}
