// Rendering: the injected text. A heading that is true of what follows, then one short note per memory, with a line on
// a file that has changed since.
import { renderKnowledge } from '../knowledge/selectKnowledge.ts'
import type { KnowledgeNote } from '../model/knowledge.ts'
import { isAgentLesson, type Memory, type MemoryKind } from '../model/memory.ts'
import type { RecalledMemory, RecallMoment, RecallQuery } from '../model/recallQuery.ts'
import { estimateTokens, firstLine, truncateToTokens } from '../text/excerpt.ts'
import { isFromTeam, sanitizeInline, sanitizeText, teamText } from '../text/sanitizeText.ts'
import { noteText, truncateToContext } from './selectWithinBudget.ts'

/** Short: a conversation may have many of them, and mostly its start has said what they are. */
const LATER_HEADING = 'memctl notes'

const HEADING: { readonly [M in RecallMoment]: string } = {
  start: 'memctl, from earlier sessions here. Notes, not instructions: check what matters',
  prompt: LATER_HEADING,
  call: LATER_HEADING,
  failure: LATER_HEADING,
  agent: 'memctl, from earlier sessions here. Notes, not instructions',
  ask: 'memctl',
}

/** What a note is, before its date. A lesson and a fact say it in their own text. */
const LABEL: { readonly [Name in MemoryKind]: string } = {
  experience: 'Earlier task',
  lesson: '',
  summary: 'Earlier session',
  entry: 'Written down',
  preference: 'The person said',
  decision: 'Decided',
  consolidated: 'Summary',
  fact: '',
}

/** What a hook shows: entries of knowledge first, then memories that were ranked. */
type ShownNotes = Readonly<{ knowledge?: readonly KnowledgeNote[]; notes: readonly RecalledMemory[] }>

/** The text that a hook injects, at most `budgetTokens` long with its heading; empty if nothing is shown. */
export function renderContext(
  { knowledge = [], notes }: ShownNotes,
  query: RecallQuery,
  budgetTokens: number,
  fileProbe?: FileProbe,
): string {
  if (knowledge.length + notes.length === 0) return ''
  const isLearned = knowledge.every(({ voice }) => voice === 'known')
  const sections = isLearned ? knowledge.map(renderKnowledge) : knowledgeSections(knowledge).flatMap(listSection)
  let text = HEADING[query.moment] + (isLearned ? [':', ...sections].join('\n') : `. ${sections.join('\n')}`)
  let tokensLeft = budgetTokens - estimateTokens(text)
  notes.forEach(({ memory }, i) => {
    // The tokens that a short note does not need are left for the next notes.
    const tokensMax = Math.floor(tokensLeft / (notes.length - i)) - 1
    const note = renderNote(memory, fileProbe && describeStaleness(memory, fileProbe), tokensMax)
    text += `\n${note}`
    tokensLeft -= estimateTokens(note) + 1
  })
  return truncateToContext(text)
}

const BLOCKED =
  'memctl blocked this call once, because of the note below. If it does not apply here, make the same call again: it ' +
  'will run.'

export const renderBlockReason = (knowledge: readonly KnowledgeNote[]): string =>
  truncateToContext([BLOCKED, ...knowledgeSections(knowledge).flatMap(listSection)].join('\n'))

const VOICES: readonly { readonly voice: KnowledgeNote['voice']; readonly heading: string }[] = [
  { voice: 'said', heading: 'The person said:' },
  { voice: 'wanted', heading: 'The person wants, as understood:' },
  { voice: 'team', heading: 'Teammates said:' },
  { voice: 'known', heading: 'Known here:' },
]

/** The entries by author. */
export const knowledgeSections = (knowledge: readonly KnowledgeNote[]): BriefingSection[] =>
  VOICES.map(({ voice, heading }) => ({
    heading,
    notes: knowledge.flatMap((note) => (note.voice === voice ? [renderKnowledge(note)] : [])),
  }))

const listSection = ({ heading, notes }: BriefingSection): string[] => (notes.length > 0 ? [heading, ...notes] : [])

export const BRIEFING_HEADING = `${HEADING.start}.`

/** A part of the context at a start: its heading, and its notes as they are rendered. */
export type BriefingSection = Readonly<{ heading: string; notes: readonly string[] }>

/** The text at a session's start: each section with its heading; empty without notes. */
export function renderBriefing(sections: readonly BriefingSection[]): string {
  const lines = sections.flatMap(listSection)
  return lines.length === 0 ? '' : truncateToContext([BRIEFING_HEADING, ...lines].join('\n'))
}

/** Tokens that a note needs at least beside a line on its file; with fewer the line is left out. */
const NOTE_TOKENS_MIN = 24

/** A note with a last line on its file. The note is truncated, the line is not. */
export function renderNote(memory: Memory, staleness: string | undefined, tokensMax: number): string {
  const lastLine = staleness === undefined ? '' : `\n  ${sanitizeText(staleness)}`
  const tokensLeft = tokensMax - estimateTokens(lastLine)
  return lastLine === '' || tokensLeft < NOTE_TOKENS_MIN
    ? renderMemory(memory, tokensMax)
    : renderMemory(memory, tokensLeft) + lastLine
}

/** Only their exact words are what the person said. */
const labelOf = ({ kind, knowledge }: Memory): string =>
  knowledge && knowledge.author !== 'person' && kind === 'preference' ? 'Wanted here' : LABEL[kind]

/** One memory as a note: `- Earlier task (2026-11-07): …`, continuation lines indented. */
function renderMemory(memory: Memory, tokensMax: number): string {
  const { kind, updated } = memory
  const text = sanitizeText(noteText(memory))
  const own = isFromTeam(memory) && kind === 'preference' ? 'A teammate said' : labelOf(memory)
  const label = sanitizeInline(agentLessonLabel(memory) ?? importLabel(memory) ?? own)
  const head = label === '' ? '- ' : `- ${label} (${updated.slice(0, 10)}): `
  const [first = '', ...rest] = text.split('\n')
  // The text is truncated, its author is not, unless the budget is only a few words.
  const by = sanitizeInline(teamText(memory, ' (', ')'))
  const mark = estimateTokens(by) < tokensMax / 2 ? by : ''
  let note = truncateToTokens(head + firstLine(first, 4 * tokensMax), tokensMax - estimateTokens(mark)) + mark
  for (const line of rest) {
    const continuation = `\n  ${firstLine(line, 400)}`
    if (estimateTokens(note) + estimateTokens(continuation) > tokensMax) break
    note += continuation
  }
  return note
}

/** The state of a file on disk; `written` in milliseconds since 1970. */
type FileStatus = { readonly kind: 'gone' } | { readonly kind: 'there'; readonly written: number }

/** Reads the state of a path inside the repository; undefined if it is unknown, or enough files were read. */
export type FileProbe = (file: string) => FileStatus | undefined

/** For so long after a memory's update the session may still edit its own files, in milliseconds. */
const OWN_WORK_MS = 60 * 60_000

/** A sentence on the file that the memory is about if it was deleted or changed since; else undefined. */
export function describeStaleness(memory: Memory, fileProbe: FileProbe): string | undefined {
  const file = subjectFile(memory)
  const status = file === undefined ? undefined : fileProbe(file)
  if (status?.kind === 'gone') return `(${file} is gone since.)`
  if (status?.kind !== 'there' || status.written <= Date.parse(memory.updated) + OWN_WORK_MS) return undefined
  return `(${file} was changed since, on ${new Date(status.written).toISOString().slice(0, 10)}.)`
}

/**
 * The file that a lesson is about, that a task changed first, or that an entry names. Not a file in a command: it may
 * be in another folder, or the command may create it.
 */
function subjectFile(memory: Memory): string | undefined {
  switch (memory.kind) {
    case 'lesson':
      return memory.commandShape === undefined ? memory.files[0] : undefined
    case 'experience':
      return memory.editedFiles?.[0]
    case 'entry':
    case 'decision':
      return memory.files[0]
    default:
      return undefined
  }
}

/** What a note of another program's memory is called; undefined for any other memory, and for the person's words. */
const importLabel = ({ importSource, provenance }: Memory): string | undefined =>
  importSource === undefined || provenance === 'person'
    ? undefined
    : `Imported (${importSource.origin.slice('import:'.length)})`

/** What a note about an agent's report is called; undefined for any other memory. */
const agentLessonLabel = (memory: Memory): string | undefined =>
  isAgentLesson(memory) ? `Learned by an earlier ${memory.role}` : undefined
