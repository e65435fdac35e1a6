// Where entries lie. A hook looks here, so that only names and times are asked of the disk.
//
//   $MEMCTL_HOME/global/memory/*.md   archive/           for every project of this person
//   <project>/.memctl/memory/*.md     archive/           what a team keeps in its repository
//   <project>/.memctl/<session>/memory/*.md  archive/    of one session of it
//   ~/.multi-agent-mcp/…  <project>/.multi-agent-mcp/…   the same, of the document's own program: read as they are
import type { Files } from '../store/disk/files.ts'
import type { EntryLayer } from './entry.ts'

export interface EntryDir {
  readonly layer: EntryLayer
  /** Of this session's entries; absent for those of the layer itself. */
  readonly session?: string | undefined
  readonly folder: string
  /** How the folder is named in a memory: the same on every machine. */
  readonly label: string
  /** Ours to write to; else the document's program's. */
  readonly isOwn: boolean
}

/** Whose entries: what a store says of it. */
export interface EntryContext {
  readonly files: Files
  readonly project: { readonly root: string }
  readonly layout: { readonly folder: string }
  /** memctl's home; a store that is in none keeps its global entries beside itself. */
  readonly home?: string
  /** The person's home folder, where other programs keep theirs. */
  readonly userHome?: string
}

/** Where the global layer has its entries and its log. */
export const globalEntriesFolder = ({ home, layout }: EntryContext): string => `${home ?? layout.folder}/global`

const OTHERS = '.multi-agent-mcp'

/** Every place there is now, ours before the others. The global store's are the global ones. */
export function listEntryDirs(owner: EntryContext): EntryDir[] {
  const { files, project, layout, userHome } = owner
  const globals = globalEntriesFolder(owner)
  const places: EntryDir[] = [
    { layer: 'global', folder: `${globals}/memory`, label: 'global/memory', isOwn: true },
    ...(userHome === undefined
      ? []
      : [
          {
            layer: 'global' as const,
            folder: `${userHome}/${OTHERS}/memory`,
            label: `~/${OTHERS}/memory`,
            isOwn: false,
          },
        ]),
  ]
  if (layout.folder !== globals) {
    const taken = new Set(places.map(({ folder }) => folder))
    for (const base of ['.memctl', OTHERS]) {
      for (const place of placesIn(files, project.root, base)) if (!taken.has(place.folder)) places.push(place)
    }
  }
  return places.filter(({ folder }) => files.mtimeMs(folder) !== undefined)
}

function placesIn(files: Files, root: string, base: string): EntryDir[] {
  if (files.mtimeMs(`${root}/${base}`) === undefined) return []
  const own = base === '.memctl'
  const sessions = files.list(`${root}/${base}`).filter((name) => isSessionDirName(name))
  return [undefined, ...sessions].map((session) => projectPlace(root, base, session, own))
}

function projectPlace(root: string, base: string, session: string | undefined, own: boolean): EntryDir {
  const label = session === undefined ? `${base}/memory` : `${base}/${session}/memory`
  return { layer: 'project', session, folder: `${root}/${label}`, label, isOwn: own }
}

/** The place that a new entry is written to. */
export const ownEntryDir = (owner: EntryContext, layer: EntryLayer, session?: string): EntryDir =>
  layer === 'global'
    ? { layer, folder: `${globalEntriesFolder(owner)}/memory`, label: 'global/memory', isOwn: true }
    : projectPlace(owner.project.root, '.memctl', session, true)

/** Whether a session's id may be a folder's name as it is: no path, and none of the names that mean something there. */
export function isSessionDirName(name: string): boolean {
  if (name === '' || name.length > 100 || name === 'memory' || name === 'archive' || name[0] === '.') return false
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    if (unit < 33 || unit === 127 || '"*/:<>?\\|'.includes(name[i]!)) return false
  }
  return name[name.length - 1] !== '.'
}

/** The folders that hold places, for telling whose a path is. */
export const listEntryRoots = (owner: EntryContext): string[] => [
  `${globalEntriesFolder(owner)}/memory/`,
  ...(owner.userHome === undefined ? [] : [`${owner.userHome}/${OTHERS}/memory/`]),
  `${owner.project.root}/.memctl/`,
  `${owner.project.root}/${OTHERS}/`,
]

/** Whether one of them is there. A loop over their names would take a cold hook five times as long. */
export const hasEntryRoot = (owner: EntryContext): boolean =>
  owner.files.mtimeMs(`${owner.project.root}/.memctl`) !== undefined ||
  owner.files.mtimeMs(`${owner.project.root}/${OTHERS}`) !== undefined ||
  owner.files.mtimeMs(`${globalEntriesFolder(owner)}/memory`) !== undefined ||
  (owner.userHome !== undefined && owner.files.mtimeMs(`${owner.userHome}/${OTHERS}/memory`) !== undefined)
