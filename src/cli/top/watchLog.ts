// Says when the log or the snapshot of a store has changed: by the system's watcher, and by a look each second where
// there is none. It takes no lock and reads no content.
import fs from 'node:fs'

const POLL_MS = 1_000

/** Several lines that are written one after the other are one change. */
const SETTLE_MS = 150

/** Calls `onChange` after changes in these folders, and at least each second. Returns what ends it. */
export function watchFolders(folders: readonly string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      onChange()
    }, SETTLE_MS)
  }
  const watchers = folders.flatMap((folder) => {
    try {
      const watcher = fs.watch(folder, { persistent: false }, soon)
      watcher.on('error', () => watcher.close())
      return [watcher]
    } catch {
      return [] // No such folder yet, or no watcher on this file system: the poll sees changes.
    }
  })
  const poll = setInterval(onChange, POLL_MS)
  return () => {
    clearInterval(poll)
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
