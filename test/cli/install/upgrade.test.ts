// memctl init --upgrade: what init has installed, in several projects and for the user, comes to the version of it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InstallOptions } from '../../../src/cli/install/installation.ts'
import { installHooks, uninstallHooks } from '../../../src/cli/install/installHooks.ts'
import { listRuntimeUsers } from '../../../src/cli/install/runtimeFolder.ts'
import { formatUpgrade, isLaterVersion, upgradeInstallation } from '../../../src/cli/install/upgrade.ts'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'
import { isWindows } from '../../platforms/platform.ts'
import { newWorld } from '../testContext.ts'
import { buildFakePackage } from './fakePackage.ts'

let top: string
let count = 0
let folder: string
let options: InstallOptions

beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-upgrade-')))
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))
beforeEach(() => {
  folder = path.join(top, `${count++} 新しい 場所`)
  for (const name of ['店 の project', 'other 二', 'claude']) fs.mkdirSync(path.join(folder, name), { recursive: true })
  options = {
    project: path.join(folder, '店 の project'),
    home: path.join(folder, 'home of 記憶'),
    userHome: folder,
    claudeFolder: path.join(folder, 'claude'),
    packageRoot: builtPackage('1.0.0'),
    version: '1.0.0',
  }
})

const builtPackage = (version: string): string => buildFakePackage(path.join(folder, `package ${version}`), version)

const quiet = () => {}
const at = (version: string, more: Partial<InstallOptions> = {}): InstallOptions => ({
  ...options,
  ...more,
  version,
  packageRoot: builtPackage(version),
})
const read = (file: string): string => fs.readFileSync(file, 'utf8')
const local = (project = options.project): string => path.join(project, '.claude', 'settings.local.json')
const other = (): string => path.join(folder, 'other 二')
/** Every file with its bytes, without the packages. */
const picture = (): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .filter((name) => !name.startsWith('package') && fs.statSync(path.join(folder, name)).isFile())
      .map((name) => [name, read(path.join(folder, name))]),
  )

/** Two projects and the user have 1.0.0; one has formatted settings of its own. */
function installEverywhere(): void {
  fs.mkdirSync(path.dirname(local()))
  fs.writeFileSync(local(), SETTINGS)
  installHooks({ ...options, mcp: true, statusline: true }, quiet)
  installHooks({ ...options, project: other() }, quiet)
  installHooks({ ...options, user: true }, quiet)
}
const SETTINGS = '{"permissions":{"allow":["Bash(ls)"] },\n\t"note": "店", "hooks": {}}\r\n'

describe('upgrade: what is installed comes to the version of the command', () => {
  test('upgrade: settings of all known projects and of the user name the new scripts, which exist', () => {
    installEverywhere()
    const result = upgradeInstallation(at('1.1.0'))
    const files = [local(), local(other()), path.join(options.claudeFolder!, 'settings.json')]
    const servers = path.join(options.project, '.mcp.json')
    expect(result.upgraded.map(({ file }) => file).sort()).toEqual([...files, servers].sort())
    for (const { from, to } of result.upgraded) expect([from, to]).toEqual(['1.0.0', '1.1.0'])
    expect(result.upgraded.find(({ file }) => file === servers)!.parts).toEqual(['MCP server'])
    expect(result.upgraded.find(({ file }) => file === local())!.parts).toEqual([
      'hooks',
      'status line',
      'slash commands',
    ])
    for (const file of files) {
      expect(read(file)).not.toContain('1.0.0')
      const { hooks } = JSON.parse(read(file)) as { hooks: Record<string, { hooks: { args: string[] }[] }[]> }
      const scripts = Object.values(hooks).map(([group]) => group!.hooks[0]!.args[0]!)
      expect(scripts).toHaveLength(HOOK_REGISTRATIONS.length)
      for (const script of scripts) expect(read(script)).toBe('// 1.1.0\n')
      const command = read(path.join(path.dirname(file), 'commands/memctl/pin.md'))
      expect(command).toContain('/runtime/1.1.0/slash.mjs"')
      expect(read(path.join(path.dirname(file), 'skills/memctl/SKILL.md'))).toContain('/runtime/1.1.0/slash.mjs"')
    }
    expect(read(servers)).toContain('/runtime/1.1.0/mcp.mjs')
    expect(read(local())).toContain('/runtime/1.1.0/statusline.cjs')
    expect(listRuntimeUsers(options.home)).toEqual([...files, servers].sort())
  })

  test('upgrade: sessions that run keep the scripts of the version before', () => {
    installEverywhere()
    const script = path.join(options.home, 'runtime/1.0.0/hooks/stop.cjs')
    const result = upgradeInstallation(at('1.1.0'))
    expect(read(script)).toBe('// 1.0.0\n')
    expect(formatUpgrade(result).join('\n')).toContain('Sessions that run keep the scripts they started with')
  })

  test('upgrade: after an upgrade, uninstall gives back every byte of the settings', () => {
    installEverywhere()
    upgradeInstallation(at('1.1.0'))
    upgradeInstallation(at('1.2.0'))
    const later = at('1.2.0')
    uninstallHooks(later, quiet)
    uninstallHooks({ ...later, project: other() }, quiet)
    uninstallHooks({ ...later, user: true }, quiet)
    expect(read(local())).toBe(SETTINGS)
    expect(Object.keys(picture()).filter((name) => !name.startsWith('home'))).toEqual([path.relative(folder, local())])
  })

  test('upgrade: hooks that the server runs stay in the server', () => {
    const settings = (): string => read(local()).replaceAll(/1\.\d\.0/g, 'VERSION')
    installHooks({ ...options, hooks: 'server' }, quiet)
    const before = settings()
    expect(before).toContain('mcp_tool')
    expect(upgradeInstallation(at('1.1.0')).upgraded).toHaveLength(2)
    expect(read(local())).toContain('1.1.0')
    expect(settings()).toBe(before)
    expect(upgradeInstallation(at('1.1.0')).current).toHaveLength(2)
  })

  test('upgrade: settings that the client or a person has added since stay, and so do additions to our parts', () => {
    installEverywhere()
    const settings = JSON.parse(read(local())) as { statusLine: object }
    const edited = { ...settings, model: 'opus', statusLine: { ...settings.statusLine, padding: 0 } }
    fs.writeFileSync(local(), JSON.stringify(edited, null, 4))
    const servers = path.join(options.project, '.mcp.json')
    const { mcpServers } = JSON.parse(read(servers)) as { mcpServers: { memctl: { args: string[] } } }
    const server = { command: 'node', args: [...mcpServers.memctl.args, '--tools', 'all'], env: { A: '1' } }
    fs.writeFileSync(servers, JSON.stringify({ mcpServers: { memctl: server } }))
    upgradeInstallation(at('1.1.0'))
    expect(JSON.parse(read(local()))).toMatchObject({
      model: 'opus',
      statusLine: { padding: 0, command: expect.stringContaining('1.1.0') },
    })
    const after = JSON.parse(read(servers)) as typeof settings
    const script = expect.stringContaining('1.1.0/mcp.mjs') as string
    expect(after).toEqual({ mcpServers: { memctl: { ...server, args: [script, '--tools', 'all'] } } })
  })

  test('upgrade: a slash command that the new version does not have any more is removed', () => {
    installEverywhere()
    const commands = path.join(options.project, '.claude/commands/memctl')
    fs.copyFileSync(path.join(commands, 'pin.md'), path.join(commands, 'earlier.md'))
    fs.writeFileSync(path.join(commands, 'mine.md'), 'Mine.')
    upgradeInstallation(at('1.1.0'))
    expect(fs.existsSync(path.join(commands, 'earlier.md'))).toBe(false)
    expect(read(path.join(commands, 'mine.md'))).toBe('Mine.')
  })

  test.skipIf(isWindows)('upgrade: settings that are a link stay a link, with the commands beside it', () => {
    const file = path.join(options.claudeFolder!, 'settings.json')
    fs.mkdirSync(path.join(folder, 'dotfiles'))
    fs.writeFileSync(path.join(folder, 'dotfiles/settings.json'), '{}')
    fs.symlinkSync(path.join(folder, 'dotfiles/settings.json'), file)
    installHooks({ ...options, user: true }, quiet)
    upgradeInstallation(at('1.1.0'))
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true)
    expect(read(file)).toContain('1.1.0')
    expect(read(path.join(options.claudeFolder!, 'commands/memctl/pin.md'))).toContain('1.1.0')
    expect(fs.readdirSync(path.join(folder, 'dotfiles'))).toEqual(['settings.json'])
  })
})

describe('upgrade: nothing to do', () => {
  test('upgrade: a second run changes no byte, and says so', () => {
    installEverywhere()
    upgradeInstallation(at('1.1.0'))
    const before = picture()
    const again = upgradeInstallation(at('1.1.0'))
    expect(again).toMatchObject({ upgraded: [], left: [], runtime: { changed: false } })
    expect(formatUpgrade(again)).toEqual(['Nothing to upgrade: 4 settings files with memctl 1.1.0.'])
    expect(picture()).toEqual(before)
  })

  test('upgrade: without an installation it writes nothing and names init', () => {
    const result = upgradeInstallation(at('1.1.0'))
    expect(formatUpgrade(result).join('\n')).toMatch(/^Nothing to upgrade: no known settings .*`memctl init`/)
    expect(picture()).toEqual({})
  })

  test('upgrade: a dry run says everything and changes no byte', () => {
    installEverywhere()
    const before = picture()
    const dry = upgradeInstallation({ ...at('1.1.0'), dryRun: true })
    expect(picture()).toEqual(before)
    const text = formatUpgrade(dry).join('\n')
    expect(text).toContain(`  ${local()}: 1.0.0 → 1.1.0 (hooks, status line, slash commands)`)
    expect(text).toContain('Nothing was written')
    expect(dry.runtime).toEqual({ folder: path.join(options.home, 'runtime', '1.1.0'), changed: true })
    const done = upgradeInstallation(at('1.1.0'))
    expect(done.upgraded.map(({ diff }) => diff)).toEqual(dry.upgraded.map(({ diff }) => diff))
  })

  test('upgrade: the command ends with 0, and answers one object with --json', async () => {
    const world = newWorld()
    const { status, out } = await world.memctl('init', '--upgrade')
    expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^Nothing to upgrade/) })
    expect(await world.json('init', '--upgrade', '--dry-run')).toMatchObject({ dryRun: true, upgraded: [], left: [] })
    world.end()
  })
})

describe('upgrade: what it leaves alone', () => {
  const why = (file: string, version = '1.1.0'): string =>
    upgradeInstallation(at(version)).left.find((left) => left.file === file)?.why ?? ''

  test('upgrade: a settings file that is gone or invalid does not stop the others', () => {
    installEverywhere()
    fs.rmSync(local(other()))
    fs.writeFileSync(path.join(options.project, '.mcp.json'), '{ "mcpServers": ')
    const result = upgradeInstallation(at('1.1.0'))
    const left = Object.fromEntries(result.left.map((each) => [each.file, each.why]))
    expect(left[local(other())]).toBe('it does not exist any more')
    expect(left[path.join(options.project, '.mcp.json')]).toContain('is not JSON, line 1')
    expect(result.upgraded).toHaveLength(2)
    expect(formatUpgrade(result).join('\n')).toContain(`  ${local(other())}: it does not exist any more.`)
    expect(read(path.join(options.project, '.mcp.json'))).toBe('{ "mcpServers": ')
  })

  test.each([
    ['a changed timeout', (text: string) => text.replace('"timeout": 10', '"timeout": 30')],
    ['a missing hook', (text: string) => text.replace('"PreCompact"', '"NobodysEvent"')],
    ['an argument', (text: string) => text.replace('stop.cjs"', 'stop.cjs", "--verbose"')],
  ])('upgrade: settings whose hooks a person has edited stay: %s', (_name, edit) => {
    installHooks(options, quiet)
    const text = edit(read(local()))
    expect(text).not.toBe(read(local()))
    fs.writeFileSync(local(), text)
    expect(why(local())).toBe('its hooks were edited by hand')
    expect(read(local())).toBe(text)
    expect(fs.existsSync(path.join(options.home, 'runtime/1.0.0/hooks/stop.cjs'))).toBe(true)
  })

  test('upgrade: settings without memctl, of a later version and of another home stay', () => {
    installEverywhere()
    expect(why(local(), '0.9.0')).toBe('it names memctl 1.0.0, which is later than this one, 0.9.0')
    const elsewhere = path.join(folder, 'elsewhere')
    installHooks({ ...options, home: elsewhere }, quiet)
    expect(why(local())).toContain(`another home of memctl, ${elsewhere}`)
    fs.writeFileSync(local(), SETTINGS)
    expect(why(local())).toBe('memctl is not in it any more')
    expect(read(local())).toBe(SETTINGS)
  })

  test('upgrade: settings of a later version whose scripts are gone get those of this version', () => {
    installHooks(at('2.0.0'), quiet)
    fs.rmSync(path.join(options.home, 'runtime/2.0.0'), { recursive: true })
    expect(upgradeInstallation(options).upgraded).toMatchObject([{ file: local(), from: '2.0.0', to: '1.0.0' }])
  })

  test('upgrade: the plugin is not changed, and the command that updates it is named', () => {
    installHooks(options, quiet)
    const file = path.join(options.claudeFolder!, 'settings.json')
    const text = '{"enabledPlugins": {"memctl@memctl": true}}'
    fs.writeFileSync(file, text)
    expect(formatUpgrade(upgradeInstallation(at('1.1.0'))).join('\n')).toContain('claude plugin update memctl@memctl')
    expect(read(file)).toBe(text)
  })

  test.skipIf(isWindows || process.getuid?.() === 0)('upgrade: a file that cannot be written is named', () => {
    installEverywhere()
    fs.chmodSync(path.dirname(local()), 0o500)
    const result = upgradeInstallation(at('1.1.0'))
    fs.chmodSync(path.dirname(local()), 0o700)
    expect(result.left).toMatchObject([{ file: local(), why: expect.stringContaining('cannot be written') }])
    expect(result.upgraded).toHaveLength(3)
  })
})

test('upgrade: versions are compared as Semantic Versioning says', () => {
  const order = [
    '0.1.0-alpha',
    '0.1.0-alpha.1',
    '0.1.0-alpha.beta',
    '0.1.0-rc.2',
    '0.1.0-rc.10',
    '0.1.0',
    '0.2.0',
    '0.10.0',
  ]
  for (const [i, a] of order.entries()) {
    for (const [j, b] of order.entries()) expect([a, b, isLaterVersion(a, b)]).toEqual([a, b, i > j])
  }
})
