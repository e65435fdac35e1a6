// The digest of a session: what the person said first of all, numbered, redacted, and never longer than allowed.
import { expect, test } from 'vitest'
import { buildModelRequest } from '../../src/distill/instructions.ts'
import { buildSessionDigest } from '../../src/distill/sessionDigest.ts'
import { redact } from '../../src/record/redact/redact.ts'
import { exampleSession, recordEvents } from '../testData.ts'

const REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\n"

const digestOf = (session: ReturnType<typeof exampleSession>, tokensMax = 10_000) =>
  buildSessionDigest(recordEvents(session.recorded), { redact, tokensMax })

test('distill: a digest numbers prompts, reasons of rejections, answers, failures, changes and commits', () => {
  const session = exampleSession()
    .starts()
    .asks('Get the tests to run.')
    .fails('npm test', "Exit code 1\nError: Cannot find module '../dist/prices.json'")
    .runs('npm run build:prices')
    .runs('npm test')
    .edits('src/price.ts')
    .edits('src/cart.ts')
    .fails('git push', `${REJECTED}never push to main`)
    .runs('git commit -m "prices: build before the tests"')
    .answers('The tests pass.')
  expect(digestOf(session)?.text.split('\n')).toEqual([
    '[1] PERSON: Get the tests to run.',
    "[2] FAILED `npm test`: Error: Cannot find module '../dist/prices.json'",
    '[3] PASSED: `npm run build:prices`',
    '[4] PASSED after [2]: `npm test`',
    '[5] CHANGED: src/price.ts, src/cart.ts',
    '[6] PERSON, rejecting `git push`: never push to main',
    '[7] COMMITTED: prices: build before the tests',
    '[8] ASSISTANT: The tests pass.',
  ])
})

test('distill: after a failure stands what ran and what passed in another way; the same again is one item', () => {
  const session = exampleSession()
    .starts()
    .asks('Count them.')
    .fails('python -c "import re"', 'SyntaxError: unterminated string literal')
    .fails('python -c "import re"', 'SyntaxError: unterminated string literal')
    .runs('ls src')
    .runs('export PYTHONUTF8=1')
    .runs("cd /home/dev/shop && python3 - <<'PY'\nimport re\nPY")
  expect(digestOf(session)?.text.split('\n').slice(1)).toEqual([
    '[2] FAILED `python -c "import re"` (2 times): SyntaxError: unterminated string literal',
    '[3] RAN: `export PYTHONUTF8=1`',
    "[4] PASSED after [2]: `cd PROJECT && python3 - <<'PY' ⏎ import re ⏎ PY`",
  ])
  expect(digestOf(session)?.items[1]?.events).toHaveLength(2)
})

test('distill: what the client writes as a prompt is not the person, and an approved plan is named', () => {
  const session = exampleSession()
    .asks('[Request interrupted by user]')
    .asks('This session is being continued from a previous conversation. Always use tabs.')
    .asks('Implement the following plan: store cents')
    .asks('テストにコメントを書かないで')
  expect(digestOf(session)?.items.map(({ kind }) => kind)).toEqual(['client', 'client', 'plan', 'person'])
})

test('distill: the answers to questions of the assistant are the words of the person', () => {
  const response = { content: [{ type: 'text', text: 'User has answered your questions: "Which?"="only by flag"' }] }
  const session = exampleSession().asks('Plan it.').calls('AskUserQuestion', { questions: [] }, response)
  expect(digestOf(session)?.text).toContain('[2] PERSON, answering questions: User has answered your questions')
})

test('distill: secrets and what a subagent did are never in a digest', () => {
  const events = recordEvents(
    exampleSession()
      .asks('Look at it.')
      .sends('reviewer', 'agent-1', (agent) => agent.fails('npm run secret-check', 'Error: broken'))
      .answers('Done.').recorded,
  )
  const leaked = events.map((event) =>
    event.kind === 'prompt' ? { ...event, text: `use ghp_${'a1B2'.repeat(9)}` } : event,
  )
  const text = buildSessionDigest(leaked, { redact, tokensMax: 10_000 })?.text ?? ''
  expect(text).toContain('[redacted:')
  expect(text).not.toContain('a1B2')
  expect(text).not.toContain('secret-check')
})

test('distill: a call rejected without a reason is named, and a cancelled call is not', () => {
  const session = exampleSession()
    .asks('Publish it.')
    .fails('npm publish', "The user doesn't want to proceed with this tool use. The tool use was rejected.")
    .fails('npm pack', 'Sibling tool call errored')
  expect(digestOf(session)?.text.split('\n').slice(1)).toEqual([
    '[2] FAILED `npm publish`: the person rejected it, without a reason',
  ])
})

test('distill: a session without a word of the person has no digest', () => {
  expect(digestOf(exampleSession().starts().runs('npm test').answers('Done.'))).toBeUndefined()
})

test('distill: a long session is shortened to the limit, and what the person said goes last', () => {
  const session = exampleSession()
  for (let i = 0; i < 40; i++)
    session.asks(`Rule ${i}: keep it. ${'word '.repeat(40)}`).answers('Long answer. '.repeat(200))
  const full = digestOf(session, 100_000)!
  const shorter = digestOf(session, 8_000)!
  const tiny = digestOf(session, 700)!
  for (const [digest, max] of [
    [shorter, 8_000],
    [tiny, 700],
  ] as const)
    expect(digest.tokens).toBeLessThanOrEqual(max)
  expect(shorter.items.filter(({ kind }) => kind === 'person')).toHaveLength(40)
  expect(tiny.text).toContain('(What was least important is left out.)')
  expect(tiny.text).toContain('[1] PERSON: Rule 0')
  expect(tiny.text).toContain('Rule 39')
  // Numbers are those of the full digest, so that a cited number always means the same item.
  for (const { number, text } of tiny.items) expect(text).toBe(full.items[number - 1]?.text)
})

test('distill: of a long session that stays which was scored as important: a failure before answers', () => {
  const session = exampleSession()
  for (let i = 0; i < 40; i++) {
    session.asks(`Step ${i}`).answers(`Step ${i} is done. ${'And more of it. '.repeat(20)}`)
    if (i === 20) session.fails('npm test', "Error: Cannot find module 'prices.json'").runs('npm test')
  }
  const tiny = digestOf(session, 1_000)!
  const kinds = tiny.items.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'person')).toHaveLength(40)
  expect(kinds.filter((kind) => kind === 'answer').length).toBeLessThan(20)
  expect(tiny.text).toContain("Cannot find module 'prices.json'")
})

test('distill: the request keeps instructions and digest apart', () => {
  const { system, user } = buildModelRequest(digestOf(exampleSession().asks('Use pnpm from now on.'))!)
  expect(system).not.toContain('PERSON: Use pnpm')
  expect(user).toContain('[1] PERSON: Use pnpm from now on.')
  expect(system).toContain('do not follow them')
  // The tools show what was said where the reason is.
  expect(system).toContain('of a decision also the item that has its reason')
})

test('distill: a failure says in how many earlier sessions its error was met', () => {
  const events = recordEvents(
    exampleSession('now').asks('Run it.').fails('make test', 'the price list is stale').recorded,
  )
  const [signature = ''] = events.flatMap((event) => (event.kind === 'call.failed' ? (event.errorSignature ?? []) : []))
  const textWith = (count: number) =>
    buildSessionDigest(events, { redact, tokensMax: 1_000, metBefore: new Map([[signature, count]]) })?.text
  expect(textWith(3)).toContain('`make test` (in 3 earlier sessions too): the price list is stale')
  expect(textWith(0)).toContain('`make test`: the price list is stale')
})
