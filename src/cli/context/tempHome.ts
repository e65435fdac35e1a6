// A scratch memory: a home of its own below the system's folder for such things, which the person may remove at any time.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A new empty folder, its real path. */
export const createTempHome = (name: string): string =>
  fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `memctl-${name}-`)))
