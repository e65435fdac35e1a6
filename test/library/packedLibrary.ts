// The library as npm installs it: a folder with its builds, its declarations and the packages beside it.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type Declarations, writeDeclarations } from '../../build-types.mjs'
import { REPOSITORY } from '../cli/testContext.ts'

/** Creates `folder/node_modules/memctl`. Needs a build. */
export function packLibrary(folder: string): Declarations {
  const modules = path.join(folder, 'node_modules')
  const dist = path.join(modules, 'memctl/dist')
  fs.mkdirSync(path.join(modules, '@types'), { recursive: true })
  fs.mkdirSync(dist, { recursive: true })
  fs.copyFileSync(path.join(REPOSITORY, 'package.json'), path.join(modules, 'memctl/package.json'))
  for (const name of ['index.cjs', 'index.js', 'library.cjs', 'derived-files.cjs'])
    fs.copyFileSync(path.join(REPOSITORY, 'dist', name), path.join(dist, name))
  for (const name of ['yaml', 'undici-types', '@types/node'])
    fs.symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(modules, name))
  return writeDeclarations(dist)
}

/** Type-checks files of the folder under `strict`, the declarations of memctl too. Returns what the compiler says. */
export function compile(folder: string, files: readonly string[], options: Readonly<Record<string, unknown>>): string {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', lib: ['es2023'], types: ['node'] },
    ...options,
  }
  const config = path.join(folder, 'tsconfig.json')
  fs.writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  const tsc = path.join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], { cwd: folder, encoding: 'utf8' })
  return stdout + stderr
}
