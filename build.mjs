// Builds dist/: the hooks, the worker, the command, the library. `node build.mjs`, about a second.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'
import { yamlForEsbuild } from './yaml-import.mjs'

/**
 * The MCP SDK compiles schemas for forms that a server sends to a person, and its zod describes schemas as JSON Schema.
 * memctl does neither: 140 kB less.
 */
const withoutForms = {
  name: 'without-forms',
  setup(build) {
    build.onLoad({ filter: /[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }))
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]json-schema-processors\.js$/ }, ({ path: file }) => {
      const names = fs.readFileSync(file, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)
      return { contents: [...names].map(([, name]) => `export const ${name} = undefined`).join('\n') }
    })
  },
}

/** To make the patterns of string-width takes 25 ms: they are made for the first text that has other characters. */
const lateWidths = {
  name: 'late-widths',
  setup(build) {
    build.onResolve({ filter: /^string-width$/ }, ({ namespace }) =>
      namespace === 'late' ? undefined : { path: 'string-width', namespace: 'late' },
    )
    build.onLoad({ filter: /^/, namespace: 'late' }, () => ({
      contents: "let width; module.exports = (text) => (width ??= require('string-width').default)(text)",
      resolveDir: import.meta.dirname,
    }))
  },
}

const shared = {
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  plugins: [yamlForEsbuild, withoutForms],
  logLevel: 'warning',
  legalComments: 'none',
}
const NODE_MAJOR_MIN = 20
/** The words that run `dist/daily.cjs`: the commands of src/cli/dailyCommands.ts. */
const DAILY_WORDS = ['status', 'recall', 'search', 'show', 'list', 'ls', 'why', 'remember', 'supersede', 'shown']
/**
 * The code of the hooks as a function of what it needs from outside, and of the name of the script that runs.
 * src/hook/bootstrap.ts passes its own `process`; src/hook/buildCodeCaches.ts passes a substitute.
 */
const wrapped = { banner: { js: '(function(require,__dirname,process,script){' }, footer: { js: '})' } }
/** The hooks that only record. What the others need too would make them slower: its functions are in V8's code cache. */
const RECORDING = ['post-tool-use', 'stop', 'subagent-stop', 'pre-compact', 'post-compact', 'session-end']
// The packages that npm installs with memctl. The MCP SDK is bundled instead: with its ninety packages it is ten times
// larger than what a stdio server needs.
const { version, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  fs.readFileSync('package.json', 'utf8'),
)
const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
// They stay outside of every bundle: native or large, and loaded only if they are installed.
const optional = ['hnswlib-node', '@xenova/transformers', 'pg']

// `node build.mjs plugin [FOLDER]` builds the plugin instead, which is in git: it is installed without packages and
// without a build, so it contains all code that it needs. Its files depend on nothing but the sources.
const isPlugin = process.argv[2] === 'plugin'
const folder = isPlugin ? (process.argv[3] ?? 'plugin') : '.'
const dist = isPlugin ? path.join(folder, 'dist') : 'dist'

fs.rmSync(isPlugin ? folder : dist, { recursive: true, force: true })
const [, ...built] = await Promise.all([
  buildHooks(),
  build({
    ...shared,
    entryPoints: ['src/hook/watchdog.ts'],
    outfile: `${dist}/watchdog.cjs`,
    format: 'cjs',
    minify: true,
  }),
  // Not a part of the plugin's program: to load that takes .1 s of processor time more, at every session's end.
  build({
    ...shared,
    entryPoints: ['src/hook/worker.ts'],
    outfile: `${dist}/worker.cjs`,
    format: 'cjs',
    minify: true,
    charset: 'utf8', // Japanese takes half the bytes.
    external: optional,
  }),
  // The status line, which the client starts at every update.
  build({
    ...shared,
    entryPoints: ['src/cli/statuslineMain.ts'],
    outfile: `${dist}/statusline.cjs`,
    format: 'cjs',
    minify: true,
  }),
  buildProgram(),
  ...(isPlugin ? [] : buildPackageScripts()),
])
const notices = listNotices(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)))
if (isPlugin) writePluginFiles()
else {
  fs.writeFileSync('dist/cli.js', `#!/usr/bin/env node\n${runProgram('cli')}\n`, { mode: 0o755 })
  fs.chmodSync('dist/cli.js', 0o755)
  fs.writeFileSync('dist/third-party.txt', notices)
  fs.copyFileSync('src/cli/texts/ja.json', 'dist/ja.json')
  writeModuleOfLibrary()
}
writeLauncher()
for (const name of ['mcp.mjs', 'slash.mjs', 'statusline.cjs']) guardScript(name)

/** What a package has and a plugin has not. Only the library uses installed packages. */
function buildPackageScripts() {
  return [
    // The clock of the hooks of a replay.
    build({
      ...shared,
      entryPoints: ['bench/replay/replayClock.ts'],
      outfile: `${dist}/replay-clock.cjs`,
      format: 'cjs',
      minify: true,
    }),
    // The everyday commands as one file: to load a hundred chunks takes longer than most of these commands. What is
    // imported dynamically is in the file too, and runs when it is needed.
    build({
      ...shared,
      plugins: [...shared.plugins, lateWidths],
      entryPoints: { daily: 'src/cli/main.ts' },
      define: { IS_DAILY: 'true', 'import.meta.url': 'moduleUrl' },
      banner: { js: "const moduleUrl=require('node:url').pathToFileURL(__filename).href" },
      outdir: 'dist',
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      mainFields: ['module', 'main'],
      minify: true,
      external: optional,
    }),
    // The thread that writes the library's derived files.
    build({
      ...shared,
      entryPoints: ['src/library/derivedFilesThread.ts'],
      outfile: 'dist/derived-files.cjs',
      format: 'cjs',
      minify: true,
      external: optional,
    }),
    // The library is one CommonJS file: `import` and `require` share its classes, its shared connection and its client.
    // lowdb is an ES module, which older versions of Node 20 cannot require.
    build({
      ...shared,
      entryPoints: ['src/index.ts'],
      outfile: 'dist/library.cjs',
      format: 'cjs',
      mainFields: ['module', 'main'],
      // With the names of its functions, for the stack traces of programs.
      minifySyntax: true,
      minifyWhitespace: true,
      external: installed.filter((name) => name !== 'lowdb'),
    }),
  ]
}

/**
 * The command, the MCP server and the slash commands as one file: `run('mcp')`. A part that is imported dynamically runs
 * when it is needed. As one file for each part they were 355 files, and no faster.
 */
function buildProgram() {
  const programs = { cli: 'src/cli/main.ts', mcp: 'src/mcp/main.ts', slash: 'src/cli/slashMain.ts' }
  const calls = Object.entries(programs).map(([name, file]) => `${name}: () => import('./${file}')`)
  return build({
    ...shared,
    stdin: { contents: `export const run = (name) => ({ ${calls.join(', ')} })[name]()`, resolveDir: '.' },
    outfile: `${dist}/program.mjs`,
    banner: { js: "import{createRequire as loader}from'node:module';const require=loader(import.meta.url)" },
    format: 'esm',
    mainFields: ['module', 'main'],
    define: { VERSION: JSON.stringify(version), IS_DAILY: 'false' },
    external: optional,
    minify: true,
    charset: 'utf8',
  })
}

/** What a plugin has beside its code: manifest, hooks, commands, skills and licence. */
function writePluginFiles() {
  const { description, homepage, repository, author, license, keywords } = JSON.parse(
    fs.readFileSync('package.json', 'utf8'),
  )
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`
  const about = { name: 'memctl', version, description }
  const origin = { homepage, repository: repository.url.replace(/^git\+|\.git$/g, ''), license, keywords }
  const server = { command: 'node', args: [`\${CLAUDE_PLUGIN_ROOT}/dist/mcp.mjs`] }
  // The client asks for it when the plugin is installed, and gives it to hooks as CLAUDE_PLUGIN_OPTION_READ_SESSIONS.
  const userConfig = {
    read_sessions: {
      type: 'boolean',
      title: 'Let Claude read finished sessions',
      description:
        'After each session your own client, with a small model, notes what later sessions should know: about 3,400 ' +
        'tokens of your account per session, 20 sessions a day at most. Without it memctl keeps only the rules and ' +
        'fixes that plain patterns find.',
      default: true,
    },
  }
  write(
    '.claude-plugin/plugin.json',
    json({ ...about, author: { name: author }, ...origin, mcpServers: { memctl: server }, userConfig }),
  )
  // The command finds its version here.
  write('package.json', json({ ...about, private: true, type: 'module', license }))
  for (const name of ['commands', 'skills']) fs.cpSync(name, path.join(folder, name), { recursive: true })
  write('hooks/hooks.json', fs.readFileSync('hooks/hooks.json', 'utf8'))
  write('LICENSE', `${fs.readFileSync('LICENSE', 'utf8')}\nThe files in dist/ contain these packages:\n\n${notices}`)
}

/**
 * A hook starts at every tool call, so its code is minified CommonJS without imports. ES modules would add half of
 * Node's start time. It is in one of two files, which runs only the modules that a script needs.
 *
 *   dist/hooks/stop.cjs                 the file that the client starts: src/hook/bootstrap.ts
 *   dist/hooks/code/record-<hash>.js    the hooks, wrapped as a function of a script's name, with the hash of its content
 */
async function buildHooks() {
  const scripts = fs
    .readdirSync('hooks')
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.basename(name, '.ts'))
  fs.mkdirSync(`${dist}/hooks/code`, { recursive: true })
  await Promise.all([
    buildHookCode('record', RECORDING),
    buildHookCode(
      'recall',
      scripts.filter((name) => !RECORDING.includes(name)),
    ),
  ])
}

async function buildHookCode(file, scripts) {
  const hook = { ...shared, format: 'cjs', minify: true, write: false }
  const calls = scripts.map((name) => `'${name}': () => require('./hooks/${name}.ts')`)
  const stdin = { contents: `({ ${calls.join(', ')} })[script]()`, resolveDir: '.' }
  const [{ outputFiles: codes }, { outputFiles: loader }] = await Promise.all([
    build({ ...hook, stdin, ...wrapped }),
    // An old Node must be able to parse it, because it says that Node is too old.
    build({
      ...hook,
      target: 'node12',
      entryPoints: ['src/hook/bootstrap.ts'],
      define: { SCRIPT: '"<script>"', CODE: '"<code>"' },
    }),
  ])
  // Only ASCII, so that V8 stores the code with one byte per character. esbuild does not escape regular expressions.
  const toAscii = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const code = codes[0].text.replace(/[^\0-\x7f]/g, toAscii)
  const name = `${file}-${createHash('sha256').update(code).digest('hex').slice(0, 12)}`
  fs.writeFileSync(`${dist}/hooks/code/${name}.js`, code)
  for (const script of scripts) {
    const text = loader[0].text.replaceAll('<script>', script).replaceAll('<code>', name)
    fs.writeFileSync(`${dist}/hooks/${script}.cjs`, text)
  }
}

/** What starts a program, in words that an old Node can parse. */
function runProgram(name, program = './program.mjs') {
  return `import('${program}').then(function (programs) { return programs.run('${name}') })`
}

/**
 * Writes the command's entry file. An old Node cannot parse the program, but every Node can parse this. In a plugin it
 * is in the folder that the client adds to PATH in its sessions.
 */
function writeLauncher() {
  const hint = `Install Node ${NODE_MAJOR_MIN} or later, then run the command again.`
  const loadDaily = `if (${JSON.stringify(DAILY_WORDS)}.indexOf(word) !== -1) require('./daily.cjs')\nelse `
  const text = `#!/usr/bin/env node
var node = process.versions.node
var word = process.argv[2]
if (parseInt(node, 10) < ${NODE_MAJOR_MIN}) {
  process.stderr.write('memctl: This is Node ' + node + '. ${hint}\\n')
  process.exitCode = 2
} else if (process.argv.length === 3 && ['--version', '-V', 'version'].indexOf(word) !== -1) {
  process.stdout.write('${version}\\n')
} else ${isPlugin ? runProgram('cli', '../dist/program.mjs') : loadDaily + runProgram('cli')}
`
  const file = isPlugin ? path.join(folder, 'bin/memctl') : 'dist/memctl.cjs'
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode: 0o755 })
  fs.chmodSync(file, 0o755)
}

/**
 * Puts a check before a script that the client starts: an old Node cannot parse the script, but every Node can parse
 * the check. The script itself is beside it or in `program.mjs`.
 */
function guardScript(name) {
  const main = name.replace('.', '-main.')
  const isInProgram = name.endsWith('.mjs')
  if (!isInProgram) fs.renameSync(`${dist}/${name}`, `${dist}/${main}`)
  // What a status line prints is shown if it ends with 0; the others answer on stdout to a program.
  const isShown = name.startsWith('statusline')
  const stream = isShown ? 'stdout' : 'stderr'
  const load = name.endsWith('.cjs') ? `require('./${main}')` : `import('./${main}')`
  const text = `if (parseInt(process.versions.node, 10) < ${NODE_MAJOR_MIN}) {
  process.${stream}.write('memctl needs Node ${NODE_MAJOR_MIN} or later; this is Node ' + process.versions.node + '\\n')
  process.exitCode = ${isShown ? 0 : 2}
} else ${isInProgram ? runProgram(name.replace('.mjs', '')) : load}
`
  fs.writeFileSync(`${dist}/${name}`, text)
}

/**
 * What `require` and `import` load. Node searches a CommonJS file that a module imports for the names of its exports,
 * which would take longer than to load the library. So the module imports this small file, and has the names itself.
 */
function writeModuleOfLibrary() {
  fs.writeFileSync('dist/index.cjs', "const library = require('./library.cjs')\nmodule.exports = library\n")
  const names = Object.keys(createRequire(import.meta.url)('./dist/library.cjs'))
    .sort()
    .join(', ')
  fs.writeFileSync('dist/index.js', `import library from './index.cjs'\nexport const { ${names} } = library\n`)
}

/** The licences of the bundled packages, which require that their notices are distributed with the code. */
function listNotices(inputs) {
  const folders = new Set(
    inputs.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []),
  )
  const each = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const file = fs.readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry))
    return `${name} ${version}, ${license}\n\n${file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : ''}\n`
  })
  return each.join(`\n${'-'.repeat(72)}\n\n`)
}
