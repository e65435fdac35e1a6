// The architecture as a test: which folder may import which, which files may use disk, stdout, clock or network, which
// words may not return, and what may not grow.
//
// To import another folder or to use a privilege, add it here with its reason. architecture/*.test.ts prove the rules.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { COMMAND_GROUPS } from '../src/cli/help/formatHelp.ts'
import { HOOK_REGISTRATIONS } from '../src/model/hookEvents.ts'
import { isNameSpec, isNumberSpec, POLICY_SCHEMA } from '../src/model/policySchema.ts'
import { ALONE } from '../vitest.config.ts'
import { yamlForEsbuild } from '../yaml-import.mjs'
import {
  countLines,
  findEmptyCatches,
  findLongLines,
  findLongParameterLists,
  findNonNullAssertions,
  findPackingSpreads,
  findUnusedExports,
  groupByFile,
} from './architecture/ceilings.ts'
import { findFileCycles, findFolderCycles, findLayerCycles, findOrderBreaches } from './architecture/cycles.ts'
import { ALLOWED_TEXTS, RETIRED, RETIRED_IN_NAMES } from './architecture/retiredWords.ts'
import {
  findForbiddenImports,
  findForbiddenSyntax,
  findMisshapenFiles,
  findPrivilegeBreaches,
  findVagueNames,
  type Layers,
  type Privilege,
  type Tree,
} from './architecture/rules.ts'
import { findRetiredNames, findRetiredTexts, findUnusedAllowances } from './architecture/words.ts'

const BASE = ['src/model', 'src/text']
const PHASES = ['src/record', 'src/organize', 'src/recall', 'src/improve']
/** One line that later sessions can use: what it is about, its record, when it is shown. Phases share it. */
const KNOWLEDGE = 'src/knowledge'
const CORE = ['src/broker', KNOWLEDGE, 'src/entries', 'src/store', 'src/embed', 'src/distill', ...BASE]

/**
 * The layers: a folder or file, and what it may import. The phases never import one another: they share data on disk.
 *
 *   hooks/ ──▶ hook ─────────────┐
 *   cli, mcp, report, index.ts ──┴▶ broker ──▶ phases, store, embed ──▶ model, text
 *
 * bench/ is for developers and in no package: it may import everything, also the database of the tests, and nothing may
 * import it.
 */
const PRODUCT: Layers = {
  policies: [],
  'src/modules.d.ts': [],
  'src/packages': [],
  'src/model': [],
  'src/text': ['src/model'],
  // The payload of a hook is defined by record. broker and hook pass it on.
  'src/record/hookPayload.ts': [],
  [KNOWLEDGE]: BASE,
  ...Object.fromEntries(PHASES.map((phase) => [phase, [KNOWLEDGE, ...BASE]])),
  'src/record': ['src/record/hookPayload.ts', ...BASE],
  'src/store': ['src/packages', ...BASE],
  'src/http': ['src/model'],
  'src/embed': ['src/http', 'src/packages', ...BASE],
  // The optional model that reads a session: digest, request, answer.
  'src/distill': ['src/http', KNOWLEDGE, ...BASE],
  // The changes that travel between the machines of a team, and how they are merged.
  'src/team': [KNOWLEDGE, ...BASE],
  // The format of entry files, and the folders that hold them.
  'src/entries': ['src/store', ...BASE],
  // A PostgreSQL of a team. It reads certificates and the password file with the checks of the store.
  'src/database': ['src/packages', 'src/store', 'src/team', ...BASE],
  // The table of hook events: installation and replay read it, and it imports nothing.
  'src/model/hookEvents.ts': [],
  'src/broker': [
    'src/store',
    'src/team',
    'src/database',
    'src/entries',
    'src/embed',
    'src/distill',
    KNOWLEDGE,
    ...PHASES,
    'src/record/hookPayload.ts',
    ...BASE,
    'src/model/hookEvents.ts',
    'policies',
  ],
  'src/hook': [
    'src/model/hookEvents.ts',
    'src/broker',
    'src/entries',
    'src/store',
    'src/record/hookPayload.ts',
    ...BASE,
  ],
  'src/report': CORE,
  // The report as an HTML file, which only `memctl report` loads, with the packages that draw its charts.
  'src/report/html': ['src/report', ...CORE],
  // One description of each tool for the CLI, the MCP server and the library.
  'src/tools': CORE,
  // The server also runs hooks, if the client is configured so.
  'src/mcp': ['src/hook', 'src/model/hookEvents.ts', 'src/record/hookPayload.ts', 'src/tools', 'src/report', ...CORE],
  // The classes of the source documents, for programs. Like every entry point they call the broker.
  'src/library': ['src/tools', 'src/database', ...CORE],
  'src/index.ts': ['src/library', 'src/tools', 'src/database', 'src/record/hookPayload.ts', ...CORE],
  // `memctl organize --sleep AGENT` runs the same code as the library.
  'src/cli': [
    'src/mcp',
    'src/tools',
    'src/library',
    'src/database',
    'src/report',
    'src/report/html',
    'src/hook',
    'src/model/hookEvents.ts',
    'src/record/hookPayload.ts',
    ...CORE,
  ],
  hooks: ['src/hook', 'src/broker'],
}
const LAYERS: Layers = { ...PRODUCT, 'test/database': [], bench: [...Object.keys(PRODUCT), 'test/database'] }

/** Which folders and files may use what, with the reason. An unused privilege is a breach too. */
const PRIVILEGES: readonly Privilege[] = [
  {
    name: 'the disk',
    imports: /^(?:node:)?fs(?:\/|$)/,
    allowed: {
      'src/store/disk/files.ts': 'the only access to the disk for everything that is stored',
      'src/store/disk/diskCalls.ts': 'the calls behind it',
      'src/store/disk/untrustedFiles.ts': 'reads what a repository brings: regular files, no links, never too much',
      'src/store/project/project.ts': 'finds the project by its .git, before a store is open',
      'src/store/project/gitFolder.ts': 'finds the git folder of a work tree for that, and reads its config',
      'src/store/project/folderEvidence.ts': 'reads inodes and times of creation, to know a folder that was renamed',
      'src/database/connectionUrl.ts': 'reads who else may read the password file of the user',
      'src/store/disk/lock.ts': 'moves a stale lock aside, and reads start times from /proc',
      'src/distill/models/askClaude.ts': 'reads the .cmd by which npm starts a client on Windows',
      'src/hook/readPayload.ts': 'reads stdin by file descriptor, without waiting',
      'src/hook/runHook.ts': 'writes stdout synchronously, by file descriptor',
      'src/hook/superviseWorker.ts': 'reads how much memory the worker takes',
      'src/hook/worker.ts': 'writes each step to the pipe of the watchdog',
      'src/hook/bootstrap.ts': 'reads the code of a hook and its code cache, before a store is open',
      'src/hook/buildCodeCaches.ts': 'runs that code on a temporary store, with its own file functions',
      'src/cli': 'settings and files of the user, which belong to no store',
      bench: 'labelled files and run files of a developer',
    },
  },
  {
    name: 'writing to the event log',
    syntax: /\bappendEvents\b/g,
    allowed: {
      'src/store/log/eventLog.ts': 'defines it',
      'src/broker/commit/commitEvents.ts': 'commits the events of all writers',
    },
  },
  {
    name: 'other processes',
    imports: /^(?:node:)?(?:child_process|cluster|worker_threads)$/,
    allowed: {
      'src/cli/slashCommands.ts': 'reads the command line of the shell that started it',
      'bench/bounds/fuzzProcesses.ts': 'runs every command as a process',
      'src/hook/superviseWorker.ts': 'starts the worker as a child',
      'src/hook/spawnDetached.ts': 'starts the detached worker',
      'src/library/derivedFiles.ts': 'starts the thread that writes snapshots, so that a program is not blocked',
      'src/library/derivedFilesThread.ts': 'is this thread',
      'src/distill/models/askClaude.ts': 'runs the client of the user without tools and hooks, if it is configured',
      'bench/replay/replayThroughHooks.ts': 'runs their worker',
      'src/cli/doctor': 'checks that hooks and native modules start',
      'src/cli/install/runtimeFolder.ts': 'runs a worker that builds the code caches',
      'src/cli/commands/report.ts': 'opens the report with the program that the system has for it',
      'bench/hooks/pairedTiming.ts': 'measures whole processes',
      'bench/eval/notesCommand.ts': 'runs the scorer of the notes',
      'bench/perf/benchTools.ts': 'starts an MCP server as a client does',
      'bench/entries/raceCommand.ts': 'runs the processes of the race',
      'bench/fixture/processes.ts': 'starts hooks, and processes to kill',
    },
  },
  {
    name: 'stdout and stderr',
    syntax: /\bprocess\.(?:stdout|stderr)\b|\bconsole\.|\bwriteSync\(\s*[12]\b/g,
    allowed: {
      'src/mcp/main.ts': 'prints an error before it ends',
      'src/hook/runHook.ts': 'answers the client with a single write',
      'src/hook/bootstrap.ts': 'says at the start of a session that Node is too old',
      'src/cli/main.ts': 'passes its streams to the command',
      'src/cli/slashMain.ts': 'passes its output to a slash command',
      'src/cli/statuslineMain.ts': 'prints the status line',
      'bench/main.ts': 'passes its streams to the commands of developers',
      'src/mcp/serveTools.ts': 'detects a slow or closed client',
    },
  },
  {
    name: 'the clock',
    syntax: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.|\bprocess\.hrtime\b/g,
    allowed: {
      'src/hook/readPayload.ts': 'ends a read in time',
      'src/hook/runHook.ts': 'time of a payload',
      'src/hook/worker.ts': 'time at which a session was organized',
      'src/hook/recordFault.ts': 'time of a fault, and time at which a worker was ended',
      'src/store/disk/lock.ts': 'age of a lock without a start time',
      'src/http/postJson.ts': 'time left until the date in a Retry-After header',
      'src/mcp/main.ts': 'time of a tool call',
      'src/library/processDefaults.ts': 'time of a call by a program',
      'src/cli': 'time of a command; time at which a runtime was installed; measurements',
      bench: 'measurements, and the time of a question without one',
    },
  },
  {
    name: 'randomness',
    syntax: /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b/g,
    allowed: {
      'src/tools/definition/toolContext.ts':
        'ids of what a tool stores: two concurrent calls must not create the same id',
      'src/library/processDefaults.ts': 'ids of what a program stores, for the same reason',
      'src/broker/team/syncProjects.ts': 'ids of copies of a store: two copies must not have the same',
      'src/database/connectionPool.ts': 'spreads the attempts of many clients to connect again',
    },
  },
  {
    name: 'the environment',
    syntax: /\bprocess\.env\b/g,
    allowed: {
      'src/hook/runHook.ts': 'passes it to the broker, which never reads the environment',
      'bench/bounds/fuzzProcesses.ts': 'passes the search path to commands',
      'src/hook/superviseWorker.ts': 'passes it to the worker',
      'src/hook/recordFault.ts': 'passes it to the broker',
      'src/hook/worker.ts': 'passes it to the broker, for the worker',
      'src/hook/bootstrap.ts': 'finds the home folder with the code caches; sets it for an installed runtime',
      'src/cli/main.ts': 'passes it to the command',
      'bench/replay/replayClock.ts': 'the recorded time at which a hook of a replay begins',
      'src/cli/slashMain.ts': 'passes it to a slash command',
      'src/cli/statuslineMain.ts': 'passes it to the broker, and finds the width of the terminal',
      'bench/main.ts': 'passes it to the commands of developers',
      'src/library/processDefaults.ts': 'passes it to the broker if the program passes none',
      'src/database/database.ts': 'names user, password file and certificates, as for psql, if the caller passes none',
      'src/mcp/main.ts': 'passes it to the server',
      'src/cli/install/installation.ts': 'finds the settings of the client',
    },
  },
  {
    name: 'the end of the process',
    syntax: /\bprocess\.(?:exit|abort|exitCode|kill)\b/g,
    allowed: {
      'src/hook/readPayload.ts': 'ends a hook within its time limit',
      'src/hook/runHook.ts': 'ends a hook within its time limit',
      'src/mcp/main.ts': 'exit status after an error',
      'src/cli/slashMain.ts': 'exit status after an error',
      'src/cli/slashCommands.ts': 'ends the shell that would read on behind a text',
      'src/cli/statuslineMain.ts': 'exit status after an error',
      'src/hook/superviseWorker.ts': 'ends with the worker',
      'src/hook/worker.ts': 'ends the worker within its time limit',
      'src/cli/main.ts': 'exit status of a command',
      'bench/main.ts': 'exit status of the commands of developers',
      'bench/fixture/processes.ts': 'kills what the fault injector has started',
      'src/store/disk/lock.ts': 'checks with signal 0 whether the owner of a lock is alive',
    },
  },
  {
    name: 'the network',
    imports: /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|undici|pg|postgres)(?:\/|$)/,
    syntax: /(?<![.\w])(?:fetch|WebSocket|XMLHttpRequest)\s*\(/g,
    allowed: {
      'src/http/postJson.ts': 'calls the embedder and the model that the user has configured',
      'src/database/connectionUrl.ts': 'has the type of the settings of its encryption',
      'src/database/guardedClient.ts': 'loads the client of PostgreSQL, for the database that the user has configured',
    },
  },
  {
    name: 'lowdb',
    imports: /^lowdb(?:\/|$)/,
    allowed: { 'src/store/disk/jsonFile.ts': 'small JSON files, replaced as a whole' },
  },
  {
    name: 'yaml',
    imports: /^yaml(?:\/|$)/,
    allowed: {
      'src/broker/open/configFile.ts':
        'reads config and policies with positions, and writes one value of config.yaml, for commands and the worker',
      'src/entries/entryFormat.ts': 'reads and writes front matter, for commands, tools and the worker',
    },
  },
  {
    name: 'modules that not every Node has',
    syntax: /\bgetBuiltinModule\b/g,
    allowed: { 'src/broker/transfer/sources/claudeMem.ts': 'reads the database of another program with SQLite' },
  },
  {
    name: 'commander',
    imports: /^commander(?:\/|$)/,
    allowed: { 'src/cli': 'defines the commands', bench: 'defines the commands of developers' },
  },
  {
    name: 'the MCP SDK',
    imports: /^@modelcontextprotocol\//,
    allowed: { 'src/mcp': 'implements MCP, in a bundle that nothing else loads' },
  },
  {
    name: 'hnswlib-node',
    imports: /^hnswlib-node(?:\/|$)/,
    allowed: { 'src/store/vectors/vectorIndex.ts': 'loads it if it is installed, and never in a hook' },
  },
  {
    name: '@xenova/transformers',
    imports: /^@xenova\//,
    allowed: { 'src/embed/modelEmbedders.ts': 'the optional local models' },
  },
]

const VAGUE_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'types', 'manager', 'service', 'misc', 'shared']

const FORBIDDEN_SYNTAX = {
  '@ts-ignore': /@ts-(?:ignore|nocheck)/g,
  any: /(?<=[:<|&,(=]\s*|\bas\s+|\bextends\s+)\bany\b(?!\s*[:(.?])/g,
  enum: /^\s*(?:export\s+)?(?:const\s+)?enum\s+\w/gm,
  namespace: /^\s*(?:export\s+)?(?:declare\s+)?namespace\s+\w/gm,
  'export *': /^\s*export\s+\*/gm,
}

/**
 * What one script runs of the minified hooks, in bytes: every tool call loads one. Hooks that recall include the index
 * reader; the hook of results loads its notes only for a failure that a pipe has hidden.
 */
const RECORDING_HOOK_BYTES_MAX = 101_248 // 12 KiB of it for the forms of secrets, .25 ms
/** The end of a subagent, with the patterns of its report. */
const REPORT_HOOK_BYTES_MAX = 107_000
const RECALLING_HOOK_BYTES_MAX = 162_816 // 1.5 KiB of it for Windows and macOS
/** The hook of prompts also has the words by which it stays silent, and those by which a person states something. */
const PROMPT_HOOK_BYTES_MAX = 185_600
const LOADED_LATER = '../src/broker/handlers/hiddenFailureNotes.ts'
const RECALLING = ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use-failure', 'subagent-start']

/** Folders with sub-folders that import one another. To be empty; no folder may be added. */
const CYCLIC_FOLDERS: readonly string[] = []

const words = (...lists: string[]): string[] => lists.flatMap((list) => list.split(' '))

/** The sub-folders of a folder, low to high: each may import those before it. */
const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  'src/broker': words(
    'open hub policy projection commit embedding maintenance live queries commands distill search entries forget',
    'team transfer projects handlers transcripts checks',
  ),
  'src/store': words('disk log index snapshot vectors project'),
  'src/tools': words('definition memory entries everyday'),
}

/** What the code should have less of. A ceiling may only go down. */
const CEILINGS = {
  nonNullAssertions: 88, // src and hooks; nearly all read typed arrays in hot loops
  packingSpreads: 0,
  longParameterLists: 0, // functions with more than PARAMETERS_MAX
  unusedExports: 0,
  longLines: 59, // target: 0; src, hooks and bench
  longTestLines: 60, // target: 0
  longDocLines: 0, // docs/, README and the other Markdown files
  emptyCatches: 0, // without a reason
}

/** How large memctl may be. To raise one of these numbers, another one goes down in the same commit. */
const SIZES_MAX = {
  'lines of src and hooks': 72_456, // target: 40,000
  'files of src and hooks': 434, // target: 300
  'commands of memctl': 25, // target: 18
  'numbers of a policy': 57, // target: 30
  'lines of docs and READMEs': 2_930, // target: 2,000
  'files of the plugin': 40, // target: 25
  'kilobytes of the plugin': 2_971, // target: 1,500
}

const PARAMETERS_MAX = 4
const COLUMNS_MAX = 120

// Their signature is that of a source document.
const MAY_HAVE_MORE_PARAMETERS = /^src\/library\/.*: constructor$/

const TOP = [
  '.ci .claude .claude-plugin .gitattributes .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE README.ja.md README.md',
  'bench biome.json build-types.d.mts build-types.mjs build.mjs commands docs hooks package-lock.json package.json',
  'plugin policies recordings skills src test tsconfig.json',
  'vitest.client.config.ts vitest.config.ts yaml-import.d.mts yaml-import.mjs',
].flatMap((line) => line.split(' '))

const ROOT = path.resolve(import.meta.dirname, '..')
const tree = treeOf('src', 'hooks', 'bench')
const product = treeOf('src', 'hooks')
const tests = treeOf('test')

/** Mocks of modules, clocks and functions, and what all code of a process has in common. */
const CHANGES_PROCESS = new RegExp(
  [
    String.raw`\bvi\.(?:mock|doMock|hoisted|spyOn|stub|useFake)`,
    String.raw`\bprocess\.(?:chdir|umask)\(`,
    String.raw`\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bdelete process\.env`,
  ].join('|'),
)

describe('architecture', () => {
  test('architecture: every import is allowed by the layers, and the layers form no cycle', () => {
    expect(findLayerCycles(LAYERS)).toEqual([])
    expect(findForbiddenImports(tree, LAYERS, ['src/packages'])).toEqual([])
  })

  test('architecture: no cycle of imports between files', () => {
    expect(findFileCycles(tree)).toEqual([])
  })

  test('architecture: no cycle of imports between the folders of a folder, except in those listed', () => {
    const cycles = findFolderCycles(tree)
    const unknown = cycles.filter(({ folder }) => !CYCLIC_FOLDERS.includes(folder))
    expect(unknown).toEqual([])
    // A folder without a cycle has to leave the list.
    expect(CYCLIC_FOLDERS.filter((folder) => !cycles.some((cycle) => cycle.folder === folder))).toEqual([])
  })

  test('architecture: a folder imports only those before it in the order of their parent', () => {
    expect(findOrderBreaches(tree, FOLDER_ORDER)).toEqual([])
  })

  test('architecture: no retired word in the names of files and exports', () => {
    expect(findRetiredNames(tree, [...RETIRED, ...RETIRED_IN_NAMES])).toEqual([])
    expect(findRetiredNames(new Map([...tests.keys()].map((file) => [file, ''])), RETIRED)).toEqual([])
  })

  test('architecture: no retired word in texts for users', () => {
    expect(findRetiredTexts(product, RETIRED, ALLOWED_TEXTS)).toEqual([])
    expect(findUnusedAllowances(product, RETIRED, ALLOWED_TEXTS)).toEqual([])
  })

  test.each([
    ['non-null assertions', 'nonNullAssertions', findNonNullAssertions(product)],
    ['spreads that only pack properties', 'packingSpreads', findPackingSpreads(tree)],
    [
      'functions with too many parameters',
      'longParameterLists',
      findLongParameterLists(tree, PARAMETERS_MAX, MAY_HAVE_MORE_PARAMETERS),
    ],
    ['unused exports', 'unusedExports', findUnusedExports(tree, new Map([...tree, ...tests]), ['src/index.ts'])],
    ['long lines', 'longLines', findLongLines(tree, COLUMNS_MAX)],
    ['long lines in tests', 'longTestLines', findLongLines(tests, COLUMNS_MAX)],
    ['long lines in docs', 'longDocLines', findLongLines(readMarkdown(), COLUMNS_MAX)],
    ['empty catches without a reason', 'emptyCatches', findEmptyCatches(tree)],
  ] as const)('architecture: the number of %s does not grow', (_, ceiling, places) => {
    expect(places.length, groupByFile(places)).toBeLessThanOrEqual(CEILINGS[ceiling])
  })

  test('architecture: memctl does not grow', () => {
    expect(Object.keys(measureSizes())).toEqual(Object.keys(SIZES_MAX))
    const grown = Object.entries(measureSizes()).filter(
      ([what, size]) => size > SIZES_MAX[what as keyof typeof SIZES_MAX],
    )
    expect(grown, 'Another of these numbers has to go down in the same commit: CONTRIBUTING.md').toEqual([])
  })

  test('architecture: only the named files use disk, processes, stdout, clock, network and packages', () => {
    expect(findPrivilegeBreaches(tree, PRIVILEGES)).toEqual([])
  })

  test('architecture: a test that changes its process shares it with no other file', () => {
    const changing = [...tests].filter(([name, text]) => name.endsWith('.test.ts') && CHANGES_PROCESS.test(text))
    expect(changing.map(([name]) => name).filter((name) => !ALONE.includes(name))).toEqual([])
  })

  test('architecture: the name of a file says what it is for', () => {
    expect(findVagueNames([...tree.keys(), ...tests.keys()], VAGUE_NAMES)).toEqual([])
  })

  test('architecture: no any, no enum, no namespace, no barrel, no disabled compiler check', () => {
    expect(findForbiddenSyntax(tree, FORBIDDEN_SYNTAX)).toEqual([])
  })

  test('architecture: a file is one idea: a header of 1 to 12 lines, 400 lines at most', () => {
    // An idea that is cut into files of 50 lines is as hard to follow as several ideas in one file.
    expect(findMisshapenFiles(tree, 12, 400)).toEqual([])
  })

  test('architecture: the root of the repository holds the listed names and nothing else', () => {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    const names = listed.toString().split('\n').filter(Boolean)
    const present = names.filter((name) => fs.existsSync(path.join(ROOT, name))).map((name) => name.split('/')[0]!)
    expect([...new Set(present)].filter((name) => !TOP.includes(name))).toEqual([])
    expect(TOP.filter((name) => !present.includes(name))).toEqual([])
  })

  test('architecture: a hook runs little code, without packages, and with few modules of Node', async () => {
    for (const { script } of HOOK_REGISTRATIONS) {
      const { metafile } = await build({
        absWorkingDir: ROOT,
        entryPoints: [`hooks/${script}.ts`],
        bundle: true,
        minify: true,
        format: 'cjs',
        platform: 'node',
        target: 'node20',
        plugins: [yamlForEsbuild],
        metafile: true,
        write: false,
        outdir: 'dist/hooks',
        external: [LOADED_LATER],
      })
      const recallingMax = script === 'user-prompt-submit' ? PROMPT_HOOK_BYTES_MAX : RECALLING_HOOK_BYTES_MAX
      const recordingMax = script === 'subagent-stop' ? REPORT_HOOK_BYTES_MAX : RECORDING_HOOK_BYTES_MAX
      const bytesMax = RECALLING.includes(script) ? recallingMax : recordingMax
      const [output] = Object.values(metafile.outputs)
      const foreign = Object.keys(output!.inputs).filter((file) => !/^(?:hooks|src|policies)\//.test(file))
      const modules = output!.imports
        .map(({ path: name }) => name)
        .filter((name) => ![...HOOK_MODULES, LOADED_LATER].includes(name))
      const startsProcess = output!.imports.some(({ path: name }) => name === 'node:child_process')
      expect({ script, foreign, modules, small: output!.bytes <= bytesMax }).toEqual({
        script,
        foreign: [],
        modules: [],
        small: true,
      })
      // Loading it costs a cold hook some milliseconds: only the hooks that start the worker may, and do so only then.
      expect([script, startsProcess]).toEqual([
        script,
        !['subagent-start', 'pre-compact', 'post-compact'].includes(script),
      ])
    }
  })
})

const HOOK_MODULES = ['node:fs', 'node:path', 'node:child_process']

function measureSizes(): Record<keyof typeof SIZES_MAX, number> {
  const plugin = readTree(['plugin'], /./, 'latin1')
  return {
    'lines of src and hooks': countLines(product),
    'files of src and hooks': product.size,
    'commands of memctl': COMMAND_GROUPS.flatMap(([, names]) => names).length,
    'numbers of a policy': countNumbers(POLICY_SCHEMA),
    'lines of docs and READMEs':
      countLines(readTree(['docs'], /\.md$/)) + countLines(readFiles('README.md', 'README.ja.md')),
    'files of the plugin': plugin.size,
    'kilobytes of the plugin': Math.ceil([...plugin.values()].reduce((sum, text) => sum + text.length, 0) / 1_000),
  }
}

const countNumbers = (specs: object): number =>
  Object.values(specs).reduce(
    (sum, spec: object) => sum + (isNumberSpec(spec) ? 1 : isNameSpec(spec) ? 0 : countNumbers(spec)),
    0,
  )

/** Every TypeScript file under these folders. */
function treeOf(...folders: readonly string[]): Tree {
  return readTree(folders, /\.m?ts$/)
}

function readTree(folders: readonly string[], pattern: RegExp, encoding: BufferEncoding = 'utf8'): Tree {
  const entries = folders.flatMap((folder) =>
    fs.readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  )
  const files = entries.map((entry) =>
    path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
  )
  const sources = files.filter((file) => pattern.test(file)).sort()
  return new Map(sources.map((file) => [file, fs.readFileSync(path.join(ROOT, file), encoding)]))
}

const readFiles = (...files: readonly string[]): Tree =>
  new Map(files.map((file) => [file, fs.readFileSync(path.join(ROOT, file), 'utf8')]))

/** Every Markdown file for people. */
function readMarkdown(): Tree {
  const files = readFiles('README.md', 'README.ja.md', 'CONTRIBUTING.md', 'CHANGELOG.md')
  return new Map([...readTree(['docs', 'recordings', 'test/fixtures'], /\.md$/), ...files])
}
