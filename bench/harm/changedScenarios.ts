// What was replaced, contradicted, outdated or forgotten may not be injected.

import type { Scenario } from './scenario.ts'
import { lesson, type TwoProjects } from './twoProjects.ts'

const CONTROL = 'Prices are always kept in cents, never as floats.'
const CONTROL_SHOWN = /kept in cents/

/** A session in which `npm test` failed and was overcome, and which states the control. */
const works = (world: TwoProjects): string =>
  world.session((script) =>
    script
      .asks(`Please fix the cart. ${CONTROL}`)
      .fails('npm test', 'Error: the price catalogue is stale')
      .runs('npm run build:prices', 'built')
      .runs('npm test', '12 passing')
      .answers('Fixed.'),
  )

const PROBE = {
  prompt: 'Why does the price catalogue fail?',
  command: 'npm test',
  error: 'Error: the price catalogue is stale',
}

/** Said by typing it, or with `memctl remember`. */
type Say = (text: string) => (world: TwoProjects) => unknown
const types: Say = (text) => (world) => world.says(text)
const remembers: Say = (text) => (world) => world.memctl(['remember', text])

interface Pair {
  readonly name: string
  readonly earlier: string
  readonly later: string
  readonly harmful: RegExp
  readonly control: RegExp
  readonly command?: string
}

const PAIRS: readonly Pair[] = [
  {
    name: 'package manager',
    earlier: 'Always use npm, not pnpm.',
    later: 'Always use pnpm, not npm.',
    harmful: /use npm, not pnpm/i,
    control: /use pnpm, not npm/i,
    command: 'pnpm install',
  },
  {
    name: 'commits',
    earlier: 'Always squash commits before merging.',
    later: 'Never squash commits before merging.',
    harmful: /always squash/i,
    control: /never squash/i,
    command: 'git merge feature',
  },
  {
    name: 'パッケージ',
    earlier: 'パッケージの追加は必ずpnpmではなくnpmを使ってください。',
    later: 'パッケージの追加は必ずnpmではなくpnpmを使ってください。',
    harmful: /pnpmではなくnpm/,
    control: /[^p]npmではなくpnpm/,
    command: 'pnpm install',
  },
  {
    name: 'コミット',
    earlier: 'コミットメッセージは必ず日本語で書いてください。',
    later: 'コミットメッセージは日本語で書かないでください。',
    harmful: /日本語で書いて|日本語で書く|必ず日本語/,
    control: /日本語で書かない/,
    command: 'git commit -m x',
  },
]

const WAYS: readonly (readonly [string, Say, Say])[] = [
  ['typed, then typed', types, types],
  ['typed, then remembered', types, remembers],
  ['remembered, then typed', remembers, types],
  ['remembered, then remembered', remembers, remembers],
]

const saidTheOpposite: readonly Scenario[] = PAIRS.flatMap(({ name, earlier, later, command, ...shown }) =>
  WAYS.map(
    ([way, first, then]): Scenario => ({
      ...shown,
      kind: 'superseded',
      name: `${name}: ${way}`,
      before: first(earlier),
      play: then(later),
      probe: { prompt: later, ...(command && { command }) },
    }),
  ),
)

const superseded: readonly Scenario[] = [
  ...saidTheOpposite,
  {
    kind: 'superseded',
    name: 'supersede with a text',
    before: types('We deploy to the staging cluster by hand, never from a branch.'),
    play: (world) => world.memctl(['supersede', world.idOf('staging'), 'Deployments go through the release bot']),
    harmful: /staging/,
    control: /release bot/,
  },
  {
    kind: 'superseded',
    name: '文章で置き換え',
    before: remembers('テストは必ずDockerの中で実行する'),
    play: (world) => world.memctl(['supersede', world.idOf('Docker'), 'テストはローカルで実行する']),
    harmful: /Docker/,
    control: /ローカルで実行/,
    probe: { prompt: 'テストを実行してください' },
  },
  {
    kind: 'superseded',
    name: 'supersede --by',
    before: remembers('Log with the wombat library'),
    async play(world) {
      await world.memctl(['remember', 'All logging goes through src/log.ts'])
      await world.memctl(['supersede', world.idOf('wombat'), '--by', world.idOf('src/log.ts')])
    },
    harmful: /wombat/,
    control: /src\/log\.ts/,
    probe: { prompt: 'Add logging with the wombat library' },
  },
  ...['Run `make wombat` before `npm test`.', '`npm test` の前に `make wombat` を実行する。'].map(
    (line): Scenario => ({
      kind: 'superseded',
      name: `a model's replaces: ${line}`,
      before: (world) => world.answer(works(world), { entries: [lesson(line)] }),
      play: (world) =>
        world.answer(works(world), {
          entries: [lesson('Build prices first: `npm run build:prices`.', { replaces: ['wombat'] })],
        }),
      probe: PROBE,
      harmful: /wombat/,
      control: /build:prices/,
    }),
  ),
  {
    kind: 'superseded',
    name: 'for all projects, replaced in another project',
    before: (world) => world.memctl(['remember', 'Always use npm, not pnpm', '--scope', 'person']),
    play: (world) => world.memctl(['remember', 'Always use pnpm, not npm', '--scope', 'person'], 'blog'),
    harmful: /use npm, not pnpm/,
    control: /use pnpm, not npm/,
  },
]

const contradicted: readonly Scenario[] = [
  ...(
    [
      ['We use pnpm here, not npm.', 'Use npm, not pnpm, to install packages.', /use npm, not pnpm/i, /use pnpm here/i],
      [
        'Never run `npm run build:prices` by hand.',
        'Always run `npm run build:prices` by hand.',
        /always run/i,
        /never run/i,
      ],
      [
        'パッケージの追加は必ずnpmではなくpnpmを使ってください。',
        'パッケージの追加はpnpmではなくnpmを使う。',
        /pnpmではなくnpm/,
        /[^p]npmではなくpnpm/,
      ],
    ] as const
  ).flatMap(([rule, line, harmful, control]): Scenario[] => [
    {
      kind: 'contradicted',
      name: `a model against a typed rule: ${rule}`,
      async play(world) {
        await types(rule)(world)
        world.answer(works(world), { entries: [lesson(line)] })
      },
      probe: PROBE,
      harmful,
      control,
    },
    {
      kind: 'contradicted',
      name: `a model that replaces a remembered rule: ${rule}`,
      async play(world) {
        await remembers(rule)(world)
        world.answer(works(world), { entries: [lesson(line, { replaces: [rule.replace(/[.。]$/, '')] })] })
      },
      probe: PROBE,
      harmful,
      control,
    },
    {
      kind: 'contradicted',
      name: `a rule typed against a model's entry: ${rule}`,
      before: (world) => world.answer(works(world), { entries: [lesson(line)] }),
      play: types(rule),
      probe: PROBE,
      harmful,
      control,
    },
  ]),
  {
    kind: 'contradicted',
    name: "a project's rule against one for all projects",
    async play(world) {
      await world.memctl(['remember', 'Always use npm, not pnpm', '--scope', 'person'], 'blog')
      world.says('We use pnpm in this project, not npm.')
    },
    probe: { command: 'pnpm install' },
    harmful: /use npm, not pnpm/,
    control: /use pnpm in this project/i,
  },
  {
    kind: 'contradicted',
    name: 'what overcame a failure is forbidden by the person',
    play(world) {
      for (let i = 0; i < 3; i++) works(world)
      world.says('Never run `npm run build:prices`.')
    },
    probe: PROBE,
    harmful: /^- Run `npm run build:prices`/i,
    control: /never run/i,
  },
]

const outdated: readonly Scenario[] = [
  {
    kind: 'outdated',
    name: 'supersede --outdated of a typed rule',
    before: types(`Always deploy with the wombat script. ${CONTROL}`),
    play: (world) => world.memctl(['supersede', '--outdated', world.idOf('wombat')]),
    probe: { prompt: 'Deploy it with the wombat script', command: './wombat.sh' },
    harmful: /wombat/,
    control: CONTROL_SHOWN,
  },
  {
    kind: 'outdated',
    name: '覚えたことが古くなった',
    async before(world) {
      await remembers('デプロイは必ずwombatスクリプトで行う')(world)
      await remembers(CONTROL)(world)
    },
    play: (world) => world.memctl(['supersede', '--outdated', world.idOf('wombat')]),
    probe: { prompt: 'wombatスクリプトでデプロイして', command: './wombat.sh' },
    harmful: /wombat/,
    control: CONTROL_SHOWN,
  },
  {
    kind: 'outdated',
    name: 'for all projects, outdated in the project that said it',
    async before(world) {
      await world.memctl(['remember', 'Answer like a wombat', '--scope', 'person'])
      await world.memctl(['remember', 'Answer in short sentences', '--scope', 'person'])
    },
    play: (world) => world.memctl(['supersede', '--outdated', world.idOf('wombat')]),
    in: 'blog',
    harmful: /wombat/,
    control: /short sentences/,
  },
  ...(['outdated', 'wrong'] as const).flatMap((is) =>
    ['Run `make wombat` before `npm test`.', '`npm test` の前に `make wombat` を実行する。'].map(
      (line): Scenario => ({
        kind: 'outdated',
        name: `a model says ${is}: ${line}`,
        before: (world) => world.answer(works(world), { entries: [lesson(line)] }),
        play: (world) => world.answer(works(world), { known: [{ line: 'wombat', is }] }),
        probe: PROBE,
        harmful: /wombat/,
        control: CONTROL_SHOWN,
      }),
    ),
  ),
  {
    kind: 'outdated',
    name: 'a failure that no longer comes',
    before: (world) =>
      world.answer(works(world), {
        entries: [
          lesson('Run `make wombat` before `npm test`.', { when: [{ at: 'call', tool: 'Bash', has: ['npm test'] }] }),
        ],
      }),
    play(world) {
      // The call of the probe is silent, so that these sessions are not shown the entry.
      for (let i = 0; i < 12; i++)
        world.session((script) => script.asks('Run the tests.').runs('npm test', '12 passing').answers('They pass.'))
    },
    probe: { command: 'npm test' },
    harmful: /wombat/,
    control: CONTROL_SHOWN,
  },
  {
    kind: 'outdated',
    name: 'a way that is outdated, and works once more',
    before(world) {
      for (let i = 0; i < 3; i++) works(world)
    },
    async play(world) {
      await world.memctl(['supersede', '--outdated', world.idOf('build:prices')])
      works(world)
    },
    probe: PROBE,
    harmful: /^- Run `npm run build:prices`/,
    control: CONTROL_SHOWN,
  },
]

const forgotten: readonly Scenario[] = [
  ...(
    [
      ['typed', (world) => world.says(`Always tag releases with wombat-7. ${CONTROL}`)],
      ['タイプした', (world) => world.says(`リリースのタグは必ずwombat-7で始めてください。\n${CONTROL}`)],
      [
        'remembered',
        async (world) => {
          await remembers('Tag releases with wombat-7')(world)
          await remembers(CONTROL)(world)
        },
      ],
      [
        "a model's",
        (world) => world.answer(works(world), { entries: [lesson('Run `make wombat-7` before `npm test`.')] }),
      ],
    ] as readonly (readonly [string, (world: TwoProjects) => unknown])[]
  ).flatMap(([name, before]): Scenario[] => {
    const common = {
      kind: 'forgotten' as const,
      before,
      probe: { ...PROBE, prompt: 'How do we tag a release with wombat-7?' },
      harmful: /wombat-7/,
    }
    return [
      {
        ...common,
        name: `${name}, by its id`,
        async play(world) {
          await world.memctl(['forget', world.idOf('wombat-7'), '--yes'])
          world.says(CONTROL)
        },
        control: CONTROL_SHOWN,
      },
      {
        ...common,
        name: `${name}, by its text`,
        async play(world) {
          await world.memctl(['forget', '--text', 'wombat-7', '--yes'])
          world.says(CONTROL)
        },
        control: CONTROL_SHOWN,
      },
    ]
  }),
  {
    kind: 'forgotten',
    name: 'a session',
    before: (world) => world.says('Always tag releases with wombat-7.'),
    async play(world) {
      await world.memctl(['forget', '--session', 'session-1', '--yes'])
      world.says(CONTROL)
    },
    harmful: /wombat-7/,
    control: CONTROL_SHOWN,
  },
  {
    kind: 'forgotten',
    name: 'for all projects, seen from another one',
    before: (world) => world.memctl(['remember', 'Answer like a wombat-7', '--scope', 'person']),
    async play(world) {
      await world.memctl(['forget', world.idOf('wombat-7'), '--yes'])
      await world.memctl(['remember', 'Answer in short sentences', '--scope', 'person'])
    },
    in: 'blog',
    harmful: /wombat-7/,
    control: /short sentences/,
  },
]

export const CHANGED_SCENARIOS: readonly Scenario[] = [...superseded, ...contradicted, ...outdated, ...forgotten]
