// Uninstall gives back the bytes from before init, whatever the format of the file. If it was edited meanwhile, the
// edit and all other values stay.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InstallOptions } from '../../../src/cli/install/installation.ts'
import { installHooks, uninstallHooks } from '../../../src/cli/install/installHooks.ts'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'

let top: string
let packageRoot: string
let count = 0
beforeAll(() => {
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-bytes-')))
  packageRoot = path.join(top, 'package')
  fs.mkdirSync(path.join(packageRoot, 'dist/hooks'), { recursive: true })
  for (const { script } of HOOK_REGISTRATIONS) fs.writeFileSync(path.join(packageRoot, `dist/hooks/${script}.cjs`), '')
})
afterAll(() => fs.rmSync(top, { recursive: true, force: true }))

/** A new project in a path with a space and Japanese letters, with these settings. */
function newProject(text: string): { options: InstallOptions; file: string } {
  const folder = path.join(top, `私の project ${count++}`)
  const file = path.join(folder, 'project/.claude/settings.local.json')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  const project = path.join(folder, 'project')
  return { options: { project, home: path.join(folder, 'home'), packageRoot, version: '1.0.0' }, file }
}

const quiet = (): void => {}
const read = (file: string): string => fs.readFileSync(file, 'utf8')

// A JSON text with any spaces and line ends between its signs, escapes, and a name that occurs twice.
const space = fc.constantFrom('', '', ' ', '\n', '\n  ', '\r\n\t', '  ', '\n\n')
const scalar = fc.constantFrom(
  '1',
  '1.0',
  '1e3',
  '-0',
  'true',
  'null',
  '"\\u3042\\/"',
  '"日本語"',
  '""',
  '"a: {b}, [c]"',
)
const item = fc.oneof(scalar, fc.constantFrom('{}', '[]', '{ }', '[\n]', '{"x":[1,{"y":2}]}'))
const theirEntry = '{"type":"command","command":"echo hi"}'
const groups = fc.constantFrom(
  '[]',
  '[ ]',
  `[{"hooks":[${theirEntry}]}]`,
  `[ { "matcher": "Bash" , "hooks": [ ${theirEntry} ] } ]`,
)
const hooks = fc
  .array(fc.tuple(fc.constantFrom('"Stop"', '"PreToolUse"', '"Notification"'), groups, space), { maxLength: 3 })
  .map((lists) => `{${lists.map(([name, list, gap]) => `${gap}${name}${gap}:${gap}${list}`).join(',')}}`)
const property = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('"a"', '"b"', '"permissions"', '"__proto__"', '"1"'), item) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('"hooks"'), hooks) },
)
const settingsText = fc
  .tuple(fc.array(fc.tuple(property, space, space, space), { minLength: 0, maxLength: 4 }), space, space, fc.boolean())
  .map(([properties, first, last, hasBom]) => {
    const inside = properties.map(([[name, value], a, b, c]) => `${a}${name}${b}:${c}${value}${a}`).join(',')
    return `${hasBom ? '\ufeff' : ''}${first}{${inside}}${last}`
  })

const everyText = fc.oneof(
  { weight: 8, arbitrary: settingsText },
  { weight: 1, arbitrary: fc.constantFrom('', ' \n', '\r\n') },
)

test('cli: init, then uninstall gives back the same bytes, in any format', () => {
  fc.assert(
    fc.property(everyText, (text) => {
      const { options, file } = newProject(text)
      installHooks(options, quiet)
      expect(() => JSON.parse(read(file).replace('\ufeff', ''))).not.toThrow()
      expect(read(file)).not.toBe(text)
      // A later version, and a status line, change nothing about it.
      installHooks({ ...options, version: '1.1.0', statusline: true }, quiet)
      uninstallHooks(options, quiet)
      expect(read(file)).toBe(text)
    }),
    { numRuns: 100 },
  )
})

test('cli: settings that were edited between init and uninstall keep the edit, and nothing of memctl', () => {
  const value = fc.constantFrom('"new"', '[1, 2]', '{"deep": {}}')
  const edit = fc.constantFrom('first', 'changed', 'last')
  fc.assert(
    fc.property(settingsText, value, edit, fc.boolean(), (text, added, kind, isPurged) => {
      // A name that occurs once, so that the same edit can be made in both texts.
      const start = text.indexOf('{') + 1
      const parsed = JSON.parse(text.replace('\ufeff', '').replaceAll('"__proto__"', '"p"')) as object
      const comma = Object.keys(parsed).length > 0 ? ',' : ''
      const original = `${text.slice(0, start)}"model": "old"${comma}${text.slice(start)}`
      const change = (from: string): string => {
        if (kind === 'first') return from.replace('"model": "old"', () => `"added": ${added}, "model": "old"`)
        if (kind === 'changed') return from.replace('"old"', () => added)
        const end = from.lastIndexOf('}')
        return `${from.slice(0, end)}, "added": ${added}${from.slice(end)}`
      }
      const { options, file } = newProject(original)
      installHooks(options, quiet)
      fs.writeFileSync(file, change(read(file)))
      if (isPurged) fs.rmSync(options.home, { recursive: true })
      uninstallHooks(options, quiet)
      // As JSON: in a file with a name that occurs twice, -0 may become 0.
      const settingsOf = (from: string): unknown => JSON.parse(JSON.stringify(JSON.parse(from.replace('\ufeff', ''))))
      expect(settingsOf(read(file))).toEqual(withoutEmptyHooks(settingsOf(change(original))))
    }),
    { numRuns: 150 },
  )
})

/** The settings without an object and lists of hooks that are empty, which nothing tells from those that init adds. */
function withoutEmptyHooks(settings: unknown): unknown {
  const { hooks, ...rest } = settings as { hooks?: Record<string, unknown[]> }
  const lists = Object.entries(hooks ?? {}).filter(([, list]) => list.length > 0)
  return lists.length > 0 ? { ...rest, hooks: Object.fromEntries(lists) } : rest
}

test('cli: what init does not change stays as it is, with spaces, tabs and line ends', () => {
  const own = '\r\n\t"model" :"opus",\r\n\t"permissions" : { "allow":["Bash(ls)",  "Read"] }'
  const { options, file } = newProject(`{${own}\r\n}`)
  installHooks(options, quiet)
  expect(read(file)).toContain(`{${own},\r\n\t"hooks": {\r\n\t\t"SessionStart": [\r\n\t\t\t{`)
  fs.writeFileSync(file, read(file).replace('opus', 'sonnet'))
  uninstallHooks(options, quiet)
  expect(read(file)).toBe(`{${own.replace('opus', 'sonnet')}\r\n}`)
})

test('cli: a compact file stays compact', () => {
  const { options, file } = newProject('{"model":"opus"}')
  installHooks(options, quiet)
  expect(read(file)).toMatch(/^\{"model":"opus","hooks": \{"SessionStart":\[\{"hooks".*\}$/)
})

test('cli: a file that is not UTF-8 is refused, and not changed', () => {
  const { options, file } = newProject('')
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0x82, 0xa0]), Buffer.from('"}')])
  fs.writeFileSync(file, bytes)
  expect(() => installHooks(options, quiet)).toThrow(expect.objectContaining({ code: 'SETTINGS_INVALID' }))
  expect(fs.readFileSync(file).equals(bytes)).toBe(true)
})
