// The lock of who writes derived files: one at a time, and never held by the dead.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock, isOwnerAlive, type LockOwner, processStartTime } from '../../../src/store/disk/lock.ts'
import { freshStore } from '../../build.ts'

let file: string
beforeEach(() => {
  file = freshStore().layout.lock
})

const heldBy = (owner: unknown): void => fs.writeFileSync(file, `${JSON.stringify(owner)}\n`)

/** A process that has ended: its pid, and nobody's any more. */
const ended = (): LockOwner => ({
  pid: Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' })),
})

test('store: while one holds the lock nobody else gets it, and then the next one does', () => {
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

test('store: the lock of a process that has ended is taken over, and nothing is left aside', () => {
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

test('store: a lock that says nothing is nobody’s', () => {
  for (const text of ['', '{', 'null', '{"pid":"x"}', '[]']) {
    fs.writeFileSync(file, text)
    const lock = acquireLock(realDisk, file)
    expect(lock, text).toBeDefined()
    lock!.release()
  }
})

test('store: who no longer holds the lock does not take it from its new owner', () => {
  const lock = acquireLock(realDisk, file)
  heldBy({ pid: process.ppid, started: processStartTime(process.ppid) })
  lock!.release()
  expect(fs.existsSync(file)).toBe(true)
})

test('store: of two that find the same owner dead the second leaves the lock to the first', () => {
  heldBy(ended())
  const first = { pid: process.ppid, started: processStartTime(process.ppid) }
  // Between the second one's look and its move the first one has taken the lock over.
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
