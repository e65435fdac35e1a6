// Finds the transcripts of Claude Code on this machine, which session and folder each belongs to, and the project: that
// of the folder in which its session began, as hooks would have found it. What a transcript says decides nothing else.
//
//   <client's folder>/projects/<name of a folder>/<session>.jsonl
//                                                 <session>/subagents/agent-<id>.jsonl, with agent-<id>.meta.json
//                                                 agent-<id>.jsonl (earlier versions)

import { MemoryError } from '../../model/memoryError.ts'
import { parseObject } from '../../model/unknownJson.ts'
import type { Files } from '../../store/disk/files.ts'
import { findUserHome, storeLayout } from '../../store/disk/paths.ts'
import { readPlaces } from '../../store/project/folderEvidence.ts'
import { type Environment, openStore, type Store } from '../open/openStore.ts'
import { mayMatter, parseTranscriptLine, readLines } from './transcriptLine.ts'

export type TranscriptFile = Readonly<NonNullable<ReturnType<typeof readHead>>>

/** Lines that are read to find the session, at most: attachments may come first. */
const HEAD_LINES_MAX = 200

/** Folders below the given one: projects, sessions, subagents. */
const DEPTH_MAX = 4

/** The folder with all transcripts of the client. */
export function transcriptFolder(env: Environment): string {
  return `${env['CLAUDE_CONFIG_DIR'] || `${findUserHome(env) ?? ''}/.claude`}/projects`
}

/**
 * The transcripts in a folder or file, in the order of their names. Links below the folder are not followed. Throws
 * NOT_FOUND for a path with nothing at it, and for one that is neither a file nor a folder.
 */
export function findTranscripts(files: Files, path: string): TranscriptFile[] {
  const real = files.realPath(path)
  const kind = real === undefined ? undefined : files.permissions(real)?.kind
  if (real === undefined || kind === undefined || kind === 'other') {
    throw new MemoryError('NOT_FOUND', `${path} is no file or folder with transcripts`, {
      hint: 'Name a folder with transcripts of Claude Code, such as ~/.claude/projects, or one *.jsonl of it.',
    })
  }
  const names = kind === 'file' ? [real] : listFiles(files, real, DEPTH_MAX)
  return names.flatMap((name) => readHead(files, name) ?? [])
}

function listFiles(files: Files, folder: string, depth: number): string[] {
  return files.list(folder).flatMap((name) => {
    const path = `${folder}/${name}`
    const kind = files.permissions(path)?.kind
    if (kind === 'file') return name.endsWith('.jsonl') ? [path] : []
    return kind === 'folder' && depth > 0 ? listFiles(files, path, depth - 1) : []
  })
}

/** What the first lines say; undefined if they are no conversation. */
function readHead(files: Files, file: string) {
  const bytes = files.size(file) ?? 0
  let left = HEAD_LINES_MAX
  for (const bytesOfLine of readLines(files, file)) {
    if (left-- === 0) return undefined
    if (!bytesOfLine || !mayMatter(bytesOfLine)) continue
    const line = parseTranscriptLine(bytesOfLine.toString('utf8'))
    if (!line || line === 'broken' || line.session === undefined || line.cwd === undefined) continue
    const isAgentFile = line.isSidechain && /(?:^|[\\/])agent-[^\\/]*\.jsonl$/.test(file)
    return {
      file,
      bytes,
      session: line.session,
      /** The agent, if this is the transcript of one. */
      agentId: isAgentFile ? (line.agentId ?? agentIdOf(file)) : undefined,
      /** The folder in which the session began. */
      cwd: line.cwd,
    }
  }
  return undefined
}

const agentIdOf = (file: string): string => file.slice(file.lastIndexOf('agent-') + 'agent-'.length, -'.jsonl'.length)

/** The type of the agent that the client has written beside its transcript; undefined for earlier versions. */
export function readAgentType(files: Files, file: string): string | undefined {
  const meta = file.replace(/\.jsonl$/, '.meta.json')
  const bytes = files.permissions(meta)?.kind === 'file' ? files.readAt(meta, 0, META_BYTES_MAX) : undefined
  const { agentType } = parseObject(bytes?.toString('utf8') ?? '') ?? {}
  return typeof agentType === 'string' && agentType !== '' ? agentType : undefined
}

const META_BYTES_MAX = 65_536

export type TranscriptProject = Readonly<ReturnType<typeof groupByProject>[number]>

/**
 * The files by project, in the order of their first file. The files of a session stay together: a subagent may work in
 * another folder. A folder that is gone belongs to the project that was used there on this machine, else to the
 * repository around it, else it is a project of its own.
 */
export function groupByProject(found: readonly TranscriptFile[], { env, files }: ProjectSource) {
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
    files: own as readonly TranscriptFile[],
    folders: [...folders],
    /** None of these folders exists any more. */
    isGone: [...folders].every((folder) => files.permissions(folder) === undefined),
  }))
}

interface ProjectSource {
  readonly env: Environment
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
