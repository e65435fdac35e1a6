// Pins: a value of a test is compared with a file under pins/, which changes only on purpose.
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const FOLDER = path.join(import.meta.dirname, 'pins')

/** Fails unless `seen` is what `pins/<name>.json` holds. With UPDATE_PINS=1 it writes that file instead. */
export function expectPinned(name: string, seen: Readonly<Record<string, unknown>>): void {
  const file = path.join(FOLDER, `${name}.json`)
  if (process.env['UPDATE_PINS'] === '1') {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, `${JSON.stringify(seen, null, 2)}\n`)
    return
  }
  const pinned: unknown = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
  expect(seen, hintFor(name)).toEqual(pinned)
}

function hintFor(name: string): string {
  const test = path.relative(process.cwd(), expect.getState().testPath ?? 'test/formats')
  return (
    `test/formats/pins/${name}.json no longer holds. Stores, tool schemas and answers of commands are read by other ` +
    `programs: undo the change if it was an accident. If it is meant, run \`UPDATE_PINS=1 npx vitest run ${test}\`, ` +
    'read the diff of the file, and name the change in the commit and in CHANGELOG.md'
  )
}
