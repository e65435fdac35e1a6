// The class of a prompt: only a task is worth a search.
import { describe, expect, test } from 'vitest'
import { classifyPrompt, type PromptClass } from '../../../src/text/intent/promptClass.ts'

const expectClass = (expected: PromptClass, prompts: readonly string[]): void => {
  expect(prompts.filter((prompt) => classifyPrompt(prompt) !== expected)).toEqual([])
}

describe('prompt class', () => {
  test('prompt class: a prompt without words is empty', () => {
    expectClass('empty', ['', '  \n', '…', '👍', '...', '!!'])
  })

  test('prompt class: what the client writes is no task, unless the person wrote more', () => {
    expectClass('generated', ['[Request interrupted by user]', ' [Request interrupted by user for tool use]\n'])
    expectClass('generated', [
      'This session is being continued from a previous conversation that ran out of context. The summary: …',
    ])
    expectClass('generated', ['<command-name>/clear</command-name>', '<bash-input>ls</bash-input>'])
    expectClass('task', ['[Request interrupted by user] Use the tax table of 2026 instead.'])
  })

  test('prompt class: agreement, a choice and "go on" are replies, in seven languages', () => {
    expectClass('reply', [
      ...['2', 'yes', 'Yes, please.', 'option b', 'the second one', '1 and 3', 'continue', 'go on', 'ok, works. great'],
      ...['yes, exactly, please implement this.', "let's give it a try", '1. yes 2. no', 'sorry, continue'],
      ...[
        'はい',
        '続けて',
        '続けてください',
        'はい、お願いします',
        '2番でお願いします',
        '案Bで',
        '次へ',
        'ok 続けて',
        'いいえ',
      ],
      ...['weiter', 'ja, bitte', 'die zweite Variante', 'mach weiter'],
      ...['oui, continue', 'vas-y', 'la deuxième option'],
      ...['sí, adelante', 'sigue', 'la segunda opción'],
      ...['继续', '好的，继续', '选第二个', '可以', '是的'],
    ])
  })

  test('prompt class: commit or push what is there is git work without a subject', () => {
    expectClass('git', [
      ...['commit', 'Commit this and push', 'can you commit all changes and push to the branch?', 'push it'],
      ...['push the branch and create a PR', 'please commit with a good message'],
      ...['コミットして', 'コミットしてプッシュしてください', 'プッシュして'],
      ...['Committe das und pushe es', 'haz commit y push', 'commite et pousse', '提交并推送', '提交代码'],
    ])
  })

  test('prompt class: a short prompt is a task only if it names a file or code', () => {
    expectClass('short', ['why red?', 'fix the bug', '直して', '修复它'])
    expectClass('task', ['fix src/cart.js', 'why `tax`?', 'use taxTable', '#12 fails', 'add --json'])
  })

  test('prompt class: a question about the work at hand has no subject of its own', () => {
    expectClass('short', [
      ...[
        'hmm, did you run the tests?',
        'can you double check this again please?',
        'create a PR description about this',
      ],
      ...['Kannst du das noch mal prüfen?', 'テストを実行しましたか？', 'もう一度確認してください'],
    ])
    expectClass('task', ['where do we round the tax?', 'ログイン画面の翻訳を直してください', '修复购物车里的税率计算'])
  })

  test('prompt class: a reply with a subject is a task', () => {
    expectClass('task', [
      ...['option 2, but with the tax module', 'Commit the fix for the tax rounding', 'yes, and rename the module too'],
      ...['fix the flaky test in the order module', 'push notifications arrive twice on Android'],
      ...['続けて、税の計算も直してください', 'npmではなくpnpmを使って', '税の計算を直してください'],
      ...['arregla el redondeo del impuesto', 'ja, aber die Rechnung rundet falsch', '价格计算错误，请修复这个问题'],
    ])
  })

  test('prompt class: a long text is read in no time, whatever it contains', () => {
    expect(classifyPrompt('はい'.repeat(20_000))).toBe('task')
    expect(classifyPrompt(`${'そうです'.repeat(24)}x`)).toBe('short')
    expect(classifyPrompt('yes '.repeat(50_000))).toBe('task')
  })
})
