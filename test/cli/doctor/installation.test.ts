// memctl doctor: what it finds in an installation, and what --fix repairs there.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DoctorReport } from '../../../src/cli/commands/doctor.ts'
import { readPackageInfo } from '../../../src/cli/context/packageInfo.ts'
import { checkInstallation, repairInstallation } from '../../../src/cli/doctor/checkInstallation.ts'
import type { InstallOptions } from '../../../src/cli/install/installation.ts'
import { installHooks } from '../../../src/cli/install/installHooks.ts'
import { copyCodeCaches } from '../../codeCaches.ts'
import { buildFakePackage } from '../install/fakePackage.ts'
import { newWorld, type World } from '../testContext.ts'

let folder: string
let options: InstallOptions

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl doctor 診断-')))
  for (const name of ['店', 'other 二']) fs.mkdirSync(path.join(folder, name))
  options = {
    project: path.join(folder, '店'),
    home: path.join(folder, 'home of 記憶'),
    claudeFolder: path.join(folder, 'claude'),
    packageRoot: buildFakePackage(path.join(folder, 'package'), '1.0.0'),
    version: '1.0.0',
  }
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const quiet = () => {}
const other = (): string => path.join(folder, 'other 二')
const local = (project = options.project): string => path.join(project, '.claude', 'settings.local.json')
const runtime = (version: string): string => path.join(options.home, 'runtime', version)
const later = (): InstallOptions => ({
  ...options,
  version: '1.1.0',
  packageRoot: buildFakePackage(path.join(folder, 'package 1.1.0'), '1.1.0'),
})
const problems = (at = options) => checkInstallation(at).filter(({ state }) => state !== 'ok')

describe('doctor: an installation', () => {
  test('doctor: a complete installation has no problem, and without one nothing is said', () => {
    expect(checkInstallation(options)).toEqual([])
    installHooks(options, quiet)
    expect(checkInstallation(options)).toEqual([
      { name: 'runtime', state: 'ok', what: expect.stringContaining('1 settings file'), where: runtime('1.0.0') },
    ])
  })

  test.each([
    ['a missing script', () => fs.rmSync(path.join(runtime('1.0.0'), 'hooks/stop.cjs'))],
    ['a shortened script', () => fs.writeFileSync(path.join(runtime('1.0.0'), 'hooks/stop.cjs'), '')],
    ['no slash commands', () => fs.rmSync(path.join(runtime('1.0.0'), 'slash.mjs'))],
    ['no folder', () => fs.rmSync(path.join(runtime('1.0.0')), { recursive: true })],
  ])('doctor: a runtime with %s has failed, and --fix completes it', (_name, damage) => {
    installHooks(options, quiet)
    const settings = fs.readFileSync(local(), 'utf8')
    damage()
    expect(problems()).toMatchObject([{ name: 'runtime', state: 'fail', hint: 'Run `memctl doctor --fix`.' }])
    expect(repairInstallation(options)).toMatchObject([
      { name: 'fixed', what: expect.stringContaining('complete again'), where: runtime('1.0.0') },
    ])
    expect(problems()).toEqual([])
    expect(fs.readFileSync(path.join(runtime('1.0.0'), 'hooks/stop.cjs'), 'utf8')).toBe('// 1.0.0\n')
    expect(fs.readFileSync(local(), 'utf8')).toBe(settings)
  })

  test('doctor: settings that name a runtime that does not exist have failed, and --fix gives them this one', () => {
    installHooks(options, quiet)
    fs.rmSync(runtime('1.0.0'), { recursive: true })
    expect(problems(later())).toMatchObject([{ name: 'runtime', state: 'fail', where: local() }])
    const fixed = repairInstallation(later())
    expect(fixed).toContainEqual(expect.objectContaining({ name: 'fixed', where: local() }))
    expect(fixed.map(({ what }) => what).join('\n')).toContain('It named memctl 1.0.0, now 1.1.0')
    expect(problems(later())).toEqual([])
  })

  test('doctor: other projects and MCP servers with an older version are a warning, and upgrade is the hint', () => {
    installHooks({ ...options, mcp: true }, quiet)
    installHooks({ ...options, project: other() }, quiet)
    const found = problems(later())
    const hint = 'Run `memctl init --upgrade`.'
    const what = 'It names memctl 1.0.0, this is 1.1.0'
    const expected = [path.join(options.project, '.mcp.json'), local(other())].map((where) =>
      expect.objectContaining({ state: 'warn', what, where, hint }),
    )
    expect(found).toHaveLength(2)
    expect(found).toEqual(expect.arrayContaining(expected))
    repairInstallation(later())
    expect(problems(later())).toEqual([])
  })

  test('doctor: --fix changes nothing but parts of memctl, and nothing at all where nothing is wrong', () => {
    fs.mkdirSync(path.dirname(local()))
    fs.writeFileSync(local(), '{ "model":"opus" }')
    installHooks(options, quiet)
    expect(repairInstallation(options)).toEqual([])
    repairInstallation(later())
    expect(fs.readFileSync(local(), 'utf8')).toMatch(/^\{ "model":"opus",/)
  })
})

describe('doctor: an installation, by the command', () => {
  let world: World
  beforeEach(() => {
    world = newWorld()
    copyCodeCaches(path.join(world.folder, 'home'))
  })
  afterEach(() => world.end())
  const { version } = readPackageInfo()
  const installed = (): string => path.join(world.folder, 'home/runtime', version)

  test('doctor: --fix says each repair first, and the exit status is 0 afterwards', { timeout: 60_000 }, async () => {
    await world.memctl('init')
    fs.rmSync(path.join(installed(), 'worker.cjs'))
    const broken = await world.memctl('doctor')
    expect(broken).toMatchObject({ status: 1, out: expect.stringContaining('first worker.cjs') })
    const repaired = await world.memctl('doctor', '--fix')
    expect(repaired.status).toBe(0)
    expect(repaired.out).toMatch(/^memctl .*\nok +fixed +The scripts .* worker\.cjs/)
    expect(fs.existsSync(path.join(installed(), 'worker.cjs'))).toBe(true)
    expect((await world.memctl('doctor', '--fix')).out).not.toContain('fixed')
  })

  test('doctor: missing code caches are a warning, and --fix builds them', { timeout: 60_000 }, async () => {
    await world.memctl('init')
    fs.rmSync(path.join(world.folder, 'home/cache'), { recursive: true })
    const report = await world.json<DoctorReport>('doctor')
    expect(report.healthy).toBe(true)
    expect(report.checks).toContainEqual(expect.objectContaining({ name: 'caches', state: 'warn' }))
    const fixed = await world.json<DoctorReport>('doctor', '--fix')
    expect(fixed.checks[0]).toMatchObject({ name: 'fixed', what: expect.stringMatching(/^\d+ code caches of hooks/) })
    expect(fixed.checks.map(({ name }) => name)).not.toContain('caches')
  })

  test('doctor: hooks in settings and in the plugin: both removals are named, none is done', async () => {
    await world.memctl('init')
    const settings = path.join(world.folder, 'project/.claude/settings.local.json')
    const user = path.join(world.folder, '.claude/settings.json')
    fs.mkdirSync(path.dirname(user), { recursive: true })
    fs.writeFileSync(user, '{"enabledPlugins":{"memctl@memctl":true}}')
    const before = fs.readFileSync(settings, 'utf8')
    const { out: printed } = await world.memctl('doctor', '--fix')
    const out = printed.replace(/\n +/g, ' ')
    expect(out).toContain(`remove the other: \`memctl uninstall --local\` (${settings}) or`)
    expect(out).toContain('`claude plugin uninstall memctl@memctl`')
    expect([settings, user].map((file) => fs.readFileSync(file, 'utf8'))).toEqual([
      before,
      '{"enabledPlugins":{"memctl@memctl":true}}',
    ])
  })
})
