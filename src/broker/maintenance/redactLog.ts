// The second pass over the log: removes the secrets that hooks had no time to search, before anything is saved.
//
//   hook ─▶ event in the log ─▶ worker: second pass over the tail ─▶ apply it ─▶ second pass over what other windows
//                                     ▲                                          appended meanwhile ─▶ snapshot
//                                     └──────────── load again ◀── it had secrets ──┘
//
// It rewrites events in place, like `memctl forget`, so every position in the log stays the same.
import type { Event } from '../../model/event.ts'
import { redactStoredEvent } from '../../record/redact/secondPass.ts'
import type { LogPosition } from '../../store/log/eventLog.ts'
import { findLogEnd } from '../../store/log/readLog.ts'
import { eraseInLog } from '../../store/log/rewriteLog.ts'
import { coveredPosition, NO_MANIFEST } from '../../store/snapshot/manifest.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'

/**
 * Redacts the events after a position, by default those that no snapshot has yet. Returns how many lost a secret, and
 * where the searched part of the log ends. The caller holds the lock of the store.
 */
export function redactLogTail({ files, layout }: Store, position?: LogPosition) {
  const from = position ?? coveredPosition(readManifestIfValid(files, layout) ?? NO_MANIFEST)
  const end = findLogEnd(files, layout.events, from)
  // What is shared has passed it before it was appended, on the machine that sent it and on this one.
  const eraseEvent = (event: Event): Event => (event.kind.startsWith('team.') ? event : redactStoredEvent(event))
  const changed = eraseInLog(files, layout.events, { eraseEvent, isErasable: () => false, from })
  return { redacted: changed.reduce((total, file) => total + file.redacted + file.removed, 0), end }
}

/**
 * Redacts what the projection has not saved, before the log's tail is applied. If a secret was applied already, it is
 * loaded anew; returns whether it was. The caller holds the lock of the store.
 */
export function redactUnsaved(store: Store, loaded: LoadedProjection, load: () => LoadedProjection): boolean {
  const from = searchedPosition(loaded)
  const { redacted, end } = redactLogTail(store, from)
  const isApplied = redacted > 0 && isBehind(from, loaded.projection.cursor)
  if (isApplied) Object.assign(loaded, { provisional: undefined }, load())
  loaded.searched = end
  return isApplied
}

/** The same before a snapshot is written, for what was applied since: the next pass begins where the snapshot ends. */
export function redactApplied(store: Store, loaded: LoadedProjection, load: () => LoadedProjection): void {
  while (isBehind(searchedPosition(loaded), loaded.projection.cursor))
    if (redactUnsaved(store, loaded, load)) applyLogTail(store, loaded)
}

/**
 * Whether the projection may still be saved: another process that has saved since it was loaded has also removed
 * secrets from the log, which the projection may have applied before.
 */
export function isStillCurrent({ files, layout }: Store, { manifest }: LoadedProjection): boolean {
  const saved = readManifestIfValid(files, layout)
  return saved?.generation === manifest.generation && !isBehind(coveredPosition(manifest), coveredPosition(saved))
}

const searchedPosition = ({ searched, manifest }: LoadedProjection): LogPosition =>
  searched ?? coveredPosition(manifest)

const isBehind = (a: LogPosition, b: LogPosition): boolean =>
  a.file < b.file || (a.file === b.file && (a.offset < b.offset || a.previous < b.previous))
