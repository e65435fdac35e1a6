// Property: whatever a person does to folders on one machine, each folder finds its memory or its start says where it
// is, and no folder ever gets the memory of another project.
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listEarlierMemory } from '../../../src/broker/queries/storeStatus.ts'
import { type Machine, newMachine } from './machine.ts'

type Step = 'rename' | 'move' | 'add origin' | 'change origin' | 'remove origin' | 'worktree' | 'clone' | 'session'
const STEPS: readonly Step[] = [
  ...(['rename', 'move', 'add origin', 'change origin', 'remove origin', 'worktree', 'clone', 'session'] as const),
]

/** A folder that must have the memory of `name`, or ask for it. */
interface Folder {
  path: string
  readonly name: string
  readonly kind: 'main' | 'worktree' | 'clone'
}

const saidIn = (name: string): string => `From now on, always print the receipts of ${name} in green.`
const NAMES = ['alpha', 'beta'] as const

function apply(machine: Machine, step: Step, folders: Folder[], which: number, count: number): void {
  const folder = folders[which % folders.length]!
  const git = (...args: readonly string[]): void => {
    try {
      machine.git(folder.path, ...args)
    } catch {
      // There is an origin already, or none: as for the person, nothing happens.
    }
  }
  const origin = `https://github.com/me/${folder.name}-${count}`
  switch (step) {
    case 'rename':
    case 'move': {
      // A worktree whose repository moves loses it for git as well: `git worktree repair` is the person's.
      const hasWorktrees = folders.some(({ name, kind }) => name === folder.name && kind === 'worktree')
      if (hasWorktrees && folder.kind === 'main') return
      const to =
        step === 'rename' ? `${folder.path} ${count} 名` : machine.at(`棚 ${count}`, path.basename(folder.path))
      fs.mkdirSync(path.dirname(to), { recursive: true })
      fs.renameSync(folder.path, to)
      folder.path = to
      return
    }
    case 'add origin':
      git('remote', 'add', 'origin', origin)
      return
    case 'change origin':
      git('remote', 'set-url', 'origin', origin)
      return
    case 'remove origin':
      git('remote', 'remove', 'origin')
      return
    case 'worktree': {
      const tree = machine.at(`tree ${count}`)
      git('worktree', 'add', '-q', '--detach', tree)
      if (fs.existsSync(tree)) folders.push({ path: tree, name: folder.name, kind: 'worktree' })
      return
    }
    case 'clone': {
      const clone = machine.at(`clone ${count}`)
      machine.git(machine.at(), 'clone', '-q', folder.path, clone)
      folders.push({ path: clone, name: folder.name, kind: 'clone' })
      return
    }
    case 'session':
      machine.session(folder.path)
  }
}

const steps = fc.array(fc.record({ step: fc.constantFrom(...STEPS), which: fc.nat(5) }), { minLength: 1, maxLength: 6 })

test('projects: after any steps a memory is found or named, and never that of another project', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const machine = newMachine()
      const folders: Folder[] = NAMES.map((name) => {
        const folder = machine.repository(name)
        machine.session(folder, saidIn(name))
        return { path: folder, name, kind: 'main' }
      })
      for (const [count, { step, which }] of sequence.entries()) {
        const known = folders.length
        apply(machine, step, folders, which, count)
        for (const [i, folder] of folders.entries()) {
          const where = `${sequence.map((each) => each.step).join(', ')} (${count}): ${folder.path}`
          const context = machine.session(folder.path)
          const other = NAMES.find((name) => name !== folder.name)!
          expect(context, where).not.toContain(`receipts of ${other}`)
          expect(context, where).not.toContain(`project ${other}`)
          // Once a clone has a memory of its own, that one follows it.
          if (folder.kind === 'clone' && i < known) continue
          const isFound = context.includes(`receipts of ${folder.name}`)
          const isNamed =
            context.includes('may be the project') || listEarlierMemory(machine.store(folder.path)).length > 0
          expect([isFound, isNamed], where).toContain(true)
        }
      }
      fs.rmSync(machine.top, { recursive: true, force: true })
    }),
    { numRuns: 12 },
  )
}, 120_000)
