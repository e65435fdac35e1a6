// Checks of what init has installed on this machine, and their repair: the scripts in memctl's home, every settings
// file that is known to name them, their code caches, and the command itself.
import fs from 'node:fs'
import path from 'node:path'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { IS_WINDOWS } from '../../store/disk/systemPath.ts'
import { listMissingCaches } from '../install/installCodeCaches.ts'
import { listRuntimeFaults } from '../install/installedParts.ts'
import { planUpgrade } from '../install/planUpgrade.ts'
import { type InstallOptions, settingsFilesFor } from '../install/settingsChange.ts'
import { upgradeInstallation } from '../install/upgradeInstallation.ts'

/** Nothing is reported about a machine on which init has installed nothing. */
export function checkInstallation(options: InstallOptions): CheckResult[] {
  const { home, version, packageRoot } = options
  const { upgrades, current } = planUpgrade(options)
  // checkHooks reports another version in the settings of this project and user.
  const own: readonly string[] = Object.values(settingsFilesFor(options))
  const stale = upgrades.flatMap(({ file, from, isBroken }) => {
    if (isBroken) return [namesMissing(file, from)]
    return own.includes(file) || from === version ? [] : [namesOther(file, from, version)]
  })
  const users = [...current, ...upgrades.filter(({ from }) => from === version).map(({ file }) => file)]
  const runtime = users.length === 0 ? [] : checkRuntime(home, version, users.length)
  return [...checkCommand(packageRoot), ...runtime, ...stale]
}

/** Repairs what checkInstallation reports, and says each repair. Only parts of memctl change. */
export function repairInstallation(options: InstallOptions): CheckResult[] {
  const { home, version, packageRoot } = options
  const faults = listRuntimeFaults(home, version)
  const { upgraded, runtime, caches, left } = upgradeInstallation(options)
  const renewed = faults.length > 0 ? `, among them ${faults[0]}` : ''
  return [
    ...repairCommand(packageRoot),
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

const namesMissing = (file: string, from: string): CheckResult =>
  checkProblem('runtime', 'fail', `It names memctl ${from}, but scripts of that version are missing`, {
    where: file,
    hint: 'Run `memctl doctor --fix`: then it names those of this version.',
  })

const namesOther = (file: string, from: string, version: string): CheckResult =>
  checkProblem('runtime', 'warn', `It names memctl ${from}, this is ${version}`, {
    where: file,
    hint: 'Run `memctl init --upgrade`.',
  })

/** The file that npm links as the command; undefined elsewhere, where Node starts it. */
function linkedCommand(packageRoot: string): string | undefined {
  const file = path.join(packageRoot, 'dist', 'memctl.cjs')
  return !IS_WINDOWS && packageRoot.includes('/node_modules/') && fs.existsSync(file) ? file : undefined
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return true
  } catch {
    return false // The shell says "Permission denied".
  }
}

function checkCommand(packageRoot: string): CheckResult[] {
  const file = linkedCommand(packageRoot)
  if (file === undefined || isExecutable(file)) return []
  const hint = `Run \`node "${file}" doctor --fix\`, or install memctl again.`
  return [checkProblem('command', 'warn', 'It is not executable, so no shell can start it', { where: file, hint })]
}

/** Gives the right to run it to everybody who may read it. */
function repairCommand(packageRoot: string): CheckResult[] {
  const file = linkedCommand(packageRoot)
  if (file === undefined || isExecutable(file)) return []
  const { mode } = fs.statSync(file)
  fs.chmodSync(file, (mode | ((mode & 0o444) >> 2)) & 0o7777)
  return [fixed('It is executable again', file)]
}
