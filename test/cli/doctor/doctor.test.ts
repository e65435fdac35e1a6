// memctl doctor: what it reports for intact and damaged stores, with hints, and that it changes nothing.
import fs from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseRecording, replaySessions } from '../../../bench/fixture/replaySessions.ts'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { type DoctorReport, registerDoctor } from '../../../src/cli/commands/doctor.ts'
import { ExitStatus } from '../../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../../src/cli/context/packageInfo.ts'
import { installHooks } from '../../../src/cli/install/installHooks.ts'
import type { CheckResult } from '../../../src/model/checkResult.ts'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock, processStartTime } from '../../../src/store/disk/lock.ts'
import { logFileName } from '../../../src/store/log/eventLog.ts'
import { createTestProject, homeLike } from '../../tempFolders.ts'
import { runHookPayloads } from '../../testData.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const RECORDINGS = path.join(ROOT, 'recordings')
/** After the last recorded session, so that nothing in an intact store is in the future. */
const NOW = Date.parse('2026-03-20T12:00:00Z')

const { project, home: made } = createTestProject('doctor')
let home: string
let store: Store

beforeAll(() => {
  const files = fs.readdirSync(RECORDINGS).filter((name) => name.endsWith('.jsonl'))
  const sessions = files
    .slice(0, 3)
    .map((name) => parseRecording(fs.readFileSync(path.join(RECORDINGS, name), 'utf8'), name))
  replaySessions(openStore(project, { MEMCTL_HOME: made }), sessions)
})
beforeEach(() => {
  home = homeLike(made)
  store = openStore(project, { MEMCTL_HOME: home })
})

const environment = () => ({
  ...process.env,
  HOME: path.join(home, 'person'),
  MEMCTL_HOME: home,
  CLAUDE_CONFIG_DIR: undefined,
})

/** Runs the command and gives its words and exit status. */
async function doctor(...words: readonly string[]): Promise<{ text: string; status: number }> {
  let text = ''
  const out = { write: (more: string) => (text += more) }
  const program = new Command().exitOverride()
  registerDoctor(program, { out, err: out, env: environment(), cwd: project, stdin: () => '' })
  try {
    await program.parseAsync(['doctor', ...words], { from: 'user' })
    return { text, status: 0 }
  } catch (error) {
    if (error instanceof ExitStatus) return { text, status: error.status }
    throw error
  }
}

async function diagnosis(): Promise<DoctorReport & { readonly status: number }> {
  const { text, status } = await doctor('--json')
  return { ...(JSON.parse(text) as DoctorReport), status }
}

const logFile = () => path.join(store.layout.events, logFileName(1))
const stateOf = (checks: readonly CheckResult[]) => checks.filter((check) => check.state !== 'ok')
const problems = (files: Files = realDisk) => stateOf(checkStore({ ...store, files }, NOW))

/** Every file below a folder with its bytes. */
const picture = (folder: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .flatMap((name) => {
        const file = path.join(folder, name)
        return fs.statSync(file).isFile() ? [[name, fs.readFileSync(file, 'latin1')]] : []
      }),
  )

describe('doctor: an intact store', () => {
  test('doctor: nothing is wrong with a store that sessions made', () => {
    expect(problems()).toEqual([])
  })

  test('doctor: a project without a store has no problem', () => {
    fs.rmSync(home, { recursive: true })
    expect(problems()).toEqual([])
  })

  test('doctor: it changes nothing', async () => {
    fs.appendFileSync(logFile(), '{"id":"torn')
    const before = picture(home)
    await doctor()
    expect(picture(home)).toEqual(before)
  })

  test('doctor: every check that is not ok gives a hint, as text and as JSON', async () => {
    fs.rmSync(store.layout.hot)
    const { checks } = await diagnosis()
    const { text } = await doctor()
    const found = checks.flatMap((check) => (check.state === 'ok' ? [] : [check]))
    expect(found.length).toBeGreaterThan(0)
    for (const check of found) {
      expect(check.hint).toMatch(/\w{3,}/)
      // A hint may take several lines.
      expect(text.replace(/\n +/g, ' ')).toContain(check.hint)
    }
  })

  test('doctor: the exit status is 0 with warnings alone and 1 once something failed', async () => {
    const intact = await diagnosis()
    expect(stateOf(intact.checks).map((check) => check.state)).not.toContain('fail')
    expect([intact.healthy, intact.status]).toEqual([true, 0])
    fs.writeFileSync(store.layout.policy, '{')
    const broken = await diagnosis()
    expect([broken.healthy, broken.status]).toEqual([false, 1])
  })
})

describe('doctor: a damaged log', () => {
  test('doctor: a truncated last line is reported and is no problem, before and after the next append', () => {
    fs.appendFileSync(logFile(), '{"id":"0000000000000001","at":"2026-03-')
    expect(problems()).toEqual([])
    const logResult = () => checkStore(store, NOW).find((check) => check.name === 'log')!.what
    expect(logResult()).toMatch(/39 bytes at its end/)
    fs.appendFileSync(logFile(), '\n')
    expect(logResult()).toMatch(/1 truncated by a crash/)
  })

  test('doctor: a line whose bytes changed has failed, and the file and line are reported', () => {
    const lines = fs.readFileSync(logFile(), 'utf8').split('\n')
    lines[3] = lines[3]!.replace('"kind"', '"kinD"')
    fs.writeFileSync(logFile(), lines.join('\n'))
    const [found] = problems()
    expect(found).toMatchObject({ name: 'log', state: 'fail', what: expect.stringContaining('000001.jsonl, line 4') })
  })

  test('doctor: a log of a later version asks for a newer memctl', () => {
    fs.writeFileSync(path.join(store.layout.events, logFileName(2)), '{"memctl":"log","version":999}\n')
    expect(problems()).toMatchObject([{ name: 'log', state: 'fail', hint: 'Update memctl.' }])
  })

  test('doctor: a log that ends before the position of the snapshot has failed', () => {
    fs.truncateSync(logFile(), 2_000)
    expect(problems()).toContainEqual(expect.objectContaining({ name: 'log position', state: 'fail' }))
  })

  test('doctor: events later than the clock are reported', () => {
    const early = Date.parse('2026-03-02T10:00:00Z')
    expect(stateOf(checkStore(store, early))).toContainEqual(expect.objectContaining({ name: 'clock', state: 'warn' }))
  })
})

describe('doctor: a damaged snapshot', () => {
  const segmentFile = (ending: string): string =>
    path.join(store.layout.segments, fs.readdirSync(store.layout.segments).find((name) => name.endsWith(ending))!)

  test.each(['.txt', '.idx', '.row'])(
    'doctor: a segment without its %s has failed, and rebuild is the hint',
    (ending) => {
      fs.rmSync(segmentFile(ending))
      expect(problems()).toContainEqual(
        expect.objectContaining({ name: 'snapshot', state: 'fail', hint: expect.stringContaining('memctl rebuild') }),
      )
    },
  )

  test.each(['.txt', '.idx', '.row'])('doctor: a segment whose %s lost its last byte has failed', (ending) => {
    const file = segmentFile(ending)
    // The last byte of a text is a newline that is not read: its neighbour is part of a memory.
    fs.truncateSync(file, fs.statSync(file).size - 2)
    expect(problems()).toContainEqual(expect.objectContaining({ name: 'snapshot', state: 'fail', where: file }))
  })

  test('doctor: one changed bit deep in an index is found', () => {
    const file = segmentFile('.idx')
    const bytes = fs.readFileSync(file)
    bytes[bytes.length - 3]! ^= 4
    fs.writeFileSync(file, bytes)
    expect(problems()).toContainEqual(expect.objectContaining({ name: 'snapshot', state: 'fail', where: file }))
  })

  test('doctor: a snapshot of a later version asks for a newer memctl', () => {
    const manifest = JSON.parse(fs.readFileSync(store.layout.manifest, 'utf8')) as object
    fs.writeFileSync(store.layout.manifest, JSON.stringify({ ...manifest, version: 999 }))
    expect(problems()).toContainEqual(
      expect.objectContaining({ name: 'snapshot', state: 'fail', hint: expect.stringContaining('Update memctl') }),
    )
  })

  test('doctor: a session start file that is missing or old is reported', () => {
    fs.writeFileSync(store.layout.hot, JSON.stringify({ generation: 1, standing: [], told: {}, open: [] }))
    expect(problems()).toMatchObject([{ name: 'session start', state: 'warn' }])
    fs.rmSync(store.layout.hot)
    expect(problems()).toMatchObject([{ name: 'session start', state: 'warn' }])
  })

  test.each(['{', '{}', '{"learned":{"version":1,"values":{}},"compiled":{"recall":{}}}'])(
    'doctor: a policy file of %s has failed, and the default policy is used',
    (text) => {
      fs.writeFileSync(store.layout.policy, text)
      expect(problems()).toContainEqual(
        expect.objectContaining({ name: 'policy', state: 'fail', what: expect.stringContaining('default policy') }),
      )
    },
  )
})

describe('doctor: things in the way', () => {
  test.each(['manifest', 'hot', 'policy', 'lock', 'faults'] as const)(
    'doctor: a folder where %s should be has failed',
    (name) => {
      fs.rmSync(store.layout[name], { force: true })
      fs.mkdirSync(store.layout[name])
      expect(problems()).toContainEqual(
        expect.objectContaining({ state: 'fail', hint: expect.stringMatching(/folder where|rebuild/) }),
      )
    },
  )

  test('doctor: a file where the events should be has failed', () => {
    fs.rmSync(store.layout.events, { recursive: true })
    fs.writeFileSync(store.layout.events, '')
    expect(problems()).toContainEqual(
      expect.objectContaining({ name: 'store', state: 'fail', where: store.layout.events }),
    )
  })

  test('doctor: a home that is a file has failed', async () => {
    fs.rmSync(home, { recursive: true })
    fs.writeFileSync(home, '')
    const { checks, status } = await diagnosis()
    expect(checks).toContainEqual(expect.objectContaining({ name: 'home', state: 'fail' }))
    expect(status).toBe(1)
  })

  test('doctor: a disk that refuses to be read is reported, and nothing is thrown', () => {
    const refused = (): never => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    }
    const found = problems({ ...realDisk, read: refused, readAt: refused, open: refused })
    expect(found.length).toBeGreaterThan(3)
    for (const check of found)
      if (check.state === 'fail') expect(check).toMatchObject({ hint: expect.stringMatching(/writable|rebuild/) })
  })

  test.skipIf(process.getuid?.() === 0)('doctor: a home that may not be written has failed', async () => {
    fs.chmodSync(home, 0o500)
    const { checks } = await diagnosis()
    fs.chmodSync(home, 0o700)
    expect(checks).toContainEqual(expect.objectContaining({ name: 'home', state: 'fail' }))
  })

  test('doctor: a config that is no YAML has failed', async () => {
    fs.writeFileSync(path.join(home, 'config.yaml'), 'recall: [1,')
    expect((await diagnosis()).checks).toContainEqual(expect.objectContaining({ name: 'config', state: 'fail' }))
  })
})

describe('doctor: processes and sessions', () => {
  test('doctor: a lock held by a living process and one of a dead process are distinguished', () => {
    const held = () => checkStore(store, NOW).find((check) => check.name === 'lock')!.what
    expect(held()).toBe('Free')
    const lock = acquireLock(realDisk, store.layout.lock)!
    expect(held()).toMatch(new RegExp(`process ${process.pid}, which runs`))
    lock.release()
    fs.writeFileSync(
      store.layout.lock,
      JSON.stringify({ pid: process.pid, started: `${Number(processStartTime(process.pid)) - 1}` }),
    )
    expect(held()).toMatch(processStartTime(process.pid) === undefined ? /runs/ : /dead/)
  })

  test.each([
    ['was cut off', [], /silent for/],
    ['ended', [{ hook_event_name: 'SessionEnd', reason: 'other' }], /it ended/],
  ])('doctor: a session that %s is reported with the reason until it is organized', (_, more, why) => {
    const name = '2026-03-09-10-stock-cut-short.jsonl'
    const recorded = parseRecording(fs.readFileSync(path.join(RECORDINGS, name), 'utf8'), name)
    const { at, payload } = recorded.at(-1)!
    // As hooks leave it behind when no worker follows them: recorded, and not organized.
    runHookPayloads(store, [...recorded, ...more.map((end) => ({ at, payload: { ...payload, ...end } }))])
    expect(problems()).toMatchObject([{ name: 'sessions', state: 'warn', what: expect.stringMatching(why) }])
    expect(stateOf(checkStore(store, at + 60_000))).toEqual([])
    runMaintenance(store, { now: NOW })
    expect(problems()).toEqual([])
  })

  test('doctor: faults of the last days are reported, older ones are not', () => {
    const fault = (at: string) =>
      `${JSON.stringify({ at, where: 'Stop', what: 'ENOSPC', hint: 'Free some disk space.' })}\n`
    fs.writeFileSync(store.layout.faults, fault('2026-01-01T00:00:00.000Z'))
    expect(problems()).toEqual([])
    fs.appendFileSync(store.layout.faults, `${fault('2026-03-19T00:00:00.000Z')}{"at":"2026`)
    expect(problems()).toMatchObject([{ name: 'faults', state: 'warn', hint: 'Free some disk space.' }])
  })
})

describe('doctor: installed hooks', () => {
  const hookChecks = async () => (await diagnosis()).checks.filter((check) => ['hooks', 'starts'].includes(check.name))
  const options = () => ({
    project,
    home,
    packageRoot: path.join(home, 'package'),
    version: '0.1.0',
    claudeFolder: path.join(home, 'person/.claude'),
  })

  /** A package whose hooks do what `script` says. */
  function packageOf(script: string): void {
    const folder = path.join(home, 'package/dist/hooks')
    fs.mkdirSync(folder, { recursive: true })
    for (const { script: name } of HOOK_REGISTRATIONS) fs.writeFileSync(path.join(folder, `${name}.cjs`), script)
  }

  beforeEach(() => fs.rmSync(path.join(project, '.claude'), { recursive: true, force: true }))

  test('doctor: a project without hooks is reported', async () => {
    expect(await hookChecks()).toMatchObject([
      { name: 'hooks', state: 'warn', hint: expect.stringContaining('memctl init') },
    ])
  })

  test('doctor: what init installed is fine, and each script was started', async () => {
    packageOf(`if (process.env.MEMCTL_OFF !== '1') console.log('ran')`)
    installHooks({ ...options(), version: readPackageInfo().version }, () => {})
    expect(await hookChecks()).toMatchObject([
      { name: 'hooks', state: 'ok' },
      { name: 'starts', state: 'ok', what: expect.stringContaining(`${HOOK_REGISTRATIONS.length} hook scripts`) },
    ])
  })

  test('doctor: hooks that the server runs are fine as long as the project starts the server', async () => {
    packageOf('')
    installHooks({ ...options(), hooks: 'server', version: readPackageInfo().version }, () => {})
    const scripts = HOOK_REGISTRATIONS.filter(({ serverFields }) => !serverFields).length
    expect(await hookChecks()).toMatchObject([
      { name: 'hooks', state: 'ok', what: expect.stringContaining(`${HOOK_REGISTRATIONS.length} events`) },
      { name: 'starts', state: 'ok', what: expect.stringContaining(`${scripts} hook scripts`) },
    ])
    fs.rmSync(path.join(project, '.mcp.json'))
    expect(await hookChecks()).toContainEqual(
      expect.objectContaining({ state: 'warn', hint: expect.stringContaining('memctl init --local --hooks server') }),
    )
  })

  test('doctor: hooks of another version are reported', async () => {
    packageOf('')
    installHooks({ ...options(), version: '0.0.9' }, () => {})
    expect(await hookChecks()).toContainEqual(
      expect.objectContaining({ state: 'warn', what: expect.stringContaining('0.0.9') }),
    )
  })

  test('doctor: missing scripts have failed', async () => {
    packageOf('')
    installHooks(options(), () => {})
    fs.rmSync(path.join(home, 'runtime'), { recursive: true })
    expect(await hookChecks()).toMatchObject([
      { name: 'hooks', state: 'fail', what: expect.stringContaining('missing') },
    ])
  })

  test.each([
    ['throws', 'throw new Error("broken build")', 'broken build'],
    ['talks when it should be silent', 'console.log("debug")', 'debug'],
  ])('doctor: a script that %s has failed', async (_, script, why) => {
    packageOf(script)
    installHooks(options(), () => {})
    expect(await hookChecks()).toContainEqual(
      expect.objectContaining({ name: 'starts', state: 'fail', what: expect.stringContaining(why) }),
    )
  })

  test('doctor: settings that are no JSON, and disabled hooks, are reported', async () => {
    fs.mkdirSync(path.join(project, '.claude'))
    fs.writeFileSync(path.join(project, '.claude/settings.json'), '{ hooks: }')
    fs.writeFileSync(path.join(project, '.claude/settings.local.json'), '{ "disableAllHooks": true }')
    const found = await hookChecks()
    expect(found).toContainEqual(expect.objectContaining({ state: 'fail', what: expect.stringContaining('line 1') }))
    expect(found).toContainEqual(
      expect.objectContaining({ state: 'warn', what: expect.stringContaining('disableAllHooks') }),
    )
  })
})
