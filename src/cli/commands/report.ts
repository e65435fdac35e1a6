// memctl report: the memory of a project as one HTML file, for a browser.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { MemoryError } from '../../model/memoryError.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { type CliContext, printResult, type Terminal } from '../context/cliContext.ts'
import {
  dateOption,
  integerOption,
  openSyncedStore,
  type StoreOptions,
  withStoreOptions,
} from '../context/storeOption.ts'

interface ReportCommandOptions extends StoreOptions {
  readonly out?: string
  readonly open?: boolean
  readonly since?: number
  readonly pages: number
  readonly includePrivate?: boolean
  readonly effect?: true
}

/** Memories with a page of their own: about 4 MB. */
const PAGES_DEFAULT = 700

export function registerReport(program: Command, io: CliContext): void {
  const about = 'write what the memory knows and whether it helps to an HTML file, for a browser'
  withStoreOptions(program.command('report').description(about))
    .option('--out <file>', "the file to write (default: report.html in the project's store)")
    .option('--open', 'open it in the browser')
    .option('--since <date>', 'leave out sessions, notes and failures before this day, such as 2026-03-01', dateOption)
    .option('--pages <n>', 'number of memories that get a page of their own', integerOption(0), PAGES_DEFAULT)
    .option('--include-private', 'include private memories: do not share the file then; not inside a session')
    .option('--effect', 'print the measured effect of injected memories here, and write no file')
    .action(async (options: ReportCommandOptions) => {
      if (options.effect) return (await import('./contribution.ts')).printEffect(options, io)
      const result = await writeReport(options, io)
      const opened = options.open ? await openInBrowser(result.file) : undefined
      printResult(io, options.json, { ...result, ...(opened !== undefined && { opened }) }, formatReport)
    })
}

type ReportResult = Awaited<ReturnType<typeof writeReport>> & { readonly opened?: boolean }

async function writeReport(options: ReportCommandOptions, io: CliContext) {
  const { gatherReport } = await import('../../broker/queries/reportData.ts')
  const { renderReport, REPORT_MARK } = await import('../../report/html/page.ts')
  const { decideVerdict } = await import('../../report/html/measured.ts')
  const { previewRecall } = await import('../../broker/handlers/previewRecall.ts')
  const { defaultReportFile } = await import('../../store/disk/paths.ts')
  const { readHubStatus } = await import('../../broker/team/hubStatus.ts')
  const { describeHub, readDistill } = await import('./status.ts')
  const store = await openSyncedStore(options, io)
  const file = options.out === undefined ? defaultReportFile(store) : path.resolve(io.cwd, options.out)
  if (isForeignFile(file, REPORT_MARK)) {
    throw new MemoryError('USAGE', `${file} exists and is no report of memctl`, {
      hint: 'Give another name with --out, or remove the file.',
    })
  }
  const { pages, includePrivate = false } = options
  const since = options.since === undefined ? undefined : new Date(options.since).toISOString()
  const data = gatherReport(store, { now: Date.now(), since, pagesMax: pages, withPrivate: includePrivate })
  const hub = describeHub(readHubStatus(store, io.env), Date.now())
  const next = previewRecall(store, { moment: 'start', text: '', now: Date.now() }).text
  const reader = await readDistill(store, io)
  const content = Buffer.from(renderReport(data, { next, hub, reader }))
  store.files.replace(file, content)
  const { totals, pages: withPage, pagesLeftOut, includesPrivate } = data
  const counts = { sessions: totals.sessions, notes: totals.notes, memories: withPage.length + pagesLeftOut }
  // One sentence: does the memory help?
  const { headline: verdict } = decideVerdict(data)
  return { file, bytes: content.length, ...counts, pages: withPage.length, includesPrivate, verdict }
}

/** Whether a file is there that is no earlier report. A folder is foreign, too. */
function isForeignFile(file: string, mark: string): boolean {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (!stats) return false
  return !stats.isFile() || !fs.readFileSync(file, 'utf8').startsWith(mark)
}

const OPEN_IT = 'Open it in a browser, or run `memctl report --open`.'

function formatReport(result: ReportResult, { palette }: Terminal): string[] {
  const { file, bytes, sessions, memories, pages, includesPrivate, verdict, opened } = result
  const all = formatCount(memories, 'memory', 'memories')
  const withPage = pages < memories ? `${all}, ${pages} of them with a page` : all
  const howToOpen = opened === false ? 'No program here opens it: open it in a browser.' : OPEN_IT
  return [
    `${palette.bold(file)} (${formatBytes(bytes)}): ${formatCount(sessions, 'session')}, ${withPage}. ${verdict}`,
    ...(includesPrivate ? ['It includes private memories: do not share it.'] : []),
    ...(opened === true ? [] : [howToOpen]),
  ]
}

/** The command that opens a file on this platform, as arguments; no shell reads the path. */
export function openingCommand(file: string, platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', file]
  // `start` is part of a shell that would read signs in the path; this opens a file as a double click does.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', file] : ['xdg-open', file]
}

/** Starts it without waiting for its end. Whether it could be started. */
function openInBrowser(file: string): Promise<boolean> {
  const [command, ...args] = openingCommand(file, process.platform)
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsHide: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
