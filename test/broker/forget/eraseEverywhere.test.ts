// Erasure: erased content is in no file of the store, and everything else stays.
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { markOutdated } from '../../../src/broker/commands/statements.ts'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { Event } from '../../../src/model/event.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { eraseInLog } from '../../../src/store/log/rewriteLog.ts'
import { newFolder } from '../../tempFolders.ts'
import {
  BEGIN,
  buildMemory,
  createTestStore,
  DAY,
  exampleSession,
  loadMemories,
  recordEvents,
  runHookPayloads,
} from '../../testData.ts'
import { storedEvent } from '../../tools/events.ts'

const SECRET = 'the plum tree at Kamakura'
const NOW = BEGIN + 3 * DAY

/** A store with two sessions, one with the secret in a prompt, a command and an answer. */
function storeWithSecret(files?: Files): Store {
  const store = createTestStore(files)
  const first = exampleSession('first').starts().asks(`Always name ${SECRET} in commit messages.`)
  first.runs(`echo "${SECRET}"`, SECRET).fails('npm test', 'Exit code 1\nError: red').answers(`So ${SECRET} it is.`)
  runHookPayloads(store, first.ends().recorded)
  runMaintenance(store, { now: first.now() })
  const second = exampleSession('second', BEGIN + DAY)
    .starts()
    .asks('Never add comments to tests.')
    .runs('npm test', 'ok')
  runHookPayloads(store, second.ends().recorded)
  runMaintenance(store, { now: second.now() })
  return store
}

/** Every file of the store as text, decompressed. */
function allText({ layout }: Store): string {
  const names = fs.readdirSync(layout.folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => path.join(layout.folder, name))
    .filter((name) => fs.statSync(name).isFile())
    .map((name) => (name.endsWith('.gz') ? zlib.gunzipSync(fs.readFileSync(name)) : fs.readFileSync(name)).toString())
    .join('\n')
}

const eventsIn = ({ files, layout }: Store): readonly Event[] => readLog(files, layout.events).events

/** Compresses the first file of the log. */
function compress({ layout }: Store): void {
  const plain = `${layout.events}/000001.jsonl`
  fs.writeFileSync(`${plain}.gz`, zlib.gzipSync(fs.readFileSync(plain)))
  fs.rmSync(plain)
}

test.each(['plain', 'compressed'])(
  'forget: an erased text is in no file of the store, and every event is still there (%s)',
  (how) => {
    const store = storeWithSecret()
    if (how === 'compressed') compress(store)
    const before = eventsIn(store)
    expect(allText(store)).toContain(SECRET)
    const { removed, redacted } = eraseEverywhere(store, { text: SECRET }, { now: NOW })
    expect(removed).toBe(0)
    expect(redacted).toBeGreaterThan(3)
    expect(allText(store)).not.toContain(SECRET)
    const after = eventsIn(store)
    expect(after.map((event) => event.id)).toEqual(before.map((event) => event.id))
    const clean = (events: readonly Event[]) => events.filter((event) => !JSON.stringify(event).includes(SECRET))
    expect(after).toEqual(expect.arrayContaining(clean(before)))
    expect(Object.values(loadMemories(store)).some(({ kind }) => kind === 'preference')).toBe(true)
  },
)

test.each(['ended', 'open'])('forget: a rule that loses words keeps its state and scope (%s session)', (how) => {
  const store = createTestStore()
  const talk = exampleSession('first').starts().asks(`Always name ${SECRET} in commit messages.`)
  const plain = talk.asks('In all my projects I always want short answers about the plum tree.')
  runHookPayloads(store, (how === 'ended' ? plain.ends() : plain).recorded)
  if (how === 'ended') runMaintenance(store, { now: talk.now() })
  const liveStore = openLiveStore(store)
  const entries = () =>
    openLiveStore(store)
      .memories()
      .select(() => true)
      .filter(({ knowledge }) => knowledge)
  const outdated = entries().find(({ content }) => content.includes('Kamakura'))
  const deleted = entries().find(({ content }) => content.includes('short answers'))
  expect(deleted?.knowledge?.scope).toBe('person')
  const commit = (body: Parameters<typeof liveStore.commit>[0]) => liveStore.commit(body, { now: NOW, nonce: '1' })
  markOutdated({ liveStore, session: undefined, now: () => NOW, commit }, outdated?.id ?? '')
  eraseEverywhere(store, { text: 'plum tree' }, { now: NOW })
  expect(entries().map(({ status, knowledge }) => [status, knowledge?.state, knowledge?.scope])).toEqual([
    ['archived', 'superseded', 'project'],
    ['active', 'standing', 'person'],
  ])
})

test('forget: a session and its memories are erased, other sessions stay', () => {
  const store = storeWithSecret()
  eraseEverywhere(store, { session: 'fir' }, { now: NOW })
  expect(allText(store)).not.toContain(SECRET)
  expect(new Set(eventsIn(store).map((event) => event.session))).not.toContain('first')
  expect(Object.values(loadMemories(store)).map(({ session }) => session)).toContain('second')
})

test('forget: a memory is erased with its source events; another one stored by the same event stays', () => {
  const store = storeWithSecret()
  const lesson = Object.values(loadMemories(store)).find(({ kind }) => kind === 'preference')!
  eraseEverywhere(store, { memories: [lesson.id] }, { now: NOW })
  expect(loadMemories(store)[lesson.id]).toBeUndefined()
  for (const id of lesson.events) expect(eventsIn(store).map((event) => event.id)).not.toContain(id)

  const [memory, unwanted] = [
    buildMemory(71, { content: 'keep this one' }),
    buildMemory(72, { content: 'a stored whisper' }),
  ]
  const batch = { ...storedEvent(memory, 71), kind: 'memory.batch', stored: [memory, unwanted], changes: [] }
  appendEvents(store.files, store.layout.events, [batch as unknown as Event])
  runMaintenance(store, { now: NOW, sessions: [] })
  eraseEverywhere(store, { memories: [unwanted.id] }, { now: NOW })
  expect(allText(store)).not.toContain('a stored whisper')
  expect(loadMemories(store)[unwanted.id]).toBeUndefined()
  expect(loadMemories(store)[memory.id]?.content).toBe('keep this one')
})

test('forget: a memory that has no other words than the text is removed, also if it was reworded to them', () => {
  const store = createTestStore()
  const told = [buildMemory(71, { content: SECRET }), buildMemory(72, { content: 'a temple' })]
  const longer = buildMemory(73, { content: `Plant ${SECRET} again` })
  const { memory: _, ...base } = storedEvent(told[1]!, 74)
  const reworded: Event = { ...base, kind: 'memory.updated', change: { memory: told[1]!.id, content: SECRET } }
  appendEvents(store.files, store.layout.events, [storedEvent(told[0]!, 71), storedEvent(told[1]!, 72)])
  appendEvents(store.files, store.layout.events, [storedEvent(longer, 73), reworded])
  runMaintenance(store, { now: NOW, sessions: [] })
  const { memories } = eraseEverywhere(store, { text: SECRET }, { now: NOW, dryRun: true })
  expect(memories.map(({ action }) => action)).toEqual(['removed', 'removed', 'redacted'])
  const dies = (): never => {
    throw new Error('died')
  }
  const failing = { ...store, files: { ...realDisk, overwrite: dies } }
  expect(() => eraseEverywhere(failing, { text: SECRET }, { now: NOW })).toThrow('died')
  eraseEverywhere(store, { text: SECRET }, { now: NOW })
  expect(Object.values(loadMemories(store)).map(({ content }) => content)).toEqual(['Plant ******** again'])
})

test('forget: a deleted memory is still in the log, and can be erased', () => {
  const store = storeWithSecret()
  const deletedMemory = buildMemory(73, { content: 'deleted, not forgotten' })
  appendEvents(store.files, store.layout.events, [storedEvent(deletedMemory, 73)])
  const { memory: _, ...base } = storedEvent(deletedMemory, 74)
  const deletion: Event = { ...base, kind: 'memory.deleted', memories: [deletedMemory.id] }
  appendEvents(store.files, store.layout.events, [deletion])
  runMaintenance(store, { now: NOW, sessions: [] })
  expect(allText(store)).toContain(deletedMemory.content)
  eraseEverywhere(store, { memories: [deletedMemory.id] }, { now: NOW })
  expect(allText(store)).not.toContain(deletedMemory.content)
})

test('forget: a stored memory is erased, also from its tool call and the reason of its score', () => {
  const store = storeWithSecret()
  const [first, second] = ['a whisper of 緑の "zebra"', 'a whisper of 緑の "zebra" at noon']
  const call = exampleSession('third', BEGIN + 2 * DAY)
    .starts()
    .asks('Keep that.')
  call.calls('mcp__memctl__memory_store', { content: first }, { text: JSON.stringify({ content: first }) })
  runHookPayloads(store, call.ends().recorded)
  const storedMemory = buildMemory(75, { content: first })
  const { memory: _, ...base } = storedEvent(storedMemory, 76)
  const change: Event = { ...base, kind: 'memory.updated', change: { memory: storedMemory.id, content: second } }
  const id = 'e0e0e0e0e0e0e0e0' as Event['id']
  const scored: Event = {
    ...base,
    id,
    kind: 'memory.scored',
    memory: storedMemory.id,
    score: 0.9,
    previous: 0.5,
    reason: 'zebra!',
  }
  appendEvents(store.files, store.layout.events, [storedEvent(storedMemory, 75), change, scored])
  runMaintenance(store, { now: NOW, sessions: [] })
  const calls = eventsIn(store).filter((event) => event.kind === 'call.succeeded').length
  eraseEverywhere(store, { memories: [storedMemory.id] }, { now: NOW })
  expect(allText(store)).not.toContain('zebra')
  expect(eventsIn(store).filter((event) => event.kind === 'call.succeeded')).toHaveLength(calls)
})

test('forget: a dry run changes nothing, and counts what would be erased', () => {
  const store = storeWithSecret()
  const before = allText(store)
  const plan = eraseEverywhere(store, { text: SECRET }, { now: NOW, dryRun: true })
  expect(allText(store)).toBe(before)
  const { removed, redacted } = eraseEverywhere(store, { text: SECRET }, { now: NOW })
  expect(plan).toMatchObject({ removed, redacted })
})

test('forget: interrupted at any write, it completes the next time', () => {
  const { redacted } = eraseEverywhere(storeWithSecret(), { text: SECRET }, { now: NOW, dryRun: true })
  for (let failing = 0; failing < redacted; failing++) {
    let writes = 0
    const failingDisk: Files = {
      ...realDisk,
      overwrite(file, position, bytes) {
        if (writes++ === failing) {
          // A crash during a write leaves a part of it.
          realDisk.overwrite(file, position, bytes.subarray(0, bytes.length >> 1))
          throw new Error('died')
        }
        realDisk.overwrite(file, position, bytes)
      },
    }
    const store = storeWithSecret()
    expect(() => eraseEverywhere({ ...store, files: failingDisk }, { text: SECRET }, { now: NOW })).toThrow('died')
    eraseEverywhere(store, { text: SECRET }, { now: NOW })
    expect(allText(store)).not.toContain(SECRET)
  }
})

test('forget: events that hooks append during every write are kept, and their memories are derived', () => {
  const store = storeWithSecret()
  const before = eventsIn(store).length
  let appended = 0
  const busyDisk: Files = {
    ...realDisk,
    overwrite(file, position, bytes) {
      realDisk.overwrite(file, position, bytes)
      const note = exampleSession(`hook-${appended++}`, NOW - DAY).asks(`Never use the tab of browser ${appended}.`)
      appendEvents(store.files, store.layout.events, recordEvents(note.recorded))
    },
  }
  eraseEverywhere({ ...store, files: busyDisk }, { text: SECRET }, { now: NOW })
  expect(appended).toBeGreaterThan(3)
  expect(eventsIn(store)).toHaveLength(before + appended)
  expect(allText(store)).not.toContain(SECRET)
  expect(allText(store)).toContain(`browser ${appended}`)
})

test('forget: a preview names events, memories and files, and nothing of a private memory', () => {
  const store = storeWithSecret()
  const hidden = buildMemory(77, { content: `${SECRET} in private`, privacy: 'private', agentId: 'a1' })
  appendEvents(store.files, store.layout.events, [{ ...storedEvent(hidden, 77), privacy: 'private' } as Event])
  const { events, memories, files } = eraseEverywhere(store, { text: SECRET }, { now: NOW, dryRun: true })
  expect(events.map(({ kind, action }) => `${action} ${kind}`)).toContain('redacted prompt')
  expect(events.find(({ kind }) => kind === 'prompt')).toMatchObject({ file: '000001.jsonl', session: 'first' })
  expect(events.find(({ kind }) => kind === 'prompt')?.text).toContain(SECRET)
  expect(memories.map(({ kind }) => kind)).toContain('preference')
  expect(files).toMatchObject([{ name: '000001.jsonl', removed: 0 }])
  expect(JSON.stringify([events, memories])).not.toContain('in private')
  // A time or an id says nothing about what is lost.
  const id = Object.values(loadMemories(store)).find(({ kind }) => kind === 'preference')?.id ?? ''
  const whole = eraseEverywhere(store, { memories: [id], session: 'second' }, { now: NOW, dryRun: true })
  expect(whole.events.filter(({ text }) => /^(?:\d{4}-\d\d-\d\dT\S+|[\da-f-]{36})$/.test(text))).toEqual([])
})

test('erase: whatever is erased from some events, all others and the length of every file stay the same', () => {
  const all = recordEvents(
    exampleSession('any').starts().asks('One.').runs('ls').asks('Two.').fails('npm test', 'red').ends().recorded,
  )
  fc.assert(
    fc.property(fc.array(fc.constantFrom('stays', 'goes', 'shorter', 'longer'), { minLength: all.length }), (fates) => {
      const store = createTestStore()
      appendEvents(store.files, store.layout.events, all)
      const { events: folder } = store.layout
      const size = fs.statSync(`${folder}/000001.jsonl`).size
      const fateOf = new Map(all.map((event, i) => [event.id, fates[i]]))
      const eraseEvent = (event: Event): Event | undefined => {
        const fate = fateOf.get(event.id)
        if (fate === 'goes') return undefined
        if (fate === 'shorter') return { ...event, lessons: [], branch: undefined, client: undefined } as Event
        return fate === 'longer' ? ({ ...event, lessons: ['x'.repeat(400)] } as Event) : event
      }
      eraseInLog(store.files, folder, { eraseEvent, isErasable: () => false })
      expect(fs.statSync(`${folder}/000001.jsonl`).size).toBe(size)
      const stored = all.filter((event) => ['stays', 'shorter'].includes(fateOf.get(event.id)!))
      expect(eventsIn(store).map((event) => event.id)).toEqual(stored.map((event) => event.id))
      const staying = all.filter((event) => fateOf.get(event.id) === 'stays')
      expect(eventsIn(store)).toEqual(expect.arrayContaining(staying))
    }),
    { numRuns: 40 },
  )
})

test('forget: of a prompt with several rules only the words of the one go, in every project', () => {
  const home = newFolder('forget')
  const stores = ['a', 'b'].map((name) => openStore(`${home}/${name}`, { MEMCTL_HOME: `${home}/home` }))
  for (const [i, store] of stores.entries()) {
    const talk = exampleSession(`s${i}`).starts().asks('Use ruff instead of flake8. Never edit files in vendor.')
    runHookPayloads(store, talk.answers('OK.').ends().recorded)
    runMaintenance(store, { now: talk.now() })
  }
  const rules = (store: Store) => Object.values(loadMemories(store)).flatMap(({ knowledge }) => knowledge?.line ?? [])
  expect(rules(stores[0]!).sort()).toEqual(['Never edit files in vendor', 'Use ruff instead of flake8'])
  const unwanted = Object.values(loadMemories(stores[0]!)).find(({ knowledge }) => knowledge?.line.includes('ruff'))!
  eraseEverywhere(stores[0]!, { memories: [unwanted.id] }, { now: NOW })
  for (const store of stores) {
    expect(rules(store)).toEqual(['Never edit files in vendor'])
    expect(allText(store)).not.toMatch(/ruff instead/i)
  }
})

test('forget: a rule of few letters goes with its prompt', () => {
  const store = createTestStore()
  const talk = exampleSession('first').starts().asks('Never use var. Never edit files in vendor.').ends()
  runHookPayloads(store, talk.recorded)
  runMaintenance(store, { now: talk.now() })
  const unwanted = Object.values(loadMemories(store)).find(({ knowledge }) => knowledge?.line === 'Never use var')!
  eraseEverywhere(store, { memories: [unwanted.id] }, { now: NOW })
  expect(allText(store)).not.toMatch(/use var/i)
})
