// Checks the bytes of derived files: checksums of JSON files and vectors, and folders in the place of files.
// The files of segments are in checkStore.ts, the log is in checkLog.ts.
import { posix } from 'node:path'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import type { Files } from '../../store/disk/files.ts'
import { verifyJsonFile } from '../../store/disk/jsonFile.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import { areVectorsDamaged } from '../../store/vectors/vectorMatrix.ts'
import { accessRoot, findOpenAccess, restrictFiles } from '../maintenance/restrictFiles.ts'
import type { Store } from '../open/openStore.ts'
import { removeForgotten } from '../projects/changeProjects.ts'

const REBUILD = 'Run `memctl rebuild`, which writes it again; nothing is lost.'
const MOVE_AND_REBUILD = 'Run `memctl doctor --fix`, which moves it away, then `memctl rebuild`.'

/** Files that no rebuild writes: without them memctl starts anew. */
const ANEW = /\/(?:distill|access|places|identity|earlier)\.json$/

/** What a person has confirmed is in no log. */
const CONFIRMED = /\/(?:members|trust)\/[^/]+$/
const CONFIRM = 'Remove it, then confirm again with `memctl project confirm` or `memctl project trust`.'

/** Names of files; folders have no such names, but `aside-TIME`, `memory` and the like. */
const FILE_NAME = /\.(?:jsonl?|gz|txt|idx|row|fix|exp|f32|hnsw|bin|yaml|lock)$|^lock$/

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
function findMisplacedFolders({ files, layout, home }: Store): string[] {
  const folders = [layout.folder, layout.events, layout.segments, layout.vectors, ...(home === undefined ? [] : [home])]
  const named = listIn(files, folders, (name) => FILE_NAME.test(name))
  return named.filter((path) => files.permissions(path)?.kind === 'folder')
}

const listIn = (files: Files, folders: readonly string[], isWanted: (name: string, folder: string) => boolean) =>
  folders.flatMap((folder) => {
    const names = files.list(folder).filter((name) => isWanted(name, folder))
    return names.map((name) => `${folder}/${name}`)
  })

/** JSON files and vectors. Temporary files of running processes have other names. */
function listDerivedFiles({ files, layout, home }: Store): string[] {
  const confirmed = [`${layout.folder}/members`, `${layout.folder}/trust`]
  const folders = [layout.folder, layout.vectors, ...confirmed, ...(home === undefined ? [] : [home])]
  return listIn(files, folders, (name, folder) => /\.(?:json|f32)$/.test(name) || folder.endsWith('/members'))
}

function isDamaged(files: Files, file: string): boolean {
  if (file.endsWith('.f32')) return areVectorsDamaged(files, file.slice(0, -'.f32'.length))
  const bytes = files.read(file)
  // If there is none, it was replaced by the next one meanwhile.
  return bytes !== undefined && verifyJsonFile(bytes) === 'damaged'
}

/** The files that every snapshot of this version has. The one for session starts has a check of its own. */
function listMissing({ files, layout }: Store): string[] {
  const manifest = readManifestIfValid(files, layout)
  if (!manifest?.log || manifest.generation === 0) return []
  const { knowledge, policy, worked } = layout
  return [knowledge, policy, worked, layout.work(manifest.generation)].filter((file) => files.size(file) === undefined)
}

// Checks who can read memctl's files: modes, owners, and the folders above them.

const WRITABLE_BY_OTHERS = 0o022
const STICKY = 0o1000

/** Users who may own a folder above one's own: the superuser. */
const SUPERUSER = 0

/** `user` is the id of the user who runs this; undefined on systems without owners, where nothing is checked. */
export function checkAccess(store: Store, user: number | undefined): CheckResult[] {
  const root = accessRoot(store)
  if (user === undefined || !store.files.permissions(root)) return []
  const found = [...findOpenAccess(store.files, root, user)]
  const foreign = found.filter(({ isForeign }) => isForeign)
  const paths = new Set(found.map(({ path }) => path))
  const open = found.filter(({ path, isForeign }) => !isForeign && isReachable(path, root, paths))
  const checks: CheckResult[] = []
  const fail = (what: string, where: string, hint: string): unknown =>
    checks.push(checkProblem('access', 'fail', what, { where, hint }))
  if (foreign[0]) {
    const owners = [...new Set(foreign.map(({ permissions }) => permissions.owner))].join(', ')
    const hint = `Make them yours: \`sudo chown -R ${user} ${root}\`, then \`memctl doctor --fix\`.`
    fail(`${foreign.length} files or folders belong to another user (id ${owners})`, foreign[0].path, hint)
  }
  if (open[0]) {
    const hint = 'Run `memctl doctor --fix`, which makes them 0600 and 0700.'
    fail(`Other users may read ${open.length} files or folders`, open[0].path, hint)
  }
  checks.push(...checkParents(store, root, user))
  return checks.length > 0 ? checks : [checkPassed('access', 'Only you may read the files', root)]
}

/** Whether every folder from `root` to it is open too: behind a closed one nobody reaches a file. */
const isReachable = (path: string, root: string, open: ReadonlySet<string>): boolean =>
  open.has(path) && (path === root || isReachable(posix.dirname(path), root, open))

/** Somebody who may write in a folder above can replace everything under it, unless the folder is sticky. */
function checkParents({ files }: Store, root: string, user: number): CheckResult[] {
  const real = files.realPath(root) ?? root
  const checks: CheckResult[] = []
  for (let at = real; at !== posix.dirname(at); ) {
    at = posix.dirname(at)
    const permissions = files.permissions(at)
    if (!permissions) continue
    const { mode, owner } = permissions
    const isWritable = (mode & WRITABLE_BY_OTHERS) !== 0 && (mode & STICKY) === 0
    if (!isWritable && (owner === user || owner === SUPERUSER)) continue
    const what = isWritable ? 'Other users may write in a folder above' : `A folder above belongs to user ${owner}`
    const hint = isWritable
      ? `Run \`chmod go-w ${at}\`, or set MEMCTL_HOME.`
      : 'Set MEMCTL_HOME to a folder of your own.'
    checks.push(checkProblem('access', 'warn', `${what}: they could replace memctl's files`, { where: at, hint }))
  }
  return checks
}

// What `memctl doctor --fix` does for files: moves folders that are in the place of files, and files that nothing else
// writes again, to aside-TIME/. Nothing is deleted.

/** Takes the rights from other users and moves what is in the way. `now` in milliseconds since 1970. */
export function fixFiles(store: Store, now: number): readonly { readonly from: string; readonly to: string }[] {
  const { files, layout } = store
  const misplaced = findMisplacedFolders(store)
  const anew = listDerivedFiles(store).filter((file) => ANEW.test(file) && !misplaced.includes(file))
  const damaged = anew.filter((file) => isDamaged(files, file))
  const aside = `${layout.folder}/aside-${new Date(now).toISOString().replaceAll(':', '-')}`
  const moved = [...misplaced, ...damaged].map((from) => ({ from, to: aside + from.slice(from.lastIndexOf('/')) }))
  for (const { from, to } of moved) {
    files.makeFolder(aside)
    files.rename(from, to)
  }
  removeForgotten(store)
  restrictFiles(files, accessRoot(store))
  return moved
}
