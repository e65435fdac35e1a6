// Waiting for the disk: what a power cut may take. A killed process never loses what an append has returned from.
import type { Files } from './files.ts'
import { type LogPosition, logFileName, openLogFiles } from './log.ts'

/** When the disk is waited for: at every append, or once when a session has ended. */
export const SYNC_CHOICES = ['always', 'session'] as const
export type SyncChoice = (typeof SYNC_CHOICES)[number]

/** Waits until the disk has the log from `from` on. */
export function syncLog(files: Files, folder: string, from: LogPosition): void {
  for (const file of openLogFiles(files, folder)) {
    if (file >= from.file - 1) files.sync(`${folder}/${logFileName(file)}`)
  }
}
