// memctl import: memories from other programs and from files, each source a subcommand.
import type { Command } from 'commander'
import type { CliContext } from '../context/cliContext.ts'
import { registerImportTranscripts } from './importTranscripts.ts'

/** The registered sources, in the order of the help. */
const SOURCES: readonly ((group: Command, io: CliContext) => void)[] = [registerImportTranscripts]

export function registerImport(program: Command, io: CliContext): void {
  const group = program.command('import').description('take over memories of other programs and of files')
  for (const register of SOURCES) register(group, io)
}
