// Changes config.yaml of memctl's home and keeps everything else in it, comments too.
import { isMap, parseDocument } from 'yaml'
import type { Files } from '../../store/disk/files.ts'
import { configFile } from './hookConfig.ts'

/**
 * Sets a top-level name to a value, or removes it if the value is undefined. Only the user can read the file after it.
 *
 * Returns false, and writes nothing, if the file is not valid YAML with names at the top.
 */
export function setConfigValue(files: Files, home: string, name: string, value: unknown): boolean {
  const file = configFile(home)
  const document = parseDocument(files.read(file)?.toString('utf8') ?? '')
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) return false
  if (value !== undefined) document.set(name, value)
  // `delete` throws on a file without content.
  else if (document.has(name)) document.delete(name)
  else return true
  const empty = isMap(document.contents) && document.contents.items.length === 0 && !document.commentBefore
  files.replace(file, Buffer.from(empty ? '' : String(document)))
  return true
}
