// What a summary calls not done.
import { expect, test } from 'vitest'
import { findPutOff, missingStep, readOpenLine } from '../../src/text/taskSentences.ts'

test.each([
  ['Fixed the tax; not yet pushed', 'push'],
  ['ランプを配線した。未コミット', 'commit'],
  ['Commit of the tax was asked for', 'commit'],
  ['Force-push to the branch awaits an answer', 'push'],
  ['changed after the last commit: tax.ts', 'commit'],
  ['Not released', 'releas'],
  ['Push notifications of orders', undefined],
  ['Commit hook fails', undefined],
  ['Second entry after the commit', undefined],
])('text: the step that a text waits for: %s', (text, step) => {
  expect(missingStep(text)).toBe(step)
})

test.each([
  ['Fixed the tax; lint passes, not tested or merged yet', ['not tested or merged yet']],
  ['Rounded half up. Undone the old way, still to be pushed', ['still to be pushed']],
  ['Committed "Not finished"; all pass', []],
])('text: the clauses of a first line that say what is not done: %s', (content, clauses) => {
  expect(readOpenLine({ content, metadata: {} }).clauses.map((clause) => clause.trim())).toEqual(clauses)
  expect(readOpenLine({ content, metadata: { done: [content] } }).clauses, 'done since').toEqual([])
})

test.each([
  ['今日はここまでにします。部分キャンセルの在庫戻しがまだなので、続きは明日やりましょう', 1],
  ['残りのバリデーションは明日やる', 1],
  ['「冬の京都」の記事は途中まで。金閣寺の節は明日書く', 2],
  ['続きは明日お願いします。', 1],
  ["Good. Let's do the rest tomorrow.", 1],
  ['I will add the validation of the form later', 1],
  ['Please finish the docs later', 1],
  ['The rest of the form tomorrow.', 1],
  ['直したのはカートだけ。検索のテストがまだです', 1],
  ['明日のデモは何時からだっけ', 0],
  ['Explain why items that come later in the list win', 0],
  ['Does the cron run tomorrow or today', 0],
  ['Sooner or later the cache is full.', 0],
  ['Thanks, see you tomorrow', 0],
  ["We'll see tomorrow", 0],
  ['The rest of the rows are loaded later in the list', 0],
  ['今度こそ直った', 0],
  ['エラーがまだ出ます', 0],
  ['テストはまだ通らないので直して', 0],
  ['期限は明日になるはず', 0],
  ['明日やるタスクを一覧に出して', 0],
  ['来週する会議の資料', 0],
  ['明日の日付が途中までしか表示されない', 0],
  ['What is left for tomorrow?', 0],
  ['次回からは必ずテストを先に書いて', 0],
  ['今日はここまでにします', 0],
  ['まだ途中だけど、確認してください', 0],
])('text: %s leaves %i things for later', (prompt, count) => {
  expect(findPutOff(prompt)).toHaveLength(count)
})
