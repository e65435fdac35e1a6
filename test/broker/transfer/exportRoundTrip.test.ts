// An export imports to the same memory: the same list, and the same answers to the same questions.
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { listMemories } from '../../../src/broker/queries/browse.ts'
import { recallMemories, searchByWords } from '../../../src/broker/search/recallMemories.ts'
import {
  exportMemories,
  formatExport,
  parseExport,
  parseMemory,
  planExportImport,
} from '../../../src/broker/transfer/exportFile.ts'
import { commitImport } from '../../../src/broker/transfer/planImport.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { arbitraryHistory, arbitraryMemories } from '../../arbitraries.ts'
import { copied } from '../../crash/shop.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, iso, loadRecordings, ROOT, runHookPayloads, testMemoryId } from '../../testData.ts'

const NOW = BEGIN + 500 * DAY
const QUESTIONS = [
  'npm test fails',
  'Which rounding is used for prices?',
  'テストが失敗する',
  'What did we decide about cents?',
  'コミットメッセージ',
  'Cannot find module dist/prices.json',
]

const newStore = (): Store => openStoreAt(newFolder(), ROOT)

function importInto(store: Store, text: string): ReturnType<typeof planExportImport> {
  const plan = planExportImport(store, parseExport(text, 'x', false))
  commitImport(store, plan, NOW)
  runMaintenance(store, { now: NOW, sessions: [] })
  return plan
}

const exportText = (store: Store): string => formatExport(exportMemories(store, { withPrivate: true, now: NOW }))

/** As `list --json` has it. What is not public is released some days after it came here, so that time differs. */
const listOf = (store: Store): unknown[] =>
  JSON.parse(JSON.stringify(listMemories(store, { withPrivate: true }))).map(
    ({ privacySince: _, ...memory }: Memory) => memory,
  )

const answersOf = (store: Store): unknown[] =>
  QUESTIONS.map((text) => [
    searchByWords(store, { text, limit: 20, withPrivate: true, now: NOW }).map(({ memory, score }) => [
      memory.id,
      score,
    ]),
    recallMemories(store, { text, files: [], now: NOW }).shown.map(({ memory, score }) => [memory.id, score]),
  ])

function expectSame(from: Store, to: Store): void {
  expect(listOf(to)).toEqual(listOf(from))
  expect(answersOf(to)).toEqual(answersOf(from))
}

test('export: what sessions have learned is the same memory after an import, also after a rebuild', () => {
  fc.assert(
    fc.property(arbitraryHistory, (history) => {
      const from = newStore()
      for (const session of history) {
        runHookPayloads(from, session)
        runMaintenance(from, { now: (session.at(-1)?.at ?? BEGIN) + DAY, sessions: 'all' })
      }
      runMaintenance(from, { now: NOW, sessions: [] })
      const to = newStore()
      importInto(to, exportText(from))
      expectSame(from, to)
      rebuildStore(to, NOW)
      expectSame(from, to)
    }),
    { numRuns: 8 },
  )
}, 120_000)

test('export: memories with any text, state and privacy are the same after an import', () => {
  fc.assert(
    fc.property(arbitraryMemories(30), (memories) => {
      const from = newStore()
      const events = memories.map((memory) =>
        systemEvent({ kind: 'memory.stored', memory } as const, { now: NOW - DAY, key: [memory.id] }),
      )
      appendEvents(from.files, from.layout.events, events)
      runMaintenance(from, { now: NOW, sessions: [] })
      const to = newStore()
      importInto(to, exportText(from))
      expectSame(from, to)
    }),
    { numRuns: 25 },
  )
}, 120_000)

let recorded: Store
beforeAll(() => {
  recorded = newStore()
  for (const { session } of loadRecordings()) {
    runHookPayloads(recorded, session)
    runMaintenance(recorded, { now: (session.at(-1)?.at ?? BEGIN) + 1000, sessions: 'all' })
  }
  runMaintenance(recorded, { now: NOW, sessions: [] })
})

/** The recorded shop, in a folder of its own. */
const recordedStore = (): Store => copied(recorded, path.join(newFolder(), 'store'))

test('export: the recorded shop is the same memory after an import; a second import adds nothing', () => {
  const from = recordedStore()
  const to = newStore()
  const text = exportText(from)
  expect(importInto(to, text).added.length).toBeGreaterThan(20)
  expectSame(from, to)
  expect(importInto(to, text)).toMatchObject({ added: [], changed: [] })
  expectSame(from, to)
}, 60_000)

test('export: a later version of a memory replaces the known one, an earlier one does not', () => {
  const from = recordedStore()
  const exported = exportMemories(from, { withPrivate: false, now: NOW })
  const [first, second] = exported.list
  if (!first || !second) throw new Error('no memories')
  const edited = {
    ...exported,
    list: [
      { ...first, content: 'a later text', updated: '2040-01-01T00:00:00.000Z' },
      { ...second, content: 'an earlier text', updated: '2000-01-01T00:00:00.000Z' },
    ],
    memories: 2,
  }
  expect(importInto(from, formatExport(edited))).toMatchObject({ added: [], changed: [{ id: first.id }], unchanged: 1 })
  const known = new Map(listMemories(from).map((memory) => [memory.id, memory]))
  expect(known.get(first.id)?.content).toBe('a later text')
  expect(known.get(second.id)?.content).toBe(second.content)
}, 60_000)

test('export: a damaged, a foreign and a later file are one clear error, and import nothing', () => {
  const text = exportText(recordedStore())
  const lines = text.split('\n')
  const parse = (changed: string, isEdited = false) => parseExport(changed, 'x.jsonl', isEdited)
  expect(() => parse(text.replace('"content":"', '"content":"X'))).toThrow(/its checksum does not match/)
  expect(() => parse(lines.slice(0, 5).join('\n'))).toThrow(/checksum/)
  expect(() => parse('{"some":"json"}\n')).toThrow(/is not an export of memctl/)
  expect(() => parse('')).toThrow(/is not a JSON object/)
  expect(() => parse(text.replace('"version":1', '"version":2'))).toThrow(/a later version of memctl \(format 2\)/)
  const last = lines.length - 2
  const broken = (change: (line: string) => string) => lines.with(last, change(lines[last] ?? '')).join('\n')
  expect(() =>
    parse(
      broken((line) => line.slice(0, -5)),
      true,
    ),
  ).toThrow(`line ${last + 1} is not a JSON object`)
  expect(() =>
    parse(
      broken((line) => line.replace(/"kind":"\w+"/, '"kind":"order"')),
      true,
    ),
  ).toThrow(`line ${last + 1}: the memory has no valid kind`)
  expect(() =>
    parse(
      broken((line) => line.replace(/"tags":\[[^\]]*\]/, '"tags":[7]')),
      true,
    ),
  ).toThrow(/no valid tags/)
  expect(
    parse(
      broken((line) => line.replace('"content":"', '"content":"X')),
      true,
    ).list.length,
  ).toBeGreaterThan(1)
}, 60_000)

test('export: a file of format 1 imports', () => {
  const file = path.resolve(import.meta.dirname, '../../fixtures/import/export-v1.jsonl')
  const to = newStore()
  expect(importInto(to, fs.readFileSync(file, 'utf8')).added.length).toBe(9)
  expect(
    listMemories(to)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual([...Array(6).fill('entry'), ...Array(3).fill('preference')])
})

test('export: whichever field of an imported memory has a secret, it is removed; a text without one keeps its vector', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const named = { db: { password: 'hunter2xyzzy78' } }
  const texts = { agentId: token, role: token, taskId: token, branch: token, scopeDomain: token, searchText: token }
  const lists = { lessons: [token], tags: [token], files: [token], learnings: { [token]: token } }
  const others = { metadata: named, recorded: named, pinned: { reason: token, at: iso(BEGIN) } }
  const strengthByPerspective = { [token]: 1, password: 1_234 }
  const embedding = { model: 'm', vector: Buffer.from(Float32Array.of(1, 2).buffer).toString('base64') }
  const plain = { id: testMemoryId(1), kind: 'entry', content: 'the db is up', created: iso(BEGIN), embedding }
  const memory = parseMemory({ ...plain, ...texts, ...lists, ...others, strengthByPerspective }, 'line 2')
  expect(JSON.stringify(memory)).not.toMatch(/ghp_|hunter2/)
  expect(memory).toMatchObject({ content: plain.content, embedding })
  expect(parseMemory({ ...plain, content: `use ${token}` }, 'line 2')).not.toHaveProperty('embedding')
})

test('export: a memory of an earlier version is read with knowledge in place of its statement', () => {
  const statement = {
    type: 'rule',
    scope: 'file',
    strength: 3,
    origin: 'command',
    short: 'Use pnpm',
    subject: ['pnpm'],
  }
  const stored = {
    id: testMemoryId(1),
    kind: 'preference',
    content: 'Use pnpm, please.',
    created: iso(BEGIN),
    statement,
  }
  const memory = parseMemory(stored, 'line 2')
  expect(memory).not.toHaveProperty('statement')
  expect(memory.knowledge).toMatchObject({ line: 'Use pnpm', quote: 'Use pnpm, please.', scope: 'path', asked: true })
  expect(parseMemory(JSON.parse(JSON.stringify(memory)), 'line 2')).toEqual(memory)
  for (const knowledge of [{ ...memory.knowledge, when: [{ at: 'never' }] }, { ...memory.knowledge, record: {} }, null])
    expect(() => parseMemory({ ...memory, knowledge }, 'line 2')).toThrow(/no valid knowledge/)
})
