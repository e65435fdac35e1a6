// eval statements: fits the weights with which statements are found, on recordings whose prompts are labelled.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { RecordedPayload } from '../../src/broker/replay/replaySessions.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import type { Event } from '../../src/model/event.ts'
import { listSpokenTexts, type SpokenText } from '../../src/organize/spokenTexts.ts'
import { recordPayload } from '../../src/record/recordPayload.ts'
import { isoTime } from '../../src/text/isoTime.ts'
import { listStatementFeatures } from '../../src/text/statement/statementFeatures.ts'
import { splitTypedSentences } from '../../src/text/statement/typedText.ts'
import { findProjects } from './evaluateRecordings.ts'
import { fitStatementWeights, type LabelledSentence, listInventedSentences } from './fitStatements.ts'

/** A label of `statements.jsonl` or `doubtful.jsonl`. */
interface Label {
  readonly session: string
  readonly at: string
  readonly quote?: string
  readonly told?: string
  readonly strength?: number
}

interface StatementsOptions {
  readonly labels: string
  readonly until?: string
  readonly json?: boolean
}

export function registerStatements(evaluate: Command, io: CliContext): void {
  evaluate
    .command('statements')
    .description('fit the weights with which statements are found; prints them as lines of statementWeights.ts')
    .argument('<dir...>', 'folders of recordings')
    .requiredOption('--labels <dir>', 'the folder with statements.jsonl and doubtful.jsonl of these recordings')
    .option('--until <date>', 'learn only from what was said before this date')
    .option('--json', 'print one line of JSON')
    .action((folders: readonly string[], options: StatementsOptions) => {
      const sentences = [...listRecordedSentences(folders, options, io.cwd), ...listInventedSentences()]
      printResult(io, options.json, fitStatementWeights(sentences), (weights) =>
        Object.entries(weights).map(([name, weight]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${weight},`),
      )
    })
}

/** The sentences of the recordings without those that are neither right nor wrong. */
function listRecordedSentences(
  folders: readonly string[],
  options: StatementsOptions,
  cwd: string,
): LabelledSentence[] {
  const folder = path.resolve(cwd, options.labels)
  const statements = readLabels(path.join(folder, 'statements.jsonl'))
  const doubtful = readLabels(path.join(folder, 'doubtful.jsonl'))
  const recordings = findProjects(folders, cwd).flatMap((project) => project.recordings)
  return recordings
    .flatMap(({ payloads }) => listSpokenTexts(toEvents(payloads)))
    .filter(({ event }) => options.until === undefined || event.at < options.until)
    .flatMap((spoken) => labelSentences(spoken, statements.filter(isOf(spoken)), doubtful.filter(isOf(spoken))))
}

const isOf =
  ({ event }: SpokenText) =>
  ({ session, at }: Label): boolean =>
    session === event.session && at === event.at

function labelSentences(
  { text, context }: SpokenText,
  statements: readonly Label[],
  doubtful: readonly Label[],
): LabelledSentence[] {
  const sentences = splitTypedSentences(text)
  return listStatementFeatures(sentences, context).flatMap((features, i): LabelledSentence[] => {
    const sentence = sentences[i]?.text ?? ''
    const strength = Math.max(0, ...statements.filter(isAbout(sentence)).map((label) => label.strength ?? 0))
    if (strength >= 2) return [{ features, isLasting: true, worth: strength === 3 ? 3 : 2 }]
    return strength === 1 || doubtful.some(isAbout(sentence)) ? [] : [{ features, isLasting: false, worth: 1 }]
  })
}

const isAbout =
  (sentence: string) =>
  ({ quote = '', told }: Label): boolean =>
    (quote.length > 3 &&
      (sentence.includes(quote) || (quote.includes(sentence) && 4 * sentence.length > quote.length))) ||
    (told !== undefined && new RegExp(told, 'iu').test(sentence))

const readLabels = (file: string): Label[] =>
  fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Label)
    : []

function toEvents(payloads: readonly RecordedPayload[]): Event[] {
  return payloads.flatMap(({ at, payload }) => {
    const cwd = payload['cwd']
    const root = typeof cwd === 'string' ? cwd : '/'
    const event = recordPayload(payload, { now: at, root, recent: () => [], weights: DEFAULT_POLICY.importance })
    return event ? [{ ...event, at: isoTime(at) }] : []
  })
}
