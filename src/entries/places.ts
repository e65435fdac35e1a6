// Where entries lie. A hook looks here, so that only names and times are asked of the disk.
//
//   $MEMCTL_HOME/global/memory/*.md   archive/           for every project of this person
//   <project>/.memctl/memory/*.md     archive/           what a team keeps in its repository
//   <project>/.memctl/<session>/memory/*.md  archive/    of one session of it
//   ~/.multi-agent-mcp/…  <project>/.multi-agent-mcp/…   the same, of the document's own program: read as they are
import type { Files } from '../store/files.ts'
import type { Layer } from './entry.ts'

export interface Place {
  readonly layer: Layer
  /** Of this session's entries; absent for those of the layer itself. */
  readonly session?: string | undefined
  readonly folder: string
  /** How the folder is named in a memory: the same on every machine. */
  readonly label: string
  /** Ours to write to; else the document's program's. */
  readonly own: boolean
}

/** Whose entries: what a store says of it. */
export interface Owner {
  readonly files: Files
  readonly project: { readonly root: string }
  readonly layout: { readonly folder: string }
  /** memctl's home; a store that is in none keeps its global entries beside itself. */
  readonly home?: string
  /** The person's home folder, where other programs keep theirs. */
  readonly person?: string
}

/** Where the global layer has its entries and its log. */
export const globalFolder = ({ home, layout }: Owner): string => `${home ?? layout.folder}/global`

const OTHERS = '.multi-agent-mcp'

/** Every place there is now, ours before the others. The global store's are the global ones. */
export function placesOf(owner: Owner): Place[] {
  const { files, project, layout, person } = owner
  const globals = globalFolder(owner)
  const places: Place[] = [
    { layer: 'global', folder: `${globals}/memory`, label: 'global/memory', own: true },
    ...(person === undefined
      ? []
      : [{ layer: 'global' as const, folder: `${person}/${OTHERS}/memory`, label: `~/${OTHERS}/memory`, own: false }]),
  ]
  if (layout.folder !== globals) {
    const taken = new Set(places.map(({ folder }) => folder))
    for (const base of ['.memctl', OTHERS]) {
      for (const place of placesIn(files, project.root, base)) if (!taken.has(place.folder)) places.push(place)
    }
  }
  return places.filter(({ folder }) => files.written(folder) !== undefined)
}

function placesIn(files: Files, root: string, base: string): Place[] {
  if (files.written(`${root}/${base}`) === undefined) return []
  const own = base === '.memctl'
  const sessions = files.list(`${root}/${base}`).filter((name) => isSession(name))
  return [undefined, ...sessions].map((session) => projectPlace(root, base, session, own))
}

function projectPlace(root: string, base: string, session: string | undefined, own: boolean): Place {
  const label = session === undefined ? `${base}/memory` : `${base}/${session}/memory`
  return { layer: 'project', session, folder: `${root}/${label}`, label, own }
}

/** The place that a new entry is written to. */
export const ownPlace = (owner: Owner, layer: Layer, session?: string): Place =>
  layer === 'global'
    ? { layer, folder: `${globalFolder(owner)}/memory`, label: 'global/memory', own: true }
    : projectPlace(owner.project.root, '.memctl', session, true)

/** Whether a session's id may be a folder's name as it is: no path, and none of the names that mean something there. */
export function isSession(name: string): boolean {
  if (name === '' || name.length > 100 || name === 'memory' || name === 'archive' || name[0] === '.') return false
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    if (unit < 33 || unit === 127 || '"*/:<>?\\|'.includes(name[i]!)) return false
  }
  return name[name.length - 1] !== '.'
}

/** The folders that hold places, for telling whose a path is. */
export const basesOf = (owner: Owner): string[] => [
  `${globalFolder(owner)}/memory/`,
  ...(owner.person === undefined ? [] : [`${owner.person}/${OTHERS}/memory/`]),
  `${owner.project.root}/.memctl/`,
  `${owner.project.root}/${OTHERS}/`,
]

/** Whether one of them is there. A loop over their names would take a cold hook five times as long. */
export const hasBase = (owner: Owner): boolean =>
  owner.files.written(`${owner.project.root}/.memctl`) !== undefined ||
  owner.files.written(`${owner.project.root}/${OTHERS}`) !== undefined ||
  owner.files.written(`${globalFolder(owner)}/memory`) !== undefined ||
  (owner.person !== undefined && owner.files.written(`${owner.person}/${OTHERS}/memory`) !== undefined)
