// Is the machine fit? Node, memctl's home, the config, the optional parts, the disk, the clock.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readConfig } from '../../broker/open/compileConfig.ts'
import { configFile } from '../../broker/open/hookConfig.ts'
import { findUnconfirmedClaim } from '../../broker/open/projectTrust.ts'
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { formatBytes } from '../../report/formatNumber.ts'
import { type Files, systemErrorCode } from '../../store/disk/files.ts'
import { ioErrorHint } from '../../store/disk/ioErrorHint.ts'
import type { Project } from '../../store/project/project.ts'

interface MachineInfo {
  readonly files: Files
  readonly home: string
  readonly packageRoot: string
  readonly project: Project
  /** Where the person stands; undefined for a store at a folder of its own. */
  readonly folder?: string
  /** Milliseconds since 1970. */
  readonly now: number
}

const NODE_MAJOR_MIN = 20

/** A log file is begun every 8 MB, and a rebuild writes the whole view a second time. */
const FREE_BYTES_LOW = 500 * 1024 * 1024
const FREE_BYTES_MIN = 20 * 1024 * 1024

/** When memctl's first version was made: a clock before it is wrong. */
const CLOCK_MIN = Date.UTC(2025, 0, 1)

/** How long loading an optional part may take, in milliseconds. */
const LOADS_WITHIN_MS = 10_000

export function checkMachine(machine: MachineInfo): CheckResult[] {
  return [
    checkNode(process.versions.node),
    checkHome(machine),
    ...checkDisk(machine.home),
    checkClock(machine.now),
    checkConfig(machine),
    checkProject(machine.project),
    ...checkClaim(machine),
    checkVectors(machine.packageRoot),
    checkTransformers(machine),
  ]
}

export function checkNode(version: string): CheckResult {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return checkPassed('node', `Node ${version}`, process.execPath)
  return checkProblem('node', 'fail', `Node ${version} is older than memctl needs`, {
    where: process.execPath,
    hint: `Install Node ${NODE_MAJOR_MIN} or later.`,
  })
}

/** Tried by writing, since rights alone do not tell of a disk mounted to be read. */
function checkHome({ files, home }: MachineInfo): CheckResult {
  const exists = fs.existsSync(home)
  const probe = path.join(exists ? home : nearestFolder(home), `.memctl-doctor-${process.pid}`)
  try {
    files.replace(probe, Buffer.from('memctl doctor was here\n'))
    files.remove(probe)
    return checkPassed('home', exists ? 'Writable' : 'Not there yet: the first event makes it', home)
  } catch (error) {
    return checkProblem('home', 'fail', `Nothing can be written: ${messageOf(error)}`, {
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
    return [] // Some file systems do not tell.
  }
  const what = `${formatBytes(free)} free`
  if (free >= FREE_BYTES_LOW) return [checkPassed('disk', what)]
  return [
    checkProblem('disk', free < FREE_BYTES_MIN ? 'fail' : 'warn', what, {
      where: home,
      hint: 'Free some space: without it no event can be kept.',
    }),
  ]
}

export function checkClock(now: number): CheckResult {
  if (now >= CLOCK_MIN) return checkPassed('clock', new Date(now).toISOString())
  return checkProblem('clock', 'fail', `This machine says it is ${new Date(now).toISOString()}`, {
    hint: 'Set the clock right: the age of a memory decides what is recalled and kept.',
  })
}

function checkConfig({ files, home }: MachineInfo): CheckResult {
  const where = configFile(home)
  try {
    readConfig(files, home)
    return files.size(where) === undefined
      ? checkPassed('config', 'None: everything as shipped')
      : checkPassed('config', 'Understood', where)
  } catch (error) {
    return checkProblem('config', 'fail', messageOf(error), {
      where,
      hint:
        error instanceof MemoryError
          ? error.hint
          : (ioErrorHint(systemErrorCode(error)) ?? 'Move it away for everything as shipped.'),
    })
  }
}

const BY: Readonly<Record<Project['identity'], string>> = {
  'project.yaml': 'by the id in .memctl/project.yaml, which a person has confirmed',
  origin: "by its origin's URL, so every clone is the same project",
  git: 'by its git folder, so every worktree is the same project',
  folder: 'by its folder, since there is no git',
}

function checkProject({ name, id, root, identity }: Project): CheckResult {
  const door = path.join(root, '.git')
  if (identity === 'folder' && fs.existsSync(door)) {
    return checkProblem('project', 'warn', `${name}-${id}, by its folder: .git is there and leads nowhere`, {
      where: door,
      hint: 'Run `git worktree repair` in the main repository; until then this folder is a project of its own.',
    })
  }
  return checkPassed('project', `${name}-${id}, ${BY[identity]}`, root)
}

/** Another project's name in a repository's own file counts for nothing until a person says so; here they are told of it. */
function checkClaim({ files, home, folder }: MachineInfo): CheckResult[] {
  const claim = folder === undefined ? undefined : findUnconfirmedClaim(folder, home, files)
  if (claim === undefined) return []
  const { name, id, root } = claim.project
  const what = `.memctl/project.yaml names ${name}-${id}, which nobody has confirmed: it does not count`
  const hint = 'Run `memctl project confirm` if both are yours; a repository of others would read those memories by it.'
  return [checkProblem('project', 'warn', what, { where: root, hint })]
}

/** In a process of its own: a native part built for another Node can end the one that loads it. */
function checkVectors(packageRoot: string): CheckResult {
  const entry = entryOf('hnswlib-node', packageRoot)
  if (entry === undefined) {
    return checkPassed(
      'vectors',
      'hnswlib-node is not installed: vectors are compared one by one, which is exact and slower',
    )
  }
  const loaded = spawnSync(process.execPath, ['-e', 'require(process.argv[1])', entry], {
    timeout: LOADS_WITHIN_MS,
    encoding: 'utf8',
  })
  if (loaded.status === 0) return checkPassed('vectors', 'hnswlib-node loads', path.dirname(entry))
  const why =
    loaded.stderr.split('\n').find((line) => /error/i.test(line)) ?? `it ended with ${loaded.signal ?? loaded.status}`
  return checkProblem(
    'vectors',
    'warn',
    `hnswlib-node does not load (${why.trim()}): vectors are compared one by one`,
    {
      where: path.dirname(entry),
      hint: `Run \`npm rebuild hnswlib-node\` in ${packageRoot}, or leave it: recall answers the same, slower.`,
    },
  )
}

function checkTransformers({ packageRoot, home }: MachineInfo): CheckResult {
  const entry = entryOf('@xenova/transformers', packageRoot) ?? entryOf('@xenova/transformers', home)
  return entry === undefined
    ? checkPassed('embedder', '@xenova/transformers is not installed: the built-in embedder serves')
    : checkPassed('embedder', '@xenova/transformers is there for whoever chooses it', path.dirname(entry))
}

function entryOf(name: string, folder: string): string | undefined {
  try {
    return createRequire(path.join(folder, 'package.json')).resolve(name)
  } catch {
    return undefined // Not installed, or a folder that is not there: both are an absence.
  }
}

function nearestFolder(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder))
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
