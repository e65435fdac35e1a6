// eval batch: texts that have nothing to do with one another, stored by memory_batch_store in one session. Every way to
// search must find a text by its own words, whatever was stored beside it.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { searchByWords } from '../../src/broker/search/recallMemories.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { openMemory } from '../../src/index.ts'
import { SEARCH_MODES } from '../../src/model/recallQuery.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { type LabelledSet, readCorpus, readQueries } from './labelledFiles.ts'

interface BatchOptions {
  readonly corpus: string
  readonly queries: string
  readonly size: number
  readonly heading?: boolean
  readonly json?: boolean
}

const PATHS = ['memctl search', ...SEARCH_MODES.map((mode) => `memory_search ${mode}` as const)] as const

/** A text counts as found among the first five. */
const FIRST = 5

/** `memory_batch_store` takes so many at once. */
const BATCH_MAX = 100

export function registerBatch(evaluate: Command, io: CliContext): void {
  evaluate
    .command('batch')
    .description(`how often each search has the right one of independent texts among its first ${FIRST}`)
    .requiredOption('--corpus <file>', 'JSON lines {"id", "conv", "text"}, may be gzipped')
    .requiredOption('--queries <file>', 'JSON lines {"id", "conv", "query", "relevant"}, may be gzipped')
    .option('--size <n>', 'texts in a store', integerOption(1), BATCH_MAX)
    .option('--heading', 'store the first sentence of each text only')
    .option('--json', 'print one line of JSON')
    .action(async (options: BatchOptions) => {
      const texts = readCorpus(options.corpus, io.cwd)
      const corpus = options.heading ? texts.map((line) => ({ ...line, text: firstSentence(line.text) })) : texts
      const hits = await measure({ corpus, queries: readQueries(options.queries, io.cwd) }, options.size)
      printResult(io, options.json, hits, () =>
        Object.entries(hits).map(([name, count]) => `${name.padEnd(24)} ${count}`),
      )
    })
}

const firstSentence = (text: string): string => /^.*?[.!?。](?=\s|$)/su.exec(text)?.[0] ?? text

type Hits = Record<(typeof PATHS)[number] | 'questions', number>

async function measure({ corpus, queries }: LabelledSet, size: number): Promise<Hits> {
  const home = createTempHome('eval')
  const hits = Object.fromEntries([...PATHS, 'questions'].map((name) => [name, 0])) as Hits
  try {
    // Only texts that a question asks for: others would make the stores differ in how hard they are.
    const asked = new Set(queries.flatMap(({ relevant }) => relevant))
    const texts = corpus.filter(({ id }) => asked.has(id))
    for (let start = 0; start + size <= texts.length; start += size) {
      const folder = path.join(home, String(start))
      const memory = openMemory({ store: folder, project: folder, env: {}, session: 'batch' })
      const ids = new Map<string, string>()
      for (let from = start; from < start + size; from += BATCH_MAX) {
        const batch = texts.slice(from, Math.min(start + size, from + BATCH_MAX))
        const items = batch.map(({ text }) => ({ content: text }))
        const { stored_ids } = (await memory.call('memory_batch_store', { items })) as { stored_ids: string[] }
        for (const [i, id] of stored_ids.entries()) ids.set(id, batch[i]?.id ?? '')
      }
      const { store } = memory
      const stored = new Set(ids.values())
      for (const { query, relevant } of queries) {
        if (!relevant.some((id) => stored.has(id))) continue
        const count = (name: keyof Hits, found: readonly string[]): void => {
          if (found.some((id) => relevant.includes(ids.get(id) ?? ''))) hits[name]++
        }
        hits.questions++
        const byWords = searchByWords(store, { text: query, limit: FIRST, now: Date.now() })
        count(
          'memctl search',
          byWords.map((found) => found.memory.id),
        )
        for (const mode of SEARCH_MODES) {
          const input = { query, top_k: FIRST, search_mode: mode }
          const { results } = (await memory.call('memory_search', input)) as { results: { id: string }[] }
          count(
            `memory_search ${mode}`,
            results.map(({ id }) => id),
          )
        }
      }
      await memory.close()
    }
    return hits
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}
