// The installed package: its folder, its version, and its built files.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

interface PackageInfo {
  /** The folder of package.json, above src or dist. */
  readonly root: string
  readonly version: string
}

/** The package that this file belongs to. */
export function readPackageInfo(): PackageInfo {
  for (let folder = path.dirname(fileURLToPath(import.meta.url)); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json')
    if (fs.existsSync(manifest)) {
      const { name, version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { name?: string; version?: string }
      if (name === 'memctl') return { root: folder, version: version ?? '0.0.0' }
    }
    if (path.dirname(folder) === folder) throw new Error('No package.json of memctl above its own files.')
  }
}
