// Two processes with the same entries: between any two calls of the disk of the first one, the second one does its
// work. What was acknowledged or written by hand is in a file afterwards.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { restoreEntry } from '../../../src/broker/entries/entryArchive.ts'
import { changeTrust, maintainEntries } from '../../../src/broker/entries/entryMaintenance.ts'
import { deleteEntry, listEntries, saveEntry } from '../../../src/broker/entries/entryRepository.ts'
import type { EntryWriter } from '../../../src/broker/entries/syncEntries.ts'
import { syncEntries } from '../../../src/broker/entries/syncEntries.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { MemoryError } from '../../../src/model/memoryError.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { createToolContext, type ToolContext } from '../../../src/tools/definition/toolContext.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY } from '../../testData.ts'

const home = newFolder('races')
afterAll(() => fs.rmSync(home, { recursive: true, force: true }))

const project = path.join(home, 'shop')
const memory = path.join(project, '.memctl/memory')
const env = { HOME: home, MEMCTL_HOME: path.join(home, '.memctl') }
const NOW = BEGIN + 100 * DAY

const contextOn = (files?: Files, now = NOW): ToolContext =>
  createToolContext({ store: openStore(project, env, files), role: 'owner', env, now: () => now })

/** Synchronous, so that it runs between two calls of the disk. Returns whether it acknowledged something. */
type Work = (context: ToolContext) => boolean

/** Runs an operation on entries that are read first, as tools do. */
const operate =
  (work: (writer: EntryWriter) => unknown): Work =>
  (context) => {
    try {
      const writer = context.entryWriter('project')
      syncEntries(writer)
      work(writer)
      return true
    } catch (error) {
      // A failure with a hint acknowledges nothing: no such entry now, changed meanwhile.
      if (error instanceof MemoryError) return false
      throw error
    }
  }

const save = (key: string, content: string): Work =>
  operate((writer) => saveEntry(writer, { layer: 'project' }, { key, content }))
const restore = operate((writer) => restoreEntry(writer, { layer: 'project' }, 'kept'))
const cleanUp: Work = (context) => {
  maintainEntries(context.store, env, NOW)
  return false
}

const text = (body: string): string => `---\nkey: kept\n---\n\n${body}\n`
const file = path.join(memory, 'kept.md')

/** What the second process does. If it returns true, `Said meanwhile` must be in a file. */
const OTHERS: Readonly<Record<string, Work>> = {
  'a save': save('kept', 'Said meanwhile'),
  'a save of another key': save('new', 'Said meanwhile'),
  'an editor that renames': () => {
    fs.mkdirSync(memory, { recursive: true })
    fs.writeFileSync(`${file}.swp`, text('Said meanwhile'))
    fs.renameSync(`${file}.swp`, file)
    return true
  },
  'an editor that writes in place': () => {
    const isThere = fs.existsSync(file)
    if (isThere) fs.writeFileSync(file, text('Said meanwhile'))
    return isThere
  },
  'a clean-up': cleanUp,
  'a restoration': (context) => restore(context) && false,
}

const WORK: Readonly<Record<string, Work>> = {
  'a clean-up': cleanUp,
  'a save': save('kept', 'Said at last'),
  'a restoration': restore,
}

/** A disk that runs `other` before its call number `at`: for a file of entries, or for any file below `folder`. */
function interleaved(at: number, other: () => void, folder = '/memory'): { files: Files; isOver: () => boolean } {
  let calls = 0
  const files = Object.fromEntries(
    Object.entries(realDisk).map(([name, act]: [string, (...args: unknown[]) => unknown]) => [
      name,
      (...args: unknown[]) => {
        if (String(args[0]).includes(folder) && ++calls === at) other()
        return act(...args)
      },
    ]),
  )
  return { files: files as unknown as Files, isOver: () => calls < at }
}

/** An entry that nobody has read for 100 days: active, archived, or in the folder of another program. */
function prepare(place: string): void {
  fs.rmSync(home, { recursive: true, force: true })
  fs.mkdirSync(path.join(project, place), { recursive: true })
  if (place === '') save('kept', 'Said first')(contextOn(undefined, BEGIN))
  else fs.writeFileSync(path.join(project, place, 'kept.md'), text('Said first'))
}

const texts = (): string =>
  fs
    .readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && /(?:^|\/)memory\//.test(name))
    .map((name) => fs.readFileSync(path.join(home, name), 'utf8'))
    .join('\n')

const PLACES: Readonly<Record<string, string>> = {
  'a restoration': '.memctl/memory/archive',
  'an import': '.multi-agent-mcp/memory',
}

const pairs = Object.keys(WORK).flatMap((work) => Object.keys(OTHERS).map((other) => [work, other] as const))

test.each(pairs)('entries: while %s runs, %s loses nothing and is not lost', (name, otherName) => {
  const [work, other] = [WORK[name], OTHERS[otherName]]
  for (let at = 1, isOver = false; work && other && !isOver; at++) {
    prepare(PLACES[name] ?? '')
    let isAcknowledged = false
    const disk = interleaved(at, () => {
      isAcknowledged = other(contextOn())
    })
    work(contextOn(disk.files))
    isOver = disk.isOver()
    const found = texts()
    // A save by the first process may replace what the second one wrote under the same key.
    if (isAcknowledged && !(name === 'a save' && otherName !== 'a save of another key'))
      expect(found, `call ${at}`).toContain('Said meanwhile')
    expect(found, `call ${at}`).toMatch(otherName === 'a save of another key' ? /Said (?:first|at last)/ : /Said/)
    const left = fs.existsSync(memory) ? fs.readdirSync(memory) : []
    expect(left.filter((left) => !/^(?:archive|[^.].*\.md)$/.test(left))).toEqual([])
  }
})

const remove = operate((writer) => deleteEntry(writer, { layer: 'project' }, 'kept'))

/** The entries that a new process lists, and whether each is known as one of the person's own tools. */
function listed(): Record<string, boolean> {
  const writer = contextOn().entryWriter('project')
  syncEntries(writer)
  const sources = listEntries(writer.liveStore, { layer: 'project' }).map(({ entrySource }) => entrySource)
  return Object.fromEntries(sources.map((source) => [source?.key ?? '', source?.own === true]))
}

const both = ['trusted', 'undecided'].flatMap((trust) =>
  (['a save', 'a deletion'] as const).map((work) => [trust, work]),
)

test.each(both)(
  'entries: in a clone that is %s, %s and saves of another process are both known to the log',
  (...of) => {
    const [trust, work] = of
    for (let at = 1, isOver = false; !isOver; at++) {
      prepare('.memctl/memory')
      fs.rmSync(file)
      fs.writeFileSync(path.join(memory, 'brought.md'), 'Brought by git')
      if (trust === 'trusted') changeTrust(contextOn().store, trust, BEGIN)
      save('kept', 'Said first')(contextOn())
      const disk = interleaved(
        at,
        () => save('new', 'Said')(contextOn()) && save('kept', 'Said meanwhile')(contextOn()),
        home,
      )
      ;(work === 'a save' ? save('late', 'Said at last') : remove)(contextOn(disk.files))
      isOver = disk.isOver()
      const { brought: _, ...own } = listed()
      const names = fs.readdirSync(memory).filter((name) => name.endsWith('.md') && name !== 'brought.md')
      expect(own, `call ${at}`).toEqual(Object.fromEntries(names.map((name) => [name.slice(0, -'.md'.length), true])))
      if (!isOver) expect(own, `call ${at}`).toMatchObject({ new: true, ...(work === 'a save' && { late: true }) })
    }
  },
)
