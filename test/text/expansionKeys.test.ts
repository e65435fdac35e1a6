// The keys by which a query looks up its expansions fit those under which the worker writes them.
import { expect, test } from 'vitest'
import { listSynonymGroups, termsOfWord } from '../../src/text/lexicon/lexicon.ts'
import { extractExpansionKeys, extractQueryTerms } from '../../src/text/terms/extractTerms.ts'

const keysOf = (text: string): string[] => extractExpansionKeys(text, extractQueryTerms(text).keys())
const finds = (text: string, word: string): boolean => termsOfWord(word).keys.some((key) => keysOf(text).includes(key))

test.each([
  ['Please remove the accounts', 'removing'],
  ['turned off the mail', 'turn off'],
  ['comment on open pull requests', 'pull request'],
  ['ログを消したい', '消す'],
  ['ログを消さないで', '消す'],
  ['処理を取り消したい', '取り消す'],
  ['設定ファイルの場所', '設定'],
  ['本番環境の接続先', '本番環境'],
  ['エラーメッセージを見る', 'エラー'],
  ['ﾃﾞﾌﾟﾛｲに失敗した', 'デプロイ'],
  ['処理が遅くなった', '遅い'],
])('expansion: `%s` looks up %s', (text, word) => {
  expect(finds(text, word)).toBe(true)
})

test.each([
  ['the and of', 'the'],
  ['解消した問題', '消す'],
  ['プロジェクトの一覧', 'プロ'],
])('expansion: `%s` does not look up %s', (text, word) => {
  expect(finds(text, word)).toBe(false)
})

test('expansion: a long prompt looks up at most twenty words', () => {
  const text = Array.from({ length: 200 }, (_, i) => `word${i}x 単語${i}番号`).join(' ')
  expect(keysOf(text).length).toBeLessThanOrEqual(20)
})

test('expansion: each group of the lexicon has English and Japanese words that the index can find', () => {
  for (const group of listSynonymGroups()) {
    const found = group.filter(({ word }) => termsOfWord(word).matches.length > 0).map(({ word }) => word)
    expect(found.some((word) => /^[\0-\x7f]+$/.test(word)) && found.some((word) => /[^\0-\x7f]/.test(word))).toBe(true)
  }
})
