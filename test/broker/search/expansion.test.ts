// A query finds a memory that says the same in other words, without a model, and never before one that says it itself.
import { describe, expect, test } from 'vitest'
import { importCorpus } from '../../../bench/eval/importCorpus.ts'
import { rankQuestion } from '../../../bench/eval/rankQuestion.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection, saveProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { recallMemories, searchByWords } from '../../../src/broker/search/recallMemories.ts'
import type { RecallMoment } from '../../../src/model/recallQuery.ts'
import { readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { BEGIN, createTestStore, DAY } from '../../testData.ts'

const NOW = BEGIN + 30 * DAY

const FILLERS = [
  'The report page shows the newest twenty rows of the table.',
  'Every colour of the chart is taken from the palette of the brand.',
  '画面の背景は白にする。',
  '会議は毎週火曜日の午後に行う。',
  'Names of helper classes end with the word Helper.',
  'The mobile build needs the newest compiler.',
]

function storeOf(...texts: readonly string[]): Store {
  const store = createTestStore()
  addTexts(store, [...FILLERS, ...texts])
  return store
}

function addTexts(store: Store, texts: readonly string[]): void {
  const lines = texts.map((text, i) => ({
    id: `${texts.length}-${i}`,
    conv: 'notes',
    session: `s${i}`,
    at: BEGIN,
    text,
  }))
  importCorpus(store, lines, NOW)
}

function find(store: Store, text: string, moment: RecallMoment = 'prompt'): string[] {
  const { memories } = loadProjection(store).projection
  return rankQuestion(store, { text, moment, now: NOW }).map(({ id }) => memories.get(id)?.content ?? '')
}

describe('expansion', () => {
  test.each([
    ['English words of the same meaning', 'How do I remove old accounts?', 'Delete stale users with the sweep script.'],
    ['English for Japanese', '設定の場所はどこですか', 'All settings live in app/options.toml.'],
    ['Japanese for English', 'how do we roll back a release', 'デプロイを元に戻すには前のタグを再配備する。'],
    ['an inflected Japanese verb', 'ログを消したい', 'Purge the journal with make sweep-journal.'],
    ['katakana inside a compound', 'エラーメッセージの文言', 'Every fault text is written in lang/faults.json.'],
    ['an English verb with a particle', 'turn off the nightly mail', 'Disable digests in the admin panel.'],
  ])('expansion: a prompt finds %s', (_, question, text) => {
    expect(find(storeOf(text), question).slice(0, 2)).toContain(text)
  })

  test.each([
    ['Remove the old accounts', 'Delete stale users with the sweep script.'],
    ['How do I remove old accounts?', 'Delete stale users with the sweep script.'],
  ])('expansion: a prompt shows a memory that says the same in other words: %s', (text, content) => {
    const { shown } = recallMemories(storeOf(content), { text, moment: 'prompt', now: NOW })
    expect(shown.map(({ memory }) => memory.content)).toEqual([content])
  })

  test.each([
    ['remove accounts', 'Delete stale users with the sweep script.'],
    ['pull requests', 'Describe what was tested in the PR.'],
    ['deploy', 'The deployment needs the token of the bot.'],
  ])('expansion: a search without any of its words finds words of the same meaning: %s', (text, content) => {
    const search = (...texts: string[]) =>
      searchByWords(storeOf(...texts), { text, limit: 5, now: NOW }).map(({ memory }) => memory.content)
    expect(search(content, 'The invoice is sent at night.')).toEqual([content])
    expect(search('The invoice is sent at night.')).toEqual([])
    // With the words themselves nothing else is mixed in.
    expect(search(content, `We ${text} on Mondays.`)).toEqual([`We ${text} on Mondays.`])
  })

  test('expansion: a prompt that shares one meaning of many words shows nothing', () => {
    const text = 'Remove the flickering of the chart when the window is resized twice in the second browser tab'
    const { shown } = recallMemories(storeOf('Delete stale users with the sweep script.'), {
      text,
      moment: 'prompt',
      now: NOW,
    })
    expect(shown).toEqual([])
  })

  test('expansion: a memory with the word itself comes before one with another word for it', () => {
    const exact = 'Remove the lock file before the second attempt.'
    const other = 'Delete the lock file before the second attempt.'
    for (const [texts, question, best] of [
      [[exact, other], 'remove it', exact],
      [[other, exact], 'remove it', exact],
      [[other, exact], 'delete it', other],
    ] as const) {
      expect(find(storeOf(...texts), question)[0]).toBe(best)
    }
  })

  test('expansion: a rare word of the same meaning does not outrank a common word of the query', () => {
    const exact = Array.from({ length: 8 }, (_, i) => `Delete part ${i} of the archive.`)
    const found = find(storeOf(...exact, 'Purge part 9 of the archive.'), 'delete what')
    expect(found.slice(0, 8).every((text) => text.startsWith('Delete'))).toBe(true)
    expect(found[8]).toContain('Purge')
  })

  test('expansion: stored sessions and a rebuild find the same', () => {
    const store = storeOf('Delete stale users with the sweep script.')
    addTexts(store, ['The invoice is sent at night.', 'A bill needs an address.'])
    const before = find(store, 'remove accounts')
    expect(before[0]).toContain('sweep')
    rebuildStore(store, NOW)
    expect(find(store, 'remove accounts')).toEqual(before)
  })

  test('expansion: a store without the file, or with a damaged one, is searched by words alone', () => {
    const text = 'Delete stale users with the sweep script.'
    const store = storeOf(text)
    const [entry] = readManifest(store.files, store.layout).segments
    const file = `${store.layout.segments}/${entry?.expansions}`
    store.files.replace(file, Buffer.from('damaged'))
    expect(find(store, 'stale rows')).toContain(text)
    store.files.remove(file)
    expect(find(store, 'stale rows')).toContain(text)
    expect(find(store, 'remove accounts')).not.toContain(text)
  })

  test('expansion: a store of an earlier version gets it with its next save', () => {
    const text = 'Delete stale users with the sweep script.'
    const store = storeOf(text)
    const manifest = readManifest(store.files, store.layout)
    const segments = manifest.segments.map(({ expansions: _, ...entry }) => entry)
    store.files.replace(store.layout.manifest, Buffer.from(JSON.stringify({ ...manifest, segments })))
    expect(find(store, 'remove accounts')).not.toContain(text)
    saveProjection(store, loadProjection(store), NOW)
    expect(find(store, 'remove accounts')).toContain(text)
    runMaintenance(store, { now: NOW })
  })
})
