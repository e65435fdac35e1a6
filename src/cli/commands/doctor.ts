// memctl doctor: looks at the machine, the wiring and the store, changes nothing, and tells the mend of all it finds.
import os from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'
import type { CheckResult } from '../../model/checkResult.ts'
import { resolveMemctlHome } from '../../store/project/project.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { ExitStatus } from '../context/exitStatus.ts'
import { readPackageInfo } from '../context/packageInfo.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { locateSettingsFiles } from '../install/otherInstallations.ts'

/** What doctor answers with --json. */
export interface DoctorReport {
  /** Nothing failed; warnings may be among the checks. */
  readonly healthy: boolean
  readonly version: string
  readonly checks: readonly CheckResult[]
}

export function registerDoctor(program: Command, io: CliContext): void {
  withStoreOptions(
    program.command('doctor').description('check machine, hooks and store; exit status 1 when something fails'),
  ).action(async (options: StoreOptions) => {
    const diagnosis = await examined(options, io)
    printResult(io, options.json, diagnosis, rendered)
    if (!diagnosis.healthy) throw new ExitStatus(1)
  })
}

/** Every check, in the order in which a person would mend them. */
async function examined(options: StoreOptions, io: CliContext): Promise<DoctorReport> {
  const { checkStore, runCheck } = await import('../../broker/checks/checkStore.ts')
  const { checkMachine } = await import('../doctor/checkMachine.ts')
  const { checkHooks } = await import('../doctor/checkHooks.ts')
  const { root: packageRoot, version } = readPackageInfo()
  const store = await openSelectedStore(options, io)
  const { files, project } = store
  const now = Date.now()
  const home = resolveMemctlHome(io.env)
  const claude = io.env['CLAUDE_CONFIG_DIR'] || path.join(io.env['HOME'] || os.homedir(), '.claude')
  const places = locateSettingsFiles(project.root, claude)
  const standing = options.store === undefined ? { folder: path.resolve(io.cwd, options.project ?? '.') } : {}
  const checks = [
    ...runCheck('machine', home, () => checkMachine({ files, home, packageRoot, project, now, ...standing })),
    ...runCheck('hooks', places.project, () =>
      checkHooks({ settingsFiles: places, projectRoot: project.root, version, env: io.env }),
    ),
    ...checkStore(store, now),
  ]
  return { healthy: checks.every((check) => check.state !== 'fail'), version, checks }
}

const WIDTH = 'sessions'.length

function rendered({ checks, version }: DoctorReport, { palette }: Terminal): string[] {
  const looks = { ok: palette.green, warn: palette.yellow, fail: palette.red }
  const indent = ' '.repeat(6 + WIDTH + 2)
  const lines = checks.flatMap((check) => {
    const head = `${looks[check.state](check.state.padEnd(4))}  ${palette.bold(check.name.padEnd(WIDTH))}`
    const where = check.where ? palette.dim(` ${check.where}`) : ''
    return [`${head}  ${check.what}${where}`, ...(check.state === 'ok' ? [] : [`${indent}${check.hint}`])]
  })
  const count = (state: CheckResult['state']): number => checks.filter((check) => check.state === state).length
  return [`memctl ${version}`, ...lines, `${count('ok')} ok, ${count('warn')} to know, ${count('fail')} failed`]
}
