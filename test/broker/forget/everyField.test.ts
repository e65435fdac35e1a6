// Every place where a text can be: a marker in each field of each payload, event and memory, and in each file.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { Event, EventBody, EventKind } from '../../../src/model/event.ts'
import type { EventId, SessionId } from '../../../src/model/id.ts'
import { type Knowledge, newKnowledgeRecord, type Trigger } from '../../../src/model/knowledge.ts'
import { type Memory, newMemory } from '../../../src/model/memory.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import type { SharedFields } from '../../../src/team/teamRow.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, exampleSession, iso, loadRecordings, runHookPayloads, testMemoryId } from '../../testData.ts'
import { searchFolder } from './searchHome.ts'

const MARKER = 'the plum tree at Kamakura hides "seven" lanterns 緑の提灯を七つ behind the old north gate'
const NOW = BEGIN + 60 * DAY

interface Person {
  readonly home: string
  readonly store: Store
}

/** A person with a home for memctl and a project. */
function newPerson(): Person {
  const folder = newFolder()
  const root = path.join(folder, 'shop')
  fs.mkdirSync(root)
  const home = path.join(folder, '.memctl')
  return { home, store: openStore(root, { HOME: folder, MEMCTL_HOME: home }) }
}

type Planted = { readonly path: string; readonly value: unknown }

/** The value once for each of its strings and names of fields, with the marker in that one place. */
function plantEverywhere(value: unknown, isPlanted: (path: string) => boolean, place = ''): Planted[] {
  if (typeof value === 'string') return isPlanted(place) ? [{ path: place, value: `${value} ${MARKER}`.trim() }] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    const [first, ...rest] = value
    return plantEverywhere(first, isPlanted, `${place}[]`).map((one) => ({ ...one, value: [one.value, ...rest] }))
  }
  return Object.entries(value).flatMap(([name, field]) =>
    plantEverywhere(field, isPlanted, `${place}.${name}`).map((one) => ({
      ...one,
      value: { ...value, [name]: one.value },
    })),
  )
}

const forgetText = (store: Store) => eraseEverywhere(store, { text: MARKER }, { now: NOW })

test('forget: a text in any field of any payload that a client sends is in no file afterwards', () => {
  const { home, store } = newPerson()
  const seen = new Set<string>()
  let count = 0
  for (const { session } of loadRecordings()) {
    for (const { at, payload } of session) {
      const kind = `${payload.hook_event_name} ${String(payload['tool_name'] ?? '')}`
      const isPlanted = (place: string) => place !== '.hook_event_name' && place !== '.cwd' && !seen.has(kind + place)
      const planted = plantEverywhere(payload, isPlanted)
      const recorded = planted.map(({ path: place, value }, i) => {
        seen.add(kind + place)
        const other = { ...payload, ...(value as typeof payload) }
        return { at: at + i, payload: place === '.session_id' ? other : { ...other, session_id: `s${at % 7}` } }
      })
      count += recorded.length
      runHookPayloads(store, [{ at, payload }, ...recorded])
    }
    runMaintenance(store, { now: session.at(-1)!.at + DAY, sessions: 'all' })
  }
  refreshRecent(store, NOW)
  expect(count).toBeGreaterThan(80)
  expect(searchFolder(home, MARKER).length).toBeGreaterThan(5)
  const { left } = forgetText(store)
  expect(searchFolder(home, MARKER)).toEqual([])
  expect(left).toEqual([])
}, 240_000)

const id = testMemoryId(1)
const other = testMemoryId(2)
const eventId = 'e0e0e0e0e0e0e0e0' as EventId
const step = { kind: 'command', what: 'make', detail: 'x' } as const
const fix = { kind: 'steps', steps: [step], isGuess: true } as const
const trigger = { tools: ['Bash'], paths: ['a/b'], command: 'make', parts: ['-x'], errors: ['bad'], code: ['x()'] }
const TRIGGER: Required<Trigger> = { at: 'call', tool: 'Bash', has: ['make'], unless: ['-n'], signature: 'bash|bad' }

/** A memory with every field: a new field does not compile until it is here. */
const MEMORY: { readonly [Name in keyof Required<Memory>]: NonNullable<Memory[Name]> } = {
  ...newMemory({ id, kind: 'lesson', content: 'content', created: iso(BEGIN) }),
  ...{ lessons: ['lesson'], tags: ['tag'], metadata: { key: 'value', deep: { list: ['x'] } }, files: ['src/a.ts'] },
  ...{ session: 's1' as SessionId, taskId: 't1', agentId: 'a1', role: 'main', commandShape: 'make', branch: 'main' },
  provenance: 'tool',
  ...{ errorSignature: 'bash|bad', scopeDomain: 'web', privacySince: iso(BEGIN), lastUsed: iso(BEGIN) },
  ...{
    lastDecayed: iso(BEGIN),
    expires: iso(BEGIN + 90 * DAY),
    archiveExempt: true as const,
    searchOnly: true as const,
    questionOnly: true as const,
  },
  pinned: { reason: 'reason', at: iso(BEGIN) },
  importanceTerms: { outcome: 0, reuse: 0, crossImpact: 0, novelty: 0, userSignal: 0, costSaved: 0 },
  strengthByPerspective: { cost: 1 },
  learnings: { cost: 'learning' },
  embedding: { model: 'm', vector: Buffer.from(new Float32Array(4).buffer).toString('base64') },
  events: [eventId],
  knowledge: {
    ...{ type: 'rule', scope: 'person', author: 'person', state: 'standing', line: 'line', quote: 'quote' },
    ...{ asked: true, reason: 'why', expected: 0.5 },
    when: [TRIGGER],
    record: newKnowledgeRecord(iso(BEGIN), 's1'),
    ways: [{ way: 'way', line: 'line', when: [TRIGGER], sessions: 1, sessionsMin: 1, last: iso(BEGIN) }],
  } satisfies Required<Knowledge>,
  ...{ supersededBy: other, editedFiles: ['src/a.ts'], searchText: 'found by', leftOpen: ['open'] },
  counts: { prompts: 1, calls: 1 },
  monthlyRollup: { month: '2026-03', folded: 1 },
  consolidatedFrom: [other],
  entrySource: { file: '.memctl/memory/k.md', layer: 'project', key: 'k' } as unknown as NonNullable<
    Memory['entrySource']
  >,
  importSource: { origin: 'import:markdown', location: '~/notes', item: 'n.md' },
  ...{ originProject: 'p1', scopeProject: 'p1', recorded: { input: { text: 'recorded' } } },
  team: { by: 'name', people: 2, replicas: 2, own: true },
}

/** What earlier versions stored in place of knowledge. */
const LEGACY = {
  lesson: {
    ...{ command: 'make', target: 'make', error: 'bad', fix, sessions: ['s1'], lastMet: iso(BEGIN), subject: 'x' },
    candidates: [{ fix, sessions: 1, lastSession: 's1', last: iso(BEGIN), lastAgentId: 'a1' }],
    ...{ failedAttempts: [step], failures: 1, calls: ['c1'], costMs: 1, falseAlarms: 0 },
  },
  fact: {
    ...{ topic: 'command', claim: 'claim', remedies: [{ text: 'use x', sessions: 1, last: iso(BEGIN) }] },
    ...{ state: 'standing', sessions: ['s1'], lastAgentId: 'a1', failures: 1, lastMet: iso(BEGIN), refutations: 0 },
    triggers: [trigger],
    routine: { purpose: 'test', medianMs: 1, passed: 1, runs: 1, timesMs: [1], forms: [{ text: 'make', sessions: 1 }] },
    counts: { name: 1 },
  },
  statement: {
    ...{ type: 'rule', scope: 'person', strength: 3, origin: 'prompt', short: 'short', subject: ['x'], reason: 'why' },
    supersededBy: other,
  },
}
const LEGACY_MEMORY = { ...MEMORY, knowledge: undefined, ...LEGACY } as unknown as Memory

const CALL = {
  tool: 'Bash',
  call: 'c1',
  input: { command: 'make', deep: { list: ['x'] } },
  files: ['a'],
  commandShape: 'make',
}
const SHOWN = { memory: id, score: 1, features: { words: 1 } }
const CHANGE = {
  ...{ memory: id, content: 'content', tags: ['tag'], metadata: { key: 'value' }, retention: 'long_term' as const },
  ...{
    session: 's1' as SessionId,
    expires: iso(BEGIN),
    knowledge: MEMORY.knowledge,
    supersededBy: other,
    pinned: null,
    leftOpen: ['open'],
  },
}

/** A memory as a team shares it: a new field does not compile until it is here. */
const FIELDS: { readonly [Name in keyof Required<SharedFields>]: NonNullable<SharedFields[Name]> } = {
  ...{ kind: 'lesson', content: 'content', lessons: ['lesson'], tags: ['tag'], files: ['src/a.ts'], branch: 'main' },
  ...{ commandShape: 'make', errorSignature: 'bash|bad', outcome: 'success', scope: 'project', scopeDomain: 'web' },
  ...{ role: 'main', trust: 'tools', provenance: 'tool', contentType: 'text', source: 'task', created: iso(BEGIN) },
  ...{ updated: iso(BEGIN), expires: iso(BEGIN + DAY), learnings: { cost: 'learning' }, searchOnly: true as const },
  ...{ privacy: 'public', retention: 'long_term', importance: 0.5 },
  ...{ knowledge: { ...MEMORY.knowledge, state: 'standing' as const } },
}
const ROW = {
  ...{ memory: other, kind: 'row', revision: 1, state: 'active', fields: FIELDS, successor: null, by: 'Aki' },
  ...{ people: 1, copies: 1, counts: {}, sent: {}, own: true },
} as const
/** As earlier versions wrote it. */
const PUT = {
  ...{ id: eventId, replica: 'r1', n: 1, at: '1764800000000-00003-r1', memory: other, kind: 'put', by: 'Aki' },
  ...{ fields: FIELDS, after: '1764800000000-00002-r2' },
} as const

/** Every kind of event with every field: a new kind does not compile until it is here. */
const BODIES: { readonly [Kind in EventKind]: Omit<Extract<EventBody, { kind: Kind }>, 'kind'> } = {
  'session.started': { source: 'startup', cwd: '/home/dev', branch: 'main', client: { pid: 1, started: '5' } },
  prompt: { text: 'text', signals: [{ kind: 'remember', text: 'text' }], branch: 'main' },
  'call.started': CALL,
  'call.succeeded': { ...CALL, output: 'output', durationMs: 1, repeatOf: eventId },
  'call.failed': {
    ...CALL,
    error: 'bad',
    errorSignature: 'bash|bad',
    interrupted: true,
    durationMs: 1,
    repeatOf: eventId,
  },
  answer: { text: 'text' },
  'agent.started': {},
  'agent.stopped': { text: 'text' },
  compaction: { phase: 'after', trigger: 'auto', summary: 'summary' },
  'session.ended': { reason: 'other' },
  recalled: {
    ...{ moment: 'prompt', cue: 'cue', call: 'c1', shown: [SHOWN], tokens: 1, withheld: false, held: true, share: 0 },
    ...{ others: [other], next: SHOWN, policy: 0 },
  } as Omit<Extract<EventBody, { kind: 'recalled' }>, 'kind'>,
  'session.improved': {},
  'session.organized': { releases: 'told' },
  'session.distilled': {
    ...{ by: 'import', model: 'm', through: eventId, headline: 'headline', leftOpen: ['open'] },
    ...{ tokens: { input: 1, output: 1 }, dropped: 0 },
  },
  'recall.judged': { recall: eventId, helped: [id], shares: [1] },
  'policy.changed': {
    ...{ version: 1, values: {}, reason: 'reason', evidence: { note: 'evidence' }, by: 'person' },
    exclusions: [],
  },
  'policy.chosen': { name: 'default', values: {} },
  'policy.frozen': { frozen: true },
  'memory.stored': { memory: MEMORY },
  'memory.restored': { memories: [id] },
  'memory.released': { memory: id, from: 'private', to: 'agent-only', opened: iso(BEGIN) },
  'memory.impact': { memory: id, impact: 'task_success', perspective: 'cost' },
  'memory.slept': {},
  'memory.updated': { change: CHANGE },
  'memory.batch': {
    ...{ stored: [LEGACY_MEMORY], changes: [CHANGE] },
    import: { id: '0a1b2c3d', origin: 'import:markdown', location: '~/notes', known: true },
  },
  'memory.deleted': { memories: [other] },
  'memory.accessed': { memories: [id] },
  'memory.scored': { memory: id, score: 1, previous: 0, reason: 'reason' },
  'memory.strengthened': { changes: [{ memory: id, perspectives: { cost: 1 } }] },
  'agent.slept': { agent: 'a1', decayed: 0, archived: 0, consolidated: 0, errors: ['bad'] },
  'memory.consolidated': { memory: MEMORY, from: [other], preserved: true },
  'team.joined': { hub: 'hub', project: 'shop', replica: 'r1', name: 'Aki', place: 'p1' },
  'team.left': {},
  'team.published': { operations: [PUT] },
  'team.received': { operations: [ROW], revision: 1, epoch: 'e' },
  other: { name: 'Later' },
}

/** What memctl alone writes, from a fixed list: no text gets there. */
const CHOSEN = new RegExp(
  `\\.(?:${[
    'kind|privacy|outcome|contentType|source|scope|trust|retention|tier|status|type|strength|origin|topic|state',
    'created|updated|expires|lastUsed|lastDecayed|privacySince|lastMet|last|opened|month|moment|impact|phase|from|to',
    'at|by|releases|vector|layer|author',
  ].join('|')})$`,
)

test('forget: a text in any field of any kind of event and memory is in no file afterwards', () => {
  const { home, store } = newPerson()
  runHookPayloads(store, exampleSession('first').starts().asks('Add a test.').runs('npm test', 'ok').ends().recorded)
  const envelope = { agentId: 'a1', role: 'main', taskId: 't1', lessons: ['lesson'], extra: { note: 'extra' } }
  let count = 0
  for (const [kind, body] of Object.entries(BODIES)) {
    const planted = plantEverywhere({ session: 's1', ...envelope, ...body }, (place) => !CHOSEN.test(place))
    const events = planted.map(({ value }) => {
      const number = (++count).toString(16).padStart(16, '0')
      const renamed = JSON.parse(JSON.stringify(value).replaceAll(`"${id}"`, `"${testMemoryId(count + 10)}"`))
      const fixed = { id: number, at: iso(BEGIN + count * 1000), kind, outcome: 'unknown', privacy: 'public' }
      return { ...fixed, ...renamed } as Event
    })
    appendEvents(store.files, store.layout.events, events)
  }
  runMaintenance(store, { now: BEGIN + DAY, sessions: 'all' })
  expect(count).toBeGreaterThan(200)
  expect(searchFolder(home, MARKER).length).toBeGreaterThan(3)
  const { left } = forgetText(store)
  expect(searchFolder(home, MARKER)).toEqual([])
  expect(left).toEqual([])
}, 240_000)
