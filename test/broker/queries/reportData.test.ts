import { describe, expect, test } from 'vitest'
import { commitEvents, systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { gatherReport, groupSubjects, listRecurring } from '../../../src/broker/queries/reportData.ts'
import { buildPages, countSessions, selectPages } from '../../../src/broker/queries/reportPages.ts'
import {
  markPassed,
  type ReportScan,
  type ScannedCall,
  type ScannedRecall,
  scanLog,
} from '../../../src/broker/queries/reportScan.ts'
import { callOccasion, failureOccasion } from '../../../src/knowledge/when.ts'
import type { EventId } from '../../../src/model/id.ts'
import type { Trigger } from '../../../src/model/knowledge.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { buildEntry } from '../../knowledge/knowledgeData.ts'
import {
  BEGIN,
  buildMemory,
  buildMemoryMap,
  createTestStore,
  DAY,
  exampleSession,
  iso,
  runHookPayloads,
  sessionId,
} from '../../testData.ts'

const OPTIONS = { now: BEGIN + 9 * DAY, pagesMax: 300, withPrivate: false }

/** Two sessions on two days; the second meets the error of the first again. */
function storeWithTwoSessions(): Store {
  const store = createTestStore()
  for (const [name, start] of [
    ['one', BEGIN],
    ['two', BEGIN + 3 * DAY],
  ] as const) {
    const session = exampleSession(`session-${name}`, start)
      .starts()
      .asks('Always run the tests with `npm test`, never with jest. Fix the price.')
      .fails('npm test', "Error: Cannot find module 'left-pad'\n    at price.js:3")
      .runs('npm install left-pad', 'added 1 package')
      .runs('npm test', 'passed')
      .answers('値段を直しました。')
      .ends()
    runHookPayloads(store, session.recorded)
    runMaintenance(store, { now: session.now() + 1000 })
  }
  return store
}

describe('what is gathered', () => {
  test('report: sessions, calls and failures are counted where they happened, each once', () => {
    const store = storeWithTwoSessions()
    // Plugin and settings may record the same session twice.
    runHookPayloads(store, exampleSession('session-two', BEGIN + 3 * DAY).starts().recorded)
    const report = gatherReport(store, OPTIONS)
    const days = [...report.sessions.values()].map(({ started, prompts, calls, failed }) => [
      ...[started.slice(0, 10), prompts, calls, failed],
    ])
    expect(days).toEqual([
      ['2026-03-02', 1, 3, 1],
      ['2026-03-05', 1, 3, 1],
    ])
  })

  test('report: calls count on the day on which they were made, and a day has what was committed and pushed', () => {
    const store = createTestStore()
    const evening = exampleSession('session-night').starts().asks('Fix it').runs('git --no-pager commit -m x', 'done')
    for (const command of ['git push --dry-run', 'rg "git push" docs']) evening.runs(command, 'done')
    evening.runs('git push 2>&1 | tail', ' ! [rejected] main -> main (fetch first)')
    evening.waits(DAY).runs('git log --grep "git commit hooks"', 'done')
    runHookPayloads(store, evening.runs('git push', 'done').recorded)
    const days = [...gatherReport(store, OPTIONS).days].map(([key, { calls, done }]) => [key.slice(-2), calls, ...done])
    expect(days.sort()).toEqual([
      ['02', 4, 'committed'],
      ['03', 2, 'pushed'],
    ])
  })

  test('report: a session that hooks recorded has their times', () => {
    const store = storeWithTwoSessions()
    const listTimed = () => [...gatherReport(store, OPTIONS).sessions.values()].map(({ isTimed }) => isTimed)
    expect(listTimed()).toEqual([false, false])
    const ending = { kind: 'session.ended', reason: 'clear' } as const
    const event = systemEvent(ending, { now: BEGIN + DAY, session: sessionId('session-one'), key: ['end'] })
    commitEvents(store, [{ ...event, hookMs: 20 }])
    expect(listTimed()).toEqual([true, false])
  })

  test('report: with --since, earlier sessions and failures are left out, and memories stay', () => {
    const store = storeWithTwoSessions()
    const report = gatherReport(store, { ...OPTIONS, since: iso(BEGIN + 2 * DAY) })
    expect(report.totals.sessions).toBe(1)
    expect([...report.sessions.values()].map(({ failed }) => failed)).toEqual([1])
    expect(report.contents.size).toBe(gatherReport(store, OPTIONS).contents.size)
  })

  test('report: a page says from which events a memory was derived', () => {
    const { pages } = gatherReport(storeWithTwoSessions(), OPTIONS)
    const lesson = pages.find(({ memory }) => memory.kind === 'lesson')
    expect(lesson?.sources.map(({ kind }) => kind)).toContain('call.failed')
    expect(lesson?.sources.some(({ text }) => text.startsWith('Bash npm test: Error'))).toBe(true)
  })

  test('report: it holds at most the wanted number of pages, and says how many are left out', () => {
    const store = storeWithTwoSessions()
    const { contents, pages, pagesLeftOut } = gatherReport(store, { ...OPTIONS, pagesMax: 2 })
    expect(pages).toHaveLength(2)
    expect(pagesLeftOut).toBe(contents.size - 2)
  })

  test('report: an empty store gives empty lists', () => {
    const report = gatherReport(createTestStore(), OPTIONS)
    expect(report).toMatchObject({ summaries: [], pages: [], pagesLeftOut: 0 })
    expect(report.knowledge).toEqual({ said: [], learned: [], superseded: [], retired: [] })
    expect(report.experiment.effects).toBeNull()
  })
})

describe('which memories get a page', () => {
  const shown = (n: number): Memory => buildMemory(n, { help: { shown: n, used: 0, contribution: -n } })

  test('report: first those that the report names, then what was shown; no others', () => {
    const named = buildMemory(90, { kind: 'experience' })
    const ids = (max: number) => selectPages([buildMemory(1), shown(50), shown(60), named], [named], max)
    expect(ids(9)).toEqual([named, shown(60), shown(50)])
    expect(ids(2)).toEqual([named, shown(60)])
  })
})

describe('failures that were met', () => {
  const lesson = buildMemory(1, { kind: 'lesson', errorSignature: 'E1', commandShape: 'npm test' })
  const npmTest = { tool: 'Bash', input: { command: 'npm test' } }
  const failureOf = (signature: string) => failureOccasion(npmTest, 'Error: no prices', signature)
  const at = (minute: number): string => iso(BEGIN + minute * 60_000)
  const call = (minute: number, session: string, signature?: string): ScannedCall => ({
    ...{ at: at(minute), session: sessionId(session), call: `call-${session}-${minute}`, text: 'Bash npm test' },
    ...(signature !== undefined && { failure: failureOf(signature) }),
  })
  const memories = buildMemoryMap(lesson)

  test('report: errors of several sessions are listed once, whatever tool printed them; general ones are not', () => {
    const [prices, general] = ['payroll tables lack the harbour column', 'exit status #']
    const calls = [
      ...[call(1, 'a', `bash|${prices}`), call(2, 'a', `bash|${prices}`), call(3, 'b', `edit|${prices}`)],
      ...[call(4, 'a', `bash|${general}`), call(5, 'b', `bash|${general}`)],
      call(6, 'c', 'bash|port already taken by another server'),
    ]
    // Errors of the client's own tools say what to do.
    const ofClient = ['a', 'b'].map((session) => {
      return { ...call(7, session, 'edit|file has not been read yet'), error: 'File has not been read yet' }
    })
    expect(listRecurring([...ofClient, ...calls], memories)).toEqual([{ latest: calls[2], sessions: 2, calls: 3 }])
    // What an entry is about is in the list of what helps.
    const entry = buildEntry(1, { when: [{ at: 'failure', has: ['no prices'] }] })
    expect(listRecurring(calls, buildMemoryMap(entry))).toEqual([])
    let compared = 0
    const spy = new Proxy(entry, {
      get(memory, name) {
        if (name === 'errorSignature') compared++
        return Reflect.get(memory, name)
      },
    })
    listRecurring(calls, buildMemoryMap(spy))
    const ofOneSession = Array.from({ length: 9 }, (_, i) => call(10 + i, 'a', `bash|bell ${'abcdefghi'[i]} is broken`))
    const before = compared
    listRecurring([...calls, ...ofOneSession], buildMemoryMap(spy))
    expect(compared - before, 'errors of one session are compared with no entry').toBe(before)
  })
})

describe('what came of an entry', () => {
  const at = (minute: number): string => iso(BEGIN + minute * 60_000)
  const run = (minute: number, command: string, session = 'a'): ScannedCall => {
    const call = { at: at(minute), call: `call-${session}-${minute}`, session: sessionId(session) }
    const occasion = callOccasion({ tool: 'Bash', input: { command } })
    return { ...call, text: command, prepared: { ...call, tool: 'Bash', role: 'main', occasion, failure: undefined } }
  }
  const show = (minute: number, session: string, more: Partial<ScannedRecall> = {}): ScannedRecall => ({
    ...{ id: `recall-${session}-${minute}` as never, at: at(minute), session: sessionId(session), moment: 'start' },
    ...{ call: undefined, cue: '', shown: [rule.id], scores: [1], blocked: false, tokens: 10, ...more },
  })
  const rule = buildEntry(1, {
    ...{ type: 'rule', line: 'Use pnpm to install' },
    when: [{ at: 'call', tool: 'Bash', has: ['npm install'], unless: ['pnpm'] }],
  })
  const build = (memory: Memory, scanned: Partial<ReportScan>, judged: Parameters<typeof buildPages>[3] = []) => {
    const lists = {
      sessions: [],
      calls: [],
      recalls: [],
      sources: new Map(),
      hookTimes: new Map(),
      days: new Map(),
      endings: new Map(),
    }
    const scan = { ...lists, reading: { sessions: 0, input: 0, output: 0 }, ...scanned }
    return buildPages([memory], buildMemoryMap(memory), scan, judged)[0]
  }

  test('report: a failed call names the next such call of its session that passed', () => {
    const fail = (call: ScannedCall): ScannedCall => ({
      ...call,
      failure: failureOccasion({ tool: 'Bash', input: {} }, '', ''),
    })
    const bash = (minute: number, command: string, session?: string) => {
      const call = run(minute, command, session)
      return { ...call, text: `Bash ${command}` }
    }
    const edit = (minute: number, file: string) => ({ ...run(minute, ''), prepared: undefined, text: `Edit ${file}` })
    const calls = [
      fail(bash(1, 'rtk bun run test')),
      fail(bash(2, "git commit -m 'Round the prices of the cart'")),
      bash(3, 'bun run lint'),
      bash(4, 'cd /shop && bun run test | tail -5'),
      bash(5, "git commit --no-verify -m 'Round them'"),
      fail(edit(6, 'a.ts')),
      edit(7, 'b.ts'),
      edit(8, 'a.ts'),
      fail(bash(9, 'npm publish')),
      bash(9, 'npm publish', 'b'),
      fail(bash(10, 'npm run build 2>&1 | head -20')),
      bash(11, 'npm run build | tail -5'),
      bash(12, 'npm run build 2>&1'),
    ]
    const passed = markPassed(calls).flatMap((call) => (call.failure ? [call.passed] : []))
    expect(passed).toEqual([calls[3]?.text, calls[4]?.text, 'Edit a.ts', undefined, 'Bash npm run build 2>&1'])
  })

  test('report: a failed call has a line of its output, also behind a pipe', () => {
    const store = createTestStore()
    const session = exampleSession('one', BEGIN)
      .starts()
      .fails('npm run build', 'Error: no prices\n    at price.js:3')
      .runs('npm test | head -5', 'Error: no taxes\n    at tax.js:3')
      .runs('npm run lint', 'No problems')
    runHookPayloads(store, session.recorded)
    const scan = scanLog(store, { wantedSources: new Set(), withPrivate: false })
    expect(scan.calls.map(({ error }) => error)).toEqual(['Error: no prices', 'Error: no taxes', undefined])
  })

  test('report: whether an edit failed says nothing of what it wrote', () => {
    const when = [{ at: 'call' as const, tool: 'Edit|Write', has: ['home.tsx'] }]
    const edit = { ...run(1, ''), text: 'Edit home.tsx' }
    const occasion = callOccasion({ tool: 'Edit', input: { file_path: 'home.tsx' } })
    const failure = failureOccasion({ tool: 'Edit', input: { file_path: 'home.tsx' } }, 'not found', undefined)
    const prepared = { ...edit, tool: 'Edit', role: 'main' as const, occasion, failure }
    const fact = (triggers: Trigger[]) => buildEntry(1, { type: 'fact', line: 'The shop is open', when: triggers })
    expect(build(fact(when), { calls: [{ ...edit, prepared }] })?.calls).toEqual([])
    const ofError = [{ at: 'failure' as const, tool: 'Edit', has: ['not found'] }]
    expect(build(fact(ofError), { calls: [{ ...edit, prepared }] })?.calls).toHaveLength(1)
  })

  test('report: a rule lists the calls that kept and broke it, the broken ones first', () => {
    const page = build(rule, { calls: [run(1, 'pnpm install'), run(2, 'npm install'), run(3, 'ls')] })
    expect(page?.calls.map(({ text, isBad }) => [text, isBad])).toEqual([
      ['npm install', true],
      ['pnpm install', false],
    ])
  })

  test('report: a page holds the latest judged calls, and counts all of them', () => {
    const calls = ['npm install', 'pnpm install'].flatMap((command, of) =>
      Array.from({ length: 20 }, (_, i) => run(i, command, `${of}-${i % 4}`)),
    )
    const page = build(rule, { calls })
    expect(page?.calls.map(({ at, isBad }) => isBad && at).slice(0, 11)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => at(19 - i)),
      false,
    ])
    expect([page?.calls.length, page?.bad.size, page?.good, new Set(page?.bad.values()).size]).toEqual([16, 20, 20, 4])
  })

  test('report: calls of a rule that none of them proves are listed, and decide nothing', () => {
    const when = [{ at: 'call' as const, tool: 'Bash', has: ['git commit'], unless: ['CHANGELOG'] }]
    const unproven = buildEntry(1, { type: 'rule', line: 'Update CHANGELOG.md in the commit of a feature', when })
    const calls = [run(1, 'git add CHANGELOG.md'), run(2, 'git commit -m x'), run(3, 'git commit -m y', 'b')]
    const page = build(unproven, { calls, recalls: [show(0, 'b', { shown: [unproven.id] })] })
    expect(page?.calls.map(({ session, isBad }) => [session, isBad])).toEqual([
      [sessionId('b'), true],
      [sessionId('a'), false],
      [sessionId('a'), false],
    ])
    expect(page).toMatchObject({ showings: [{ outcome: 'unknown' }] })
    expect(page?.sessions.map(({ bad }) => bad)).toEqual([1, 0])
  })

  test('report: a rule counts the sessions after it was said, apart by whether they had been shown it', () => {
    const calls = [
      run(1, 'npm install'),
      run(2, 'npm install'),
      run(4, 'npm ci && npm install'),
      run(5, 'pnpm install'),
    ]
    const page = build({ ...rule, created: at(2) }, { calls, recalls: [show(3, 'a')] })
    expect(page?.sessions.map(({ isShown, bad }) => [isShown, bad])).toEqual([
      [true, 1],
      [false, 1],
    ])
    expect(countSessions(page?.sessions ?? [])).toEqual({
      before: { kept: 0, broken: 1 },
      since: { kept: 0, broken: 1 },
    })
  })

  test('report: calls and showings count for a rule only from when it was said until it was replaced', () => {
    const calls = [run(1, 'npm install'), run(3, 'pnpm install'), run(5, 'npm install')]
    const replaced = { ...rule, created: at(2), supersededBy: 'another' }
    const endings = new Map([[rule.id, { at: at(4), session: sessionId('b') }]])
    const page = build(replaced, { calls, endings, recalls: [show(0, 'a'), show(2, 'a')] })
    expect(page?.calls.map((call) => call.at)).toEqual([at(3)])
    expect(page?.showings.map(({ recall, outcome }) => [recall.at, outcome])).toEqual([[at(2), 'kept']])
    expect(build({ ...rule, created: at(2) }, { calls, endings })?.calls).toHaveLength(2)
  })

  test('report: of an entry about failures nothing is listed until a call has failed', () => {
    const lesson = buildEntry(1, { type: 'lesson', when: [{ at: 'call', tool: 'Bash', has: ['npm test'] }] })
    const calls = [run(1, 'npm test'), run(2, 'npm test')]
    expect(build(lesson, { calls })?.calls).toEqual([])
    const [first, second] = calls.map(({ prepared, ...call }) => ({ ...call, prepared: prepared && { ...prepared } }))
    const failure = failureOccasion({ tool: 'Bash', input: { command: 'npm test' } }, 'Error', undefined)
    const failed = { ...first, prepared: first?.prepared && { ...first.prepared, failure } } as ScannedCall
    const failedFirst = { calls: [failed, second as ScannedCall] }
    expect(build(lesson, failedFirst)?.calls.map(({ isBad }) => isBad)).toEqual([true, false])
    // What passed after a session was shown the entry may owe it to the entry.
    expect(build(lesson, failedFirst)?.goodUnshown).toHaveLength(1)
    expect(build(lesson, { ...failedFirst, recalls: [show(0, 'a', { shown: [lesson.id] })] })?.goodUnshown).toEqual([])
  })

  test('report: a call counts for an entry about failures only if it has the words of its triggers', () => {
    const when: Trigger[] = [
      { at: 'call', tool: 'Bash', has: ['npm install', 'docs/*'], unless: ['cd'] },
      { at: 'failure', signature: 'bash|timed out' },
    ]
    const lesson = buildEntry(1, { type: 'lesson', line: 'Install in the root', when })
    const fail = (minute: number, command: string): ScannedCall => {
      const { prepared, ...call } = run(minute, command)
      const failure = failureOccasion({ tool: 'Bash', input: { command } }, 'timed out', 'bash|timed out')
      return { ...call, prepared: prepared && { ...prepared, failure } }
    }
    const long = `echo ${'x'.repeat(90)}`
    const calls = [
      ...[fail(1, 'npm install docs/a'), fail(2, 'find /')],
      ...[run(3, 'cd /shop && go build docs/a'), run(4, `${long} && cd /shop && pnpm install docs/b`)],
    ]
    const page = build(lesson, { calls })
    // Of a long command, the part that matched is shown.
    expect(page?.calls.map(({ text }) => text)).toEqual(['npm install docs/a', 'echo … pnpm install docs/b'])
  })

  test('report: each showing has one verdict, by what came later in its session', () => {
    const recalls = [show(0, 'a'), show(0, 'b'), show(0, 'c'), show(9, 'a')]
    const used = { recall: show(9, 'a').id, memories: [{ memory: rule.id, used: 0, contribution: 0, traces: [] }] }
    const calls = [run(1, 'pnpm install'), run(2, 'npm install'), run(3, 'pnpm install', 'b')]
    const page = build(rule, { calls, recalls }, [used as never])
    expect(page?.showings.map(({ outcome, by }) => [outcome, by?.text])).toEqual([
      ['nothing', undefined],
      ['unknown', undefined],
      ['kept', 'pnpm install'],
      ['broken', 'npm install'],
    ])
    expect(page?.outcomes.get('broken')).toBe(1)
  })

  test('report: what chance held back is no showing', () => {
    const store = createTestStore()
    const recalled = (name: string, withheld: boolean) => {
      const note = { memory: rule.id, score: 1, features: {}, provenance: 'person' } as const
      const recall = {
        kind: 'recalled',
        moment: 'start',
        cue: '',
        shown: [note],
        others: [],
        withheld,
        policy: 1,
      } as const
      return systemEvent(recall, { now: BEGIN, session: sessionId(name), key: [name] })
    }
    commitEvents(store, [
      systemEvent({ kind: 'memory.batch', stored: [rule], changes: [] }, { now: BEGIN, key: ['stored'] }),
      ...[recalled('a', true), recalled('b', false)],
    ])
    const [page] = gatherReport(store, OPTIONS).pages
    expect(page?.showings.map(({ recall }) => recall.session)).toEqual([sessionId('b')])
    expect(page?.outcomes).toEqual(new Map([['unknown', 1]]))
  })

  test('report: a showing at a call names the trigger that fired, and its own call decides nothing', () => {
    const call = run(2, 'npm install')
    const page = build(rule, { calls: [call], recalls: [show(1, 'a', { moment: 'call', call: call.call })] })
    expect(page?.showings[0]).toMatchObject({ outcome: 'unknown', triggers: [{ has: ['npm install'] }] })
  })

  test('report: the page of a session has its counts, what failed in it, what it taught and was shown', () => {
    const { pages } = gatherReport(storeWithTwoSessions(), OPTIONS)
    const summary = pages.find(({ memory }) => memory.kind === 'summary' && memory.session === sessionId('session-two'))
    expect(summary?.session).toMatchObject({ counts: { prompts: 1, calls: 3, failed: 1 } })
    expect(summary?.session?.failed.map(({ text }) => text)).toEqual(['Bash npm test'])
    expect(summary?.session?.showings.length).toBeGreaterThan(0)
  })

  test('report: what ended an entry is the change of the log, and its session', () => {
    const store = createTestStore()
    const [old, other] = [buildEntry(1), buildEntry(2, { line: 'Use the port 3000' })]
    const retired = { ...old.knowledge, state: 'retired' as const } as NonNullable<Memory['knowledge']>
    const changes = [{ memory: old.id, knowledge: retired }]
    commitEvents(store, [
      systemEvent({ kind: 'memory.batch', stored: [old, other], changes: [] }, { now: BEGIN, key: ['stored'] }),
      systemEvent(
        { kind: 'memory.batch', stored: [], changes },
        { now: BEGIN + DAY, session: sessionId('two'), key: ['ended'] },
      ),
    ])
    const { pages, knowledge } = gatherReport(store, OPTIONS)
    expect(knowledge.retired.map(({ id }) => id)).toEqual([old.id])
    expect(pages.map(({ memory, ending }) => [memory.id, ending])).toEqual([
      [other.id, undefined],
      [old.id, { at: iso(BEGIN + DAY), session: sessionId('two') }],
    ])
  })

  test('report: a guess that ended before a session saw it is in no list', () => {
    const store = createTestStore()
    const retired = { author: 'rule', state: 'retired' } as const
    const [unseen, shown] = [buildEntry(1, retired), buildEntry(2, { ...retired, line: 'Use the port 3000' })]
    const seen = { ...shown, help: { shown: 1, used: 0, contribution: 0 } }
    const [said, now] = [buildEntry(3, { ...retired, author: 'person' }), { now: BEGIN, key: ['stored'] }]
    commitEvents(store, [systemEvent({ kind: 'memory.batch', stored: [unseen, seen, said], changes: [] }, now)])
    const { retired: listed } = gatherReport(store, OPTIONS).knowledge
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([seen.id, said.id]))
  })

  test('report: what somebody stored on purpose is in the list of what was learned', () => {
    const store = createTestStore()
    const [stored, task] = [buildMemory(1), buildMemory(2, { events: ['prompt-1' as EventId] })]
    const now = { now: BEGIN, key: ['stored'] }
    commitEvents(store, [systemEvent({ kind: 'memory.batch', stored: [stored, task], changes: [] }, now)])
    const { knowledge, pages } = gatherReport(store, OPTIONS)
    expect(knowledge.learned.map(({ id }) => id)).toEqual([stored.id])
    expect(pages.map(({ memory }) => memory.id)).toEqual([stored.id])
  })

  test('report: what reading sessions cost is summed', () => {
    const store = createTestStore()
    const read = { kind: 'session.distilled', by: 'claude', model: 'haiku', through: 'e' as never, dropped: 0 } as const
    commitEvents(
      store,
      ['one', 'one', 'two'].map((name, i) =>
        systemEvent(
          { ...read, tokens: { input: 1000, output: 50 } },
          { now: BEGIN + i, session: sessionId(name), key: [String(i)] },
        ),
      ),
    )
    expect(gatherReport(store, OPTIONS).reading).toEqual({ sessions: 2, input: 3000, output: 150 })
  })
})

test('subjects: entries with a trigger and most rare words of the shorter in common have one subject', () => {
  const lines = [
    'Create a new suffix branch only when the session changes files',
    'Create no suffix branch',
    'Run `vitest` before a commit',
    'Run `biome lint` before a commit',
    ...Array.from({ length: 9 }, (_, i) => `Run \`check-${'abcdefghi'[i]}\` before a commit`),
  ]
  const firstsOf = (triggers: readonly string[]) => {
    const entries = lines.map((line, i) =>
      buildEntry(i, { line, when: [{ at: 'call', has: [triggers[i] ?? 'commit'] }] }),
    )
    const subjects = groupSubjects(entries)
    return entries.slice(0, 4).map(({ id }) => entries.findIndex((entry) => entry.id === subjects.get(id)))
  }
  expect(firstsOf(['branch', 'branch'])).toEqual([0, 0, 2, 3])
  expect(firstsOf(['branch', 'suffix'])).toEqual([0, 1, 2, 3])
})
