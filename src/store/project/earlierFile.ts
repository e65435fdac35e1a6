// What a project's own store knows about the project whose memory its folder had before: the question that is open, and
// the projects that the person does not want. A file of the person's home, beside the link.
import type { Files } from '../disk/files.ts'
import { readJson } from '../disk/readJson.ts'
import { LINK_NAME } from './project.ts'

export interface EarlierFile {
  /** The store that the person is asked about; absent if nothing is open. */
  readonly store?: string
  /** Stores that the person has separated from this one. Nobody asks for them again. */
  readonly declined?: readonly string[]
}

const earlierFilePath = (storeFolder: string): string => `${storeFolder}/earlier.json`

/** Empty if there is none, or a damaged one. */
export function readEarlier(files: Files, storeFolder: string): EarlierFile {
  const file = earlierFilePath(storeFolder)
  try {
    return (files.size(file) === undefined ? undefined : readJson<EarlierFile>(files, file)) ?? {}
  } catch {
    return {} // The next worker finds it again.
  }
}

export const writeEarlier = (files: Files, storeFolder: string, content: EarlierFile): void =>
  files.replace(earlierFilePath(storeFolder), Buffer.from(`${JSON.stringify(content)}\n`))

/** The same for a hook, which does not wait for the disk: an earlier content stays as it is. */
export const noteEarlier = (files: Files, storeFolder: string, store: string): void =>
  void files.create(earlierFilePath(storeFolder), Buffer.from(`${JSON.stringify({ store })}\n`))

/** Makes the projects of one store use another one. Whoever opens it next does. */
export const writeLink = (files: Files, storeFolder: string, to: string): void =>
  files.replace(`${storeFolder}/${LINK_NAME}`, Buffer.from(`${to}\n`))

/** The same for a hook, in a store without a link. Returns whether this call created it. */
export const createLink = (files: Files, storeFolder: string, to: string): boolean =>
  files.create(`${storeFolder}/${LINK_NAME}`, Buffer.from(`${to}\n`))

export const removeLink = (files: Files, storeFolder: string): void => files.remove(`${storeFolder}/${LINK_NAME}`)

/** The store that a link names; undefined without one. */
export const readLink = (files: Files, storeFolder: string): string | undefined =>
  files.read(`${storeFolder}/${LINK_NAME}`)?.toString('utf8').trim()

const askedFile = (storeFolder: string): string => `${storeFolder}/earlier.asked`

/** At how many starts the person was asked: a byte each, because a hook only appends. */
export const countLinkRequests = (files: Files, storeFolder: string): number => files.size(askedFile(storeFolder)) ?? 0

export const recordLinkRequest = (files: Files, storeFolder: string): void =>
  files.append(askedFile(storeFolder), Buffer.from('.'))
