// Writes what is derived from the log when a program closes a store: its snapshot, or what hooks read.
//
// What was acknowledged is in the log already. For 100,000 memories the derived files take a minute of processor time,
// so a thread writes them, and the program's event loop goes on. A program that contains the library as part of its
// own bundle has no script for a thread: there the files are written at once.
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { LiveStore } from '../broker/live/liveStore.ts'
import { realDisk } from '../store/disk/files.ts'
import type { DerivedFilesTask } from './derivedFilesThread.ts'

/** The bundle of derivedFilesThread.ts, beside that of the library. */
const SCRIPT = 'derived-files.cjs'

/** Writes the derived files that are behind the log, and resolves when they are on disk. `now` is in ms since 1970. */
export async function writeDerivedFiles(liveStore: LiveStore, now: number): Promise<void> {
  const { store } = liveStore
  const script = typeof __dirname === 'string' && store.files === realDisk ? path.join(__dirname, SCRIPT) : undefined
  if (script === undefined || store.files.size(script) === undefined) return liveStore.close(now)
  const work = liveStore.takeDueWork()
  if (work === undefined) return
  const { files: _, layout, ...place } = store
  const task: DerivedFilesTask = { place, folder: layout.folder, work, now }
  await new Promise<void>((resolve) => {
    const thread = new Worker(script, { workerData: task })
    // Nothing is lost if it fails: the next process that opens the store reads the log, and reports what is wrong.
    thread.once('error', () => resolve())
    thread.once('exit', () => resolve())
  })
}
