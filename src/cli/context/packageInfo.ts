// The installed package: its folder and its version. And packages beside it, made known to memctl's home: hooks start
// the worker from a copy of its scripts there, or from a plugin, where the packages beside the command are not found.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package that this file belongs to: the folder of package.json, above src or dist, and its version. */
export function readPackageInfo() {
  for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json')
    if (fs.existsSync(manifest)) {
      const { name, version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { name?: string; version?: string }
      if (name === 'memctl') return { root: folder, version: version ?? '0.0.0' }
    }
    if (path.dirname(folder) === folder) throw new Error('No package.json of memctl above its own files.')
  }
}

/** Optional packages that search by meaning. The hub links `pg` when it is connected. */
export const SEARCH_PACKAGES: readonly string[] = ['@xenova/transformers', 'hnswlib-node']

/**
 * Links packages into the home's node_modules, unless they are there or not beside the command. Replaces a stale link.
 * Without a home nothing happens.
 */
export function linkPackages(home: string | undefined, names: readonly string[]): void {
  if (home === undefined) return
  for (const name of names) {
    const link = path.join(home, 'node_modules', name)
    const folder = findPackage(name)
    if (folder === undefined || fs.existsSync(link)) continue
    fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 })
    fs.rmSync(link, { force: true })
    fs.symlinkSync(folder, link, 'junction')
  }
}

/** Not by its package.json, which a package may keep to itself. */
function findPackage(name: string): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = path.join('node_modules', name)
    const at = entry.lastIndexOf(folder)
    return at < 0 ? undefined : entry.slice(0, at + folder.length)
  } catch {
    return undefined // It is not installed, or was found in the home.
  }
}
