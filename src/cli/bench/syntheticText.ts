// Generated words, files, commands and errors, with frequencies as in a real project (Zipf).
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

/** Distinct words and files, as in a project of some years. */
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

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const testOf = (file: string): string => file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts')

export function randomWord(random: Random): string {
  const rank = random.rank(WORDS_MAX)
  return COMMON[rank] ?? identifierOf(rank)
}

/** A camel-case name, a different one for each number. */
function identifierOf(number: number): string {
  const nounAt = (index: number): string => capital(NOUNS[Math.floor(index) % NOUNS.length] ?? '')
  return `${VERBS[number % VERBS.length]}${nounAt(number / VERBS.length)}${nounAt(number / 977)}`
}

export function randomFilePath(random: Random): string {
  const rank = random.rank(FILES_MAX)
  const area = AREAS[rank % AREAS.length]
  const [noun, other] = [
    Math.floor(rank / AREAS.length) % NOUNS.length,
    Math.floor((rank * 7) / AREAS.length) % NOUNS.length,
  ]
  return `src/${area}/${NOUNS[noun]}-${NOUNS[other]}.ts`
}

export function randomSentence(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => randomWord(random)).join(' ')
  return `${capital(text)}.`
}

export const randomParagraph = (random: Random, sentences: number): string =>
  Array.from({ length: sentences }, () => randomSentence(random, 7 + random.below(12))).join(' ')

export const randomCommand = (random: Random, file: string): string => random.pick(COMMANDS)(file)

/** The output of a failing command: one of the project's errors with a stack. */
export function randomError(random: Random, file: string): string {
  const name = identifierOf(random.rank(400))
  const line = 10 + random.below(200)
  const head = random.pick([
    `TypeError: Cannot read properties of undefined (reading '${name}')`,
    `Error: Cannot find module './${name}'`,
    `AssertionError: expected ${random.below(900)} to be ${random.below(900)} // ${name}`,
    `${file}(${line},7): error TS2345: Argument of type 'string' is not assignable to parameter of type ` +
      `'${capital(name)}'.`,
    `ReferenceError: ${name} is not defined`,
    `Error: connect ECONNREFUSED 127.0.0.1:${5000 + random.below(40)}`,
    `Error: Timeout of 5000ms exceeded in ${name}`,
  ])
  const stack = Array.from(
    { length: 4 + random.below(5) },
    () =>
      `    at ${identifierOf(random.rank(WORDS_MAX))} ` +
      `(/srv/shop/${randomFilePath(random)}:${10 + random.below(300)}:${1 + random.below(60)})`,
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
    ` Tests  1 failed | ${20 + random.below(300)} passed`,
  ].join('\n')
}

/** The output of a passing command. */
export const randomOutput = (random: Random): string =>
  [
    '> shop@3.2.0 test',
    '',
    ...Array.from({ length: 3 + random.below(10) }, () => ` ✓ ${randomSentence(random, 6)} (${random.below(40)} ms)`),
  ].join('\n')

/** Some lines of TypeScript. */
export const randomCode = (random: Random): string =>
  [
    `export function ${identifierOf(random.rank(WORDS_MAX))}(${randomWord(random)}s: readonly number[]): number {`,
    ...Array.from(
      { length: 3 + random.below(12) },
      () =>
        `  const ${identifierOf(random.rank(3000))} = ${randomWord(random)}s.length // ${randomSentence(random, 5)}`,
    ),
    '  return 0',
    '}',
  ].join('\n')
