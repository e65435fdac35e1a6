// Stale: a memory about a file that is gone or was written again says so, by two questions to the disk at most.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { createFileProbe } from '../../../src/broker/handlers/hookContext.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore, openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

/** A prompt that comes again is shown what its task came to. */
const taskOf = (file: string): string => `Correct the rounding of the total in ${file}, please.`
const CAME_TO = 'The total was rounded down'

/** Where entries lie. */
const ENTRIES = /[/]\.(?:memctl|multi-agent-mcp)(?:[/]|$)|[/]global[/]memory$/

let home: string
let project: string
let looked: string[]
const looking: Files = {
  ...realDisk,
  mtimeMs(file) {
    // Whether entries' folders were written to is asked too, whatever is told; this law is of what memories are about.
    if (!ENTRIES.test(file)) looked.push(file)
    return realDisk.mtimeMs(file)
  },
}
const store = (): Store => openStore(project, { MEMCTL_HOME: home }, looking)

beforeEach(() => {
  ;({ home, project } = createTestProject('stale'))
  fs.mkdirSync(path.join(project, 'src'))
  looked = []
  const chosen = { kind: 'policy.chosen' as const, name: 'all', values: { 'recall.withholdShare': 0 } }
  appendEvents(realDisk, store().layout.events, [systemEvent(chosen, { now: BEGIN - HOUR })])
  runMaintenance(store(), { now: BEGIN - HOUR + 1 })
})

const write = (file: string, at: number): void => {
  fs.writeFileSync(path.join(project, file), 'text')
  fs.utimesSync(path.join(project, file), at / 1_000, at / 1_000)
}

function lived(session: ExampleSession, in_ = store()): string[] {
  return session.recorded.flatMap((item) => {
    looked = []
    const [{ event, context }] = runHookPayloads(in_, [item], project) as [ReturnType<typeof runHookPayloads>[number]]
    expect(looked.length, event).toBeLessThanOrEqual(2)
    return context ? [context] : []
  })
}

/** A task that edits `file`. */
function works(file: string): void {
  const session = exampleSession('first')
    .starts()
    .asks('Add a button that prints the receipt.')
    .edits('web/button.js')
    .answers('The button prints the receipt.')
    .asks(taskOf(file))
    .fails('npm test', 'Error: 2 is not 3')
    .edits(file)
    .runs('npm test')
    .answers(`${CAME_TO}. Now the tests pass.`)
    .ends()
  lived(session)
  runMaintenance(store(), { now: session.now() })
}

let sessions = 0

/** What the hook of the same prompt says the day after next, in a session of its own. */
const toldOf = (file = 'src/total.js', in_?: Store): string =>
  lived(exampleSession(`next-${++sessions}`, BEGIN + 2 * DAY).asks(taskOf(file)), in_).join('\n')

test('broker: a memory about an unchanged file has no note about it', () => {
  write('src/total.js', BEGIN)
  works('src/total.js')
  expect(toldOf()).toContain(CAME_TO)
  expect(toldOf()).not.toContain('since')
})

test('broker: a memory notes that its file is missing, or when it was written again', () => {
  write('src/total.js', BEGIN + DAY + HOUR)
  works('src/total.js')
  expect(toldOf()).toContain('\n  (src/total.js was changed since, on 2026-03-03.)')
  fs.rmSync(path.join(project, 'src/total.js'))
  expect(toldOf()).toContain('\n  (src/total.js is gone since.)')
})

test('broker: a path whose top folder is missing is of another folder, and not noted as missing', () => {
  works('packages/total.js')
  expect(toldOf('packages/total.js')).toContain(CAME_TO)
  expect(toldOf('packages/total.js')).not.toContain('gone')
})

test('broker: a replay with a given project checks no file on disk', () => {
  write('src/total.js', BEGIN)
  works('src/total.js')
  fs.rmSync(path.join(project, 'src/total.js'))
  const { layout } = store()
  const replayed = openStoreAt(path.dirname(layout.events), project, looking)
  expect(toldOf('src/total.js', replayed)).toContain(CAME_TO)
  expect(toldOf('src/total.js', replayed)).not.toContain('gone')
  expect(looked).toEqual([])
})

test('stale: a path that leads out of the project is not looked at', () => {
  const probe = createFileProbe(store())
  for (const file of [
    '../../../etc/shadow',
    'src/../../x',
    '/etc/shadow',
    '\\\\server\\share',
    'c:/x',
    'src\\..\\..\\x',
  ])
    expect([file, probe(file)]).toEqual([file, undefined])
  expect(looked).toEqual([])
})
