// Next: what only the limits left out is judged as if it had been shown, and gains nothing by it: nobody was told of it.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/systemEvent.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, DAY, freshStore, hooksOf, memoriesIn, tale } from '../../build.ts'

const ERRORS = [
  "Error: Cannot find module '../dist/prices.json'",
  'TypeError: amount.toLocalString is not a function',
  'AssertionError [ERR_ASSERTION]: 619 == 620',
  "src/tax.ts(3,7): error TS2304: Cannot find name 'rate'.",
]

/** A person who wants one note at a prompt and no more. */
const ONE = systemEvent(
  { kind: 'policy.chosen', name: 'one', values: { 'recall.moments.prompt.topK': 1 } },
  { now: BEGIN },
)

test('broker: a recall with more to say than it may logs the next, which is judged and not reinforced', () => {
  const store = freshStore()
  appendEvents(store.files, store.layout.events, [ONE])
  ERRORS.forEach((error, i) => {
    const learnt = tale(`session-${i}`, BEGIN + i * DAY)
    learnt.asks(`Get the receipt ${i} to work, the shop needs it.`).fails('npm test', `Exit code 1\n${error}`)
    learnt.edits(`src/receipt${i}.js`, `const part = ${i}`)
    hooksOf(store, learnt.runs('npm test').answers('Done.').ends().recorded)
    runMaintenance(store, { now: learnt.now() })
  })
  const last = tale('last', BEGIN + 9 * DAY)
  last.asks('Look at src/receipt1.js and src/receipt2.js: npm test is red for the receipts.')
  last.edits('src/receipt1.js', 'const part = 9').edits('src/receipt2.js', 'const part = 9')
  hooksOf(store, last.runs('npm test').answers('Done.').ends().recorded)
  runMaintenance(store, { now: last.now() })

  const recalled = readLog(realDisk, store.layout.events).events.flatMap((one) =>
    one.kind === 'recalled' && one.next && !one.withheld ? [one] : [],
  )
  expect(recalled.length).toBeGreaterThan(0)
  const { judged } = loadProjection(store).projection
  const shownTimes = new Map<string, number>()
  for (const { memories, withheld } of judged) {
    for (const { memory } of withheld ? [] : memories) shownTimes.set(memory, (shownTimes.get(memory) ?? 0) + 1)
  }
  for (const { id, next, shown } of recalled) {
    expect(shown.map((one) => one.memory)).not.toContain(next!.memory)
    const verdict = judged.find((one) => one.recall === id)
    expect(verdict?.next).toMatchObject({ memory: next!.memory, contribution: expect.any(Number) })
    expect(memoriesIn(store)[next!.memory]!.help.shown).toBe(shownTimes.get(next!.memory) ?? 0)
  }
})
