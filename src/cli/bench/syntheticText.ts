// A made-up project to measure with: its words, files, commands and errors, as often as such things turn up.
import type { Random } from './seededRandom.ts'

const COMMON =
  `the a of to in is for and when with it that on from not this be as are by after we before only if should then one an
  at all or no has must because which test error value file call type result returns fails use function list order run
  time new first each empty user request response id name line state date field page query cache key row data price
  total stock queue retry token limit header client server session schema index table column config option default
  import export module build lint check release branch commit merge review change fix bug crash timeout lock race
  memory leak slow fast large small wrong right missing null undefined number string array object map set sum rounding
  currency invoice order customer address payment refund tax discount coupon cart checkout shipping label parcel
  warehouse supplier report export csv json yaml markdown template email webhook event job worker schedule migration
  rollback seed fixture snapshot mock stub coverage flaky parallel sequential sort filter group page cursor offset`
    .trim()
    .split(/\s+/)

const VERBS =
  'parse format load store read write merge split check apply build render send fetch sync count round'.split(' ')
const NOUNS =
  `invoice order customer payment refund tax discount cart parcel label stock supplier report template webhook job
  worker schedule migration fixture snapshot session token limit header cursor page filter row column schema index
  cache key event queue retry batch chunk stream buffer field option default locale currency address route guard`
    .trim()
    .split(/\s+/)

const AREAS =
  'billing cart catalog checkout customers exports imports jobs mail orders payments reports search shipping'.split(' ')

/** Distinct words, files: what a project of some years has. */
const WORDS_MAX = 20_000
const FILES_MAX = 2_000

const COMMANDS = [
  () => 'npm test',
  (file: string) => `npx vitest run ${testOf(file)}`,
  () => 'npm run lint',
  () => 'npx tsc --noEmit',
  () => 'npm run build',
  (file: string) => `git add ${file} && git commit -m "fix: round once"`,
  (file: string) => `rg -n "export function" ${file}`,
  () => 'git status --short',
  () => 'docker compose up -d db',
  (file: string) => `node --test ${testOf(file)}`,
] as const

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)
const testOf = (file: string): string => file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')

export function randomWord(chance: Random): string {
  const rank = chance.rank(WORDS_MAX)
  return rank < COMMON.length ? COMMON[rank]! : identifierOf(rank)
}

/** A camel-case name, one for each number. */
function identifierOf(number: number): string {
  const [verb, noun, other] = [number % VERBS.length, Math.floor(number / VERBS.length), Math.floor(number / 977)]
  return `${VERBS[verb]}${capital(NOUNS[noun % NOUNS.length]!)}${capital(NOUNS[other % NOUNS.length]!)}`
}

export function randomFilePath(chance: Random): string {
  const rank = chance.rank(FILES_MAX)
  const area = AREAS[rank % AREAS.length]!
  const [noun, other] = [
    Math.floor(rank / AREAS.length) % NOUNS.length,
    Math.floor((rank * 7) / AREAS.length) % NOUNS.length,
  ]
  return `src/${area}/${NOUNS[noun]}-${NOUNS[other]}.ts`
}

export function randomSentence(chance: Random, words: number): string {
  const text = Array.from({ length: words }, () => randomWord(chance)).join(' ')
  return `${capital(text)}.`
}

export const randomParagraph = (chance: Random, sentences: number): string =>
  Array.from({ length: sentences }, () => randomSentence(chance, 7 + chance.below(12))).join(' ')

export const randomCommand = (chance: Random, file: string): string => chance.pick(COMMANDS)(file)

/** What a failing command printed: one of the errors this project has, with the stack around it. */
export function randomError(chance: Random, file: string): string {
  const name = identifierOf(chance.rank(400))
  const line = 10 + chance.below(200)
  const head = chance.pick([
    `TypeError: Cannot read properties of undefined (reading '${name}')`,
    `Error: Cannot find module './${name}'`,
    `AssertionError: expected ${chance.below(900)} to be ${chance.below(900)} // ${name}`,
    `${file}(${line},7): error TS2345: Argument of type 'string' is not assignable to parameter of type '${capital(name)}'.`,
    `ReferenceError: ${name} is not defined`,
    `Error: connect ECONNREFUSED 127.0.0.1:${5000 + chance.below(40)}`,
    `Error: Timeout of 5000ms exceeded in ${name}`,
  ])
  const stack = Array.from(
    { length: 4 + chance.below(5) },
    () =>
      `    at ${identifierOf(chance.rank(WORDS_MAX))} (/srv/shop/${randomFilePath(chance)}:${10 + chance.below(300)}:${1 + chance.below(60)})`,
  )
  return [
    'Exit code 1',
    '',
    '> shop@3.2.0 test',
    '> vitest run',
    '',
    head,
    ...stack,
    '',
    ` Tests  1 failed | ${20 + chance.below(300)} passed`,
  ].join('\n')
}

/** What a passing command printed. */
export const randomOutput = (chance: Random): string =>
  [
    '> shop@3.2.0 test',
    '',
    ...Array.from({ length: 3 + chance.below(10) }, () => ` ✓ ${randomSentence(chance, 6)} (${chance.below(40)} ms)`),
  ].join('\n')

/** Some lines of TypeScript about a file's matter. */
export const randomCode = (chance: Random): string =>
  [
    `export function ${identifierOf(chance.rank(WORDS_MAX))}(${randomWord(chance)}s: readonly number[]): number {`,
    ...Array.from(
      { length: 3 + chance.below(12) },
      () =>
        `  const ${identifierOf(chance.rank(3000))} = ${randomWord(chance)}s.length // ${randomSentence(chance, 5)}`,
    ),
    '  return 0',
    '}',
  ].join('\n')
