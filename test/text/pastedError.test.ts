// A pasted error has the signature of the failure that printed it.
import { expect, test } from 'vitest'
import { errorSignature } from '../../src/text/errorSignature.ts'
import { pastedErrorSignature } from '../../src/text/promptText.ts'

test('pasted error: it has the signature that the failed command had', () => {
  for (const error of [
    "Error: Cannot find module '../dist/prices.json'",
    'TypeError: total is not a function\n    at sum (src/cart.js:3:4)',
    'fatal: not a git repository (or any of the parent directories): .git',
    '--- FAIL: TestTotal (0.00s)',
  ]) {
    const signature = errorSignature('Bash', `Exit code 1\n${error}`)
    expect(pastedErrorSignature(`I get this again, what is it?\n\n${error}`)).toBe(signature)
    expect(pastedErrorSignature(`まだ失敗します。\n${error}`)).toBe(signature)
  }
})

test('pasted error: a sentence about an error, and a list, are none', () => {
  for (const prompt of [
    'Show an error if the price is missing: red, below the field.',
    'The failing test should be fixed. Error handling comes later.',
    'エラー処理を追加してください。',
    '- add the tax\n- fail early\n- log errors',
    '',
  ]) {
    expect(pastedErrorSignature(prompt), prompt).toBeUndefined()
  }
})
