// A memory from a file that anybody may have changed: every field that other code relies on has its type.

import { isMemoryField, repairFields } from '../../model/checkMemory.ts'
import { isMemoryId } from '../../model/id.ts'
import { type Memory, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { repairMemory } from '../../model/strength.ts'
import { upgradeKnowledge } from '../../text/upgradeKnowledge.ts'
import { sanitize } from '../commands/newMemory.ts'

type Fields = Readonly<Record<string, unknown>>
/** The memory, with defaults for fields that older versions did not write. Throws INPUT_INVALID with the field. */
export function parseMemory(value: unknown, place: string): Memory {
  const fields = isObject(value) ? value : {}
  const { id, kind, content, created } = fields
  const required = { id, kind, content, created }
  assertField(typeof id === 'string' && isMemoryId(id), 'id', place)
  for (const [name, own] of Object.entries(required)) assertField(isMemoryField(name, own), name, place)
  const lowered = String(id).toLowerCase() as Memory['id']
  const defaults = newMemory({ ...required, id: lowered } as Parameters<typeof newMemory>[0])
  // Fields keep their order, so that both stores print the same. A vector that was damaged is left out.
  const memory = repairMemory({ ...fields, ...omitKnown(defaults, fields) } as unknown as Memory)
  for (const [name, own] of Object.entries(memory))
    assertField(name === 'embedding' || own === undefined || isMemoryField(name, own), name, place)
  const upgraded = upgradeKnowledge({ ...memory, id: lowered })
  return cleanTexts(repairFields(upgraded) ?? upgraded)
}

const omitKnown = (defaults: Memory, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in fields)))

/** What hooks remove from events is removed here, too. A text without secrets and private parts stays as it is. */
function cleanTexts(memory: Memory): Memory {
  const { content, lessons, tags, searchText, leftOpen, knowledge } = memory
  const { record, ...said } = knowledge ?? {}
  const { said: cleanSaid, ...clean } = sanitize({ content, lessons, tags, searchText, leftOpen, said })
  const defined = Object.fromEntries(Object.entries(clean).filter(([, text]) => text !== undefined))
  return { ...memory, ...defined, ...(knowledge && record && { knowledge: { ...knowledge, ...cleanSaid, record } }) }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function assertField(isValid: boolean, name: string, place: string): void {
  if (isValid) return
  throw new MemoryError('INPUT_INVALID', `${place}: the memory has no valid ${name}`, {
    hint: 'Name a file that `memctl export` has written. Nothing was imported.',
  })
}
