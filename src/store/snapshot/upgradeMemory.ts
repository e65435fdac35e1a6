// Converts memories of earlier versions, which had memctl's own data in the user's metadata, to typed fields.
//
// Snapshots up to version 2 and older events have such memories. They lack `sessionCount`, which every newer memory
// has. Events still have the source of an entry in its metadata.
import type { MemoryId } from '../../model/id.ts'
import { KNOWLEDGE_CHARS_MAX } from '../../model/knowledge.ts'
import type { EntrySource, Memory } from '../../model/memory.ts'
import { firstLine } from '../../text/excerpt.ts'
import { entryMemoryId } from '../../text/hash.ts'
import { type LegacyFields, type LegacyLesson, type LegacyStep, upgradeKnowledge } from '../../text/upgradeKnowledge.ts'

type Metadata = Record<string, unknown>
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** A memory read from a snapshot or an event, with typed fields. */
export function upgradeMemory(stored: Memory): Memory {
  const memory = upgradeKnowledge(withStatement('sessionCount' in stored ? stored : withTypedFields(stored)))
  const entrySource = memory.kind === 'entry' ? parseLegacyEntrySource(memory.metadata, memory.id) : undefined
  if (!entrySource) return memory
  const { entry: _, ...metadata } = memory.metadata
  return { ...memory, metadata, entrySource }
}

/** The first versions kept what a person had typed as a preference, without more. */
function withStatement(stored: Memory & LegacyFields): Memory & LegacyFields {
  const { kind, source, trust, taskId, content, knowledge, statement } = stored
  const isTyped = kind === 'preference' && source === 'task' && trust === 'user' && taskId !== undefined
  if (!isTyped || knowledge !== undefined || statement !== undefined) return stored
  const short = firstLine(content, KNOWLEDGE_CHARS_MAX)
  return { ...stored, statement: { type: 'preference', scope: 'project', strength: 3, origin: 'prompt', short } }
}

/** The source in the metadata of an entry's memory; undefined for others, even if a user stored the same key. */
export function parseLegacyEntrySource(metadata: Readonly<Metadata>, id: MemoryId): EntrySource | undefined {
  const source = metadata['entry'] as EntrySource | null | undefined
  if (typeof source?.key !== 'string') return undefined
  return entryMemoryId(source.layer, source.session, source.key) === id ? source : undefined
}

function withTypedFields(stored: Memory): Memory {
  const metadata: Metadata = { ...stored.metadata }
  const take = (name: string): unknown => {
    const value = metadata[name]
    delete metadata[name]
    return value
  }
  const memory: Mutable<Memory & LegacyFields> = { ...stored, metadata, sessionCount: 1 }
  memory.privacySince = asText(take('privacySince'))
  if (typeof metadata['scope_project'] === 'string') memory.scopeProject = asText(take('scope_project'))
  // Only a memory of a wider scope has copies; elsewhere the key belongs to the user.
  if (memory.scope !== 'project') memory.originProject = asText(take('origin_project'))
  if (memory.kind === 'consolidated') {
    if (Array.isArray(metadata['consolidated_from'])) {
      memory.consolidatedFrom = asTexts(take('consolidated_from')) as MemoryId[]
    }
    if (memory.tags.includes('month')) {
      memory.monthlyRollup = { month: asText(take('month')) ?? '', folded: asNumber(take('folded')) }
    }
  }
  const recorded = metadata['recorded']
  if (isMessage(recorded)) {
    delete metadata['recorded']
    memory.recorded = recorded
  }
  // Memories written by a person or a tool have none of these: there such keys belong to the user.
  if (memory.kind === 'entry' || memory.source !== 'task') return memory
  if (take('kept') === true) memory.archiveExempt = true
  if (memory.kind === 'summary') {
    memory.counts = { prompts: asNumber(take('prompts')), calls: asNumber(take('calls')) }
    memory.leftOpen = asTexts(take('open'))
  }
  if ('edited' in metadata) memory.editedFiles = asTexts(take('edited'))
  if (memory.kind !== 'summary') memory.sessionCount = asNumber(take('sessions')) || 1
  if ('fixed' in metadata) memory.lesson = upgradeLesson(stored, take)
  for (const name of ['calls', 'costMs', 'passed']) take(name)
  return memory
}

function upgradeLesson(stored: Memory, take: (name: string) => unknown): LegacyLesson {
  const [, command, , error] = /^(?:`([^\n]+?)`|([^\n]+?)) failed: ([^\n]*)/.exec(stored.content) ?? []
  const isFixed = take('fixed') === true
  const isAgain = take('again') === true
  return {
    ...(command !== undefined && { command }),
    error: error ?? '',
    ...(isFixed && { fix: parseFix(stored.lessons[0] ?? '', isAgain) }),
  }
}

function parseFix(text: string, isAgain: boolean): NonNullable<LegacyLesson['fix']> {
  if (isAgain) return { kind: 'again', steps: [] }
  const instead = /^Fix: use (.*) instead\.$/.exec(text)?.[1]
  if (instead !== undefined) return { kind: 'instead', steps: parseFixSteps(instead) }
  const steps = /^Fix: (.*)\.$/.exec(text)?.[1]
  return { kind: 'steps', steps: steps === undefined ? [] : parseFixSteps(steps) }
}

/** Splits only where a step begins: a step's detail can contain the same characters. */
const parseFixSteps = (text: string): LegacyStep[] => parseSteps(text.split(/, then (?=`|edit )/))

/** Parses the steps in a lesson's text: `` `npm run build` `` or `edit src/a.ts (const x = 1)`. */
const parseSteps = (texts: readonly string[]): LegacyStep[] =>
  texts.flatMap((text): LegacyStep[] => {
    const command = /^`(.+)`$/.exec(text)?.[1]
    if (command !== undefined) return [{ kind: 'command', what: command }]
    const file = /^edit (.+?)(?: \(.*\))?$/.exec(text)?.[1]
    return file === undefined ? [] : [{ kind: 'edit', what: file }]
  })

/** Whether it is recorded messages: an input, an output, or both. */
const isMessage = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && ('input' in value || 'output' in value)

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0)
const asTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
