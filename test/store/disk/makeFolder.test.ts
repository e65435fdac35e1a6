// A folder is created although other processes create the same one.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeFolderFor } from '../../../src/store/disk/diskCalls.ts'
import { newFolder } from '../../tempFolders.ts'

const { beforeAnswer } = vi.hoisted(() => ({ beforeAnswer: { run: (_folder: string): void => {} } }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const mkdirSync = (folder: string, options: fs.MakeDirectoryOptions): unknown => {
    try {
      return real.mkdirSync(folder, options)
    } finally {
      beforeAnswer.run(folder)
    }
  }
  return { ...real, mkdirSync }
})

let folder: string
beforeEach(() => {
  folder = newFolder('make-folder')
  beforeAnswer.run = () => {}
})

test('disk: another process creates the parents while a folder is refused for them', () => {
  const wanted = path.join(folder, 'project', 'events')
  beforeAnswer.run = (refused) => {
    if (refused === wanted) fs.mkdirSync(path.dirname(wanted), { recursive: true })
  }
  makeFolderFor(wanted, 'owner')
  expect(fs.statSync(wanted).isDirectory()).toBe(true)
})

test('disk: another process creates every folder first', () => {
  const wanted = path.join(folder, 'project', 'events')
  beforeAnswer.run = () => fs.mkdirSync(wanted, { recursive: true })
  makeFolderFor(wanted, 'owner')
  expect(fs.statSync(wanted).isDirectory()).toBe(true)
})

test.skipIf(!fs.existsSync('/proc'))('disk: a folder in which nothing can be created is an error', () => {
  expect(() => makeFolderFor('/proc/memctl/home', 'owner')).toThrow(/cannot be created/)
})
