// Real processes to kill: the built hooks and worker, optionally with a fixed clock.
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { type Running, startNode } from '../../bench/fixture/processes.ts'
import { yamlForEsbuild } from '../../yaml-import.mjs'

const REPOSITORY = path.resolve(import.meta.dirname, '../..')

/** Builds entry points of the repository, or a source text, as CommonJS: `hooks/stop.ts` becomes `stop.cjs`. */
export async function built(folder: string, entries: readonly string[], source?: string): Promise<void> {
  await build({
    absWorkingDir: REPOSITORY,
    ...(source === undefined
      ? { entryPoints: [...entries] }
      : {
          stdin: { contents: source, resolveDir: path.join(REPOSITORY, 'src'), loader: 'ts', sourcefile: entries[0]! },
        }),
    ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', plugins: [yamlForEsbuild] },
    ...{ external: ['hnswlib-node', '@xenova/transformers'], logLevel: 'error' },
    ...(source === undefined ? { outdir: folder, entryNames: '[name]' } : { outfile: path.join(folder, entries[0]!) }),
    outExtension: { '.js': '.cjs' },
  })
}

/** A file for `node -r` that fixes the clock at `now`, in milliseconds since 1970. */
export function stoppedClock(folder: string, now: number): string {
  const file = path.join(folder, `clock-${now}.cjs`)
  fs.writeFileSync(file, `Date.now = () => ${now}\n`)
  return file
}

/** Starts Node with these arguments and this `stdin`, with nothing of this process's environment but the path. */
export function started(words: readonly string[], env: Readonly<Record<string, string>>, stdin = ''): Running {
  return startNode(words, { env: { PATH: process.env['PATH'] ?? '', ...env }, stdin })
}
