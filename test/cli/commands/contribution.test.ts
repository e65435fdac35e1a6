// The contribution command: sums, provisional values of open sessions, and impacts set by the user.
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commitPolicyChoice } from '../../../src/broker/commands/policyCommands.ts'
import type { ImpactResult } from '../../../src/broker/commands/statements.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import type { ContributionReport } from '../../../src/broker/queries/effectReports.ts'
import { BEGIN, DAY, exampleSession, loadMemories, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

/** The file is in the error, so changing it is no trace; its new text is what the note adds. */
const LINT = 'npm run lint'
const FINDING = 'Exit code 1\nsrc/total.js:3:9 error: Missing semicolon after the total'
const FIX = 'return roundToCents(subtotal + shippingCosts - discountOf(customer));'

let world: World
let store: Store
beforeEach(async () => {
  world = newWorld()
  store = openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })
  // Nothing is withheld or told at starts, so that every failure here brings its lesson.
  const home = path.join(world.folder, 'home')
  fs.mkdirSync(home, { recursive: true })
  fs.writeFileSync(
    path.join(home, 'own.yaml'),
    'name: own\nrecall: { withholdShare: 0 }\nknowledge: { startTokens: 0 }\n',
  )
  fs.writeFileSync(path.join(home, 'config.yaml'), 'policy: own.yaml\n')
  commitPolicyChoice(store, BEGIN - 1)
  // An edit may be chance: what two sessions did is shown.
  for (const [day, name] of ['first', 'again'].entries()) {
    const learnt = exampleSession(name, BEGIN + day * DAY)
      .starts()
      .asks('Make the linter pass.')
      .fails(LINT, FINDING)
    runHookPayloads(
      store,
      learnt.edits('src/total.js', FIX).waits(300_000).runs(LINT).answers('It passes.').ends().recorded,
    )
    await world.memctl('organize', '--all')
  }
})
afterEach(() => world.end())

/** A session in which the lesson is shown at the failure and used, up to its answer. Days count from the second. */
function used(name: string, day: number) {
  const session = exampleSession(name, BEGIN + (day + 1) * DAY)
    .starts()
    .asks('The linter is red, fix that.')
    .fails(LINT, FINDING)
  return session.edits('src/total.js', FIX).runs(LINT).answers('It passes again.')
}
const lesson = () => Object.values(loadMemories(store)).find((item) => item.kind === 'lesson')!

test('cli: an open session has provisional contributions, and reading them writes nothing', async () => {
  runHookPayloads(store, used('second', 1).recorded)
  const before = loadProjection(store).projection
  const { verdicts } = await world.json<ContributionReport>('shown', '--contribution', '--session', 'second')
  expect(verdicts.length).toBeGreaterThan(0)
  expect(verdicts.every((item) => item.provisional && item.session === 'second')).toBe(true)
  expect(loadProjection(store).projection).toEqual(before)
  await world.memctl('organize', '--all')
  const final = await world.json<ContributionReport>('shown', '--contribution', '--session', 'second')
  expect(final.verdicts.every((item) => !item.provisional)).toBe(true)
  // Nothing happened since, so the final verdict is the provisional one.
  expect(final.verdicts.map((item) => item.contribution)).toEqual(verdicts.map((item) => item.contribution))
})

test('cli: the beginning of a session id is enough for its notes, and one of no session is an error', async () => {
  runHookPayloads(store, used('second', 1).recorded)
  const { out } = await world.memctl('shown', '--session', 'sec')
  expect(out).toBe((await world.memctl('shown', '--session', 'second')).out)
  expect(out).toContain('Were they useful?')
  for (const words of [['shown'], ['recall', '--moment', 'start']]) {
    const { status, err } = await world.memctl(...words, '--session', 'fourth')
    expect([status, err]).toEqual([2, expect.stringContaining('No session has an id that begins with "fourth"')])
  }
})

test('cli: a contribution is the sum of weighted parts, times the certainty of use', async () => {
  for (const day of [1, 2, 3]) runHookPayloads(store, used(`session-${day}`, day).ends().recorded)
  await world.memctl('organize', '--all')
  const { verdicts, weights, unusedCost, help } = await world.json<ContributionReport>(
    'show',
    '--contribution',
    lesson().id.slice(0, 10),
  )
  expect(verdicts.length).toBeGreaterThanOrEqual(3)
  for (const { measured, used: sure, traces, evidence, contribution, parts } of verdicts) {
    if (traces.length === 0) continue
    expect(sure).toBeCloseTo(1 - evidence!.reduce((doubt, trace) => doubt * (1 - trace.confidence), 1), 9)
    const sum = measured!.reduce((all, item) => all + item.value * weights[item.part], 0)
    const total = Object.values(weights).reduce((all, weight) => all + weight, 0)
    expect(contribution).toBeCloseTo((sure * sum) / total - (1 - sure) * unusedCost, 9)
    for (const item of measured!) expect(parts[item.part]).toBe(item.value)
  }
  const atFailure = verdicts.findLast((item) => item.moment === 'failure')!
  expect(atFailure.measured!.map((item) => item.part)).toEqual(['success', 'time', 'calls', 'errors'])
  const time = atFailure.measured!.find((item) => item.part === 'time')!
  // The first time took more than five minutes, which becomes the reported baseline.
  expect([time.kind, time.value > 0, time.usual > time.now]).toEqual([LINT, true, true])
  expect(help!.contribution).toBeCloseTo(
    verdicts.reduce((all, item) => all + item.contribution, 0),
    9,
  )
  const { out } = await world.memctl('show', '--contribution', lesson().id)
  for (const part of ['contribution', 'failure', '+']) expect(out).toContain(part)
})

test('cli: contributions are queried by one memory or by one session', async () => {
  expect((await world.memctl('show', '--contribution')).status).toBe(2)
  expect((await world.memctl('show', '--contribution', lesson().id, '--session', 'first')).status).toBe(2)
  expect((await world.memctl('show', '--contribution', 'ffffffff')).status).toBe(2)
  expect((await world.memctl('show', '--contribution', lesson().id)).out).toContain('No verdict is stored')
})

test('cli: thanks after a task with a used memory are an impact given by the user', async () => {
  runHookPayloads(store, used('second', 1).asks('Thanks, that works great!').answers('Good.').ends().recorded)
  await world.memctl('organize', '--all')
  const { verdicts } = await world.json<ContributionReport>('show', '--contribution', lesson().id)
  expect(verdicts.find((item) => item.moment === 'failure')!.impacts).toEqual(['task_success', 'user_positive'])
  const plain = lesson().impactScore
  expect(plain).toBeGreaterThanOrEqual(3.5)
})

test('cli: an impact set by the user is an event with the spec’s numbers, and a rebuild keeps it', async () => {
  const { before, after } = await world.json<ImpactResult>(
    'memory',
    'impact',
    lesson().id,
    'user_positive',
    '--perspective',
    'cost',
  )
  expect(after.strength - before.strength).toBeCloseTo(0.4, 9)
  expect(after.impactScore - before.impactScore).toBe(2)
  expect(after.strengthByPerspective).toEqual({ cost: 0.15 })
  const stored = loadMemories(store)
  rebuildStore(store, BEGIN + DAY)
  expect(loadMemories(store)).toEqual(stored)
  expect((await world.memctl('list', '--events', 'memory.impact')).out).toContain('user_positive for cost')
  const wrong = await world.memctl('memory', 'impact', lesson().id, 'splendid')
  expect([wrong.status, wrong.err]).toEqual([2, expect.stringContaining('user_positive')])
})

test('cli: an archived memory that is requested and helps is restored, and stays active', async () => {
  runHookPayloads(
    store,
    exampleSession('much-later', BEGIN + 200 * DAY)
      .starts()
      .asks('Hello again, what is new here?')
      .answers('Not much.')
      .ends().recorded,
  )
  await world.memctl('organize', '--all')
  const archived = Object.values(loadMemories(store)).find((item) => item.status === 'archived')!
  const { after } = await world.json<ImpactResult>('memory', 'impact', archived.id, 'task_success')
  expect(after).toMatchObject({ status: 'active', archiveExempt: true })
  expect(after.strength).toBeGreaterThanOrEqual(0.5)
  expect((await world.memctl('search', archived.content.split('\n')[0]!)).out).toContain(archived.id.slice(0, 8))
  await world.memctl('organize', '--all')
  expect(loadMemories(store)[archived.id]!.status).toBe('active')
})
