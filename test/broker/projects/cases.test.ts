// A project keeps its memory: every case of the table in docs/projects.md, in paths with spaces and Japanese letters.
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Machine, newMachine, storesBirthTimes } from './machine.ts'

const SAID = 'From now on, always print the receipts in green.'
const KNOWN = 'receipts in green'
const QUESTION = /may be the project (\S+) \(\d+ memor/
const OLD = 'https://github.com/me/shop'
const NEW = 'git@github.com:me/store.git'

let machine: Machine
beforeEach(() => {
  machine = newMachine()
})

/** The memory is there at once; on file systems without times of creation, the person is asked. */
const expectMemory = (context: string): void =>
  storesBirthTimes(machine.top) ? expect(context).toContain(KNOWN) : expect(context).toMatch(QUESTION)

function expectQuestion(context: string, name = 'shop'): void {
  expect(context).not.toContain(KNOWN)
  expect(QUESTION.exec(context)?.[1]).toBe(name)
}

function expectNothing(context: string): void {
  expect(context).not.toContain(KNOWN)
  expect(context).not.toMatch(QUESTION)
}

describe('projects: automatic, because only this folder can be meant', () => {
  test('projects: a repository gets its first origin', () => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    machine.git(shop, 'remote', 'add', 'origin', OLD)
    expectMemory(machine.session(shop))
    expectMemory(machine.session(shop))
  })

  test('projects: an origin is changed', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    machine.git(shop, 'remote', 'set-url', 'origin', NEW)
    expectMemory(machine.session(shop))
  })

  test('projects: an origin is removed', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    machine.git(shop, 'remote', 'remove', 'origin')
    expectMemory(machine.session(shop))
  })

  test('projects: an origin is added during a session: that session is one memory', () => {
    const shop = machine.repository('shop')
    machine.session(shop, 'Go on.')
    machine.session(shop, SAID, () => void machine.git(shop, 'remote', 'add', 'origin', OLD))
    expectMemory(machine.session(shop))
    const other = machine.repository('another clone', OLD)
    expectMemory(machine.session(other))
  })

  test.each(['お店 2', 'renamed'])('projects: a repository is renamed to %s', (name) => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    fs.renameSync(shop, machine.at(name))
    expectMemory(machine.session(machine.at(name)))
  })

  test('projects: a repository is moved and gets an origin', () => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    fs.mkdirSync(machine.at('archive 倉庫'))
    const moved = machine.at('archive 倉庫', 'shop')
    fs.renameSync(shop, moved)
    machine.git(moved, 'remote', 'add', 'origin', OLD)
    expectMemory(machine.session(moved))
  })

  test('projects: a folder without git is renamed', () => {
    machine.write(machine.at('notes', 'a.txt'), 'a')
    machine.session(machine.at('notes'), SAID)
    fs.renameSync(machine.at('notes'), machine.at('メモ'))
    expectMemory(machine.session(machine.at('メモ')))
  })

  test('projects: a folder becomes a repository', () => {
    machine.write(machine.at('shop', 'a.txt'), 'a')
    machine.session(machine.at('shop'), SAID)
    machine.git(machine.at('shop'), 'init', '-q')
    expectMemory(machine.session(machine.at('shop')))
  })

  test('projects: a worktree is moved without git, and its repository, too', () => {
    const shop = machine.repository('shop')
    machine.git(shop, 'worktree', 'add', '-q', machine.at('tree'))
    machine.session(machine.at('tree'), SAID)
    fs.renameSync(machine.at('tree'), machine.at('tree 木'))
    expectMemory(machine.session(machine.at('tree 木')))
    machine.git(shop, 'worktree', 'prune')
    expectMemory(machine.session(machine.at('tree 木')))
  })

  test('projects: a repository that only its worktree has used gets an origin', () => {
    const shop = machine.repository('shop')
    machine.git(shop, 'worktree', 'add', '-q', machine.at('tree'))
    machine.session(machine.at('tree'), SAID)
    machine.git(shop, 'remote', 'add', 'origin', OLD)
    expectMemory(machine.session(shop))
    expectMemory(machine.session(machine.at('tree')))
  })
})

describe('projects: a question, because something else could be meant', () => {
  test('projects: a folder becomes a repository with an origin, as after `git clone URL .`', () => {
    machine.write(machine.at('shop', 'a.txt'), 'a')
    machine.session(machine.at('shop'), SAID)
    fs.rmSync(machine.at('shop', 'a.txt'))
    const evil = machine.repository('evil')
    machine.git(machine.at('shop'), 'clone', '-q', evil, '.')
    expectQuestion(machine.session(machine.at('shop')))
  })

  test('projects: another repository is cloned to the path of a removed one', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    fs.rmSync(shop, { recursive: true })
    machine.git(machine.at(), 'clone', '-q', machine.repository('evil'), shop)
    expectQuestion(machine.session(shop))
  })

  test('projects: a removed repository is cloned again from its new origin', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    fs.rmSync(shop, { recursive: true })
    machine.repository('shop', NEW)
    expectQuestion(machine.session(shop))
  })

  test('projects: an origin is changed while other clones keep the old one', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    machine.session(machine.repository('second', OLD))
    machine.git(shop, 'remote', 'set-url', 'origin', NEW)
    expectQuestion(machine.session(shop))
  })

  test('projects: a repository is copied, or moved to another disk', () => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    fs.cpSync(shop, machine.at('copy 写し'), { recursive: true })
    expectQuestion(machine.session(machine.at('copy 写し')))
  })

  test('projects: a clone from a path on this machine', () => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    machine.git(machine.at(), 'clone', '-q', shop, machine.at('clone'))
    expectQuestion(machine.session(machine.at('clone')))
  })

  test('projects: a subfolder of a project becomes a repository', () => {
    const shop = machine.repository('shop')
    machine.write(path.join(shop, 'packages', 'web', 'a.txt'), 'a')
    machine.session(path.join(shop, 'packages', 'web'), SAID)
    machine.git(path.join(shop, 'packages', 'web'), 'init', '-q')
    expectQuestion(machine.session(path.join(shop, 'packages', 'web')))
  })

  test('projects: a project becomes a subfolder of a repository', () => {
    machine.write(machine.at('mono', 'shop', 'a.txt'), 'a')
    machine.session(machine.at('mono', 'shop'), SAID)
    machine.repository('mono')
    expectQuestion(machine.session(machine.at('mono', 'shop')))
  })

  test('projects: a submodule gets another origin, which its parent can cause', () => {
    const lib = machine.repository('lib')
    const parent = machine.repository('parent')
    machine.git(parent, 'submodule', 'add', '-q', lib, 'lib')
    machine.git(path.join(parent, 'lib'), 'remote', 'set-url', 'origin', OLD)
    machine.session(path.join(parent, 'lib'), SAID)
    machine.git(path.join(parent, 'lib'), 'remote', 'set-url', 'origin', NEW)
    expectQuestion(machine.session(path.join(parent, 'lib')))
  })

  test('projects: a project that has a memory under its new identity is not mixed with the old one', () => {
    const shop = machine.repository('shop', OLD)
    const store = machine.repository('store', NEW)
    machine.session(store)
    machine.session(shop, SAID)
    machine.git(shop, 'remote', 'set-url', 'origin', NEW)
    expectNothing(machine.session(shop))
    expectQuestion(machine.session(shop))
  })

  test('projects: the question is asked three times, and ends with an answer', () => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    const copy = machine.at('copy')
    fs.cpSync(shop, copy, { recursive: true })
    for (let start = 1; start <= 3; start++) expectQuestion(machine.session(copy))
    expectNothing(machine.session(copy))
  })
})

describe('projects: the same project or another one, as before', () => {
  test('projects: clones of one origin and worktrees share one memory', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    expect(machine.session(machine.repository('clone', 'git@github.com:me/shop.git'))).toContain(KNOWN)
    machine.git(shop, 'worktree', 'add', '-q', machine.at('tree'))
    expect(machine.session(machine.at('tree'))).toContain(KNOWN)
  })

  test('projects: a new repository below or beside a project has a memory of its own', () => {
    const shop = machine.repository('shop')
    machine.session(shop, SAID)
    expectNothing(machine.session(machine.repository('shop/vendor/lib', NEW)))
    expectNothing(machine.session(machine.repository('beside')))
  })

  test('projects: a path is used again while the project lives on elsewhere', () => {
    const shop = machine.repository('shop', OLD)
    machine.session(shop, SAID)
    machine.session(machine.repository('second', OLD))
    fs.rmSync(shop, { recursive: true })
    machine.repository('shop', NEW)
    expectNothing(machine.session(shop))
  })
})
