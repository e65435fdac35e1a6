// The map of the house: which room may import which, and who alone touches disk, stdout, clock, chance, environment, network.
//
// Whoever needs a new way or a new privilege adds it here, with its reason. The checks themselves are proved in house/plan.test.ts.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { hookTable } from '../src/hook/events.ts'
import { yamlForEsbuild } from '../yaml-import.mjs'
import {
  emptyNames,
  forbiddenWords,
  importRings,
  misshapenFiles,
  misusedPrivileges,
  type Privilege,
  type Rooms,
  roomRings,
  strayImports,
  type Tree,
} from './house/plan.ts'

const WORDS = ['src/model', 'src/text']
const PHASES = ['src/record', 'src/organize', 'src/recall', 'src/improve']
const HALL = ['src/broker', 'src/entries', 'src/store', 'src/embed', ...WORDS]

/**
 * Which room may import which others. The phases never import one another: they meet on disk.
 *
 *   hooks/ ──▶ hook (the porch) ─┐
 *   cli, mcp, report, index.ts ──┴▶ broker ──▶ phases, store, embed ──▶ model, text
 *
 * bench/ is for developers and in no package: it may import everything, and nothing may import it.
 */
const PRODUCT: Rooms = {
  policies: [],
  'src/yaml.d.ts': [],
  'src/model': [],
  'src/text': ['src/model'],
  // What a payload is, is record's to say; the hall and the porch hand it on.
  'src/record/payload.ts': [],
  ...Object.fromEntries(PHASES.map((phase) => [phase, WORDS])),
  'src/record': ['src/record/payload.ts', ...WORDS],
  'src/store': WORDS,
  'src/embed': WORDS,
  // What an entry's file is, and where such files lie.
  'src/entries': ['src/store', ...WORDS],
  // The table of events is a word of the house: doors wire by it, a replay asks it, and it imports nothing.
  'src/hook/events.ts': [],
  'src/broker': [
    'src/store',
    'src/entries',
    'src/embed',
    ...PHASES,
    'src/record/payload.ts',
    ...WORDS,
    'src/hook/events.ts',
    'policies',
  ],
  'src/hook': ['src/hook/events.ts', 'src/broker', 'src/entries', 'src/store', 'src/record/payload.ts', ...WORDS],
  'src/report': HALL,
  // One description of each tool, whichever door calls it.
  'src/tools': HALL,
  'src/mcp': ['src/tools', 'src/report', ...HALL],
  // The documents' classes for programs, over the broker like every door.
  'src/library': ['src/tools', ...HALL],
  'src/index.ts': ['src/library', 'src/tools', 'src/report', ...HALL],
  // `memctl hook` is a hook's door by another name, so it stands at the same porch.
  // And `memctl sleep --agent` is the library's sleep by another name.
  'src/cli': [
    'src/mcp',
    'src/tools',
    'src/library',
    'src/report',
    'src/hook',
    'src/hook/events.ts',
    'src/record/payload.ts',
    ...HALL,
  ],
  hooks: ['src/hook', 'src/broker'],
}
const ROOMS: Rooms = { ...PRODUCT, bench: Object.keys(PRODUCT) }

/** Who alone may. A privilege nobody uses any more is a breach too, so the list stays true. */
const PRIVILEGES: readonly Privilege[] = [
  {
    name: 'the disk',
    imports: /^(?:node:)?fs(?:\/|$)/,
    who: {
      'src/store/files.ts': 'the one door to the disk of all that is kept',
      'src/store/project.ts': 'finds out the project from .git, before there is a store',
      'src/store/origin.ts': 'reads git config files on that way',
      'src/store/lock.ts': 'renames a dead lock aside, and asks /proc for start times',
      'src/hook/answer.ts': 'reads stdin and writes stdout by their descriptors, at once',
      'src/hook/load.ts': 'reads the code of a hook and its code cache, before there is a store',
      'src/hook/warm.ts': 'runs that code with a disk of its own, for a store that goes again',
      'src/cli': 'settings and files of a person, which are no part of any store',
      bench: 'labelled files and RUN files of a developer',
    },
  },
  {
    name: 'writing to the event log',
    words: /\bappendEvents\b/g,
    who: {
      'src/store/log.ts': 'defines it',
      'src/broker/commit/commitEvents.ts': 'commits events for all writers',
    },
  },
  {
    name: 'other processes',
    imports: /^(?:node:)?(?:child_process|cluster|worker_threads)$/,
    who: {
      'src/hook/spawned.ts': 'starts the detached worker',
      'src/cli/hookProcess.ts': 'runs hooks as the client does, for the demo and replays',
      'src/cli/throughHooks.ts': 'and their worker',
      'src/cli/doctor': 'sees whether hooks and native parts start',
      'src/cli/bench/pairedTiming.ts': 'measures whole processes',
      'bench/perf/benchTools.ts': 'starts an MCP server as a client does',
    },
  },
  {
    name: 'stdout and stderr',
    words: /\bprocess\.(?:stdout|stderr)\b|\bconsole\.|\bwriteSync\(\s*[12]\b/g,
    who: {
      'src/hook/answer.ts': 'speaks to the client, once and in one piece',
      'src/cli/main.ts': 'hands its screens to the command',
      'bench/main.ts': 'hands its screens to the commands of developers',
      'src/mcp/pipe.ts': 'notices when its client is slow, or gone',
    },
  },
  {
    name: 'the clock',
    words: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.|\bprocess\.hrtime\b/g,
    who: {
      'src/hook/answer.ts': 'says when a payload came',
      'src/hook/worker.ts': 'says when a session was organised',
      'src/hook/fault.ts': 'says when a fault happened',
      'src/embed/http.ts': 'how long until the date at which a server asked to be tried again',
      'src/mcp/main.ts': 'says when a tool was called',
      'src/library/world.ts': 'says when a program asked',
      'src/cli': 'says when a person asked; marks a runtime as installed now; measures',
      bench: 'measures, and says when a question without a time was asked',
    },
  },
  {
    name: 'chance',
    words: /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b/g,
    who: {
      'src/tools/world.ts': 'ids of what a tool stores: two stores at once must not draw the same',
      'src/library/world.ts': 'ids of what a program stores, for the same reason',
    },
  },
  {
    name: 'the environment',
    words: /\bprocess\.env\b/g,
    who: {
      'src/hook/answer.ts': 'hands it to the broker, which reads no environment of its own',
      'src/hook/worker.ts': 'the same for the worker',
      'src/hook/load.ts': 'where the home is, with its code caches',
      'src/cli/main.ts': 'hands it to the command',
      'bench/main.ts': 'hands it to the commands of developers',
      'src/library/world.ts': 'hands it to the broker, where a program gives none of its own',
      'src/mcp/main.ts': 'and to the server',
      'src/cli/wiring/change.ts': 'where the client keeps its settings',
    },
  },
  {
    name: 'the end of the process',
    words: /\bprocess\.(?:exit|abort|exitCode|kill)\b/g,
    who: {
      'src/hook/answer.ts': 'ends a hook in time',
      'src/hook/worker.ts': 'ends the worker in time',
      'src/cli/main.ts': "is the command's end",
      'bench/main.ts': 'is the end of the commands of developers',
      'src/store/lock.ts': "asks with signal 0 whether a lock's owner lives",
      'src/cli/wiring/runtime.ts': 'asks the same of who left a folder aside',
    },
  },
  {
    name: 'the network',
    imports: /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|undici|pg|postgres)(?:\/|$)/,
    words: /(?<![.\w])(?:fetch|WebSocket|XMLHttpRequest)\s*\(/g,
    who: { 'src/embed/http.ts': 'asks the embedder a person has configured; nothing else leaves the machine' },
  },
  { name: 'lowdb', imports: /^lowdb(?:\/|$)/, who: { 'src/store/json.ts': 'small JSON files, replaced whole' } },
  {
    name: 'yaml',
    imports: /^yaml(?:\/|$)/,
    who: {
      'src/broker/compileConfig.ts': 'reads config.yaml, for commands and the worker',
      'src/broker/embed/choice.ts': 'reads and writes which embedder was chosen, for the same',
      'src/broker/policy/choice.ts': 'reads which policy was chosen, for the same',
      'src/broker/policy/text.ts': 'reads policies, for commands and the worker',
      'src/entries/entryText.ts': 'reads and writes front matter, for commands, tools and the worker',
      'src/broker/policy/carry.ts': 'what was learned goes to another project as a file for people',
    },
  },
  {
    name: 'commander',
    imports: /^commander(?:\/|$)/,
    who: { 'src/cli': 'the words of commands', bench: 'the words of the commands of developers' },
  },
  {
    name: 'the MCP SDK',
    imports: /^@modelcontextprotocol\//,
    who: { 'src/mcp': 'speaks MCP; built into its own part, which nothing else loads' },
  },
  {
    name: 'hnswlib-node',
    imports: /^hnswlib-node(?:\/|$)/,
    who: { 'src/store/hnsw.ts': 'loads it where it is there, and never in a hook' },
  },
  {
    name: '@xenova/transformers',
    imports: /^@xenova\//,
    who: { 'src/embed/transformers.ts': 'the optional local models' },
  },
]

const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'types', 'manager', 'service', 'misc', 'shared']

const FORBIDDEN = {
  '@ts-ignore': /@ts-(?:ignore|nocheck)/g,
  any: /(?<=[:<|&,(=]\s*|\bas\s+|\bextends\s+)\bany\b(?!\s*[:(.?])/g,
  enum: /^\s*(?:export\s+)?(?:const\s+)?enum\s+\w/gm,
  namespace: /^\s*(?:export\s+)?(?:declare\s+)?namespace\s+\w/gm,
  'export *': /^\s*export\s+\*/gm,
}

/** One minified hook, in bytes: what a process reads at every tool call. Those that recall hold the index's reader too. */
const RECORDING_HOOK_BYTES_MAX = 81_920
const RECALLING_HOOK_BYTES_MAX = 119_808
const RECALLING = ['session-start', 'user-prompt-submit', 'pre-tool-use', 'post-tool-use-failure', 'subagent-start']

const TOP = [
  '.ci .claude .claude-plugin .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE README.ja.md README.md bench biome.json build.mjs',
  'docs hooks package-lock.json package.json policies recordings src test tsconfig.json vitest.client.config.ts',
  'vitest.config.ts yaml-import.d.mts yaml-import.mjs',
].flatMap((line) => line.split(' '))

const ROOT = path.resolve(import.meta.dirname, '..')
const tree = treeOf('src', 'hooks', 'bench')

describe('house', () => {
  test('house: imports form a tree of rooms, and the phases never import one another', () => {
    expect(roomRings(ROOMS)).toEqual([])
    expect(strayImports(tree, ROOMS)).toEqual([])
  })

  test('house: no file imports itself by way of others', () => {
    expect(importRings(tree)).toEqual([])
  })

  test('house: disk, processes, stdout, clock, chance, environment, network and packages are for those named, and used', () => {
    expect(misusedPrivileges(tree, PRIVILEGES)).toEqual([])
  })

  test('house: a file is named for what it is for', () => {
    expect(emptyNames([...tree.keys(), ...treeOf('test').keys()], EMPTY_NAMES)).toEqual([])
  })

  test('house: no any, no enum, no namespace, no barrel, no silenced compiler', () => {
    expect(forbiddenWords(tree, FORBIDDEN)).toEqual([])
  })

  test('house: a file is one idea: a header of 1 to 12 lines, 250 lines at most', () => {
    expect(misshapenFiles(tree, 12, 250)).toEqual([])
  })

  test('house: the top of the repository holds what it should, and nothing else', () => {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
    const names = listed.toString().split('\n').filter(Boolean)
    const present = names.filter((name) => fs.existsSync(path.join(ROOT, name))).map((name) => name.split('/')[0]!)
    expect([...new Set(present)].filter((name) => !TOP.includes(name))).toEqual([])
    expect(TOP.filter((name) => !present.includes(name))).toEqual([])
  })

  test('house: a hook is one small file of our own code, with no package and only the modules of Node it needs', async () => {
    for (const { script } of hookTable) {
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
      })
      const foreign = Object.keys(metafile.inputs).filter((file) => !/^(?:hooks|src|policies)\//.test(file))
      const bytesMax = RECALLING.includes(script) ? RECALLING_HOOK_BYTES_MAX : RECORDING_HOOK_BYTES_MAX
      const [output] = Object.values(metafile.outputs)
      const modules = output!.imports.map((one) => one.path).filter((name) => !HOOK_MODULES.includes(name))
      const starts = output!.imports.some((one) => one.path === 'node:child_process')
      expect({ script, foreign, modules, small: output!.bytes <= bytesMax }).toEqual({
        script,
        foreign: [],
        modules: [],
        small: true,
      })
      // Loading it costs a cold hook some milliseconds: only those that hand over to the worker may.
      expect([script, starts]).toEqual([
        script,
        ['session-start', 'user-prompt-submit', 'session-end'].includes(script),
      ])
    }
  })
})

const HOOK_MODULES = ['node:fs', 'node:path', 'node:child_process']

/** Every TypeScript file under these folders. */
function treeOf(...folders: readonly string[]): Tree {
  const files = folders.flatMap((folder) =>
    fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  const sources = files.map((file) => file.replaceAll(path.sep, '/')).filter((file) => /\.m?ts$/.test(file))
  return new Map(sources.sort().map((file) => [file, fs.readFileSync(path.join(ROOT, file), 'utf8')]))
}
