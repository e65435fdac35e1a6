// What a person says becomes memories: with type, scope and strength; the same again is one; a later one supersedes.
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Memory, MemoryMap } from '../../src/model/memory.ts'
import { organizeSession } from '../../src/organize/organizeSession.ts'
import {
  BEGIN,
  buildMemoryMap,
  DAY,
  type ExampleSession,
  exampleSession,
  recordEvents,
  sessionId,
} from '../testData.ts'

const organized = (example: ExampleSession, known: MemoryMap = new Map()): Memory[] =>
  organizeSession(
    { session: sessionId(example.session), events: recordEvents(example.recorded) },
    known,
    DEFAULT_POLICY,
  ).filter((memory) => memory.statement)

const said = (prompt: string, known?: MemoryMap, day = 0): Memory[] =>
  organized(
    exampleSession(`day-${day}`, BEGIN + day * DAY)
      .asks(prompt)
      .ends(),
    known,
  )

describe('statements', () => {
  test('statements: a rule becomes a memory that keeps the words and has a short form', () => {
    const [memory] = said('Yes, please run it. From now on always use pnpm instead of npm, please.')
    expect(memory).toMatchObject({
      kind: 'preference',
      content: 'From now on always use pnpm instead of npm, please.',
      trust: 'user',
      statement: { type: 'rule', strength: 3, origin: 'prompt', short: 'Always use pnpm instead of npm' },
    })
    expect(memory?.statement?.subject).toEqual(['pnpm'])
  })

  test('statements: the same subject again, in other words, is the same memory', () => {
    const [first] = said('Never push to main directly, please.')
    const [second] = said('never push directly to main', buildMemoryMap(first as Memory), 1)
    expect(second?.id).toBe(first?.id)
    expect(second?.sessionCount).toBe(2)
  })

  test('statements: a later statement on the same subject supersedes the earlier one', () => {
    const npm = said('From now on always use npm.')
    const later = said('From now on always use pnpm instead of npm.', buildMemoryMap(...npm), 1)
    const pnpm = later.find(({ content }) => content.includes('pnpm'))
    expect(later.find(({ id }) => id === npm[0]?.id)).toMatchObject({
      status: 'archived',
      statement: { supersededBy: pnpm?.id },
    })
    expect(pnpm?.statement?.supersededBy).toBeUndefined()
  })

  test('statements: a third one supersedes the second, which named what it replaced', () => {
    const second = said('From now on, use pnpm for all scripts, not npm.')
    const later = said('We changed again. From now on, use yarn for all scripts.', buildMemoryMap(...second), 1)
    const yarn = later.find(({ content }) => content.includes('yarn'))
    expect(later.find(({ id }) => id === second[0]?.id)?.statement?.supersededBy).toBe(yarn?.id)
    expect(yarn?.statement?.supersededBy).toBeUndefined()
  })

  test('statements: what is withdrawn is archived and not kept as a statement of its own', () => {
    const rule = said('今後は必ずコミットメッセージを日本語で書いてください。')
    expect(rule[0]?.statement?.strength).toBe(3)
    const later = said('コミットメッセージの件は忘れて', buildMemoryMap(...rule), 1)
    expect(later.find(({ id }) => id === rule[0]?.id)?.status).toBe('archived')
  })

  test('statements: the reason for a rejection is one, with what was rejected', () => {
    const example = exampleSession().asks('Publish the package, please.')
    example.fails('git push --force', REJECTED('no, never force push to a shared branch'))
    expect(organized(example.ends())[0]).toMatchObject({
      content: 'no, never force push to a shared branch (rejected: Bash git push --force)',
      statement: { origin: 'rejection' },
    })
  })

  test('statements: pasted text, questions and quotations are nobody’s statement', () => {
    expect(said('Should we always use cents?')).toEqual([])
    expect(
      said('I got this error:\n\nError: you must always set NODE_ENV before starting\n    at run (a.js:1:2)'),
    ).toEqual([])
    expect(said('This session is being continued from a previous conversation. Always use pnpm.')).toEqual([])
    expect(said('> never commit to main\n\nwhat does this mean?')).toEqual([])
  })
})

const REJECTED = (reason: string): string =>
  "The user doesn't want to proceed with this tool use. The tool use was rejected. " +
  `To tell you how to proceed, the user said:\n${reason}`
