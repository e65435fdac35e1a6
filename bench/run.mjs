// Bundles the developer commands and runs one: `node bench/run.mjs eval|bench|dev ARGS`, as `npm run eval`,
// `npm run bench` and `npm run dev` do.
//
// The bundle is written to .cache/, which is not published, and renamed into place, so that no parallel run reads a
// partial file.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { yamlForEsbuild } from '../yaml-import.mjs'

const root = path.resolve(import.meta.dirname, '..')
const bundle = path.join(root, '.cache', 'bench.mjs')
const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ['bench/main.ts'],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  plugins: [yamlForEsbuild],
  logLevel: 'warning',
  write: false,
})
fs.mkdirSync(path.dirname(bundle), { recursive: true })
const temporary = `${bundle}.${process.pid}`
fs.writeFileSync(temporary, outputFiles[0].text)
fs.renameSync(temporary, bundle)
await import(pathToFileURL(bundle).href)
