// Hooks copied into memctl's home, one folder a version, so that settings never point into a cache that npx may empty.
//
//   <home>/runtime/0.1.0/hooks/*.cjs     the hooks and the worker they start, as they were built
//   <home>/runtime/0.1.0/named-by        the settings files that point here, one path a line
import fs from 'node:fs'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from '../../store/disk/files.ts'

/** Versions kept although no settings file is known to name them: one may be in a project memctl was not told of. */
const VERSIONS_MAX = 3

/** Built files beside the folder of hooks, if the build made them: what hooks start, and the MCP server. */
const BESIDE = ['worker.cjs', 'mcp.mjs']

/** Where the hooks of one version lie, absolute. */
export const runtimeFolder = (home: string, version: string): string => path.join(home, 'runtime', version, 'hooks')

/**
 * Copies what was built under `fromDist` to the version's folder; says whether anything there changed.
 *
 * A new version appears whole, by one rename. In a version that is there each file is replaced by itself, so that a
 * session running meanwhile never finds a hook missing. Throws NOT_FOUND where nothing was built.
 */
export function installRuntime(fromDist: string, home: string, version: string): { folder: string; changed: boolean } {
  const built = builtFiles(fromDist)
  const target = path.join(home, 'runtime', version)
  const folder = runtimeFolder(home, version)
  const changed = fs.existsSync(folder) ? refresh(built, fromDist, target) : create(built, fromDist, target)
  // Prune goes by this time.
  fs.utimesSync(target, new Date(), new Date())
  return { folder, changed }
}

/** Remembers that a settings file points to this version. */
export function recordRuntimeUser(home: string, version: string, settingsFile: string): void {
  const note = path.join(home, 'runtime', version, NAMED_BY)
  if (!namesIn(note).includes(settingsFile)) fs.appendFileSync(note, `${settingsFile}\n`)
}

/** Removes versions that are neither among the last installed nor named by a settings file we know; returns which. */
export function pruneRuntimes(home: string): readonly string[] {
  const all = path.join(home, 'runtime')
  const names = fs.existsSync(all) ? fs.readdirSync(all) : []
  for (const name of names) if (isLeftAside(name)) fs.rmSync(path.join(all, name), { recursive: true, force: true })

  const versions = names.filter((name) => !name.includes(ASIDE) && fs.statSync(path.join(all, name)).isDirectory())
  const installedMs = (version: string): number => fs.statSync(path.join(all, version)).mtimeMs
  const old = versions.sort((a, b) => installedMs(b) - installedMs(a)).slice(VERSIONS_MAX)
  const pruned = old.filter((version) => !isNamed(home, version))
  for (const version of pruned) fs.rmSync(path.join(all, version), { recursive: true, force: true })
  return pruned
}

const NAMED_BY = 'named-by'
const ASIDE = '.aside-'

/** Relative paths of all there is to copy, sorted. */
function builtFiles(fromDist: string): readonly string[] {
  const hooks = path.join(fromDist, 'hooks')
  if (!fs.existsSync(path.join(hooks, 'session-start.cjs'))) {
    throw new MemoryError('NOT_FOUND', `There are no built hooks in ${hooks}`, {
      hint: 'Install memctl again; in its own repository run `npm run build`.',
    })
  }
  const inHooks = fs.readdirSync(hooks, { recursive: true, encoding: 'utf8' }).map((name) => path.join('hooks', name))
  const all = [...inHooks, ...BESIDE.filter((name) => fs.existsSync(path.join(fromDist, name)))]
  return all.filter((name) => fs.statSync(path.join(fromDist, name)).isFile()).sort()
}

function create(built: readonly string[], fromDist: string, target: string): boolean {
  const aside = `${target}${ASIDE}${process.pid}`
  for (const name of built) copy(path.join(fromDist, name), path.join(aside, name))
  try {
    fs.renameSync(aside, target)
    return true
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOTEMPTY' && systemErrorCode(error) !== 'EEXIST') throw error
    // Another `init` was faster, or one was cut off before there was a rename: what stands there is brought up to date.
    fs.rmSync(aside, { recursive: true, force: true })
    return refresh(built, fromDist, target)
  }
}

function refresh(built: readonly string[], fromDist: string, target: string): boolean {
  let changed = false
  for (const name of built) {
    const [from, to] = [path.join(fromDist, name), path.join(target, name)]
    if (fs.existsSync(to) && fs.readFileSync(from).equals(fs.readFileSync(to))) continue
    copy(from, `${to}${ASIDE}${process.pid}`)
    fs.renameSync(`${to}${ASIDE}${process.pid}`, to)
    changed = true
  }
  return changed
}

function copy(from: string, to: string): void {
  fs.mkdirSync(path.dirname(to), { recursive: true })
  fs.copyFileSync(from, to)
}

const namesIn = (note: string): readonly string[] =>
  fs.existsSync(note) ? fs.readFileSync(note, 'utf8').split('\n').filter(Boolean) : []

function isNamed(home: string, version: string): boolean {
  // As it stands in JSON: backslashes of a Windows path are doubled there.
  const folder = JSON.stringify(runtimeFolder(home, version)).slice(1, -1)
  const settings = namesIn(path.join(home, 'runtime', version, NAMED_BY))
  return settings.some((file) => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes(folder))
}

/** What a process that is gone left behind. */
function isLeftAside(name: string): boolean {
  const pid = Number(name.split(ASIDE)[1])
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return systemErrorCode(error) === 'ESRCH'
  }
}
