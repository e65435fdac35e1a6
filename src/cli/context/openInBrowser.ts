// Opens a file with the program that the system has for it.
import { spawn } from 'node:child_process'

/** The command that opens a file on this platform, as arguments; no shell reads the path. */
export function openingCommand(file: string, platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open', file]
  // `start` is part of a shell that would read signs in the path; this opens a file as a double click does.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', file] : ['xdg-open', file]
}

/** Starts it without waiting for its end. Whether it could be started. */
export function openInBrowser(file: string): Promise<boolean> {
  const [command, ...args] = openingCommand(file, process.platform)
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore', windowsHide: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
