// One temporary folder for everything that a test run creates, removed at the end.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export default function setup(): (() => Promise<void>) | undefined {
  // Vitest calls it for each of its projects; they share the folder of the first one.
  if (path.basename(os.tmpdir()).startsWith(NAME)) return undefined
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(chooseParent()), NAME))
  process.env['TMPDIR'] = folder
  return () => remove(folder, 50)
}

/** What the name of the folder begins with. */
const NAME = 'memctl-tests-'

/** Where Linux has a file system in memory. */
const MEMORY_FOLDER = '/dev/shm'

/** The whole suite has less than a tenth of this there at a time, in bytes. A container may have 64 MB. */
const MEMORY_FREE_MIN = 2 ** 32

/**
 * A folder in memory if there is room and programs may be run there, because most of the time of a small write to a
 * disk is its fsync.
 */
function chooseParent(): string {
  // The choice of the person who runs the tests.
  if (process.env['TMPDIR'] !== undefined) return os.tmpdir()
  const program = path.join(MEMORY_FOLDER, `memctl-tests-${process.pid}`)
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY_FOLDER)
    if (Math.min(bavail * bsize, process.availableMemory()) < MEMORY_FREE_MIN) return os.tmpdir()
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return MEMORY_FOLDER
  } catch {
    return os.tmpdir() // There is none, it is read-only, or it is mounted without execution.
  } finally {
    fs.rmSync(program, { force: true })
  }
}

/** A worker that the last test has started may still write there: then everything is tried again. */
async function remove(folder: string, triesLeft: number): Promise<void> {
  try {
    fs.rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (triesLeft === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 100))
    await remove(folder, triesLeft - 1)
  }
}
