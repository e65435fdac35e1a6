// What a summary calls not done.
import { expect, test } from 'vitest'
import { missingStep, readOpenLine } from '../../src/text/taskSentences.ts'

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
