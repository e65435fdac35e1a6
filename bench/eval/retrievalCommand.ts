// eval retrieval: what recall returns for questions with known answers, by the same store and recall code as the hooks.
import { performance } from 'node:perf_hooks'
import type { Command } from 'commander'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { formatCount, formatDuration } from '../../src/report/formatNumber.ts'
import { median } from '../hooks/pairedTiming.ts'
import { writeRunFile } from '../replay/injectionRun.ts'
import { askEach, rankFor } from './conversations.ts'
import { evaluationProgress, type OutputOptions, withOutputOptions } from './evalOptions.ts'
import { readCorpus, readQueries } from './labelledFiles.ts'
import { runFilePath } from './runFile.ts'

interface RetrievalOptions extends OutputOptions {
  readonly corpus: string
  readonly queries: string
  readonly out: string
  readonly top: number
}

/** The answer to a question: a line of a RUN file. */
interface RetrievalLine {
  readonly id: string
  readonly ranked: readonly { readonly id: string; readonly score: number }[]
}

export function registerRetrieval(evaluate: Command, io: CliContext): void {
  const command = evaluate
    .command('retrieval')
    .description('run labelled questions on imported text; writes a RUN file')
    .requiredOption('--corpus <file>', 'JSON lines {"id", "conv", "session", "ts", "speaker", "text"}, may be gzipped')
    .requiredOption('--queries <file>', 'JSON lines {"id", "conv", "query", "ts", "relevant"}, may be gzipped')
    .requiredOption('--out <file>', 'where to write {"id", "ranked": [{"id", "score"}]}, one line for each question')
    .option('--top <n>', 'memories ranked for each question', integerOption(1), 50)
  withOutputOptions(command).action((options: RetrievalOptions) => retrieval(options, io))
}

function retrieval(options: RetrievalOptions, io: CliContext): void {
  const corpus = readCorpus(options.corpus, io.cwd)
  const queries = readQueries(options.queries, io.cwd)
  const out = runFilePath(options.out, io)
  const began = Date.now()
  const answers = new Map<string, RetrievalLine>()
  const askMs: number[] = []
  const bar = evaluationProgress(io, queries.length, options)
  try {
    askEach({ corpus, queries }, began, (conversation, query) => {
      const start = performance.now()
      const ranking = rankFor(conversation, query, options.top)
      askMs.push(performance.now() - start)
      const ranked = ranking.map(({ id, score }) => ({ id: conversation.ids.get(id)!, score }))
      answers.set(query.id, { id: query.id, ranked })
      bar.advance(query.conv)
    })
  } finally {
    bar.clear()
  }
  // In the order of the questions; a question whose conversation is not in the corpus has an empty answer.
  const lines = queries.map(({ id }) => answers.get(id) ?? { id, ranked: [] })
  writeRunFile(out, lines)
  const result = {
    texts: corpus.length,
    questions: queries.length,
    silent: lines.filter(({ ranked }) => ranked.length === 0).length,
    askMs: askMs.length === 0 ? 0 : median(askMs),
    ms: Date.now() - began,
    out,
  }
  printResult(io, options.json, result, () => [
    `Ran ${formatCount(result.questions, 'question')} on ${formatCount(result.texts, 'text')} in ` +
      `${formatDuration(result.ms)}; median ${result.askMs.toFixed(2)} ms per question.`,
    ...(result.silent > 0 ? [`${formatCount(result.silent, 'question')} found nothing.`] : []),
    `The run is in ${options.out}.`,
  ])
}
