// The page of `memctl report` in Japanese: what memctl says is Japanese, and nothing of a store is changed.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWorld, RECORDINGS, type World } from './testContext.ts'

let worlds: World[]
let japanese: string
let english: string

beforeAll(async () => {
  worlds = [newWorld({ MEMCTL_LANG: 'ja' }), newWorld()]
  const [store, ...pages] = ['store', 'ja.html', 'en.html'].map((name) => path.join(worlds[0]?.folder ?? '', name))
  await worlds[0]?.replay(RECORDINGS, '--store', store ?? '')
  for (const [i, page] of pages.entries()) await worlds[i]?.memctl('report', '--store', store ?? '', '--out', page)
  ;[japanese = '', english = ''] = pages.map((page) => fs.readFileSync(page, 'utf8'))
})

afterAll(() => {
  for (const world of worlds) world.end()
})

const STORED = /<style>.*?<\/style>|<div class="text".*?<\/div>|<(bdi|code)\b.*?<\/\1>/gs

/** Names of programs, paths, roles and terms of the importance, which a Japanese page has too. */
const NAMES = new RegExp(
  String.raw`/\S+|memctl (?:shown --session ID)?|\b(?:Claude Code|Claude|UTC|KB|MB|Wilson|Explore|project|outcome|reuse|
  novelty|userSignal|costSaved|crossImpact|[a-z]+\.[a-z]+|[A-Z][a-z]+[A-Z]\w+)\b`.replaceAll(/\n\s*/g, ''),
  'g',
)

const findEnglish = (page: string): string[] =>
  page
    .replaceAll(STORED, '')
    .replaceAll(/<[^>]* aria-label="([^"]*)"[^>]*>/g, '<p>$1<p>')
    .split(/<[^>]*>/)
    .filter((text) => /[A-Za-z]{3}/.test(text.replaceAll(NAMES, '')))

describe('japanese: the report', () => {
  test('japanese: the page says everything in Japanese', () => {
    expect(findEnglish(english).length).toBeGreaterThan(100)
    expect(findEnglish(japanese)).toEqual([])
  })

  test('japanese: the page has the same elements and the same texts of the store', () => {
    const elements = (page: string): string[] =>
      (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/ (?:aria-label|lang)="[^"]*"/g, '')).sort()
    const stored = (page: string): string[] =>
      (page.match(STORED) ?? []).map((text) => text.replace('ja.html', '')).sort()
    expect(elements(japanese)).toEqual(elements(english))
    // What memctl writes around them in summaries and tasks is translated.
    const own =
      /(?:[Cc]ommitted|[Aa]sked|Worked on|Changed|[Oo]pen|At its end|Nothing was changed|tests|lint|not answered)\b/
    const [japaneseTexts, others] = [new Set(stored(japanese)), stored(english).filter((text) => !own.test(text))]
    expect(stored(japanese)).toHaveLength(stored(english).length)
    expect(others.length).toBeGreaterThan(50)
    expect(others.filter((text) => !japaneseTexts.has(text))).toEqual([])
    expect(
      stored(japanese).filter((text) => /(?:変更なし|依頼: |残り: |をコミット)/.test(text)).length,
    ).toBeGreaterThan(5)
  })
})
