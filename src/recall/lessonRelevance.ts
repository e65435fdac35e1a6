// When a lesson is worth showing without being asked for: what it says must be able to change what happens next.
import type { Lesson, LessonFix } from '../model/lesson.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { commandFamily, coreCommand } from '../text/command.ts'
import { isGeneralSignature } from '../text/errorSignature.ts'

/**
 * Whether a lesson applies to what the query is about. Other memories apply, and so does a lesson that a person wrote.
 *
 * | fix | at a failure | before a call | at a start or a prompt |
 * |---|---|---|---|
 * | edits a file | the same error about the same file | no | no |
 * | a command that has to be run first | the same error | the same command | if it is a rule |
 * | another command instead | the same error | the words that were wrong | if it is a rule |
 * | run it again | the same error, if it is a rule | no | no |
 *
 * A rule worked in two sessions. A fix that only the order of the calls suggests has to be one.
 */
export function doesLessonApply(memory: Memory, query: RecallQuery): boolean {
  const { lesson } = memory
  if (lesson === undefined || query.moment === 'ask') return true
  const { fix } = lesson
  if (fix === undefined) return false
  const isRule = (lesson.candidates?.[0]?.sessions ?? memory.sessionCount) > 1
  if ((fix.kind === 'again' || fix.isGuess) && !isRule) return false
  if (query.errorSignature !== undefined) return isSameError(memory, query)
  if (fix.kind === 'again' || editsFile(fix)) return false
  return query.moment === 'call' ? isSameCommand(lesson, fix, query) : isRule
}

const editsFile = (fix: LessonFix): boolean => fix.steps.some(({ kind }) => kind === 'edit')

/** The same signature; if that is general, also the same command and path; and for an edit the same file. */
function isSameError({ lesson, errorSignature, commandShape }: Memory, query: RecallQuery): boolean {
  if (errorSignature === undefined || errorSignature !== query.errorSignature) return false
  const names = (path: string): boolean => query.text.includes(path) || query.files.includes(path)
  if (lesson?.subject !== undefined && !names(lesson.subject)) return false
  if (
    isGeneralSignature(errorSignature) &&
    commandFamily(commandShape ?? '') !== commandFamily(query.commandShape ?? '')
  )
    return false
  const edits = lesson?.fix?.steps.filter(({ kind }) => kind === 'edit') ?? []
  return edits.length === 0 || edits.some(({ what }) => names(what))
}

/** Whether the call would fail as the lesson's command did. A truncated command cannot be compared. */
function isSameCommand({ command }: Lesson, fix: LessonFix, { text, commandShape }: RecallQuery): boolean {
  if (command === undefined || commandShape === undefined || command.endsWith('…')) return false
  const core = coreCommand(command)
  if (core === '' || commandFamily(commandShape) !== commandFamily(command)) return false
  // The query's text has the command first, then its description.
  const words = new Set(text.split(/\s+/))
  if (fix.kind === 'steps')
    return core.split(' ').every((word) => words.has(word)) && !fix.steps.some(({ what }) => text.includes(what))
  const right = new Set(fix.steps.flatMap(({ what }) => what.split(/\s+/)))
  const wrong = command.split(/\s+/).filter((word) => !right.has(word) && !/^(?:\d+|[|&;]+|2>&1)$/.test(word))
  return wrong.length > 0 && wrong.every((word) => words.has(word))
}
