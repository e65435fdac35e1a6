import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { triggersOfRule } from '../../src/knowledge/ruleTriggers.ts'
import { listBreaches, listWords, mayMatch, updateRecords } from '../../src/knowledge/updateRecords.ts'
import { callOccasion, failureOccasion, matchTrigger } from '../../src/knowledge/when.ts'
import type { Event, EventOf } from '../../src/model/event.ts'
import type { Knowledge, Trigger } from '../../src/model/knowledge.ts'
import type { Memory } from '../../src/model/memory.ts'
import { type ExampleSession, exampleSession, recordEvents } from '../testData.ts'
import { buildEntry } from './knowledgeData.ts'

const PNPM = buildEntry(1, {
  type: 'rule',
  author: 'person',
  state: 'standing',
  line: 'Use pnpm, not npm',
  when: [{ at: 'call', tool: 'Bash', has: ['npm'], unless: ['pnpm'] }],
})
const PRICES = buildEntry(2, {
  when: [
    { at: 'call', tool: 'Bash', has: ['make test'] },
    { at: 'failure', has: ['prices.json'] },
  ],
  record: { met: 1 },
})

/** The events of a session, in which the entry is shown before the call number `at`. */
function eventsOf(session: ExampleSession, shown?: { readonly entry: Memory; readonly at: number }): Event[] {
  const events = recordEvents(session.recorded)
  if (!shown) return events
  const calls = events.filter((event) => event.kind === 'call.started')
  const call = calls[shown.at]
  if (call?.kind !== 'call.started') throw new Error('there is no such call')
  const recalled = {
    ...call,
    kind: 'recalled',
    moment: 'call',
    call: call.call,
    shown: [{ memory: shown.entry.id, score: 1, features: {} }],
    others: [],
    withheld: false,
    cue: '',
    policy: 0,
  } as unknown as EventOf<'recalled'>
  return events.flatMap((event) => (event === call ? [event, recalled] : [event]))
}

const recordAfter = (entry: Memory, events: readonly Event[], retireAfter = 3): Knowledge => {
  const [changed = entry] = updateRecords([entry], events, 'now', { retireAfter })
  if (!changed.knowledge) throw new Error('no knowledge')
  return changed.knowledge
}

describe('records', () => {
  test('records: a session that breaks a rule counts once, before anyone was shown the rule', () => {
    const session = exampleSession('now').runs('npm install a').runs('pnpm add b').runs('ls')
    const { record } = recordAfter(PNPM, eventsOf(session))
    expect(record).toMatchObject({ brokenBefore: 1, keptBefore: 0, met: 1, shown: 0, fired: 1, failed: 1 })
  })

  test.each([
    '原則、外部ライブラリの追加は事前に相談すること',
    'Ask before adding dependencies',
    'Always ask before installing anything',
    'Never install anything before asking me',
  ])('records: no call shows whether the person was asked before: %s', (line) => {
    const rule = buildEntry(3, {
      type: 'rule',
      author: 'person',
      state: 'standing',
      line,
      when: triggersOfRule(line),
    })
    const session = exampleSession('now').runs('git commit -am "Restock"').runs('cargo add chrono')
    const none = { obeyed: 0, broken: 0, keptBefore: 0, brokenBefore: 0 }
    expect(recordAfter(rule, eventsOf(session)).record).toMatchObject(none)
    expect(recordAfter(rule, eventsOf(session, { entry: rule, at: 1 })).record).toMatchObject({ ...none, shown: 1 })
  })

  test('records: what is to be done beforehand shows in the calls', () => {
    const when: Trigger[] = [{ at: 'call', has: ['git push'], unless: ['npm run lint'] }]
    expect(listBreaches({ line: '事前にnpm run lintを必ず実行', when })).toEqual(when)
    expect(listBreaches({ line: '事前に必ず連絡', when })).toEqual([])
  })

  test('records: a rule that was shown and kept afterwards was obeyed; the call it was shown at does not count', () => {
    const session = exampleSession('now').runs('npm install a').runs('pnpm add a')
    const { record } = recordAfter(PNPM, eventsOf(session, { entry: PNPM, at: 0 }))
    expect(record).toMatchObject({ shown: 1, obeyed: 1, broken: 0 })
  })

  test('records: a rule that was shown and broken afterwards was broken', () => {
    const session = exampleSession('now').runs('npm install a').runs('npm install b')
    const { record } = recordAfter(PNPM, eventsOf(session, { entry: PNPM, at: 0 }))
    expect(record).toMatchObject({ shown: 1, obeyed: 0, broken: 1 })
  })

  test('records: a lesson of a start is obeyed if its command came first, refuted if its call passed alone', () => {
    const lesson = buildEntry(4, {
      line: 'Run `make prices` before `make test`',
      when: [{ at: 'start' }, { at: 'call', tool: 'Bash', has: ['make test'] }],
      record: { met: 1 },
    })
    const shownAtStart = (session: ExampleSession): Event[] =>
      // The first call is beside the matter.
      eventsOf(session, { entry: lesson, at: 0 }).map((event) =>
        event.kind === 'recalled' ? { ...event, moment: 'start', call: undefined } : event,
      )
    const followed = exampleSession('now').runs('ls').runs('make prices').runs('make test')
    expect(recordAfter(lesson, shownAtStart(followed)).record).toMatchObject({ shown: 1, obeyed: 1, refuted: 0 })
    const reworded = exampleSession('now').runs('ls').runs('make -C tools prices && make test')
    expect(recordAfter(lesson, shownAtStart(reworded)).record).toMatchObject({ shown: 1, obeyed: 1, refuted: 0 })
    const ignored = exampleSession('now').runs('ls').runs('make test').runs('make prices')
    expect(recordAfter(lesson, shownAtStart(ignored)).record).toMatchObject({ shown: 1, obeyed: 0, refuted: 1 })
  })

  test('records: a rule about an order is kept if what comes first came in an earlier call', () => {
    const rule = buildEntry(6, {
      type: 'rule',
      author: 'person',
      line: 'Run the linter before you commit',
      when: [{ at: 'call', tool: 'Bash', has: ['git commit'], unless: ['npm run lint'] }],
    })
    const recordOf = (...commands: readonly string[]) => {
      const session = exampleSession('now')
      for (const command of commands) session.runs(command)
      return recordAfter(rule, eventsOf(session)).record
    }
    expect(recordOf('npm run lint', 'git status', 'git commit -m a')).toMatchObject({ keptBefore: 1, brokenBefore: 0 })
    expect(recordOf('git commit -m a', 'npm run lint')).toMatchObject({ keptBefore: 0, brokenBefore: 1 })
    const log = buildEntry(9, {
      ...{ type: 'rule', author: 'person', line: 'Update CHANGELOG.md with every feature' },
      when: [{ at: 'call', tool: 'Bash', has: ['git commit'], unless: ['CHANGELOG', '--amend'] }],
    })
    const edited = exampleSession('now').edits('CHANGELOG.md').runs('git commit -m a')
    expect(recordAfter(log, eventsOf(edited)).record).toMatchObject({ keptBefore: 1, brokenBefore: 0 })
    // An option of an earlier commit says nothing about this one.
    const amended = exampleSession('now').runs('git commit --amend').runs('git commit -m a')
    expect(recordAfter(log, eventsOf(amended)).record).toMatchObject({ keptBefore: 0, brokenBefore: 1 })
    const long = Array.from({ length: 30 }, (_, i) => `git show ${i}`)
    expect(recordOf('npm run lint', ...long, 'git commit -m a')).toMatchObject({ keptBefore: 0, brokenBefore: 1 })
  })

  test('records: who stages a file does not run it', () => {
    const docker = { type: 'rule', author: 'person', line: 'Run e2e.ts with docker' } as const
    const ran = [{ at: 'call', tool: 'Bash', has: ['e2e.ts'], unless: ['--docker'] }] as const
    const rule = buildEntry(10, { ...docker, when: ran })
    const record = (command: string) => recordAfter(rule, eventsOf(exampleSession('now').runs(command))).record
    expect(record('git add -A scripts/e2e.ts && git commit -m a')).toMatchObject({ brokenBefore: 0 })
    expect(record('git add a.ts && bun scripts/e2e.ts')).toMatchObject({ brokenBefore: 1 })
  })

  test.each([
    ['Never git add with --force', 'git add --force', 'git add --force src/a.ts'],
    ['Never commit secrets.env', 'secrets.env', 'git add secrets.env && git commit -m a'],
  ])('records: a rule about commits is judged by what is staged: %j', (line, part, command) => {
    const when = [{ at: 'call', tool: 'Bash', has: [part] }] as const
    const rule = buildEntry(11, { type: 'rule', author: 'person', line, when })
    const { record } = recordAfter(rule, eventsOf(exampleSession('now').runs(command)))
    expect(record).toMatchObject({ brokenBefore: 1 })
  })

  test.each([
    ['Never let telemetry delay a command', ['telemetry.go'], [], 0],
    ['Never edit telemetry.go', ['telemetry.go'], [], 1],
    ['Do not touch the generated telemetry.go', ['telemetry.go'], [], 1],
    ['After a version bump, run `make docs`', ['import'], ['make docs'], 0],
    ['When you import a package, use make docs', ['import'], ['make docs'], 1],
  ])('records: an edit breaks the rule %j by what it writes, not by its place alone', (line, has, unless, broken) => {
    const rule = buildEntry(8, {
      type: 'rule',
      author: 'person',
      line,
      when: [{ at: 'call', tool: 'Edit', has, unless }],
    })
    const session = exampleSession('now').edits('src/telemetry.go', 'import "net/http"')
    expect(recordAfter(rule, eventsOf(session)).record).toMatchObject({ fired: 1, brokenBefore: broken })
  })

  test.each([
    ['Never push to main', ['git push'], 1],
    ['Do not run Vale on docs; use markdownlint', ['vale'], 1],
    ['main に push しないこと', ['git push'], 1],
    // The trigger says when the rule is worth a note, not that the call breaks it.
    ['Comment only what the code does not show', ['src/'], 0],
    ['Use `renderTrusted` for templates, no plain `render`', ['renderTrusted('], 0],
    ['Never use em dashes in prose', ['gh issue comment'], 0],
    ['The server, not the agents, sends mail to customers', ['customers'], 0],
    // What the person has said meanwhile, no call shows.
    ['Never commit unless the person says so', ['git commit'], 0],
    ['Do not push without my approval', ['git push'], 0],
    ['確認を取らずに push しないこと', ['git push'], 0],
  ])('records: a call breaks the rule %j if its trigger %j names what is banned', (line, has, broken) => {
    const rule = buildEntry(7, { type: 'rule', author: 'person', line, when: [{ at: 'call', has }] })
    const session = exampleSession('now').runs(`${has.join(' ')} src/a.ts`)
    expect(recordAfter(rule, eventsOf(session)).record).toMatchObject({ fired: 1, brokenBefore: broken })
  })

  test('records: later sessions add to the firings, and end the share of the calls that the proof had', () => {
    const entry = buildEntry(8, { ...PNPM.knowledge, record: { calls: 10, fired: 2 } })
    const session = exampleSession('now').runs('npm install a').runs('ls').runs('pwd')
    expect(recordAfter(entry, eventsOf(session)).record).toMatchObject({ calls: 0, fired: 3 })
  })

  test('records: a failure with another error is another failure', () => {
    const other = recordAfter(PRICES, eventsOf(exampleSession('now').fails('make test', 'Error: no space left')))
    expect(other.record).toMatchObject({ met: 1, fired: 1, failed: 0 })
    const same = recordAfter(PRICES, eventsOf(exampleSession('now').fails('make test', 'Error: no prices.json')))
    expect(same.record).toMatchObject({ met: 2, failed: 1, sessions: ['first', 'now'] })
    expect(same.state).toBe('standing')
  })

  test('records: an edit is judged by the check after it: refused counts, and what no check saw says nothing', () => {
    const entry = buildEntry(5, {
      type: 'lesson',
      when: [
        { at: 'call', tool: 'Edit', has: ['exec.Command('] },
        { at: 'failure', has: ['noctx'] },
      ],
      record: { met: 1 },
    })
    const writes = (): ExampleSession => exampleSession('now').edits('src/run.go', 'exec.Command("git")')
    const refused = recordAfter(entry, eventsOf(writes().fails('make lint', 'src/run.go:12:3: bad (noctx)')))
    expect(refused.record).toMatchObject({ met: 2, fired: 2, failed: 2, refuted: 0 })
    expect(recordAfter(entry, eventsOf(writes().runs('ls'))).record).toMatchObject({ met: 1, fired: 1, refuted: 0 })
    // An edit that keeps a rule is not counted as one that broke it, because a call broke it later.
    const edit = { at: 'call', tool: 'Edit', has: ['package.json'] } as const
    const rule = buildEntry(6, { ...PNPM.knowledge, line: 'Use pnpm', when: [...PNPM.knowledge!.when, edit] })
    const session = exampleSession('now').edits('package.json').runs('npm install a')
    expect(recordAfter(rule, eventsOf(session)).record).toMatchObject({ failed: 1 })
  })

  test('records: what passes without being shown, session after session, retires; one failure begins anew', () => {
    const passes = eventsOf(exampleSession('now').runs('make test'))
    const twice = { ...PRICES, knowledge: recordAfter(PRICES, passes, 2) }
    expect(twice.knowledge).toMatchObject({ state: 'proposed', record: { refuted: 1 } })
    expect(recordAfter(twice, passes, 2).state).toBe('retired')
    const failed = recordAfter(twice, eventsOf(exampleSession('now').fails('make test', 'no prices.json')), 2)
    expect(failed.record.refuted).toBe(0)
  })

  test('records: what a person said does not retire', () => {
    const events = eventsOf(exampleSession('now').runs('ls'))
    const refuted = buildEntry(3, { ...PNPM.knowledge, record: { refuted: 9 } })
    expect(recordAfter(refuted, events).state).toBe('standing')
  })

  test('records: an entry that nothing concerns is not changed', () => {
    expect(updateRecords([PNPM], eventsOf(exampleSession('now').runs('ls')), 'now', { retireAfter: 3 })).toEqual([])
  })

  test('records: what an agent of a role did says nothing about the entries of others', () => {
    const session = exampleSession('now').sends('reviewer', 'a1', (agent) => agent.runs('npm install a'))
    const own = { ...PNPM, privacy: 'agent-only' as const, role: 'tester' }
    expect(updateRecords([own], eventsOf(session), 'now', { retireAfter: 3 })).toEqual([])
  })

  test('records: what is left out because its words are missing matches no call', () => {
    // Few letters, marks and stars, so that many fragments are in many texts.
    const text = fc.string({ unit: fc.constantFrom('a', 'B', '1', '-', '_', ' ', '.', '*', '本'), maxLength: 6 })
    const texts = fc.array(text, { maxLength: 2 })
    const signature = fc.option(fc.constantFrom('E1', 'E2'), { nil: undefined })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text, signature), { maxLength: 4 }),
        fc.record({ at: fc.constantFrom('call', 'failure'), has: texts, unless: texts, signature }),
        (calls, trigger) => {
          const occasions = calls.map(([command, error, of]) =>
            of === undefined
              ? callOccasion({ tool: 'Bash', input: { command } })
              : failureOccasion({ tool: 'Bash', input: { command } }, error, of),
          )
          const matches = occasions.some((occasion) => matchTrigger(trigger as Trigger, occasion) !== undefined)
          return !matches || mayMatch(trigger as Trigger, listWords(occasions))
        },
      ),
      { numRuns: 5_000 },
    )
  })
})
