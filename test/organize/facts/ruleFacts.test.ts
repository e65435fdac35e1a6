// Linters of many languages: which rule the code broke, and the change that satisfied it.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../src/broker/policy/activePolicy.ts'
import { isCallResult } from '../../../src/model/event.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { splitTasks } from '../../../src/model/sessionTask.ts'
import type { FactSighting, SessionEvidence } from '../../../src/organize/facts/factSighting.ts'
import { detectRuleFacts } from '../../../src/organize/facts/ruleFacts.ts'
import { updateFacts } from '../../../src/organize/updateFacts.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, ROOT, recordEvents } from '../../testData.ts'

function evidenceOf(session: ExampleSession): SessionEvidence {
  const events = recordEvents(session.recorded)
  return { session: session.session, events, tasks: splitTasks(events), calls: events.filter(isCallResult) }
}

const detect = (session: ExampleSession): readonly FactSighting[] => detectRuleFacts(evidenceOf(session))

interface Fix {
  readonly lint: string
  readonly output: string
  readonly file: string
  readonly before: string
  readonly after: string
}

/** A session in which a linter failed, one edit followed, and the linter passed. */
function fixed({ lint, output, file, before, after }: Fix): readonly FactSighting[] {
  const edit = { file_path: `${ROOT}/${file}`, old_string: before, new_string: after }
  return detect(exampleSession().fails(lint, `Exit code 1\n${output}`).calls('Edit', edit).runs(lint, 'ok'))
}

test('facts: the call that the linter names was replaced by another, in Python (ruff)', () => {
  const [fact] = fixed({
    lint: 'ruff check src',
    output: [
      'src/orders.py:12:5: DTZ005 `datetime.datetime.utcnow()` used without a timezone',
      '    at = datetime.datetime.utcnow()',
      '         ^^^^^',
    ].join('\n'),
    file: 'src/orders.py',
    before: '    at = datetime.datetime.utcnow()',
    after: '    at = clock.now()',
  })
  expect(fact).toMatchObject({
    key: 'DTZ005',
    remedy: 'use `clock.now(` instead of `datetime.datetime.utcnow(`',
    triggers: [{ errors: ['DTZ005'] }, { code: ['datetime.datetime.utcnow('] }],
  })
  expect(fact?.claim).toContain('DTZ005 reports "')
})

test('facts: a comment with a reason allows an intended case, in TypeScript (eslint)', () => {
  const [fact, allowed] = fixed({
    lint: 'npx eslint src',
    output: '/home/dev/shop/src/till.ts\n  12:3  error  Unexpected console statement  no-console\n\n✖ 1 problem',
    file: 'src/till.ts',
    before: '  console.log(receipt)',
    after: '  // eslint-disable-next-line no-console -- the receipt is the output\n  console.log(receipt)',
  })
  expect(fact).toMatchObject({
    key: 'no-console',
    claim: 'no-console reports "Unexpected console statement"',
    remedy: undefined,
    triggers: [],
  })
  expect(allowed).toMatchObject({
    remedy: 'mark an intended case with a reason',
    claim: '`// eslint-disable-next-line no-console -- reason`',
    triggers: [{ errors: ['no-console'] }],
  })
})

test('facts: an attribute allows an intended case, in Rust (clippy)', () => {
  const [fact, allowed] = fixed({
    lint: 'cargo clippy -- -D warnings',
    output: [
      'error: this function has too many arguments (9/7)',
      '  --> src/order.rs:31:1',
      '   |',
      '31 | pub fn place(a: u8, b: u8, c: u8, d: u8) -> Order {',
      '   | ^^^^^^^^^^^^',
      '   = note: `-D clippy::too-many-arguments` implied by `-D warnings`',
      '',
      'error: could not compile `shop` (lib) due to 1 previous error',
    ].join('\n'),
    file: 'src/order.rs',
    before: 'pub fn place(a: u8, b: u8, c: u8, d: u8) -> Order {',
    after: '#[allow(clippy::too_many_arguments)]\npub fn place(a: u8, b: u8, c: u8, d: u8) -> Order {',
  })
  expect(fact?.key).toBe('clippy::too_many_arguments')
  expect(allowed?.claim).toBe('`#[allow(clippy::too_many_arguments)]`')
  expect(fact?.claim).toBe('clippy::too_many_arguments reports "this function has too many arguments"')
})

test('facts: what the linter proposes is the remedy if the edits show none, in Ruby (rubocop)', () => {
  const [fact] = detect(
    exampleSession().fails(
      'bundle exec rubocop',
      [
        'Exit code 1',
        'app/cart.rb:7:10: C: [Correctable] Style/NumericPredicate: Use total.zero? instead of total == 0.',
        '  return if total == 0',
        '            ^^^^^^^^^^',
      ].join('\n'),
    ),
  )
  expect(fact).toMatchObject({ key: 'Style/NumericPredicate', remedy: 'use `total.zero`? instead of total == 0' })
})

test('facts: a formatter that ran between two runs of the linter is the remedy', () => {
  const [fact] = detect(
    exampleSession()
      .fails('npx markdownlint-cli2 docs', 'Exit code 1\ndocs/guide.md:3 MD012/no-multiple-blanks Multiple blank lines')
      .runs('npm run docs:fix')
      .runs('npx markdownlint-cli2 docs', 'Summary: 0 error(s)'),
  )
  expect(fact).toMatchObject({ key: 'MD012/no-multiple-blanks', remedy: 'run `npm run docs:fix`' })
})

test('facts: findings of a command that passed count too, since a pipe hides the exit code (shellcheck)', () => {
  const [fact] = detect(
    exampleSession().runs(
      'shellcheck bin/deploy.sh | head -20',
      'In bin/deploy.sh line 4:\ncd $1\n   ^-- SC2086 (info): Double quote to prevent globbing and word splitting.',
    ),
  )
  expect(fact).toMatchObject({
    key: 'SC2086',
    failures: 1,
    remedy: 'double quote to prevent globbing and word splitting',
    claim: 'SC2086 requires it',
  })
})

test('facts: keywords that the linter names are the remedy (biome)', () => {
  const [fact] = fixed({
    lint: 'npx biome lint src',
    output: [
      'src/till.ts:2:1 lint/style/useConst  FIXABLE  ━━━━━━━━━━━━━━━━━━━━',
      '',
      '  × This let declares a variable that is only assigned once. Use const.',
      '  ',
      '  > 2 │ let total = sum(items)',
      '      │ ^^^',
    ].join('\n'),
    file: 'src/till.ts',
    before: 'let total = sum(items)',
    after: 'const total = sum(items)',
  })
  expect(fact).toMatchObject({ key: 'lint/style/useConst', remedy: 'use `const` instead of `let`' })
})

test('facts: code that the linter rejected twice, and that is rare elsewhere, is known before the linter runs', () => {
  const lines = ['total, _ := sum(cart)', 'rate, _ := readRate(country)']
  const fixes = lines.map((line) => `${line.replace('_', 'err')}\nif err != nil {\n\treturn err\n}`)
  const output = lines.map(
    (line, at) => `till/till.go:${at + 3}:2: Error return value is not checked (errcheck)\n\t${line}\n\t^`,
  )
  const session = exampleSession()
  for (const line of lines)
    session.calls('Edit', { file_path: `${ROOT}/till/till.go`, old_string: '', new_string: line })
  session.fails('golangci-lint run', output.join('\n'))
  for (const [at, line] of lines.entries()) {
    session.calls('Edit', { file_path: `${ROOT}/till/till.go`, old_string: line, new_string: fixes[at] })
  }
  const [fact] = detect(session.runs('golangci-lint run', '0 issues.'))
  expect(fact).toMatchObject({
    remedy: 'handle the error',
    triggers: [{ errors: ['(errcheck)'] }, { code: [', _ :='] }],
  })
})

test('facts: comments of one form are one fact, which names the rules of all sessions', () => {
  const known = new Map<MemoryId, Memory>()
  for (const [at, rule] of ['errcheck', 'gosec', 'dupl'].entries()) {
    const line = `save(cart${at})`
    const edit = { file_path: `${ROOT}/till/till.go`, old_string: line, new_string: `${line} //nolint:${rule} // demo` }
    const session = exampleSession(`session-${at}`, BEGIN + at * DAY)
      .fails('golangci-lint run', `till/till.go:${at + 3}:2: not good (${rule})\n${line}\n^`)
      .calls('Edit', edit)
      .runs('golangci-lint run', '0 issues.')
    for (const memory of updateFacts(evidenceOf(session), known, DEFAULT_POLICY.facts)) known.set(memory.id, memory)
  }
  const facts = [...known.values()].filter(({ fact }) => fact?.topic === 'rule' && fact.remedies.length > 0)
  expect(facts.map(({ content, sessionCount }) => [content, sessionCount])).toEqual([
    ['Mark an intended case with a reason: `//nolint:dupl // reason`, nolint:gosec, nolint:errcheck', 3],
  ])
  expect(facts[0]?.fact?.triggers).toEqual([{ errors: ['(dupl)', '(gosec)', '(errcheck)'] }])
})

test('facts: an edit before which the finding comes again did not satisfy the rule', () => {
  const output = 'src/a.py:3:1: S101 Use of assert detected\nassert total\n^^^^^^'
  const edit = { file_path: `${ROOT}/src/a.py`, old_string: 'assert total', new_string: 'assert total > 0' }
  const [fact] = detect(
    exampleSession()
      .fails('ruff check', `Exit code 1\n${output}`)
      .calls('Edit', { ...edit, new_string: '# noqa: S101\nassert total' })
      .fails('ruff check', `Exit code 1\n${output}`),
  )
  expect(fact?.failures).toBe(2)
  expect(fact?.remedy).toBeUndefined()
})

test('facts: an error of types or names, and unused code, is no rule', () => {
  const errors = [
    "src/a.ts(3,5): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
    'src/a.py:3: error: Argument 1 has incompatible type "str"  [arg-type]',
    'cmd/a.go:12:3: undefined: total (typecheck)',
    'src/b.py:1:1: F401 `os` imported but unused',
    '    cart_test.go:31: total = 3, want 4 (with a discount)',
  ]
  expect(detect(exampleSession().fails('npm run check', errors.join('\n')))).toEqual([])
})

test('facts: an error of an option that the project sets is a rule (tsc)', () => {
  const [fact] = detect(
    exampleSession().fails(
      'npx tsc --noEmit',
      "src/a.ts(3,5): error TS7006: Parameter 'cart' implicitly has an 'any' type.",
    ),
  )
  expect(fact).toMatchObject({ key: 'TS7006', claim: `TS7006 reports "Parameter … implicitly has an 'any' type"` })
})

test('facts: a listing that quotes findings is no run of a linter', () => {
  expect(detect(exampleSession().runs('cat notes.txt', 'src/a.py:3:1: S101 Use of assert detected'))).toEqual([])
})
