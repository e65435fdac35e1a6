// One temporary folder for everything that a test run creates, removed at the end. A worker may still write there.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export default function setup(): () => void {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'memctl-tests-'))
  process.env['TMPDIR'] = folder
  return () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
}
