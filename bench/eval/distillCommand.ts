// eval distill: the requests to the optional model about recorded sessions, and what the answers to them keep, as a RUN
// file for the scorer. So the model can be measured with answers of any reader.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { commitAnswer, type DistillResult } from '../../src/broker/distill/commitAnswer.ts'
import { DIGEST_TOKENS } from '../../src/broker/distill/distillConfig.ts'
import { prepareSession } from '../../src/broker/distill/prepareSession.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { replayPayload, replaySessions } from '../../src/broker/replay/replaySessions.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { createTempHome } from '../../src/cli/context/storeOption.ts'
import { listStatementLines } from '../../src/cli/replay/injectionRun.ts'
import { type Recording, readRecordings } from '../../src/cli/replay/recordingFiles.ts'
import { parseModelAnswer } from '../../src/distill/modelAnswer.ts'
import type { SessionId } from '../../src/model/id.ts'
import { MemoryError } from '../../src/model/memoryError.ts'
import { formatCount } from '../../src/report/formatNumber.ts'
import { estimateTokens } from '../../src/text/tokenCount.ts'
import { type OutputOptions, withOutputOptions } from './evalOptions.ts'

interface DistillOptions extends OutputOptions {
  readonly sessions?: string
  readonly prompts?: string
  readonly answers?: string
  readonly out?: string
  readonly alone?: boolean
}

export function registerDistillEval(evaluate: Command, io: CliContext): void {
  const command = evaluate
    .command('distill')
    .description('write the requests to the optional model about recorded sessions, or what answers to them keep')
    .argument('<recording...>', 'recordings, or folders of them')
    .option('--sessions <file>', 'only the sessions with these ids, one on each line')
    .option('--prompts <dir>', 'write the request about each session to DIR/SESSION.txt')
    .option('--answers <dir>', 'read the answer about each session from DIR/SESSION.json; a missing one is skipped')
    .option('--out <file>', 'with --answers: write the statements that are kept, as JSON lines for the scorer')
    .option('--alone', 'with --answers: only what the model proposes, without what is kept by rules')
  withOutputOptions(command).action(async (names: readonly string[], options: DistillOptions) => {
    const recordings = selectRecordings(readRecordings(names, io.cwd), options.sessions, io.cwd)
    if (options.prompts !== undefined) writePrompts(recordings, path.resolve(io.cwd, options.prompts))
    if (options.answers === undefined) {
      printResult(io, options.json, { sessions: recordings.length }, ({ sessions }) => [
        formatCount(sessions, 'session'),
      ])
      return
    }
    const { lines, results, rejected } = await applyAnswers(recordings, path.resolve(io.cwd, options.answers), options)
    if (options.out !== undefined)
      fs.writeFileSync(path.resolve(io.cwd, options.out), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const dropped = results.reduce((sum, result) => sum + result.dropped.length, 0)
    const counts = { answers: results.length, rejected, kept: lines.length, dropped }
    printResult(io, options.json, counts, () => [
      `${formatCount(counts.answers, 'answer')}, ${counts.kept} statements kept, ${dropped} proposals dropped`,
      ...rejected.map((text) => `rejected: ${text}`),
    ])
  })
}

function selectRecordings(all: readonly Recording[], file: string | undefined, cwd: string): readonly Recording[] {
  if (file === undefined) return all
  const ids = new Set(fs.readFileSync(path.resolve(cwd, file), 'utf8').split(/\s+/).filter(Boolean))
  return all.flatMap(({ name, payloads }) => {
    const wanted = payloads.filter(({ payload }) => ids.has(payload.session_id))
    return wanted.length > 0 ? [{ name, payloads: wanted }] : []
  })
}

/** A store with this session alone; without `isOrganized` it has events and no memories. */
function replayAlone(
  home: string,
  { name, payloads }: Recording,
  isOrganized: boolean,
): { store: Store; session: SessionId } {
  const first = payloads[0]
  if (!first) throw new MemoryError('RECORDING_INVALID', `${name} is empty`, { hint: 'Remove the file.' })
  const store = openStoreAt(path.join(home, name), '/project')
  if (isOrganized) replaySessions(store, [payloads])
  else for (const recorded of payloads) replayPayload(store, recorded, true)
  return { store, session: first.payload.session_id as SessionId }
}

/** Runs `use` with a temporary folder. */
function withTempHome<T>(use: (home: string) => T): T {
  const home = createTempHome('eval-distill')
  try {
    return use(home)
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

function writePrompts(recordings: readonly Recording[], folder: string): void {
  fs.mkdirSync(folder, { recursive: true })
  withTempHome((home) => {
    for (const recording of recordings) {
      const { store, session } = replayAlone(home, recording, false)
      const prepared = prepareSession(store, session, DIGEST_TOKENS)
      if (!prepared) continue
      const { system, user } = prepared.request
      fs.writeFileSync(path.join(folder, `${session}.txt`), `${system}\n\n${user}\n`)
    }
  })
}

interface AppliedAnswers {
  readonly lines: Awaited<ReturnType<typeof listStatementLines>>
  readonly results: readonly DistillResult[]
  readonly rejected: readonly string[]
}

async function applyAnswers(
  recordings: readonly Recording[],
  folder: string,
  options: DistillOptions,
): Promise<AppliedAnswers> {
  const home = createTempHome('eval-distill')
  const lines: AppliedAnswers['lines'] = []
  const results: DistillResult[] = []
  const rejected: string[] = []
  try {
    for (const recording of recordings) {
      const { store, session } = replayAlone(home, recording, !options.alone)
      const file = path.join(folder, `${session}.json`)
      const prepared = fs.existsSync(file) ? prepareSession(store, session, DIGEST_TOKENS) : undefined
      if (!prepared) continue
      const text = fs.readFileSync(file, 'utf8')
      const tokens = { input: prepared.digest.tokens, output: estimateTokens(text) }
      const now = recording.payloads.at(-1)?.at ?? 0
      try {
        const answer = parseModelAnswer(text)
        results.push(commitAnswer(store, prepared, { answer, by: 'import', model: '', tokens, now }))
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error
        rejected.push(`${session}: ${error.message}`)
      }
      lines.push(...(await listStatementLines(store, [recording])))
    }
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
  return { lines, results, rejected }
}
