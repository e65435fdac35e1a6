// memctl uninstall --purge: deletes memctl's home, with everything that it has stored for all projects.
import fs from 'node:fs'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import type { InstallOptions } from './installation.ts'
import { planUninstall } from './installHooks.ts'
import { mcpConfigFile } from './ourSettings.ts'
import { listRuntimeUsers } from './runtimeFolder.ts'

interface PurgePreview {
  readonly home: string
  /** Behind links: what is deleted as well, and what stays. */
  readonly deleted: readonly string[]
  readonly kept: readonly string[]
  /** The names of the project stores. */
  readonly projects: readonly string[]
  /** What is in the home, with the bytes of all its files. */
  readonly entries: readonly { readonly name: string; readonly bytes: number }[]
  /** Other settings files that start hooks in the home: these hooks would be missing. */
  readonly usedBy: readonly string[]
}

/** What would be deleted. */
export function previewPurge(options: InstallOptions): PurgePreview {
  const { home } = options
  const own = [planUninstall(options).change.file, mcpConfigFile(options.project)]
  return {
    home,
    ...followLinks(home),
    projects: listNames(path.join(home, 'projects')),
    entries: listNames(home).map((name) => ({ name, bytes: countBytes(path.join(home, name)) })),
    usedBy: listRuntimeUsers(home).filter((file) => !own.includes(file)),
  }
}

/** Deletes the home, and behind links what memctl has made there. A worker that still runs may create it again. */
export function deleteHome(options: InstallOptions): void {
  checkHome(options)
  const { home } = options
  for (const path of [...followLinks(home).deleted, home])
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** The lines of a preview. */
export function formatPurge({ home, deleted, kept, projects, entries, usedBy }: PurgePreview): string[] {
  if (entries.length === 0) return [`${home} is empty or does not exist.`]
  return [
    `${home} is deleted, with the memories of ${formatCount(projects.length, 'project')}:`,
    ...projects.map((name) => `  ${name}`),
    `and everything else there: ${entries.map(({ name, bytes }) => `${name} (${formatBytes(bytes)})`).join(', ')}.`,
    ...deleted.map((path) => `  behind a link: ${path}`),
    ...(kept.length > 0 ? [`This is not memctl's, or behind a link, and stays: ${kept.join(', ')}.`] : []),
    ...(usedBy.length > 0 ? ['These settings still start hooks there. Run `memctl uninstall` there first:'] : []),
    ...usedBy.map((file) => `  ${file}`),
  ]
}

/** Throws USAGE if other things than those of memctl may be in the home. */
export function checkHome({ home, project, userHome }: InstallOptions): void {
  const isAround = (folder: string | undefined): boolean => {
    const below = folder === undefined ? '..' : path.relative(realOf(home), realOf(folder))
    return !below.startsWith('..') && !path.isAbsolute(below) // Absolute: on another drive.
  }
  if (!isAround(project) && !isAround(userHome)) return
  throw new MemoryError('USAGE', `${home} contains your project or your own folder, so it is not deleted`, {
    hint: 'Set MEMCTL_HOME to a folder that only memctl uses, or delete its files yourself.',
  })
}

/** What memctl makes in its home: behind a link nothing else is deleted, because others may use that folder too. */
const MADE = new RegExp(
  '^(?:projects|backups|cache|runtime|(?:access|person|places|hub|distill|config)\\.json|config\\.yaml|' +
    '(?:hub|distill)\\.lock|reading\\.(?:asked|plugin))$',
)
const MADE_STORE = /-[0-9a-f]{12}$|^global$/

/** What a home that is a link leads to, and its folder of projects, which may be on another disk; other links stay. */
function followLinks(home: string): Pick<PurgePreview, 'deleted' | 'kept'> {
  const deleted: string[] = []
  const kept: string[] = []
  const follow = (folder: string, made: RegExp): void => {
    for (const name of listNames(folder)) {
      const isMade = made.test(name) || (name === 'node_modules' && hasOnlyLinks(path.join(folder, name)))
      ;(isMade ? deleted : kept).push(path.join(realOf(folder), name))
    }
  }
  for (const name of listNames(home).filter((each) => isLink(path.join(home, each)))) {
    if (name === 'projects') follow(path.join(home, name), MADE_STORE)
    else kept.push(path.join(home, name))
  }
  if (isLink(home)) follow(home, MADE)
  return { deleted, kept }
}

/** Packages that memctl has linked (packageInfo.ts), and none that somebody has installed. */
const hasOnlyLinks = (folder: string): boolean =>
  listNames(folder).every((name) => {
    const file = path.join(folder, name)
    return isLink(file) || (name.startsWith('@') && hasOnlyLinks(file))
  })

const isLink = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

const realOf = (file: string): string => (fs.existsSync(file) ? fs.realpathSync(file) : file)

const listNames = (folder: string): readonly string[] => (fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [])

function countBytes(file: string): number {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.size ?? 0
  return listNames(file).reduce((sum, name) => sum + countBytes(path.join(file, name)), 0)
}
