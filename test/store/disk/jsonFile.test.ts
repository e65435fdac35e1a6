// Small JSON files: what does not change is not written again.
import path from 'node:path'
import { expect, test } from 'vitest'
import { realDisk } from '../../../src/store/disk/files.ts'
import { checksum, verifyJsonFile, writeJsonFile } from '../../../src/store/disk/jsonFile.ts'
import { newFolder } from '../../tempFolders.ts'

test('store: a JSON file is replaced if its content differs or is damaged, and stays otherwise', () => {
  const file = path.join(newFolder('json'), 'state.json')
  let writes = 0
  const files = {
    ...realDisk,
    replace(name: string, bytes: Buffer) {
      writes++
      realDisk.replace(name, bytes)
    },
  }
  writeJsonFile(files, file, { count: 1 })
  writeJsonFile(files, file, { count: 1 })
  expect(writes).toBe(1)
  writeJsonFile(files, file, { count: 2 })
  expect(writes).toBe(2)
  realDisk.truncate(file, 8)
  writeJsonFile(files, file, { count: 2 })
  expect(verifyJsonFile(realDisk.read(file) ?? Buffer.alloc(0))).toBe('intact')
})

test('store: the checksum of a text in two parts is that of the whole, also where a part is empty', () => {
  const text = Buffer.from('a text')
  const nothing = Buffer.from(new ArrayBuffer(0))
  expect(checksum(text.subarray(2), checksum(text.subarray(0, 2)))).toBe(checksum(text))
  expect(checksum(nothing, checksum(text))).toBe(checksum(text))
})
