// What a person says on purpose: nothing of an acknowledged text is lost or hidden, by itself or by another text.
import { expect, test } from 'vitest'
import {
  editMemory,
  markOutdated,
  recordImpact,
  rememberStatement,
  type StatementInput,
  supersedeMemory,
} from '../../../src/broker/commands/statements.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStoreAt } from '../../../src/broker/open/openStore.ts'
import { parseWhen } from '../../../src/knowledge/when.ts'
import type { EventBody } from '../../../src/model/event.ts'
import { deriveKnowledgeId, deriveMemoryId } from '../../../src/organize/derivedId.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, ROOT } from '../../testData.ts'

/** A person at a new store. */
function newPerson() {
  const liveStore = openLiveStore(openStoreAt(newFolder(), ROOT))
  let nonce = 0
  const commit = (body: Parameters<typeof liveStore.commit>[0]) =>
    liveStore.commit(body, { now: BEGIN, nonce: `${++nonce}` })
  const writer = { liveStore, session: undefined, now: () => BEGIN, commit }
  const standing = () => liveStore.memories().select(({ status }) => status === 'active')
  return {
    writer,
    remember: (text: string, input: Partial<StatementInput> = {}) =>
      rememberStatement(writer, { text, ...input }).memory,
    lines: () =>
      standing()
        .map(({ knowledge }) => knowledge?.line)
        .sort(),
  }
}

test('statements: all lines of a text are its line; another text that begins alike is another memory', () => {
  const { writer, remember, lines } = newPerson()
  const { id } = remember('Release rules:\n- never tag on a friday\n- run the zebra check first\n')
  remember('Release rules:\n- tag only on mondays')
  const other = 'Release rules: - tag only on mondays'
  expect(lines()).toEqual(['Release rules: - never tag on a friday - run the zebra check first', other])
  editMemory(writer, id, 'Release rules:\n- ask first')
  expect(lines()).toEqual(['Release rules: - ask first', other])
  for (const write of [remember, (text: string) => editMemory(writer, id, text)])
    expect(() => write(`${'Check the numbers.\n'.repeat(20)}Never ship.`)).toThrow(/has 391 characters of 240/)
  expect(lines()).toEqual(['Release rules: - ask first', other])
})

test.each([
  ['Sign commits with -S', 'Sign commits with -s', 'Sign commits with (-s)'],
  ['Ensure x=1', 'Ensure x!=1', 'Ensure x>1'],
  ['The ratio is 1,000', 'The ratio is 1.000', 'The ratio is 1 000'],
  ['Use tar -C', 'Use tar -c', 'Use tar --C'],
  ['Run npm', 'Run npm t', 'Run npm /t'],
])('statements: each of %j, %j and %j is a memory, also if it is said again', (...texts) => {
  const { remember, lines } = newPerson()
  const ids = texts.map((text) => remember(text).id)
  expect(new Set(ids).size).toBe(3)
  expect(texts.map((text) => remember(`${text}.`).id)).toEqual(ids)
  expect(lines()).toEqual(texts.toSorted())
})

test('statements: the ids of earlier versions stay', () => {
  const line = 'Pushing is not allowed'
  const { writer, remember } = newPerson()
  const { id } = remember('Pushing is allowed')
  expect(id).toBe(deriveMemoryId('knowledge', 'push allow'))
  expect(deriveKnowledgeId(line, (other) => writer.liveStore.memories().get(other))).toBe(
    deriveMemoryId('knowledge', 'pushing is not allowed'),
  )
})

test.each([
  ['most of its words', 'Never use zebra style in the koala page', {}],
  ['a trigger alone', 'Stay with the emu', { when: parseWhen(['Bash: zebra, not koala']) }],
])('statements: a rule replaces what it contradicts, also in a snapshot: by %s', (_, text, input) => {
  const { writer, remember, lines } = newPerson()
  const { store } = writer.liveStore
  remember('Use zebra style in the koala page', { when: parseWhen(['Bash: koala, not zebra']) })
  for (let i = 0; i < 5; i++) remember(`Rule ${i} is about page ${i} of the zebra`)
  runMaintenance(store, { now: BEGIN, sessions: [] })
  const other = { ...writer, liveStore: openLiveStore(store) }
  const commit = (body: EventBody) => other.liveStore.commit(body, { now: BEGIN + 1, nonce: 'other' })
  const { superseded } = rememberStatement({ ...other, commit }, { text, ...input })
  expect(superseded.map(({ content }) => content)).toEqual(['Use zebra style in the koala page'])
  expect(lines()).toHaveLength(6)
})

test('statements: what is outdated replaces nothing by its id, and stands again by its text', () => {
  const { writer, remember, lines } = newPerson()
  const [koala, emu] = [remember('Use koala style').id, remember('Use emu style').id]
  markOutdated(writer, emu)
  expect(() => supersedeMemory(writer, koala, { by: emu })).toThrow(/is outdated itself/)
  expect(lines()).toEqual(['Use koala style'])
  supersedeMemory(writer, koala, { text: 'Use emu style' })
  expect(() => supersedeMemory(writer, emu, { by: koala })).toThrow(/is outdated itself/)
  expect(lines()).toEqual(['Use emu style'])
})

test('statements: a rule for every project stays one, and says so where another scope is asked for', () => {
  const { writer, remember } = newPerson()
  const { id } = remember('Write short commit messages', { scope: 'person' })
  expect(remember('Write short commit messages.')).toMatchObject({ id, knowledge: { scope: 'person' } })
  const other = remember('Write commit messages')
  const { after } = supersedeMemory(writer, other.id, { text: 'Write short commit messages' })
  expect(after).toMatchObject({ id, knowledge: { scope: 'person' } })
  const input = { text: 'Write short commit messages', scope: 'project' } as const
  expect(rememberStatement(writer, input)).toMatchObject({
    memory: { knowledge: { scope: 'project' } },
    narrowed: true,
  })
  expect(rememberStatement(writer, input)).not.toHaveProperty('narrowed')
  remember('Use npm', { scope: 'person' })
  expect(rememberStatement(writer, { text: 'Use pnpm, not npm' })).toMatchObject({ narrowed: true })
})

test.each(['\u200b', ' \u2060\u3164\n', '\ufeff\u00ad', '\u202e\u2800', '<private>x</private>'])(
  'statements: %j has no text',
  (text) => {
    const { writer, remember, lines } = newPerson()
    const { id } = remember('Use npm')
    for (const write of [remember, (other: string) => editMemory(writer, id, other)])
      expect(() => write(text)).toThrow('There is no text')
    expect(lines()).toEqual(['Use npm'])
  },
)

test('statements: a secret in the name of a file or a perspective is not stored', () => {
  const { writer, remember } = newPerson()
  const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
  const memory = remember('Leave it', { file: `src/${secret}.ts` })
  expect(JSON.stringify([memory, writer.liveStore.memories().get(memory.id)])).not.toContain(secret)
  expect(remember('Leave it', { file: `src/${secret}.ts` }).id).toBe(memory.id)
  const impact = { prefix: memory.id, impact: 'task_success', perspective: secret, now: BEGIN } as const
  const { strengthByPerspective } = recordImpact(writer.liveStore.store, impact).after
  expect(Object.keys(strengthByPerspective)).toEqual([expect.stringMatching(/^\[redacted/)])
})
