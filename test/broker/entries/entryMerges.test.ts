// Two machines save the same entry with a tool, and git merges their commits: only their texts can conflict.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { checkEntries } from '../../../src/broker/checks/checkContents.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { readStoreStatus } from '../../../src/broker/queries/storeStatus.ts'
import { writeTrust } from '../../../src/store/project/contentTrust.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY } from '../../testData.ts'

const home = newFolder('merges')
afterAll(() => fs.rmSync(home, { recursive: true, force: true }))

interface Machine {
  readonly root: string
  readonly context: ToolContext
  save(content: string, more?: Record<string, unknown>): Promise<unknown>
  git(...words: string[]): string
}

/** Machines have clocks of their own: what they write at once differs by seconds, or by days. */
function machine(name: string, now: number): Machine {
  const root = path.join(home, name, 'shop')
  const env = { HOME: path.join(home, name), MEMCTL_HOME: path.join(home, name, '.memctl') }
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
      ...{ cwd: root, stdio: 'pipe', encoding: 'utf8' },
    })
  fs.mkdirSync(root, { recursive: true })
  const context = createToolContext({ store: openStore(root, env), role: 'owner', env, now: () => now })
  return {
    root,
    context,
    git,
    async save(content, more = {}) {
      const done = await invokeTool(findTool('save_to_memory')!, { key: 'plan', content, ...more }, context)
      expect(done.kind).toBe('answer')
      git('add', '-A')
      git('commit', '-qm', `saved by ${name}`, '--allow-empty')
      return done.kind === 'answer' && done.output
    },
  }
}

const LINES = ['First line', '', 'Second line', '', 'Third line', '', 'Fourth line']
const file = '.memctl/memory/plan.md'

let [one, two] = [] as unknown as [Machine, Machine]
beforeEach(async () => {
  fs.rmSync(home, { recursive: true, force: true })
  one = machine('one', BEGIN)
  one.git('init', '-q', '-b', 'main')
  await one.save(LINES.join('\n'), { tags: ['b', 'a'] })
  two = machine('two', BEGIN + 5 * DAY)
  two.git('clone', '-q', one.root, '.')
  writeTrust(two.context.store, 'trusted', BEGIN)
})

const merge = (): string => two.git('pull', '-q', '--no-rebase', '--no-edit', one.root, 'main')
const read = (): string => fs.readFileSync(path.join(two.root, file), 'utf8')

test('entries: the same text saved on two machines merges', async () => {
  const text = [...LINES, '', 'Fifth line'].join('\n')
  await one.save(text)
  await two.save(text)
  merge()
  expect(read()).toBe(
    `---\nkey: plan\ntags:\n  - b\n  - a\ncreated_at: ${new Date(BEGIN).toISOString().slice(0, 19)}\n---\n\n${text}\n`,
  )
})

test('entries: different additions on two machines merge, also to a file of another program', async () => {
  for (const front of ['', 'updated_at: 2026-01-02 # by hand\n', 'tags: [a, b]\nauthor: "x"\n']) {
    fs.writeFileSync(path.join(one.root, file), `---\nkey: plan\n${front}---\n\n${LINES.join('\n')}\n`)
    one.git('commit', '-qam', 'by hand')
    merge()
    await one.save(['Line of one', ...LINES].join('\n'))
    await two.save([...LINES, 'Line of two'].join('\n'))
    merge()
    expect(read()).toContain(`---\n\n${['Line of one', ...LINES, 'Line of two'].join('\n')}\n`)
    expect(read()).not.toContain('updated_at')
    one.git('pull', '-q', two.root, 'main')
  }
})

test('entries: an entry that a tool has saved says when, also without the time in its file', async () => {
  const saved = await two.save('Another text')
  expect(saved).toMatchObject({
    ...{ entry: { created_at: new Date(BEGIN).toISOString(), updated_at: new Date(BEGIN + 5 * DAY).toISOString() } },
  })
})

test('entries: texts that conflict are reported by file, and neither lost nor shown with markers', async () => {
  await one.save(['Beginning of one', ...LINES.slice(1)].join('\n'))
  await two.save(['Beginning of two', ...LINES.slice(1)].join('\n'))
  expect(merge).toThrow()
  expect(read()).toMatch(/^<<<<<<< /m)
  const listed = await invokeTool(findTool('list_memory_entries')!, {}, two.context)
  expect(listed).toMatchObject({
    output: {
      entries: [{ content: expect.stringMatching(/^Beginning of two\n\nSecond/) }],
      broken: [{ file: path.join(two.root, file), what: 'a merge was left unfinished' }],
    },
  })
  expect(checkEntries(two.context.store)).toMatchObject([{ where: path.join(two.root, file) }])
  expect(readStoreStatus(two.context.store).invalidEntries).toEqual([path.join(two.root, file)])
})

test('entries: a text with conflict markers is rejected before it is written, an indented example is not', async () => {
  const markers = '<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> main'
  const save = (content: string) => invokeTool(findTool('save_to_memory')!, { key: 'git', content }, two.context)
  expect(await save(markers)).toMatchObject({ kind: 'failure', failure: { error_type: 'ValidationError' } })
  expect(await save(markers.replace(/^/gm, '    '))).toMatchObject({ kind: 'answer' })
  expect(await save('a\n=======\nb')).toMatchObject({ kind: 'answer' })
})
