// The next candidate, which only a limit left out, is logged, but not reinforced.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, loadMemories, runHookPayloads } from '../../testData.ts'

const ERRORS = [
  "Error: Cannot find module '../dist/prices.json'",
  'TypeError: amount.toLocalString is not a function',
  'AssertionError [ERR_ASSERTION]: 619 == 620',
  "src/tax.ts(3,7): error TS2304: Cannot find name 'rate'.",
]

/** A policy with at most one note at a prompt. */
const TOP_ONE = systemEvent(
  { kind: 'policy.chosen', name: 'one', values: { 'recall.moments.prompt.topK': 1 } },
  { now: BEGIN },
)

test('broker: a recall logs the first candidate above its limit, and does not reinforce it', () => {
  const store = createTestStore()
  appendEvents(store.files, store.layout.events, [TOP_ONE])
  ERRORS.forEach((error, i) => {
    const session = exampleSession(`session-${i}`, BEGIN + i * DAY)
    session.asks(`Get the receipt ${i} to work, the shop needs it.`).fails('npm test', `Exit code 1\n${error}`)
    session.edits(`src/receipt${i}.js`, `const part = ${i}`)
    runHookPayloads(store, session.runs('npm test').answers('Done.').ends().recorded)
    runMaintenance(store, { now: session.now() })
  })
  const last = exampleSession('last', BEGIN + 9 * DAY)
  last.asks('Look at src/receipt1.js and src/receipt2.js: npm test is red for the receipts.')
  last.edits('src/receipt1.js', 'const part = 9').edits('src/receipt2.js', 'const part = 9')
  runHookPayloads(store, last.runs('npm test').answers('Done.').ends().recorded)
  runMaintenance(store, { now: last.now() })

  const recalled = readLog(realDisk, store.layout.events).events.flatMap((event) =>
    event.kind === 'recalled' && event.next && !event.withheld ? [event] : [],
  )
  expect(recalled.length).toBeGreaterThan(0)
  const { judged } = loadProjection(store).projection
  const shownTimes = new Map<string, number>()
  for (const { memories, withheld } of judged) {
    for (const { memory } of withheld ? [] : memories) shownTimes.set(memory, (shownTimes.get(memory) ?? 0) + 1)
  }
  for (const { next, shown } of recalled) {
    expect(shown.map(({ memory }) => memory)).not.toContain(next!.memory)
    expect(loadMemories(store)[next!.memory]!.help.shown).toBe(shownTimes.get(next!.memory) ?? 0)
  }
})
