// A blocked call as the client sees it, through the real hook. Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { hookConfigFile } from '../../src/broker/open/hookConfig.ts'
import { openStore } from '../../src/broker/open/openStore.ts'
import { createTestProject } from '../tempFolders.ts'
import { exampleSession, runHookPayloads } from '../testData.ts'

const HOOKS = path.resolve(import.meta.dirname, '..', '..', 'dist', 'hooks')
const isBuilt = fs.existsSync(path.join(HOOKS, 'code'))

const { project, home } = createTestProject('held')

beforeAll(() => {
  const store = openStore(project, { MEMCTL_HOME: home })
  const told = exampleSession('first').starts().asks('Format the sources, please.')
  told.fails('biome check --apply src', "error: unexpected argument '--apply' found").runs('biome check --write src')
  runHookPayloads(store, told.ends().recorded, project)
  runMaintenance(store, { now: told.now() })
  fs.writeFileSync(hookConfigFile(home), '{"log":{"sync":"session"},"warnings":"block"}\n')
})

function asks(tool_use_id: string) {
  const call = { tool_name: 'Bash', tool_input: { command: 'biome check --apply lib' }, tool_use_id }
  const payload = { session_id: 'second', hook_event_name: 'PreToolUse', cwd: project, ...call }
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(HOOKS, 'pre-tool-use.cjs')], {
    ...{ cwd: project, input: `${JSON.stringify(payload)}\n`, encoding: 'utf8' },
    env: { PATH: process.env['PATH'] ?? '', MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project },
  })
  return { status, stdout, stderr }
}

describe.skipIf(!isBuilt)(isBuilt ? 'hook' : 'hook: skipped, run `npm run build` first', () => {
  test('hook: a blocked call is denied in one JSON with its reason and exit 0, and the next call is not', () => {
    const { stdout, ...first } = asks('one')
    expect(first).toEqual({ status: 0, stderr: '' })
    const { hookSpecificOutput, ...rest } = JSON.parse(stdout)
    expect(rest).toEqual({})
    expect(hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('--write'),
    })
    const second = asks('two')
    expect(second).toMatchObject({ status: 0, stderr: '' })
    expect(second.stdout).not.toContain('permissionDecision')
  })
})
