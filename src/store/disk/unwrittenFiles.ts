// A disk that is read and not written: what is written stays in this process, where it can be read. So a hook's handler
// runs as in a session, and leaves nothing behind.
import type { Files } from './files.ts'

/** The files, with writes kept in memory. Only appends and new files are supported: a hook writes nothing else. */
export function keepWrites(files: Files): Files {
  const written = new Map<string, Buffer>()
  const ignore = (): void => {}
  const readAll = (file: string): Buffer | undefined => written.get(file) ?? files.read(file)
  const slice = (bytes: Buffer, position: number, length: number): Buffer => bytes.subarray(position, position + length)
  return {
    read: readAll,
    readAt(file, position, length) {
      const bytes = written.get(file)
      return bytes ? slice(bytes, position, length) : files.readAt(file, position, length)
    },
    open(file) {
      const bytes = written.get(file)
      if (!bytes) return files.open(file)
      return { size: bytes.length, readAt: (position, length) => slice(bytes, position, length), close: ignore }
    },
    size: (file) => written.get(file)?.length ?? files.size(file),
    mtimeMs: (file) => files.mtimeMs(file),
    realPath: (file) => files.realPath(file),
    list(folder) {
      const added = [...written.keys()].filter((file) => file.slice(0, file.lastIndexOf('/')) === folder)
      const names = added.map((file) => file.slice(folder.length + 1))
      return [...new Set([...files.list(folder), ...names])].sort()
    },
    append(file, bytes) {
      written.set(file, Buffer.concat([readAll(file) ?? Buffer.alloc(0), bytes]))
    },
    create(file, bytes) {
      if (readAll(file) !== undefined) return false
      written.set(file, bytes)
      return true
    },
    replace: (file, bytes) => void written.set(file, Buffer.isBuffer(bytes) ? bytes : Buffer.concat([...bytes])),
    link: () => false,
    rename: () => false,
    overwrite: ignore,
    sync: ignore,
    truncate: ignore,
    remove: ignore,
    removeFolder: ignore,
    makeFolder: ignore,
    permissions: (file) => files.permissions(file),
    setMode: ignore,
  }
}
