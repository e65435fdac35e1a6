// Builds dist/: one CommonJS bundle a hook, the worker, the command, the library. `node build.mjs`, about a second.
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { yamlForEsbuild } from './yaml-import.mjs'

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  plugins: [yamlForEsbuild],
  logLevel: 'warning',
  legalComments: 'none',
}
const hooks = fs
  .readdirSync('hooks')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.join('hooks', name))

fs.rmSync('dist', { recursive: true, force: true })
await Promise.all([
  // Hooks start once a tool call: one CommonJS file each, minified, nothing outside it. ES modules cost half a Node start more.
  build({
    ...shared,
    entryPoints: hooks,
    outdir: 'dist/hooks',
    format: 'cjs',
    minify: true,
    outExtension: { '.js': '.cjs' },
  }),
  build({
    ...shared,
    entryPoints: ['src/hook/worker.ts'],
    outfile: 'dist/worker.cjs',
    format: 'cjs',
    external: ['hnswlib-node'],
  }),
  // One chunk an imported idea, so that `memctl status` loads neither lowdb nor an index writer.
  build({
    ...{
      ...shared,
      entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
      outdir: 'dist',
      chunkNames: 'parts/[name]-[hash]',
    },
    ...{ format: 'esm', packages: 'external', splitting: true },
  }),
])
// Not as a banner: that would stand in every part.
fs.writeFileSync('dist/cli.js', `#!/usr/bin/env node\n${fs.readFileSync('dist/cli.js', 'utf8')}`, { mode: 0o755 })
fs.chmodSync('dist/cli.js', 0o755)
