// Wiring: what memctl does to a person's settings, and that it can be undone.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseHookLocation } from '../../../src/cli/install/installation.ts'
import { installHooks, uninstallHooks } from '../../../src/cli/install/installHooks.ts'
import { addHooks, hookCommandFactory, listOurEntries, removeHooks } from '../../../src/cli/install/ourSettings.ts'
import {
  installRuntime,
  pruneRuntimes,
  recordRuntimeUser,
  runtimeFolder,
} from '../../../src/cli/install/runtimeFolder.ts'
import {
  changeSettingsText,
  describeJsonError,
  type JsonObject,
  readSettings,
  unifiedDiff,
  writeSettings,
} from '../../../src/cli/install/settingsFile.ts'
import { SLASH_COMMANDS } from '../../../src/cli/install/slashCommandFiles.ts'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'
import { isWindows } from '../../platforms/platform.ts'
import { generatePluginCommands, generatePluginHooks, generatePluginSkill } from '../pluginFiles.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const inProject = hookCommandFactory('/p/node_modules/memctl/dist/hooks')
const inRuntime = hookCommandFactory('/data/runtime/0.1.0/hooks')

/** Changes the value of a settings file. */
const setSettings = (file: string, settings: JsonObject): void =>
  writeSettings(file, changeSettingsText(readSettings(file).text, settings))

let top: string
let count = 0
const freshFolder = (): string => {
  const folder = path.join(top, `${count++}`)
  fs.mkdirSync(folder)
  return folder
}
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-wiring-')))
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

// Realistic and arbitrary settings: any JSON wherever the client accepts it.
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonObject[string]>
const theirHook = fc.oneof(
  json,
  fc.record({
    type: fc.constant('command'),
    command: fc.constantFrom('echo hi', 'node dist/hooks/stop.cjs', 'sh /x/hooks/stop.cjs'),
  }),
  fc.record({
    type: fc.constant('command'),
    command: fc.constant('node'),
    args: fc.constant([`\${CLAUDE_PROJECT_DIR}/dist/hooks/stop.cjs`]),
  }),
)
const theirGroup = fc.oneof(
  json,
  fc.record({ matcher: fc.string(), hooks: fc.array(theirHook, { maxLength: 3 }) }, { requiredKeys: ['hooks'] }),
)
const anyEvent = fc.constantFrom(...HOOK_REGISTRATIONS.map(({ event }) => event), 'Notification', '__proto__', '1')
const theirHooks = fc.dictionary(anyEvent, fc.array(theirGroup, { minLength: 1, maxLength: 3 }), {
  minKeys: 1,
  maxKeys: 6,
})
const settingsOf = fc
  .tuple(fc.dictionary(fc.string(), json, { maxKeys: 4 }), fc.option(theirHooks, { nil: undefined }), fc.boolean())
  .map(([others, hooks, first]): JsonObject => {
    const own = hooks === undefined ? {} : { hooks: hooks as JsonObject }
    const { hooks: _, ...rest } = others as JsonObject
    // As read from a file: no undefined, no shared objects, an own key `__proto__`.
    return JSON.parse(JSON.stringify(first ? { ...own, ...rest } : { ...rest, ...own })) as JsonObject
  })

describe('cli: installing hooks, properties', () => {
  test('cli: removing installed hooks restores the settings exactly, in the same order', () => {
    fc.assert(
      fc.property(settingsOf, (settings) => {
        const before = JSON.stringify(settings)
        const after = addHooks(settings, inRuntime)
        expect(listOurEntries(after).length > 0).toBe(true)
        expect(JSON.stringify(removeHooks(after))).toBe(before)
        expect(JSON.stringify(removeHooks(JSON.parse(JSON.stringify(after)) as JsonObject))).toBe(before)
        expect(JSON.stringify(settings)).toBe(before)
      }),
      { numRuns: 400 },
    )
  })

  test('cli: a list or an object of hooks that was empty is gone after removal', () => {
    expect(removeHooks(addHooks({ hooks: { Stop: [] }, a: 1 }, inRuntime))).toEqual({ a: 1 })
  })

  test('cli: installing twice equals installing once, and a newer version replaces the older', () => {
    fc.assert(
      fc.property(settingsOf, (settings) => {
        const once = addHooks(settings, inRuntime)
        expect(addHooks(once, inRuntime)).toBe(once)
        expect(JSON.stringify(addHooks(once, inProject))).toBe(JSON.stringify(addHooks(settings, inProject)))
      }),
    )
  })

  test('cli: existing hooks are not lost or moved, and each event has one entry of memctl', () => {
    fc.assert(
      fc.property(settingsOf, (settings) => {
        const after = addHooks(settings, inProject)
        const { hooks: hooksBefore = {}, ...restBefore } = settings
        const { hooks, ...rest } = after
        expect(JSON.stringify(rest)).toBe(JSON.stringify(restBefore))
        for (const [event, list] of Object.entries(hooksBefore as Record<string, unknown[]>)) {
          const listAfter = (hooks as Record<string, unknown[]>)[event]!
          expect(listAfter.slice(0, list.length)).toEqual(list)
        }
        for (const wanted of HOOK_REGISTRATIONS) {
          const group = (hooks as Record<string, JsonObject[]>)[wanted.event]!.at(-1)!
          expect(group['matcher']).toBe(wanted.matcher)
          expect(group['hooks']).toEqual([{ ...inProject(wanted), memctl: expect.any(String) }])
        }
      }),
    )
  })

  test('cli: hooks added later stay after removal, and moved groups keep their position', () => {
    fc.assert(
      fc.property(settingsOf, theirGroup, (settings, group) => {
        const once = addHooks(settings, inRuntime)
        const hooks = once['hooks'] as Record<string, JsonObject[]>
        const later: JsonObject = { ...once, hooks: { ...hooks, Stop: [...hooks['Stop']!, group as JsonObject] } }
        expect(addHooks(later, inRuntime)).toBe(later)
        const stop = (settings['hooks'] as Record<string, JsonObject[]> | undefined)?.['Stop'] ?? []
        expect((removeHooks(later)['hooks'] as JsonObject)['Stop']).toEqual([...stop, group])
        expect((addHooks(later, inProject)['hooks'] as JsonObject)['Stop']).toContainEqual(group)
      }),
    )
  })
})

describe('cli: installing hooks, examples', () => {
  test('cli: a hook without its marker is found by its path, and other hooks of its group stay', () => {
    const stranger = { type: 'command', command: 'date' }
    const ours = [
      { type: 'command', command: 'node', args: [`\${CLAUDE_PROJECT_DIR}/node_modules/memctl/dist/hooks/stop.cjs`] },
      { type: 'command', command: 'node "/home/a/.memctl/runtime/0.0.9/hooks/stop.cjs"' },
      { type: 'command', command: 'node', args: ['C:\\Users\\a\\.memctl\\runtime\\1.2.3-rc.1\\hooks\\gone-event.cjs'] },
    ]
    const settings = {
      hooks: { Stop: [{ hooks: [ours[0]!, stranger] }, { hooks: [ours[1]!] }], GoneEvent: [{ hooks: [ours[2]!] }] },
    }
    expect(removeHooks(settings)).toEqual({ hooks: { Stop: [{ hooks: [stranger] }] } })
    expect(addHooks(settings, inRuntime)).toEqual(addHooks({ hooks: { Stop: [{ hooks: [stranger] }] } }, inRuntime))
  })

  test('cli: settings with hooks of unknown shape are refused, and unchanged by removal', () => {
    for (const settings of [
      { hooks: [] },
      { hooks: 'x' },
      { hooks: null },
      { hooks: { Stop: {} } },
      { hooks: { Stop: null } },
    ]) {
      expect(() => addHooks(settings, inRuntime)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
      expect(removeHooks(settings)).toBe(settings)
    }
  })

  test('cli: the matcher matches the full name of every changing tool, and no other', () => {
    const matcher = new RegExp(HOOK_REGISTRATIONS.find(({ event }) => event === 'PreToolUse')!.matcher!)
    const before = ['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Agent', 'Task', 'Skill', 'mcp__github__get']
    expect(before.filter((tool) => !matcher.test(tool))).toEqual([])
    expect(
      ['BashOutput', 'TaskCreate', 'TodoWrite', 'Read', 'Grep', 'x_mcp__y'].filter((tool) => matcher.test(tool)),
    ).toEqual([])
  })
})

describe('cli: settings files', () => {
  const style = fc.record({
    indent: fc.constantFrom('  ', '    ', '\t', '   '),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.boolean(),
    bom: fc.boolean(),
  })

  test('cli: a file with one value per line keeps its indentation, line ends, last newline and byte order mark', () => {
    const plain = settingsOf.filter((settings) => Object.keys(settings).length > 0)
    fc.assert(
      fc.property(plain, style, (settings, { indent, eol, end, bom }) => {
        const text =
          (bom ? '\ufeff' : '') + JSON.stringify(settings, null, indent).replaceAll('\n', eol) + (end ? eol : '')
        const file = path.join(freshFolder(), 'settings.json')
        fs.writeFileSync(file, text)
        setSettings(file, addHooks(readSettings(file).settings, inRuntime))
        expect(fs.readFileSync(file, 'utf8')).not.toBe(text)
        setSettings(file, removeHooks(readSettings(file).settings!))
        expect(fs.readFileSync(file, 'utf8')).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  test('cli: an invalid file is refused with line and column, and not changed', () => {
    const broken: [string, string][] = [
      ['{\n  "a": 1,\n}\n', 'line 3, column 1: property name expected'],
      ['{\n  // note\n  "a": 1\n}', 'line 2, column 3: invalid comment token'],
      ['{"a": [1, 2}', 'line 1, column 12: comma expected'],
      ['{"a": 1} {', 'line 1, column 10: end of file expected'],
      ['{"a": tru}', 'line 1, column 7: invalid symbol'],
      ['{"a"', 'line 1, column 5: colon expected'],
      ['[1]', 'line 1, column 1: the settings are not a JSON object'],
      [`{"a": ${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 'is nested more than 200 levels deep'],
    ]
    for (const [text, place] of broken) {
      const file = path.join(freshFolder(), 'settings.json')
      fs.writeFileSync(file, text)
      for (const act of [() => readSettings(file), () => writeSettings(file, '{}')]) {
        expect(act).toThrow(
          expect.objectContaining({
            code: 'SETTINGS_INVALID',
            message: expect.toSatisfy((text: string) => text.endsWith(place)),
          }),
        )
        expect(act).toThrow(file)
      }
      expect(fs.readFileSync(file, 'utf8')).toBe(text)
      expect(fs.readdirSync(path.dirname(file))).toEqual(['settings.json'])
    }
  })

  test('cli: a text that JSON.parse refuses has an error position inside it, and one that it accepts has none', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'nul',
      ' ',
      '\n',
      '\\',
      '\\u00e9',
      '\t',
    )
    const nearJson = fc.tuple(json, fc.nat(), piece).map(([value, at, sign]) => {
      const text = JSON.stringify(value, null, 1)
      return text.slice(0, at % (text.length + 1)) + sign + text.slice(at % (text.length + 1))
    })
    const text = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      nearJson,
      fc.json(),
    )
    const parses = (text: string): boolean => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(text, (text) => {
        const found = describeJsonError(text)
        if (parses(text)) {
          expect(found).toBe('')
          return
        }
        const [, line = NaN, column = NaN] = /^line (\d+), column (\d+): \w/.exec(found)?.map(Number) ?? []
        const lines = text.split('\n')
        expect(line).toBeLessThanOrEqual(lines.length)
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
      }),
      { numRuns: 2000 },
    )
    expect(describeJsonError('['.repeat(200_000))).toBe('')
  })

  test.skipIf(isWindows)('cli: a file keeps its mode, and a symlink keeps its target', () => {
    const folder = freshFolder()
    const file = path.join(folder, 'dotfiles.json')
    fs.writeFileSync(file, '{}')
    fs.chmodSync(file, 0o640)
    fs.symlinkSync('dotfiles.json', path.join(folder, 'settings.json'))
    setSettings(path.join(folder, 'settings.json'), { a: 1 })
    expect(fs.readFileSync(file, 'utf8')).toBe('{"a": 1}')
    expect(fs.statSync(file).mode & 0o777).toBe(0o640)
    expect(fs.readlinkSync(path.join(folder, 'settings.json'))).toBe('dotfiles.json')

    fs.symlinkSync('later.json', path.join(folder, 'dangling.json'))
    setSettings(path.join(folder, 'dangling.json'), { b: 1 })
    expect(readSettings(path.join(folder, 'later.json')).settings).toEqual({ b: 1 })
    expect(fs.readdirSync(folder).sort()).toEqual(['dangling.json', 'dotfiles.json', 'later.json', 'settings.json'])
  })

  test('cli: an empty file counts as no settings, a new one ends with a newline', () => {
    const file = path.join(freshFolder(), 'deep', 'settings.json')
    expect(readSettings(file)).toEqual({ file, text: undefined, settings: undefined })
    setSettings(file, { a: [1] })
    expect(fs.readFileSync(file, 'utf8')).toBe('{\n  "a": [\n    1\n  ]\n}\n')
    fs.writeFileSync(file, ' \n')
    expect(readSettings(file).settings).toEqual({})
  })
})

describe('cli: diff', () => {
  test('cli: a diff applied with patch gives the new text', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', '{', '  "x": 1,')
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([lines, end]) => lines.join('\n') + (end && lines.length > 0 ? '\n' : ''))
    const folder = freshFolder()
    execFileSync('git', ['init', '-q'], { cwd: folder })
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== '' && after !== '')
        fs.writeFileSync(path.join(folder, 'settings.json'), before)
        fs.writeFileSync(path.join(folder, 'change.diff'), unifiedDiff(before, after))
        execFileSync('git', ['apply', 'change.diff'], { cwd: folder, stdio: 'pipe' })
        expect(fs.readFileSync(path.join(folder, 'settings.json'), 'utf8')).toBe(after)
      }),
      { numRuns: 40 },
    )
  })

  test('cli: a diff shows only changes, with three lines of context', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `${i}`)
    const changed = lines.map((line) => (line === '20' ? 'twenty' : line))
    expect(unifiedDiff(lines.join('\n'), lines.join('\n'))).toBe('')
    expect(unifiedDiff(lines.join('\n'), changed.join('\n'), 's.json')).toBe(
      '--- a/s.json\n+++ b/s.json\n@@ -18,7 +18,7 @@\n 17\n 18\n 19\n-20\n+twenty\n 21\n 22\n 23\n',
    )
    expect(unifiedDiff('', 'a\n')).toBe('--- /dev/null\n+++ b/settings.json\n@@ -0,0 +1,1 @@\n+a\n')
  })
})

/** A package as in the cache of npx: built hooks and a worker. */
function builtPackage(text = 'one'): string {
  const folder = freshFolder()
  fs.mkdirSync(path.join(folder, 'dist', 'hooks'), { recursive: true })
  for (const { script } of HOOK_REGISTRATIONS)
    fs.writeFileSync(path.join(folder, 'dist', 'hooks', `${script}.cjs`), `// ${script} ${text}`)
  fs.writeFileSync(path.join(folder, 'dist', 'worker.cjs'), `// worker ${text}`)
  return folder
}

const filesUnder = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .sort()

describe('cli: runtime', () => {
  test('cli: the hooks are copied completely, once, and replaced when they differ', () => {
    const home = freshFolder()
    const [first, second] = [builtPackage('one'), builtPackage('two')]
    const folder = runtimeFolder(home, '1.0.0')
    expect(folder).toBe(path.join(home, 'runtime', '1.0.0', 'hooks'))
    expect(installRuntime(path.join(first, 'dist'), home, '1.0.0')).toEqual({ folder, changed: true })
    const copied = ['contents.json', ...filesUnder(path.join(first, 'dist'))].sort()
    expect(filesUnder(path.join(home, 'runtime', '1.0.0'))).toEqual(copied)
    expect(installRuntime(path.join(first, 'dist'), home, '1.0.0').changed).toBe(false)
    fs.rmSync(path.join(folder, 'stop.cjs'))
    expect(installRuntime(path.join(second, 'dist'), home, '1.0.0').changed).toBe(true)
    for (const name of filesUnder(path.join(second, 'dist'))) {
      expect(fs.readFileSync(path.join(home, 'runtime', '1.0.0', name), 'utf8')).toMatch(/ two$/)
    }
    expect(fs.readdirSync(path.join(home, 'runtime'))).toEqual(['1.0.0'])
  })

  test('cli: a copy that was left incomplete is completed', () => {
    const home = freshFolder()
    const dist = path.join(builtPackage(), 'dist')
    fs.mkdirSync(runtimeFolder(home, '1.0.0'), { recursive: true })
    fs.writeFileSync(path.join(runtimeFolder(home, '1.0.0'), 'stop.cjs'), '// half')
    expect(installRuntime(dist, home, '1.0.0').changed).toBe(true)
    expect(filesUnder(path.join(home, 'runtime', '1.0.0'))).toEqual(['contents.json', ...filesUnder(dist)].sort())
  })

  test('cli: the last three versions stay, and every version that settings refer to', () => {
    const home = freshFolder()
    const dist = path.join(builtPackage(), 'dist')
    const settings = path.join(freshFolder(), 'settings.json')
    for (const [i, version] of ['0.1.0', '0.2.0', '0.10.0', '0.3.0', '0.4.0'].entries()) {
      installRuntime(dist, home, version)
      if (i < 2) recordRuntimeUser(home, version, settings)
      fs.utimesSync(path.join(home, 'runtime', version), i, i)
    }
    fs.writeFileSync(settings, JSON.stringify(addHooks({}, hookCommandFactory(runtimeFolder(home, '0.1.0')))))
    expect(pruneRuntimes(home)).toEqual(['0.2.0'])
    fs.writeFileSync(settings, '{}')
    expect(pruneRuntimes(home)).toEqual(['0.1.0'])
    expect(fs.readdirSync(path.join(home, 'runtime')).sort()).toEqual(['0.10.0', '0.3.0', '0.4.0'])
  })

  test('cli: a package that was not built is refused', () => {
    const home = freshFolder()
    expect(() => installRuntime(freshFolder(), home, '1.0.0')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
    expect(fs.readdirSync(home)).toEqual([])
  })

  test.skipIf(isWindows)('cli: settings refer to memctl in the project if it is there, else in the home', () => {
    const [project, home] = [freshFolder(), freshFolder()]
    const packageRoot = builtPackage()
    const from = { project, packageRoot, home, version: '1.0.0' }
    expect(chooseHookLocation(from)).toMatchObject({
      kind: 'runtime',
      scope: 'local',
      folder: runtimeFolder(home, '1.0.0'),
    })
    fs.mkdirSync(path.join(project, 'node_modules'))
    fs.symlinkSync(packageRoot, path.join(project, 'node_modules', 'memctl'))
    expect(chooseHookLocation(from)).toMatchObject({
      kind: 'project',
      folder: `\${CLAUDE_PROJECT_DIR}/node_modules/memctl/dist/hooks`,
    })
    expect(chooseHookLocation({ ...from, user: true }).kind).toBe('runtime')
    expect(chooseHookLocation({ ...from, project: packageRoot })).toMatchObject({
      kind: 'own',
      folder: `\${CLAUDE_PROJECT_DIR}/plugin/dist/hooks`,
    })
  })
})

describe('cli: init and uninstall', () => {
  const given = () => ({
    project: freshFolder(),
    home: freshFolder(),
    claudeFolder: freshFolder(),
    packageRoot: builtPackage(),
    version: '1.0.0',
  })
  const quiet = () => {}

  test("cli: uninstall restores the project from before init, and only memctl's home has new files", () => {
    const options = given()
    const file = path.join(options.project, '.claude', 'settings.local.json')
    fs.mkdirSync(path.dirname(file))
    const text = '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(ls)"\n\t\t]\n\t},\n\t"hooks": {}\n}'
    fs.writeFileSync(file, text)
    const made = installHooks(options, quiet)
    expect(made).toMatchObject({ file, changed: true, location: { kind: 'runtime' } })
    expect(fs.readFileSync(made.backup!, 'utf8')).toBe(text)
    const commands = SLASH_COMMANDS.map(({ name }) => `.claude/commands/memctl/${name}.md`).sort()
    const ignored = ['.claude/commands/memctl/.gitignore', '.claude/skills/memctl/.gitignore']
    const others = ['.claude/settings.local.json', '.claude/skills/memctl/SKILL.md']
    expect(filesUnder(options.project)).toEqual([...ignored, ...commands, ...others].sort())
    const first = JSON.parse(fs.readFileSync(file, 'utf8')).hooks.SessionStart[0].hooks[0]
    expect(fs.existsSync(first.args[0])).toBe(true)
    expect(first).toMatchObject({ type: 'command', command: 'node', timeout: 10 })

    expect(installHooks(options, quiet)).toMatchObject({ changed: false, diff: '' })
    expect(uninstallHooks(options, quiet)).toMatchObject({ file, changed: true, removed: false, home: options.home })
    expect(fs.readFileSync(file, 'utf8')).toBe(text)
    expect(uninstallHooks(options, quiet).changed).toBe(false)
    expect(filesUnder(options.project)).toEqual(['.claude/settings.local.json'])
  })

  test('cli: hooks in the server replace those that it can run, both ways, and uninstall leaves no remains', () => {
    const options = given()
    const file = path.join(options.project, '.claude', 'settings.local.json')
    fs.mkdirSync(path.dirname(file))
    const text = '{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","server":"mine","tool":"run_hook"}]}]}}\n'
    fs.writeFileSync(file, text)
    const read = (name: string): string => fs.readFileSync(path.join(options.project, name), 'utf8')
    installHooks(options, quiet)
    const withScripts = read('.claude/settings.local.json')
    const inServer = { ...options, hooks: 'server' } as const
    const { server, notes } = installHooks(inServer, quiet)
    expect(server).toMatchObject({ changed: true, file: path.join(options.project, '.mcp.json') })
    expect(notes.join('\n')).toContain('2.1.118')
    const { hooks } = JSON.parse(read('.claude/settings.local.json'))
    const typeOf = (event: string): string => hooks[event].at(-1).hooks[0].type
    for (const { event, serverFields } of HOOK_REGISTRATIONS)
      expect([event, typeOf(event)]).toEqual([event, serverFields ? 'mcp_tool' : 'command'])
    expect(hooks.PreToolUse[0]).toMatchObject({ matcher: expect.stringContaining('Bash') })
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({ server: 'memctl', timeout: 3 })
    expect(hooks.SessionStart[0].hooks[0].args).toEqual([expect.stringContaining('session-start.cjs'), 'server'])
    expect(installHooks(inServer, quiet)).toMatchObject({ changed: false, server: { changed: false } })
    // Another program may remove the marks.
    const unmarked = (_: string, value: Record<string, unknown>): unknown =>
      value?.['type'] === 'mcp_tool' ? { ...value, memctl: undefined } : value
    fs.writeFileSync(file, JSON.stringify(JSON.parse(read('.claude/settings.local.json')), unmarked))
    installHooks({ ...options, hooks: 'scripts' }, quiet)
    expect(JSON.parse(read('.claude/settings.local.json'))).toEqual(JSON.parse(withScripts))
    installHooks(inServer, quiet)
    uninstallHooks(options, quiet)
    expect(JSON.parse(read('.claude/settings.local.json'))).toEqual(JSON.parse(text))
    expect(filesUnder(options.project)).toEqual(['.claude/settings.local.json'])
  })

  test('cli: another server with our name never gets what hooks get', () => {
    const options = { ...given(), hooks: 'server' } as const
    const text = JSON.stringify({ mcpServers: { memctl: { command: 'node', args: ['theirs.mjs'] } } })
    fs.writeFileSync(path.join(options.project, '.mcp.json'), text)
    expect(() => installHooks(options, quiet)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
    expect(filesUnder(options.project)).toEqual(['.mcp.json'])
  })

  test('cli: slash commands are in the folder of the settings, and name the script beside the hooks', () => {
    const options = given()
    const written = (claudeFolder: string) => fs.readFileSync(path.join(claudeFolder, 'commands/memctl/pin.md'), 'utf8')
    installHooks(options, quiet)
    const script = path.join(options.home, 'runtime/1.0.0/slash.mjs')
    expect(written(path.join(options.project, '.claude'))).toContain(`node "${script}" pin <<`)
    installHooks({ ...options, user: true }, quiet)
    expect(written(options.claudeFolder)).toContain(script)
    expect(installHooks({ ...options, user: true }, quiet).slashCommands.changed).toBe(false)
    installHooks({ ...options, user: true, version: '1.0.1' }, quiet)
    expect(written(options.claudeFolder)).toContain('1.0.1')
    // Those of a project name a folder of this machine, so git does not see them.
    const ignored = fs.readFileSync(path.join(options.project, '.claude/commands/memctl/.gitignore'), 'utf8')
    expect(ignored.split('\n')).toContain('*')
    expect(fs.existsSync(path.join(options.claudeFolder, 'commands/memctl/.gitignore'))).toBe(false)
  })

  test('cli: a command file of somebody else with the same name is neither replaced nor removed', () => {
    const options = given()
    const file = path.join(options.project, '.claude/commands/memctl/pin.md')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, 'Pin the dependencies.')
    installHooks(options, quiet)
    uninstallHooks(options, quiet)
    expect(filesUnder(options.project)).toEqual(['.claude/commands/memctl/pin.md'])
    expect(fs.readFileSync(file, 'utf8')).toBe('Pin the dependencies.')
  })

  test('cli: uninstall removes a settings file that init created, unless it has other settings', () => {
    const options = { ...given(), local: true }
    const { file, backup } = installHooks(options, quiet)
    expect(path.basename(file)).toBe('settings.local.json')
    expect(backup).toBeUndefined()
    expect(uninstallHooks(options, quiet).removed).toBe(true)
    // Not even an empty .claude is left.
    expect(fs.readdirSync(options.project)).toEqual([])

    installHooks(options, quiet)
    setSettings(file, { ...readSettings(file).settings, model: 'opus' })
    installHooks({ ...options, version: '1.0.1' }, quiet)
    expect(uninstallHooks(options, quiet).removed).toBe(false)
    expect(readSettings(file).settings).toEqual({ model: 'opus' })
  })

  test('cli: a dry run writes nothing and prints the exact diff', () => {
    const options = { ...given(), dryRun: true }
    const dry = installHooks(options, quiet)
    expect([options.project, options.home, options.claudeFolder].flatMap(filesUnder)).toEqual([])
    expect(dry).toMatchObject({ changed: true, dryRun: true })
    installHooks({ ...options, dryRun: false }, quiet)
    expect(dry.diff).toBe(unifiedDiff('', fs.readFileSync(dry.file, 'utf8'), '.claude/settings.local.json'))
    const text = fs.readFileSync(dry.file, 'utf8')
    expect(uninstallHooks(options, quiet)).toMatchObject({ changed: true, dryRun: true, removed: true })
    expect(fs.readFileSync(dry.file, 'utf8')).toBe(text)
  })

  test('cli: invalid settings stop init before it writes anything', () => {
    const options = { ...given(), user: true }
    fs.writeFileSync(path.join(options.claudeFolder, 'settings.json'), '{ "a": }')
    for (const act of [installHooks, uninstallHooks]) {
      expect(() => act(options, quiet)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
    }
    expect([options.project, options.home].flatMap(filesUnder)).toEqual([])
    expect(() => installHooks({ ...options, local: true }, quiet)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  test('cli: other installations, the plugin and disabled hooks are reported and not changed', () => {
    const options = given()
    const local = path.join(options.project, '.claude', 'settings.json')
    const user = path.join(options.claudeFolder, 'settings.json')
    expect(installHooks({ ...options, user: true, isDefaultHome: true }, quiet).notes).toEqual([])
    setSettings(local, { enabledPlugins: { 'memctl@market': true }, disableAllHooks: true })
    const [userText, localText] = [user, local].map((file) => fs.readFileSync(file, 'utf8'))
    const notes = installHooks(options, quiet).notes.join('\n')
    expect(notes).toContain(`memctl is also installed in ${user}`)
    expect(notes).toContain(`The memctl plugin is enabled (${local})`)
    expect(notes).toContain('counts once')
    expect(notes).toContain('disableAllHooks')
    expect([user, local].map((file) => fs.readFileSync(file, 'utf8'))).toEqual([userText, localText])
    expect(uninstallHooks(options, quiet).notes.join('\n')).toContain(user)
  })

  test('cli: the result is printed as text, or as JSON for programs', () => {
    const options = given()
    const lines: string[] = []
    const result = installHooks({ ...options, json: true }, (text) => lines.push(text))
    expect(JSON.parse(lines.join(''))).toEqual(JSON.parse(JSON.stringify(result)))
    const words = (act: typeof installHooks | typeof uninstallHooks, more = {}): string => {
      const results: string[] = []
      act({ ...options, ...more }, (text: string) => results.push(text))
      return results.join('')
    }
    expect(words(installHooks)).toContain(`memctl is already installed in ${result.file}.`)
    expect(words(uninstallHooks, { dryRun: true })).toMatch(
      /^--- a\/\.claude\/settings\.local\.json\n[\s\S]*\n-.*"hooks"[\s\S]*Nothing was written/,
    )
    expect(words(uninstallHooks)).toContain(`Memories stay in ${options.home}`)
    expect(words(uninstallHooks)).toContain('memctl is not installed')
    expect(words(installHooks)).toContain('next session')
  })
})

describe('cli: the files of this repository', () => {
  const parsed = (file: string): JsonObject => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) as JsonObject

  test('cli: hooks/hooks.json is generated from the table of events', () => {
    expect(JSON.stringify(parsed('hooks/hooks.json'))).toBe(JSON.stringify(generatePluginHooks()))
    const scripts = Object.values(generatePluginHooks()['hooks'] as Record<string, { hooks: { args: string[] }[] }[]>)
    expect(scripts.map(([group]) => group!.hooks[0]!.args)).toContainEqual([
      `\${CLAUDE_PLUGIN_ROOT}/dist/hooks/session-start.cjs`,
    ])
  })

  test('cli: commands/ has the generated slash commands and nothing else', () => {
    const folder = path.join(ROOT, 'commands')
    const files = fs.readdirSync(folder).map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')])
    expect(Object.fromEntries(files)).toEqual(generatePluginCommands())
  })

  test('cli: the skill of the plugin is the generated one, and grants no permission', () => {
    const text = fs.readFileSync(path.join(ROOT, 'skills/memctl/SKILL.md'), 'utf8')
    expect(text).toBe(generatePluginSkill())
    expect(text).not.toMatch(/^allowed-tools/m)
  })

  test('cli: this repository has memctl installed, and init would change nothing', () => {
    const settings = parsed('.claude/settings.json')
    const { kind, folder } = chooseHookLocation({ project: ROOT, packageRoot: ROOT, home: '/none', version: '0' })
    expect(kind).toBe('own')
    expect(addHooks(settings, hookCommandFactory(folder))).toBe(settings)
    expect(JSON.stringify(settings)).toContain(`\${CLAUDE_PROJECT_DIR}/plugin/dist/hooks/session-end.cjs`)
  })

  test('cli: SessionEnd has a limit of five seconds, and every other hook has its own limit', () => {
    expect(HOOK_REGISTRATIONS.find(({ event }) => event === 'SessionEnd')!.timeoutSeconds).toBe(5)
    expect(HOOK_REGISTRATIONS.every(({ timeoutSeconds }) => timeoutSeconds > 0 && timeoutSeconds <= 10)).toBe(true)
    expect(HOOK_REGISTRATIONS.map(({ script }) => script).every((script) => /^[a-z]+(-[a-z]+)*$/.test(script))).toBe(
      true,
    )
  })
})
