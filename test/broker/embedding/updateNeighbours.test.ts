// What the embedder knows of words reaches a hook's search through the expansions, without the embedder.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { importCorpus } from '../../../bench/eval/importCorpus.ts'
import { rankQuestion } from '../../../bench/eval/rankQuestion.ts'
import { writeWordModel } from '../../../bench/eval/wordModel.ts'
import { embedMissing, embedWithConfig } from '../../../src/broker/embedding/reembed.ts'
import { updateNeighbours } from '../../../src/broker/embedding/updateNeighbours.ts'
import { configFile } from '../../../src/broker/open/hookConfig.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { readNeighbours } from '../../../src/store/vectors/neighbourFile.ts'
import { parseGroups } from '../../../src/text/lexicon/parseLexicon.ts'
import { createTestProject } from '../../tempFolders.ts'
import { BEGIN, DAY } from '../../testData.ts'

const ROOT_FOLDER = path.resolve(import.meta.dirname, '..', '..', '..')
const NOW = BEGIN + 30 * DAY

const GROUPS = parseGroups(`
beach seaside | sand | 砂浜 浜辺
desk table | chair | 机 デスク
dog puppy | animal | 犬
river stream | water | 川
mountain hill | climb | 山
`)

const TEXTS = [
  '砂浜の写真は assets/coast に置く。',
  'Every desk has a number on the plan.',
  'The puppy icon stands for a guest.',
  '川の名前は地図の右上に出る。',
  'Charts of the north take the blue palette.',
  '会議は毎週火曜日の午後に行う。',
]

let project = ''
let home = ''
let env: Readonly<Record<string, string>> = {}
let seconds = 0
/** Time passes only as far as a test says. */
const clock = (): number => 1000 * seconds

async function createStore(): Promise<Store> {
  const test = createTestProject('meaning')
  project = test.project
  home = test.home
  env = { MEMCTL_HOME: home }
  const model = path.join(test.folder, 'words')
  writeWordModel(model, GROUPS)
  const store = openStore(project, env)
  const lines = TEXTS.map((text, i) => ({ id: String(i), conv: 'notes', session: `s${i}`, at: BEGIN, text }))
  importCorpus(store, lines, NOW)
  fs.writeFileSync(configFile(home), `embedder: { kind: transformers, folder: ${model} }\n`)
  await embedWithConfig(store, { kind: 'transformers', folder: model }, env)
  return store
}

function find(store: Store, text: string): string[] {
  const { memories } = loadProjection(store).projection
  return rankQuestion(store, { text, moment: 'prompt', now: NOW }).map(({ id }) => memories.get(id)?.content ?? '')
}

function askHook(prompt: string): string {
  const hook = path.join(ROOT_FOLDER, 'dist', 'hooks', 'user-prompt-submit.cjs')
  const payload = { session_id: 'asks', hook_event_name: 'UserPromptSubmit', cwd: project, prompt }
  return spawnSync(process.execPath, [hook], {
    ...{ cwd: project, input: `${JSON.stringify(payload)}\n`, encoding: 'utf8' },
    env: { PATH: process.env['PATH'] ?? '', MEMCTL_HOME: home, CLAUDE_PROJECT_DIR: project },
  }).stdout
}

describe('embed: neighbours', () => {
  test('embed: what a model knows of words finds memories in a hook, which loads no model', async () => {
    const store = await createStore()
    expect(find(store, 'seaside')).toEqual([])
    expect(await updateNeighbours(store, { env, clock })).toBe(true)
    expect(find(store, 'seaside pictures')[0]).toBe(TEXTS[0])
    expect(find(store, '浜辺')[0]).toBe(TEXTS[0])
    expect(find(store, 'デスクの番号')[0]).toBe(TEXTS[1])
    expect(find(store, '犬のアイコン')[0]).toBe(TEXTS[2])
    expect(find(store, 'name of the stream')[0]).toBe(TEXTS[3])
    fs.rmSync(path.join(home, '..', 'words'), { recursive: true })
    if (fs.existsSync(path.join(ROOT_FOLDER, 'dist', 'hooks', 'code'))) {
      expect(askHook('浜辺の写真の置き場')).toContain('assets/coast')
    }
  })

  test('embed: time that runs out leaves a part, and the next time does the rest', async () => {
    const store = await createStore()
    const hasEnded = await updateNeighbours(store, {
      env,
      clock: () => {
        seconds += 1
        return clock()
      },
    })
    expect(hasEnded).toBe(false)
    for (let tries = 0; tries < 20 && !(await updateNeighbours(store, { env, clock })); tries++);
    expect(find(store, '浜辺')[0]).toBe(TEXTS[0])
  })

  test('embed: an update with nothing new compares nothing again, and a new memory is related', async () => {
    const store = await createStore()
    await updateNeighbours(store, { env, clock })
    const before = readNeighbours(store.files, store.layout)
    await updateNeighbours(store, { env, clock })
    expect(readNeighbours(store.files, store.layout)).toEqual(before)
    importCorpus(store, [{ id: 'new', conv: 'notes', session: 'new', at: BEGIN, text: 'A hill has a grey line.' }], NOW)
    await embedMissing(store, env)
    await updateNeighbours(store, { env, clock })
    expect(find(store, 'mountain')[0]).toContain('hill')
  })

  test('embed: the file of the neighbours contains no words', async () => {
    const store = await createStore()
    await updateNeighbours(store, { env, clock })
    const names = store.files.list(store.layout.vectors)
    expect(names).toContain('neighbours.json')
    for (const name of names) {
      const bytes = store.files.read(`${store.layout.vectors}/${name}`)?.toString('utf8') ?? ''
      expect(bytes).not.toMatch(/seaside|砂浜|puppy/)
    }
  })
})
