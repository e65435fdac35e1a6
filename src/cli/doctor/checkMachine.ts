// Checks of the machine: Node, memctl's home, disk, config and project.
import fs from 'node:fs'
import path from 'node:path'
import { runCheck } from '../../broker/checks/checkStore.ts'
import { readConfig } from '../../broker/open/configFile.ts'
import { configFile } from '../../broker/open/hookConfig.ts'
import { findUnconfirmedClaim } from '../../broker/open/projectTrust.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { messageOf } from '../../model/memoryError.ts'
import { formatBytes } from '../../report/formatNumber.ts'
import { ioErrorHint, systemErrorCode } from '../../store/disk/diskCalls.ts'
import type { Files } from '../../store/disk/files.ts'
import type { Project } from '../../store/project/project.ts'

interface MachineInfo {
  readonly files: Files
  readonly home: string
  readonly project: Project
  /** The current folder; undefined for a store selected with `--store`. */
  readonly folder?: string | undefined
}

/** A new log file starts every 8 MB, and a rebuild writes a second snapshot. */
const FREE_BYTES_LOW = 500 * 1024 * 1024
const FREE_BYTES_MIN = 20 * 1024 * 1024

export const checkMachine = (machine: MachineInfo): CheckResult[] => [
  // The command does not start on a Node that is too old.
  checkPassed('node', `Node ${process.versions.node}`, process.execPath),
  checkHome(machine),
  ...checkDisk(machine.home),
  ...checkConfig(machine),
  checkProject(machine.project),
  ...checkClaim(machine),
]

/** Writes a file, because permissions do not show whether a disk is mounted read-only. */
function checkHome({ files, home }: MachineInfo): CheckResult {
  const exists = fs.existsSync(home)
  const probe = path.join(exists ? home : nearestFolder(home), `.memctl-doctor-${process.pid}`)
  try {
    files.replace(probe, Buffer.from('memctl doctor was here\n'))
    files.remove(probe)
    return checkPassed('home', exists ? 'Writable' : 'Missing: the first event creates it', home)
  } catch (error) {
    return checkProblem('home', 'fail', `Not writable: ${messageOf(error)}`, {
      where: home,
      hint: ioErrorHint(systemErrorCode(error)) ?? 'Set MEMCTL_HOME to a folder you may write.',
    })
  }
}

function checkDisk(home: string): CheckResult[] {
  let free: number
  try {
    const { bavail, bsize } = fs.statfsSync(nearestFolder(home))
    free = bavail * bsize
  } catch {
    return [] // Some file systems do not report it.
  }
  const what = `${formatBytes(free)} free`
  if (free >= FREE_BYTES_LOW) return [checkPassed('disk', what)]
  const hint = 'Free some space: without it no event can be recorded.'
  return [checkProblem('disk', free < FREE_BYTES_MIN ? 'fail' : 'warn', what, { where: home, hint })]
}

function checkConfig({ files, home }: MachineInfo): CheckResult[] {
  const where = configFile(home)
  return runCheck('config', where, () => {
    readConfig(files, home)
    const isAbsent = files.size(where) === undefined
    return [isAbsent ? checkPassed('config', 'None: all defaults') : checkPassed('config', 'Valid', where)]
  })
}

const IDENTITIES: Readonly<Record<Project['identity'], string>> = {
  'project.yaml': 'by the id in .memctl/project.yaml, confirmed',
  origin: "by its origin's URL, so every clone is the same project",
  git: 'by its git folder, so every worktree is the same project',
  folder: 'by its folder, since there is no git',
}

function checkProject({ name, id, root, identity }: Project): CheckResult {
  const git = path.join(root, '.git')
  if (identity === 'folder' && fs.existsSync(git)) {
    const what = `${name}-${id}, by its folder: .git names no repository that knows this folder`
    const hint =
      'Run `git worktree repair` in the main repository, or `git config core.worktree` with this folder for a ' +
      'separate git folder. Until then this folder is a separate project.'
    return checkProblem('project', 'warn', what, { where: git, hint })
  }
  return checkPassed('project', `${name}-${id}, ${IDENTITIES[identity]}`, root)
}

/** Warns of an unconfirmed project id in project.yaml: it is ignored, because a repository may name any project. */
function checkClaim({ home, folder }: MachineInfo): CheckResult[] {
  const claim = folder === undefined ? undefined : findUnconfirmedClaim(folder, home)
  if (claim === undefined) return []
  const { name, id, root } = claim.project
  const what = `.memctl/project.yaml names ${name}-${id}, which is not confirmed: it is ignored`
  const hint = 'Run `memctl project confirm` if both are yours. A repository of others could read those memories then.'
  return [checkProblem('project', 'warn', what, { where: root, hint })]
}

const nearestFolder = (folder: string): string =>
  fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder))
