// Every file of a home × every damage: doctor finds it, and the repair that it names gives the same memories.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { findProcesses, pause } from '../../../bench/fixture/processes.ts'
import { fixFiles } from '../../../src/broker/checks/checkFiles.ts'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { rememberStatement, type StatementWriter } from '../../../src/broker/commands/statements.ts'
import { rebuildBuiltinVectors } from '../../../src/broker/embedding/maintainVectors.ts'
import { syncEntriesNow } from '../../../src/broker/entries/entryMaintenance.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore, restoreLog } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import { compileConfig } from '../../../src/broker/open/configFile.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { runCli } from '../../../src/cli/runCli.ts'
import type { CheckResult } from '../../../src/model/checkResult.ts'
import { MemoryError } from '../../../src/model/memoryError.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { live, weeksAndTwoWaiting } from '../../crash/shop.ts'
import { runHooks } from '../../hook/hookRuns.ts'
import { createTestProject, newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, exampleSession, loadMemories } from '../../testData.ts'

const DIST = path.resolve(import.meta.dirname, '../../../dist')
const NOW = BEGIN + 60 * DAY
const { project, home: made } = createTestProject('damage')

let expected: Record<string, unknown>
let names: readonly string[]
let folderName: string

const openIn = (home: string): Store => openStore(project, { MEMCTL_HOME: home })
const problems = (store: Store): CheckResult[] => checkStore(store, NOW).filter(({ state }) => state !== 'ok')

beforeAll(async () => {
  const store = openIn(made)
  fs.mkdirSync(made, { recursive: true })
  fs.writeFileSync(path.join(made, 'config.yaml'), 'warnings: block\n')
  compileConfig(store)
  weeksAndTwoWaiting(store, 3)
  runMaintenance(store, { now: NOW - DAY })
  const liveStore = openLiveStore(store)
  const writer: StatementWriter = {
    liveStore,
    commit: (body) => liveStore.commit(body, { now: NOW - DAY, nonce: 'person' }),
    now: () => NOW - DAY,
    session: undefined,
  }
  rememberStatement(writer, { text: 'Answer in short sentences', scope: 'person' })
  syncEntriesNow(store, NOW - DAY)
  runMaintenance(store, { now: NOW - DAY + 1, sessions: 'all' })
  await rebuildBuiltinVectors(store)
  // An open session, whose memories are in the recent segment only.
  live(store, exampleSession('open', NOW).starts().asks('From now on, invoices are numbered from 1000.'))
  refreshRecent(store, NOW + 1)
  expect(problems(store)).toEqual([])
  folderName = path.basename(store.layout.folder)
  expected = loadMemories(store)
  names = fs
    .readdirSync(made, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(made, name)).isFile())
})

/** A person's own file can be anything. Faults, the index of no entries and a question asked have no content. */
const isOwn = (name: string): boolean => !/config\.yaml$|faults\.jsonl$|entries\.json$|\.asked$/.test(name)

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  truncated: (file) => fs.truncateSync(file, fs.statSync(file).size >> 1),
  'bit-flipped': (file) => {
    const bytes = fs.readFileSync(file)
    const at = bytes.length >> 1
    bytes[at] = (bytes[at] ?? 0) ^ 4
    fs.writeFileSync(file, bytes)
  },
  zeroed: (file) => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size)),
  emptied: (file) => fs.truncateSync(file, 0),
  'replaced by a folder': (file) => {
    fs.rmSync(file)
    fs.mkdirSync(file)
  },
}

/** Does what the hints say. */
function repair(store: Store, found: readonly CheckResult[], backup: string): void {
  const hints = found.map((check) => (check.state === 'ok' ? '' : check.hint)).join('\n')
  if (hints.includes('memctl doctor --fix')) fixFiles(store, NOW)
  compileConfig(store)
  const isLogDamaged = hints.includes('memctl rebuild --from') || isRebuildRefused(store)
  if (isLogDamaged) restoreLog(store, backup, { now: NOW + 1, replace: true })
  refreshRecent(store, NOW + 2)
}

function isRebuildRefused(store: Store): boolean {
  try {
    rebuildStore(store, NOW + 1)
    return false
  } catch (error) {
    if (error instanceof MemoryError && error.hint.includes('rebuild --from')) return true
    throw error
  }
}

describe('damage: every file', () => {
  test('damage: the home has every kind of file', () => {
    const kinds = new Set(names.map((name) => name.replace(folderName, 'S').replaceAll(/\d+/g, 'N')))
    for (const kind of [
      'config.json',
      'person.json',
      'access.json',
      'projects/S/manifest.json',
      'projects/S/hot.json',
      'projects/S/knowledge.json',
      'projects/S/policy.json',
      'projects/S/worked.json',
      'projects/S/work.N.json',
      'projects/S/events/N.jsonl',
      'projects/S/events/N.jsonl.gz',
      'projects/S/segments/N.txt',
      'projects/S/segments/N.idx',
      'projects/S/segments/N.N.row',
      'projects/S/segments/N.N.exp',
      'projects/S/segments/Na.txt',
      'projects/S/segments/N-rN.txt',
      'projects/S/vectors/current.json',
      'projects/S/vectors/hot.N.json',
      'projects/S/vectors/hot.N.fN',
    ])
      expect([...kinds]).toContain(kind)
  })

  test.each(Object.keys(DAMAGES))(
    'damage: %s, doctor finds every file and names a repair that works',
    (damage) => {
      const undetected: string[] = []
      const unrepaired: string[] = []
      const backup = path.join(made, 'projects', folderName, 'events')
      for (const name of names.filter(isOwn)) {
        const home = path.join(newFolder('damaged'), 'home')
        fs.cpSync(made, home, { recursive: true })
        DAMAGES[damage]!(path.join(home, name))
        const store = openIn(home)
        const found = problems(store)
        if (found.length === 0) undetected.push(name)
        repair(store, found, backup)
        const left = problems(store).filter(({ name: check }) => check !== 'faults')
        const isSame = JSON.stringify(loadMemories(store)) === JSON.stringify(expected)
        if (left.length > 0 || !isSame) unrepaired.push(`${name}: ${isSame} ${left.map(({ what }) => what).join('; ')}`)
        fs.rmSync(path.dirname(home), { recursive: true })
      }
      expect({ undetected, unrepaired }).toEqual({ undetected: [], unrepaired: [] })
    },
    240_000,
  )

  test('damage: hooks end with 0 and print valid JSON or nothing, whatever is damaged', () => {
    const payload = {
      ...{ session_id: 'next', cwd: project, transcript_path: `${project}/t.jsonl` },
      ...{ hook_event_name: 'UserPromptSubmit', prompt: 'npm test fails: prices are not built' },
    }
    const damaged = names.filter(isOwn).map((name, i) => {
      const damage = Object.keys(DAMAGES)[i % Object.keys(DAMAGES).length]!
      const home = path.join(newFolder('damaged'), 'home')
      fs.cpSync(made, home, { recursive: true })
      DAMAGES[damage]!(path.join(home, name))
      const env = { HOME: path.dirname(home), MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project }
      return { about: { name, damage }, run: { script: 'user-prompt-submit', payload, cwd: project, env } }
    })
    const { results, stderr } = runHooks(
      newFolder('runs'),
      damaged.map(({ run }) => run),
      100_000,
    )
    expect({ stderr, runs: results.length }).toEqual({ stderr: '', runs: damaged.length })
    for (const [i, { status, stdout }] of results.entries()) {
      expect({ ...damaged[i]!.about, status }).toEqual({ ...damaged[i]!.about, status: 0 })
      if (stdout !== '') expect(JSON.parse(stdout)).toBeTypeOf('object')
    }
  }, 120_000)
})

/** What doctor finds, in this process. */
async function doctor(env: Readonly<Record<string, string | undefined>>): Promise<CheckResult[]> {
  let out = ''
  const write = (text: string): void => {
    out += text
  }
  const screen = { write }
  await runCli(['doctor', '--json'], { out: screen, err: screen, cwd: project, env, stdin: () => '' })
  return (JSON.parse(out) as { checks: CheckResult[] }).checks
}

describe('damage: no false alarm', () => {
  test('damage: while hooks and workers write, doctor reports nothing', async () => {
    const home = path.join(newFolder('busy'), 'home')
    copyCodeCaches(home)
    const env = { PATH: process.env['PATH'], HOME: path.dirname(home), MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project }
    const run = (script: string, words: readonly string[], input = ''): Promise<string> =>
      new Promise((done) => {
        const child = spawn(process.execPath, [`${DIST}/${script}`, ...words], { env, cwd: project })
        let text = ''
        child.stdout.on('data', (part: Buffer) => {
          text += part.toString()
        })
        child.on('close', () => done(text))
        child.stdin.end(input)
      })
    let isOver = false
    let sessions = 0
    const write = async (name: string): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const session = { session_id: `${name}-${n}`, cwd: project, transcript_path: `${project}/t.jsonl` }
        const send = (script: string, fields: object) =>
          run(`hooks/${script}.cjs`, [], `${JSON.stringify({ ...session, ...fields })}\n`)
        await send('session-start', { hook_event_name: 'SessionStart', source: 'startup' })
        await send('user-prompt-submit', { hook_event_name: 'UserPromptSubmit', prompt: `Always number ${name} ${n}.` })
        await send('session-end', { hook_event_name: 'SessionEnd', reason: 'other' }) // Starts a worker.
        await run('cli.js', ['organize', '--all'])
        sessions++
      }
    }
    const writers = ['a', 'b'].map(write)
    const alarms: unknown[] = []
    for (let looks = 0; looks < 8 || sessions < 4; looks++) {
      await pause(20) // The next processes of the writers start.
      const checks = await doctor(env)
      const names = ['log', 'snapshot', 'recent segment', 'files', 'policy', 'session start', 'access', 'log position']
      alarms.push(...checks.filter(({ name, state }) => state === 'fail' && names.includes(name)))
    }
    isOver = true
    await Promise.all(writers)
    expect(alarms).toEqual([])
    // The last workers would write into a folder that the run has removed.
    await expect.poll(() => findProcesses(project), { timeout: 60_000, interval: 100 }).toEqual([])
  }, 240_000)
})
