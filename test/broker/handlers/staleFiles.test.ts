// Stale: a memory about a file that is gone or was written again says so, by two questions to the disk at most.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/systemEvent.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore, openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

/** The error names the file that is edited: an edit is shown for the same file only. */
const errorIn = (file: string): string => `Exit code 1\n${file}:3:9 error: Missing semicolon after the total`

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

/** A lesson whose fix is an edit of `file`. */
function learnt(file: string): void {
  const session = exampleSession('first')
    .starts()
    .asks('Correct the total.')
    .fails('npm run lint', errorIn(file))
    .edits(file)
    .runs('npm run lint')
    .ends()
  lived(session)
  runMaintenance(store(), { now: session.now() })
}

let sessions = 0

/** What the failure's hook says the next day, in a session of its own. */
const toldOf = (file = 'src/total.js', in_?: Store): string => {
  const session = exampleSession(`next-${++sessions}`, BEGIN + 2 * DAY).tells('PostToolUseFailure', {
    ...{
      tool_name: 'Bash',
      tool_input: { command: 'npm run lint' },
      tool_use_id: 'one',
      error: errorIn(file),
      is_interrupt: false,
    },
  })
  return lived(session, in_).join('\n')
}

test('broker: a memory about an unchanged file has no note about it', () => {
  write('src/total.js', BEGIN)
  learnt('src/total.js')
  expect(toldOf()).toContain('an edit of src/total.js')
  expect(toldOf()).not.toContain('since')
})

test('broker: a memory notes that its file is missing, or when it was written again', () => {
  write('src/total.js', BEGIN + DAY + HOUR)
  learnt('src/total.js')
  expect(toldOf()).toContain('\n  (src/total.js was changed since, on 2026-03-03.)')
  fs.rmSync(path.join(project, 'src/total.js'))
  expect(toldOf()).toContain('\n  (src/total.js is gone since.)')
})

test('broker: a path whose top folder is missing is of another folder, and not noted as missing', () => {
  learnt('packages/total.js')
  expect(toldOf('packages/total.js')).toContain('an edit of packages/total.js')
  expect(toldOf('packages/total.js')).not.toContain('gone')
})

test('broker: a replay with a given project checks no file on disk', () => {
  write('src/total.js', BEGIN)
  learnt('src/total.js')
  fs.rmSync(path.join(project, 'src/total.js'))
  const { layout } = store()
  const replayed = openStoreAt(path.dirname(layout.events), project, looking)
  expect(toldOf('src/total.js', replayed)).toContain('an edit of src/total.js')
  expect(toldOf('src/total.js', replayed)).not.toContain('gone')
  expect(looked).toEqual([])
})
