// Where memctl itself lies, and which version it is: the folder of our package.json, above the source or above dist.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

interface PackageInfo {
  readonly root: string
  readonly version: string
}

/** The package this very file belongs to. */
export function readPackageInfo(): PackageInfo {
  for (let at = path.dirname(fileURLToPath(import.meta.url)); ; at = path.dirname(at)) {
    const manifest = path.join(at, 'package.json')
    if (fs.existsSync(manifest)) {
      const { name, version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { name?: string; version?: string }
      if (name === 'memctl') return { root: at, version: version ?? '0.0.0' }
    }
    if (path.dirname(at) === at) throw new Error('No package.json of memctl above its own files.')
  }
}
