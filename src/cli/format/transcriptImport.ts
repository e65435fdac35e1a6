// What an import of transcripts has done, or would do, for a person.
import { formatCount } from '../../report/formatNumber.ts'
import { formatDuration } from '../../report/formatTime.ts'

/** One project of an import. */
export interface ImportedProject {
  readonly project: string
  readonly store: string
  /** The folders in which its sessions began. */
  readonly folders: readonly string[]
  /** `partly`: hooks or an import have recorded a part. `forgotten`: erased by `memctl forget`, and left out. */
  readonly sessions: {
    readonly total: number
    readonly new: number
    readonly partly: number
    readonly forgotten: number
  }
  /** What is not recorded yet. */
  readonly prompts: number
  readonly calls: number
  readonly payloads: number
  /** Events that were recorded; 0 for a dry run. */
  readonly events: number
  /** Lines that are no JSON or too long. */
  readonly skippedLines: number
  /** Size of the transcripts. */
  readonly bytes: number
}

export interface TranscriptImport {
  readonly dryRun: boolean
  readonly projects: readonly ImportedProject[]
  readonly total: number
  /** Sessions that were not imported, because they belong to another project or their folder is gone. */
  readonly left: readonly { readonly folder: string; readonly sessions: number; readonly reason: 'other' | 'gone' }[]
  readonly ms: number
}

/** Measured with recorded sessions: docs/import.md. */
const EVENTS_PER_SECOND = 500
const BYTES_PER_EVENT = 1_400

/** The lines of a person's terminal. */
export function formatImport(result: TranscriptImport): string[] {
  const { dryRun, projects, left, ms } = result
  const lines = projects.flatMap((project) => (dryRun ? describePlan(project) : describeDone(project)))
  const gone = left.filter(({ reason }) => reason === 'gone')
  const others = left.filter(({ reason }) => reason === 'other').reduce((sum, { sessions }) => sum + sessions, 0)
  return [
    ...lines,
    ...gone.map(({ folder, sessions }) => `Left out: ${formatCount(sessions, 'session')} of ${folder}, which is gone.`),
    ...(others > 0 ? [`${formatCount(others, 'session')} of other projects: --all-projects takes them, too.`] : []),
    dryRun ? 'Nothing was stored. Run it without --dry-run.' : `Done in ${formatDuration(ms)}.`,
  ]
}

function describePlan({ project, sessions, prompts, calls, payloads, skippedLines }: ImportedProject): string[] {
  const seconds = Math.max(1, Math.round(payloads / EVENTS_PER_SECOND))
  const megabytes = Math.max(0.1, (payloads * BYTES_PER_EVENT) / 1e6)
  return [
    `${project}: ${formatCount(sessions.total, 'session')}, ${describeStates(sessions)}`,
    ...(payloads > 0
      ? [
          `  to record: ${formatCount(prompts, 'prompt')}, ${formatCount(calls, 'call')}, ` +
            `about ${formatCount(payloads, 'event')}: some ${megabytes.toFixed(1)} MB, ${seconds} s`,
        ]
      : []),
    ...describeSkipped(skippedLines),
  ]
}

function describeDone({ project, sessions, prompts, calls, events, skippedLines, store }: ImportedProject): string[] {
  const parts = `${formatCount(prompts, 'prompt')} and ${formatCount(calls, 'call')}`
  return [
    `${project}: ${formatCount(sessions.total, 'session')}, ${describeStates(sessions)}`,
    events > 0
      ? `  recorded: ${formatCount(events, 'event')}, with ${parts}`
      : '  nothing to add: everything is recorded already',
    ...describeSkipped(skippedLines),
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

const describeSkipped = (lines: number): string[] =>
  lines > 0 ? [`  skipped: ${formatCount(lines, 'line')} that cannot be read`] : []
