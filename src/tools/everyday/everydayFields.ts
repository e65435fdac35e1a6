// What the five everyday tools share. One search, get, save, delete and restore do for a model what the source
// documents spread over thirty names, which `--tools all` has: a model chooses better among few, and each costs tokens.
import { entryFromMemory } from '../../entries/entry.ts'
import { KNOWLEDGE_KINDS, type Memory, PERSONAL_TAG } from '../../model/memory.ts'
import { isInPersonsWords } from '../../model/provenance.ts'
import { daysBetween } from '../../model/strength.ts'
import { firstLine } from '../../text/excerpt.ts'
import { optional, text } from '../definition/field.ts'
import { invokeTool } from '../definition/invokeTool.ts'
import { type ModelTool, SHORT_CHARS, type ToolOutput } from '../definition/tool.ts'
import type { ToolContext } from '../definition/toolContext.ts'
import { entryKeyField } from '../entries/entryFields.ts'
import { memoryIdField, serializeBrief } from '../memory/memoryFields.ts'

export const SCOPES = ['session', 'project', 'person', 'file'] as const
export type Scope = (typeof SCOPES)[number]

export const scopeField = optional(
  text(
    'session: until it ends; project: this one (default); person: all projects of this person; file: a file in the ' +
      'repository, for the team',
    { choices: SCOPES },
  ),
)
export const noteKindField = optional(
  text('preference: what the person wants; lesson: how a problem was solved', { choices: KNOWLEDGE_KINDS }),
)

/** The kind that a note was saved as, which it keeps as a tag. */
const noteKind = ({ kind, tags }: Memory) =>
  kind === 'entry' ? KNOWLEDGE_KINDS.find((name) => tags.includes(name)) : undefined

/** The tags of a note of this kind, by default of the kind it has; undefined if the known ones stay. */
export function tagsOfNote(kind: string | undefined, given: readonly string[] | undefined, known?: Memory) {
  if (kind === undefined && given === undefined) return undefined
  const others = (given ?? known?.tags ?? []).filter((tag) => !KNOWLEDGE_KINDS.some((name) => name === tag))
  return [...others, ...[kind ?? (known && noteKind(known)) ?? []].flat()]
}

/** The kind in the words of the everyday tools. */
export const kindOf = (memory: Memory): string => noteKind(memory) ?? memory.kind
export const idField = optional(memoryIdField)
export const keyField = optional(entryKeyField)
/** Which of two notes of the same key. */
export const noteScopeField = optional(text('Of the key', { choices: ['file', 'person'] }))

/** Where a memory counts, in the words of the everyday tools. */
export function scopeOf({ entrySource, knowledge, tags, retention }: Memory): Scope {
  if (entrySource?.session !== undefined || retention === 'working') return 'session'
  if (entrySource) return entrySource.layer === 'global' ? 'person' : 'file'
  return knowledge?.scope === 'person' || tags.includes(PERSONAL_TAG) ? 'person' : 'project'
}

/** A memory as the everyday tools answer it. `now` is in milliseconds since 1970. */
export function serializeEveryday(memory: Memory, now: number): ToolOutput {
  const { id, entrySource, content, tags, created, updated, supersededBy, leftOpen, commandShape } = memory
  const days = Math.floor(daysBetween(Date.parse(updated), now))
  return {
    id,
    ...(entrySource && { key: entrySource.key }),
    content: entrySource ? entryFromMemory(memory).content : content,
    kind: kindOf(memory),
    scope: scopeOf(memory),
    age: days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`,
    created_at: created,
    ...(updated > created && { updated_at: updated }),
    ...(tags.length > 0 && { tags }),
    ...(supersededBy !== undefined && { superseded_by: supersededBy }),
    ...(memory.kind === 'lesson' && commandShape !== undefined && { failed: commandShape }),
    ...(leftOpen && leftOpen.length > 0 && { left_open: leftOpen }),
    ...(isInPersonsWords(memory) && { said_by_person: true }),
    ...serializeBrief(memory),
  }
}

export const beginningOf = ({ id, content }: Memory) => ({ id, content: firstLine(content, SHORT_CHARS) })

/** The parameters with which the entry tools name an entry. */
export const entryAddress = ({ entrySource }: Memory) => ({
  key: entrySource?.key,
  ...(entrySource?.layer === 'project' && { session_id: entrySource.session }),
})

/** Calls one of the thirty tools, with its checks of role and input. Throws what it answers as a failure. */
export async function callTool(tool: ModelTool, input: object, context: ToolContext): Promise<ToolOutput> {
  const result = await invokeTool(tool, input, context)
  if (result.kind === 'failure') throw result.cause
  return result.output
}
