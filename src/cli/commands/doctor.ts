// memctl doctor: checks machine, installed hooks and store, only the log, or only the embedder, and gives a hint for
// each problem. Without --fix it changes nothing.
import path from 'node:path'
import { type Command, Option } from 'commander'
import type { checkStore as CheckStore } from '../../broker/checks/checkStore.ts'
import type { EmbedderStatus } from '../../broker/embedding/configuredEmbedder.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { type CheckResult, checkPassed } from '../../model/checkResult.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { displayWidth, padText, wrapText } from '../../report/fitText.ts'
import { formatCount } from '../../report/formatNumber.ts'
import { translate } from '../../report/translation.ts'
import { isOwnerAlive, readLockOwner } from '../../store/disk/lock.ts'
import type { LogRepairResult } from '../../store/log/rewriteLog.ts'
import { isProjectTrusted } from '../../store/project/contentTrust.ts'
import { resolveMemctlHome } from '../../store/project/project.ts'
import { type CliContext, ExitStatus, printResult, type Terminal } from '../context/cliContext.ts'
import { linkPackages, readPackageInfo, SEARCH_PACKAGES } from '../context/packageInfo.ts'
import { applyConfig, openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'
import { readInstallation, settingsFilesFor } from '../install/installation.ts'

export interface DoctorReport {
  /** Whether no check has failed. */
  readonly healthy: boolean
  readonly version: string
  readonly checks: readonly CheckResult[]
}

interface DoctorOptions extends StoreOptions {
  readonly fix?: boolean
  readonly log?: true
  readonly dryRun?: boolean
  readonly embedder?: true
  readonly probe?: boolean
}

export function registerDoctor(program: Command, io: CliContext): void {
  withStoreOptions(program.command('doctor'))
    .description('check machine, hooks and store; the exit status is 1 if a check fails')
    .option('--fix', 'repair the installation and the rights of files, move away what is in their place; then check')
    .option('--log', 'only the log; with --fix, move truncated and corrupt bytes to a file of their own')
    .option('--dry-run', 'with --log --fix: show which bytes would be moved, but change nothing')
    .addOption(
      new Option('--embedder', 'only the embedder: which one is configured, and its vectors').conflicts(['fix', 'log']),
    )
    .option('--probe', 'with --embedder: also request one vector (a service may charge for it)')
    .action(async (options: DoctorOptions) => {
      if (options.log) return checkOrRepairLog(options, io)
      if (options.embedder) return printEmbedder(options, io)
      if (options.dryRun || options.probe) {
        throw new MemoryError('USAGE', '--dry-run belongs to --log --fix, and --probe to --embedder', {
          hint: 'Without --fix, `memctl doctor` changes nothing.',
        })
      }
      printChecks(await runChecks(options, io), options, io)
    })
}

/** Prints these results, with exit status 1 if one has failed. */
function printChecks(checks: readonly CheckResult[], { json }: DoctorOptions, io: CliContext): void {
  const healthy = checks.every((check) => check.state !== 'fail')
  const report: DoctorReport = { healthy, version: readPackageInfo().version, checks }
  printResult(io, json, report, formatReport)
  if (!healthy) throw new ExitStatus(1)
}

/** Every check, in the order in which problems should be fixed. */
async function runChecks(options: DoctorOptions, io: CliContext): Promise<readonly CheckResult[]> {
  const { checkStore, runCheck } = await import('../../broker/checks/checkStore.ts')
  const { checkAccess, fixFiles } = await import('../../broker/checks/checkFiles.ts')
  const { checkHub } = await import('../../broker/checks/checkConfig.ts')
  const { checkMachine } = await import('../doctor/checkMachine.ts')
  const installation = await import('../doctor/checkInstallation.ts')
  const store = await openSelectedStore(options, io)
  const { files, project } = store
  const now = Date.now()
  const home = resolveMemctlHome(io.env)
  const isTrusted = isProjectTrusted(store)
  const install = { ...readInstallation({}, io), project: project.root }
  const { version } = install
  const settingsFiles = settingsFilesFor(install)
  const folder = options.store === undefined ? path.resolve(io.cwd, options.project ?? '.') : undefined
  const fixed: CheckResult[] = []
  if (options.fix) {
    for (const { from, to } of fixFiles(store, now)) fixed.push(checkPassed('fixed', `Moved to ${to}`, from))
    fixed.push(...runCheck('fixed', home, () => installation.repairInstallation(install)))
    linkPackages(home, SEARCH_PACKAGES)
  }
  return [
    ...fixed,
    ...runCheck('machine', home, () => checkMachine({ files, home, project, folder })),
    ...runCheck('hooks', settingsFiles.project, () =>
      installation.checkHooks({ settingsFiles, projectRoot: project.root, isTrusted, version, env: io.env }),
    ),
    ...runCheck('runtime', home, () => installation.checkInstallation(install)),
    ...runCheck('access', home, () => checkAccess(store, process.getuid?.())),
    ...(await checkUnusedStore(store, now, checkStore)),
    ...runCheck('hub', home, () => checkHub(store, io.env)),
  ]
}

/** Tries while the store is in use, and the pause between two of them in milliseconds. */
const TRIES_MAX = 20
const PAUSE_MS = 250

/** The checks of a store that nobody writes meanwhile: a worker replaces one file after the other. */
async function checkUnusedStore(store: Store, now: number, check: typeof CheckStore): Promise<CheckResult[]> {
  const { files, layout } = store
  for (let attempt = 1; ; attempt++) {
    const before = readBytes(store)
    const checks = check(store, now)
    const isInUse = isHeld(files, layout.lock) || !before.equals(readBytes(store))
    if (!isInUse || attempt === TRIES_MAX || checks.every(({ state }) => state === 'ok')) return checks
    await new Promise((done) => setTimeout(done, PAUSE_MS))
  }
}

const isFile = (files: Store['files'], path: string): boolean => files.permissions(path)?.kind === 'file'

/** The manifest's bytes; none if it is missing or a folder. */
const readBytes = ({ files, layout: { manifest } }: Store): Buffer =>
  (isFile(files, manifest) ? files.read(manifest) : undefined) ?? Buffer.alloc(0)

function isHeld(files: Store['files'], lock: string): boolean {
  const owner = isFile(files, lock) ? readLockOwner(files, lock) : undefined
  return owner !== undefined && isOwnerAlive(owner)
}

/** A narrower column of words is not readable. */
const WORDS_COLUMNS_MIN = 30

function formatReport({ checks, version }: DoctorReport, { palette, columns }: Terminal): string[] {
  const colors = { ok: palette.green, warn: palette.yellow, fail: palette.red }
  const width = Math.max(...checks.map((check) => displayWidth(translate(check.name))))
  const indent = ' '.repeat(6 + width + 2)
  const lines = checks.flatMap((check) => {
    const name = palette.bold(padText(translate(check.name), width))
    const { state, what, where = '' } = check
    const [line = '', ...more] = wrapText(what, Math.max(WORDS_COLUMNS_MIN, columns - indent.length))
    const isShort = indent.length + displayWidth(translate(what)) + where.length < columns
    const beside = isShort && where !== '' ? palette.dim(` ${where}`) : ''
    const first = `${colors[state](padText(translate(state), 4))}  ${name}  ${line}${beside}`
    const place = isShort || where === '' ? [] : [palette.dim(where)]
    const hint = state === 'ok' ? [] : wrapText(check.hint, Math.max(WORDS_COLUMNS_MIN, columns - indent.length))
    return [first, ...[...more, ...place, ...hint].map((rest) => `${indent}${rest}`)]
  })
  const count = (state: CheckResult['state']): number => checks.filter((check) => check.state === state).length
  return [
    `memctl ${version}`,
    ...lines,
    `${count('ok')} ok, ${formatCount(count('warn'), 'warning')}, ${count('fail')} failed`,
  ]
}

/** Prints the checks of the log alone; with `fix`, moves the lines that are no events away. */
async function checkOrRepairLog(options: DoctorOptions, io: CliContext): Promise<void> {
  const { checkLog, repairStoreLog } = await import('../../broker/checks/checkLog.ts')
  const store = await openSelectedStore(options, io)
  if (options.fix) {
    const dryRun = options.dryRun ?? false
    const result = await repairStoreLog(store, Date.now(), dryRun)
    return printResult(io, options.json, { dryRun, ...result }, formatRepair)
  }
  const { runCheck } = await import('../../broker/checks/checkStore.ts')
  await applyConfig(store)
  const { events } = store.layout
  printChecks(
    runCheck('log', events, () => checkLog(store, Date.now())),
    options,
    io,
  )
}

function formatRepair({ dryRun, files, keptIn, newerFiles }: LogRepairResult & { readonly dryRun: boolean }): string[] {
  const skipped = newerFiles.map((name) => `${name} was skipped: written by a newer memctl. Update memctl.`)
  if (files.length === 0) return ['Every line is intact: nothing to do.', ...skipped]
  const moved = files.map(({ name, truncated, corrupt, bytes, incomplete }) => {
    const rest = incomplete ? ', and the part that cannot be decompressed' : ''
    return `  ${name}: ${truncated} truncated, ${corrupt} corrupt, ${formatCount(bytes, 'byte')}${rest}`
  })
  return [
    dryRun ? 'This would be moved out of the log:' : `Moved out of the log into ${keptIn}:`,
    ...moved,
    dryRun ? 'Nothing was changed.' : 'All events stay.',
    ...skipped,
  ]
}

async function printEmbedder(options: DoctorOptions, io: CliContext): Promise<void> {
  const { readEmbedderStatus } = await import('../../broker/embedding/configuredEmbedder.ts')
  const status = await readEmbedderStatus(await openSelectedStore(options, io), io.env, options.probe === true)
  printResult(io, options.json, status, formatEmbedder)
}

function formatEmbedder(status: EmbedderStatus): string[] {
  const { configured, model, dimensions, memories, embedded, matchesConfig, probe } = status
  const { kind, ...rest } = configured
  const fields = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`)
  const none = kind === 'builtin' ? 'none: the built-in embedder compares words' : 'none yet'
  const lines = [
    `Configured  ${[kind, ...fields].join(', ')}`,
    `Vectors     ${model === '' ? none : `${model}, ${dimensions} numbers each`}`,
    `Memories    ${embedded} of ${formatCount(memories, 'active memory', 'active memories')} embedded`,
  ]
  if (!matchesConfig) {
    lines.push(
      'The vectors belong to another embedder: run `memctl rebuild --vectors`, or wait until the next session ends.',
    )
  }
  if (probe) lines.push(`Probe       ${'fault' in probe ? `${probe.fault}. ${probe.hint}` : `${probe.id} answers`}`)
  return lines
}
