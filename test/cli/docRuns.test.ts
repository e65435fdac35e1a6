// Documents show command lines. Here each line of a code block that begins with `memctl` runs as it is written, in a
// project with the memory of two weeks. What is written in capitals stands for a value of that memory.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DOCS } from './docFiles.ts'
import { newWorld, RECORDINGS, REPOSITORY, type World } from './testContext.ts'

const FIXTURES = path.join(REPOSITORY, 'test/fixtures')

/** Lines that do not run here, with the reason. A line that no document has is an error. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'memctl mcp': 'runs until its client ends',
  'memctl 412 memories · 3 notes shown · 140 tokens · last: Run `npm run build:prices` before `npm test`': 'no command',
  'memctl doctor --embedder --probe': 'asks a provider',
  'memctl organize --distill': 'asks a model',
  'memctl organize --distill --session SESSION': 'asks a model',
  'memctl hub migrate --url postgresql://me@db.example.com/team': 'needs a server',
  'memctl hub status --url postgresql://me@db.example.com/team': 'needs a server',
  'memctl hub connect postgresql://me@db.example.com/team': 'needs a hub',
  'memctl hub connect postgresql://me@db.example.com/team --name Aki': 'needs a hub',
  'memctl hub migrate': 'needs a hub',
  'memctl hub join': 'needs a hub',
  'memctl hub join --dry-run': 'needs a hub',
  'memctl hub join --project-key shop': 'needs a hub',
  'memctl hub grant mika --project github.com/acme/shop --write': 'needs a hub',
  'memctl hub revoke mika --project github.com/acme/shop': 'needs a hub',
  'memctl hub access': 'needs a hub',
  'memctl hub sync': 'needs a hub',
  'memctl import claude-mem': 'needs a Node with SQLite',
  'memctl import claude-mem --dry-run': 'needs a Node with SQLite',
  'memctl import claude-mem --from old-name': 'needs a Node with SQLite',
}

interface CodeLine {
  readonly file: string
  readonly line: string
}

/** The command lines of code blocks. The explanation begins after two spaces or with `#`. */
function listCodeLines(program: string): CodeLine[] {
  const begin = new RegExp(`^ {4}(${program} .*)$`, 'gm')
  return DOCS.flatMap((file) =>
    [...fs.readFileSync(path.join(REPOSITORY, file), 'utf8').matchAll(begin)].map(([, line = '']) => ({
      file,
      line: (line.split(/ {2,}| #/)[0] ?? '').trim(),
    })),
  )
}

/** The words of a line, as a shell would pass them. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

/** Without optional parts and dots; `a|b` becomes two lines. */
function spellOut(line: string): string[] {
  const plain = line
    .replaceAll(/\s*\[[^\]]*\]/g, '')
    .replaceAll('…', '')
    .trim()
  const choice = /\S+\|\S+/.exec(plain)?.[0]
  return choice ? choice.split('|').flatMap((word) => spellOut(plain.replace(choice, word))) : [plain]
}

let world: World
beforeAll(async () => {
  world = newWorld()
  const { store: folder } = await world.json<{ store: string }>('status')
  await world.dev('replay', RECORDINGS, '--project', '.', '--store', folder)
  const text = 'first line\n'.repeat(20)
  for (const file of ['src/tax.ts', 'notes.md', 'docs/AGENTS.md', 'CLAUDE.md', '../notes/shop.md']) write(file, text)
  write('answer.json', '{"summary":"","entries":[]}')
  const projects = '../.claude/projects'
  const transcripts = path.join(FIXTURES, 'transcripts/2.1.329/projects/-home-dev-shop')
  for (const name of fs.readdirSync(transcripts).filter((each) => each.endsWith('.jsonl'))) {
    const transcript = fs.readFileSync(path.join(transcripts, name), 'utf8')
    const moved = transcript.replaceAll('/home/dev/shop', path.join(world.folder, 'project'))
    for (const folder of [`${projects}/-home-me-shop`, 'from-my-old-machine']) write(`${folder}/${name}`, moved)
  }
  const own = path.join(world.folder, 'project').replaceAll(/[^a-zA-Z0-9]/g, '-')
  write(`${projects}/${own}/memory/MEMORY.md`, '- [Tests](tests.md): how to run them\n')
  write(`${projects}/${own}/memory/tests.md`, 'Run the tests with npm test.\n')
  await world.memctl('import', 'markdown', '../notes')
})
afterAll(() => world.end())

function write(file: string, text: string | Buffer): void {
  const target = path.join(world.folder, 'project', file)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, text)
}

/** A new memory for each line, so that no line needs what another one has erased. */
async function findValue(word: string): Promise<string> {
  const value = VALUES[word]
  return value === undefined ? word.replace(/^~/, world.folder) : value()
}

let count = 0
const STEPS = ['lint', 'build', 'audit', 'format', 'types', 'licences', 'deploy', 'coverage', 'release', 'pack']
const remember = async (): Promise<string> =>
  (await world.json<{ memory: { id: string } }>('remember', `Always run step ${STEPS[count++ % STEPS.length]}`)).memory
    .id
const VALUES: Readonly<Record<string, () => Promise<string> | string>> = {
  '5b0e7102': async () => (await world.json<{ imports: { id: string }[] }>('import', 'list')).imports[0]?.id ?? '',
  ID: remember,
  TEXT: () => 'Never deploy on a Friday',
  WORDS: () => 'prices',
  FILE: () => 'answer.json',
  DIR: () => RECORDINGS,
  SESSION: async () => (await world.json<{ sessions: { id: string }[] }>('list', '--sessions')).sessions[0]?.id ?? '',
}

const LINES = [
  ...new Map(listCodeLines('memctl').flatMap(({ file, line }) => spellOut(line).map((each) => [each, file]))),
]

test.each(LINES.filter(([line]) => !(line in LEFT_OUT)))('docs: `%s` in %s runs as it is written', async (line) => {
  const [command = ''] = line.split(' > ')
  const name = command.includes('report') ? command.replace('FILE', 'report.html') : command
  const words = await Promise.all(splitWords(name).slice(1).map(findValue))
  const { status, out, err } = await world.memctl(...words)
  // Without a terminal, a deletion shows what it would delete and asks for --yes.
  const asks = /--yes/.test(err)
  // A replay that takes answers stops with 3 until all of them are there.
  const waits = words.includes('--answers') && / waits for an answer: /.test(out)
  expect(status, `${out}${err}`).toBe(waits ? 3 : asks ? 2 : 0)
})

test('docs: every line that is left out is in a document', () => {
  const lines = new Set(LINES.map(([line]) => line))
  expect(Object.keys(LEFT_OUT).filter((line) => !lines.has(line))).toEqual([])
})

test.each(listCodeLines('(?:npm run|npm test|npx vitest|node)').map(({ line, file }) => [line, file] as const))(
  'docs: the scripts and files of `%s` in %s exist',
  (line) => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    const names = [...line.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name)
    const files = [...line.matchAll(/\b(?:test|bench)\/[\w/.-]+/g)].map(([file]) => file)
    expect(names.filter((name) => !(name in scripts))).toEqual([])
    expect(files.filter((file) => !fs.existsSync(path.join(REPOSITORY, file)))).toEqual([])
  },
)
