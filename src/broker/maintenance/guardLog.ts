// Keeps a log that does not belong to this store from replacing its memories: one that was truncated or overwritten, or
// the copy of another machine.
//
//   manifest: checksums of the log it has read ──▶ equal: go on
//        │ a file is shorter, or has none of its events
//        ▼
//   a next log file, with what is kept ─▶ manifest with its position ─▶ the old files go to aside-TIME/ ─▶ faults.jsonl
//
// The memories of the snapshot stay. What this machine has recorded since the damage is appended to the new log; what
// only the snapshot has is stored in it. `memctl rebuild --from` adds what a better copy of the log has.
import { type Event, eventTimeMs } from '../../model/event.ts'
import type { Memory } from '../../model/memory.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { withLock } from '../../store/disk/lock.ts'
import { LOG_HEADER, logFileName } from '../../store/log/eventLog.ts'
import { type BrokenLogFile, type ChainedFile, findBrokenLogFiles, type LogChain } from '../../store/log/logChain.ts'
import {
  iterateLogLines,
  type LogFile,
  listLogFiles,
  logFileLabel,
  readLogFile,
  splitPlainAndCompressed,
} from '../../store/log/readLog.ts'
import type { Manifest } from '../../store/snapshot/manifest.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import { commitEvents, inBatches, systemEvent } from '../commit/commitEvents.ts'
import type { Store } from '../open/openStore.ts'
import { listCoveredMemories, loadProjection } from '../projection/projectionFiles.ts'

/** What is told about a log that was moved away, and what to do. */
const ASIDE_HINT =
  'Run `memctl rebuild --from COPY --dry-run` with a backup of the log, or with the folder it was moved to.'

/**
 * Moves a log that does not belong to the manifest away; `now` in milliseconds since 1970. The caller holds the lock.
 * Returns whether it did: what was loaded before is out of date then.
 */
export function guardLog(store: Store, now: number): boolean {
  // Without a manifest the snapshot is written anew from the log, if that is as the last snapshot has read it.
  const manifest = readManifestIfValid(store.files, store.layout)
  if (!manifest) return false
  finishSettingAside(store, manifest)
  const foreign = findForeignLog(store, manifest)
  if (foreign.length === 0) return false
  const events = [
    ...listKeptMemories(store).map((stored, i) =>
      systemEvent({ kind: 'memory.batch', stored, changes: [] }, { now, key: ['aside', String(i)] }),
    ),
    ...foreign.flatMap((broken) => listRecordedSince(store, broken, manifest.written)),
  ]
  setAside(store, manifest, { foreign, events, now })
  return true
}

/** The same for a process that only reads or adds some memories: if the lock is taken, its holder does it. */
export function guardLogIfFree(store: Store): void {
  const { files, layout } = store
  const manifest = readManifestIfValid(files, layout)
  if (!manifest || findForeignLog(store, manifest).length === 0) return
  withLock(files, layout.lock, () => guardLog(store, lastChangeMs(store)))
}

/** When a file of the log was last added or removed, in milliseconds since 1970: for repairs without a clock. */
export const lastChangeMs = ({ files, layout }: Store): number => Math.floor(files.mtimeMs(layout.events) ?? 0)

/** The log files that do not belong to the manifest. A damaged file does: its events are read as far as they can be. */
function findForeignLog({ files, layout }: Store, manifest: Manifest): BrokenLogFile[] {
  const chain = manifest.log ?? chainOfCursor(manifest)
  return findBrokenLogFiles(files, layout.events, chain, true).filter(
    ({ state }) => state === 'shorter' || state === 'foreign',
  )
}

/** A snapshot of an earlier version knows only how long its last file is. */
function chainOfCursor({ cursor: { file, offset } }: Manifest): LogChain {
  return { files: file === 0 ? [] : [{ file, bytes: offset, hash: '', events: [] }], blocks: [] }
}

/** What readers have seen and the snapshot alone does not have, for events of a limited size. */
function listKeptMemories(store: Store): Memory[][] {
  const { memories } = loadProjection(store).projection
  const isKept = (memory: Memory): boolean => JSON.stringify(memories.get(memory.id)) !== JSON.stringify(memory)
  return inBatches(listCoveredMemories(store).filter(isKept))
}

/**
 * The events that hooks of this machine have appended since the snapshot: to a log of which only the end is gone, or
 * whose bytes were overwritten. Nobody knows who wrote the events of a foreign log.
 */
function listRecordedSince({ files, layout }: Store, broken: BrokenLogFile, written: string): Event[] {
  const file = listLogFiles(files, layout.events).find(({ number }) => number === broken.file)
  if (!file) return []
  const lines = [...iterateLogLines(readLogFile(files, layout.events, file))]
  const events = lines.flatMap(({ start, line }) => (line.kind === 'event' ? [{ event: line.event, start }] : []))
  const isSince = ({ event }: { readonly event: Event }): boolean => eventTimeMs(event) > Date.parse(written)
  const isOwn =
    events.some(({ event }) => broken.events.includes(event.id)) ||
    events.every((each) => each.start >= broken.bytes || isSince(each))
  return isOwn ? events.filter(isSince).map(({ event }) => event) : []
}

interface LogToSetAside {
  readonly foreign: readonly BrokenLogFile[]
  /** What the new log begins with. */
  readonly events: readonly Event[]
  readonly now: number
}

function setAside(store: Store, manifest: Manifest, { foreign, events, now }: LogToSetAside): void {
  const { files, layout } = store
  const listed = listLogFiles(files, layout.events)
  const next = Math.max(manifest.cursor.file, ...listed.map(({ number }) => number)) + 1
  // Hooks that start from now on append to it.
  files.create(`${layout.events}/${logFileName(next)}`, Buffer.from(LOG_HEADER))
  commitEvents(store, events)
  const at = new Date(now).toISOString()
  const name = `aside-${at.replaceAll(':', '-')}`
  const moved = new Set(foreign.map(({ file }) => file))
  // Later files than the last known one may have come with a foreign log.
  if (foreign.some(({ state }) => state === 'foreign')) {
    for (const { number } of listed) if (number > manifest.cursor.file) moved.add(number)
  }
  const stays = (number: number): boolean => !moved.has(number)
  const without: Manifest = {
    ...manifest,
    cursor: { file: next, offset: LOG_HEADER.length, previous: 0 },
    recent: undefined,
    log: { files: listed.flatMap(({ number }) => (stays(number) ? chainedFile(manifest, number) : [])), blocks: [] },
    aside: [...(manifest.aside ?? []), name],
  }
  const what = `The log was not the one that the snapshot has read. It was moved to ${name}, and all memories were kept`
  const fault = { at, where: 'log', what, code: 'STORE_INVALID', hint: ASIDE_HINT }
  files.append(layout.faults, Buffer.from(`${JSON.stringify(fault)}\n`))
  // The manifest before the move: after a kill in between, the next call moves what lies before its position.
  writeJsonFile(files, layout.manifest, without)
  finishSettingAside(store, without)
}

/** The entry of a file in the chain; an empty one if the snapshot of an earlier version has none. */
const chainedFile = ({ log }: Manifest, number: number): ChainedFile =>
  log?.files.find(({ file }) => file === number) ?? { file: number, bytes: 0, hash: '', events: [] }

/** Moves files that lie before the manifest's position and are not in its chain to the latest folder. */
function finishSettingAside(store: Store, { aside, cursor, log }: Manifest): void {
  const name = aside?.at(-1)
  if (name === undefined) return
  const { files, layout } = store
  const chained = new Set(log?.files.map(({ file }) => file))
  for (const file of listLogFiles(files, layout.events)) {
    if (file.number >= cursor.file || chained.has(file.number)) continue
    // A hook that had listed the folder just before the move has made a file of the old name, without a header.
    const lines = [...iterateLogLines(readLogFile(files, layout.events, file))]
    if (lines[0]?.line.kind === 'event')
      commitEvents(
        store,
        lines.flatMap(({ line }) => (line.kind === 'event' ? [line.event] : [])),
      )
    files.makeFolder(`${layout.folder}/${name}`)
    for (const part of splitPlainAndCompressed(file)) {
      files.rename(`${layout.events}/${logFileLabel(part)}`, freeName(store, `${layout.folder}/${name}`, part))
    }
  }
}

function freeName({ files }: Store, folder: string, file: LogFile): string {
  const name = logFileLabel(file)
  for (let n = 1; ; n++) {
    const path = n === 1 ? `${folder}/${name}` : `${folder}/${n}-${name}`
    if (files.size(path) === undefined) return path
  }
}
