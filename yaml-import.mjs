// Plugins for esbuild and vitest: importing a YAML file gives its parsed value, so that hooks need no YAML parser.
import fs from 'node:fs'
import { parse } from 'yaml'

const moduleOf = (file) => `export default ${JSON.stringify(parse(fs.readFileSync(file, 'utf8')))}`

/** For esbuild. */
export const yamlForEsbuild = {
  name: 'yaml',
  setup: (build) => build.onLoad({ filter: /\.yaml$/ }, ({ path }) => ({ contents: moduleOf(path), loader: 'js' })),
}

/** For vitest. */
export const yamlForVitest = {
  name: 'yaml',
  transform: (_code, id) => (id.endsWith('.yaml') ? { code: moduleOf(id), map: null } : undefined),
}
