// eval transcripts: what an import of transcripts has learned, compared with a replay of the same sessions.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import { findTranscripts } from '../../src/broker/transcripts/findTranscripts.ts'
import { importSessions, planSessions } from '../../src/broker/transcripts/importSessions.ts'
import { scanTranscripts } from '../../src/broker/transcripts/scanTranscripts.ts'
import { type CliContext, printResult } from '../../src/cli/context/cliContext.ts'
import { readPackageInfo } from '../../src/cli/context/packageInfo.ts'
import { integerOption } from '../../src/cli/context/storeOption.ts'
import { KNOWLEDGE_KINDS, type Memory } from '../../src/model/memory.ts'
import { formatDuration } from '../../src/report/formatNumber.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { type RecordedPayload, replaySessions } from '../fixture/replaySessions.ts'
import { createTempHome } from '../fixture/tempHome.ts'
import { readRecordings } from '../replay/recordingFiles.ts'
import { makeTranscript } from './makeTranscript.ts'

interface TranscriptsOptions {
  readonly shared?: string
  readonly projectName: string
  readonly limit: number
  readonly show?: true
  readonly json?: boolean
}

export function registerTranscripts(evaluate: Command, io: CliContext): void {
  evaluate
    .command('transcripts')
    .description('make transcripts of recorded sessions, import them, and compare the memories with those of a replay')
    .option('--shared <dir>', 'the folder with recordings/ (default: ../shared of this repository)')
    .option('--project-name <name>', 'the folder below recordings/', 'cli')
    .option('--limit <n>', 'how many sessions', integerOption(1), 50)
    .option('--show', 'show what differs')
    .option('--json', 'print one line of JSON')
    .action((options: TranscriptsOptions) => {
      const shared = path.resolve(io.cwd, options.shared ?? path.join(readPackageInfo().root, '..', 'shared'))
      const folder = path.join(shared, 'recordings', options.projectName)
      if (!fs.existsSync(folder)) {
        const skipped = `there are no recordings in ${folder}; give the folder with --shared DIR.`
        return printResult(io, options.json, { skipped }, () => [`Skipped: ${skipped}`])
      }
      const recordings = readRecordings([folder], io.cwd).slice(0, options.limit)
      const sessions = recordings.map(({ payloads }) => payloads)
      using work = createTempHome('transcripts')
      const transcripts = writeTranscripts(sessions, work.path)
      const root = String(sessions[0]?.[0]?.payload['cwd'] ?? work.path)
      printResult(io, options.json, compare(work.path, transcripts, root, sessions), (result) =>
        format(result, options.show),
      )
    })
}

/** Writes the transcripts as the client names them. Returns their folder. */
function writeTranscripts(sessions: readonly (readonly RecordedPayload[])[], folder: string): string {
  const projects = path.join(folder, 'projects', 'recorded')
  fs.mkdirSync(projects, { recursive: true })
  for (const recorded of sessions) {
    const { session, lines, agents } = makeTranscript(recorded)
    fs.writeFileSync(path.join(projects, `${session}.jsonl`), `${lines.join('\n')}\n`)
    for (const [id, agent] of agents) {
      const subagents = path.join(projects, session, 'subagents')
      fs.mkdirSync(subagents, { recursive: true })
      fs.writeFileSync(path.join(subagents, `agent-${id}.jsonl`), `${agent.lines.join('\n')}\n`)
      fs.writeFileSync(path.join(subagents, `agent-${id}.meta.json`), JSON.stringify({ agentType: agent.type }))
    }
  }
  return path.join(folder, 'projects')
}

const GROUPS = {
  knowledge: KNOWLEDGE_KINDS,
  summaries: ['summary'],
  experiences: ['experience'],
} as const

interface GroupComparison {
  readonly group: string
  readonly replay: number
  readonly imported: number
  /** The same memory with the same text. */
  readonly equal: number
  /** Texts of the others: `-` only replayed, `+` only imported, `≠` both with another text. */
  readonly different: readonly string[]
}

interface Comparison {
  readonly sessions: number
  readonly payloads: number
  readonly events: number
  readonly megabytes: number
  readonly replayMs: number
  readonly importMs: number
  readonly secondImportEvents: number
  readonly groups: readonly GroupComparison[]
}

function compare(
  work: string,
  transcripts: string,
  root: string,
  sessions: readonly (readonly RecordedPayload[])[],
): Comparison {
  const replayed = openStoreAt(path.join(work, 'replayed'), root)
  const replayStart = performance.now()
  replaySessions(replayed, sessions)
  const replayMs = performance.now() - replayStart
  const imported = openStoreAt(path.join(work, 'imported'), root)
  const importStart = performance.now()
  const { events } = importAll(imported, transcripts)
  const importMs = performance.now() - importStart
  const secondImportEvents = importAll(imported, transcripts).events
  const before = memoriesOf(replayed)
  const after = memoriesOf(imported)
  const payloads = sessions.reduce((sum, session) => sum + session.length, 0)
  const bytes = findTranscripts(realDisk, transcripts).reduce((sum, file) => sum + file.bytes, 0)
  const groups = Object.entries(GROUPS).map(([group, kinds]) => compareGroup(group, kinds, before, after))
  const megabytes = bytes / 1e6
  return { sessions: sessions.length, payloads, events, megabytes, replayMs, importMs, secondImportEvents, groups }
}

function importAll(store: Store, transcripts: string): { readonly events: number } {
  const sessions = scanTranscripts(realDisk, findTranscripts(realDisk, transcripts))
  return importSessions(store, planSessions(store, sessions), { now: Date.now() })
}

const memoriesOf = (store: Store): Memory[] => [...loadProjection(store).projection.memories.values()]

function compareGroup(
  group: string,
  kinds: readonly string[],
  replayed: readonly Memory[],
  imported: readonly Memory[],
): GroupComparison {
  const before = new Map(replayed.filter(({ kind }) => kinds.includes(kind)).map((memory) => [memory.id, memory]))
  const after = new Map(imported.filter(({ kind }) => kinds.includes(kind)).map((memory) => [memory.id, memory]))
  const different: string[] = []
  for (const [id, { content }] of before) {
    const other = after.get(id)
    if (!other) different.push(`- ${content}`)
    else if (other.content !== content) different.push(`≠ ${content} ⇒ ${other.content}`)
  }
  for (const [id, { content }] of after) if (!before.has(id)) different.push(`+ ${content}`)
  const equal = [...before].filter(([id, { content }]) => after.get(id)?.content === content).length
  return { group, replay: before.size, imported: after.size, equal, different }
}

function format(result: Comparison, isShown?: boolean): string[] {
  const { sessions, payloads, events, megabytes, replayMs, importMs, secondImportEvents, groups } = result
  return [
    `${sessions} sessions, ${payloads} payloads, ${megabytes.toFixed(1)} MB of transcripts`,
    `replay ${formatDuration(replayMs)}, import ${formatDuration(importMs)}: ${events} events`,
    `a second import: ${secondImportEvents} events`,
    '| | replay | import | equal |',
    '|---|---:|---:|---:|',
    ...groups.map(({ group, replay, imported, equal }) => `| ${group} | ${replay} | ${imported} | ${equal} |`),
    ...(isShown ? groups.flatMap(({ group, different }) => different.map((text) => `${group} ${text}`)) : []),
  ]
}
