// Blocking: if the option is set, a call whose exact command failed before is blocked once, with reason and fix.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/systemEvent.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { compileConfig } from '../../../src/broker/open/compileConfig.ts'
import { hookConfigFile } from '../../../src/broker/open/hookConfig.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import type { EventOf } from '../../../src/model/event.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { shouldBlockCall } from '../../../src/recall/callBlocking.ts'
import type { Files } from '../../../src/store/disk/files.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const BUILD = 'npm run build:prices'

let home: string
let project: string
const store = (files: Files = realDisk): Store => openStore(project, { MEMCTL_HOME: home }, files)
const choose = (text: string): void => {
  fs.writeFileSync(path.join(home, 'config.yaml'), text)
  compileConfig(store())
}

beforeEach(() => {
  ;({ home, project } = createTestProject('block'))
  fs.mkdirSync(home)
  fs.mkdirSync(path.join(project, 'src'))
})

/** Runs the hooks with a session in this test's folder. Returns the outputs in order. */
const runHooks = (session: ExampleSession, in_: Store = store()) => runHookPayloads(in_, session.recorded, project)

function runAndOrganize(session: ExampleSession): void {
  runHooks(session)
  runMaintenance(store(), { now: session.now() })
}

/** A session that has the error and fixes it; the sessions of the next days. */
const learns = (): ExampleSession =>
  exampleSession('first')
    .starts()
    .asks('Get the tests to run, please.')
    .fails('npm test', NO_MODULE)
    .runs(BUILD)
    .runs('npm test')
const nextDay = (n = 1): ExampleSession =>
  exampleSession(`day-${n}`, BEGIN + n * DAY)
    .starts()
    .asks('Do the tests still run?')

const blocksIn = (session: ExampleSession): (string | undefined)[] =>
  runHooks(session).flatMap(({ event, denyReason }) => (event === 'PreToolUse' ? [denyReason] : []))
const recalls = (): EventOf<'recalled'>[] =>
  readLog(realDisk, store().layout.events).events.filter(
    (event): event is EventOf<'recalled'> => event.kind === 'recalled',
  )

function withholding(share: number): void {
  const values = { 'recall.withholdShare': share }
  const body = { kind: 'policy.chosen', name: 'mine', values } as const
  const chosen = systemEvent(body, { now: BEGIN - HOUR, key: [`share ${share}`] })
  appendEvents(realDisk, store().layout.events, [chosen])
  runMaintenance(store(), { now: BEGIN - HOUR + 1 })
}

describe('block', () => {
  beforeEach(() => withholding(0))

  test('broker: a command that failed before is blocked once with reason and fix, then passes', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const [first, second, third] = blocksIn(nextDay().runs('npm test 2>&1 | tail -5').runs('npm test').runs(BUILD))
    // Before a call no output is quoted.
    expect(first).not.toContain('Cannot find module')
    expect(first).toContain(`\`${BUILD}\` made \`npm test\` pass`)
    expect(first).toContain('make the same call again: it will run')
    expect([second, third]).toEqual([undefined, undefined])
    expect(recalls().filter((item) => item.held)).toMatchObject([{ moment: 'call', withheld: false }])
  })

  test('broker: a repeated call passes before the blocked call has a result, and after a compaction', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const session = nextDay()
    const asks = (id: string): ExampleSession =>
      session.tells('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: id })
    asks('one')
    asks('two')
    session.tells('PreCompact', { trigger: 'auto' }).starts('compact')
    asks('three')
    expect(blocksIn(session).map((hold) => hold !== undefined)).toEqual([true, false, false])
  })

  test('broker: calls are blocked only while the option is set', () => {
    runAndOrganize(learns().ends())
    expect(blocksIn(nextDay(1).runs('npm test'))).toEqual([undefined])
    choose('warnings: block\n')
    expect(fs.existsSync(hookConfigFile(home))).toBe(true)
    choose('warnings: inject\n')
    expect(fs.existsSync(hookConfigFile(home))).toBe(false)
    expect(blocksIn(nextDay(2).runs('npm test'))).toEqual([undefined])
  })

  test.each<[string, (session: ExampleSession) => ExampleSession]>([
    ['the fix is done', (session) => session.runs(BUILD).runs('npm test')],
    ['another command is run', (session) => session.runs('npm test -- cart')],
    ['a script of several lines is run', (session) => session.runs('npm test\necho done')],
  ])('broker: no call is held where %s', (_why, goesOn) => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    expect(blocksIn(goesOn(nextDay())).filter((hold) => hold !== undefined)).toEqual([])
  })

  test.each([
    [false, 'only a teammate met it', false],
    [true, 'this machine met it too', true],
  ])('broker: a lesson of the team blocks: %s, where %s', (isBlocked, _where, own) => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const lesson = [...loadProjection(store()).projection.memories.values()].find(({ kind }) => kind === 'lesson')
    if (lesson === undefined) throw new Error('nothing learned')
    const team = { by: 'Aki', people: 1, replicas: 1, own, at: '' }
    const history = { calls: [], alreadyBlocking: new Set<MemoryId>() }
    expect(shouldBlockCall({ ...lesson, team }, 'npm test', history)).toBe(isBlocked)
  })

  test('broker: a session that had the failure itself is not blocked when it retries', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const session = nextDay().tells('SessionStart', { source: 'startup' })
    expect(blocksIn(session.fails('npm test', NO_MODULE).edits('src/a.js').runs('npm test')).map(Boolean)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('broker: a call is not blocked if it passed in more sessions than it failed in', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const held = (n: number, session = nextDay(n).runs('npm test').ends()): boolean => {
      const [first] = blocksIn(session)
      runMaintenance(store(), { now: session.now() })
      return first !== undefined
    }
    expect([1, 2, 3, 4].map((n) => held(n))).toEqual([true, true, false, false])
    const again = [5, 6, 7].map((n) => nextDay(n).fails('npm test', NO_MODULE).runs(BUILD).runs('npm test').ends())
    expect(again.map((session, i) => held(5 + i, session))).toEqual([false, false, false])
    expect(held(8)).toBe(true)
    const { projection } = loadProjection(store())
    rebuildStore(store(), BEGIN + 30 * DAY)
    const [counted] = [...projection.memories.values()].filter((item) => item.kind === 'lesson')
    expect(loadProjection(store()).projection.memories.get(counted!.id)).toMatchObject({
      lesson: counted!.lesson,
      sessionCount: counted!.sessionCount,
    })
  })

  test.each<[string, (session: ExampleSession) => ExampleSession]>([
    ['run it again', (session) => session],
    ['edit a file, which stays edited', (session) => session.edits('src/a.js')],
    ['edit a file and run something', (session) => session.edits('src/prices.js').runs('node src/prices.js')],
  ])('broker: a lesson that says to %s holds nothing', (_what, fixes) => {
    choose('warnings: block\n')
    const session = fixes(exampleSession('first').starts().asks('Deploy it, please.').fails('make deploy', NO_MODULE))
    runAndOrganize(session.runs('make deploy').ends())
    expect(blocksIn(nextDay().runs('make deploy'))).toEqual([undefined])
  })

  test('broker: a call is not blocked if the block cannot be logged', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const refusing: Files = {
      ...realDisk,
      append(file, bytes, sync) {
        if (bytes.includes('"kind":"recalled"')) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
        realDisk.append(file, bytes, sync)
      },
    }
    const { recorded } = nextDay().runs('npm test')
    const call = recorded.find((item) => item.payload.hook_event_name === 'PreToolUse')!
    expect(() => runHookPayloads(store(refusing), [call])).toThrow('ENOSPC')
  })
})

test('broker: blocked calls are neither randomized nor counted as randomized', () => {
  withholding(0.5)
  choose('warnings: block\n')
  runAndOrganize(learns().ends())
  const days = Array.from({ length: 40 }, (_, n) => blocksIn(nextDay(n + 1).runs('npm test'))[0] !== undefined)
  expect(days).toEqual(days.map(() => true))
  const calls = recalls().filter((item) => item.moment === 'call')
  expect(calls.filter((item) => item.held)).toHaveLength(days.length)
  expect(calls.filter((item) => item.held && (item.withheld || item.share !== undefined))).toEqual([])
})

test.each([
  ['warnings: shout\n', 1, 'shout'],
  ['# mine\nwarnings: [block]\n', 2, 'block'],
])('broker: %j in config.yaml is CONFIG_INVALID with its line and the allowed values', (text, line, value) => {
  choose('warnings: block\n')
  expect(() => choose(text)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(new RegExp(`^warnings is .*${value}.*config\\.yaml, line ${line}$`)),
      hint: expect.stringContaining('inject, block'),
    }),
  )
  expect(JSON.parse(fs.readFileSync(hookConfigFile(home), 'utf8'))).toMatchObject({ warnings: 'block' })
})
