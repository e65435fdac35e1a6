// Builds dist/: the hooks, the worker, the command, the library. `node build.mjs`, about a second.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { yamlForEsbuild } from './yaml-import.mjs'

const shared = {
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  plugins: [yamlForEsbuild],
  logLevel: 'warning',
  legalComments: 'none',
}
/** The hook's code as a function of what it needs from the outside; `warm.ts` gives it another process. */
const wrapped = { banner: { js: '(function(require,__dirname,process){' }, footer: { js: '})' } }
// What npm installs beside memctl. The MCP SDK is not among it: of it and its ninety packages a stdio server needs a tenth.
const { version, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  fs.readFileSync('package.json', 'utf8'),
)
const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
const hooks = fs
  .readdirSync('hooks')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.join('hooks', name))

fs.rmSync('dist', { recursive: true, force: true })
const [, ...built] = await Promise.all([
  buildHooks(),
  build({
    ...shared,
    entryPoints: ['src/hook/worker.ts'],
    outfile: 'dist/worker.cjs',
    format: 'cjs',
    external: ['hnswlib-node', '@xenova/transformers'],
  }),
  // The MCP server for a plugin, which has no packages beside it.
  build({
    ...shared,
    entryPoints: { mcp: 'src/mcp/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    // Packages in CommonJS ask for Node's own modules by this name.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url)" },
    format: 'esm',
    define: { VERSION: JSON.stringify(version) },
    external: ['hnswlib-node', '@xenova/transformers'],
  }),
  // One chunk an imported idea, so that `memctl status` loads neither lowdb nor an index writer.
  build({
    ...{
      ...shared,
      entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
      outdir: 'dist',
      chunkNames: 'parts/[name]-[hash]',
    },
    // Packages as ES modules where they have them: jsonc-parser's other form requires its parts by names that no bundler sees.
    ...{ format: 'esm', mainFields: ['module', 'main'], external: installed, splitting: true },
  }),
])
writeNotices(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)))
// Not as a banner: that would stand in every part.
fs.writeFileSync('dist/cli.js', `#!/usr/bin/env node\n${fs.readFileSync('dist/cli.js', 'utf8')}`, { mode: 0o755 })
fs.chmodSync('dist/cli.js', 0o755)

/**
 * Hooks start once a tool call: one CommonJS file each, minified, nothing outside it. ES modules cost half a Node start more.
 *
 *   dist/hooks/stop.cjs              what the client starts: src/hook/bootstrap.ts
 *   dist/hooks/code/stop-<hash>.js   the hook itself, wrapped as a function, and named by its content as its code cache is
 */
async function buildHooks() {
  const hook = { ...shared, format: 'cjs', minify: true, write: false }
  const [{ outputFiles: codes }, { outputFiles: loader }] = await Promise.all([
    build({ ...hook, entryPoints: hooks, outdir: 'dist/hooks', ...wrapped }),
    build({ ...hook, entryPoints: ['src/hook/bootstrap.ts'], define: { CODE: '"<code>"' } }),
  ])
  fs.mkdirSync('dist/hooks/code', { recursive: true })
  for (const file of codes) {
    const script = path.basename(file.path, '.js')
    // Only ASCII, so that V8 keeps the code in one byte a character: esbuild leaves regular expressions as they are.
    const code = file.text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const name = `${script}-${createHash('sha256').update(code).digest('hex').slice(0, 12)}`
    fs.writeFileSync(`dist/hooks/code/${name}.js`, code)
    fs.writeFileSync(`dist/hooks/${script}.cjs`, loader[0].text.replaceAll('<code>', name))
  }
}

/** The licences of the packages that are built in: each asks that its notice goes along. */
function writeNotices(inputs) {
  const folders = new Set(
    inputs.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []),
  )
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const file = fs.readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)/i.test(one))
    return `${name} ${version}, ${license}\n\n${file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : ''}\n`
  })
  fs.writeFileSync('dist/third-party.txt', notices.join(`\n${'-'.repeat(72)}\n\n`))
}
