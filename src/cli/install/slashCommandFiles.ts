// The Markdown files of the slash commands in Claude Code's folder of commands: written by `init`, removed by
// `uninstall`. A plugin has its own in commands/.
import fs from 'node:fs'
import path from 'node:path'
import { makeFolderFor } from '../../store/disk/diskCalls.ts'
import type { HookLocation } from './hookLocation.ts'
import { renderSlashCommand, SLASH_COMMANDS } from './slashCommand.ts'

export interface SlashCommandChange {
  /** The folder of the files. */
  readonly folder: string
  readonly changed: boolean
  /** Files to write, with their text. */
  readonly written: ReadonlyMap<string, string>
  /** Files to remove. */
  readonly removed: readonly string[]
}

/** The script is beside the folder of the hooks. With slashes on every system: a shell reads it. */
export const slashScript = ({ folder }: Pick<HookLocation, 'folder'>): string =>
  folder.replaceAll('\\', '/').replace(/hooks$/, 'slash.mjs')

/** The change that gives `claudeFolder` the files that name this script, or none of them. Writes nothing. */
export function planSlashCommands(claudeFolder: string, script: string | undefined): SlashCommandChange {
  const folder = path.join(claudeFolder, 'commands', 'memctl')
  const files = SLASH_COMMANDS.map((command) => {
    const file = path.join(folder, `${command.name}.md`)
    return {
      file,
      before: readText(file),
      after: script === undefined ? undefined : renderSlashCommand(command, script),
    }
  })
  // A file of somebody else stays as it is.
  const ours = files.filter(({ before, after }) => before !== after && (before === undefined || isOurs(before)))
  const written = new Map(ours.flatMap(({ file, after }) => (after === undefined ? [] : [[file, after] as const])))
  const removed = ours.flatMap(({ file, after }) => (after === undefined ? [file] : []))
  return { folder, changed: ours.length > 0, written, removed }
}

/** Applies a planned change. Folders that are empty afterwards are removed. */
export function applySlashCommands({ folder, written, removed }: SlashCommandChange): void {
  for (const [file, text] of written) {
    makeFolderFor(folder, 'umask')
    fs.writeFileSync(file, text)
  }
  for (const file of removed) fs.rmSync(file, { force: true })
  if (removed.length > 0) for (const emptied of [folder, path.dirname(folder)]) removeIfEmpty(emptied)
}

const isOurs = (text: string): boolean => /[\\/]slash\.mjs"/.test(text)

const readText = (file: string): string | undefined =>
  fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : undefined

function removeIfEmpty(folder: string): void {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder)
}
