// The Markdown files of the slash commands and of the skill in Claude Code's folder: written by `init`, removed by
// `uninstall`. A plugin has its own in commands/ and skills/.
import fs from 'node:fs'
import path from 'node:path'
import { makeFolderFor } from '../../store/disk/diskCalls.ts'
import type { HookLocation } from './hookLocation.ts'
import { renderSkill, SKILL_PATH } from './skill.ts'
import { renderSlashCommand, SLASH_COMMANDS } from './slashCommand.ts'

export interface SlashCommandChange {
  /** The folder of the slash commands. */
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

/**
 * The change that gives `claudeFolder` the files that name this script, or none of them. Writes nothing. If the
 * script is a file of this machine (`isLocal`), a .gitignore keeps the folder out of git.
 */
export function planSlashCommands(
  claudeFolder: string,
  script: string | undefined,
  isLocal = false,
): SlashCommandChange {
  const folder = path.join(claudeFolder, 'commands', 'memctl')
  const rendered = SLASH_COMMANDS.map(
    (command) => [`commands/memctl/${command.name}.md`, (path: string) => renderSlashCommand(command, path)] as const,
  )
  const files = [...rendered, [SKILL_PATH, renderSkill] as const].map(([name, render]) => {
    const file = path.join(claudeFolder, name)
    return { file, before: readText(file), after: script === undefined ? undefined : render(script) }
  })
  // Those that this version no longer has, and no file of somebody else.
  for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
    const file = path.join(folder, name)
    if (name.endsWith('.md') && !files.some((known) => known.file === file))
      files.push({ file, before: readText(file), after: undefined })
  }
  for (const owned of [folder, path.dirname(path.join(claudeFolder, SKILL_PATH))]) {
    const file = path.join(owned, '.gitignore')
    files.push({ file, before: readText(file), after: isLocal && script !== undefined ? IGNORE_ALL : undefined })
  }
  // A file of somebody else stays as it is.
  const ours = files.filter(({ before, after }) => before !== after && (before === undefined || isOurs(before)))
  const written = new Map(ours.flatMap(({ file, after }) => (after === undefined ? [] : [[file, after] as const])))
  const removed = ours.flatMap(({ file, after }) => (after === undefined ? [file] : []))
  return { folder, changed: ours.length > 0, written, removed }
}

/** The text of one of the slash commands that init has written to `claudeFolder`; undefined if there are none. */
export function findSlashCommand(claudeFolder: string): string | undefined {
  const files = SLASH_COMMANDS.map(({ name }) => path.join(claudeFolder, 'commands', 'memctl', `${name}.md`))
  return files.map(readText).find((text) => text !== undefined && isOurs(text))
}

/** Applies a planned change. Folders that are empty afterwards are removed. */
export function applySlashCommands({ written, removed }: SlashCommandChange): void {
  for (const [file, text] of written) {
    makeFolderFor(path.dirname(file), 'umask')
    fs.writeFileSync(file, text)
  }
  for (const file of removed) fs.rmSync(file, { force: true })
  const folders = new Set(removed.map((file) => path.dirname(file)))
  for (const emptied of folders) for (const each of [emptied, path.dirname(emptied)]) removeIfEmpty(each)
}

const IGNORE_ALL = '# Written by memctl init: these files name a folder of this machine.\n*\n'

const isOurs = (text: string): boolean => text === IGNORE_ALL || /[\\/]slash\.mjs"/.test(text)

const readText = (file: string): string | undefined =>
  fs.existsSync(file) && fs.statSync(file).isFile() ? fs.readFileSync(file, 'utf8') : undefined

function removeIfEmpty(folder: string): void {
  if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder)
}
