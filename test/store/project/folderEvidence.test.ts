// What identifies a folder on this machine: nothing that a repository or an archive brings counts as certain.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { findEarlierProjects } from '../../../src/store/project/earlierProject.ts'
import { type FolderEvidence, markOf, type Place, readEvidence } from '../../../src/store/project/folderEvidence.ts'
import { resolveProject } from '../../../src/store/project/project.ts'
import { type Machine, newMachine, storesBirthTimes } from '../../broker/projects/machine.ts'

let machine: Machine
beforeEach(() => {
  machine = newMachine()
})

const read = (folder: string): FolderEvidence => readEvidence(folder, resolveProject(folder))[0]!
const place = (evidence: FolderEvidence): Place => ({ ...evidence, identity: 'git', at: '2026-03-01T00:00:00.000Z' })
const match = (now: FolderEvidence, before: FolderEvidence) =>
  findEarlierProjects([now], { 'old-1': { places: [place(before)] } }, 'new-2')

test('projects: a mark needs an inode and a time of creation, and is none of a link', () => {
  const stats = { ino: 7n, birthtimeNs: 9n, isSymbolicLink: () => false }
  expect(markOf(stats)).toBe('7.9')
  for (const other of [{ ino: 0n }, { birthtimeNs: 0n }, { birthtimeNs: -1n }, { isSymbolicLink: () => true }])
    expect(markOf({ ...stats, ...other })).toBeUndefined()
  expect(markOf(undefined)).toBeUndefined()
  // The inode is used again; the time is another one.
  expect(markOf({ ...stats, birthtimeNs: 10n })).not.toBe(markOf(stats))
})

test('projects: a .git that was copied, linked or written again is never certain', () => {
  const shop = machine.repository('shop', 'https://github.com/me/shop')
  const before = read(shop)
  const forge = (name: string, make: (folder: string) => void): FolderEvidence => {
    fs.mkdirSync(machine.at(name))
    make(machine.at(name))
    return read(machine.at(name))
  }
  const forged = [
    forge('copied', (folder) => fs.cpSync(`${shop}/.git`, `${folder}/.git`, { recursive: true })),
    forge('linked', (folder) => fs.symlinkSync(`${shop}/.git`, `${folder}/.git`)),
    forge('named', (folder) => fs.writeFileSync(`${folder}/.git`, `gitdir: ${shop}/.git\n`)),
    forge('imitated', (folder) => {
      fs.mkdirSync(`${folder}/.git/logs`, { recursive: true })
      fs.writeFileSync(`${folder}/.git/HEAD`, 'ref: refs/heads/main\n')
      fs.copyFileSync(`${shop}/.git/logs/HEAD`, `${folder}/.git/logs/HEAD`)
      fs.copyFileSync(`${shop}/.git/config`, `${folder}/.git/config`)
    }),
    forge('origin is a path', (folder) => {
      machine.git(folder, 'init', '-q')
      machine.git(folder, 'remote', 'add', 'origin', shop)
    }),
  ]
  for (const evidence of forged) {
    expect(evidence.folder).not.toBe(shop)
    expect(match(evidence, before).filter(({ isCertain }) => isCertain)).toEqual([])
  }
  expect(match(forged[0]!, before)).toMatchObject([{ reason: 'history' }])
  expect(match(forged[4]!, before)).toMatchObject([{ reason: 'origin' }])
})

test('projects: a repository at the path of a removed one is another one, also with its inode', () => {
  const shop = machine.repository('shop')
  const before = read(shop)
  fs.rmSync(shop, { recursive: true })
  const now = read(machine.repository('shop'))
  expect(match(now, before).every(({ isCertain }) => !isCertain)).toBe(true)
  const reused = { ...now, gitMark: before.gitMark!.replace(/\..*/, now.gitMark!.slice(now.gitMark!.indexOf('.'))) }
  expect(match(reused, before).every(({ isCertain }) => !isCertain)).toBe(true)
})

test('projects: a folder of which nothing but its path and its inode are known is never certain', () => {
  const shop = machine.repository('shop')
  const withoutTimes = ({ mark: _, gitMark: __, ...rest }: FolderEvidence): FolderEvidence => rest
  const before = withoutTimes(read(shop))
  fs.renameSync(shop, machine.at('moved'))
  const now = withoutTimes(read(machine.at('moved')))
  expect(match(now, before)).toMatchObject([{ reason: 'history', isCertain: false }])
})

test('projects: an archive in an emptied folder of a repository is not certain', () => {
  const shop = machine.repository('shop')
  const before = read(shop)
  fs.rmSync(path.join(shop, '.git'), { recursive: true })
  const [found] = match(read(shop), before)
  expect(found).toMatchObject({ isCertain: false, reason: storesBirthTimes(machine.top) ? 'folder' : 'path' })
})

test('projects: a password in an origin is not recorded', () => {
  const shop = machine.repository('shop', 'https://me:secret@github.com/me/shop')
  expect(JSON.stringify(read(shop))).not.toContain('secret')
  machine.git(shop, 'remote', 'set-url', 'origin', 'https://me:secret@evil\\@github.com/a/b?x')
  expect(JSON.stringify(read(shop))).not.toContain('secret')
})
