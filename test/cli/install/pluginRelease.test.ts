// The plugin in git is what the build makes from the sources, in any folder; its manifests agree with the package.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REPOSITORY } from '../testContext.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
}

const released = path.join(REPOSITORY, 'plugin')
const readJson = <T = Manifest>(file: string): T => JSON.parse(fs.readFileSync(file, 'utf8')) as T
const own = readJson(path.join(REPOSITORY, 'package.json'))

let folder: string
let built: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-plugin-'))
  built = path.join(folder, 'a plugin, 日本語')
  execFileSync(process.execPath, ['build.mjs', 'plugin', built], { cwd: REPOSITORY, stdio: 'pipe' })
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The files of a folder with their bytes. */
function readFolder(from: string): ReadonlyMap<string, string> {
  const names = fs.readdirSync(from, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => fs.statSync(path.join(from, name)).isFile())
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(from, name), 'latin1')]))
}

test('plugin: plugin/ equals the build of its version; if not, run `npm run release:plugin`', ({ skip }) => {
  const version = fs.existsSync(released) ? readJson(path.join(released, 'package.json')).version : undefined
  skip(version !== own.version, `plugin/ has version ${version}, the package ${own.version}: not compared`)
  const [inGit, now] = [readFolder(released), readFolder(built)]
  expect([...inGit.keys()]).toEqual([...now.keys()])
  expect([...now].filter(([name, bytes]) => inGit.get(name) !== bytes).map(([name]) => name)).toEqual([])
})

test('plugin: a build names no folder of this machine', () => {
  const named = [...readFolder(built)].filter(([, bytes]) => bytes.includes(REPOSITORY) || bytes.includes(folder))
  expect(named.map(([name]) => name)).toEqual([])
})

test('plugin: manifest and package agree, and the marketplace names the plugin', () => {
  const { name, version, description } = readJson(path.join(built, '.claude-plugin/plugin.json'))
  expect({ name, version, description }).toEqual({ name: 'memctl', version: own.version, description: own.description })
  const marketplace = readJson<{ plugins: { name: string; source: string; description: string }[] }>(
    path.join(REPOSITORY, '.claude-plugin/marketplace.json'),
  )
  expect(marketplace.plugins).toMatchObject([{ name: 'memctl', source: './plugin', description: own.description }])
})

test('plugin: its command and its server run without packages', () => {
  const home = path.join(folder, 'home')
  const run = (...words: string[]) =>
    execFileSync(process.execPath, [path.join(built, 'bin/memctl'), ...words], {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, MEMCTL_HOME: home },
    })
  expect(run('--version').trim()).toBe(own.version)
  expect(JSON.parse(run('status', '--json'))).toHaveProperty('unorganized')
  // A clone needs no build either: init copies the scripts with their program.
  run('init', '--user')
  const runtime = path.join(home, 'runtime', own.version)
  expect(fs.readdirSync(runtime)).toEqual(expect.arrayContaining(['hooks', 'mcp.mjs', 'program.mjs', 'slash.mjs']))
  const answer = execFileSync(process.execPath, [path.join(runtime, 'slash.mjs'), 'remember'], {
    encoding: 'utf8',
    input: 'ここでは pnpm を使う',
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: path.join(folder, 'elsewhere') },
  })
  expect(answer).toContain('ここでは pnpm を使う')
  expect(fs.existsSync(path.join(home, 'projects'))).toBe(true)
})
