// Which version of memctl a settings file names, and whether upgrade may change its parts of memctl: only those that
// init has written, and that nobody has edited since.
import path from 'node:path'
import { toSystemPath } from '../../store/disk/systemPath.ts'
import { runtimeHome } from '../../store/project/project.ts'
import { hookCommandFactory } from './hookLocation.ts'
import { hasHooks, type Json, type JsonObject, listOurEntries } from './hookSettings.ts'
import { findMcpScript, mcpServerCommand } from './mcpServerEntry.ts'
import { listMissingFiles, readContents } from './runtimeContents.ts'
import { runtimeFolder } from './runtimeFolder.ts'
import type { InstallOptions } from './settingsChange.ts'

/** The version of memctl that a file names, or why its parts of memctl stay as they are, as a sentence. */
type Installed = { readonly version: string } | { readonly why: string; readonly hint: string } | undefined

type Places = Pick<InstallOptions, 'home' | 'userHome'>

/** What a settings file names; undefined if memctl is not in it. */
export function findInstalledHooks(settings: JsonObject, { home }: Places): Installed {
  const entries = listOurEntries(settings)
  if (entries.length === 0) return undefined
  const scripts = entries.map(scriptOf)
  const folders = new Set(scripts.map((script) => script && path.posix.dirname(toSystemPath(script))))
  const [folder] = folders
  if (folder === undefined || folders.size > 1) return EDITED
  const its = runtimeHome(folder)
  if (its === undefined) return IN_PROJECT
  if (toSystemPath(its) !== toSystemPath(home)) return inAnotherHome(its)
  const version = path.posix.basename(path.posix.dirname(folder))
  const { hooks } = readContents(path.join(home, 'runtime', version)) ?? {}
  const commandFor = hookCommandFactory(runtimeFolder(home, version))
  return hooks && !hasHooks(settings, hooks, commandFor) ? EDITED : { version }
}

/** What a file of MCP servers names; undefined if our server is not in it. */
export function findInstalledServer(servers: JsonObject, { home, userHome }: Places): Installed {
  const script = findMcpScript(servers)
  if (script === undefined) return undefined
  const version = /[\\/]runtime[\\/](\d[^\\/]*)[\\/]mcp\.mjs$/.exec(script)?.[1]
  if (version === undefined) return IN_PROJECT
  const folder = runtimeFolder(home, version)
  const named = [{ home, userHome }, {}].flatMap((from) => mcpServerCommand({ folder }, from)['args'] as string[])
  if (!named.some((name) => toSystemPath(name) === toSystemPath(script))) return inAnotherHome(path.dirname(script))
  return { version }
}

/** Files of the runtime of a version that are missing or incomplete; none if it can be used. */
export const listRuntimeFaults = (home: string, version: string): readonly string[] =>
  listMissingFiles(path.join(home, 'runtime', version))

/** The script that an entry of init starts; undefined for one that a person has edited. */
function scriptOf({ command, args }: JsonObject): string | undefined {
  const [script, ...others] = (Array.isArray(args) ? args : []) as readonly Json[]
  return command === 'node' && typeof script === 'string' && others.length === 0 ? script : undefined
}

const EDITED = {
  why: 'its hooks were edited by hand',
  hint: '`memctl init` in that project (`memctl init --user` for user settings) replaces them.',
}

const IN_PROJECT = {
  why: "its hooks are those of the project's own packages",
  hint: 'They are updated with the packages of the project.',
}

const inAnotherHome = (home: string) => ({
  why: `its hooks are in another home of memctl, ${home}`,
  hint: 'Run the command with MEMCTL_HOME set to that home.',
})

/** Whether version `a` is later than `b`, in the order of Semantic Versioning. */
export function isLaterVersion(a: string, b: string): boolean {
  const [[numbersA, preA], [numbersB, preB]] = [splitVersion(a), splitVersion(b)]
  const numbers = compareParts(numbersA, numbersB)
  if (numbers !== 0) return numbers > 0
  if (preA.length === 0 || preB.length === 0) return preA.length < preB.length
  return compareParts(preA, preB) > 0
}

/** The numbers of a version, and the parts after the hyphen. */
function splitVersion(version: string): readonly [readonly string[], readonly string[]] {
  const [, numbers = '', pre] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? []
  return [numbers.split('.'), pre === undefined ? [] : pre.split('.')]
}

/** Compares part by part, numbers as numbers. */
function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [partA, partB] = [a[i], b[i]]
    if (partA === undefined || partB === undefined) return partA === undefined ? -1 : 1
    if (partA === partB) continue
    const [isNumberA, isNumberB] = [/^\d+$/.test(partA), /^\d+$/.test(partB)]
    if (isNumberA && isNumberB && Number(partA) !== Number(partB)) return Number(partA) - Number(partB)
    if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
    return partA < partB ? -1 : 1
  }
  return 0
}
