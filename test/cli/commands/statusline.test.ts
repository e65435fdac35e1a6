// The status line: one line about the memory and the session, whatever stdin and the store are like.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { formatStatusLine } from '../../../src/cli/format/statusLine.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { estimateTokens } from '../../../src/text/excerpt.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY, exampleSession, runHookPayloads } from '../../testData.ts'

const SCRIPT = path.resolve(import.meta.dirname, '../../../dist/statusline.cjs')
const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const { project, home } = createTestProject('statusline')
const env = { MEMCTL_HOME: home }
let shownTokens = 0

beforeAll(() => {
  const store = openStore(project, env)
  const all = { kind: 'policy.chosen', name: 'all', values: { 'recall.withholdShare': 0 } } as const
  appendEvents(store.files, store.layout.events, [systemEvent(all, { now: BEGIN - 1 })])
  const first = exampleSession('first', BEGIN).starts().asks('Get the tests to run, please.').fails('npm test', ERROR)
  runHookPayloads(store, first.runs('npm run build:prices').runs('npm test').ends().recorded, project)
  runMaintenance(store, { now: first.now() })
  const later = exampleSession('later', BEGIN + DAY)
    .starts()
    .fails('npm test', ERROR)
  const outputs = runHookPayloads(store, later.recorded, project)
  shownTokens = outputs.reduce((sum, { context }) => sum + estimateTokens(context ?? ''), 0)
})

const lineFor = (input: unknown, columns = '200') =>
  formatStatusLine(JSON.stringify(input), { ...env, COLUMNS: columns }, project)

test('statusline: it counts memories, and the notes and tokens of the session, and names the last note', () => {
  expect(shownTokens).toBeGreaterThan(0)
  const line = lineFor({ session_id: 'later', workspace: { project_dir: project, current_dir: '/' } })
  expect(line).toMatch(/^memctl \d+ memor(?:y|ies) · \d+ notes? shown · \d+ tokens · last: /)
  expect(line).toContain(` ${shownTokens} tokens `)
  expect(line).toContain('npm run build:prices')
})

test('statusline: a session that was shown nothing has the number of memories only', () => {
  expect(lineFor({ session_id: 'first', cwd: project })).toMatch(/^memctl \d+ memor(?:y|ies)$/)
})

test('statusline: it says that the session is not recorded, and that a hook has failed today', () => {
  expect(lineFor({ session_id: 'other', cwd: project })).toMatch(/· not recording this session: memctl doctor$/)
  const { layout } = openStore(project, env)
  fs.writeFileSync(layout.faults, '{"at":"2026-03-02T09:00:00.000Z","where":"prompt","what":"x","hint":"y"}\n')
  const line = (now: number) => formatStatusLine(JSON.stringify({ session_id: 'first' }), env, project, now)
  expect(line(BEGIN + DAY / 2)).toMatch(/· a hook failed: memctl doctor$/)
  expect(line(BEGIN + 2 * DAY)).not.toContain('failed')
})

test('statusline: it is one line that fits the terminal', () => {
  const line = lineFor({ session_id: 'later', cwd: project }, '80')
  expect(line.length).toBeLessThanOrEqual(50)
  expect(line).not.toContain('\n')
})

test('statusline: no stdin, no JSON, a damaged store or one of a later version never fail it', () => {
  for (const input of ['', 'null', '[]', '{"session_id":7,"workspace":"x"}', 'no json']) {
    expect(formatStatusLine(input, env, project)).toMatch(/^memctl \d+ memor/)
  }
  const damaged = createTestProject('damaged')
  const store = openStore(damaged.project, { MEMCTL_HOME: damaged.home })
  fs.mkdirSync(path.dirname(store.layout.manifest), { recursive: true })
  for (const text of ['{', '{"version":999}']) {
    fs.writeFileSync(store.layout.manifest, text)
    expect(formatStatusLine('{}', { MEMCTL_HOME: damaged.home }, damaged.project)).toBe('memctl')
  }
})

test.skipIf(!fs.existsSync(SCRIPT))('statusline: the built script ends if its stdin stays open', async () => {
  const child = spawn(process.execPath, [SCRIPT], { stdio: ['pipe', 'pipe', 'pipe'], env: { ...env } })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  child.stdin.destroy()
  expect(code).toBe(0)
})

test.skipIf(!fs.existsSync(SCRIPT))('statusline: the built script prints the same line and exits with 0', () => {
  const input = { session_id: 'later', workspace: { project_dir: project } }
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env, COLUMNS: '200' },
  })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${lineFor(input)}\n`, stderr: '' })
})
