// eval recordings: writes which earlier sessions and failures recall returns in recorded sessions, as a RUN file.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { formatCount } from '../../src/report/formatNumber.ts'
import { formatDuration } from '../../src/report/formatTime.ts'
import { evaluationProgress, type OutputOptions, profileOption, withOutputOptions } from './evalOptions.ts'
import { evaluateRecordings, findProjects } from './evaluateRecordings.ts'
import type { Feedback } from './feedbackSimulator.ts'
import { runFilePath, writeRunFile } from './runFile.ts'

interface RecordingsOptions extends OutputOptions {
  readonly out: string
  readonly policy: 'shipped' | 'learning'
  readonly feedback: Feedback
  readonly seed: number
  readonly learnUntil?: number
}

export function registerRecordings(evaluate: Command, io: CliContext): void {
  const command = evaluate
    .command('recordings')
    .description('replay recorded sessions and run recall at each prompt and call; writes a RUN file')
    .argument('<dir...>', 'folders of recordings; a folder’s name is its project')
    .requiredOption('--out <file>', 'where to write a line for each session and each call')
    .addOption(
      new Option('--policy <policy>', 'the shipped policy, or a policy that learns from each session')
        .choices(['shipped', 'learning'])
        .default('shipped'),
    )
    .option('--feedback <kind>', 'the feedback to learn from: real, shuffled, none, flipped:SHARE', parseFeedback, {
      kind: 'real',
    } as Feedback)
    .option('--learn-until <share>', 'the share of the sessions after which learning stops, 0 to 1', parseShare)
    .option('--seed <n>', 'the random seed for shuffled and flipped feedback', integerOption(0), 1)
    .addOption(profileOption())
  withOutputOptions(command).action((folders: readonly string[], options: RecordingsOptions) =>
    recordings(folders, options, io),
  )
}

function parseShare(text: string): number {
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share < 1) return share
  throw new InvalidArgumentError('Use a share from 0 to less than 1.')
}

function parseFeedback(text: string): Feedback {
  if (text === 'real' || text === 'shuffled' || text === 'none') return { kind: text }
  const share = /^flipped:(0(?:\.\d+)?|1)$/.exec(text)?.[1]
  if (share !== undefined) return { kind: 'flipped', share: Number(share) }
  throw new InvalidArgumentError('Use real, shuffled, none, or flipped:SHARE with a share from 0 to 1.')
}

function recordings(folders: readonly string[], options: RecordingsOptions, io: CliContext): void {
  const out = runFilePath(options.out, io)
  const projects = findProjects(folders, io.cwd)
  const payloads = projects.flatMap((project) => project.recordings.flatMap((recording) => recording.payloads))
  const bar = evaluationProgress(io, payloads.length, options)
  const learning =
    options.policy === 'learning'
      ? { feedback: options.feedback, seed: options.seed, until: options.learnUntil }
      : undefined
  const began = Date.now()
  try {
    const lines = projects.flatMap((project) =>
      evaluateRecordings(project, (session) => bar.advance(`${project.name}: ${session.slice(0, 8)}`), learning),
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
