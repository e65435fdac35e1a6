// Where the real Claude Code client is, and how to get it where it is not. Never a client from PATH:
// a story must run with a pinned version, and never with somebody's own login.

import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '2.1.197'

/** The repository's folder: the nearest one above this file that has a package.json (bundled or not). */
export const REPOSITORY = nearest(path.dirname(fileURLToPath(import.meta.url)))

/** What to type to get the client. The second line matters only where npm skips install scripts. */
export const INSTALL_COMMAND = [
  `npm install --prefix .cache/client --engine-strict=false @anthropic-ai/claude-code@${VERSION}`,
  'node .cache/client/node_modules/@anthropic-ai/claude-code/install.cjs',
].join(' && ')

/** Every client there is to try: the one that $CLAUDE_BIN names, else each under `.cache/client*`, the pinned one first. */
export function listClients(): readonly string[] {
  const named = process.env['CLAUDE_BIN']
  if (named) return [path.resolve(named)].filter((file) => existsSync(file))
  const cache = path.join(REPOSITORY, '.cache')
  const folders = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('client')) : []
  return folders
    .sort()
    .map((name) => path.join(cache, name, 'node_modules/.bin/claude'))
    .filter((file) => existsSync(file))
}

/** The first of them; undefined when there is none. */
export function findClient(): string | undefined {
  return listClients()[0]
}

function nearest(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : nearest(path.dirname(folder))
}
