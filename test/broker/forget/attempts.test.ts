// Attempts to make `memctl forget` leave a text behind: each plants it in one way and erases it in one way.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { maintainEntries } from '../../../src/broker/entries/entryMaintenance.ts'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import type { ErasureRequest } from '../../../src/broker/forget/erasurePlan.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import { openGlobalStore, openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { recordFault } from '../../../src/hook/recordFault.ts'
import { MemoryError } from '../../../src/model/memoryError.ts'
import { defaultReportFile } from '../../../src/store/disk/paths.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, loadMemories, runHookPayloads } from '../../testData.ts'
import { formsOf, searchFolder } from './searchHome.ts'

const TEXT = 'The plum tree at Kamakura hides "seven" lanterns 緑の提灯を七つ behind the old north gate'
const NOW = BEGIN + 90 * DAY

interface World {
  readonly home: string
  readonly root: string
  readonly store: Store
  readonly env: Readonly<Record<string, string>>
  /** Records a session, which ends unless it is `open`. */
  records(name: string, tell: (session: ExampleSession) => unknown, options?: { open?: boolean; store?: Store }): void
  project(name: string): Store
  call(tool: string, input: Record<string, unknown>): Promise<Record<string, unknown>>
}

function newWorld(): World {
  const folder = newFolder()
  const home = path.join(folder, '.memctl')
  const env = { HOME: folder, MEMCTL_HOME: home }
  const project = (name: string): Store => {
    fs.mkdirSync(path.join(folder, name), { recursive: true })
    return openStore(path.join(folder, name), env)
  }
  const store = project('shop')
  let sessions = 0
  return {
    ...{ home, root: path.join(folder, 'shop'), store, env, project },
    records(name, tell, { open = false, store: target = store } = {}) {
      const session = exampleSession(name, BEGIN + sessions++ * DAY).starts()
      tell(session)
      runHookPayloads(target, open ? session.recorded : session.ends().recorded)
      if (open) refreshRecent(target, session.now())
      else runMaintenance(target, { now: session.now() })
    },
    async call(tool, input) {
      const context = createToolContext({ store, role: 'owner', env, now: () => BEGIN + 80 * DAY })
      const called = await invokeTool(findTool(tool)!, input, context)
      if (called.kind !== 'answer') throw new Error(JSON.stringify(called))
      return called.output as Record<string, unknown>
    },
  }
}

type Plant = (world: World) => unknown

const logFile = ({ store }: World) => `${store.layout.events}/000001.jsonl`
const append = (file: string, bytes: string | Buffer) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.appendFileSync(file, bytes)
}
const asks =
  (text: string): Plant =>
  (world) =>
    world.records('first', (session) => session.asks(text).answers('Done.'))
const prints =
  (output: string): Plant =>
  (world) =>
    world.records('first', (session) => session.asks('Run it.').runs('make', output))
const form = (name: string): string => formsOf(TEXT).get(`all ${name}`)!.toString()
const FAILURE = `Exit code 1\nError: ${TEXT}`

/** Attempts by their name. Without a request the text is forgotten. */
const ATTEMPTS: Readonly<Record<string, Plant>> = {
  'a prompt': asks(`Remember: ${TEXT}.`),
  'an answer': (world) => world.records('first', (session) => session.asks('Where?').answers(TEXT)),
  'a command': (world) => world.records('first', (session) => session.asks('Go.').runs(`echo '${TEXT}'`, '')),
  'an output': prints(TEXT),
  'an error and its signature': (world) =>
    world.records('first', (session) => session.asks('Go.').fails('make', FAILURE).runs('make', 'ok')),
  'a signature that is cut': (world) =>
    world.records('first', (session) => session.asks('Go.').fails('make', `Error: ${'x y '.repeat(20)} ${TEXT}`)),
  'the query of a recall': (world) => {
    world.records('first', (session) => session.asks(`Remember: ${TEXT}. Never add comments.`).edits('src/a.ts'))
    world.records('second', (session) => session.asks(`${'Tell me more. '.repeat(18)} ${TEXT} and where src/a.ts is`))
  },
  'a prompt that is cut in the middle of it': asks(
    `${'a long text '.repeat(330)}${TEXT}${' and more of it'.repeat(300)}`,
  ),
  'an output that is cut in the middle of it': prints(
    `${'line of it\n'.repeat(68)}${TEXT}\n${'and more\n'.repeat(90)}`,
  ),
  'the beginning of a call': (world) =>
    world.records('first', (session) => session.asks('Go.').runs(`${'true && '.repeat(4)}echo ${TEXT}`), {
      open: true,
    }),
  'JSON in an output': prints(JSON.stringify({ a: TEXT })),
  'JSON in JSON in JSON': prints(JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: TEXT }) }) })),
  'Unicode escapes': prints(`{"a":"${form('Unicode escapes')}"}`),
  'ASCII JSON': prints(`{"a":"${form('ASCII JSON')}"}`),
  'percent codes': prints(`GET /?q=${form('percent codes')}&n=1`),
  'percent codes twice': prints(`GET /?q=${form('percent codes twice')}&n=1`),
  'HTML entities': prints(`<p>${TEXT.replaceAll('"', '&quot;').replace('緑', '&#x7dd1;')}</p>`),
  base64: prints(`the text is ${Buffer.from(TEXT).toString('base64')} in base64`),
  'base64 behind one byte': prints(`the image is data:${Buffer.from(`x${TEXT}`).toString('base64')}`),
  'base64 behind two bytes': prints(`the image is data:${Buffer.from(`xy${TEXT}yz`).toString('base64')}`),
  'base64 of UTF-16': prints(`powershell -e ${Buffer.from(TEXT, 'utf16le').toString('base64')}`),
  'hexadecimal digits': prints(`0x${Buffer.from(TEXT).toString('hex')}`),
  'lines that were wrapped': prints(TEXT.replaceAll(' ', '\n    ')),
  'another case and Markdown': prints(`**${TEXT.toUpperCase().replace('TREE', '_TREE_')}**`),
  'colours of a terminal': prints(TEXT.split(' ').join(' \u001b[1;32m')),
  'a shortened copy in an answer': (world) =>
    world.records('first', (session) => session.asks(TEXT).answers(`You said "${TEXT.slice(0, 40)}…", so I looked.`)),
  'the half of it in a file list': prints(`${TEXT.slice(0, 46)}\n${TEXT.slice(46)}`),
  'a summary of a compaction': (world) =>
    world.records('first', (session) =>
      session.asks('Go.').tells('PostCompact', { trigger: 'auto', compact_summary: TEXT }),
    ),
  'a field that this version does not know': (world) =>
    world.records('first', (session) => session.asks('Go.').tells('Later', { note: { [TEXT]: [TEXT] } })),
  "a subagent's report in the result of a tool": (world) =>
    world.records('first', (session) =>
      session
        .asks('Look around.')
        .sends('Explore', 'a1', (agent) => agent.runs('ls', 'a'), `${TEXT}\nLessons: ${TEXT}`)
        .calls('Agent', { prompt: 'Look', subagent_type: 'Explore' }, { content: [{ type: 'text', text: TEXT }] }),
    ),
  'a corrupt line': (world) => {
    asks(TEXT)(world)
    const text = fs.readFileSync(logFile(world), 'utf8')
    fs.writeFileSync(logFile(world), text.replaceAll('"role":"main"', '"role":"mine"').replace('"at":"2', '"at":"3'))
    append(logFile(world), `{"id":"0123456789abcdef","at":"2026","text":${JSON.stringify(TEXT)},"crc":"00000000"}\n`)
  },
  'a truncated line': (world) => {
    asks('Nothing.')(world)
    append(
      logFile(world),
      `{"id":"0123456789abcdef","at":"2026-03-02T09:00:00.000Z","text":${JSON.stringify(TEXT).slice(0, 60)}\n`,
    )
  },
  'a last line without its end': (world) => {
    asks('Nothing.')(world)
    append(
      logFile(world),
      `{"id":"0123456789abcdef","at":"2026-03-02T09:00:00.000Z","text":${JSON.stringify(TEXT).slice(0, 60)}`,
    )
  },
  'truncated bytes before an event': (world) => {
    asks('Nothing.')(world)
    const lines = fs.readFileSync(logFile(world), 'utf8').split('\n')
    lines[2] = `{"id":"0123456789abcdef","at":"2026-03-02T09:00:00.000Z","text":${TEXT.slice(0, 40)}${lines[2]}`
    fs.writeFileSync(logFile(world), lines.join('\n'))
  },
  'a damaged part that a repair has set aside': (world) => {
    asks('Nothing.')(world)
    append(`${world.store.layout.events}/damaged-2026-03-01.txt`, `# 000001.jsonl\n{"text":${JSON.stringify(TEXT)}\n`)
  },
  'a damaged compressed file that a repair has set aside': (world) => {
    asks('Nothing.')(world)
    const bytes = zlib.gzipSync(`{"text":${JSON.stringify(TEXT)}}\n${'x'.repeat(5000)}`)
    append(`${world.store.layout.events}/damaged-2026-03-01-000001.jsonl.gz`, bytes.subarray(0, -9))
  },
  'a compressed file of the log': (world) => {
    asks(TEXT)(world)
    fs.writeFileSync(`${logFile(world)}.gz`, zlib.gzipSync(fs.readFileSync(logFile(world))))
    fs.rmSync(logFile(world))
  },
  'a file of the log and its compressed copy': (world) => {
    asks(TEXT)(world)
    fs.writeFileSync(`${logFile(world)}.gz`, zlib.gzipSync(fs.readFileSync(logFile(world))))
  },
  'an entry for all projects, its log and its archive': async (world) => {
    await world.call('save_to_global_memory', { key: 'gate', content: `${TEXT}\n\nAnd more.` })
    await world.call('get_memory_entry', { key: 'gate' })
    maintainEntries(world.store, world.env, BEGIN + 81 * DAY)
    append(`${world.home}/global/memory/archive/old.md`, `---\nkey: old\ntags: [a]\n---\n\nOld: ${TEXT}\n`)
  },
  'an entry whose name says it': async (world) => {
    const key = 'the-plum-tree-at-kamakura-hides-seven-lanterns'
    await world.call('save_to_global_memory', { key, content: TEXT })
  },
  'an entry of this project': async (world) => {
    await world.call('save_to_memory', { key: 'gate', content: TEXT })
    maintainEntries(world.store, world.env, BEGIN + 81 * DAY)
    return { text: TEXT, entries: true }
  },
  'a fault of a hook': (world) => {
    asks('Nothing.')(world)
    recordFault(world.store, 'a test', new MemoryError('INPUT_INVALID', `bad: ${TEXT}`, { hint: 'None.' }))
  },
  'a file of a killed process': (world) => {
    asks('Nothing.')(world)
    append(`${world.store.layout.folder}/hot.json.999999.0.aside`, JSON.stringify({ text: TEXT }))
    append(`${world.store.layout.segments}/1.txt.999999.0.aside`, JSON.stringify({ text: TEXT }))
  },
  'another project': (world) => {
    asks('Nothing.')(world)
    world.records('second', (session) => session.asks(`Always remember: ${TEXT}.`), { store: world.project('blog') })
  },
  'what a person said in a project that is gone': (world) => {
    const other = world.project('blog')
    world.records('second', (session) => session.asks(`From now on, in all my projects, never say "${TEXT}".`), {
      store: other,
    })
    fs.rmSync(other.layout.folder, { recursive: true })
    asks('Nothing.')(world)
    const projects = { gone: [{ id: 'x', kind: 'preference', content: TEXT }] }
    fs.writeFileSync(`${world.home}/person.json`, JSON.stringify({ projects, superseded: [] }))
  },
  'a session that is open': (world) =>
    world.records('first', (session) => session.asks(`Remember: ${TEXT}.`).fails('make', FAILURE), { open: true }),
  'the call of a tool that stores it': async (world) => {
    await world.call('memory_store', { content: TEXT, metadata: { note: TEXT }, tags: ['gate'] })
    world.records('first', (session) =>
      session
        .asks('Keep it.')
        .calls('mcp__memctl__memory_store', { content: TEXT }, [
          { type: 'text', text: JSON.stringify({ content: TEXT }) },
        ]),
    )
  },
  'by id: what a person said': (world) => {
    const said = 'Never tell that the plum tree at Kamakura hides seven lanterns behind the old north gate.'
    world.records('first', (session) => session.asks(said).runs(`echo '${said}'`, said).answers(`Noted: ${said}`))
    return { memories: [Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'preference')!.id] }
  },
  'by id: a lesson that was met 25 times': (world) => {
    for (let n = 0; n < 25; n++)
      world.records(`s${n}`, (session) =>
        session.asks('Test it.').fails('npm test', FAILURE).runs('make lanterns').runs('npm test', 'ok'),
      )
    return { memories: [Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'lesson')!.id] }
  },
  'by id: a lesson of 30 failures in one session': (world) => {
    world.records('first', (session) => {
      session.asks('Test it.')
      for (let n = 0; n < 30; n++) session.fails('npm test', FAILURE).edits(`a${n}.ts`)
      session.runs('make lanterns').runs('npm test', 'ok')
    })
    return { memories: [Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'lesson')!.id] }
  },
  'by id: a task of 50 calls': (world) => {
    world.records('first', (session) => {
      session.asks(`Look for this: ${TEXT}`)
      for (let n = 0; n < 50; n++) session.runs(`ls src/${n}`, 'a')
      session.edits('src/a.ts').answers(`Found it. ${TEXT}`)
    })
    return { memories: [Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'experience')!.id] }
  },
  "by id: a subagent's report": (world) => {
    ATTEMPTS["a subagent's report in the result of a tool"]!(world)
    return { memories: [Object.values(loadMemories(world.store)).find(({ tags }) => tags.includes('subagent'))!.id] }
  },
  'by id: the summary of a session': (world) => {
    world.records('first', (session) => session.asks(TEXT).edits('src/a.ts').answers(`${TEXT}. It is done.`))
    return { memories: [Object.values(loadMemories(world.store)).find(({ kind }) => kind === 'summary')!.id] }
  },
  'by id: a memory of a tool, changed and deleted': async (world) => {
    const { id } = await world.call('memory_store', { content: TEXT })
    await world.call('memory_update', { id, content: `${TEXT} at noon`, metadata: { note: `${TEXT} at dusk` } })
    await world.call('memory_set_score', { id, score: 0.9, reason: `since ${TEXT}` })
    world.records('first', (session) =>
      session
        .asks('Keep it.')
        .calls('mcp__memctl__memory_store', { content: TEXT, metadata: { note: 'x' } }, JSON.stringify({ id })),
    )
    await world.call('memory_delete', { id })
    return { memories: [String(id)] }
  },
  'by session: everything that it recorded': (world) => {
    ATTEMPTS["a subagent's report in the result of a tool"]!(world)
    world.records('second', (session) => session.asks('Something else.').runs('ls', 'a'))
    return { session: 'first' }
  },
  'by session: a corrupt line of it': (world) => {
    ATTEMPTS['an error and its signature']!(world)
    append(
      logFile(world),
      `{"id":"0123456789abcdef","at":"2026","session":"first","text":${JSON.stringify(TEXT)},"crc":"00000000"}\n`,
    )
    return { session: 'first' }
  },
}

test.each(Object.entries(ATTEMPTS))('forget: nothing is left of %s', async (_, plant) => {
  const world = newWorld()
  const request = ((await plant(world)) as ErasureRequest | undefined) ?? { text: TEXT }
  const folder = path.dirname(world.home)
  expect(searchFolder(folder, TEXT)).not.toEqual([])
  const preview = eraseEverywhere(world.store, request, { now: NOW, dryRun: true })
  const changes = preview.files.length + preview.otherFiles.length + preview.entries.length
  expect(changes).toBeGreaterThan(0)
  const { left, removed, redacted } = eraseEverywhere(world.store, request, { now: NOW })
  expect({ removed, redacted }).toEqual({ removed: preview.removed, redacted: preview.redacted })
  expect(searchFolder(folder, TEXT)).toEqual([])
  expect(left).toEqual([])
  // A rebuild gives the same memories.
  const memories = loadMemories(world.store)
  rebuildStore(world.store, NOW)
  expect(loadMemories(world.store)).toEqual(memories)
  expect(searchFolder(folder, TEXT)).toEqual([])
})

test.each(['save_to_memory', 'save_to_global_memory'])('forget: an entry of %s goes with its key', async (tool) => {
  const world = newWorld()
  await world.call(tool, { key: 'quokka-plan', content: 'The plan is long and has steps' })
  await world.call(tool, { key: 'gate', content: 'The gate opens for a quokka at noon' })
  const request = { text: 'quokka', entries: true }
  const stores = tool === 'save_to_memory' ? [world.store] : [world.store, openGlobalStore(world.store)]
  const actions = eraseEverywhere(world.store, request, { now: NOW, dryRun: true }).memories.map(({ action }) => action)
  expect(new Set(actions)).toEqual(new Set(['redacted', 'removed']))
  eraseEverywhere(world.store, request, { now: NOW })
  for (const store of stores) {
    const memories = loadMemories(store)
    const texts = Object.values(memories).map(({ content }) => content)
    expect(texts).toEqual([expect.stringMatching(/^gate: The gate opens for a \*+ at noon/)])
    rebuildStore(store, NOW)
    expect(loadMemories(store)).toEqual(memories)
  }
})

test('forget: the report in the store is removed with what it may show in other words, and kept if nothing is', () => {
  const world = newWorld()
  world.records('one', (session) => session.asks(TEXT).answers('done'))
  const file = defaultReportFile(world.store)
  fs.writeFileSync(file, '<p>A plum tree</p>')
  eraseEverywhere(world.store, { text: 'a text that nobody wrote down' }, { now: NOW })
  expect(fs.existsSync(file)).toBe(true)
  const { otherFiles } = eraseEverywhere(world.store, { text: TEXT }, { now: NOW, dryRun: true })
  expect(otherFiles).toContainEqual({ file, action: 'removed' })
  expect(fs.existsSync(file)).toBe(true)
  eraseEverywhere(world.store, { text: TEXT }, { now: NOW })
  expect(fs.existsSync(file)).toBe(false)
})
