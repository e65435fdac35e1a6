// A package of memctl whose built scripts say which version they are.
import fs from 'node:fs'
import path from 'node:path'
import { HOOK_REGISTRATIONS } from '../../../src/model/hookEvents.ts'

/** Writes the scripts to `root`, and returns it. */
export function buildFakePackage(root: string, version: string): string {
  const scripts = HOOK_REGISTRATIONS.map(({ script }) => `hooks/${script}.cjs`)
  for (const name of [...scripts, 'mcp.mjs', 'slash.mjs', 'statusline.cjs']) {
    const file = path.join(root, 'dist', name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `// ${version}\n`)
  }
  return root
}
