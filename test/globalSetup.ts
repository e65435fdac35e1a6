// One temporary folder for everything that a test run creates, removed at the end.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export default function setup(): () => Promise<void> {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'memctl-tests-'))
  process.env['TMPDIR'] = folder
  return () => remove(folder, 50)
}

/** A worker that the last test has started may still write there: then everything is tried again. */
async function remove(folder: string, triesLeft: number): Promise<void> {
  try {
    fs.rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (triesLeft === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 100))
    await remove(folder, triesLeft - 1)
  }
}
