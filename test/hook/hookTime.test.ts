// How long a hook takes, as the log has it: measured in a hook's own process, and nowhere else.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/broker/open/openStore.ts'
import { gatherReport } from '../../src/broker/queries/reportData.ts'
import { createTestProject } from '../tempFolders.ts'
import { exampleSession, runHookPayloads } from '../testData.ts'

const STOP = path.resolve(import.meta.dirname, '../../dist/hooks/stop.cjs')

test.skipIf(!fs.existsSync(STOP))(
  'hook: the event that a hook writes has the milliseconds of its process; a replay has none',
  () => {
    const { project, home } = createTestProject()
    const env = { ...process.env, MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project }
    const payload = {
      session_id: 'one',
      hook_event_name: 'Stop',
      cwd: project,
      last_assistant_message: '終わりました。',
    }
    const began = performance.now()
    const { status } = spawnSync(process.execPath, [STOP], { input: JSON.stringify(payload), env })
    const tookMs = performance.now() - began
    expect(status).toBe(0)
    const store = openStore(project, { MEMCTL_HOME: home })
    runHookPayloads(store, exampleSession('two').asks('Go.').answers('Done.').recorded, project)
    const lines = fs.readFileSync(path.join(store.layout.events, '000001.jsonl'), 'utf8').split('\n')
    const times = lines.flatMap((line) => /"hookMs":(\d+)/.exec(line)?.[1] ?? []).map(Number)
    expect(times).toHaveLength(1)
    expect(times[0]).toBeGreaterThan(0)
    expect(times[0]).toBeLessThanOrEqual(Math.ceil(tookMs))
    const { hooks } = gatherReport(store, { now: Date.now(), pagesMax: 0, withPrivate: false })
    expect([...hooks]).toEqual([['answer', times[0]]])
  },
)
