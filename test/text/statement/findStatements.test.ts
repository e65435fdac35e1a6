// Which sentences are lasting statements, and what is read from them. The sentences were not used to fit the weights.
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../src/broker/policy/activePolicy.ts'
import { type FoundStatement, findStatements } from '../../../src/text/statement/findStatements.ts'
import type { SpokenAfter } from '../../../src/text/statement/statementFeatures.ts'
import { listSentences, SENTENCES, type TestLanguage } from './sentences.ts'

const find = (text: string, answer = '', after: SpokenAfter = 'answer'): FoundStatement[] =>
  findStatements(text, { after, answer }, DEFAULT_POLICY.statements).filter(({ strength }) => strength >= 2)

/** The least share of lasting sentences that must be found in each language. */
const FOUND_FROM: Readonly<Record<TestLanguage, number>> = {
  english: 0.8,
  japanese: 0.9,
  german: 0.6,
  french: 0.7,
  spanish: 0.7,
  chinese: 0.7,
}

describe('statements', () => {
  for (const [language, { lasting, passing }] of Object.entries(SENTENCES)) {
    test(`statements: most lasting sentences in ${language} are found, and no task, question or report`, () => {
      const sentences = listSentences(lasting)
      const found = sentences.filter((sentence) => find(sentence).length > 0)
      expect(found.length / sentences.length).toBeGreaterThanOrEqual(FOUND_FROM[language as TestLanguage])
      expect(listSentences(passing).filter((sentence) => find(sentence).length > 0)).toEqual([])
    })
  }

  test('statements: of a prompt only the clause is kept, not the task', () => {
    const [found] = find(
      'Can you fix the import? We must never read files outside the root, so check the path. Thanks!',
    )
    expect(found?.content).toContain('We must never read files outside the root')
    expect(found?.content).not.toContain('Thanks')
  })

  test('statements: two rules in a row are two statements', () => {
    const found = find('From now on always use npm here. コミットメッセージは必ず日本語で書いてください。')
    expect(found.map(({ content }) => content).sort()).toEqual([
      'From now on always use npm here.',
      'コミットメッセージは必ず日本語で書いてください。',
    ])
  })

  test('statements: the short form has no politeness and no speaker', () => {
    expect(find('please always run the formatter before you commit, thanks')[0]?.short).toBe(
      'Always run the formatter before you commit',
    )
    expect(find('いや、テストではネットワークに接続しないこと。')[0]?.short).toBe(
      'テストではネットワークに接続しないこと',
    )
  })

  test('statements: a reply to a numbered question has the question with it', () => {
    const answer = 'Before I start:\n1. Which package manager should I use?\n2. Where do the tests belong?\n'
    const [found] = find('1. always pnpm, never npm\n2. beside the source', answer, 'question')
    expect(found?.content).toContain('always pnpm, never npm')
    expect(found?.content).toContain('Which package manager should I use?')
  })

  test('statements: what a clause replaces is not its subject', () => {
    const [found] = find('From now on always use pnpm instead of npm.')
    expect(found).toMatchObject({ subject: ['pnpm'], retired: ['npm'], isBan: false })
    expect(find('npm ではなく必ず pnpm を使ってください。')[0]).toMatchObject({ subject: ['pnpm'], retired: ['npm'] })
  })

  test('statements: what a clause replaces does not make it a ban', () => {
    const isBan = (text: string) => find(text).map((found) => found.isBan)
    expect(isBan('Always use pnpm, not npm.')).toEqual([false])
    expect(isBan('以後、スクリプトは npm ではなく pnpm を使ってください。')).toEqual([false])
    expect(isBan('Never use console.log in tests.')).toEqual([true])
    expect(isBan('Tests must not use the network.')).toEqual([true])
  })

  test('statements: a short introduction with a colon does not hide a rule', () => {
    const short = (text: string) => find(text).map((found) => found.short)
    expect(short('Note: never push without asking.')).toEqual(['Never push without asking'])
    expect(short('Correction: from now on, use pnpm for all scripts.')).toEqual(['Use pnpm for all scripts'])
    expect(short('ちなみに：今後はスクリプトには必ず pnpm を使ってください。')).toEqual([
      '今後はスクリプトには必ず pnpm を使ってください',
    ])
    expect(short('WARN: never push without asking.')).toEqual([])
    expect(short('regarding: 9. Never push without asking - do we check this?')).toEqual([])
  })

  test('statements: how the assistant works is about the person, anything else about the project', () => {
    expect(find("don't commit unless I ask you to")[0]?.scope).toBe('person')
    expect(find('勝手にコミットしないでください')[0]?.scope).toBe('person')
    expect(find('tests must not depend on the network')[0]?.scope).toBe('project')
  })

  test('statements: code, quotes, logs, reviews and texts of the client are not what the person said', () => {
    const pasted = [
      '```\nalways use pnpm\n```\nwhat is this?',
      '> never commit to main\nis that still true?',
      'I got this review:\n**Critical**: you must always validate the input.\nThe handler should never return null.',
      'This session is being continued from a previous conversation.\nThe user said: always use pnpm.',
      '<command-message>Never use npm</command-message>',
      'ERROR: you must always set NODE_ENV\n    at run (index.js:3:1)',
    ]
    expect(pasted.filter((prompt) => find(prompt).length > 0)).toEqual([])
  })

  test('statements: a reason is kept apart', () => {
    expect(find('never mock the database in integration tests because mocks hide the queries')[0]?.reason).toBe(
      'mocks hide the queries',
    )
  })
})
