// memctl doctor: looks at the machine, the wiring and the store, changes nothing, and tells the mend of all it finds.
import os from 'node:os'
import path from 'node:path'
import type { Command } from 'commander'
import type { Check } from '../model/check.ts'
import { memctlHome } from '../store/project.ts'
import { BadNews } from './exit.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'
import { ownPackage } from './packageRoot.ts'
import { settingsPlaces } from './wiring/elsewhere.ts'

/** What doctor answers with --json. */
export interface Diagnosis {
  /** Nothing failed; warnings may be among the checks. */
  readonly healthy: boolean
  readonly version: string
  readonly checks: readonly Check[]
}

export function registerDoctor(program: Command, io: Io): void {
  aboutStore(
    program.command('doctor').description('check machine, hooks and store; exit status 1 when something fails'),
  ).action(async (options: StoreOptions) => {
    const diagnosis = await examined(options, io)
    tell(io, options.json, diagnosis, rendered)
    if (!diagnosis.healthy) throw new BadNews(1)
  })
}

/** Every check, in the order in which a person would mend them. */
async function examined(options: StoreOptions, io: Io): Promise<Diagnosis> {
  const { checkStore, guarded } = await import('../broker/check/store.ts')
  const { checkMachine } = await import('./doctor/machine.ts')
  const { checkHooks } = await import('./doctor/hooks.ts')
  const { root: packageRoot, version } = ownPackage()
  const store = await storeGiven(options, io)
  const { files, project } = store
  const now = Date.now()
  const home = memctlHome(io.env)
  const claude = io.env['CLAUDE_CONFIG_DIR'] || path.join(io.env['HOME'] || os.homedir(), '.claude')
  const places = settingsPlaces(project.root, claude)
  const standing = options.store === undefined ? { folder: path.resolve(io.cwd, options.project ?? '.') } : {}
  const checks = [
    ...guarded('machine', home, () => checkMachine({ files, home, packageRoot, project, now, ...standing })),
    ...guarded('hooks', places.project, () => checkHooks({ places, projectRoot: project.root, version, env: io.env })),
    ...checkStore(store, now),
  ]
  return { healthy: checks.every((check) => check.state !== 'fail'), version, checks }
}

const WIDTH = 'sessions'.length

function rendered({ checks, version }: Diagnosis, { palette }: Page): string[] {
  const looks = { ok: palette.green, warn: palette.yellow, fail: palette.red }
  const indent = ' '.repeat(6 + WIDTH + 2)
  const lines = checks.flatMap((check) => {
    const head = `${looks[check.state](check.state.padEnd(4))}  ${palette.bold(check.name.padEnd(WIDTH))}`
    const where = check.where ? palette.dim(` ${check.where}`) : ''
    return [`${head}  ${check.what}${where}`, ...(check.state === 'ok' ? [] : [`${indent}${check.mend}`])]
  })
  const count = (state: Check['state']): number => checks.filter((check) => check.state === state).length
  return [`memctl ${version}`, ...lines, `${count('ok')} ok, ${count('warn')} to know, ${count('fail')} failed`]
}
