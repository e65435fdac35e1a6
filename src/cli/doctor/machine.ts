// Is the machine fit? Node, memctl's home, the config, the optional parts, the disk, the clock.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { readConfig } from '../../broker/compileConfig.ts'
import { configFile } from '../../broker/hookConfig.ts'
import { unconfirmed } from '../../broker/membership.ts'
import { type Check, sound, unsound } from '../../model/check.ts'
import { MemoryError } from '../../model/errors.ts'
import { bytesText } from '../../report/amount.ts'
import { diskMend } from '../../store/diskMend.ts'
import { codeOf, type Files } from '../../store/files.ts'
import type { Project } from '../../store/project.ts'

interface Machine {
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

export function checkMachine(machine: Machine): Check[] {
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

export function checkNode(version: string): Check {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return sound('node', `Node ${version}`, process.execPath)
  return unsound('node', 'fail', `Node ${version} is older than memctl needs`, {
    where: process.execPath,
    mend: `Install Node ${NODE_MAJOR_MIN} or later.`,
  })
}

/** Tried by writing, since rights alone do not tell of a disk mounted to be read. */
function checkHome({ files, home }: Machine): Check {
  const exists = fs.existsSync(home)
  const probe = path.join(exists ? home : nearestFolder(home), `.memctl-doctor-${process.pid}`)
  try {
    files.replace(probe, Buffer.from('memctl doctor was here\n'))
    files.remove(probe)
    return sound('home', exists ? 'Writable' : 'Not there yet: the first event makes it', home)
  } catch (error) {
    return unsound('home', 'fail', `Nothing can be written: ${messageOf(error)}`, {
      where: home,
      mend: diskMend(codeOf(error)) ?? 'Set MEMCTL_HOME to a folder you may write.',
    })
  }
}

function checkDisk(home: string): Check[] {
  let free: number
  try {
    const { bavail, bsize } = fs.statfsSync(nearestFolder(home))
    free = bavail * bsize
  } catch {
    return [] // Some file systems do not tell.
  }
  const what = `${bytesText(free)} free`
  if (free >= FREE_BYTES_LOW) return [sound('disk', what)]
  return [
    unsound('disk', free < FREE_BYTES_MIN ? 'fail' : 'warn', what, {
      where: home,
      mend: 'Free some space: without it no event can be kept.',
    }),
  ]
}

export function checkClock(now: number): Check {
  if (now >= CLOCK_MIN) return sound('clock', new Date(now).toISOString())
  return unsound('clock', 'fail', `This machine says it is ${new Date(now).toISOString()}`, {
    mend: 'Set the clock right: the age of a memory decides what is recalled and kept.',
  })
}

function checkConfig({ files, home }: Machine): Check {
  const where = configFile(home)
  try {
    readConfig(files, home)
    return files.size(where) === undefined
      ? sound('config', 'None: everything as shipped')
      : sound('config', 'Understood', where)
  } catch (error) {
    return unsound('config', 'fail', messageOf(error), {
      where,
      mend:
        error instanceof MemoryError
          ? error.mend
          : (diskMend(codeOf(error)) ?? 'Move it away for everything as shipped.'),
    })
  }
}

const BY: Readonly<Record<Project['identity'], string>> = {
  'project.yaml': 'by the id in .memctl/project.yaml, which a person has confirmed',
  origin: "by its origin's URL, so every clone is the same project",
  git: 'by its git folder, so every worktree is the same project',
  folder: 'by its folder, since there is no git',
}

function checkProject({ name, id, root, identity }: Project): Check {
  const door = path.join(root, '.git')
  if (identity === 'folder' && fs.existsSync(door)) {
    return unsound('project', 'warn', `${name}-${id}, by its folder: .git is there and leads nowhere`, {
      where: door,
      mend: 'Run `git worktree repair` in the main repository; until then this folder is a project of its own.',
    })
  }
  return sound('project', `${name}-${id}, ${BY[identity]}`, root)
}

/** Another project's name in a repository's own file counts for nothing until a person says so; here they are told of it. */
function checkClaim({ files, home, folder }: Machine): Check[] {
  const claim = folder === undefined ? undefined : unconfirmed(folder, home, files)
  if (claim === undefined) return []
  const { name, id, root } = claim.project
  const what = `.memctl/project.yaml names ${name}-${id}, which nobody has confirmed: it does not count`
  const mend = 'Run `memctl project confirm` if both are yours; a repository of others would read those memories by it.'
  return [unsound('project', 'warn', what, { where: root, mend })]
}

/** In a process of its own: a native part built for another Node can end the one that loads it. */
function checkVectors(packageRoot: string): Check {
  const entry = entryOf('hnswlib-node', packageRoot)
  if (entry === undefined) {
    return sound('vectors', 'hnswlib-node is not installed: vectors are compared one by one, which is exact and slower')
  }
  const loaded = spawnSync(process.execPath, ['-e', 'require(process.argv[1])', entry], {
    timeout: LOADS_WITHIN_MS,
    encoding: 'utf8',
  })
  if (loaded.status === 0) return sound('vectors', 'hnswlib-node loads', path.dirname(entry))
  const why =
    loaded.stderr.split('\n').find((line) => /error/i.test(line)) ?? `it ended with ${loaded.signal ?? loaded.status}`
  return unsound('vectors', 'warn', `hnswlib-node does not load (${why.trim()}): vectors are compared one by one`, {
    where: path.dirname(entry),
    mend: `Run \`npm rebuild hnswlib-node\` in ${packageRoot}, or leave it: recall answers the same, slower.`,
  })
}

function checkTransformers({ packageRoot, home }: Machine): Check {
  const entry = entryOf('@xenova/transformers', packageRoot) ?? entryOf('@xenova/transformers', home)
  return entry === undefined
    ? sound('embedder', '@xenova/transformers is not installed: the built-in embedder serves')
    : sound('embedder', '@xenova/transformers is there for whoever chooses it', path.dirname(entry))
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
