// The program `dev`: records and replays sessions, and shows the demo.
import { type CliContext, withoutSecrets } from '../../src/cli/context/cliContext.ts'
import { newProgram, runProgram } from '../../src/cli/program.ts'
import { registerDemo } from './demoCommand.ts'
import { registerRecord } from './recordCommand.ts'
import { registerReplay } from './replayCommand.ts'

/** Runs it with these arguments and returns its exit status. What it prints loses secrets, as of `memctl`. */
export function runDev(argv: readonly string[], streams: CliContext): Promise<number> {
  const io = withoutSecrets(streams)
  const program = newProgram('npm run -s dev --', 'Records and replays sessions. Needs a build.', io)
  for (const register of [registerDemo, registerReplay, registerRecord]) register(program, io)
  return runProgram(program, argv, io)
}
