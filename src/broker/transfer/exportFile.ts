// The file of an export: JSON Lines, a header and then one record per line.
//
//   {"memctl":"export","version":1,"at":"…","project":{…},"memories":42,"private":false,"crc":"9ae0daaf"}
//   {"memory":{"id":"…","kind":"lesson","content":"…",…}}
//
// `crc` is the CRC-32 of all bytes after the header's newline. A reader accepts every version up to its own. It has the
// memories of a project with all their fields, what open sessions have learned included. No events: what was typed and
// printed stays in the log of this machine.

import { isMemoryField, repairFields } from '../../model/checkMemory.ts'
import { isMemoryId } from '../../model/id.ts'
import { type Memory, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isPrivate } from '../../model/privacy.ts'
import { repairMemory } from '../../model/strength.ts'
import { type Fields, objectOf, parseObject } from '../../model/unknownJson.ts'
import { checksum } from '../../store/disk/jsonFile.ts'
import { upgradeKnowledge } from '../../text/upgradeKnowledge.ts'
import { sanitize } from '../commands/newMemory.ts'
import { openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import type { ImportPlan } from './planImport.ts'

const EXPORT_VERSION = 1

export interface ExportHeader {
  readonly at: string
  readonly project: { readonly id: string; readonly name: string }
  readonly memories: number
  readonly private: boolean
}

export interface ExportedMemories extends ExportHeader {
  /** In the order in which they were made: equal scores rank in this order. */
  readonly list: readonly Memory[]
}

export function formatExport({ list, ...header }: ExportedMemories): string {
  const body = list.map((memory) => `${JSON.stringify({ memory })}\n`).join('')
  const crc = checksum(Buffer.from(body)).toString(16).padStart(8, '0')
  return `${JSON.stringify({ memctl: 'export', version: EXPORT_VERSION, ...header, crc })}\n${body}`
}

/**
 * Reads an export. `isEdited`: the person has changed it, so its checksum and its count do not have to match. Throws
 * INPUT_INVALID with the line of the first record that is not valid, and STORE_NEWER.
 */
export function parseExport(text: string, file: string, isEdited: boolean): ExportedMemories {
  const end = text.indexOf('\n')
  const header = parseHeader(end === -1 ? text : text.slice(0, end), file)
  const body = end === -1 ? '' : text.slice(end + 1)
  const crc = checksum(Buffer.from(body)).toString(16).padStart(8, '0')
  if (!isEdited && header.crc !== crc) {
    throw new MemoryError('INPUT_INVALID', `${file} is not as it was written: its checksum does not match`, {
      hint: 'Copy or export it again. If you have edited it yourself, add --edited.',
    })
  }
  const list: Memory[] = []
  for (const [i, line] of body.split('\n').entries()) {
    if (line.trim() === '') continue
    const place = `${file}, line ${i + 2}`
    const record = parseRecord(line, place)
    // A record of another name, such as `policy` of earlier versions, says nothing about memories.
    if ('memory' in record) list.push(parseMemory(record['memory'], place))
  }
  if (!isEdited && list.length !== header.memories)
    throw invalid(file, `has ${list.length} of ${header.memories} memories`)
  return { ...header, list }
}

function parseHeader(line: string, file: string): ExportHeader & { readonly crc: string } {
  const { memctl, version, at, project, memories, crc, private: isPrivate } = parseRecord(line, `${file}, line 1`)
  if (memctl !== 'export' || typeof version !== 'number') throw invalid(file, 'is not an export of memctl')
  if (version > EXPORT_VERSION) {
    throw new MemoryError('STORE_NEWER', `${file} was exported by a later version of memctl (format ${version})`, {
      hint: `This version reads formats up to ${EXPORT_VERSION}: update memctl.`,
    })
  }
  const { id, name } = objectOf(project)
  return {
    at: String(at ?? ''),
    project: { id: String(id ?? ''), name: String(name ?? '') },
    memories: Number(memories ?? 0),
    private: isPrivate === true,
    crc: String(crc ?? ''),
  }
}

function parseRecord(line: string, place: string): Fields {
  const record = parseObject(line)
  if (record) return record
  throw invalid(place, 'is not a JSON object')
}

const invalid = (place: string, what: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `${place} ${what}`, {
    hint: 'Name a file that `memctl export` has written. Nothing was imported.',
  })

/** `withPrivate`: only the person may ask for it. `now` is in milliseconds since 1970. */
export function exportMemories(
  store: Store,
  { withPrivate, now }: { readonly withPrivate: boolean; readonly now: number },
): ExportedMemories {
  const liveStore = openLiveStore(store)
  const mayExport = (memory: Memory): boolean =>
    store.isForSession ? memory.privacy === 'public' : withPrivate || !isPrivate(memory)
  const list = [...liveStore.memories().values()].filter(mayExport)
  const { id, name } = store.project
  return { at: new Date(now).toISOString(), project: { id, name }, memories: list.length, private: withPrivate, list }
}

/** The memory, with defaults for fields that older versions did not write. Throws INPUT_INVALID with the field. */
export function parseMemory(value: unknown, place: string): Memory {
  const fields = objectOf(value)
  const { id, kind, content, created } = fields
  const required = { id, kind, content, created }
  assertField(typeof id === 'string' && isMemoryId(id), 'id', place)
  for (const [name, own] of Object.entries(required)) assertField(isMemoryField(name, own), name, place)
  const lowered = String(id).toLowerCase() as Memory['id']
  const defaults = newMemory({ ...required, id: lowered } as Parameters<typeof newMemory>[0])
  // Fields keep their order, so that both stores print the same. A vector that was damaged is left out.
  const missing = Object.entries(defaults).filter(([name]) => !(name in fields))
  const memory = repairMemory({ ...fields, ...Object.fromEntries(missing) } as unknown as Memory)
  for (const [name, own] of Object.entries(memory))
    assertField(name === 'embedding' || own === undefined || isMemoryField(name, own), name, place)
  const clean = cleanTexts(upgradeKnowledge({ ...memory, id: lowered }))
  return repairFields(clean) ?? clean
}

/** What hooks remove from events is removed here, too, from every field with texts. So is the vector of such a text. */
function cleanTexts(memory: Memory): Memory {
  const { embedding, events, ...texts } = memory
  const fields = Object.entries(texts).map(([name, field]) => [name, sanitize<unknown>(field)])
  const clean = Object.fromEntries(fields) as typeof texts
  return clean.content === memory.content ? { ...memory, ...clean } : { ...clean, events }
}

function assertField(isValid: boolean, name: string, place: string): void {
  if (!isValid) throw invalid(`${place}:`, `the memory has no valid ${name}`)
}

// Imports an export of memctl: its memories with all their fields, so that an empty store has the same memory after it.
//
// A memory that is known stays, unless the export has a later version of it. An entry is a file of the project: if the
// file is not here, its text becomes a memory without a file.

/** What an import of these memories would store. */
export function planExportImport(store: Store, { project, at, list }: ExportedMemories): ImportPlan {
  const known = openLiveStore(store).memories()
  const added: Memory[] = []
  const changed: Memory[] = []
  for (const memory of list) {
    const before = known.get(memory.id)
    if (!before) added.push(withoutFile(memory))
    else if (memory.updated > before.updated && !before.entrySource) changed.push(withoutFile(memory))
  }
  return {
    source: { name: 'memctl', location: `${project.name}, ${at}`, items: list, faults: [], notes: [] },
    added,
    changed,
    gone: [],
    superseding: [],
    kept: 0,
    unchanged: list.length - added.length - changed.length,
    empty: 0,
  }
}

const withoutFile = ({ entrySource: _, ...memory }: Memory): Memory => memory
