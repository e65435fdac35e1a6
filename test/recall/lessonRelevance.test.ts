// When a lesson is shown without being asked for.
import { expect, test } from 'vitest'
import type { Lesson, LessonFix } from '../../src/model/lesson.ts'
import type { RecallQuery } from '../../src/model/recallQuery.ts'
import { doesLessonApply } from '../../src/recall/lessonRelevance.ts'
import { commandShape } from '../../src/text/command.ts'
import { errorSignature } from '../../src/text/errorSignature.ts'
import { BEGIN, buildMemory, buildQuery, iso } from '../testData.ts'

const RUN_BUILD: LessonFix = { kind: 'steps', steps: [{ kind: 'command', what: 'npm run build:prices' }] }
const NO_SERVER = 'Error: the price server refused the connection on startup'

function lessonMemory(fix: LessonFix | undefined, given: Partial<Lesson> & { readonly seen?: number } = {}) {
  const { seen = 1, ...fields } = given
  const lesson: Lesson = {
    command: 'npm test',
    error: NO_SERVER,
    ...(fix && { fix, candidates: [{ fix, sessions: seen, lastSession: 'one', last: iso(BEGIN) }] }),
    failedAttempts: [],
    calls: [],
    costMs: 0,
    falseAlarms: 0,
    ...fields,
  }
  return buildMemory(1, {
    lesson,
    commandShape: commandShape(lesson.command ?? ''),
    errorSignature: errorSignature('Bash', lesson.error),
    outcome: fix ? 'success' : 'failure',
  })
}

const failure = (error: string, command = 'npm test'): RecallQuery =>
  buildQuery('failure', {
    text: `${command}\n${error}`,
    commandShape: commandShape(command),
    errorSignature: errorSignature('Bash', error),
  })
const call = (command: string): RecallQuery =>
  buildQuery('call', { text: `${command}\nwhat it is for`, commandShape: commandShape(command) })

test('recall: a lesson without a fix does not apply, one about the same error does', () => {
  expect(doesLessonApply(lessonMemory(undefined), failure(NO_SERVER))).toBe(false)
  expect(doesLessonApply(lessonMemory(RUN_BUILD), failure(NO_SERVER))).toBe(true)
  expect(doesLessonApply(lessonMemory(RUN_BUILD), failure('Error: the tax table has no rows for this year'))).toBe(
    false,
  )
  expect(doesLessonApply(lessonMemory(undefined), buildQuery('ask', { text: 'price server' }))).toBe(true)
})

test('recall: an edit is history, for the same error about the same file only', () => {
  const edit: LessonFix = { kind: 'steps', steps: [{ kind: 'edit', what: 'src/cart.go' }] }
  const error = 'src/cart.go:7:2: error is not nil (line 3) but it returns nil (nilerr)'
  const memory = lessonMemory(edit, { error, command: 'make lint', seen: 5 })
  expect(doesLessonApply(memory, failure(error.replace('7:2', '90:2'), 'make lint'))).toBe(true)
  expect(doesLessonApply(memory, failure(error.replace('cart', 'tax'), 'make lint'))).toBe(false)
  expect(doesLessonApply(memory, call('make lint'))).toBe(false)
  expect(doesLessonApply(memory, buildQuery('start'))).toBe(false)
})

test('recall: before a call a lesson applies to the command that would fail, not to the one that works', () => {
  expect(doesLessonApply(lessonMemory(RUN_BUILD), call('npm test'))).toBe(true)
  expect(doesLessonApply(lessonMemory(RUN_BUILD), call('npm run build:prices && npm test'))).toBe(false)
  expect(doesLessonApply(lessonMemory(RUN_BUILD), call('npm run lint'))).toBe(false)
  const names: LessonFix = { kind: 'instead', steps: [{ kind: 'command', what: 'gh pr diff 7 --name-only' }] }
  const flag = lessonMemory(names, { command: 'gh pr diff 7 --stat', error: 'unknown flag: --stat' })
  expect(doesLessonApply(flag, call('gh pr diff 99 --stat'))).toBe(true)
  expect(doesLessonApply(flag, call('gh pr diff 99 --patch'))).toBe(false)
  expect(doesLessonApply(flag, call('gh pr view 99 --stat'))).toBe(false)
  const bare: LessonFix = { kind: 'instead', steps: [{ kind: 'command', what: 'bun run test' }] }
  const wrapper = lessonMemory(bare, { command: 'rtk bun run test', error: "error: unrecognized subcommand 'bun'" })
  expect(doesLessonApply(wrapper, call('rtk bun run lint'))).toBe(true)
  expect(doesLessonApply(wrapper, call('rtk git status'))).toBe(false)
})

test('recall: a general error is narrowed by command, and by the path or name in it', () => {
  const flag = lessonMemory(RUN_BUILD, { command: 'gh pr diff 7 --stat', error: 'unknown flag: --stat' })
  expect(doesLessonApply(flag, failure('unknown flag: --stat', 'gh pr diff 8 --stat'))).toBe(true)
  expect(doesLessonApply(flag, failure('unknown flag: --stat', 'docker ps --stat'))).toBe(false)
  const error = "Error: Cannot find module '../dist/prices.json'"
  const path = lessonMemory(RUN_BUILD, { error, subject: '../dist/prices.json' })
  expect(doesLessonApply(path, failure(error))).toBe(true)
  expect(doesLessonApply(path, failure("Error: Cannot find module '../dist/taxes.json'"))).toBe(false)
})

test('recall: of the findings of one step, a lesson is about one, in any file', () => {
  const lint = (finding: string) => `$ golangci-lint run\n${finding}`
  const format = 'src/cart.go:9:1: File is not properly formatted (gofmt)'
  const fix: LessonFix = { kind: 'steps', steps: [{ kind: 'command', what: 'make fmt' }] }
  const subject = 'File is not properly formatted (gofmt)'
  const memory = lessonMemory(fix, { command: 'make lint', error: lint(format), subject })
  // A hook's query has only the line that says what is wrong.
  const found = (finding: string) => ({ ...failure(lint(finding), 'make lint'), text: `make lint\n${finding}` })
  expect(doesLessonApply(memory, found(format.replace('cart.go:9:1', 'tax.go:33:2')))).toBe(true)
  expect(doesLessonApply(memory, found('src/cart.go:6:6: type basket is unused (unused)'))).toBe(false)
  const counted = lessonMemory(fix, { command: 'make lint', error: lint(format), subject: 'has # occurrences' })
  expect(doesLessonApply(counted, found('src/cart.go:6:6: string `x` has 3 occurrences'))).toBe(true)
})

test('recall: “run again” and guesses apply once they worked in two sessions; at a start every lesson', () => {
  const again: LessonFix = { kind: 'again', steps: [] }
  const guess: LessonFix = { ...RUN_BUILD, isGuess: true }
  for (const fix of [again, guess]) {
    expect(doesLessonApply(lessonMemory(fix), failure(NO_SERVER))).toBe(false)
    expect(doesLessonApply(lessonMemory(fix, { seen: 2 }), failure(NO_SERVER))).toBe(true)
  }
  expect(doesLessonApply(lessonMemory(again, { seen: 2 }), call('npm test'))).toBe(false)
  expect(doesLessonApply(lessonMemory(RUN_BUILD), buildQuery('start'))).toBe(false)
  expect(doesLessonApply(lessonMemory(RUN_BUILD, { seen: 2 }), buildQuery('start'))).toBe(true)
})
