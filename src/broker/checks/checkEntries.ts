// Checks what a project and the person's home have for memctl: entry files, their folders and archives, and whether the
// person trusts what the repository brings. It changes nothing, and follows no link out of the project.
import { scanEntryDirs } from '../../entries/entryDirs.ts'
import { parseEntry } from '../../entries/entryFormat.ts'
import { scanEntryFiles } from '../../entries/mtimeCache.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { type FileFault, inspectUntrusted, isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { hasContent, PROJECT_CONFIG_BYTES_MAX, readTrust } from '../../store/project/contentTrust.ts'
import { archiveFolder, listArchive, readEntryFile } from '../entries/entryPaths.ts'
import type { Store } from '../open/openStore.ts'
import { projectConfigFile } from '../policy/hasPolicyConfig.ts'

/** Files reported one by one, at most. */
const REPORTED_MAX = 5

export function checkEntries(store: Store): CheckResult[] {
  return [...checkTrust(store), ...checkProjectConfig(store), ...checkFiles(store)]
}

/** A warning if the repository brings something that is not used. */
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
  return [
    ...problems.slice(0, REPORTED_MAX),
    checkProblem('entries', 'warn', `${more} more files are not valid entries`, {
      hint: 'Run it again after these are fixed.',
    }),
  ]
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
