// Waiting for the disk: what a power cut may take. A killed process never loses what an append has returned from.
import type { Files } from '../disk/files.ts'
import { type LogPosition, listPlainLogFiles, logFileName } from './eventLog.ts'

/** When the disk is waited for: at every append, or once when a session has ended. */
export const SYNC_MODES = ['always', 'session'] as const
export type SyncMode = (typeof SYNC_MODES)[number]

/** Waits until the disk has the log from `from` on. */
export function fsyncLog(files: Files, folder: string, from: LogPosition): void {
  for (const file of listPlainLogFiles(files, folder)) {
    if (file >= from.file - 1) files.sync(`${folder}/${logFileName(file)}`)
  }
}
