// memctl doctor --log: checks that every line of the log is intact, and repairs the files that have lines that are not.
import type { LogReport } from '../../broker/checks/checkLog.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import type { LogRepairResult } from '../../store/log/repairLog.ts'
import type { LogFileIntegrity } from '../../store/log/verifyLog.ts'
import { applyConfig } from '../context/applyConfig.ts'
import { type CliContext, ExitStatus, printResult, type Terminal } from '../context/cliContext.ts'
import { openSelectedStore, type StoreOptions } from '../context/storeOption.ts'
import { numberColumns } from '../format/fieldTable.ts'

interface LogOptions extends StoreOptions {
  readonly fix?: boolean
  readonly dryRun?: boolean
}

/** Prints the report, with exit status 1 if events are corrupt; with `fix`, moves the other lines away. */
export async function checkOrRepairLog(options: LogOptions, io: CliContext): Promise<void> {
  const { inspectLog, repairStoreLog } = await import('../../broker/checks/checkLog.ts')
  const store = await openSelectedStore(options, io)
  if (options.fix) {
    const dryRun = options.dryRun ?? false
    const result = await repairStoreLog(store, Date.now(), dryRun)
    return printResult(io, options.json, { dryRun, ...result }, formatRepair)
  }
  await applyConfig(store)
  const report = inspectLog(store, Date.now())
  printResult(io, options.json, report, formatReport)
  if (!report.intact) throw new ExitStatus(1)
}

function formatReport({ log, folder, sync, hints }: LogReport, { palette, columns }: Terminal): string[] {
  if (log.files === 0) return [`No log yet in ${folder}.`]
  const layout = [
    { head: 'file' },
    ...numberColumns('size', 'version', 'events', 'truncated', 'corrupt', 'blank'),
    { head: '', canShrink: true },
  ]
  const rows = log.perFile.map((file) => [
    file.name,
    formatBytes(file.bytes),
    String(file.version ?? ''),
    String(file.events),
    String(file.truncated),
    file.corrupt === 0 ? '0' : palette.red(String(file.corrupt)),
    String(file.blank),
    formatRemark(file),
  ])
  const places = log.corruptAt.length > 0 ? ` (${log.corruptAt.join('; ')})` : ''
  const counts = `${formatCount(log.events, 'event')}, ${log.truncated} truncated, ${log.corrupt} corrupt${places}`
  return [
    ...formatTable(layout, rows, columns, palette.dim),
    `${counts}. Appends are synced (fsync) ${sync === 'always' ? 'at every event' : 'when a session ends'}.`,
    ...(log.openBytes > 0
      ? [`${log.openBytes} bytes at the end are not terminated yet; the next append closes them.`]
      : []),
    ...hints,
  ]
}

function formatRemark({ damaged, version, headers }: LogFileIntegrity): string {
  if (damaged) return 'cannot be decompressed'
  if (version === null) return 'no header'
  return headers > 1 ? `${headers} headers` : ''
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
