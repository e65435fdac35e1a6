// memctl import transcripts: learns from the transcripts that Claude Code keeps on this machine. And what `memctl init`
// says about them.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import type { TranscriptFile, TranscriptProject } from '../../broker/transcripts/findTranscripts.ts'
import type { SessionPlan } from '../../broker/transcripts/importSessions.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatCount, formatDuration } from '../../report/formatNumber.ts'
import { createProgressBar } from '../../report/textOutput.ts'
import { realDisk } from '../../store/disk/files.ts'
import { toSystemPath } from '../../store/disk/paths.ts'
import { type CliContext, printResult } from '../context/cliContext.ts'
import {
  applySettings,
  dateOption,
  integerOption,
  openSelectedStore,
  type StoreOptions,
  withImportOptions,
} from '../context/storeOption.ts'

interface TranscriptOptions extends StoreOptions {
  readonly dryRun?: boolean
  readonly allProjects?: boolean
  readonly since?: number
  readonly limit?: number
}

export function registerImportTranscripts(group: Command, io: CliContext): void {
  const command = group
    .command('transcripts')
    .description("learn from Claude Code's own transcripts of earlier sessions")
    .argument('[path]', 'a folder or file with transcripts (default: those that the client keeps on this machine)')
    .option('--all-projects', 'take the sessions of all projects, each into its own memory')
    .option('--since <date>', 'only sessions that went on after this date, such as 2026-03-01', dateOption)
    .option('--limit <n>', 'only the latest n sessions of each project', integerOption(1))
  withImportOptions(command).action(async (given: string | undefined, options: TranscriptOptions) => {
    const startMs = Date.now()
    const { findTranscripts, transcriptFolder } = await import('../../broker/transcripts/findTranscripts.ts')
    const own = path.resolve(io.cwd, transcriptFolder(io.env))
    const folder = given === undefined ? own : path.resolve(io.cwd, given)
    if (given === undefined && !fs.existsSync(folder)) {
      throw new MemoryError('NOT_FOUND', `Claude Code has no transcripts on this machine yet (${folder})`, {
        hint: 'There is nothing to import: memctl learns from your next sessions. Or name a folder with transcripts.',
      })
    }
    const found = findTranscripts(realDisk, folder)
    const selected = await selectProjects(found, { options, given, folder, own }, io)
    const projects: ImportedProject[] = []
    for (const project of selected.projects) projects.push(await importProject(project, options, io))
    const { left } = selected
    const result = { dryRun: options.dryRun ?? false, projects, total: projects.length, left, ms: Date.now() - startMs }
    assertFound(result, folder)
    printResult(io, options.json, result, formatTranscriptImport)
  })
}

interface Place {
  readonly options: TranscriptOptions
  readonly given: string | undefined
  /** The folder or file to import. */
  readonly folder: string
  /** Where the client keeps its transcripts. */
  readonly own: string
}

/**
 * The projects whose sessions are imported, and what is `left`: the sessions of other projects, and of folders that are
 * gone. The folder of a session decides, as for hooks. Somebody else's file may name any folder: it adds to other
 * projects only with `--all-projects`.
 */
async function selectProjects(found: readonly TranscriptFile[], place: Place, io: CliContext) {
  const { options, given, folder, own } = place
  const { groupByProject } = await import('../../broker/transcripts/findTranscripts.ts')
  const isOneProject = options.project !== undefined || options.store !== undefined
  if (options.allProjects && isOneProject) {
    throw new MemoryError('USAGE', '--all-projects cannot be combined with --project or --store', {
      hint: 'Use --all-projects alone: the folder of each session decides.',
    })
  }
  const current = await openSelectedStore(options, io)
  if (given !== undefined && isOneProject) {
    const folders = [...new Set(found.map(({ cwd }) => cwd))]
    return { projects: [{ store: current, files: found, folders, isGone: false }], left: [] }
  }
  const isOwn = folder !== own && toSystemPath(folder).startsWith(`${toSystemPath(own)}/`)
  const groups = groupByProject(found, { env: io.env, files: realDisk })
  const isSelected = ({ store, isGone }: TranscriptProject): boolean => {
    if (store.layout.folder === current.layout.folder) return true
    if (!options.allProjects && !isOwn) return false
    // A folder that is gone may have been moved: its sessions are only added to a memory that it has already.
    return !isGone || realDisk.list(store.layout.events).length > 0
  }
  const left = groups.flatMap((project) => {
    const reason = project.isGone ? ('gone' as const) : ('other' as const)
    const sessions = new Set(project.files.map(({ session }) => session)).size
    return isSelected(project) ? [] : [{ folder: project.folders[0] ?? '', sessions, reason }]
  })
  return { projects: groups.filter(isSelected), left }
}

/** Imports the sessions of one project, or says what an import would do. */
async function importProject({ store, files, folders }: TranscriptProject, options: TranscriptOptions, io: CliContext) {
  const { scanTranscripts } = await import('../../broker/transcripts/scanTranscripts.ts')
  const { importSessions, planSessions } = await import('../../broker/transcripts/importSessions.ts')
  const reading = createProgressBar(io, files.length, options.json)
  const all = scanTranscripts(store.files, files, ({ file }) => reading.advance(`reading ${path.basename(file)}`))
  reading.clear()
  const { since = 0, limit } = options
  const recent = all.filter(({ last }) => last >= since).toSorted((a, b) => b.last - a.last)
  const wanted = new Set(recent.slice(0, limit))
  const plans = planSessions(
    store,
    all.filter((session) => wanted.has(session)),
  )
  const count = (state: SessionPlan['state']): number => plans.filter((plan) => plan.state === state).length
  const sum = (field: 'prompts' | 'calls' | 'payloads'): number => plans.reduce((total, plan) => total + plan[field], 0)
  const events = options.dryRun ? 0 : await record()
  return {
    project: store.project.name,
    store: store.layout.folder,
    folders,
    sessions: { total: plans.length, new: count('new'), partly: count('partly'), forgotten: count('forgotten') },
    prompts: sum('prompts'),
    calls: sum('calls'),
    payloads: sum('payloads'),
    events,
    skippedLines: all.reduce((total, { broken, tooLong }) => total + broken + tooLong, 0),
    bytes: all.reduce((total, { bytes }) => total + bytes, 0),
  }

  async function record(): Promise<number> {
    await applySettings(store)
    const bar = createProgressBar(io, sum('payloads'), options.json)
    let done = 0
    try {
      const onSession = ({ session, payloads }: SessionPlan): void => {
        done += payloads
        bar.setDone(done, `${new Date(session.first).toISOString().slice(0, 10)} ${session.id}`)
      }
      return importSessions(store, plans, { now: Date.now(), onSession }).events
    } finally {
      bar.clear()
    }
  }
}

/** Nothing to import is an error, and says where the sessions are. Sessions that are known already are none. */
function assertFound({ projects, left }: TranscriptImport, folder: string): void {
  if (projects.length > 0) return
  const sessions = left.reduce((sum, group) => sum + group.sessions, 0)
  const places = `${left.length} other ${left.length === 1 ? 'folder' : 'folders'}`
  throw new MemoryError('NOT_FOUND', `No transcripts of this project in ${folder}`, {
    hint:
      sessions > 0
        ? `There are ${sessions} of ${places}: run this there, or use --all-projects.`
        : 'Name a folder with transcripts, or start with a session: hooks record it.',
  })
}

type ImportedProject = Awaited<ReturnType<typeof importProject>>

export interface TranscriptImport {
  readonly dryRun: boolean
  readonly projects: readonly ImportedProject[]
  readonly total: number
  /** Sessions that were not imported, because they belong to another project or their folder is gone. */
  readonly left: readonly { readonly folder: string; readonly sessions: number; readonly reason: 'other' | 'gone' }[]
  readonly ms: number
}

function formatTranscriptImport(result: TranscriptImport): string[] {
  const { dryRun, projects, left, ms } = result
  const lines = projects.flatMap((project) => describeProject(project, dryRun))
  const gone = left.filter(({ reason }) => reason === 'gone')
  const others = left.filter(({ reason }) => reason === 'other').reduce((sum, { sessions }) => sum + sessions, 0)
  return [
    ...lines,
    ...gone.map(({ folder, sessions }) => `Left out: ${formatCount(sessions, 'session')} of ${folder}, which is gone.`),
    ...(others > 0 ? [`${formatCount(others, 'session')} of other projects: --all-projects takes them, too.`] : []),
    dryRun ? 'Nothing was stored. Run it without --dry-run.' : `Done in ${formatDuration(ms)}.`,
  ]
}

function describeProject(imported: ImportedProject, dryRun: boolean): string[] {
  const { project, sessions, prompts, calls, payloads, events, skippedLines, store } = imported
  const parts = `with ${formatCount(prompts, 'prompt')} and ${formatCount(calls, 'call')}`
  return [
    `${project}: ${formatCount(sessions.total, 'session')}, ${describeStates(sessions)}`,
    payloads === 0
      ? '  nothing to add'
      : dryRun
        ? `  to record: about ${formatCount(payloads, 'event')}, ${parts}`
        : `  recorded: ${formatCount(events, 'event')}, ${parts}`,
    ...(skippedLines > 0 ? [`  skipped: ${formatCount(skippedLines, 'line')} that cannot be read`] : []),
    ...(events > 0 ? [`  stored in ${store}: see \`memctl list\``] : []),
  ]
}

function describeStates({ total, new: added, partly, forgotten }: ImportedProject['sessions']): string {
  const known = total - added - partly - forgotten
  const parts = [
    [added, 'new'],
    [partly, 'recorded in part'],
    [known, 'known already'],
    [forgotten, 'forgotten, and left out'],
  ] as const
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ') || 'none'
}

/** One line if there are transcripts of sessions that are not recorded yet; `project` is the folder of the project. */
export async function describeTranscripts(project: string, { env }: CliContext): Promise<readonly string[]> {
  const { findTranscripts, transcriptFolder } = await import('../../broker/transcripts/findTranscripts.ts')
  const { readRecordedSessions } = await import('../../broker/transcripts/recordTranscript.ts')
  const { openStore } = await import('../../broker/open/openStore.ts')
  // The client's name for the transcripts of a folder.
  const folder = path.join(transcriptFolder(env), project.replace(/[^A-Za-z0-9]/g, '-'))
  if (realDisk.permissions(folder)?.kind !== 'folder') return []
  const sessions = new Set(findTranscripts(realDisk, folder).map(({ session }) => session))
  const recorded = readRecordedSessions(openStore(project, env))
  const missing = [...sessions].filter((session) => !recorded.has(session)).length
  if (missing === 0) return []
  return [`Earlier:   ${formatCount(missing, 'session')} before memctl: \`memctl import transcripts\` learns from them`]
}
