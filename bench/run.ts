// The developer programs: `eval` measures recall on labelled data, `bench` measures time and memory, `dev` records and
// replays sessions.
import type { CliContext } from '../src/cli/context/cliContext.ts'
import { newProgram, reportError, runProgram } from '../src/cli/program.ts'
import { MemoryError } from '../src/model/memoryError.ts'
import { registerAttacks } from './attacks/attacksCommand.ts'
import { registerFuzz, registerScanners } from './bounds/boundsCommands.ts'
import { registerRace } from './entries/raceCommand.ts'
import { registerLearning } from './eval/learningCommand.ts'
import { registerNotes } from './eval/notesCommand.ts'
import { registerParaphrases } from './eval/paraphrasesCommand.ts'
import { registerRecordings } from './eval/recordingsCommand.ts'
import { registerRetrieval } from './eval/retrievalCommand.ts'
import { registerSecrets } from './eval/secretsCommand.ts'
import { registerTranscripts } from './eval/transcriptsCommand.ts'
import { registerWeights } from './eval/weightCommands.ts'
import { registerFaults } from './faults/faultsCommand.ts'
import { registerHarm } from './harm/harmCommand.ts'
import { registerHooks } from './hooks/hooksCommand.ts'
import { registerHub } from './hub/hubCommand.ts'
import { registerVectors } from './perf/benchVectors.ts'
import { registerPerformance } from './perf/perfCommands.ts'
import { runDev } from './replay/devProgram.ts'

const PROGRAMS = {
  eval: {
    description: 'Measures what recall returns for questions with known answers. Needs no build.',
    register: [
      registerRetrieval,
      registerRecordings,
      registerNotes,
      registerLearning,
      registerParaphrases,
      registerWeights,
      registerSecrets,
      registerAttacks,
      registerHarm,
      registerTranscripts,
    ],
  },
  bench: {
    description: 'Measures time and memory of memctl on this machine. Needs a build.',
    register: [
      registerHooks,
      registerPerformance,
      registerVectors,
      registerHub,
      registerScanners,
      registerFuzz,
      registerRace,
      registerFaults,
    ],
  },
}

/** Runs the program that the first argument names with the remaining arguments. Returns its exit status. */
export async function runDeveloperCommand([name, ...argv]: readonly string[], io: CliContext): Promise<number> {
  if (name === 'dev') return runDev(argv, io)
  if (name !== 'eval' && name !== 'bench') {
    const error = new MemoryError('USAGE', `There is no program ${name ?? 'without a name'}`, {
      hint: 'Use `npm run -s eval -- …`, `npm run -s bench -- …` or `npm run -s dev -- …`.',
    })
    return reportError(error, io, argv)
  }
  const { description, register } = PROGRAMS[name]
  const program = newProgram(`npm run -s ${name} --`, description, io)
  for (const registerCommand of register) registerCommand(program, io)
  return runProgram(program, argv, io)
}
