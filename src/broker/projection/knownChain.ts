// The checksums of the log that the last snapshot had: from the manifest, or if that is damaged or gone, from the
// state that was saved with it.
import { readJson } from '../../store/disk/readJson.ts'
import type { LogChain } from '../../store/log/logChain.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import type { LearnerState } from './projectionFiles.ts'

/** Undefined if no snapshot of this version was written yet. */
export function readKnownChain(store: Store): LogChain | undefined {
  const manifest = readManifestIfValid(store.files, store.layout)
  if (manifest && manifest.generation > 0) return manifest.log
  for (const generation of listGenerations(store)) {
    try {
      const log = readJson<LearnerState>(store.files, store.layout.work(generation))?.log
      if (log) return log
    } catch {
      // Damaged too: the one of the generation before may be left.
    }
  }
  return undefined
}

/** The generations of which there are files, the latest first. A new snapshot must have a higher one. */
export function listGenerations({ files, layout }: Store): number[] {
  const names = [...files.list(layout.folder), ...files.list(layout.segments)]
  const numbers = names.flatMap((name) => {
    const [, state, segment, rows] = /^(?:work\.(\d+)\.json|(\d{6})\D.*?(?:\.(\d+)\.row)?)$/.exec(name) ?? []
    return [state, segment, rows].flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
  })
  return [...new Set(numbers)].sort((a, b) => b - a)
}
