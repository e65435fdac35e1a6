// eval recordings: writes which earlier sessions and failures recall returns in recorded sessions, as a RUN file.
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { formatCount, formatDuration } from '../../src/report/formatNumber.ts'
import { writeRunFile } from '../replay/injectionRun.ts'
import { evaluationProgress, type OutputOptions, withOutputOptions } from './evalOptions.ts'
import { evaluateRecordings, findProjects } from './evaluateRecordings.ts'
import { runFilePath } from './runFile.ts'

interface RecordingsOptions extends OutputOptions {
  readonly out: string
}

export function registerRecordings(evaluate: Command, io: CliContext): void {
  const command = evaluate
    .command('recordings')
    .description('replay recorded sessions and run recall at each prompt and call; writes a RUN file')
    .argument('<dir...>', 'folders of recordings; a folder’s name is its project')
    .requiredOption('--out <file>', 'where to write a line for each session and each call')
  withOutputOptions(command).action((folders: readonly string[], options: RecordingsOptions) =>
    recordings(folders, options, io),
  )
}

function recordings(folders: readonly string[], options: RecordingsOptions, io: CliContext): void {
  const out = runFilePath(options.out, io)
  const projects = findProjects(folders, io.cwd)
  const payloads = projects.flatMap((project) => project.recordings.flatMap((recording) => recording.payloads))
  const bar = evaluationProgress(io, payloads.length, options)
  const began = Date.now()
  try {
    const lines = projects.flatMap((project) =>
      evaluateRecordings(project, (session) => bar.advance(`${project.name}: ${session.slice(0, 8)}`)),
    )
    writeRunFile(out, lines)
    const sessions = lines.filter(({ type }) => type === 'session').length
    const result = {
      projects: projects.length,
      payloads: payloads.length,
      sessions,
      calls: lines.length - sessions,
      ms: Date.now() - began,
      out,
    }
    printResult(io, options.json, result, () => [
      `Recall ran for ${formatCount(sessions, 'session')} and ${formatCount(result.calls, 'call')} of ` +
        `${formatCount(result.projects, 'project')} in ${formatDuration(result.ms)}.`,
      `The run is in ${options.out}.`,
    ])
  } finally {
    bar.clear()
  }
}
