import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PromptSignal } from '../../../src/model/event.ts'
import { detectUserSignals } from '../../../src/text/intent/userSignals.ts'

const kinds = (prompt: string): readonly string[] => detectUserSignals(prompt).map((signal) => signal.kind)

/** One sentence a line, each of that kind. */
const SIGNALS: Readonly<Record<PromptSignal['kind'], string>> = {
  remember: `
    remember that we deploy on Fridays
    Please remember: the staging DB is read-only.
    Keep in mind that the API is rate limited
    don't forget that CI uses Node 20
    ポート番号は 4321 だと覚えておいて
    本番は金曜にデプロイすることを覚えておいてください
    この設定は忘れないでください`,
  preference: `
    please always use pnpm, never npm
    from now on answer in Japanese
    Never commit to main directly
    I prefer small commits over big ones
    I’d prefer tabs over spaces
    Use single quotes from now on
    when you write tests, always use table tests
    make sure you never push without asking
    stop adding comments everywhere
    we always squash merge
    We should be using the strong types instead of string wherever we can
    don't ever force push
    常に日本語で答えて
    今後は pnpm を使ってください
    必ずテストを書いてからコミットしてください
    毎回 lint を実行すること。
    main には絶対に直接 push しないで
    これからは日本語でお願いします`,
  decision: `
    we decided to use Postgres
    We have decided against Redis because of the licence.
    OK, let's go with SQLite for the cache
    decision: keep the old format
    we're going with server components
    データベースは Postgres に決めた
    認証は OAuth を使うことに決定しました。
    キャッシュは SQLite を使うことにしました`,
  correction: `
    No, that's wrong, use X instead
    that is wrong, I can also see trailers in main
    No. Use the existing helper instead.
    I said the integration tests, not the unit tests
    you shouldn't have deleted that file
    not there, in the other file
    no revert those changes, it was correct
    違います、pnpm にして
    いや、そのファイルではなく src/b.ts を直して
    そうじゃなくて、設定の方です
    違います。設定ファイルを直して`,
  thanks: `
    thanks, perfect
    Thank you!
    its perfect
    works now
    Perfect, thanks for the quick fix
    LGTM
    ありがとう、助かりました
    完璧です！
    うまくいきました`,
  complaint: `
    it still doesn't work
    still failing
    The build is still broken
    you broke the login page
    same error again
    まだ直っていません
    また同じエラーで失敗します`,
}

/** One a line, each looks like a signal and is none. */
const NO_SIGNALS = `
  should we always use pnpm?
  can you always run tests?
  what did we decide to use
  Do you remember that bug?
  I remember that it failed before
  add a "remember me" checkbox
  never mind, go on
  this function always returns null
  always fails with ENOENT
  The flag is never set
  it never gets called
  Write a function that always rounds up
  “always use tabs” is what the guide says
  if we decided to use Postgres, how would it look
  we chose badly in the simulation when the score dropped
  yes, let's go with A
  let's go with #4 and #5 please
  let's look at the logs
  I'd prefer that
  add tests for all functions
  I want you to fix all tests
  no problem, continue
  no need to change that
  No such file or directory
  No prompt context is shown to the user
  perfect forwarding in C++ is broken here, fix it
  thanks to the cache it is fast to load, but the tests fail
  looks good but rename foo
  great work on the parser is still to be done
  it is still open in the background
  check that it still fails without the fix
  when the user logs in, always show the banner
  decision: "block"
  stop the server
  いつも失敗します
  常に null を返しています
  今後はどうしますか
  今後の予定を教えて
  常に日本語で答えるべきですか？
  必ず呼ばれる関数を探して
  常に最新のデータを表示する画面を作って
  コミットしないで進めて
  値が違います。
  違いを教えて
  間違い探しゲームを作って
  覚えていますか？
  もし Postgres に決めたら教えて
  「常に日本語で答えて」と書いてある
  ありがとう画面のレイアウトを変えて
  まだ実装していない関数を列挙して`

const linesOf = (block: string): readonly string[] =>
  block
    .trim()
    .split('\n')
    .map((line) => line.trim())

describe('intent', () => {
  for (const [kind, block] of Object.entries(SIGNALS))
    test(`text: a ${kind} is heard in English and Japanese`, () => {
      for (const line of linesOf(block)) expect([line, kinds(line)]).toEqual([line, [kind]])
    })

  test('text: questions, statements, tasks and quotations that only look like a signal are none', () => {
    for (const line of linesOf(NO_SIGNALS)) expect([line, kinds(line)]).toEqual([line, []])
  })

  test('text: a signal has the sentence of the user, without the task around it', () => {
    expect(detectUserSignals('Fix the login test in src/a.ts. Also, please always use pnpm. Then push.')).toEqual([
      { kind: 'preference', text: 'Also, please always use pnpm.' },
    ])
    expect(detectUserSignals('No. Use the existing helper.')).toEqual([
      { kind: 'correction', text: 'No. Use the existing helper.' },
    ])
    expect(detectUserSignals('ログインを直して。今後は pnpm を使ってください。')).toEqual([
      { kind: 'preference', text: '今後は pnpm を使ってください。' },
    ])
  })

  test('text: code, quotes, logs, diffs and tags are not words of the user', () => {
    for (const pasted of [
      '```\nalways use pnpm\n```',
      '> please always use pnpm',
      '+ // never do this\n+always do that',
      'ERROR: always use a lock',
      '<doc>always use pnpm</doc>',
      '| never | always use |',
      '# always use pnpm',
    ])
      expect([pasted, kinds(`look at this:\n${pasted}\nwhat does it mean`)]).toEqual([pasted, []])
  })

  test('text: prompts that the client generates give no signal', () => {
    for (const prompt of [
      '[Request interrupted by user]',
      'This session is being continued from a previous conversation. We decided to use Redis.',
      '<task-notification>\nalways use pnpm\n</task-notification>',
      'Implement the following plan:\n\nalways use pnpm',
    ])
      expect([prompt, kinds(prompt)]).toEqual([prompt, []])
  })

  test('text: a reaction counts at the beginning or the end, not in the middle of a list', () => {
    const list = [
      'print these lines',
      '- one thing here',
      '- No, use the other one',
      '- Yes please do it',
      '- and the last thing',
    ]
    expect(kinds(list.join('\n'))).toEqual([])
    expect(kinds('No, use the other one\nthen push\nthen stop there\nand print it')).toEqual(['correction'])
  })

  test('text: the middle of a long pasted text is not read', () => {
    const filler = Array.from({ length: 60 }, (_, i) => `line number ${i} of the report.`)
    expect(kinds([...filler, 'always use pnpm.', ...filler].join('\n'))).toEqual([])
    expect(kinds([...filler, 'always use pnpm.'].join('\n'))).toEqual(['preference'])
  })

  test('text: a signal is a bounded part of the prompt, whatever the prompt', () => {
    const piece = fc.constantFrom(
      ...[
        ...Object.values(SIGNALS).flatMap(linesOf),
        ...linesOf(NO_SIGNALS),
        '\n',
        '```',
        '> ',
        '- ',
        'x'.repeat(500),
        '。',
      ],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 20 })), { maxLength: 12 }), (pieces) => {
        const prompt = pieces.join(' ')
        for (const { text } of detectUserSignals(prompt)) {
          expect(text.length).toBeLessThanOrEqual(400)
          expect(text).not.toContain('\n')
        }
        expect(detectUserSignals(`${prompt}?`).filter(({ text }) => text.endsWith('?'))).toEqual([])
      }),
    )
  })
})
