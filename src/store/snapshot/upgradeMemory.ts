// Memories of earlier versions: what memctl once kept in the user's metadata becomes typed fields.
//
// Views up to version 2 and older events have such memories. They are recognised by what they lack: every memory
// written since then has a `sessionCount`. Events still have the source of an entry in its metadata.
import type { EntrySource } from '../../model/entrySource.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Lesson, LessonFix, LessonStep } from '../../model/lesson.ts'
import type { Memory } from '../../model/memory.ts'
import { entryMemoryId } from '../../text/entryMemoryId.ts'

type Metadata = Record<string, unknown>
type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** A memory as it is read from a view or an event, with typed fields. */
export function upgradeMemory(stored: Memory): Memory {
  const memory = 'sessionCount' in stored ? stored : withTypedFields(stored)
  const entrySource = memory.kind === 'entry' ? parseLegacyEntrySource(memory.metadata, memory.id) : undefined
  if (!entrySource) return memory
  const { entry: _, ...metadata } = memory.metadata
  return { ...memory, metadata, entrySource }
}

/** The source in the metadata of an entry's memory; undefined for other memories, whatever a user stored there. */
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
  const memory: Mutable<Memory> = { ...stored, metadata, sessionCount: 1 }
  memory.privacySince = textIn(take('privacySince'))
  if (typeof metadata['scope_project'] === 'string') memory.scopeProject = textIn(take('scope_project'))
  // Only a memory that leaves its project has copies; on another one it is the user's.
  if (memory.scope !== 'project') memory.originProject = textIn(take('origin_project'))
  if (memory.kind === 'consolidated') {
    if (Array.isArray(metadata['consolidated_from'])) {
      memory.consolidatedFrom = textsIn(take('consolidated_from')) as MemoryId[]
    }
    if (memory.tags.includes('month')) {
      memory.monthlyRollup = { month: textIn(take('month')) ?? '', folded: numberIn(take('folded')) }
    }
  }
  const recorded = metadata['recorded']
  if (isMessage(recorded)) {
    delete metadata['recorded']
    memory.recorded = recorded
  }
  // What a person or a tool wrote has none of these: there such keys are the user's.
  if (memory.kind === 'entry' || memory.source !== 'task') return memory
  if (take('kept') === true) memory.archiveExempt = true
  if (memory.kind === 'summary') {
    memory.counts = { prompts: numberIn(take('prompts')), calls: numberIn(take('calls')) }
    memory.leftOpen = textsIn(take('open'))
  }
  if ('edited' in metadata) memory.editedFiles = textsIn(take('edited'))
  if (memory.kind !== 'summary') memory.sessionCount = numberIn(take('sessions')) || 1
  if ('fixed' in metadata) memory.lesson = lessonIn(stored, take)
  take('calls')
  return memory
}

function lessonIn(stored: Memory, take: (name: string) => unknown): Lesson {
  const [, command, target, error] = /^(?:`([^\n]+?)`|([^\n]+?)) failed: ([^\n]*)/.exec(stored.content) ?? []
  const attempts = /\nDid not help: ([^\n]*)\.$/.exec(stored.content)?.[1]
  const isFixed = take('fixed') === true
  const isAgain = take('again') === true
  return {
    ...(command === undefined ? { target } : { command }),
    error: error ?? '',
    ...(isFixed && { fix: fixIn(stored.lessons[0] ?? '', isAgain) }),
    failedAttempts: attempts === undefined ? [] : stepsIn(attempts.split(/; (?=`|edit )/)),
    calls: textsIn(take('calls')),
    costMs: numberIn(take('costMs')),
    falseAlarms: numberIn(take('passed')),
  }
}

function fixIn(text: string, isAgain: boolean): LessonFix {
  if (isAgain) return { kind: 'again', steps: [] }
  const instead = /^Fix: use (.*) instead\.$/.exec(text)?.[1]
  if (instead !== undefined) return { kind: 'instead', steps: fixSteps(instead) }
  const steps = /^Fix: (.*)\.$/.exec(text)?.[1]
  return { kind: 'steps', steps: steps === undefined ? [] : fixSteps(steps) }
}

/** Split only where a step begins: a detail may have the same characters. */
const fixSteps = (text: string): LessonStep[] => stepsIn(text.split(/, then (?=`|edit )/))

/** Steps as a lesson's text says them: `` `npm run build` `` or `edit src/a.ts (const x = 1)`. */
function stepsIn(texts: readonly string[]): LessonStep[] {
  return texts.flatMap((text): LessonStep[] => {
    const command = /^`(.+)`$/.exec(text)?.[1]
    if (command !== undefined) return [{ kind: 'command', what: command }]
    const [, file, detail] = /^edit (.+?)(?: \((.*)\))?$/.exec(text) ?? []
    return file === undefined ? [] : [{ kind: 'edit', what: file, ...(detail !== undefined && { detail }) }]
  })
}

/** Whether it is what a recorder is given: a message that went in, one that came out, or both. */
const isMessage = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && ('input' in value || 'output' in value)

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
