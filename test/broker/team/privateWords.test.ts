// What a person says of themselves or of others stays on the machine, although a rule follows from it.
import { expect, test } from 'vitest'
import type { Memory } from '../../../src/model/memory.ts'
import { canShare } from '../../../src/team/shareMemory.ts'
import { BEGIN, DAY, exampleSession, HOUR } from '../../testData.ts'
import { hubText, live, memoriesOf, newTeam, statementOf, sync, useHub } from './teamWorld.ts'

const newHub = useHub()

/** Written by somebody else, for an attack on an earlier version: 9 of 10 were in the hub. */
const PRIVATE = [
  'Remember: I personally hate tabs in every project.',
  'I am colour blind, so never use red and green in charts.',
  '今後、私にはいつも日本語で答えてください。',
  '私は糖尿病なので、昼の予定は短くして。',
  'Always call me Kim-sama.',
  'I have ADHD, please always keep answers to three bullet points.',
  'My salary is 8 million yen, never put it into a test fixture again.',
  '俺は来月退職するから、今後は引き継ぎ資料を必ず書いて。',
  'I am interviewing at another company on fridays, so never schedule deploys on fridays.',
  'My boss Tanaka is an idiot, always double check his commits.',
]

test('team: of ten private sentences none is in the hub, however often they were said; a rule is', async () => {
  const hub = newHub()
  const [aki] = await newTeam(hub, 'Aki')
  for (const day of [1, 2, 3]) {
    const session = exampleSession(`s${day}`, BEGIN + day * DAY).starts()
    for (const text of [...PRIVATE, 'Never push to main without a review.']) session.asks(text).answers('ok')
    live(aki, session.ends())
    await sync(aki, hub, BEGIN + day * DAY + HOUR)
  }
  expect(memoriesOf(aki).filter(({ kind }) => kind === 'preference').length).toBeGreaterThan(5)
  const said = JSON.parse(await hubText(hub)).map(({ fields }: { fields: { content: string } }) => fields.content)
  expect(said).toContain('Never push to main without a review.')
  // What is left of a sentence without its private half.
  expect(said.filter((text: string) => text !== 'never put it into a test fixture again.')).toHaveLength(1)
})

test.each([
  ['Run `npm i` before the tests in my-app, and never use /home/my/x or I/O in hooks', true],
  ['Use sed -i on mysql.me.example, not the IDE', true],
  ['i hate tabs', false],
  ['ask me first', false],
  ["don't wake him", false],
  ['mein Chef kommt um 9', false],
  ['je travaille le soir', false],
  ['我喜欢空格', false],
])('team: %s', (text, isShared) => {
  const policy = { kinds: ['preference'] as const, agentOnly: false, personal: false }
  expect(canShare(statementOf(1, text), policy, false)).toBe(isShared)
  expect(canShare(statementOf(1, text), { ...policy, personal: true }, false)).toBe(true)
})

/** Each is one form of the same words. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase()),
  (text) => text.replace(/[!-~]/g, (char) => String.fromCodePoint(char.charCodeAt(0) + 0xfee0)),
  (text) => Array.from(text).join('\u200b'),
]

const PRONOUNS = [
  'my desk',
  'mine is red',
  'ask me',
  'his pay',
  'call him',
  'himself',
  'she is ill',
  'hers',
  'mein Chef',
]
const JAPANESE = ['わたくしの席', 'あたしの机', 'ボクの机', 'ﾜﾀｼの机', 'ﾎﾞｸの席', 'オレが直す', '彼女の席']

test.each([...PRONOUNS, ...JAPANESE])(
  'team: %s stays here in every case and width, wherever a memory says it',
  (text) => {
    const policy = { kinds: ['preference'] as const, agentOnly: false, personal: false }
    const rule = statementOf(1, 'Run the build twice')
    const { knowledge } = rule
    for (const form of FORMS.map((change) => change(text))) {
      const places: Partial<Memory>[] = [
        { content: form },
        { lessons: ['Lint first', form] },
        { learnings: { cost: form } },
        ...(knowledge
          ? [{ knowledge: { ...knowledge, line: form } }, { knowledge: { ...knowledge, reason: form } }]
          : []),
      ]
      for (const place of places)
        expect([place, canShare({ ...rule, ...place }, policy, false)]).toEqual([place, false])
    }
  },
)

test.each([
  'EU customers stay in eu-west-1',
  'Read MY_VAR and HIS.csv',
  'オレンジとボクサー',
  'I/O of the MYSQL',
  'Use npm i',
])('team: a name is no pronoun: %s', (text) => {
  const policy = { kinds: ['preference'] as const, agentOnly: false, personal: false }
  expect(canShare(statementOf(1, text), policy, false)).toBe(true)
})
