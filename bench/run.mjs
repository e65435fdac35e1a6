// Bundles the commands of developers and runs one: `node bench/run.mjs eval|bench WORDS`, as `npm run eval` and `npm run bench` do.
//
// The bundle goes to .cache/, which no package contains. It is renamed into place, so that two runs at once do not read half of it.
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
const aside = `${bundle}.${process.pid}`
fs.writeFileSync(aside, outputFiles[0].text)
fs.renameSync(aside, bundle)
await import(pathToFileURL(bundle).href)
