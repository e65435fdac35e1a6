// Every released snapshot version serves hooks unchanged, and is saved in the current format.
import fs from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { loadProjection, readLearnerState } from '../../src/broker/projection/projectionFiles.ts'
import { summarizePolicy } from '../../src/broker/queries/policySummary.ts'
import { recallMemories } from '../../src/broker/search/recallMemories.ts'
import type { Memory } from '../../src/model/memory.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { readManifest } from '../../src/store/snapshot/snapshotReader.ts'
import { copyFixtureStore, listFixtures, FIXTURES_WRITTEN_AT as NOW } from '../fixtureStores.ts'
import { exampleSession, loadMemories, runHookPayloads } from '../testData.ts'
import { decodeIndex, decodeRow, ROW_BYTES } from './binary.ts'
import { expectPinned } from './pin.ts'

const SHIPPED = listFixtures('view')

/**
 * Memories without learned values and knowledge: a later version derives less of it from the same log, in a rebuild.
 * Without counts of calls and the events of a task: this version leaves what a subagent did to its role.
 */
const withoutLearned = (memories: Readonly<Record<string, Memory>>) =>
  Object.values(memories).flatMap(
    ({
      help,
      importanceTerms,
      strength,
      importance,
      accessCount,
      candidateCount,
      impactScore,
      consolidationLevel,
      lastUsed,
      knowledge,
      tags,
      counts,
      events,
      ...memory
    }) => (knowledge && memory.source === 'task' ? [] : [withoutSummaryText(memory)]),
  )

/** A rebuild derives these as this version does, so their importance and archiving differ from the snapshot's. */
const withoutSummaryText = <T extends Pick<Memory, 'kind' | 'content' | 'agentId'>>(memory: T) =>
  ['summary', 'experience', 'consolidated'].includes(memory.kind)
    ? {
        ...(memory.agentId === undefined ? memory : withoutReportFields(memory)),
        content: '',
        searchText: '',
        searchOnly: undefined,
        questionOnly: undefined,
        leftOpen: [],
        status: '',
        updated: '',
      }
    : memory

/** Early versions stored neither outcome nor branch of an agent's report. */
const withoutReportFields = <T extends object>(memory: T) => ({ ...memory, outcome: '', branch: '', editedFiles: [] })

test('format: every released version has a snapshot fixture', () => {
  expect(SHIPPED).toEqual(['view-v1', 'view-v2', 'view-v3'])
})

describe.each(SHIPPED)('format %s', (name) => {
  let store: Store
  beforeEach(() => {
    store = copyFixtureStore(name)
  })

  test('format: an old snapshot answers, is valid and has its policy and history before any write', () => {
    const { shown } = recallMemories(store, {
      ...{ text: 'the tests fail', command: 'npm test', error: 'Error: prices are not built', now: NOW },
    })
    expect(shown[0]!.memory.content).toContain('npm run build:prices')
    const { policy, version } = readActivePolicy(store)
    expect({ version, topK: policy.recall.moments.failure.topK }).toEqual({ version: 7, topK: 2 })
    expect(summarizePolicy(store).history).toMatchObject([{ version: 7, by: 'person' }])
    expect(checkStore(store, NOW).filter((check) => check.state === 'fail')).toEqual([])
  })

  test('format: after an old snapshot is organized, all earlier memories remain', () => {
    const before = loadMemories(store)
    const more = exampleSession('today', NOW).starts().asks('Remember: the VAT of books is 7 percent.').ends()
    runHookPayloads(store, more.recorded)
    expect(runMaintenance(store, { now: NOW + 1 }).organized).toEqual(['today'])
    const after = loadMemories(store)
    expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(before)))
    expect(JSON.stringify(after)).toContain('VAT of books')
    rebuildStore(store, NOW + 1)
    // What this version derives in addition, such as project facts, is not in the snapshot.
    const rebuilt = Object.fromEntries(Object.entries(loadMemories(store)).filter(([id]) => id in after))
    expect(withoutLearned(rebuilt)).toEqual(withoutLearned(after))
    expect(readLog(store.files, store.layout.events).events.some((event) => event.session === 'today')).toBe(true)
  })

  test('format: saving drops state that only earlier versions stored', () => {
    const file = store.layout.work(readManifest(store.files, store.layout).generation)
    const work = JSON.parse(fs.readFileSync(file, 'utf8')) as object
    fs.writeFileSync(file, JSON.stringify({ ...work, book: { rates: {}, seen: [], signatures: {}, failures: [] } }))
    const { projection } = loadProjection(store)
    expect(projection).not.toHaveProperty('book')
    runHookPayloads(
      store,
      exampleSession('today', NOW).starts().asks('Remember: the VAT of books is 7 percent.').ends().recorded,
    )
    runMaintenance(store, { now: NOW + 1 })
    expect(readLearnerState(store, readManifest(store.files, store.layout))).not.toHaveProperty('book')
    // Numbers that are not learned any more are dropped by the first step.
    expect(summarizePolicy(store).history).toEqual([
      ...projection.history,
      expect.objectContaining({ values: {}, reason: expect.stringContaining('an earlier version learned') }),
    ])
  })
})

test('format view-v1: after a save, the policy history is reported but not read by hooks', () => {
  const store = copyFixtureStore('view-v1')
  const policyJson = () => JSON.parse(fs.readFileSync(store.layout.policy, 'utf8')) as Record<string, unknown>
  const before = summarizePolicy(store).history
  expect(policyJson()).toHaveProperty('history')
  rebuildStore(store, NOW + 1)
  expect(policyJson()).not.toHaveProperty('history')
  expect(summarizePolicy(store).history).toMatchObject(
    before.map(({ version, by, reason }) => ({ version, by, reason })),
  )
})

describe('format view-v2', () => {
  /** The output for a session with a known failure, and the memories with their scores. */
  function recallsOf(store: Store): Record<string, unknown> {
    const sessions = [
      exampleSession('starts', NOW).starts(),
      exampleSession('asks', NOW).asks('Add the VAT to the prices. Which unit do we compute money in?'),
      exampleSession('fails', NOW).fails('npm test', 'Error: prices are not built'),
      exampleSession('delegates', NOW).sends('reviewer', 'agent-9', (agent) =>
        agent.fails('npm test', 'Error: prices are not built'),
      ),
    ]
    const injected = runHookPayloads(
      store,
      sessions.flatMap(({ recorded }) => recorded),
    )
      .filter(({ context }) => context)
      .map(({ event, context }, i) => [`${i + 1}. ${event}`, context])
    const questions = [
      { text: 'the tests fail', command: 'npm test', error: 'Error: prices are not built' },
      { text: 'integer cents', moment: 'prompt' as const },
      { text: 'コミットメッセージは何語で書く' },
    ]
    const answers = questions.map((question) => {
      const { shown, text } = recallMemories(store, { ...question, now: NOW })
      return [question.text, { shown: shown.map(({ memory, score }) => `${memory.id} ${score.toFixed(4)}`), text }]
    })
    return { injected: Object.fromEntries(injected), answers: Object.fromEntries(answers) }
  }

  test('format: hooks inject what is pinned for this snapshot, and searches give the same order', () => {
    const upgraded = copyFixtureStore('view-v2')
    runMaintenance(upgraded, { now: NOW })
    expectPinned('view-v2', { ...recallsOf(copyFixtureStore('view-v2')), upgraded: recallsOf(upgraded) })
  })

  test('format: rebuilt from its log by this version, the snapshot still answers a known failure', () => {
    const store = copyFixtureStore('view-v2')
    rebuildStore(store, NOW)
    expect(JSON.stringify(recallsOf(store))).toContain('npm run build:prices')
  })

  test('format: rows and index of the snapshot have the current layout', () => {
    const store = copyFixtureStore('view-v2')
    const segments = fs.readdirSync(store.layout.segments)
    for (const file of segments.filter((name) => name.endsWith('.row'))) {
      const rows = fs.readFileSync(`${store.layout.segments}/${file}`)
      const known = loadMemories(store)
      for (let row = 0; row < rows.length / ROW_BYTES; row++) {
        const { id, kind, importance } = decodeRow(rows, row)
        expect(known[String(id)]).toMatchObject({ kind, importance })
      }
    }
    for (const file of segments.filter((name) => name.endsWith('.idx'))) {
      const bytes = fs.readFileSync(`${store.layout.segments}/${file}`)
      expect(decodeIndex(bytes)).toMatchObject({ version: 1, size: bytes.length, headerChecksum: 'right' })
    }
  })
})

test('format: memctl’s metadata becomes typed fields, and the user’s metadata stays', () => {
  const store = copyFixtureStore('metadata-v2')
  runMaintenance(store, { now: NOW })
  const memories = Object.values(loadMemories(store))
  const find = (words: string) => memories.find((memory) => memory.content.includes(words))
  // An edit says too little to be repeated; commands become a line, shown at the failure.
  expect(find('EADDRINUSE')).toMatchObject({ metadata: {}, sessionCount: 2 })
  expect(find('EADDRINUSE')?.knowledge).toBeUndefined()
  expect(find('Formatter')?.knowledge).toMatchObject({
    type: 'lesson',
    author: 'rule',
    line: expect.stringMatching(/^Use `npm run lint -- --write` instead of /),
    when: [{ at: 'failure', signature: expect.any(String) }],
  })
  expect(find('receipts by mail')).toMatchObject({
    metadata: { source: 'meeting', fixed: true, kept: true, sessions: 40, edited: ['a'], entry: 'x' },
    sessionCount: 1,
  })
  expect(find('The API answers')).toMatchObject({ metadata: {}, entrySource: { key: 'api', layer: 'project' } })
  expect(find('We sell books')).toMatchObject({ metadata: {}, privacySince: expect.any(String) })
  expect(find('2026-03: 3 tasks')).toMatchObject({ metadata: {}, monthlyRollup: { month: '2026-03', folded: 3 } })
})
