// memctl log: is every line of the log whole, and moving out of the way what is not.
import type { Command } from 'commander'
import type { LogCheck } from '../broker/check/log.ts'
import { bytesText, countText } from '../report/amount.ts'
import { table } from '../report/table.ts'
import type { LogRepair } from '../store/logRepair.ts'
import type { FileSurvey } from '../store/survey.ts'
import { takeConfig } from './config.ts'
import { BadNews } from './exit.ts'
import { aboutStore, type StoreOptions, storeGiven } from './given.ts'
import { type Io, type Page, tell } from './io.ts'

export function registerLog(program: Command, io: Io): void {
  const log = program.command('log').description('the log: whether every line of it is whole, and mending it')
  aboutStore(
    log
      .command('check', { isDefault: true })
      .description('count whole, torn and rotten lines; exit status 1 when events are damaged'),
  ).action(async (words: StoreOptions) => {
    const { checkLog } = await import('../broker/check/log.ts')
    const store = await storeGiven(words, io)
    await takeConfig(store)
    const check = checkLog(store, Date.now())
    tell(io, words.json, check, rendered)
    if (!check.sound) throw new BadNews(1)
  })
  aboutStore(
    log
      .command('repair')
      .description('move torn and rotten bytes out of the log into a file beside it; no event is touched'),
  )
    .option('--dry-run', 'only say what would be done')
    .action(async (words: StoreOptions & { readonly dryRun?: boolean }) => {
      const { repair } = await import('../broker/check/log.ts')
      const dryRun = words.dryRun ?? false
      const repaired = await repair(await storeGiven(words, io), Date.now(), dryRun)
      tell(io, words.json, { dryRun, ...repaired }, renderedRepair)
    })
}

function rendered({ log, folder, sync, mends }: LogCheck, { palette, columns }: Page): string[] {
  if (log.files === 0) return [`No log yet in ${folder}.`]
  const layout = [
    { head: 'file' },
    ...['size', 'version', 'events', 'torn', 'rotten', 'blank'].map((head) => ({ head, side: 'right' as const })),
    { head: '', gives: true },
  ]
  const bad = (count: number): string => (count === 0 ? '0' : palette.red(String(count)))
  const rows = log.perFile.map((file) => [
    ...[file.name, bytesText(file.bytes), file.version === null ? '' : String(file.version)],
    ...[String(file.events), String(file.torn), bad(file.rotten), String(file.blank), remarkOn(file)],
  ])
  const open = log.openBytes > 0 ? [`${log.openBytes} bytes at its end are not closed; the next event seals them.`] : []
  return [
    ...table(layout, rows, columns, palette.dim),
    `${countText(log.events, 'event')}, ${log.torn} torn, ${log.rotten} rotten${log.rottenAt.length > 0 ? ` (${log.rottenAt.join('; ')})` : ''}. The disk is waited for ${sync === 'always' ? 'at every event' : 'when a session ends'}.`,
    ...open,
    ...mends,
  ]
}

const remarkOn = ({ damaged, version, headers }: FileSurvey): string => {
  if (damaged) return 'cannot be unpacked'
  if (version === null) return 'no header'
  return headers > 1 ? `${headers} headers` : ''
}

function renderedRepair({ dryRun, files, keptIn, newerFiles }: LogRepair & { readonly dryRun: boolean }): string[] {
  const left = newerFiles.map((name) => `${name} was left alone: a newer memctl wrote it. Update memctl.`)
  if (files.length === 0) return ['Every line is whole: there was nothing to do.', ...left]
  const did = files.map(({ name, torn, rotten, bytes, cutShort }) => {
    const cut = cutShort ? ', and what cannot be unpacked of it' : ''
    return `${name}: ${torn} torn, ${rotten} rotten, ${countText(bytes, 'byte')}${cut}`
  })
  return [
    dryRun ? 'This would be moved out of the log:' : `Moved out of the log into ${keptIn}:`,
    ...did.map((line) => `  ${line}`),
    ...(dryRun ? ['Nothing was changed.'] : ['No event was touched.']),
    ...left,
  ]
}
