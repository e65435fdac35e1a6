// Checks what a store has: sessions that are not organized, entry files and trust, projects and their folders.
import { scanEntryDirs, scanEntryFiles } from '../../entries/entryDirs.ts'
import { parseEntry } from '../../entries/entryFormat.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { SESSION_SILENT_MS } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isOwnerAlive } from '../../store/disk/lock.ts'
import { type FileFault, inspectUntrusted, isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { hasContent, PROJECT_CONFIG_BYTES_MAX, readTrust } from '../../store/project/contentTrust.ts'
import { readLink } from '../../store/project/earlierProject.ts'
import { archiveFolder, listArchive, readEntryFile } from '../entries/entryFiles.ts'
import { hasEnded } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { ownStoreName } from '../open/projectTrust.ts'
import { projectConfigFile } from '../policy/activePolicy.ts'
import type { Projection, SessionState } from '../projection/projection.ts'
import { applyLogTail, loadProjection } from '../projection/projectionFiles.ts'
import { isForgotten } from '../projects/changeProjects.ts'
import { listStoreNames } from '../projects/projectList.ts'
import { listEarlierMemory } from '../queries/storeStatus.ts'

/** Sessions listed by name, at most. */
const LISTED_MAX = 5

/** A session that is not organized this long after its end was missed, in milliseconds. */
const LATE_MS = 3_600_000

export function checkSessions(store: Store, now: number): CheckResult[] {
  let sessions: Projection['sessions']
  try {
    const loaded = loadProjection(store)
    applyLogTail(store, loaded) // Nothing is written.
    sessions = loaded.projection.sessions
  } catch (error) {
    // The checks of the log and the snapshot report the reason.
    if (error instanceof MemoryError && error.code === 'STORE_NEWER') return []
    const hint = 'Repair the snapshot first: `memctl rebuild`.'
    return [checkProblem('sessions', 'warn', 'Unknown while the snapshot is damaged', { hint })]
  }
  const waiting = [...sessions.values()].filter((session) => session.pending.length > 0)
  const over = waiting.filter((session) => hasEnded(session, { now }))
  const late = over.filter((session) => now - Date.parse(session.lastAt) > LATE_MS)
  const open = waiting.length - over.length
  const checks: CheckResult[] = []
  if (late.length > 0) {
    const what = `${late.length} ended and are not organized: ${formatSessions(late, now)}`
    const hint = 'The next session start does it in the background; `memctl organize` does it now.'
    checks.push(checkProblem('sessions', 'warn', what, { where: store.layout.events, hint }))
  }
  const recent = over.length - late.length
  const parts = [
    ...(open > 0 ? [`${open} running or not known to be over`] : []),
    ...(recent > 0 ? [`${recent} ended within the hour, organized soon`] : []),
  ]
  if (checks.length === 0 || parts.length > 0) {
    checks.push(checkPassed('sessions', parts.length > 0 ? parts.join(', ') : 'All are organized'))
  }
  return checks
}

function formatSessions(sessions: readonly SessionState[], now: number): string {
  const listed = sessions.slice(0, LISTED_MAX).map((session) => `${session.id} (${reasonOfEnd(session, now)})`)
  return listed.join(', ') + (sessions.length > LISTED_MAX ? ', …' : '')
}

function reasonOfEnd(session: SessionState, now: number): string {
  if (session.ended) return 'it ended'
  if (session.client && !isOwnerAlive(session.client)) return 'its client is gone'
  const silentMinutes = Math.floor((now - Date.parse(session.lastAt)) / 60_000)
  return `silent for ${silentMinutes} min, ${SESSION_SILENT_MS / 60_000} count as over`
}

// Checks what a project and the person's home have for memctl: entry files, their folders and archives, and whether the
// person trusts what the repository brings. It changes nothing, and follows no link out of the project.

/** Files reported one by one, at most. */
const REPORTED_MAX = 5

export function checkEntries(store: Store): CheckResult[] {
  return [...checkTrust(store), ...checkProjectConfig(store), ...checkFiles(store)]
}

function checkTrust(store: Store): CheckResult[] {
  const trust = readTrust(store)
  if (trust === 'trusted' || !hasContent(store)) return []
  const what = 'This repository brings entries or a policy, which are not used'
  if (trust === 'untrusted') return [checkPassed('trust', `${what}, as you chose`, store.project.root)]
  const hint = 'Look at .memctl, then run `memctl project trust`, or `memctl project untrust` to be asked no more.'
  return [checkProblem('trust', 'warn', what, { where: store.project.root, hint })]
}

function checkProjectConfig({ project: { root } }: Store): CheckResult[] {
  const read = readUntrusted(root, projectConfigFile(root), PROJECT_CONFIG_BYTES_MAX)
  return isFileFault(read) ? [reportFault('project.yaml', read)] : []
}

function checkFiles(store: Store): CheckResult[] {
  const { files, faults } = scanEntryFiles(store)
  const invalid = files.flatMap((file): CheckResult[] => {
    const read = file.fault ?? readEntryFile(store, file.path)
    if (isFileFault(read)) return [reportFault('entries', read)]
    const entry = parseEntry(read?.toString('utf8') ?? '', file.path, file.name.slice(0, -'.md'.length))
    if (!('line' in entry)) return []
    const what = `Line ${entry.line}: ${entry.what}. Its last valid version still counts`
    return [checkProblem('entries', 'warn', what, { where: entry.file, hint: entry.hint })]
  })
  const folders = [...faults, ...listArchiveFaults(store)].map((fault) => reportFault('entries', fault))
  const problems = [...folders, ...invalid]
  if (problems.length === 0) return [checkPassed('entries', files.length === 0 ? 'None' : `${files.length} files`)]
  const more = problems.length - REPORTED_MAX
  if (more <= 0) return problems
  const hint = 'Run it again after these are fixed.'
  const rest = checkProblem('entries', 'warn', `${more} more files are not valid entries`, { hint })
  return [...problems.slice(0, REPORTED_MAX), rest]
}

function listArchiveFaults(store: Store): FileFault[] {
  return scanEntryDirs(store).dirs.flatMap(({ folder, layer }) => {
    const archive = archiveFolder(folder)
    const { names, fault } = listArchive(store, archive)
    const root = layer === 'project' ? store.project.root : undefined
    const faults = names.flatMap((name) => {
      const found = name.endsWith('.md') ? inspectUntrusted(root, `${archive}/${name}`) : undefined
      return isFileFault(found) ? [found] : []
    })
    return fault ? [fault, ...faults] : faults
  })
}

const reportFault = (name: string, { file, what, hint }: FileFault): CheckResult =>
  checkProblem(name, 'warn', `${what.charAt(0).toUpperCase()}${what.slice(1)}: not read`, { where: file, hint })

// Checks which memory a folder uses. Nothing is linked or deleted: that is the person's decision.

export function checkProjects(store: Store): CheckResult[] {
  const { files, home, layout, project } = store
  if (home === undefined) return []
  const left = files.list(`${home}/projects`).filter(isForgotten)
  const warn = (what: string, where: string, hint: string): CheckResult =>
    checkProblem('projects', 'warn', what, { where, hint })
  const erase = 'Run `memctl doctor --fix`, which erases the rest.'
  const problems = left.map((name) => warn('A project was not erased to its end', `${home}/projects/${name}`, erase))
  const ownFolder = `${home}/projects/${ownStoreName(project)}`
  const link = readLink(files, ownFolder)
  if (project.linkedFrom !== undefined) {
    return [...problems, checkPassed('projects', `Linked: ${project.linkedFrom} uses this memory`, layout.folder)]
  }
  if (link !== undefined) {
    const hint = 'Run `memctl project link PROJECT`, or `memctl project unlink`.'
    problems.push(warn('The link leads to no memory', `${ownFolder}/link`, hint))
  }
  for (const { store: name, title, memories } of listEarlierMemory(store)) {
    const what = `This folder may be the project ${title} (${memories} memories), which is not used here`
    const hint = `\`memctl project link ${name}\` uses it, \`memctl project unlink\` ends this message.`
    problems.push(warn(what, `${home}/projects/${name}`, hint))
  }
  const count = listStoreNames(store).length
  return [...problems, checkPassed('projects', `${count} with a memory`, `${home}/projects`)]
}
