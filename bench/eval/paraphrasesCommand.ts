// eval paraphrases: which memories the ranking of a hook has first for prompts that say it in other words.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'
import { embedWithConfig } from '../../src/broker/embedding/reembed.ts'
import { updateNeighbours } from '../../src/broker/embedding/updateNeighbours.ts'
import { configFile } from '../../src/broker/open/hookConfig.ts'
import { acquireReader, releaseReader } from '../../src/broker/open/indexReaderCache.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { rewriteExpansions } from '../../src/broker/projection/expansionFile.ts'
import { policyForMoment } from '../../src/broker/search/candidates.ts'
import { rankCandidates } from '../../src/broker/search/pipeline.ts'
import { buildRecallQuery } from '../../src/broker/search/recallMemories.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { MemoryKind } from '../../src/model/memory.ts'
import type { Policy } from '../../src/model/policy.ts'
import { importCorpus } from './importCorpus.ts'
import { writeWordModel } from './wordModel.ts'

interface Paraphrase {
  readonly id: string
  readonly prompt: string
  readonly expect: string
  readonly type: string
}

interface FixtureMemory {
  readonly id: string
  readonly kind: MemoryKind
  readonly content: string
}

interface Options {
  readonly json?: boolean
}

/** What is allowed beside the words themselves. */
const MODES = ['words', 'lexicon', 'built-in embedder', 'word model'] as const
type Mode = (typeof MODES)[number]

interface Outcome {
  readonly id: string
  readonly type: string
  /** Position of the right memory in each mode, from 1; undefined if it is no candidate. */
  readonly ranks: Readonly<Record<Mode, number | undefined>>
}

/** So many of the ranking count. */
const FIRST = 3

const DAY_MS = 86_400_000

export function registerParaphrases(evaluate: Command, io: CliContext): void {
  evaluate
    .command('paraphrases')
    .description(`how often the right memory is among a hook's first ${FIRST}, for prompts in other words`)
    .argument('<dir>', 'a folder with memories.json and questions.json')
    .option('--json', 'print one line of JSON')
    .action(async (folder: string, options: Options) => {
      const read = <T>(name: string): T => JSON.parse(fs.readFileSync(path.resolve(io.cwd, folder, name), 'utf8')) as T
      const outcomes = await measure(read<FixtureMemory[]>('memories.json'), read<Paraphrase[]>('questions.json'))
      printResult(io, options.json, outcomes, formatOutcomes)
    })
}

async function measure(memories: readonly FixtureMemory[], questions: readonly Paraphrase[]): Promise<Outcome[]> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-paraphrases-'))
  try {
    const ranks = new Map<Mode, readonly (number | undefined)[]>()
    for (const mode of MODES)
      ranks.set(mode, await rankAll(path.join(home, mode.replace(' ', '-')), { memories, questions, mode }))
    return questions.map(({ id, type }, i) => ({
      id,
      type,
      ranks: Object.fromEntries(MODES.map((mode) => [mode, ranks.get(mode)?.[i]])) as Outcome['ranks'],
    }))
  } finally {
    fs.rmSync(home, { recursive: true, force: true })
  }
}

interface Measurement {
  readonly memories: readonly FixtureMemory[]
  readonly questions: readonly Paraphrase[]
  readonly mode: Mode
}

async function rankAll(home: string, { memories, questions, mode }: Measurement): Promise<(number | undefined)[]> {
  const project = path.join(home, 'project')
  fs.mkdirSync(project, { recursive: true })
  const store = openStore(project, { MEMCTL_HOME: home })
  const now = Date.now()
  // Each memory is of a session of its own, one a day.
  const lines = memories.map(({ id, kind, content }, i) => ({
    id,
    kind,
    conv: 'paraphrases',
    session: `session-${id}`,
    text: content,
    at: now - (memories.length - i) * DAY_MS,
  }))
  const ids = importCorpus(store, lines, now)
  const { policy } = readActivePolicy(store)
  const allowed = policyOf(policy, mode)
  rewriteExpansions(store, allowed.expansion)
  if (mode === 'word model') await useWordModel(store, home)
  if (mode !== 'words' && mode !== 'lexicon')
    await updateNeighbours(store, { env: { MEMCTL_HOME: home }, clock: () => 0 })
  return questions.map(({ prompt, expect }) =>
    rankOf(store, allowed, { prompt, now, isRight: (id) => ids.get(id) === expect }),
  )
}

function policyOf(policy: Policy, mode: Mode): Policy {
  const { expansion } = policy
  if (mode === 'words') return { ...policy, expansion: { ...expansion, weight: 0 } }
  return mode === 'lexicon' ? { ...policy, expansion: { ...expansion, embedder: 0 } } : policy
}

async function useWordModel(store: Store, home: string): Promise<void> {
  const folder = path.join(home, 'words')
  writeWordModel(folder)
  fs.writeFileSync(configFile(home), `embedder: { kind: transformers, folder: ${JSON.stringify(folder)} }\n`)
  await embedWithConfig(store, { kind: 'transformers', folder }, {})
}

interface Asked {
  readonly prompt: string
  readonly now: number
  readonly isRight: (id: MemoryId) => boolean
}

function rankOf(store: Store, policy: Policy, { prompt, now, isRight }: Asked): number | undefined {
  const reader = acquireReader(store)
  try {
    const query = buildRecallQuery({ text: prompt, moment: 'prompt', now }, 'prompt')
    const ranked = rankCandidates(query, reader, policyForMoment(policy, 'prompt'), store)
    const rank = ranked.findIndex(({ memory }) => isRight(memory.id))
    return rank === -1 ? undefined : rank + 1
  } finally {
    releaseReader(reader)
  }
}

function formatOutcomes(outcomes: readonly Outcome[]): string[] {
  const types = [...new Set(outcomes.map(({ type }) => type))]
  const count = (mode: Mode, type?: string): string => {
    const own = outcomes.filter((outcome) => type === undefined || outcome.type === type)
    return `${own.filter(({ ranks }) => (ranks[mode] ?? Number.POSITIVE_INFINITY) <= FIRST).length} of ${own.length}`
  }
  return [
    ['', ...MODES].join('  '),
    ...outcomes.map(({ id, type, ranks }) => [id, type, ...MODES.map((mode) => ranks[mode] ?? '–')].join('  ')),
    ...MODES.map(
      (mode) => `${mode}: ${count(mode)}  (${types.map((type) => `${type} ${count(mode, type)}`).join(', ')})`,
    ),
  ]
}
