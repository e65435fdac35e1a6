// The files on disk and the --json output of commands, which other programs and later versions read, are pinned.
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import { createProgram } from '../../src/cli/runCli.ts'
import { recordFault } from '../../src/hook/recordFault.ts'
import { listEventKinds } from '../../src/model/event.ts'
import { decodeIndex, decodeRow, hashesOfRow, nameHash, ROW_BYTES, textOfRow } from './binary.ts'
import { type Cycle, runCycle } from './cycle.ts'
import { filesUnder, generalPaths, jsonShapes, lineShapes } from './disk.ts'
import { expectPinned } from './pin.ts'
import { shapeOf, takeParts } from './shape.ts'

/** `import claude-mem` needs a Node with SQLite; it prints the report of `import markdown`. */
const PINNED_ELSEWHERE = ['import claude-mem']

let cycle: Cycle
let home: string
beforeAll(async () => {
  cycle = await runCycle()
  home = path.join(cycle.world.folder, 'home')
  recordFault(openStoreAt(cycle.store, cycle.world.folder), 'SessionStart', new Error('A fault'))
})
afterAll(() => cycle?.world.end())

describe('pins: output', () => {
  test('format: every command with --json has pinned output', () => {
    const expected = commandsWithJson(program())
    const pinned = [...cycle.answers.keys()].map((key) => key.replace(/ --.*/, ''))
    expect([...new Set([...pinned, ...PINNED_ELSEWHERE])].sort()).toEqual(expected.sort())
  })

  test('format: the JSON output of a command keeps its properties and their types', () => {
    const parts = new Map<string, unknown[]>()
    const shapes = [...cycle.answers].map(([command, values]) => {
      return [command, shapeOf(values.map((value) => takeParts(value, parts)))] as const
    })
    const partShapes = [...parts].map(([name, values]) => [`<${name}>`, shapeOf(values)] as const)
    expectPinned('answers', Object.fromEntries([...shapes, ...partShapes].sort(([a], [b]) => (a < b ? -1 : 1))))
  })

  test('format: a JSON error of a command or tool keeps its properties and their types', () => {
    const isOfTool = (failure: unknown) => typeof failure === 'object' && failure !== null && 'error_type' in failure
    expectPinned('failures', {
      command: shapeOf(cycle.failures.filter((failure) => !isOfTool(failure))),
      tool: shapeOf(cycle.failures.filter(isOfTool)),
    })
  })
})

describe('pins: disk', () => {
  test('format: a home keeps its list of files', () => {
    expectPinned('files', Object.fromEntries(generalPaths(home).map((file) => [file, 'file'])))
  })

  test('format: every JSON file keeps its properties and their types', () => {
    expectPinned('jsonFiles', jsonShapes(home))
  })

  test('format: log lines of every event kind keep their fields', () => {
    const kindOf = (line: Readonly<Record<string, unknown>>) => String(line['kind'] ?? '(first line of a file)')
    const shapes = lineShapes(home, /\/events\/.*\.jsonl$/, kindOf)
    const known = listEventKinds()
    expect(Object.keys(shapes)).toEqual(expect.arrayContaining(known))
    expectPinned('logLines', shapes)
  })

  test('format: segment lines and fault lines keep their fields', () => {
    expectPinned('lines', {
      ...lineShapes(home, /\/segments\/.*\.txt$/, () => 'segments/<n>.txt'),
      ...lineShapes(home, /\/faults\.jsonl$/, () => 'faults.jsonl'),
    })
  })
})

describe('pins: bytes', () => {
  const segments = () => filesUnder(cycle.store).filter((file) => file.startsWith('segments/'))
  const bytesOf = (file: string) => fs.readFileSync(path.join(cycle.store, file))

  test('format: a row keeps the byte positions of its fields, and has the offset of its line', async () => {
    const { memories } = await cycle.world.json<{ memories: readonly Readonly<Record<string, unknown>>[] }>(
      ...['list', '--limit', '1000'],
    )
    const byId = new Map(memories.map((memory) => [memory['id'], memory]))
    for (const file of segments().filter((name) => name.endsWith('.row'))) {
      const rows = bytesOf(file)
      const text = bytesOf(file.replace(/\.\d+\.row$/, '.txt'))
      expect(rows.length % ROW_BYTES).toBe(0)
      for (let row = 0; row < rows.length / ROW_BYTES; row++) {
        const fields = decodeRow(rows, row)
        const memory = byId.get(fields['id'])
        expect(Object.fromEntries(Object.keys(fields).map((name) => [name, fieldAt(memory, name)]))).toEqual(fields)
        const { at, bytes } = textOfRow(rows, row)
        expect(JSON.parse(text.toString('utf8', at, at + bytes))).toMatchObject({ id: fields['id'] })
        for (const [name, hash] of Object.entries(hashesOfRow(rows, row))) {
          const value = fieldAt(memory, name)
          const hashable = name === 'agentId' ? String(value).toLowerCase() : String(value)
          expect(hash, name).toBe(value === undefined ? 0 : nameHash(hashable))
        }
        byId.delete(fields['id'])
      }
    }
    expect([...byId.keys()]).toEqual([])
  })

  test('format: an index keeps the positions of its header, norms, table and postings', () => {
    const files = segments().filter((name) => name.endsWith('.idx'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const bytes = bytesOf(file)
      const index = decodeIndex(bytes)
      const documents =
        fs.readFileSync(path.join(cycle.store, file.replace('.idx', '.txt')), 'utf8').split('\n').length - 1
      expect(index).toMatchObject({ magic: 'mcdx', version: 1, documents, size: bytes.length })
      expect(index).toMatchObject({ headerChecksum: 'right', bodyChecksum: 'right', frequencies: index.postings })
      expect(index.lastDocument).toBe(documents - 1)
    }
  })

  test('format: a vector file has one 32-bit float per dimension of each memory', () => {
    const files = filesUnder(cycle.store).filter((name) => name.endsWith('.f32'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const about: { dimensions: number; ids: string[] } = JSON.parse(bytesOf(file.replace('.f32', '.json')).toString())
      expect(bytesOf(file).length).toBe(4 * about.dimensions * about.ids.length)
    }
  })
})

function program(): Command {
  const screen = { write: () => true }
  return createProgram({ out: screen, err: screen, env: {}, cwd: cycle.world.folder, stdin: () => '' })
}

/** The words of every command below this one that has --json. */
function commandsWithJson(command: Command, words: readonly string[] = []): string[] {
  const own = command.options.some((option) => option.long === '--json') ? [words.join(' ')] : []
  return [...own, ...command.commands.flatMap((child) => commandsWithJson(child, [...words, child.name()]))]
}

/** A field of a memory by its path: `help.shown`. */
const fieldAt = (value: unknown, field: string): unknown =>
  field.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
