// eval paraphrases: which memories the ranking of a hook has first for prompts that say it in other words.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { policyForMoment } from '../../src/broker/search/candidates.ts'
import { buildRecallQuery, gatherCandidates } from '../../src/broker/search/recallMemories.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { MemoryKind } from '../../src/model/memory.ts'
import type { Policy } from '../../src/model/policy.ts'
import { recall } from '../../src/recall/recall.ts'
import { openSnapshotReader } from '../../src/store/snapshot/snapshotReader.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { importCorpus } from './importCorpus.ts'
import { rankCandidates } from './rankQuestion.ts'

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
const MODES = ['words', 'lexicon'] as const
type Mode = (typeof MODES)[number]

interface Outcome {
  readonly id: string
  readonly type: string
  readonly answers: Readonly<Record<Mode, Answer>>
}

interface Answer {
  /** Position of the right memory, from 1; undefined if it is no candidate. */
  readonly rank: number | undefined
  /** Whether a prompt's thresholds and budget let it through, and how many others they do. */
  readonly isShown: boolean
  readonly others: number
}

/** So many of the ranking count. */
const FIRST = 3

const DAY_MS = 86_400_000

export function registerParaphrases(evaluate: Command, io: CliContext): void {
  evaluate
    .command('paraphrases')
    .description(`how often a hook finds and shows the right memory, for prompts in other words`)
    .argument('<dir>', 'a folder with memories.json and questions.json')
    .option('--json', 'print one line of JSON')
    .action((folder: string, options: Options) => {
      const read = <T>(name: string): T => JSON.parse(fs.readFileSync(path.resolve(io.cwd, folder, name), 'utf8')) as T
      const outcomes = measure(read<FixtureMemory[]>('memories.json'), read<Paraphrase[]>('questions.json'))
      printResult(io, options.json, outcomes, formatOutcomes)
    })
}

function measure(memories: readonly FixtureMemory[], questions: readonly Paraphrase[]): Outcome[] {
  using home = createTempHome('paraphrases')
  const answers = new Map<Mode, readonly Answer[]>()
  for (const mode of MODES) answers.set(mode, askAll(path.join(home.path, mode), { memories, questions, mode }))
  return questions.map(({ id, type }, i) => ({
    id,
    type,
    answers: Object.fromEntries(MODES.map((mode) => [mode, answers.get(mode)?.[i]])) as Outcome['answers'],
  }))
}

interface Measurement {
  readonly memories: readonly FixtureMemory[]
  readonly questions: readonly Paraphrase[]
  readonly mode: Mode
}

function askAll(home: string, { memories, questions, mode }: Measurement): Answer[] {
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
  const allowed = mode === 'words' ? { ...policy, expansion: { ...policy.expansion, weight: 0 } } : policy
  return questions.map(({ prompt, expect }) =>
    ask(store, policyForMoment(allowed, 'prompt'), { prompt, now, isRight: (id) => ids.get(id) === expect }),
  )
}

interface Asked {
  readonly prompt: string
  readonly now: number
  readonly isRight: (id: MemoryId) => boolean
}

function ask(store: Store, policy: Policy, { prompt, now, isRight }: Asked): Answer {
  const reader = openSnapshotReader(store.files, store.layout)
  try {
    const query = buildRecallQuery({ text: prompt, moment: 'prompt', now })
    const rank = rankCandidates(query, reader, policy, store).findIndex(({ memory }) => isRight(memory.id))
    const candidates = gatherCandidates(query, reader, policy, store)
    const { shown } = recall({ query, candidates, policy, alreadyShown: () => new Set() })
    return {
      rank: rank === -1 ? undefined : rank + 1,
      isShown: shown.some(({ memory }) => isRight(memory.id)),
      others: shown.filter(({ memory }) => !isRight(memory.id)).length,
    }
  } finally {
    reader.close()
  }
}

function formatOutcomes(outcomes: readonly Outcome[]): string[] {
  const summarize = (mode: Mode): string => {
    const answers = outcomes.map((outcome) => outcome.answers[mode])
    const first = answers.filter(({ rank = Number.POSITIVE_INFINITY }) => rank <= FIRST).length
    const shown = answers.filter(({ isShown }) => isShown).length
    const others = answers.reduce((sum, answer) => sum + answer.others, 0)
    return `${mode}: ${first} of ${outcomes.length} among the first ${FIRST}; ${shown} shown, beside ${others} others`
  }
  const describe = ({ rank, isShown }: Answer): string => `${rank ?? '–'}${isShown ? ' shown' : ''}`
  return [
    ['', ...MODES].join('  '),
    ...outcomes.map(({ id, type, answers }) => [id, type, ...MODES.map((mode) => describe(answers[mode]))].join('  ')),
    ...MODES.map(summarize),
  ]
}
