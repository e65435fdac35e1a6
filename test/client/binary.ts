// Where the real Claude Code client is, and how to get it where it is not. Never a client from PATH:
// a story must run with a pinned version, and never with somebody's own login.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '2.1.197'

/** The repository's folder: the nearest one above this file that has a package.json (bundled or not). */
export const REPOSITORY = nearest(path.dirname(fileURLToPath(import.meta.url)))

/** What to type to get the client. The second line matters only where npm skips install scripts. */
export const HOW_TO_GET = [
  `npm install --prefix .cache/client --engine-strict=false @anthropic-ai/claude-code@${VERSION}`,
  'node .cache/client/node_modules/@anthropic-ai/claude-code/install.cjs',
].join(' && ')

/** The client's path: $CLAUDE_BIN, else the one under `.cache/client`; undefined when neither exists. */
export function clientBinary(): string | undefined {
  const named = process.env['CLAUDE_BIN']
  const own = path.join(REPOSITORY, '.cache/client/node_modules/.bin/claude')
  return [named ? path.resolve(named) : own].find((file) => existsSync(file))
}

function nearest(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : nearest(path.dirname(folder))
}
