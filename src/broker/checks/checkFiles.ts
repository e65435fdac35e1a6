// Checks the bytes of derived files: checksums of JSON files and vectors, and folders in the place of files.
// The files of segments are in checkSnapshot.ts, the log is in checkLog.ts.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { checksum } from '../../store/disk/checksum.ts'
import type { Files } from '../../store/disk/files.ts'
import { verifyJsonFile } from '../../store/disk/jsonFile.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'

const REBUILD = 'Run `memctl rebuild`, which writes it again; nothing is lost.'
const MOVE_AND_REBUILD = 'Run `memctl doctor --fix`, which moves it away, then `memctl rebuild`.'

/** Files that no rebuild writes: without them memctl starts anew. */
const ANEW = /\/(?:distill|access|places|identity|earlier)\.json$/

/** What a person has confirmed is in no log. */
const CONFIRMED = /\/(?:members|trust)\/[^/]+$/
const CONFIRM = 'Remove it, then confirm again with `memctl project confirm` or `memctl project trust`.'

/** Names of files; folders have no such names, but `aside-TIME`, `memory` and the like. */
const FILE_NAME = /\.(?:jsonl?|gz|txt|idx|row|exp|f32|hnsw|bin|yaml|lock)$|^lock$/

export function checkFiles(store: Store): CheckResult[] {
  const { files, layout } = store
  const misplaced = findMisplacedFolders(store)
  const all = listDerivedFiles(store).filter((file) => !misplaced.includes(file))
  const damaged = all.filter((file) => isDamaged(files, file))
  const problems = [
    ...misplaced.map((where) =>
      checkProblem('files', 'fail', 'A folder is in the place of a file', { where, hint: MOVE_AND_REBUILD }),
    ),
    ...damaged.map((where) =>
      checkProblem('files', 'fail', 'It is not as it was written', {
        where,
        hint: CONFIRMED.test(where) ? CONFIRM : ANEW.test(where) ? MOVE_AND_REBUILD : REBUILD,
      }),
    ),
    ...listMissing(store).map((where) => checkProblem('files', 'fail', 'It is missing', { where, hint: REBUILD })),
  ]
  return problems.length > 0
    ? problems
    : [checkPassed('files', `${all.length} are as they were written`, layout.folder)]
}

/** Folders with the names of files, in the store and at the top of the home. */
export function findMisplacedFolders({ files, layout, home }: Store): string[] {
  const folders = [layout.folder, layout.events, layout.segments, layout.vectors, ...(home === undefined ? [] : [home])]
  return folders.flatMap((folder) =>
    files
      .list(folder)
      .filter((name) => FILE_NAME.test(name))
      .map((name) => `${folder}/${name}`)
      .filter((path) => files.permissions(path)?.kind === 'folder'),
  )
}

/** JSON files and vectors. Temporary files of running processes have other names. */
function listDerivedFiles({ files, layout, home }: Store): string[] {
  const confirmed = [`${layout.folder}/members`, `${layout.folder}/trust`]
  const folders = [layout.folder, layout.vectors, ...confirmed, ...(home === undefined ? [] : [home])]
  return folders.flatMap((folder) =>
    files
      .list(folder)
      .filter((name) => /\.(?:json|f32)$/.test(name) || folder.endsWith('/members'))
      .map((name) => `${folder}/${name}`),
  )
}

function isDamaged(files: Files, file: string): boolean {
  const bytes = files.read(file)
  if (!bytes) return false // Replaced by the next one meanwhile.
  if (file.endsWith('.f32'))
    return sumOfVectors(files, file) !== undefined && checksum(bytes) !== sumOfVectors(files, file)
  return verifyJsonFile(bytes) === 'damaged'
}

/** The checksum in the JSON file beside; undefined in files of earlier versions, or if that is damaged itself. */
function sumOfVectors(files: Files, file: string): number | undefined {
  const bytes = files.read(file.replace(/f32$/, 'json'))
  try {
    return bytes && (JSON.parse(bytes.toString('utf8')) as { vectors?: number }).vectors
  } catch {
    return undefined
  }
}

/** The files that every snapshot of this version has. The one for session starts has a check of its own. */
function listMissing({ files, layout }: Store): string[] {
  const manifest = readManifestIfValid(files, layout)
  if (!manifest?.log || manifest.generation === 0) return []
  const { knowledge, policy, worked } = layout
  return [knowledge, policy, worked, layout.work(manifest.generation)].filter((file) => files.size(file) === undefined)
}
