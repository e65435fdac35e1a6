// Copies of the hooks in memctl's home, one folder per version, and their code caches. Settings never name the folder
// of a package, which may be removed.
//
//   <home>/runtime/0.1.0/hooks/*.cjs     the hooks, with the worker and other scripts in the folder above, as built
//   <home>/runtime/0.1.0/contents.json   the sizes of these files, and the hooks that init writes into settings
//   <home>/runtime/0.1.0/named-by        the settings files that name this folder, one path per line
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { hasCodeCache, listHookCode } from '../../hook/codeCache.ts'
import { CACHES } from '../../hook/startWorker.ts'
import { HOOK_REGISTRATIONS, type HookRegistration } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { makeFolderFor, renameWithRetry, systemErrorCode } from '../../store/disk/diskCalls.ts'
import { realDisk } from '../../store/disk/files.ts'

/** Newest versions that stay although no known settings file names them: an unknown project may use one. */
const VERSIONS_MAX = 3

/** What the client starts besides hooks: MCP server and slash commands, of `program.mjs`, and the status line. */
const SCRIPTS = ['mcp.mjs', 'slash.mjs', 'statusline.cjs']

const OTHER_FILES = ['watchdog.cjs', 'worker.cjs', 'program.mjs', 'statusline-main.cjs', ...SCRIPTS]

/** The folder of a version's hooks, absolute. */
export const runtimeFolder = (home: string, version: string): string => path.join(home, 'runtime', version, 'hooks')

/**
 * Copies the built files of `fromDist` to the folder of the version, and returns whether anything there changed. Each
 * file is replaced by a rename, so that a running session never misses a hook. Throws NOT_FOUND if nothing was built.
 */
export function installRuntime(fromDist: string, home: string, version: string): { folder: string; changed: boolean } {
  const target = path.join(home, 'runtime', version)
  const stale = listStale(readBuilt(fromDist), target)
  for (const [name, bytes] of stale) {
    const to = path.join(target, name)
    const aside = `${to}${TEMP}${process.pid}`
    makeFolderFor(path.dirname(to), 'owner')
    // Not `copyFile`, which also copies the mode.
    fs.writeFileSync(aside, bytes, { mode: 0o600 })
    renameWithRetry(aside, to)
  }
  // pruneRuntimes reads this time.
  fs.utimesSync(target, new Date(), new Date())
  return { folder: runtimeFolder(home, version), changed: stale.length > 0 }
}

/** Whether the folder of the version has every file as it was built in `fromDist`. Throws as installRuntime. */
export const isRuntimeCurrent = (fromDist: string, home: string, version: string): boolean =>
  listStale(readBuilt(fromDist), path.join(home, 'runtime', version)).length === 0

export function recordRuntimeUser(home: string, version: string, settingsFile: string): void {
  const list = path.join(home, 'runtime', version, NAMED_BY)
  if (!readNames(list).includes(settingsFile)) fs.appendFileSync(list, `${settingsFile}\n`, { mode: 0o600 })
}

export function forgetRuntimeUser(home: string, settingsFile: string): void {
  for (const list of listNamedBy(home)) {
    const names = readNames(list)
    const left = names.filter((name) => name !== settingsFile)
    if (left.length < names.length) fs.writeFileSync(list, left.map((name) => `${name}\n`).join(''), { mode: 0o600 })
  }
}

/** Existing settings files that name a version of the runtime. */
export const listRuntimeUsers = (home: string): readonly string[] =>
  listKnownSettings(home).filter((file) => namesRuntime(file, String.raw`\d[^\\/]*`))

/** The settings files that init has changed, whether they still exist or not, sorted. */
export const listKnownSettings = (home: string): readonly string[] =>
  [...new Set(listNamedBy(home).flatMap(readNames))].sort()

/** The installed versions, the latest installed first. */
function listRuntimes(home: string): readonly string[] {
  const all = path.join(home, 'runtime')
  const versions = realDisk.list(all).filter((name) => fs.statSync(path.join(all, name)).isDirectory())
  const installedMs = (version: string): number => fs.statSync(path.join(all, version)).mtimeMs
  return versions.sort((a, b) => installedMs(b) - installedMs(a))
}

/** Removes versions that are neither among the newest nor named by a known settings file. Returns them. */
export function pruneRuntimes(home: string): readonly string[] {
  const old = listRuntimes(home).slice(VERSIONS_MAX)
  const pruned = old.filter((version) => !isNamed(home, version))
  for (const version of pruned) fs.rmSync(path.join(home, 'runtime', version), { recursive: true, force: true })
  return pruned
}

const NAMED_BY = 'named-by'
const TEMP = '.aside-'

/** Relative paths of the files to copy, sorted. */
function listBuiltFiles(fromDist: string): readonly string[] {
  const hooks = path.join(fromDist, 'hooks')
  if (!fs.existsSync(path.join(hooks, 'session-start.cjs'))) {
    throw new MemoryError('NOT_FOUND', `No built hooks in ${hooks}`, {
      hint: 'Install memctl again; in its own repository run `npm run build`.',
    })
  }
  const inHooks = fs.readdirSync(hooks, { recursive: true, encoding: 'utf8' }).map((name) => path.join('hooks', name))
  const all = [...inHooks, ...OTHER_FILES.filter((name) => fs.existsSync(path.join(fromDist, name)))]
  return all.filter((name) => fs.statSync(path.join(fromDist, name)).isFile()).sort()
}

/** The bytes of the files to copy by their relative paths, with the description of them. */
function readBuilt(fromDist: string): ReadonlyMap<string, Buffer> {
  const files = listBuiltFiles(fromDist).map((name) => [name, fs.readFileSync(path.join(fromDist, name))] as const)
  const built = new Map<string, Buffer>(files)
  return built.set(CONTENTS, describeContents(built))
}

/** Files that are missing in the folder or have other bytes. */
const listStale = (built: ReadonlyMap<string, Buffer>, target: string): readonly (readonly [string, Buffer])[] =>
  [...built].filter(([name, bytes]) => {
    const to = path.join(target, name)
    return !fs.existsSync(to) || !bytes.equals(fs.readFileSync(to))
  })

const listNamedBy = (home: string): readonly string[] =>
  realDisk.list(path.join(home, 'runtime')).map((version) => path.join(home, 'runtime', version, NAMED_BY))

const readNames = (list: string): readonly string[] =>
  fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('\n').filter(Boolean) : []

function isNamed(home: string, version: string): boolean {
  const settings = readNames(path.join(home, 'runtime', version, NAMED_BY))
  return settings.some((file) => namesRuntime(file, version.replace(/[^A-Za-z0-9]/g, '\\$&')))
}

/** Whether a settings file has a path of this version. One that cannot be read now may have it. */
function namesRuntime(file: string, version: string): boolean {
  try {
    // In JSON, backslashes are doubled.
    return new RegExp(`runtime[\\\\/]+${version}[\\\\/]`).test(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')
  }
}

/** The name of the file in the folder of a version. */
const CONTENTS = 'contents.json'

interface RuntimeContents {
  /** The size of each file in bytes, by its relative path with slashes. */
  readonly files: Readonly<Record<string, number>>
  /** The hooks that init of this version writes into settings. */
  readonly hooks: readonly HookRegistration[]
}

function describeContents(files: ReadonlyMap<string, Buffer>): Buffer {
  const sizes = [...files].map(([name, { length }]) => [name.replaceAll('\\', '/'), length] as const)
  const contents: RuntimeContents = { files: Object.fromEntries(sizes), hooks: HOOK_REGISTRATIONS }
  return Buffer.from(`${JSON.stringify(contents)}\n`)
}

/** What the folder of a version should contain; undefined if that is unknown. */
export function readContents(home: string, version: string): RuntimeContents | undefined {
  try {
    const file = path.join(home, 'runtime', version, CONTENTS)
    const read = JSON.parse(fs.readFileSync(file, 'utf8')) as RuntimeContents
    return typeof read.files === 'object' && read.files !== null && Array.isArray(read.hooks) ? read : undefined
  } catch {
    return undefined // Missing or damaged: the folder counts as it is.
  }
}

/**
 * Files that are missing in the folder of a version or have another size, sorted. If nothing says what it should
 * contain, the first hook of a session must be there.
 */
export function listRuntimeFaults(home: string, version: string): readonly string[] {
  const folder = path.join(home, 'runtime', version)
  const sizes = Object.entries(readContents(home, version)?.files ?? {})
  if (sizes.length === 0) return sizeOf(path.join(folder, FIRST_HOOK)) === undefined ? [FIRST_HOOK] : []
  return sizes.flatMap(([name, bytes]) => (sizeOf(path.join(folder, name)) === bytes ? [] : [name])).sort()
}

const FIRST_HOOK = 'hooks/session-start.cjs'

function sizeOf(file: string): number | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat?.isFile() ? stat.size : undefined
}

/** After this it goes on without: the first worker builds them. In milliseconds. */
const BUILDING_MAX_MS = 30_000

/** Builds the missing caches for the built hooks in `dist`, and returns how many it built. Never throws. */
export function installCodeCaches(dist: string, home: string, env: NodeJS.ProcessEnv = {}): number {
  const missing = listMissingCaches(dist, home)
  const worker = path.join(dist, 'worker.cjs')
  if (missing.length === 0 || !fs.existsSync(worker)) return 0
  spawnSync(process.execPath, [worker, home, CACHES], {
    env: { ...env, MEMCTL_HOME: home },
    stdio: 'ignore',
    timeout: BUILDING_MAX_MS,
    windowsHide: true,
  })
  return missing.length - listMissingCaches(dist, home).length
}

/** The scripts in `dist` that have no cache for this Node. */
export function listMissingCaches(dist: string, home: string): readonly string[] {
  const hooks = listHookCode(realDisk, path.join(dist, 'hooks'))
  const missing = hooks.filter(({ script, code }) => !hasCodeCache(realDisk, { MEMCTL_HOME: home }, script, code))
  return missing.map(({ script }) => script)
}
