// Checks of what init has installed on this machine, and their repair: hooks in the settings of this project and user,
// the scripts in memctl's home, every settings file that is known to name them, code caches.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { HOOK_REGISTRATIONS, SERVER_NAME } from '../../model/hookEvents.ts'
import { messageOf } from '../../model/memoryError.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { toSystemPath } from '../../store/disk/paths.ts'
import { runtimeHome } from '../../store/project/project.ts'
import {
  findMemctlPlugin,
  hasMemctlPlugin,
  type InstallOptions,
  type SettingsFiles,
  settingsFilesFor,
  tryReadSettings,
} from '../install/installation.ts'
import { findMcpScript, listOurEntries, listServerEvents, mcpConfigFile, wordsOf } from '../install/ourSettings.ts'
import { listMissingCaches, listRuntimeFaults } from '../install/runtimeFolder.ts'
import { type JsonObject, readSettings } from '../install/settingsFile.ts'
import { planUpgrade, upgradeInstallation } from '../install/upgrade.ts'

interface HookCheckInput {
  readonly settingsFiles: SettingsFiles
  /** The value of CLAUDE_PROJECT_DIR. */
  readonly projectRoot: string
  /** Whether the person trusts what the project brings. Otherwise its own scripts are not started. */
  readonly isTrusted: boolean
  readonly version: string
  /** The environment the scripts are started with. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** After this a hook that has not started hangs, in milliseconds. */
const START_MAX_MS = 10_000

export function checkHooks(input: HookCheckInput): CheckResult[] {
  const read = Object.entries(input.settingsFiles).flatMap(([scope, file]: [string, string]) => readScope(scope, file))
  const found = read.filter((result) => 'settings' in result)
  const unreadable = read.filter((result) => 'state' in result)
  const scripts = new Map<string, string>()
  const installed = found.flatMap((settings) => checkScope(settings, input, scripts))
  const plugin = found.find(({ settings }) => hasMemctlPlugin(settings))
  const muted = found.find(({ settings }) => settings['disableAllHooks'] === true)
  const count = found.filter(({ settings }) => listOurEntries(settings).length > 0).length + (plugin ? 1 : 0)
  const isForeign = (script: string): boolean =>
    !input.isTrusted && toSystemPath(script).startsWith(`${input.projectRoot}/`)
  const startable = new Map([...scripts].filter(([script]) => !isForeign(script)))
  return [
    ...unreadable,
    ...installed,
    ...(plugin ? [checkPassed('hooks', 'The memctl plugin is enabled', plugin.file)] : []),
    ...(count === 0 ? [notInstalled(input)] : []),
    ...(count > 1 ? [installedTwice(found)] : []),
    ...(muted ? [hooksDisabled(muted.file)] : []),
    ...checkStarts(startable, input.env),
    ...(startable.size < scripts.size ? [notStarted(scripts.size - startable.size)] : []),
  ]
}

type ScopeSettings = Readonly<{ scope: string; file: string; settings: JsonObject }>

/** The settings in a file, or what is wrong with it; none if it does not exist. */
function readScope(scope: string, file: string): (ScopeSettings | CheckResult)[] {
  try {
    const read = readSettings(file)
    return read.settings ? [{ scope, file: read.file, settings: read.settings }] : []
  } catch (error) {
    const hint = 'Fix the file: Claude Code cannot read it either.'
    return [checkProblem('hooks', 'fail', messageOf(error), { where: file, hint })]
  }
}

/** Checks the hooks of memctl in one settings file, and adds their scripts to `scripts` with the file. */
function checkScope(
  { scope, file, settings }: ScopeSettings,
  input: HookCheckInput,
  scripts: Map<string, string>,
): CheckResult[] {
  const paths = listOurEntries(settings).flatMap((entry) => findScript(entry, input.projectRoot))
  if (paths.length === 0) return []
  const inServer = listServerEvents(settings)
  const option = inServer.length > 0 ? ' --hooks server' : ''
  const again = `Run \`memctl init${scope === 'project' ? '' : ` --${scope}`}${option}\` again.`
  const missing = paths.filter((script) => !fs.existsSync(script))
  if (missing.length > 0) {
    const what = `${missing.length} of ${paths.length} scripts are missing, first ${missing[0]}`
    const hint = missing.some((script) => runtimeHome(path.dirname(script))) ? 'Run `memctl doctor --fix`.' : again
    return [checkProblem('hooks', 'fail', what, { where: file, hint })]
  }
  for (const script of paths) scripts.set(script, file)
  const missingEvents = HOOK_REGISTRATIONS.filter(
    ({ event, script }) => !inServer.includes(event) && !paths.some((file) => path.basename(file) === `${script}.cjs`),
  )
  if (missingEvents.length > 0) {
    const names = missingEvents.map(({ event }) => event).join(', ')
    return [checkProblem('hooks', 'warn', `No hook installed for ${names}`, { where: file, hint: again })]
  }
  const versions = [...new Set(paths.map(versionOf))]
  const other = versions.find((version) => version !== undefined && version !== input.version)
  if (other !== undefined) {
    const what = `They belong to memctl ${other}, this is ${input.version}`
    const hint = paths.some((script) => runtimeHome(path.dirname(script))) ? 'Run `memctl init --upgrade`.' : again
    return [checkProblem('hooks', 'warn', what, { where: file, hint })]
  }
  if (inServer.length > 0 && scope !== 'user' && !hasServer(mcpConfigFile(input.projectRoot))) {
    const what = `The MCP server ${SERVER_NAME} runs ${inServer.length} of the hooks, but .mcp.json does not start it`
    return [checkProblem('hooks', 'warn', what, { where: file, hint: again })]
  }
  return [checkPassed('hooks', `Installed for ${HOOK_REGISTRATIONS.length} events in the ${scope} settings`, file)]
}

const hasServer = (file: string): boolean =>
  tryReadSettings(file).some(({ settings }) => findMcpScript(settings) !== undefined)

function findScript(entry: JsonObject, projectRoot: string): string[] {
  const script = wordsOf(entry).find((word) => typeof word === 'string' && /\.cjs["']?\s*$/.test(word))
  if (typeof script !== 'string') return []
  const bare = script
    .replace(/^.*?node(?:\.exe)?["']?\s+(?=["']?[/$\\A-Z])/i, '')
    .replace(/["']/g, '')
    .trim()
  return [path.normalize(bare.replace(/\$\{?CLAUDE_PROJECT_DIR\}?/g, projectRoot))]
}

/** The version of a script, from its runtime folder or the package.json above its dist. */
function versionOf(script: string): string | undefined {
  const runtime = /[\\/]runtime[\\/](\d[^\\/]*)[\\/]hooks[\\/]/.exec(script)?.[1]
  if (runtime) return runtime
  try {
    const manifest = path.join(path.dirname(script), '..', '..', 'package.json')
    const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined // Copied by hand to another folder: unknown.
  }
}

/** Starts every script as the client does, with MEMCTL_OFF: it must load, print nothing and exit with 0. */
function checkStarts(scripts: ReadonlyMap<string, string>, env: HookCheckInput['env']): CheckResult[] {
  const failed = [...scripts].flatMap(([script, file]) => {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [script], {
      windowsHide: true,
      input: '',
      encoding: 'utf8',
      timeout: START_MAX_MS,
      env: { ...env, MEMCTL_OFF: '1' },
    })
    if (status === 0 && stdout === '') return []
    const why =
      error?.message ?? (stdout || stderr.split('\n').find((line) => /error/i.test(line)) || `it ended with ${status}`)
    const hint = 'Run `memctl init` again; in its own repository `npm run build`.'
    return [checkProblem('starts', 'fail', `${script} does not start: ${why.trim()}`, { where: file, hint })]
  })
  if (scripts.size === 0 || failed.length > 0) return failed
  return [checkPassed('starts', `${scripts.size} hook scripts start and exit with 0`)]
}

const notInstalled = ({ settingsFiles }: HookCheckInput): CheckResult =>
  checkProblem('hooks', 'warn', 'Not installed in any settings of this project or user', {
    where: Object.values(settingsFiles).join(', '),
    hint: 'Run `memctl init`. Ignore this with `claude --plugin-dir` or managed settings: doctor does not see those.',
  })

const notStarted = (count: number): CheckResult =>
  checkProblem('starts', 'warn', `${count} hook scripts lie in this project and were not started`, {
    hint: 'They can be anything. If they are yours, run `memctl project trust`, then doctor again.',
  })

/** Names the command that removes each of them. Which one stays is the person's decision, so nothing is changed. */
function installedTwice(found: readonly ScopeSettings[]): CheckResult {
  const installed = found.filter(({ settings }) => listOurEntries(settings).length > 0)
  const removals = installed.map(({ scope, file }) => {
    const option = scope === 'project' ? 'shared' : scope
    return `\`memctl uninstall --${option}\` (${file})`
  })
  const plugin = found.flatMap(({ settings }) => findMemctlPlugin(settings) ?? []).slice(0, 1)
  const all = [...removals, ...plugin.map((name) => `\`claude plugin uninstall ${name}\` (the plugin)`)]
  const what = 'Installed in more than one place: an event still counts once, but each hook starts twice'
  const hint = `Keep one place, and remove ${all.length === 2 ? 'the other' : 'the others'}: ${all.join(' or ')}.`
  return checkProblem('hooks', 'warn', what, { hint })
}

const hooksDisabled = (file: string): CheckResult =>
  checkProblem('hooks', 'warn', 'No hook runs while "disableAllHooks" is true', {
    where: file,
    hint: 'Remove the line.',
  })

/** Nothing is reported about a machine on which init has installed nothing. */
export function checkInstallation(options: InstallOptions): CheckResult[] {
  const { home, version } = options
  const { upgrades, current } = planUpgrade(options)
  // checkHooks reports another version in the settings of this project and user.
  const own: readonly string[] = Object.values(settingsFilesFor(options))
  const stale = upgrades.flatMap(({ file, from, isBroken }) => {
    const names = `It names memctl ${from}`
    if (isBroken) {
      const hint = 'Run `memctl doctor --fix`: then it names those of this version.'
      const what = `${names}, but scripts of that version are missing`
      return [checkProblem('runtime', 'fail', what, { where: file, hint })]
    }
    if (own.includes(file) || from === version) return []
    const hint = 'Run `memctl init --upgrade`.'
    return [checkProblem('runtime', 'warn', `${names}, this is ${version}`, { where: file, hint })]
  })
  const users = [...current, ...upgrades.filter(({ from }) => from === version).map(({ file }) => file)]
  const runtime = users.length === 0 ? [] : checkRuntime(home, version, users.length)
  return [...runtime, ...stale]
}

/** Repairs what checkInstallation reports, and says each repair. Only parts of memctl change. */
export function repairInstallation(options: InstallOptions): CheckResult[] {
  const { home, version } = options
  const faults = listRuntimeFaults(home, version)
  const { upgraded, runtime, caches, left } = upgradeInstallation(options)
  const renewed = faults.length > 0 ? `, among them ${faults[0]}` : ''
  return [
    ...(runtime.changed
      ? [fixed(`The scripts of memctl ${version} are complete again${renewed}`, runtime.folder)]
      : []),
    ...upgraded.map(({ file, from, to, parts }) =>
      fixed(`It named memctl ${from}, now ${to}: ${parts.join(', ')}`, file),
    ),
    ...(caches > 0 ? [fixed(`${formatCount(caches, 'code cache')} of hooks built`, path.join(home, 'cache'))] : []),
    ...left
      .filter(({ why }) => why.startsWith('it was not changed'))
      .map(({ file, why, hint }) => checkProblem('fixed', 'fail', `Not repaired: ${why}`, { where: file, hint })),
  ]
}

const fixed = (what: string, where: string): CheckResult => checkPassed('fixed', what, where)

function checkRuntime(home: string, version: string, users: number): CheckResult[] {
  const folder = path.join(home, 'runtime', version)
  const faults = listRuntimeFaults(home, version)
  if (faults.length > 0) {
    const what = `${formatCount(faults.length, 'file')} missing or incomplete, first ${faults[0]}`
    return [checkProblem('runtime', 'fail', what, { where: folder, hint: 'Run `memctl doctor --fix`.' })]
  }
  const missing = listMissingCaches(folder, home).length
  const what = `The scripts of memctl ${version}, for ${formatCount(users, 'settings file')}`
  if (missing === 0) return [checkPassed('runtime', what, folder)]
  const hint = 'They are built after a session, or now by `memctl doctor --fix`.'
  const slow = `${formatCount(missing, 'hook')} without compiled code for this Node: the next session starts slower`
  return [checkPassed('runtime', what, folder), checkProblem('caches', 'warn', slow, { where: home, hint })]
}
