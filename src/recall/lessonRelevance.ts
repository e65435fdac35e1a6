// When a lesson is worth showing without being asked for: what it says must be able to change what happens next.
import type { Lesson, LessonFix } from '../model/lesson.ts'
import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'
import { commandFamily, coreCommand } from '../text/command.ts'
import { isGeneralSignature, replaceVariables } from '../text/errorSignature.ts'

/**
 * Whether a lesson applies to what the query is about. Other memories apply, and so does a lesson that a person wrote.
 *
 * | fix | at a failure | before a call | at a prompt |
 * |---|---|---|---|
 * | edits a file | the same error about the same file | no | no |
 * | a command that has to be run first | the same error | the same command | a rule |
 * | another command instead | the same error and wrong words | the same wrong words | a rule |
 * | run it again | the same error, a rule | no | no |
 *
 * A rule worked in two sessions. A fix that only the order of the calls suggests has to be one.
 */
export function doesLessonApply(memory: Memory, query: RecallQuery): boolean {
  const { lesson, errorSignature } = memory
  if (lesson === undefined || query.moment === 'ask') return true
  const { fix } = lesson
  if (fix === undefined) return false
  const isRule = (lesson.candidates?.[0]?.sessions ?? memory.sessionCount) > 1
  if ((fix.kind === 'again' || fix.isGuess) && !isRule) return false
  if (query.errorSignature !== undefined) {
    // Another error of a command that was replaced: the moment's focus decides whether this is the command.
    return errorSignature === query.errorSignature ? isSameError(memory, query) : fix.kind === 'instead'
  }
  if (fix.kind === 'again' || editsFile(fix)) return false
  return query.moment === 'call' ? isSameCommand(lesson, fix, query) : isRule
}

const editsFile = (fix: LessonFix): boolean => fix.steps.some(({ kind }) => kind === 'edit')

/** The same signature; if that is general, also the same command and path or finding; for an edit the same file. */
function isSameError({ lesson, errorSignature, commandShape }: Memory, query: RecallQuery): boolean {
  const names = (path: string): boolean => query.text.includes(path) || query.files.includes(path)
  const subject = lesson?.subject
  if (subject !== undefined && !names(subject) && !replaceVariables(query.text).includes(subject)) return false
  // A prompt that quotes an error names no command.
  const isSameFamily =
    query.commandShape === undefined || commandFamily(commandShape ?? '') === commandFamily(query.commandShape)
  if (!isSameFamily && isGeneralSignature(errorSignature ?? '')) return false
  if (lesson?.fix?.kind === 'instead' && !hasWrongWords(lesson, lesson.fix, query)) return false
  const edits = lesson?.fix?.steps.filter(({ kind }) => kind === 'edit') ?? []
  return edits.every(({ what }) => names(what))
}

/** Whether the call would fail as the lesson's command did. A truncated command cannot be compared. */
function isSameCommand(lesson: Lesson, fix: LessonFix, query: RecallQuery): boolean {
  const { command } = lesson
  if (command === undefined || query.commandShape === undefined) return false
  if (command.endsWith('…') || commandFamily(query.commandShape) !== commandFamily(command)) return false
  if (fix.kind === 'instead') return hasWrongWords(lesson, fix, query)
  const words = wordsOf(query)
  const core = coreCommand(command).split(' ')
  return core.every((word) => words.has(word)) && !fix.steps.some(({ what }) => query.text.includes(what))
}

/** Whether the command has every word that was wrong, and at least half of those that stayed: it does the same. */
function hasWrongWords({ command = '' }: Lesson, fix: LessonFix, query: RecallQuery): boolean {
  const right = new Set(fix.steps.flatMap(({ what }) => what.split(/\s+/)))
  const own = command.split(/\s+/).filter((word) => !/^(?:\d+|[|&;…]+|2>&1)$/.test(word))
  const [wrong, stayed] = [own.filter((word) => !right.has(word)), own.filter((word) => right.has(word))]
  const words = wordsOf(query)
  const isSameWork = 2 * stayed.filter((word) => words.has(word)).length >= stayed.length
  return wrong.length > 0 && wrong.every((word) => words.has(word)) && isSameWork
}

/** The query's text has the command first, then its description or error. */
const wordsOf = ({ text }: RecallQuery): ReadonlySet<string> => new Set(text.split(/\s+/))
