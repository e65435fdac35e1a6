// The clock of replayed hooks: a demo of two weeks has the dates of two weeks.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findBuiltHooks, runHookProcess } from '../../../bench/replay/hookProcess.ts'
import { newFolder } from '../../tempFolders.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const AT = Date.UTC(2026, 2, 4, 9, 5)

test('a hook that is replayed at a recorded time logs its events at that time', async () => {
  const home = newFolder()
  const environment = { hooks: findBuiltHooks(ROOT), home, root: home, env: process.env, atMs: AT }
  const payload = { session_id: 's', cwd: home, hook_event_name: 'UserPromptSubmit', prompt: 'Repair the cart test' }
  await runHookProcess(environment, 'user-prompt-submit', payload, process.pid)
  const names = fs.readdirSync(home, { recursive: true, encoding: 'utf8' })
  const log = names
    .filter((name) => /events[/\\].*\.jsonl$/.test(name))
    .map((name) => fs.readFileSync(path.join(home, name), 'utf8'))
  expect(log.join('')).toContain('2026-03-04T09:05:')
})

test('only the current time moves: given times, types and calls of Date stay as they are', () => {
  const script =
    'const d = new Date(); console.log(JSON.stringify([Date.now(), +d, +new Date(5), d instanceof Date, Date.UTC(0)]))'
  const out = execFileSync(process.execPath, ['--require', path.join(ROOT, 'dist/replay-clock.cjs'), '-e', script], {
    env: { ...process.env, MEMCTL_REPLAY_AT: String(AT) },
    encoding: 'utf8',
  })
  const [now, fromNew, given, isDate, utc] = JSON.parse(out) as [number, number, number, boolean, number]
  for (const time of [now, fromNew]) expect(Math.floor(time / 60_000)).toBe(AT / 60_000)
  expect([given, isDate, utc]).toEqual([5, true, Date.UTC(0)])
})
