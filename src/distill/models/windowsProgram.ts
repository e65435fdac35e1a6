// Which program a command of the person starts on Windows. npm installs a program as `name.cmd`, which only a shell can
// start, and no shell passes a prompt of several lines on. So the script that such a file starts is started itself.
//
//   claude.cmd   …  "%_prog%"  "%dp0%\node_modules\@anthropic-ai\claude-code\cli.js" %*
//   claude.cmd   …  "%dp0%\node_modules\@anthropic-ai\claude-code\bin\claude.exe" %*
import { existsSync, readFileSync } from 'node:fs'
import { win32 } from 'node:path'

/** A program and what comes before its arguments. */
export interface Program {
  readonly file: string
  readonly words: readonly string[]
}

/** What is read of the disk. */
interface Disk {
  exists(file: string): boolean
  read(file: string): string
}

/** The file that a `.cmd` of npm starts; `%~dp0` is its own folder. */
const STARTED = /"%(?:~dp0|dp0%)\\?([^"%]+\.(?:[cm]?js|exe))"/gi

/** The program of `command` if it is a `.cmd` of npm: by its path or by its name in PATH; else the command itself. */
export function findWindowsProgram(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  disk: Disk = { exists: existsSync, read: (file) => readFileSync(file, 'latin1') },
): Program {
  const isPath = /[\\/]/.test(command)
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? ''
  const folders = isPath ? [''] : path.split(';').filter(Boolean)
  for (const folder of folders) {
    const file = win32.join(folder, /\.cmd$/i.test(command) ? command : `${command}.cmd`)
    // Windows prefers a program beside it.
    if (disk.exists(win32.join(folder, `${command}.exe`))) break
    const started = disk.exists(file) ? [...disk.read(file).matchAll(STARTED)].at(-1)?.[1] : undefined
    if (started === undefined) continue
    const target = win32.join(win32.dirname(file), started)
    return /\.exe$/i.test(target) ? { file: target, words: [] } : { file: process.execPath, words: [target] }
  }
  return { file: command, words: [] }
}
