// memctl eval recordings: what recall points to and warns of in recorded sessions, as a RUN file.
import fs from 'node:fs'
import path from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { wholeNumber } from '../../src/cli/given.ts'
import { type Io, tell } from '../../src/cli/io.ts'
import { countText } from '../../src/report/amount.ts'
import { paletteFor } from '../../src/report/colour.ts'
import { progressOn } from '../../src/report/progress.ts'
import { spanText } from '../../src/report/time.ts'
import type { Feedback } from './feedbackSimulator.ts'
import { profileOption } from './profileOption.ts'
import { assertWritable } from './runFile.ts'

interface Words {
  readonly out: string
  readonly policy: 'shipped' | 'learning'
  readonly feedback: Feedback
  readonly seed: number
  readonly learnUntil?: number
  readonly quiet?: boolean
  readonly json?: boolean
}

export function registerRecordings(evaluate: Command, io: Io): void {
  evaluate
    .command('recordings')
    .description('replay recorded sessions, asking at each what it would recall; writes a RUN file')
    .argument('<dir...>', 'folders of recordings; a folder’s name is its project')
    .requiredOption('--out <file>', 'where to write a line for each session and each call')
    .addOption(
      new Option('--policy <policy>', 'which policy is asked: as shipped, or learning on the way')
        .choices(['shipped', 'learning'])
        .default('shipped'),
    )
    .option('--feedback <kind>', 'what it learns from: real, shuffled, none, flipped:SHARE', feedbackGiven, {
      kind: 'real',
    } as Feedback)
    .option('--learn-until <share>', 'the share of the sessions after which it learns no more, 0 to 1', shareGiven)
    .option('--seed <n>', 'of what is shuffled or flipped', wholeNumber(0), 1)
    .addOption(profileOption())
    .option('--quiet', 'no progress bar')
    .option('--json', 'answer as one line of JSON')
    .action((places: readonly string[], words: Words) => recordings(places, words, io))
}

function shareGiven(text: string): number {
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share < 1) return share
  throw new InvalidArgumentError('Use a share from 0 to less than 1.')
}

function feedbackGiven(text: string): Feedback {
  if (text === 'real' || text === 'shuffled' || text === 'none') return { kind: text }
  const share = /^flipped:(0(?:\.\d+)?|1)$/.exec(text)?.[1]
  if (share !== undefined) return { kind: 'flipped', share: Number(share) }
  throw new InvalidArgumentError('Use real, shuffled, none, or flipped:SHARE with a share from 0 to 1.')
}

async function recordings(places: readonly string[], words: Words, io: Io): Promise<void> {
  const { evaluated, projectsIn } = await import('./evaluateRecordings.ts')
  const out = path.resolve(io.cwd, words.out)
  assertWritable(out)
  const projects = projectsIn(places, io.cwd)
  const payloads = projects.flatMap((project) => project.recordings.flatMap((recording) => recording.payloads))
  const bar = progressOn(io.err, paletteFor(io.err, io.env), payloads.length, words.quiet || words.json)
  const learning =
    words.policy === 'learning' ? { feedback: words.feedback, seed: words.seed, until: words.learnUntil } : undefined
  const began = Date.now()
  try {
    const lines = projects.flatMap((project) =>
      evaluated(project, (session) => bar.step(`${project.name}: ${session.slice(0, 8)}`), learning),
    )
    fs.writeFileSync(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const sessions = lines.filter(({ type }) => type === 'session').length
    const result = {
      ...{ projects: projects.length, payloads: payloads.length, sessions, calls: lines.length - sessions },
      ...{ ms: Date.now() - began, out },
    }
    tell(io, words.json, result, () => [
      `Asked at ${countText(sessions, 'session')} and ${countText(result.calls, 'call')} of ${countText(result.projects, 'project')} in ${spanText(result.ms)}.`,
      `The run is in ${words.out}.`,
    ])
  } finally {
    bar.end()
  }
}
