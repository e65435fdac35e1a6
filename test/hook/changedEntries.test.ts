// Entries through the real hooks and the real worker: a file written by hand or by git is known after the next session
// start.
// Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyCodeCaches } from '../codeCaches.ts'
import { trustFolder } from '../tempFolders.ts'

const DIST = path.resolve(import.meta.dirname, '..', '..', 'dist')
const isBuilt = fs.existsSync(path.join(DIST, 'hooks', 'code'))
/** Longer than the maximum lifetime of the worker. */
const WORKED_MS = 60_000

let folder: string
let project: string

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-entries-')))
  project = path.join(folder, 'project')
  fs.mkdirSync(path.join(project, '.memctl/memory'), { recursive: true })
  copyCodeCaches(home())
  trustFolder(project, home())
})
// The last worker may still be running: its files are removed once it has ended.
afterAll(() => until(() => isRemoved(folder)), WORKED_MS)

function isRemoved(at: string): boolean {
  try {
    fs.rmSync(at, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  }
  return !fs.existsSync(at)
}

const home = (): string => path.join(folder, 'home')
const store = (): string => path.join(home(), 'projects', fs.readdirSync(path.join(home(), 'projects'))[0]!)

/** What a hook injects into the model's context. */
function told(script: string, payload: Record<string, unknown>): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [path.join(DIST, 'hooks', `${script}.cjs`)], {
    ...{ cwd: project, encoding: 'utf8', input: `${JSON.stringify({ cwd: project, ...payload })}\n` },
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, MEMCTL_HOME: home(), CLAUDE_PROJECT_DIR: project },
  })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  const output = JSON.parse(stdout || '{}') as { hookSpecificOutput?: { additionalContext: string } }
  return output.hookSpecificOutput?.additionalContext ?? ''
}

const starts = (session: string) =>
  told('session-start', { session_id: session, hook_event_name: 'SessionStart', source: 'startup' })
const asks = (session: string, prompt: string) =>
  told('user-prompt-submit', { session_id: session, hook_event_name: 'UserPromptSubmit', prompt })

/** Waits until the worker that a hook has started is done. */
async function until(isDone: () => boolean): Promise<void> {
  for (const end = Date.now() + WORKED_MS; !isDone(); ) {
    if (Date.now() > end) throw new Error('The worker came to nothing')
    await new Promise((next) => setTimeout(next, 50))
  }
}

const generation = (): number => {
  const file = path.join(store(), 'manifest.json')
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as { generation: number }).generation : 0
}

describe.skipIf(!isBuilt)(isBuilt ? 'hook' : 'hook: skipped, run `npm run build` first', () => {
  test('hook: a file written by hand is injected in the next session, a deleted one is not', {
    timeout: 120_000,
  }, async () => {
    const file = path.join(project, '.memctl/memory/rounding.md')
    fs.writeFileSync(file, '---\nkey: rounding\n---\n\nPrices are rounded half up, in src/money.js and nowhere else\n')
    starts('one')
    await until(() => generation() > 0)
    expect(asks('one', 'Where are prices rounded half up?')).toContain('in src/money.js and nowhere else')
    expect(starts('two')).toContain('in src/money.js and nowhere else')

    fs.rmSync(file)
    const before = generation()
    expect(starts('three')).toBe('')
    await until(() => generation() > before)
    expect(asks('three', 'Where are prices rounded half up?')).toBe('')
    expect(starts('four')).toBe('')
    expect(fs.existsSync(path.join(store(), 'faults.jsonl'))).toBe(false)
  })
})
