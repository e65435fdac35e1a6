// memctl log: is every line of the log whole, and moving out of the way what is not.
import type { Command } from 'commander'
import type { LogReport } from '../../broker/checks/checkLog.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { formatTable } from '../../report/formatTable.ts'
import type { LogRepairResult } from '../../store/log/repairLog.ts'
import type { LogFileIntegrity } from '../../store/log/verifyLog.ts'
import { applyConfig } from '../context/applyConfig.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import { ExitStatus } from '../context/exitStatus.ts'
import { openSelectedStore, type StoreOptions, withStoreOptions } from '../context/storeOption.ts'

export function registerLog(program: Command, io: CliContext): void {
  const log = program.command('log').description('the log: whether every line of it is whole, and mending it')
  withStoreOptions(
    log
      .command('check', { isDefault: true })
      .description('count whole, torn and rotten lines; exit status 1 when events are damaged'),
  ).action(async (options: StoreOptions) => {
    const { inspectLog } = await import('../../broker/checks/checkLog.ts')
    const store = await openSelectedStore(options, io)
    await applyConfig(store)
    const check = inspectLog(store, Date.now())
    printResult(io, options.json, check, rendered)
    if (!check.intact) throw new ExitStatus(1)
  })
  withStoreOptions(
    log
      .command('repair')
      .description('move torn and rotten bytes out of the log into a file beside it; no event is touched'),
  )
    .option('--dry-run', 'only say what would be done')
    .action(async (words: StoreOptions & { readonly dryRun?: boolean }) => {
      const { repairStoreLog } = await import('../../broker/checks/checkLog.ts')
      const dryRun = words.dryRun ?? false
      const repaired = await repairStoreLog(await openSelectedStore(words, io), Date.now(), dryRun)
      printResult(io, words.json, { dryRun, ...repaired }, renderedRepair)
    })
}

function rendered({ log, folder, sync, hints }: LogReport, { palette, columns }: Terminal): string[] {
  if (log.files === 0) return [`No log yet in ${folder}.`]
  const layout = [
    { head: 'file' },
    ...['size', 'version', 'events', 'truncated', 'corrupt', 'blank'].map((head) => ({
      head,
      align: 'right' as const,
    })),
    { head: '', canShrink: true },
  ]
  const bad = (count: number): string => (count === 0 ? '0' : palette.red(String(count)))
  const rows = log.perFile.map((file) => [
    ...[file.name, formatBytes(file.bytes), file.version === null ? '' : String(file.version)],
    ...[String(file.events), String(file.truncated), bad(file.corrupt), String(file.blank), remarkOn(file)],
  ])
  const open = log.openBytes > 0 ? [`${log.openBytes} bytes at its end are not closed; the next event seals them.`] : []
  return [
    ...formatTable(layout, rows, columns, palette.dim),
    `${formatCount(log.events, 'event')}, ${log.truncated} torn, ${log.corrupt} rotten${log.corruptAt.length > 0 ? ` (${log.corruptAt.join('; ')})` : ''}. The disk is waited for ${sync === 'always' ? 'at every event' : 'when a session ends'}.`,
    ...open,
    ...hints,
  ]
}

const remarkOn = ({ damaged, version, headers }: LogFileIntegrity): string => {
  if (damaged) return 'cannot be unpacked'
  if (version === null) return 'no header'
  return headers > 1 ? `${headers} headers` : ''
}

function renderedRepair({
  dryRun,
  files,
  keptIn,
  newerFiles,
}: LogRepairResult & { readonly dryRun: boolean }): string[] {
  const left = newerFiles.map((name) => `${name} was left alone: a newer memctl wrote it. Update memctl.`)
  if (files.length === 0) return ['Every line is whole: there was nothing to do.', ...left]
  const did = files.map(({ name, truncated, corrupt, bytes, cutShort }) => {
    const cut = cutShort ? ', and what cannot be unpacked of it' : ''
    return `${name}: ${truncated} truncated, ${corrupt} corrupt, ${formatCount(bytes, 'byte')}${cut}`
  })
  return [
    dryRun ? 'This would be moved out of the log:' : `Moved out of the log into ${keptIn}:`,
    ...did.map((line) => `  ${line}`),
    ...(dryRun ? ['Nothing was changed.'] : ['No event was touched.']),
    ...left,
  ]
}
