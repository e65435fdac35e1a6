// Code caches through the real hooks and the real worker. Needs dist/ (`npm test` builds it).
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildCodeCaches } from '../../src/hook/buildCodeCaches.ts'
import { HOOK_REGISTRATIONS } from '../../src/model/hookEvents.ts'
import { createTestProject } from '../tempFolders.ts'

const DIST = path.resolve(import.meta.dirname, '..', '..', 'dist')
const isBuilt = fs.existsSync(path.join(DIST, 'hooks', 'code'))

const { project, home } = createTestProject('cache')

const node = (args: readonly string[], input = '') =>
  spawnSync(process.execPath, args, {
    ...{ cwd: project, input, encoding: 'utf8' },
    env: { PATH: process.env['PATH'] ?? '', MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project },
  })

/** As hooks start it, under its watchdog. */
const work = () => node([path.join(DIST, 'watchdog.cjs'), project])

const filesIn = (at: string): string[] =>
  fs.existsSync(at) ? fs.readdirSync(at, { recursive: true, encoding: 'utf8' }).sort() : []

/** The caches by their script. */
const caches = (): Map<string, string> => {
  const all = path.join(home, 'cache')
  const files = filesIn(all).filter((name) => name.endsWith('.bin'))
  return new Map(files.map((name) => [path.basename(name).replace(/-[^-]+$/, ''), path.join(all, name)]))
}

/** Runs Stop with this text, the only thing that differs, and returns the result. */
function stop(words: string) {
  const payload = { session_id: 'one', hook_event_name: 'Stop', cwd: project, last_assistant_message: words }
  const { status, stdout, stderr } = node([path.join(DIST, 'hooks', 'stop.cjs')], `${JSON.stringify(payload)}\n`)
  const store = path.join(home, 'projects', fs.readdirSync(path.join(home, 'projects'))[0]!)
  const log = path.join(store, 'events', '000001.jsonl')
  const isRecorded = fs.existsSync(log) && fs.readFileSync(log, 'utf8').includes(JSON.stringify(words))
  return { status, stdout, stderr, isRecorded, faults: fs.existsSync(path.join(store, 'faults.jsonl')) }
}

const SOUND = { status: 0, stdout: '', stderr: '', isRecorded: true, faults: false }

describe.skipIf(!isBuilt)(isBuilt ? 'hook' : 'hook: skipped, run `npm run build` first', () => {
  test('hook: the worker builds a code cache for every hook, once, and leaves nothing else', () => {
    expect(stop('before there is a cache')).toEqual(SOUND)
    expect(work().status).toBe(0)
    expect([...caches().keys()].sort()).toEqual(HOOK_REGISTRATIONS.map(({ script }) => script).sort())
    const folderNow = path.dirname(caches().get('stop')!)
    expect(fs.readdirSync(folderNow)).toHaveLength(HOOK_REGISTRATIONS.length)
    const made = [...caches().values()].map((file) => fs.statSync(file).mtimeMs)
    expect(work().status).toBe(0)
    expect([...caches().values()].map((file) => fs.statSync(file).mtimeMs)).toEqual(made)
  })

  test('hook: the sample session that warms the caches runs without a fault', async () => {
    const { home: other } = createTestProject('sample')
    const hooks = path.join(DIST, 'hooks')
    const { built, faults } = await buildCodeCaches(hooks, { MEMCTL_HOME: other }, Date.now())
    expect({ built, faults }).toEqual({ built: HOOK_REGISTRATIONS.length, faults: '' })
  })

  test('hook: V8 accepts every cache, and finds the functions of a run in it', () => {
    work()
    const code = path.join(DIST, 'hooks', 'code')
    const asked = `
      const fs = require('fs'), vm = require('vm')
      const [code, cache] = process.argv.slice(1)
      const bytes = fs.readFileSync(cache), source = fs.readFileSync(code, 'utf8')
      const data = bytes.subarray(0, bytes.length / 2)
      const plain = new vm.Script(source).createCachedData().length
      const taken = !new vm.Script(source, { cachedData: data }).cachedDataRejected
      process.stdout.write(JSON.stringify({ taken, warm: data.length > 1.2 * plain }))`
    for (const file of caches().values()) {
      const hash = /-(\w+)\.bin$/.exec(file)![1]!
      const source = fs.readdirSync(code).find((name) => name.includes(hash))!
      const told = node(['-e', asked, path.join(code, source), file])
      expect({ file, ...JSON.parse(told.stdout) }).toEqual({ file, taken: true, warm: true })
    }
  })

  test('hook: the cache of a script has only what it runs: a hook that records loads no code of recall', () => {
    work()
    const bytes = (script: string): number => fs.statSync(caches().get(script)!).size
    for (const recording of ['stop', 'post-tool-use', 'pre-compact'])
      expect([recording, bytes(recording) < 0.8 * bytes('pre-tool-use')]).toEqual([recording, true])
  })

  test('hook: a damaged or truncated cache costs only time', () => {
    work()
    const file = caches().get('stop')!
    const whole = fs.readFileSync(file)
    expect(stop('with a cache')).toEqual(SOUND)
    for (let i = 0; i < 16; i++) {
      const damaged = Buffer.from(whole)
      damaged[Math.floor((whole.length * i) / 16) + i]! ^= 0xff
      fs.writeFileSync(file, damaged)
      expect(stop(`damaged ${i}`)).toEqual(SOUND)
      fs.writeFileSync(file, whole.subarray(0, Math.floor((whole.length * i) / 16)))
      expect(stop(`cut ${i}`)).toEqual(SOUND)
    }
    work()
    expect(fs.statSync(file).size).toBeGreaterThan(whole.length / 2)
    expect(stop('mended')).toEqual(SOUND)
  })

  test('hook: caches that were not rebuilt for days are removed, also those of other Node versions', () => {
    work()
    const file = caches().get('stop')!
    const other = path.join(home, 'cache', 'v1.2.3-linux-x64', 'stop-0.bin')
    fs.mkdirSync(path.dirname(other), { recursive: true })
    fs.writeFileSync(other, '')
    const old = Date.now() / 1000 - 4 * 86_400
    fs.utimesSync(other, old, old)
    fs.utimesSync(file, old, old)
    work()
    expect(filesIn(path.join(home, 'cache', 'v1.2.3-linux-x64'))).toEqual([])
    expect(fs.statSync(file).mtimeMs / 1000).toBeGreaterThan(old + 86_400)
  })
})
