// npm run eval: what recall brings back for questions whose answers are known, by the same store and recall code as the hooks.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { wholeNumber } from '../../src/cli/given.ts'
import { type Io, tell } from '../../src/cli/io.ts'
import { countText } from '../../src/report/amount.ts'
import { paletteFor } from '../../src/report/colour.ts'
import { progressOn } from '../../src/report/progress.ts'
import { spanText } from '../../src/report/time.ts'
import type { RunLine } from './conversations.ts'
import { registerExplain } from './explainCommand.ts'
import { profileOption } from './profileOption.ts'
import { registerRecordings } from './recordingsCommand.ts'
import { assertWritable } from './runFile.ts'
import { registerWeights } from './weightCommands.ts'

interface RetrievalWords {
  readonly corpus: string
  readonly queries: string
  readonly out: string
  readonly learn?: string
  readonly top: number
  readonly quiet?: boolean
  readonly json?: boolean
}

export function registerEvaluation(evaluate: Command, io: Io): void {
  evaluate
    .command('retrieval')
    .description('ask labelled questions of imported text; writes a RUN file')
    .requiredOption('--corpus <file>', 'JSON lines {"id", "conv", "session", "ts", "speaker", "text"}, may be gzipped')
    .requiredOption('--queries <file>', 'JSON lines {"id", "conv", "query", "ts", "relevant"}, may be gzipped')
    .requiredOption('--out <file>', 'where to write {"id", "ranked": [{"id", "score"}]}, a line a question')
    .option(
      '--learn <file>',
      'questions to learn from first; what comes of it is exported, and imported where the others are asked',
    )
    .option('--top <n>', 'memories ranked for each question', wholeNumber(1), 50)
    .addOption(profileOption())
    .option('--quiet', 'no progress bar')
    .option('--json', 'answer as one line of JSON')
    .action((words: RetrievalWords) => retrieval(words, io))
  registerRecordings(evaluate, io)
  registerExplain(evaluate, io)
  registerWeights(evaluate, io)
}

async function retrieval(words: RetrievalWords, io: Io): Promise<void> {
  const [{ corpusIn, queriesIn }, { asked, runLine, withConversations }, { learnedFrom, takeLearned }] =
    await Promise.all([import('./labelledFiles.ts'), import('./conversations.ts'), import('./learnedPolicy.ts')])
  const corpus = corpusIn(words.corpus, io.cwd)
  const queries = queriesIn(words.queries, io.cwd)
  const out = path.resolve(io.cwd, words.out)
  assertWritable(out)
  const answers = new Map<string, RunLine>()
  const took: number[] = []
  const bar = progressOn(io.err, paletteFor(io.err, io.env), queries.length, words.quiet || words.json)
  const began = Date.now()
  try {
    const lessons = words.learn === undefined ? undefined : queriesIn(words.learn, io.cwd)
    const learned = lessons && (await learnedFrom(corpus, lessons, began))
    await withConversations(corpus, began, (conversation) => {
      if (learned) takeLearned(conversation, learned, began)
      for (const query of queries) {
        if (query.conv !== conversation.conv) continue
        const start = performance.now()
        const standing = asked(conversation, query, words.top)
        took.push(performance.now() - start)
        answers.set(query.id, runLine(conversation, query, standing))
        bar.step(conversation.conv)
      }
    })
  } finally {
    bar.end()
  }
  // In the order of the questions; one whose conversation is not in the corpus is answered with silence.
  const lines = queries.map(({ id }) => answers.get(id) ?? { id, ranked: [] })
  fs.writeFileSync(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const silent = lines.filter(({ ranked }) => ranked.length === 0).length
  const result = {
    ...{ texts: corpus.length, questions: queries.length, silent, askMs: median(took), ms: Date.now() - began, out },
  }
  tell(io, words.json, result, () => [
    `Asked ${countText(result.questions, 'question')} of ${countText(result.texts, 'text')} in ${spanText(result.ms)}, ${result.askMs.toFixed(2)} ms each in the median.`,
    ...(silent > 0 ? [`${countText(silent, 'question')} found nothing.`] : []),
    `The run is in ${words.out}.`,
  ])
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
