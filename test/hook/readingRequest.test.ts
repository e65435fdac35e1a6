// The question whether Claude may read finished sessions, through the real hook of a start: one line for the person,
// once in a home. Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestProject, type TestProject } from '../tempFolders.ts'

const HOOK = path.resolve(import.meta.dirname, '../../dist/hooks/session-start.cjs')
const isBuilt = fs.existsSync(HOOK)
const ASKS = /^memctl: Claude can read each finished session .* \/memctl:read-sessions yes, or no\.$/

let sessions = 0

/** What the hook prints at a start, or undefined for nothing. */
function start({ project, home }: TestProject, env: Readonly<Record<string, string>> = {}): unknown {
  const { status, stdout, stderr } = spawnSync(process.execPath, [HOOK], {
    cwd: project,
    input: `${JSON.stringify({
      session_id: `session-${++sessions}`,
      hook_event_name: 'SessionStart',
      source: 'startup',
      cwd: project,
    })}\n`,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project, ...env },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout === '' ? undefined : JSON.parse(stdout)
}

/** A home with this config.yaml, as its worker has compiled it. */
function homeWith(config: string, compiled?: string): TestProject {
  const world = createTestProject('asked')
  fs.mkdirSync(world.home)
  fs.writeFileSync(path.join(world.home, 'config.yaml'), config)
  if (compiled !== undefined) fs.writeFileSync(path.join(world.home, 'config.json'), compiled)
  return world
}

describe.skipIf(!isBuilt)(isBuilt ? 'hook' : 'hook: skipped, run `npm run build` first', () => {
  test('hook: the first start of all asks the person, says nothing to the model, and no later start asks', () => {
    const world = createTestProject('asked')
    expect(start(world)).toEqual({ systemMessage: expect.stringMatching(ASKS) })
    expect(start(world)).toBeUndefined()
    const other = { ...createTestProject('another'), home: world.home }
    expect(start(other)).toBeUndefined()
  })

  test.each(['distill: claude\n', 'distill: false\n', 'warnings: inject\ndistill:\n  by: openai\n'])(
    'hook: nobody is asked who has answered in config.yaml: %j',
    (config) => expect(start(homeWith(config))).toBeUndefined(),
  )

  test.each(['true', 'false'])('hook: nobody is asked whose plugin has the setting %s', (value) => {
    const world = createTestProject('asked')
    expect(start(world, { CLAUDE_PLUGIN_OPTION_READ_SESSIONS: value })).toBeUndefined()
  })

  test('hook: who wants to see nothing of memctl is not asked', () => {
    expect(start(homeWith('show: off\n', '{"show":"off"}\n'))).toBeUndefined()
  })
})
