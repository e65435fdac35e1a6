// Every file of memctl's home, as a busy person has it: a text planted into each of them is erased, or reported.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { maintainEntries } from '../../../src/broker/entries/entryMaintenance.ts'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { recordFault } from '../../../src/hook/recordFault.ts'
import { compressColdFiles } from '../../../src/store/log/rewriteLog.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { day } from '../../crash/shop.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, DAY, exampleSession, loadMemories, runHookPayloads } from '../../testData.ts'
import { searchFolder } from './searchHome.ts'

const TEXT = 'The plum tree at Kamakura hides "seven" lanterns 緑の提灯を七つ behind the old north gate'
const NOW = BEGIN + 90 * DAY

/** What a person wrote or confirmed: memctl names these files and does not change them. */
const REPORTED = /config\.yaml$|members\//

/** A home with every kind of file that memctl writes. */
async function buildHome(): Promise<string> {
  const folder = newFolder()
  const env = { HOME: folder, MEMCTL_HOME: path.join(folder, '.memctl') }
  fs.mkdirSync(path.join(folder, 'shop'))
  fs.mkdirSync(path.join(folder, 'blog'))
  fs.mkdirSync(env.MEMCTL_HOME)
  fs.writeFileSync(path.join(env.MEMCTL_HOME, 'config.yaml'), 'policy: default\n')
  const store = openStore(path.join(folder, 'shop'), env)
  for (const session of [day(1), day(2)]) {
    runHookPayloads(store, session.recorded)
    runMaintenance(store, { now: session.now() + DAY, sessions: 'all' })
  }
  const { files, layout } = store
  fs.copyFileSync(`${layout.events}/000001.jsonl`, `${layout.events}/000002.jsonl`)
  fs.copyFileSync(`${layout.events}/000001.jsonl`, `${layout.events}/000003.jsonl`)
  compressColdFiles(files, layout.events, { file: 3, offset: 0, previous: 0 }, NOW)
  const other = openStore(path.join(folder, 'blog'), env)
  const said = exampleSession('s', BEGIN).starts().asks('From now on, in all my projects, keep your answers short.')
  runHookPayloads(other, said.ends().recorded)
  runMaintenance(other, { now: said.now() })
  const context = createToolContext({ store, role: 'owner', env, now: () => NOW - DAY })
  for (const [tool, input] of Object.entries({
    save_to_global_memory: { key: 'gate', content: 'The gate is open.' },
    save_to_memory: { key: 'door', content: 'The door is shut.' },
    memory_store: { content: 'A pier at dusk.' },
  }))
    await invokeTool(findTool(tool)!, input, context)
  maintainEntries(store, env, NOW - DAY)
  const archive = path.join(env.MEMCTL_HOME, 'global/memory/archive')
  fs.mkdirSync(archive, { recursive: true })
  fs.writeFileSync(path.join(archive, 'old.md'), '---\nkey: old\n---\n\nOld.\n')
  recordFault(store, 'a test', new Error('bad'))
  for (const [file, bytes] of Object.entries({
    'distill.json': '{"day":"2026-03-02"}',
    'config.json': '{}',
    'person.json.99999.0.aside': '{}',
    [`${path.relative(env.MEMCTL_HOME, layout.events)}/damaged-2026.txt`]: '# 000001.jsonl\n{"id":\n',
    [`${path.relative(env.MEMCTL_HOME, layout.folder)}/hot.json.99999.0.aside`]: '{}',
    [`${path.relative(env.MEMCTL_HOME, layout.folder)}/members/shop`]: '{"root":"/x"}\n',
    [`${path.relative(env.MEMCTL_HOME, layout.folder)}/log-set-aside/000001.jsonl`]: '{}\n',
    [`${path.relative(env.MEMCTL_HOME, layout.folder)}/refresh.lock`]: '{"pid":1}\n',
  })) {
    const target = path.join(env.MEMCTL_HOME, file)
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.writeFileSync(target, bytes)
  }
  const open = exampleSession('open', NOW - DAY)
    .starts()
    .asks('Go on.')
    .fails('make', 'Error: no rule').recorded
  runHookPayloads(store, open)
  runMaintenance(store, { now: NOW - DAY, sessions: [] })
  refreshRecent(store, NOW - DAY)
  return folder
}

const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .sort()

test('forget: a text in any file of the home is erased or reported, and the store still opens', async () => {
  const folder = await buildHome()
  const backup = newFolder()
  fs.cpSync(folder, backup, { recursive: true })
  const names = listFiles(path.join(folder, '.memctl'))
  expect(names.length).toBeGreaterThan(30)
  for (const name of names) {
    fs.rmSync(folder, { recursive: true })
    fs.cpSync(backup, folder, { recursive: true })
    const file = path.join(folder, '.memctl', name)
    const line = `\n${JSON.stringify({ note: TEXT })}\n`
    const bytes = fs.readFileSync(file)
    const isCompressed = name.endsWith('.gz')
    fs.writeFileSync(
      file,
      isCompressed ? zlib.gzipSync(zlib.gunzipSync(bytes) + line) : Buffer.concat([bytes, Buffer.from(line)]),
    )
    const store = openStore(path.join(folder, 'shop'), { HOME: folder, MEMCTL_HOME: path.join(folder, '.memctl') })
    const { left } = eraseEverywhere(store, { text: TEXT }, { now: NOW })
    const found = searchFolder(folder, TEXT).map((place) => place.replace(/: .*/, ''))
    expect(found, name).toEqual(left.map((place) => path.relative(folder, place)))
    expect(
      found.filter((place) => !REPORTED.test(place)),
      name,
    ).toEqual([])
    expect(Object.keys(loadMemories(store)).length, name).toBeGreaterThan(5)
  }
}, 240_000)
