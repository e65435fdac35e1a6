// Errors of the disk as errors that a person can correct.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ioErrorHint, toMemoryError } from '../../../src/store/disk/diskCalls.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { newFolder } from '../../tempFolders.ts'

test('disk: a folder in the place of a file is an error with a hint, whatever is done to the file', () => {
  const file = path.join(newFolder('disk-calls'), 'file')
  fs.mkdirSync(file)
  const bytes = Buffer.from('text')
  const uses = {
    remove: () => realDisk.remove(file),
    replace: () => realDisk.replace(file, bytes),
    append: () => realDisk.append(file, bytes, false),
    overwrite: () => realDisk.overwrite(file, 0, bytes),
    read: () => realDisk.read(file),
  }
  for (const [name, use] of Object.entries(uses)) {
    let thrown: unknown
    try {
      use()
    } catch (error) {
      thrown = error
    }
    expect(toMemoryError(thrown), name).toMatchObject({ code: 'STORE_UNWRITABLE', hint: ioErrorHint('EISDIR') })
  }
})
