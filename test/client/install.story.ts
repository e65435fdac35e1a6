// As a new user: from the tarball, from the marketplace file of a clone, and from a clone, none with a build of their
// own, in an empty home and in paths with spaces and Japanese letters. What one session was told, the next one gets;
// after `forget` and `uninstall` the settings have the bytes they had before.
// Needs a built memctl, git, npm and a client; without a client the stories are skipped, visibly.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { REPOSITORY } from './binary.ts'
import { describeEachClient } from './eachClient.ts'
import { findInjectedContexts } from './findInRequests.ts'
import { type ClientResult, runClient } from './runClient.ts'

const STATEMENT = 'From now on, always use pnpm for scripts in this project, never npm.'
/** Compact, with an escape and without a newline at the end. */
const SETTINGS = '{"permissions":{"allow":["Bash(ls)","Bash(\\u65e5)"]},"hooks":{}}'

let scratch: string
let project: string
let home: string

beforeEach(() => {
  scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-new-user-')))
  project = path.join(scratch, '仕事 の folder', '買い物 cart')
  home = path.join(scratch, 'the home, 家')
  fs.mkdirSync(path.join(project, '.git'), { recursive: true })
  fs.mkdirSync(path.join(project, '.claude'))
  fs.writeFileSync(path.join(project, '.claude/settings.local.json'), SETTINGS)
  // No session is a holdout, which would get nothing.
  fs.mkdirSync(path.join(home, '.memctl'), { recursive: true })
  fs.writeFileSync(path.join(home, '.memctl/all.yaml'), 'name: all\nextends: default\nrecall: { withholdShare: 0 }\n')
  fs.writeFileSync(path.join(home, '.memctl/config.yaml'), 'policy: ./all.yaml\n')
})
afterEach(() => fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }))

/** Runs a program as the new user, in a folder. */
const run = (folder: string, program: string, ...words: string[]): string => runAt(home, folder, program, ...words)

const runAt = (userHome: string, folder: string, program: string, ...words: string[]): string =>
  execFileSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: userHome,
      TMPDIR: process.env['TMPDIR'],
      // Behind a proxy that signs with its own certificate. npm reads its global settings from the prefix of `-g`.
      NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'],
      ...npmSettings(),
    },
  })

/** Cache, registry and certificates are those of the machine, as environment variables. */
function npmSettings(): Record<string, string> {
  const settings = ['cache', 'registry', 'cafile'].map((key) => {
    const value = execFileSync('npm', ['config', 'get', key], { encoding: 'utf8' }).trim()
    return [`npm_config_${key}`, value] as const
  })
  return Object.fromEntries(settings.filter(([, value]) => value !== 'null'))
}

async function session(claude: string, prompt: string, folder = project): Promise<ClientResult> {
  const result = await runClient({ claude, project: folder, home, prompt, turns: ['Understood.'] })
  expect(result.code, result.stderr).toBe(0)
  expect(result.stderr).not.toMatch(/hook/i)
  return result
}

const startOf = ({ requests }: ClientResult): string =>
  findInjectedContexts(requests, 'SessionStart')
    .map(({ text }) => text)
    .join('\n')

/** Waits until the detached worker has organized the session and ended, for 30 s at most. */
async function waitForWorker(status: () => string): Promise<void> {
  for (let polls = 0; polls < 120; polls++) {
    await new Promise((done) => setTimeout(done, 250))
    const files = fs.readdirSync(path.join(home, '.memctl'), { recursive: true, encoding: 'utf8' })
    const isRunning = files.some((file) => path.basename(file) === 'lock' || file.includes('scratch'))
    if (!isRunning && JSON.parse(status()).unorganized === 0) return
  }
  throw new Error(`Not organized: ${status()}`)
}

/** Two sessions: the second knows what the first was told. It is looked at, taken elsewhere, and forgotten here. */
async function useMemory(claude: string, memctl: readonly [string, ...string[]]): Promise<void> {
  const [program, ...words] = memctl
  const status = (): string => run(project, program, ...words, 'status', '--json')
  await session(claude, STATEMENT)
  await waitForWorker(status)
  expect(startOf(await session(claude, 'Which package manager?'))).toContain('pnpm')
  await waitForWorker(status)
  run(project, program, ...words, 'report', '--out', 'レポート.html')
  expect(fs.readFileSync(path.join(project, 'レポート.html'), 'utf8')).toContain('always use pnpm')
  takeElsewhere(memctl)
  run(project, program, ...words, 'forget', '--text', 'always use pnpm', '--yes')
  expect(startOf(await session(claude, 'And now?'))).not.toContain('always use pnpm')
  await waitForWorker(status)
  expect(run(project, program, ...words, 'doctor')).toContain('0 failed')
}

/** Another person, with a project of another name, gets an export. */
function takeElsewhere([program, ...words]: readonly [string, ...string[]]): void {
  const [otherHome, other] = [path.join(scratch, 'another home'), path.join(scratch, '別の project')]
  for (const folder of [otherHome, other]) fs.mkdirSync(folder)
  const file = path.join(scratch, '記憶.jsonl')
  run(project, program, ...words, 'export', '--out', file)
  runAt(otherHome, other, program, ...words, 'import', 'memctl', file)
  expect(runAt(otherHome, other, program, ...words, 'list')).toContain('pnpm')
}

function expectNoTraces(): void {
  expect(fs.readFileSync(path.join(project, '.claude/settings.local.json'), 'utf8')).toBe(SETTINGS)
  expect(fs.readdirSync(path.join(project, '.claude'))).toEqual(['settings.local.json'])
}

/** A clone of this repository, without packages and without a build. */
function cloneRepository(): string {
  const clone = path.join(scratch, 'clones 複製', 'memctl')
  fs.mkdirSync(path.dirname(clone))
  run(scratch, 'git', 'clone', '--quiet', '--depth', '1', `file://${REPOSITORY}`, clone)
  return clone
}

describeEachClient((claude) => {
  test('story: a new user installs the tarball, and removes it without a trace', async () => {
    run(REPOSITORY, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', scratch)
    const tarball = path.join(scratch, fs.readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '')
    const prefix = path.join(home, 'npm の prefix')
    run(home, 'npm', 'install', '-g', '--prefix', prefix, '--omit=optional', '--no-audit', '--no-fund', tarball)
    const memctl = path.join(prefix, 'bin/memctl')
    expect(run(project, memctl, 'init')).toContain('Never:')
    await useMemory(claude, [memctl])
    expect(run(project, memctl, 'uninstall', '--purge', '--yes')).toContain('is deleted')
    expectNoTraces()
    expect(fs.existsSync(path.join(home, '.memctl'))).toBe(false)
  })

  test('story: a new user runs init from a clone that was not built', async () => {
    const memctl = path.join(cloneRepository(), 'plugin/bin/memctl')
    run(project, process.execPath, memctl, 'init')
    await useMemory(claude, [process.execPath, memctl])
    run(project, process.execPath, memctl, 'uninstall')
    expectNoTraces()
  })

  test('story: a new user installs the plugin from the marketplace file of a clone', async () => {
    const clone = cloneRepository()
    for (const folder of ['.', 'plugin']) run(clone, claude, 'plugin', 'validate', '--strict', folder)
    run(project, claude, 'plugin', 'marketplace', 'add', clone)
    run(project, claude, 'plugin', 'install', 'memctl@memctl')
    await useMemory(claude, [process.execPath, path.join(clone, 'plugin/bin/memctl')])
    run(project, claude, 'plugin', 'uninstall', 'memctl@memctl')
    expectNoTraces()
  })

  test('story: the hooks of a clone of this repository run before anything is built', async () => {
    const clone = cloneRepository()
    const { debug } = await session(claude, STATEMENT, clone)
    expect(debug).not.toMatch(/Cannot find module/)
    const stores = fs.readdirSync(path.join(home, '.memctl/projects'))
    expect(stores).toHaveLength(1)
    expect(fs.readdirSync(path.join(home, '.memctl/projects', stores[0] ?? ''))).toContain('events')
  })
})
