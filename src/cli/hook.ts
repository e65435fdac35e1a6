// memctl hook: answers one payload on stdin just as that event's own script would.
import path from 'node:path'
import type { Command } from 'commander'
import { ownPackage } from './packageRoot.ts'

export function registerHook(program: Command): void {
  program
    .command('hook')
    .description('answer one hook payload on stdin, as the script of that event does')
    .argument('<event>', 'its name, such as SessionStart; one that memctl does not know is recorded')
    // What a later client adds to the call must not keep the event from being recorded.
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (event: string) => {
      const [{ answer }, { startWorker }, { HANDLERS }, { onRecord }] = await Promise.all([
        import('../hook/answer.ts'),
        import('../hook/background.ts'),
        import('../broker/hook/handlers.ts'),
        import('../broker/hook/record.ts'),
      ])
      // From here on this process is that hook: it reads stdin itself, keeps its time, and ends.
      const handler = Object.hasOwn(HANDLERS, event) ? HANDLERS[event]! : onRecord
      // The worker lies where the package does, not beside the parts this command is built of.
      const worker = path.join(ownPackage().root, 'dist', 'worker.cjs')
      answer(event, handler, (root, env) => startWorker(root, env, worker))
      await new Promise(() => {})
    })
}
