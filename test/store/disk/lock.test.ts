// The lock of processes that write derived files: one owner at a time, and never a dead one.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock, isOwnerAlive, type LockOwner, processStartTime } from '../../../src/store/disk/lock.ts'
import { createTestStore } from '../../testData.ts'

let file: string
beforeEach(() => {
  file = createTestStore().layout.lock
})

const heldBy = (owner: unknown): void => fs.writeFileSync(file, `${JSON.stringify(owner)}\n`)

/** The pid of a process that has ended. */
const ended = (): LockOwner => ({
  pid: Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' })),
})

test('store: a held lock cannot be acquired until it is released', () => {
  const lock = acquireLock(realDisk, file)
  expect(lock).toBeDefined()
  expect(acquireLock(realDisk, file)).toBeUndefined()
  lock!.release()
  expect(fs.existsSync(file)).toBe(false)
  const next = acquireLock(realDisk, file)
  expect(next).toBeDefined()
  next!.release()
})

test('store: another living process keeps its lock', () => {
  heldBy({ pid: process.ppid, started: processStartTime(process.ppid) })
  expect(acquireLock(realDisk, file)).toBeUndefined()
  heldBy({ pid: process.ppid })
  expect(acquireLock(realDisk, file)).toBeUndefined()
})

test('store: the lock of a dead process is taken over, without temporary files left', () => {
  heldBy(ended())
  const lock = acquireLock(realDisk, file)
  expect(lock).toBeDefined()
  expect(fs.readdirSync(path.dirname(file))).toEqual(['lock'])
  lock!.release()
})

test.runIf(processStartTime(process.pid))('store: a pid that is used again is another process', () => {
  expect(isOwnerAlive({ pid: process.pid, started: processStartTime(process.pid) })).toBe(true)
  const earlier = { pid: process.pid, started: '1' }
  expect(isOwnerAlive(earlier)).toBe(false)
  heldBy(earlier)
  expect(acquireLock(realDisk, file)).toBeDefined()
})

test('store: a lock file that cannot be parsed has no owner', () => {
  for (const text of ['', '{', 'null', '{"pid":"x"}', '[]']) {
    fs.writeFileSync(file, text)
    const lock = acquireLock(realDisk, file)
    expect(lock, text).toBeDefined()
    lock!.release()
  }
})

test('store: releasing a lost lock does not release that of its new owner', () => {
  const lock = acquireLock(realDisk, file)
  heldBy({ pid: process.ppid, started: processStartTime(process.ppid) })
  lock!.release()
  expect(fs.existsSync(file)).toBe(true)
})

test('store: if two processes find the same dead owner, the first one keeps the lock', () => {
  heldBy(ended())
  const first = { pid: process.ppid, started: processStartTime(process.ppid) }
  // The first process takes the lock over between the second one's read and its rename.
  const late: Files = {
    ...realDisk,
    read(name) {
      const bytes = realDisk.read(name)
      heldBy(first)
      return bytes
    },
  }
  expect(acquireLock(late, file)).toBeUndefined()
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(first)))
  expect(fs.readdirSync(path.dirname(file))).toEqual(['lock'])
})
