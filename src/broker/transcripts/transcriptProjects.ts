// Which project's store each transcript belongs to: that of the folder in which its session began, as hooks would have
// found it. What a transcript says about itself decides nothing else.
import { storeLayout } from '../../store/disk/storeLayout.ts'
import { readPlaces } from '../../store/project/folderEvidence.ts'
import { openStore, type Store } from '../open/openStore.ts'
import type { TranscriptFile } from './findTranscripts.ts'

/** The transcripts of one project. */
export interface TranscriptProject {
  readonly store: Store
  readonly files: readonly TranscriptFile[]
  /** The folders in which their sessions began. */
  readonly folders: readonly string[]
  /** None of these folders exists any more. */
  readonly isGone: boolean
}

/**
 * The files by project, in the order of their first file. The files of a session stay together: a subagent may work in
 * another folder. A folder that is gone belongs to the project that was used there on this machine, else to the
 * repository around it, else it is a project of its own.
 */
export function groupByProject(found: readonly TranscriptFile[], { env, files }: ProjectSource): TranscriptProject[] {
  const folderOf = new Map<string, string>()
  for (const { session, cwd, agentId } of found)
    if (agentId === undefined || !folderOf.has(session)) folderOf.set(session, cwd)
  const stores = new Map<string, Store>()
  const projects = new Map<string, { store: Store; files: TranscriptFile[]; folders: Set<string> }>()
  for (const file of found) {
    const folder = folderOf.get(file.session) ?? file.cwd
    const store = stores.get(folder) ?? findStore(folder, { env, files })
    stores.set(folder, store)
    const project = projects.get(store.layout.folder) ?? { store, files: [], folders: new Set() }
    projects.set(store.layout.folder, project)
    project.files.push(file)
    project.folders.add(folder)
  }
  return [...projects.values()].map(({ store, files: own, folders }) => ({
    store,
    files: own,
    folders: [...folders],
    isGone: [...folders].every((folder) => files.permissions(folder) === undefined),
  }))
}

interface ProjectSource {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly files: Store['files']
}

function findStore(folder: string, { env, files }: ProjectSource): Store {
  const store = openStore(folder, env, files)
  if (store.home === undefined || files.permissions(folder) !== undefined) return store
  const used = Object.entries(readPlaces(files, store.home)).filter(([, { places }]) =>
    places.some((place) => place.folder === folder),
  )
  const [name] = used.length === 1 ? (used[0] ?? []) : []
  if (name === undefined) return store
  return { ...store, layout: storeLayout(`${store.home}/projects/${name}`) }
}
