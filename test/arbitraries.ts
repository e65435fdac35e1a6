// Generators for fast-check: sessions as Claude Code reports them, events, memories. Few words, files and errors, so
// that generated sessions share their errors.
import fc from 'fast-check'
import type { RecordedPayload } from '../bench/fixture/replaySessions.ts'
import type { Event, EventBody, EventEnvelope } from '../src/model/event.ts'
import type { EventId, MemoryId, SessionId } from '../src/model/id.ts'
import {
  MEMORY_KINDS,
  MEMORY_STATUSES,
  type Memory,
  type MemoryChange,
  OUTCOMES,
  RETENTIONS,
  TRUST_LEVELS,
} from '../src/model/memory.ts'
import { PRIVACY_LEVELS } from '../src/model/privacy.ts'
import { FEATURES } from '../src/model/rankingScore.ts'
import { RECALL_MOMENTS } from '../src/model/recallQuery.ts'
import { IMPACT_KINDS } from '../src/model/strength.ts'
import type { MatchScores } from '../src/recall/recallCandidate.ts'
import { BEGIN, buildMemory, DAY, type ExampleSession, exampleSession, HOUR, iso, testMemoryId } from './testData.ts'

const PROMPTS = [
  'Can you get the tests to run?',
  'npm test is red again, what is it this time?',
  'Add a discount to the cart, ten percent from 50 euro up.',
  'From now on keep your answers short.',
  'Remember that the prices are built by npm run build:prices.',
  'We decided to go with integer cents.',
  'No, not there: the rounding belongs in src/money.js.',
  'Thanks, that works.',
  'テストが失敗します。直してください。',
  '今後はコミットメッセージを日本語で書いてください。',
  '領収書を日本語でも出せるようにします。',
  'ありがとう。',
  'ok',
]
const COMMANDS = [
  'npm test',
  'npm run build:prices',
  'npm run lint',
  'go test ./...',
  'git status',
  'ls dist',
  'node scripts/pay.js',
]
const ERRORS = [
  "Exit code 1\nError: Cannot find module '../dist/prices.json'\n    at load (/home/dev/shop/src/prices.js:3:9)",
  'Exit code 1\nTypeError: amount.toLocalString is not a function',
  'Exit code 1\nAssertionError [ERR_ASSERTION]: 619 == 620',
  "Exit code 2\nsrc/tax.ts(3,7): error TS2304: Cannot find name 'rate'.",
  'エラー: 設定ファイルが見つかりません',
  "The user doesn't want to proceed with this tool use.",
]
const FILES = ['src/prices.js', 'src/money.js', 'src/cart.js', 'test/cart.test.js', 'docs/領収書.md']
const ANSWERS = ['The tests pass. The prices had to be built first.', 'テストは全部通りました。', 'Done.', '']
const BRANCHES = ['main', 'feature/receipt', 'fix/rounding']

export const arbitraryPrompt: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PROMPTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
)

type Step = (told: ExampleSession) => unknown

const arbitraryCall: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...COMMANDS).map((command) => (told: ExampleSession) => told.runs(command, 'ok')),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...COMMANDS), fc.constantFrom(...ERRORS), fc.boolean()).map(
      ([command, error, cut]) =>
        (told: ExampleSession) =>
          told.fails(command, error, cut ? { is_interrupt: true } : {}),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...FILES), fc.constantFrom('const cents = Math.round(price)', 'x', '金額を円で表示する'))
      .map(
        ([file, text]) =>
          (told: ExampleSession) =>
            told.edits(file, text),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...FILES)
      .map((file) => (told: ExampleSession) => told.calls('Read', { file_path: file }, 'text')),
  },
)

/** A failure and, some calls later, its fix. */
const arbitraryMending: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom(...COMMANDS), fc.constantFrom(...ERRORS), fc.array(arbitraryCall, { maxLength: 3 }))
  .map(([command, error, between]) => (told: ExampleSession) => {
    told.fails(command, error)
    for (const step of between) step(told)
    told.runs(command, 'ok')
  })

const arbitraryAgent: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom('Explore', 'Plan'),
    fc.array(arbitraryCall, { maxLength: 3 }),
    fc.nat(999),
    fc.constantFrom(...ANSWERS),
  )
  .map(([role, steps, agent, words]) => (told: ExampleSession) => {
    told.calls('Agent', { description: 'Look around', prompt: 'Where are the prices read?', subagent_type: role })
    told.sends(role, `agent-${agent}`, () => steps.forEach((step) => step(told)), words)
  })

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(arbitraryPrompt, fc.constantFrom(...BRANCHES)).map(
      ([text, branch]) =>
        (told: ExampleSession) =>
          told.asks(text, branch),
    ),
  },
  { weight: 6, arbitrary: arbitraryCall },
  { weight: 3, arbitrary: arbitraryMending },
  { weight: 1, arbitrary: arbitraryAgent },
  { weight: 2, arbitrary: fc.constantFrom(...ANSWERS).map((text) => (told: ExampleSession) => told.answers(text)) },
  {
    weight: 1,
    arbitrary: fc.constant((told: ExampleSession) =>
      told
        .tells('PreCompact', { trigger: 'auto' })
        .tells('SubagentStop', { agent_id: 'c', agent_type: '' })
        .starts('compact'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant((told: ExampleSession) => told.tells('SomethingNew', { novelty: { depth: 1 } })),
  },
)

/** A session of this name; one in four is killed and never reports its end. */
export const arbitrarySession = (name: string, start: number): fc.Arbitrary<RecordedPayload[]> =>
  fc
    .tuple(fc.array(arbitraryStep, { minLength: 1, maxLength: 12 }), fc.integer({ min: 0, max: 3 }))
    .map(([steps, end]) => {
      const told = exampleSession(name, start).starts()
      for (const step of steps) step(told)
      if (end > 0) told.ends()
      return told.recorded
    })

/** Up to six sessions, hours or weeks apart; sometimes one is left and continued. */
export const arbitraryHistory: fc.Arbitrary<RecordedPayload[][]> = fc
  .array(fc.tuple(fc.constantFrom(2 * HOUR, DAY, 9 * DAY, 40 * DAY), fc.integer({ min: 0, max: 4 })), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((gaps) => {
    let start = BEGIN
    return fc.tuple(
      ...gaps.map(([gap, again], i) => {
        start += gap
        return arbitrarySession(again === 0 && i > 0 ? `session-${i - 1}` : `session-${i}`, start)
      }),
    )
  })
  .map((sessions) => sessions.map(distinctCalls))

/** Call ids count up within one session; a continued session must not use those of its first part again. */
const distinctCalls = (recorded: RecordedPayload[], part: number): RecordedPayload[] =>
  recorded.map(({ at, payload }) => {
    const named = Object.entries(payload).map(([name, value]) =>
      name === 'tool_use_id' || name === 'prompt_id' ? [name, `${String(value)}-${part}`] : [name, value],
    )
    return { at, payload: Object.fromEntries(named) }
  })

const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
/** Changes of a memory by use or time, including those of the projection. */
const strengthChanges = () =>
  fc
    .record({
      memory: memoryIds(),
      candidates: optional(fc.nat(3)),
      uses: optional(fc.nat(3)),
      strength: optional(share),
      strengthTo: optional(share),
      kept: optional(share),
      impact: optional(share),
      perspectives: optional(fc.dictionary(fc.constantFrom('コスト', '納期'), share)),
      level: optional(fc.nat(5)),
      status: optional(fc.constantFrom('active' as const, 'archived' as const)),
    })
    .map(plain)

const share = fc.double({ min: 0, max: 1, noNaN: true })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
export const arbitraryTime: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 3650 * 24 * 60 })
  .map((minutes) => iso(BEGIN + minutes * 60_000))

export const arbitraryMemory: fc.Arbitrary<Memory> = fc
  .record({
    n: fc.nat(1_000_000),
    kind: fc.constantFrom(...MEMORY_KINDS),
    content: fc.oneof(arbitraryPrompt, text, fc.string({ unit: 'binary', maxLength: 3_000 })),
    privacy: fc.constantFrom(...PRIVACY_LEVELS),
    role: fc.constantFrom('main', 'Explore'),
    agentId: optional(fc.constantFrom('a1', 'a2')),
    session: optional(fc.constantFrom('s1', 's2').map((id) => id as SessionId)),
    status: fc.constantFrom(...MEMORY_STATUSES),
    retention: fc.constantFrom(...RETENTIONS),
    trust: fc.constantFrom(...TRUST_LEVELS),
    outcome: fc.constantFrom(...OUTCOMES),
    importance: share,
    strength: fc.double({ min: 0, max: 3, noNaN: true }),
    accessCount: fc.nat(120),
    branch: optional(fc.constantFrom(...BRANCHES)),
    days: fc.nat(400),
    expires: optional(arbitraryTime),
  })
  .map(({ n, days, ...given }) =>
    buildMemory(n, { ...given, created: iso(BEGIN - days * DAY), updated: iso(BEGIN - days * DAY) }),
  )

/** Memories with unique ids. */
export const arbitraryMemories = (maxLength: number): fc.Arbitrary<Memory[]> =>
  fc.array(arbitraryMemory, { maxLength }).map((all) => all.map((one, i) => ({ ...one, id: testMemoryId(i + 1) })))

const raw = fc.double({ min: 0, max: 40, noNaN: true })
export const arbitraryMatch: fc.Arbitrary<MatchScores> = fc.record({
  words: raw,
  window: raw,
  session: raw,
  files: raw,
  command: raw,
  error: raw,
  branch: raw,
  coverage: share,
})

export const arbitraryFeatures: fc.Arbitrary<Record<string, number>> = fc
  .tuple(...FEATURES.map(() => share))
  .map((values) => Object.fromEntries(FEATURES.map((name, i) => [name, values[i]!])))

const arbitraryBase: fc.Arbitrary<EventEnvelope> = fc.record({
  id: hex(16).map((id) => id as EventId),
  at: arbitraryTime,
  session: fc.constantFrom('s1', 's2', 'セッション').map((id) => id as SessionId),
  agentId: optional(hex(8)),
  role: fc.constantFrom('main', 'Explore'),
  taskId: optional(hex(8)),
  outcome: fc.constantFrom(...OUTCOMES),
  lessons: fc.array(text, { maxLength: 2 }),
  privacy: fc.constantFrom(...PRIVACY_LEVELS),
  importance: optional(share),
  terms: optional(fc.record({ novelty: share })),
  extra: optional(
    fc.dictionary(fc.constantFrom('colour', 'session', 'kind'), fc.jsonValue({ maxDepth: 2 }).map(plain), {
      minKeys: 1,
    }),
  ),
})

const arbitraryCallFields = {
  tool: fc.constantFrom('Bash', 'Edit', 'mcp__shop__search'),
  call: hex(8),
  input: fc.dictionary(
    fc.constantFrom('command', 'file_path', 'session', 'kind'),
    fc.oneof(text, fc.constantFrom('prompt', 's1')),
  ),
  files: fc.array(fc.constantFrom(...FILES), { maxLength: 2 }),
  commandShape: optional(fc.constantFrom('npm test', 'git commit -m')),
}
const durationMs = optional(fc.nat(100_000))
const repeatOf = optional(hex(16).map((id) => id as EventId))

const arbitraryHappening: fc.Arbitrary<EventBody> = fc.oneof(
  happening('session.started', {
    source: text,
    cwd: text,
    branch: optional(text),
    client: optional(fc.record({ pid: fc.nat(), started: optional(hex(5)) })),
  }),
  happening('prompt', {
    text: arbitraryPrompt,
    signals: fc.array(fc.record({ kind: fc.constantFrom('thanks' as const, 'remember' as const), text }), {
      maxLength: 2,
    }),
    branch: optional(text),
  }),
  happening('call.started', arbitraryCallFields),
  happening('call.succeeded', { ...arbitraryCallFields, output: text, durationMs, repeatOf }),
  happening('call.failed', {
    ...arbitraryCallFields,
    error: text,
    errorSignature: optional(text),
    interrupted: fc.boolean(),
    durationMs,
    repeatOf,
  }),
  happening('answer', { text }),
  happening('agent.started', {}),
  happening('agent.stopped', { text }),
  happening('compaction', {
    phase: fc.constantFrom('before' as const, 'after' as const),
    trigger: text,
    summary: text,
  }),
  happening('session.ended', { reason: text }),
  happening('recalled', {
    moment: fc.constantFrom(...RECALL_MOMENTS),
    cue: text,
    call: optional(hex(8)),
    shown: fc.array(fc.record({ memory: memoryIds(), score: share, features: arbitraryFeatures }), { maxLength: 2 }),
    withheld: fc.boolean(),
    others: fc.array(memoryIds(), { maxLength: 3 }),
    policy: fc.nat(9),
  }),
  happening('session.improved', {}),
  happening('session.organized', {}),
  happening('policy.changed', {
    version: fc.nat(99),
    values: fc.dictionary(fc.constant('recall.weights.words'), share),
    reason: text,
    evidence: fc.dictionary(fc.constant('recalls'), fc.nat()),
    by: fc.constantFrom('improve' as const, 'person' as const),
  }),
  happening('policy.chosen', {
    name: fc.constantFrom('default', 'quiet'),
    values: fc.dictionary(fc.constant('recall.withholdShare'), fc.constantFrom(0, 0.1)),
  }),
  happening('policy.frozen', { frozen: fc.boolean() }),
  happening('memory.stored', { memory: arbitraryMemory.map(plain) }),
  happening('memory.impact', {
    memory: memoryIds(),
    impact: fc.constantFrom(...IMPACT_KINDS),
    perspective: optional(fc.constantFrom('cost', 'Explore')),
  }),
  happening('memory.slept', {}),
  happening('memory.released', {
    memory: memoryIds(),
    from: fc.constantFrom('private' as const, 'agent-only' as const),
    to: fc.constantFrom('agent-only' as const, 'public' as const),
    opened: arbitraryTime,
  }),
  happening('memory.restored', { memories: fc.array(memoryIds(), { maxLength: 3 }) }),
  happening('memory.updated', { change: changes() }),
  happening('memory.batch', {
    stored: fc.array(arbitraryMemory.map(plain), { maxLength: 2 }),
    changes: fc.array(changes(), { maxLength: 2 }),
  }),
  happening('memory.deleted', { memories: fc.array(memoryIds(), { maxLength: 3 }) }),
  happening('memory.accessed', { memories: fc.array(memoryIds(), { maxLength: 3 }) }),
  happening('memory.scored', { memory: memoryIds(), score: share, previous: share, reason: text }),
  happening('memory.strengthened', { changes: fc.array(strengthChanges(), { maxLength: 3 }) }),
  happening('agent.slept', {
    ...{ agent: text, decayed: fc.nat(9), archived: fc.nat(9), consolidated: fc.nat(9) },
    errors: fc.array(text, { maxLength: 2 }),
  }),
  happening('memory.consolidated', {
    memory: arbitraryMemory.map(plain),
    from: fc.array(memoryIds(), { maxLength: 3 }),
    preserved: fc.boolean(),
  }),
  happening('other', { name: text }),
)

/** An event of any kind, as the recorder or memctl itself could have made it. */
export const arbitraryEvent: fc.Arbitrary<Event> = fc
  .tuple(arbitraryBase, arbitraryHappening)
  .map(([base, happened]) => ({ ...base, ...happened }))

function happening<Kind extends EventBody['kind']>(
  kind: Kind,
  fields: { [Name in keyof Omit<Extract<EventBody, { kind: Kind }>, 'kind'>]: fc.Arbitrary<unknown> },
): fc.Arbitrary<EventBody> {
  return fc
    .record(fields as Record<string, fc.Arbitrary<unknown>>)
    .map((made) => ({ kind, ...made }) as unknown as EventBody)
}

/** Changes of a memory, as parsed from JSON. */
function changes(): fc.Arbitrary<MemoryChange> {
  const change = fc.record({
    memory: memoryIds(),
    content: optional(text),
    tags: optional(fc.array(text, { maxLength: 2 })),
    metadata: optional(fc.dictionary(fc.constantFrom('source', 'reviewed'), text)),
    retention: optional(fc.constantFrom(...RETENTIONS)),
    expires: optional(fc.constantFrom(null, '2026-03-01T00:00:00.000Z')),
  })
  return change.map((one) => plain(one) as MemoryChange)
}

function memoryIds(): fc.Arbitrary<MemoryId> {
  return fc.nat(50).map(testMemoryId)
}

/** A value as parsed from JSON. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
