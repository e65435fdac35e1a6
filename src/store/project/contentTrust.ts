// Whether the person trusts what a folder's repository brings: entries, files of sessions, a policy. Until then nothing
// of it is used, except what the person's own tools have written.
//
// The choice is stored in the project's store, for the real path of the root. A repository cannot write it, and another
// repository at the same path has another store.
import { hashHex } from '../../text/hash.ts'
import type { Files } from '../disk/files.ts'
import { readJsonIfIntact } from '../disk/readJson.ts'
import { inspectFolder, isFileFault, listUntrusted, readUntrusted } from '../disk/untrustedFiles.ts'
import { mainWorkTree } from './gitFolder.ts'

/** The part of a store that decides. */
export interface TrustContext {
  readonly files: Files
  readonly project: { readonly root: string; readonly identity?: string; readonly linkedFrom?: string }
  readonly layout: { readonly folder: string; readonly entries: string }
  readonly home?: string
  readonly userHome?: string
}

/** `undecided`: nobody has been asked, or nobody has answered. */
export type Trust = 'trusted' | 'untrusted' | 'undecided'

interface TrustRecord {
  readonly root: string
  readonly state: Trust
  /** ISO time. */
  readonly at: string
}

/** The folders in a project that belong to memctl and to the program of the entries spec. */
export const CONTENT_FOLDERS = ['.memctl', '.multi-agent-mcp'] as const

/** Names in `.memctl` that are looked at. More of them are content in any case. */
const NAMES_MAX = 200

export const PROJECT_CONFIG_BYTES_MAX = 65_536

export const isProjectTrusted = (context: TrustContext): boolean => readTrust(context) === 'trusted'

/**
 * The stored choice. Without one a folder is trusted if the person has confirmed its project id, if its entries were
 * used before there was this choice, if it is the home folder of the user, or a worktree of a trusted one.
 */
export function readTrust(context: TrustContext): Trust {
  const { project, userHome } = context
  const stored = readRecord(context, project.root)
  if (stored !== undefined) return stored.state
  if (project.identity === 'project.yaml' || listEarlierRoots(context).includes(project.root)) return 'trusted'
  if (userHome !== undefined && context.files.realPath(userHome) === project.root) return 'trusted'
  const main = mainWorkTree(project.root)
  return main !== undefined && readRecord(context, main)?.state === 'trusted' ? 'trusted' : 'undecided'
}

/** Stores the choice. */
export function writeTrust(context: TrustContext, state: Trust, now: number): void {
  keepEarlierTrust(context, now)
  writeRecord(context, { root: context.project.root, state, at: new Date(now).toISOString() })
}

/** Stores the trust in folders with entries that were used before there was this choice. */
export function keepEarlierTrust(context: TrustContext, now: number): void {
  const at = new Date(now).toISOString()
  for (const root of listEarlierRoots(context)) writeRecord(context, { root, state: 'trusted', at })
}

function writeRecord(context: TrustContext, record: TrustRecord): void {
  context.files.replace(recordFile(context, record.root), Buffer.from(`${JSON.stringify(record)}\n`))
}

/**
 * Before a tool of the person writes into the project: if the repository has brought nothing, the folder is trusted, as
 * all of its content is the person's own.
 */
export function trustOwnContent(context: TrustContext, now: number): void {
  if (readRecord(context, context.project.root) !== undefined) return
  const trust = readTrust(context)
  writeTrust(context, trust === 'undecided' && !hasContent(context) ? 'trusted' : trust, now)
}

/** Whether the folder has something that is used only when it is trusted. Looks at 200 names at most. */
export function hasContent({ files, project: { root } }: TrustContext): boolean {
  const folders = CONTENT_FOLDERS.filter((name) => files.mtimeMs(`${root}/${name}`) !== undefined)
  return folders.some((folder) => {
    const { names, isCut } = listUntrusted(root, `${root}/${folder}`, NAMES_MAX)
    if (isCut) return true
    const hasEntries = (name: string): boolean => {
      const entries = `${root}/${folder}/${name === 'memory' ? name : `${name}/memory`}`
      if (inspectFolder(root, entries) !== true) return false
      const listed = listUntrusted(root, entries, NAMES_MAX)
      return listed.isCut || listed.names.length > 0
    }
    return names.some((name) => (name === 'project.yaml' ? choosesPolicy(root) : hasEntries(name)))
  })
}

function choosesPolicy(root: string): boolean {
  const read = readUntrusted(root, `${root}/.memctl/project.yaml`, PROJECT_CONFIG_BYTES_MAX)
  return read !== undefined && !isFileFault(read) && /^["']?policy["']?[ \t]*:/m.test(read.toString('utf8'))
}

/** The roots of folders with synced entries in a store that has no choices yet: since then a choice is stored first. */
function listEarlierRoots({ files, layout, project }: TrustContext): string[] {
  if (project.linkedFrom !== undefined) return []
  if (files.size(layout.entries) === undefined || files.mtimeMs(`${layout.folder}/trust`) !== undefined) return []
  // If it is damaged, the next sync writes it again.
  const paths = Object.keys(readJsonIfIntact<object>(files, layout.entries) ?? {})
  const inside = new RegExp(`^(.+)/(?:${CONTENT_FOLDERS.map((name) => name.replace('.', '\\.')).join('|')})/`)
  return [...new Set(paths.flatMap((path) => inside.exec(path)?.[1] ?? []))]
}

/** A damaged record counts as undecided. */
function readRecord(context: TrustContext, root: string): TrustRecord | undefined {
  const file = recordFile(context, root)
  if (context.files.size(file) === undefined) return undefined
  const record = readJsonIfIntact<TrustRecord>(context.files, file)
  return record?.root === root && ['trusted', 'untrusted'].includes(record.state)
    ? record
    : { root, state: 'undecided', at: '' }
}

const recordFile = (context: TrustContext, root: string): string => `${trustFile(context, root)}.json`

/** The file that counts how often the person was asked in this folder. */
export const trustRequestFile = (context: TrustContext): string => `${trustFile(context, context.project.root)}.asked`

/** A folder that a link brought here is trusted by itself: the repository in it may be another one. */
const trustFile = ({ layout, project }: TrustContext, root: string): string =>
  `${layout.folder}/trust/${hashHex(project.linkedFrom === undefined ? root : `${root}\n${project.linkedFrom}`)}`
