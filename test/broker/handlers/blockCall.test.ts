// Blocking: if the option is set, a call at which an entry's trigger fires is blocked once, with the entry as the reason.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { findBlockingRecall } from '../../../src/broker/handlers/blockCall.ts'
import { openHookContext } from '../../../src/broker/handlers/hookContext.ts'
import { readKnowledge } from '../../../src/broker/handlers/knowledgeNotes.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { compileConfig } from '../../../src/broker/open/configFile.ts'
import { hookConfigFile } from '../../../src/broker/open/hookConfig.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { EventOf } from '../../../src/model/event.ts'
import type { KnowledgeNote } from '../../../src/model/knowledge.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const UNKNOWN_OPTION = "Exit code 1\nerror: unexpected argument '--apply' found"

const PAYLOAD = { session_id: 'later', hook_event_name: 'PreToolUse' }

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
    .asks('Print the prices, please.')
    .fails('biome check --apply src', UNKNOWN_OPTION)
    .runs('biome check --write src')
const nextDay = (n = 1): ExampleSession =>
  exampleSession(`day-${n}`, BEGIN + n * DAY)
    .starts()
    .asks('Are the prices still right?')

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

  test('broker: a call that failed before is blocked once with what works, then passes', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const [first, ...others] = blocksIn(
      nextDay().runs('biome check --apply src').runs('biome check --apply src').runs('biome check --apply test'),
    )
    expect(first).toContain('--write')
    expect(first).toContain('make the same call again: it will run')
    expect(others).toEqual([undefined, undefined])
    expect(recalls().filter((item) => item.held)).toMatchObject([{ moment: 'call', withheld: false }])
  })

  test('broker: a call that would break a rule of the person is blocked once with their words', () => {
    choose('warnings: block\n')
    runAndOrganize(exampleSession('first').starts().asks('Always use pnpm, not npm.').answers('OK.').ends())
    const session = nextDay().runs('pnpm install').runs('npm install').runs('npm install')
    const [kept, broken, again] = blocksIn(session)
    expect(kept).toBeUndefined()
    expect(broken).toContain('pnpm, not npm')
    expect(again).toBeUndefined()
  })

  test('broker: the reason names only the rule that the call breaks; a lesson beside it waits for the failure', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const [lesson] = readKnowledge(store(), 'main')
    if (lesson === undefined) throw new Error('nothing learned')
    const rule = { ...lesson, voice: 'said', line: 'Never apply fixes' } as const
    /** What fires now, and what would fire if nothing had been shown. */
    const block = (now: readonly KnowledgeNote[], ever: readonly KnowledgeNote[]) => {
      const firing = [now, ever]
      return findBlockingRecall(() => firing.shift() ?? [], PAYLOAD, openHookContext(store(), BEGIN))
    }
    expect(block([lesson, rule], [lesson, rule])?.text).not.toContain('Known here')
    expect(block([lesson], [lesson, rule])).toBeUndefined()
    expect(block([lesson], [lesson])?.text).toContain('Known here')
  })

  test('broker: what sessions with such edits have met blocks no edit', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().edits('src/prices.js').ends())
    runAndOrganize(nextDay(1).edits('src/prices.js').fails('biome check --apply src', UNKNOWN_OPTION).ends())
    expect(blocksIn(nextDay(2).edits('src/prices.js'))).toEqual([undefined])
  })

  test('broker: a repeated call passes before the blocked call has a result, and after a compaction', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const session = nextDay()
    const asks = (id: string): ExampleSession =>
      session.tells('PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'biome check --apply src' },
        tool_use_id: id,
      })
    asks('one')
    asks('two')
    session.tells('PreCompact', { trigger: 'auto' }).starts('compact')
    asks('three')
    expect(blocksIn(session).map((hold) => hold !== undefined)).toEqual([true, false, false])
  })

  test('broker: calls are blocked only while the option is set', () => {
    runAndOrganize(learns().ends())
    expect(blocksIn(nextDay(1).runs('biome check --apply src'))).toEqual([undefined])
    choose('warnings: block\n')
    expect(fs.existsSync(hookConfigFile(home))).toBe(true)
    choose('warnings: inject\n')
    expect(fs.existsSync(hookConfigFile(home))).toBe(false)
    expect(blocksIn(nextDay(2).runs('biome check --apply src'))).toEqual([undefined])
  })

  test.each<[string, (session: ExampleSession) => ExampleSession]>([
    ['what works is run', (session) => session.runs('biome check --write src')],
    ['another command is run', (session) => session.runs('npm test')],
    ['another tool names it', (session) => session.calls('Read', { file_path: '/home/dev/biome check --apply src' })],
  ])('broker: no call is held where %s', (_why, goesOn) => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    expect(blocksIn(goesOn(nextDay())).filter((hold) => hold !== undefined)).toEqual([])
  })

  test.each([
    [false, 'only a teammate met it', false],
    [true, 'this machine met it too', true],
  ])('broker: an entry of the team blocks: %s, where %s', (isBlocked, _where, own) => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const note = readKnowledge(store(), 'main').find(({ type }) => type === 'lesson')
    if (note === undefined) throw new Error('nothing learned')
    const team = { by: 'Aki', people: 1, replicas: 1, own, at: '' }
    expect(findBlockingRecall(() => [{ ...note, team }], PAYLOAD, openHookContext(store(), BEGIN)) !== undefined).toBe(
      isBlocked,
    )
  })

  test('broker: a session that had the failure itself is not blocked when it retries', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const session = nextDay()
      .fails('biome check --apply src', UNKNOWN_OPTION)
      .edits('src/a.js')
      .runs('biome check --apply src')
    expect(blocksIn(session).map(Boolean)).toEqual([true, false, false])
  })

  test('broker: a call that passes each time in spite of the block is soon blocked no more', () => {
    choose('warnings: block\n')
    runAndOrganize(learns().ends())
    const held = (n: number): boolean => {
      const session = nextDay(n)
      const asks = (id: string): ExampleSession =>
        session.tells('PreToolUse', {
          tool_name: 'Bash',
          tool_input: { command: 'biome check --apply src' },
          tool_use_id: id,
        })
      const [first] = blocksIn(asks(`${n}-refused`).runs('biome check --apply src').ends())
      runMaintenance(store(), { now: session.now() })
      return first !== undefined
    }
    expect([1, 2, 3, 4, 5, 6, 7].map((n) => held(n))).toEqual([true, true, true, true, true, false, false])
  })

  test.each<[string, (session: ExampleSession) => ExampleSession]>([
    ['run it again', (session) => session],
    ['run something before it', (session) => session.runs('npm run build:prices')],
    ['edit a file, which stays edited', (session) => session.edits('src/a.js')],
    ['edit a file and run something', (session) => session.edits('src/prices.js').runs('node src/prices.js')],
  ])('broker: an entry that says to %s holds nothing', (_what, fixes) => {
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
    const { recorded } = nextDay().runs('biome check --apply src')
    const call = recorded.find((item) => item.payload.hook_event_name === 'PreToolUse')!
    expect(() => runHookPayloads(store(refusing), [call])).toThrow('ENOSPC')
  })
})

test('broker: blocked calls are neither randomized nor counted as randomized', () => {
  withholding(0.5)
  choose('warnings: block\n')
  runAndOrganize(learns().ends())
  const days = Array.from(
    { length: 40 },
    (_, n) => blocksIn(nextDay(n + 1).runs('biome check --apply src'))[0] !== undefined,
  )
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
